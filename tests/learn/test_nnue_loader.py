"""Batches: each row once a pass, seen as the slow way sees it, the same whatever the threads."""

import dataclasses
import itertools

import numpy as np
import pytest

from sparring.games.game import load
from sparring.learn.nnue_loader import Loader, shuffle
from sparring.learn.nnue_rows import empty_rows
from sparring.nets.nnue import inputs_seen, shape_for
from sparring.rng import seeded

CHESS = {
    "buckets": tuple(square // 16 for square in range(64)),
    "flips": tuple(7 if square % 8 > 3 else 0 for square in range(64)),
}


def some_rows(game, n, seed=3):
    """Positions of random games, packed; score: which row it is; result: also told by it. Also the positions."""
    random, rows, states = np.random.default_rng(seed), empty_rows(game, n), game.states(n)
    state = game.states(1)[0]
    for i in range(n):
        moves = game.legal_moves(state)
        state = game.after(state, int(random.choice(moves))) if moves else game.states(1)[0]
        while game.result(state) >= 0:
            state = game.states(1)[0]
        states[i] = state
        game.pack(state, rows[i]["packed"])
    rows["score"], rows["result"] = np.arange(n), np.arange(n) % len(game.RESULTS)
    return rows, states


@pytest.mark.parametrize(
    ("name", "more"), [("tic_tac_toe", {}), ("connect_four", {}), ("chess", {}), ("chess", {**CHESS, "sets": 8})]
)
def test_a_batch_holds_what_both_players_see_of_each_position(name, more):
    game = load(name)
    shape = shape_for(game, 32, **more)
    rows, states = some_rows(game, 40)
    with Loader(game, shape) as loader:
        batch = loader.whole(rows)
    own, other, phase = inputs_seen(game, shape, states)
    for found, expected in ((batch.own, own), (batch.other, other)):
        assert found.dtype == np.int32
        np.testing.assert_array_equal(np.sort(found, 1), np.sort(expected, 1))
        ends = (found >= 0).sum(1)
        assert all((line[:n] >= 0).all() for line, n in zip(found, ends, strict=True)), "NONE stands behind them"
    np.testing.assert_array_equal(batch.phase, phase)
    assert (batch.score.tolist(), batch.result.tolist()) == (rows["score"].tolist(), rows["result"].tolist())


@pytest.mark.parametrize("size", [7, 25, 64])
def test_each_pass_has_every_row_once_in_an_order_of_its_own(size):
    game = load("tic_tac_toe")
    rows, _ = some_rows(game, 64)
    with Loader(game, shape_for(game, 32)) as loader:
        seen = [int(i) for b in loader.batches(rows, size, 0, -(-256 // size), (1,)) for i in b.score]
    passes = [seen[at : at + 64] for at in (0, 64, 128, 192)]
    assert all(sorted(one) == list(range(64)) for one in passes)
    assert len({tuple(one) for one in passes}) == 4
    assert sum(i + 1 == j for i, j in itertools.pairwise(seen)) < 16, "neighbours do not stay neighbours"


def test_batches_depend_on_seed_and_number_alone():
    game = load("tic_tac_toe")
    rows, _ = some_rows(game, 50)

    def scores(first, count, seed=(1, 2), threads=1):
        with Loader(game, shape_for(game, 32), threads) as loader:
            return [b.score.tolist() for b in loader.batches(rows, 16, first, count, seed)]

    whole = scores(0, 9)
    assert scores(0, 9, threads=3) == whole
    assert scores(0, 4) + scores(4, 5) == whole
    assert scores(0, 9, seed=(1, 3)) != whole


def test_a_walk_that_is_left_in_the_middle_leaves_its_memory_to_the_next():
    game = load("tic_tac_toe")
    rows, _ = some_rows(game, 50)
    with Loader(game, shape_for(game, 32), 2) as loader:
        for batch in loader.batches(rows, 16, 0, 100, (1,)):
            first = dataclasses.replace(batch, score=batch.score.copy())
            break
        rooms = len(loader.rooms)
        again = [b.score.tolist() for b in loader.batches(rows, 16, 0, 3, (1,))]
        assert again[0] == first.score.tolist()
        assert len(loader.rooms) == rooms > 0


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 100])
def test_the_shuffle_is_a_permutation_that_depends_on_its_key(n):
    def shuffled(key):
        out = np.zeros(n, np.int64)
        shuffle(np.arange(n), n, seeded(key), out)
        return out.tolist()

    assert sorted(shuffled(1)) == list(range(n))
    assert n < 5 or len({tuple(shuffled(key)) for key in range(5)}) > 3


@pytest.mark.compiled
def test_the_shuffle_sends_neighbours_anywhere():
    n, out = 100_003, np.zeros(100_003, np.int64)
    shuffle(np.arange(n), n, seeded(5), out)
    assert (np.bincount(out, minlength=n) == 1).all()
    tenths = np.bincount(out[: n // 10] * 10 // n, minlength=10)
    assert abs(tenths - n / 100).max() < 5 * np.sqrt(n / 100)
    assert abs(np.corrcoef(out[:-1], out[1:])[0, 1]) < 0.02
