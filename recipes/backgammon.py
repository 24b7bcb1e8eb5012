"""Backgammon by TD(λ): 1.5 million games with itself in two runs, the net that comes with the package.

The second run goes on from the first with smaller steps and a random turn now and then, for rare positions.

Machine: one core of an AMD EPYC, no GPU, beside other work; 24 and 51 minutes.
Reached: see there (benchmarks/results.md).
Command: python -m recipes.backgammon
Strength: sparring match backgammon turn pubeval --games 10000 --luck
"""

import sys

from sparring.app.cli import main

FIRST, SECOND = "runs/backgammon_first", "runs/backgammon"
BOTH = ["--minutes", "0", "--hidden", "160", "32", "--match-every", "0", "--threads", "1"]
BEGIN = ["--games", "500000", "--seed", "1", "--out", FIRST]
GO_ON = ["--games", "1000000", "--rate", "1e-3", "--explore", "0.03", "--seed", "2", "--out", SECOND]
GO_ON += ["--start", f"{FIRST}/nets/latest.safetensors"]

if __name__ == "__main__":
    sys.exit(main(["train", "backgammon", *BOTH, *BEGIN]) or main(["train", "backgammon", *BOTH, *GO_ON]))
