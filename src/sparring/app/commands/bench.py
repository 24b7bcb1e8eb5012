"""`sparring bench`: speed on this machine, and node counts that are the same everywhere."""

import json
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sparring.app.options import Bench
from sparring.app.talk import announce_compiling, say
from sparring.errors import SparringError

if TYPE_CHECKING:
    from sparring.games.game import Game
    from sparring.nets.weights import Net

Measure = Callable[[], int]  # does the work once, returns how many units it did

SHEEP = ("", "c3", "c3 a5-b4 d2 b4-c4", "b3 e5-d4 c5 d4-c4 d5 c4-d4")
OPENINGS = (
    "",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O",
)


def run(options: Bench) -> None:
    """Measure each figure several times; print medians and the nodes of the fixed searches."""
    if options.repeat < 1:
        raise SparringError(f"--repeat is {options.repeat}, but it must be at least 1")
    say("Measuring seven figures on one core: about twenty seconds, after compiling.")
    announce_compiling("the rules and the searches")
    rows: list[dict[str, Any]] = []
    nodes = 0
    for name, unit, fixed, measure in figures():
        units = measure()  # once to compile
        rates = []
        for _ in range(options.repeat):
            began = time.perf_counter()
            measure()
            rates.append(units / (time.perf_counter() - began))
        nodes += units if fixed else 0
        median = statistics.median(rates)
        rows.append({"name": name, "unit": f"{unit}/s", "median": median, "runs": rates, "count": units})
        if not options.json:
            print(f"{name:58} {median / 1e6:8.2f} million {unit}/s")
    if options.json:
        from sparring.learn.run import machine

        print(json.dumps({"nodes": nodes, "figures": rows, "machine": machine()}))
    else:
        print(f"Bench: {nodes}")


def figures() -> list[tuple[str, str, bool, Measure]]:
    """(name, unit, whether its count is part of the bench number, the work)."""
    from sparring.games.game import load
    from sparring.search import judging

    four, tigers, chess = load("connect_four"), load("tigers_and_sheep"), load("chess")
    rules, net = judging.by_rules(tigers), judging.by_net(tigers, fixed_net(tigers))
    sheep, openings, by_hand = after_moves(tigers, SHEEP), after_moves(chess, OPENINGS), judging.by_rules(chess)
    return [
        ("random games, Connect Four", "moves", False, random_games(four)),
        ("perft 6, Tigers and Sheep", "lines", False, perft(tigers)),
        ("plain alpha-beta, Connect Four, 11 plies", "nodes", True, plain(four)),
        ("search by the rules' judgement, Tigers and Sheep, 7 plies", "nodes", True, search(tigers, rules, sheep, 7)),
        ("search with a 52-64-32-1 net, Tigers and Sheep, 6 plies", "nodes", True, search(tigers, net, sheep, 6)),
        ("perft 5, chess", "lines", False, perft(chess, 5)),
        ("search by the rules' judgement, chess, 11 plies", "nodes", True, search(chess, by_hand, openings, 11)),
    ]


def random_games(game: "Game", games: int = 40_000) -> Measure:
    """Random games to their end."""
    import numpy as np

    from sparring.rng import seeded

    walk = game.bind("games.walk")
    most = 1000
    first = game.states(games)
    work = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    counts = np.zeros(games, np.int64), np.zeros(games, np.int64)

    def measure() -> int:
        return int(walk.random_games(first.copy(), *work, seeded(1), np.zeros(most + 1, np.uint64), most, *counts))

    return measure


def perft(game: "Game", depth: int = 6) -> Measure:
    """Lines below the start."""
    from sparring.games.walk import count_lines

    return lambda: int(count_lines(game, game.states(1)[0], depth))


def plain(game: "Game", depth: int = 11) -> Measure:
    """Alpha-beta without table and judgement, in the rules' order of moves."""
    from sparring.search.plain import solve_from

    return lambda: solve_from(game, game.states(1)[0], depth)[1]


def after_moves(game: "Game", lines: tuple[str, ...]) -> list[Any]:
    """The positions that lines of moves from the start lead to."""
    positions = []
    for words in lines:
        state = game.states(1)[0]
        for word in words.split():
            state = game.after(state, game.parse_move(state, word))
        positions.append(state)
    return positions


def search(game: "Game", judge: object, positions: list[Any], depth: int) -> Measure:
    """The search that players use."""
    from sparring.search.searcher import Limits, Searcher

    searcher = Searcher(game, judge)  # type: ignore[arg-type]

    def measure() -> int:
        nodes = 0
        for state in positions:
            searcher.begin_game()
            nodes += searcher.think(state, Limits(depth=depth)).nodes
        return nodes

    return measure


def fixed_net(game: "Game") -> "Net":
    """A net whose weights are the same everywhere: small multiples of 1/64 by a formula, exact in float32."""
    import numpy as np

    from sparring.nets.weights import Net

    layers = []
    for a, b in ((game.FEATURES, 64), (64, 32), (32, 1)):
        weights = (np.arange(a * b, dtype=np.int64) * 7919 % 31 - 15) / np.float32(64)
        layers.append((weights.reshape(a, b).astype(np.float32), np.zeros(b, np.float32)))
    return Net(game.name, game.FEATURES_VERSION, "tanh", tuple(layers))
