"""Connect Four by AlphaZero: thirty minutes, the net that comes with the package.

Machine: two cores of an AMD EPYC, no GPU; 30 minutes, at times shared with other work.
Reached on the four public sets, against perfect play: 95.7 % of its moves ideal and 99.6 % sound with 64 simulations,
88.8 % and 97.6 % without search (one run, one seed; benchmarks/results.md).
Command: python -m recipes.connect_four
Strength: sparring accuracy connect-four mcts:sims=64,net=shipped
"""

import sys

from sparring.app.cli import main

SETTINGS = ["--minutes", "30", "--seed", "1", "--out", "runs/connect_four"]

if __name__ == "__main__":
    sys.exit(main(["train", "connect-four", *SETTINGS]))
