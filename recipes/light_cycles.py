"""Light cycles by cloning and PPO: twelve minutes, the net that comes with the package.

Machine: two cores of an AMD EPYC, no GPU.
Reached: FIGURES
Command: python -m recipes.light_cycles
Strength: sparring match light-cycles policy alphabeta:depth=3 --games 1000
"""

import sys

from sparring.app.cli import main

SETTINGS = ["--minutes", "12", "--seed", "1", "--measure-games", "1000", "--match-every", "4"]

if __name__ == "__main__":
    sys.exit(main(["train", "light-cycles", *SETTINGS, "--out", "runs/light_cycles"]))
