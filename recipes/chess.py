"""Chess from nothing by NNUE self-play: sixty minutes, the net that comes with the package.

Machine: two cores of an AMD EPYC, no GPU.
Command: python -m recipes.chess
Strength: sparring match chess alphabeta:net=shipped,ms=100 \\
    uci:stockfish,ms=100,option.UCI_LimitStrength=true,option.UCI_Elo=2200 --games 200
"""

import sys

from sparring.app.cli import main

SHAPE = ["--hidden", "256", "--phases", "8", "--frames", "mirrored"]
SETTINGS = [
    "--minutes",
    "60",
    *SHAPE,
    "--nodes",
    "60",
    "800",
    "--seed",
    "1",
    "--match-every",
    "15",
    "--match-games",
    "60",
]

if __name__ == "__main__":
    sys.exit(main(["train", "chess", *SETTINGS, "--out", "runs/chess"]))
