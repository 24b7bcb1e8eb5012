"""The demo: Tigers and Sheep learns from nothing for three minutes, then plays the hand-written player at equal depth.

Command: make demo
"""

import sys

from sparring.app.cli import main

GAME = "tigers-and-sheep"
RUN = "runs/demo"
NET = f"{RUN}/nets/latest.safetensors"


def demo() -> int:
    """Train, play the match, say how to go on."""
    limits = ["--minutes", "3", "--generations", "1000000", "--match-every", "20"]
    code = main(["train", GAME, "--learner", "td", *limits, "--out", RUN])
    if code:
        return code
    print("\nThe match: the new net against the hand-written player, both searching 3 plies.", flush=True)
    code = main(["match", GAME, f"alphabeta:depth=3,net={NET}", "alphabeta:depth=3", "--games", "200"])
    if code:
        return code
    print("\nPlay against it yourself (you are the sheep, who move first; quit leaves):")
    print(f"  .venv/bin/sparring play {GAME} alphabeta:ms=300,net={NET}")
    return 0


if __name__ == "__main__":
    sys.exit(demo())
