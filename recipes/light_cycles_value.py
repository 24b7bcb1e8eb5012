"""Teach the value of a net for light cycles anew, for searches: from games of its own that random moves interrupted.

A search asks about positions that its net's games never come to, and chooses those that are judged best, mistakes
first. So the net plays itself, makes one to four random moves somewhere, and what follows teaches how such games end:
each round 512 games, their decisions once, then they are forgotten. The policy stays as it is.

Command: python -m recipes.light_cycles_value NET --out FILE, about three minutes on two cores.
"""

import argparse
import dataclasses
import time

import numpy as np
import torch

from sparring.games.game import load
from sparring.learn.cloner import decisions_left
from sparring.learn.pace import slowed
from sparring.learn.run import commit
from sparring.learn.seats import Seats, new_games
from sparring.nets import engines, weights
from sparring.nets.move_net import MoveNet
from sparring.nets.move_net_module import MoveNetModule
from sparring.nets.tower_module import Targets
from sparring.nets.tower_training import Trainer
from sparring.search.gauge import longest_game

GAMES, BATCH, RATE, AVERAGING = 512, 2048, 2e-3, 0.999
LEAD, STRAY = 300, 4  # moves before the random ones, and how many of these, at most
DISCOUNT = 0.995  # of the score
TEMPERATURE = 0.25  # of its moves: at 1 games end by slips, at 0 they are too much alike; both were worse
FACTORS = {"policy": 0.0, "result": 1.0, "score": 0.5}


def taught(net: MoveNet, rounds: int, seed: int, lanes: int = 256, threads: int = 2) -> MoveNet:
    """The net with its value taught anew."""
    game = load("light-cycles")
    seats = Seats(game, "", True, lanes, threads, longest_game(game), False)
    bank = [[engines.make("native", net, lanes)] for _ in range(threads)]
    trainer = Trainer(MoveNetModule.of(net), RATE, 0.0, FACTORS, AVERAGING)
    random, began = np.random.default_rng(seed), time.monotonic()
    for number in range(rounds):
        games = new_games(random.integers(10**9, size=GAMES), np.zeros(2), np.ones(2), 0, seed + number)
        games["lead"] = random.integers(1, LEAD, size=GAMES)
        games["opening"] = random.integers(1, STRAY + 1, size=GAMES)
        played = seats.play(games, bank, [TEMPERATURE])
        rows, loss = played.rows, 0.0
        end = played.games["end"][rows["game"]]
        won = np.where(rows["player"] == 0, end, 1 - end).astype(np.int64)
        scores = (2 * won - 1) * DISCOUNT ** decisions_left(rows["game"].astype(np.int64) * 2 + rows["player"])
        parts = np.array_split(random.permutation(len(rows)), max(len(rows) // BATCH, 1))
        for part in parts:
            none = torch.zeros(len(part), game.MOVES)
            result = torch.from_numpy(np.eye(2, dtype=np.float32)[won[part]])
            score = torch.from_numpy(scores[part].astype(np.float32))
            wanted = Targets(none == 0, none, result, score, torch.ones(len(part)))
            inputs = torch.from_numpy(np.ascontiguousarray(rows["inputs"][part]))
            loss += float(trainer.step(inputs, wanted, RATE * slowed(number / rounds))["result"]) / len(parts)
        if number % 10 == 0 or number == rounds - 1:
            passed = time.monotonic() - began
            print(f"round {number + 1:4}  {len(rows)} decisions  loss {loss:.4f}  {passed:.0f} s", flush=True)
    arrays = trainer.average.fold(game).arrays
    kept = {name: net.arrays[name] if name.startswith("policy") else array for name, array in arrays.items()}
    training = {**net.training, "value": {"rounds": rounds, "seed": seed, "commit": commit()}}
    return dataclasses.replace(net, arrays=kept, training=training)


def main() -> None:
    """Read the net, teach it, write it."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("net")
    asked.add_argument("--out", required=True)
    asked.add_argument("--rounds", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    net = weights.load(options.net)
    if not isinstance(net, MoveNet):
        asked.error(f"{options.net} is no MoveNet")
    weights.save(taught(net, options.rounds, options.seed), options.out)


if __name__ == "__main__":
    main()
