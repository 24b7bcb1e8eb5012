"""Tigers and Sheep by TD(λ): 500 generations, the net that comes with the package.

Machine: two cores of an AMD EPYC, no GPU; 24 minutes, with tests running beside it.
Reached: 92, 92 and 90 % against the hand-written player at equal depth 3, 76, 78 and 75 % when that searches 5 plies
(three matches of 400 games each; benchmarks/results.md).
Command: python -m recipes.tigers_and_sheep
Strength: sparring match tigers-and-sheep alphabeta:depth=3,net=shipped alphabeta:depth=3
"""

import sys

from sparring.app.cli import main

SETTINGS = ["--learner", "td", "--generations", "500", "--seed", "1", "--out", "runs/tigers_and_sheep"]

# as published: what the defaults differ from, for comparison
PUBLISHED = ["--head", "tanh", "--hidden", "64", "32", "--opening", "10", "--no-quiescence", "--average", "0"]

if __name__ == "__main__":
    extra = PUBLISHED if sys.argv[1:] == ["--published"] else []
    sys.exit(main(["train", "tigers-and-sheep", *SETTINGS, *extra]))
