"""Chess from nothing by NNUE self-play: forty minutes, the net that comes with the package.

Machine: two cores of an AMD EPYC, no GPU; 325 000 games, 21.9 million positions. Commit 6396e18, seed 1.
Reached: +248 Elo [+207, +297] against the hand-written evaluation in the same search, 5000 nodes a move, 300 games
(benchmarks/results.md).
Command: python -m recipes.chess
Strength: sparring match chess alphabeta:net=shipped alphabeta:eval=evaluate --nodes 5000 --games 300
"""

import sys

from sparring.app.cli import main

SHAPE = ["--hidden", "256", "--phases", "8", "--frames", "mirrored"]
SETTINGS = ["--minutes", "40", *SHAPE, "--nodes", "60", "800", "--match-every", "0", "--seed", "1"]

if __name__ == "__main__":
    sys.exit(main(["train", "chess", *SETTINGS, "--out", "runs/chess"]))
