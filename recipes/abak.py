"""Abak by TD(λ): 350 000 games with itself, the net that comes with the package.

Machine: one core of an AMD EPYC, no GPU, beside other work; 81 minutes.
Reached: see there (benchmarks/results.md).
Command: python -m recipes.abak
Strength: sparring match abak turn expert --games 2000 --luck

`python -m recipes.abak --oldest` makes what the newer set-up is compared with: the oldest inputs, one hidden layer of
sigmoids, and nothing but win or loss to learn.
"""

import sys

from sparring.app.cli import main

SETTINGS = ["--games", "350000", "--minutes", "0", "--hidden", "128", "32", "--match-every", "0", "--seed", "1"]
OLDEST = ["--games", "200000", "--minutes", "0", "--hidden", "80", "--inputs", "428", "--no-points"]
OLDEST += ["--activation", "sigmoid", "--match-every", "0", "--seed", "1"]

if __name__ == "__main__":
    oldest = sys.argv[1:] == ["--oldest"]
    out = "runs/abak_oldest" if oldest else "runs/abak"
    sys.exit(main(["train", "abak", *(OLDEST if oldest else SETTINGS), "--out", out]))
