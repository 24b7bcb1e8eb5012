"""Tigers and Sheep by TD(λ): 500 generations, the net that comes with the package.

Machine, time, strength: see benchmarks/results.md.
Command: python -m recipes.tigers_and_sheep
Strength: sparring match tigers-and-sheep alphabeta:depth=3,net=shipped alphabeta:depth=3
"""

import sys

from sparring.app.cli import main

SETTINGS = ["--generations", "500", "--seed", "1", "--out", "runs/tigers_and_sheep"]

# as published: what the defaults differ from, for comparison
PUBLISHED = ["--head", "tanh", "--hidden", "64", "32", "--opening", "10", "--no-quiescence", "--average", "0"]

if __name__ == "__main__":
    extra = PUBLISHED if sys.argv[1:] == ["--published"] else []
    sys.exit(main(["train", "tigers-and-sheep", *SETTINGS, *extra]))
