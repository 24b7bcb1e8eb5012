"""How fast light cycles goes without a net: games of random moves in which every position is described to one.

    python -m benchmarks.light_cycles_engine [--rounds 5] [--seconds 1]

Ours, compiled, against plain Python and NumPy as one would write them first (`light_cycles_plain.py`): for towers
(planes, room and margin of each move) and for small nets (overview and prospects). All see the same first positions,
and first of all it is made sure that they write the same numbers. One core, medians of rounds in turn, with the least
and the most.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
from benchmarks.light_cycles_plain import NumpyGame, PlainGame

from sparring.compiled import cached_under, compiled
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.rng import draw_below, seeded

GAME = load("light-cycles")
legal, play, result, features, overview, prospects = (
    GAME.rules[name] for name in ("legal", "play", "result", "features", "overview", "prospects")
)
BATCH = 50  # games between two looks at the clock
CHECKED = 5  # games whose every number is compared


def dense(state, index, value, inputs):
    """All inputs of a tower, 0 or not."""
    inputs[:] = 0.0
    for i in range(features(state, state["turn"], index, value)):
        inputs[index[i]] = value[i]


def play_for_towers(states, moves, index, value, inputs, rng):
    """Play each of `states` to its end; returns the decisions."""
    n = 0
    for i in range(states.shape[0]):
        while result(states[i]) == ONGOING:
            dense(states[i], index, value, inputs)
            play(states[i], moves[draw_below(rng, legal(states[i], moves))])
            n += 1
    return n


def play_for_small_nets(states, moves, out, rows, rng):
    """The same."""
    n = 0
    for i in range(states.shape[0]):
        while result(states[i]) == ONGOING:
            overview(states[i], out)
            rows[:] = 0.0
            prospects(states[i], rows)
            play(states[i], moves[draw_below(rng, legal(states[i], moves))])
            n += 1
    return n


with cached_under(GAME.digest):
    dense, play_for_towers, play_for_small_nets = map(compiled, (dense, play_for_towers, play_for_small_nets))

MOVES = np.zeros(GAME.MOVES, np.int32)
SPARSE = np.zeros(GAME.MOST_FEATURES, np.int32), np.zeros(GAME.MOST_FEATURES, np.float32)
INPUTS = np.zeros(GAME.FEATURES, np.float32)
OUT, ROWS = np.zeros(GAME.OVERVIEW, np.float32), np.zeros((GAME.MOVES, GAME.PROSPECTS), np.float32)


def heads_of(number: int) -> tuple[int, int]:
    """Where the players begin."""
    first, second = (int(cell) for cell in GAME.dealt(number)[0]["heads"])
    return first, second


def compare() -> None:
    """Make sure that the engines write the same."""
    moves = random.Random(1)
    for number in range(CHECKED):
        state, plain, arrays = GAME.dealt(number)[0], PlainGame(heads_of(number)), NumpyGame(heads_of(number))
        while plain.moves():
            dense(state, *SPARSE, INPUTS)
            GAME.overview(state, OUT)
            ROWS[:] = 0.0
            GAME.prospects(state, ROWS)
            np.testing.assert_array_equal(INPUTS, np.array(plain.planes(), np.float32))
            np.testing.assert_allclose(INPUTS, arrays.planes(), atol=1e-7)
            block = plain.block(plain.heads[plain.turn], plain.heads[1 - plain.turn])
            np.testing.assert_array_equal(OUT, np.array(block, np.float32))
            np.testing.assert_array_equal(ROWS, np.array(plain.prospects(), np.float32))
            move = moves.choice(plain.moves())
            for each in (plain, arrays):
                each.play(move)
            GAME.play(state, move)
        assert GAME.result(state) != ONGOING


def slowly(
    begin: Callable[..., PlainGame | NumpyGame], see: Callable[..., None]
) -> Callable[[int, random.Random], int]:
    """What plays a game of one of the plain engines, and returns its decisions."""

    def game(number: int, moves: random.Random) -> int:
        board, n = begin(heads_of(number)), 0
        while legal_here := board.moves():
            see(board)
            board.play(moves.choice(legal_here))
            n += 1
        return n

    return game


def see_small(board: PlainGame) -> None:
    """Overview and prospects."""
    board.block(board.heads[board.turn], board.heads[1 - board.turn])
    board.prospects()


def rate(seconds: float, batches: Iterator[int]) -> float:
    """Decisions a second, of a generator that plays some games and yields their decisions."""
    began, n = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        n += next(batches)
    return n / (time.perf_counter() - began)


def fast(kernel: Callable[..., int], *buffers: np.ndarray) -> Iterator[int]:
    """Batches of ours."""
    rng, number = seeded(1), 0
    while True:
        yield int(kernel(GAME.dealt(*range(number, number + BATCH)), MOVES, *buffers, rng))
        number += BATCH


def slow(game: Callable[[int, random.Random], int]) -> Iterator[int]:
    """Games of a plain engine."""
    moves, number = random.Random(1), 0
    while True:
        yield game(number, moves)
        number += 1


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    compare()
    engines = {
        "towers, ours": fast(play_for_towers, *SPARSE, INPUTS),
        "towers, NumPy": slow(slowly(NumpyGame, NumpyGame.planes)),
        "towers, plain Python": slow(slowly(PlainGame, PlainGame.planes)),
        "small nets, ours": fast(play_for_small_nets, OUT, ROWS),
        "small nets, plain Python": slow(slowly(PlainGame, see_small)),
    }
    rates: dict[str, list[float]] = {name: [] for name in engines}
    for batches in engines.values():
        next(batches)
    for _ in range(options.rounds):
        for name, batches in engines.items():
            rates[name].append(rate(options.seconds, batches))
    for name, found in rates.items():
        what = name.partition(",")[0]
        ratio = statistics.median(rates[f"{what}, ours"]) / statistics.median(found)
        middle = f"{statistics.median(found):12,.0f} decisions/s ({min(found):,.0f} to {max(found):,.0f})"
        print(f"{name:26}{middle}" + ("" if name.endswith("ours") else f", ours {ratio:,.0f} times"))


if __name__ == "__main__":
    main()
