"""Light cycles by cloning and PPO: thirteen minutes, the net that comes with the package.

Machine: two cores of an AMD EPYC, no GPU; 188 800 games. Made in two goes: twelve minutes at commit 927fcde, whose gate
let little progress through, then one at 1d96392 with `--minutes 13 --confirm-games 4000`.
Its value was then taught anew for searches (recipes/light_cycles_value.py, at b184642).
Reached by the bare net: .680 against alpha-beta 3 plies deep, .744 against the teacher, 1000 games each
(benchmarks/results.md).
Command: python -m recipes.light_cycles
Strength: sparring match light-cycles policy alphabeta:depth=3 --games 1000
"""

import sys

from sparring.app.cli import main

SETTINGS = ["--minutes", "13", "--seed", "1", "--measure-games", "1000", "--match-every", "4"]

if __name__ == "__main__":
    sys.exit(main(["train", "light-cycles", *SETTINGS, "--out", "runs/light_cycles"]))
