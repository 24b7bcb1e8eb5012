"""The demo: Connect Four learns from nothing for five minutes; then its net judges a position beside perfect scores.

Command: make demo
"""

import sys

from sparring.app.cli import main

GAME = "connect-four"
RUN = "runs/demo"
NET = f"{RUN}/nets/latest.safetensors"
POSITION = "4 4 4 4 4 2"


def demo() -> int:
    """Train, judge a position, say how to go on."""
    code = main(["train", GAME, "--minutes", "5", "--truth-every", "5", "--match-every", "5", "--out", RUN])
    if code:
        return code
    print(f"\nA position, after {POSITION}: what the net and its search think, and the truth.", flush=True)
    code = main(["analyse", GAME, "--moves", POSITION, "--player", f"mcts:sims=800,net={NET}", "--truth"])
    if code:
        return code
    print("\nPlay against it yourself (quit leaves):")
    print(f"  .venv/bin/sparring play {GAME} mcts:sims=400,net={NET}")
    return 0


if __name__ == "__main__":
    sys.exit(demo())
