"""A net that knows the chance of winning a match: learned from games of self-play, and compared with the table.

    python -m benchmarks.match_net learn NET --out FILE [--game backgammon] [--points 7] [--generations 60] [--seed 1]
    python -m benchmarks.match_net cubes NET FILE [--game backgammon] [--points 5] [--games 2000] [--seed 1]

NET: a net of positions, which chooses the turns and tells the chances of results. `learn` writes a net of matches, and
shows how far its scores are from the table that comes with the package. `cubes` compares the cube of both: games are
played without one, and matches are put together from them in which one side handles the cube by the net of matches and
the other by Janowski's model and the table, each match twice with the sides swapped and the same games; it prints the
share of matches that the net of matches wins. What both also choose turns by is measured by matches:

    sparring match backgammon turn:net=NET,match=FILE turn:net=NET --points 5
"""

import argparse
import time
from typing import Any

import numpy as np

from sparring.arena.equity import mirrored
from sparring.arena.handling import ByModel, ByNet
from sparring.arena.match_table import shipped_for, table_of
from sparring.arena.points import Points
from sparring.arena.stakes import Stakes
from sparring.games.game import Game, load
from sparring.learn.match_chance import MatchLearner, MatchSettings
from sparring.learn.match_games import CoursePlay, Courses
from sparring.nets import weights
from sparring.nets.match_net import load_match_net
from sparring.nets.weights import Net


def learn(game: Game, net: Net, out: str, settings: MatchSettings) -> None:
    """Learn and save."""
    learner, began = MatchLearner(game, net, settings), time.perf_counter()
    table = table_of(game.name).chances if shipped_for(game.name) else None
    for _ in range(settings.generations):
        row = learner.generation()
        told = " ".join(f"{name} {value:.5g}" for name, value in row.items())
        if table is not None:
            n = settings.points + 1
            off = np.abs(learner.scores - table[:, :n, :n])
            every = np.concatenate([off[0, 1:, 1:].ravel(), off[1, 1:, 1]])
            told += f", off the table {every.mean():.4f} on average, {every.max():.4f} at most"
        print(f"{(time.perf_counter() - began) / 60:5.1f} min {told}", flush=True)
        learner.net.save(out)
    with np.printoptions(precision=3, suppress=True, linewidth=150):
        print("lacks 1, 2, … (rows) against 1, 2, … (columns), up to and in the Crawford game:")
        print(learner.scores[0, 1:, 1:])
        print("after it, against who lacks 1:")
        print(learner.scores[1, 1:, 1])


def finish(courses: Courses, game: int, stakes: Stakes, hands: tuple[ByModel | ByNet, ByModel | ByNet]) -> Stakes:
    """The stakes after a game in which player i handles the cube by hands[i]."""
    row, end = courses.first[game], courses.first[game + 1]
    while (row := next_double(courses, row, end, stakes, hands)) < end:
        roller = 0 if courses.rolls[row] == 1 else 1
        if not hands[1 - roller].advise(seen(courses, row, roller), stakes, roller).takes:
            return stakes.dropped(roller)
        stakes, row = stakes.doubled(roller), row + 1
    return stakes.after(int(courses.points[game]))


def next_double(courses: Courses, row: int, end: int, stakes: Stakes, hands: tuple[ByModel | ByNet, ...]) -> int:
    """The first row from this one on at which the player who is to roll doubles; `end`: nobody does."""
    found = end
    for player, mark in enumerate((1, -1)):
        rows = row + np.flatnonzero(courses.rolls[row:end] == mark)
        if stakes.may_double(player) and len(rows):
            doubles = hands[player].advise(seen(courses, rows, player), stakes, player).doubles
            found = min([found, *rows[doubles][:1].tolist()])
    return found


def seen(courses: Courses, rows: Any, player: int) -> np.ndarray:
    """Chances of results as that player sees them."""
    chances = courses.chances[rows]
    return chances if player == 0 else mirrored(chances)


def cubes(game: Game, net: Net, file: str, points: int, games: int, seed: int) -> None:
    """Matches put together from the games, in order, until there are no more."""
    courses = CoursePlay(game, net).play(games, (seed,))
    model = ByModel(game.name)
    ours = ByNet(load_match_net(file, game.name), file, model)
    shares, at = [], 0
    while at + 2 * points - 1 <= courses.games:
        most, won = at, []
        for hands in ((ours, model), (model, ours)):
            stakes, number = Stakes(points), at
            while not stakes.over:
                stakes = finish(courses, number, stakes, hands)
                number += 1
            won.append(hands[stakes.scores.index(points)] is ours)
            most = max(most, number)
        shares.append(sum(won) / 2)
        at = most
    found = Points.of(shares)
    low, high = found.interval()
    print(f"{found.units} matches to {points}, each twice")
    print(f"the net of matches wins {found.mean:.4f} [{low:.4f}, {high:.4f}]")


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("learn", "cubes"))
    parser.add_argument("net")
    parser.add_argument("file", nargs="?", default="")
    parser.add_argument("--out", default="match.safetensors")
    parser.add_argument("--game", default="backgammon")
    parser.add_argument("--points", type=int)
    parser.add_argument("--generations", type=int, default=MatchSettings.generations)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game, net = load(asked.game), weights.load_perceptron(asked.net)
    if asked.what == "cubes":
        cubes(game, net, asked.file, asked.points or 5, asked.games or 2000, asked.seed)
        return
    usual = MatchSettings()
    many, points = asked.games or usual.games, asked.points or usual.points
    settings = MatchSettings(points=points, generations=asked.generations, games=many, seed=asked.seed)
    learn(game, net, asked.out, settings)


if __name__ == "__main__":
    main()
