"""The ring of rows: repeats merged, images turned, batches as the net's eyes see them, segments that restore it."""

import numpy as np
import pytest

from sparring.games.contract import ONGOING
from sparring.games.game import Game, load
from sparring.learn.rows import Rows, new_lessons, row_dtype


def some_rows(game: Game, count: int, seed: int) -> np.ndarray:
    """Rows of positions of random games, their targets drawn at random."""
    rng, rows = np.random.default_rng(seed), np.zeros(count, row_dtype(game))
    for row in rows:
        state = game.states(1)[0]
        for _ in range(rng.integers(0, 7)):
            game.play(state, int(rng.choice(game.legal_moves(state))))
            if game.result(state) != ONGOING:
                state = game.states(1)[0]
        moves = game.legal_moves(state)
        row["state"][0] = state
        row["policy"][: len(moves)] = rng.dirichlet(np.ones(len(moves)))
        row["outcome"] = [*rng.dirichlet(np.ones(len(game.RESULTS))), rng.uniform(-1, 1)]
        row["left"], row["reply"], row["merged"] = rng.integers(1, 9), rng.choice(moves), 1
    return rows


def named(game: Game, row: np.void) -> dict[int, float]:
    return dict(zip(game.legal_moves(row["state"][0]), row["policy"], strict=False))


def image_of(game: Game, row: np.void, k: int) -> tuple[bytes, dict[int, float]]:
    state = game.after(row["state"][0])
    game.transform(state, k)
    return state.tobytes(), {int(game.transform_move(m, k)): p for m, p in named(game, row).items()}


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "tigers-and-sheep"])
def test_a_row_is_kept_as_one_of_its_images(name):
    game, rows = load(name), None
    rows = Rows(game, 64)
    new = some_rows(game, 30, 1)
    for i, row in enumerate(new):
        rows.add(new[i : i + 1])
        kept = rows.ring[i]
        images = [image_of(game, row, k) for k in range(game.SYMMETRIES)]
        if kept["merged"] == 1:
            assert (kept["state"][0].tobytes(), named(game, kept)) in images


def test_repeats_and_images_become_one_row_with_the_mean_of_their_targets():
    game = load("connect-four")
    rows, new = Rows(game, 16), np.zeros(3, row_dtype(game))
    start = game.states(1)[0]
    for row, column in zip(new, (0, 0, 6), strict=True):
        row["state"][0] = game.after(start, column)
        row["merged"], row["reply"] = 1, column
    new["policy"][0] = [1, 0, 0, 0, 0, 0, 0]
    new["policy"][1] = [0, 1, 0, 0, 0, 0, 0]
    new["policy"][2] = [0, 0, 0, 0, 0, 0, 1]  # in the mirror: the first column
    new["outcome"][:, 2] = [0, 0.3, 0.6]
    rows.add(new)
    assert rows.total == 3
    assert list(rows.ring["merged"][:3]) == [0, 0, 3]
    assert rows.ring["outcome"][2, 2] == pytest.approx(0.3)
    assert sorted(rows.ring["policy"][2].round(4)) == pytest.approx([0, 0, 0, 0, 0, 1 / 3, 2 / 3], abs=1e-3)
    assert set(rows.choose(50, 16, np.random.default_rng(1))) == {2}


def test_the_ring_forgets_its_oldest_rows_and_draws_from_the_newest():
    game = load("tic-tac-toe")
    rows, new = Rows(game, 20), some_rows(game, 50, 2)
    rows.add(new)
    assert (rows.total, len(rows)) == (50, 20)
    drawn = rows.choose(400, 5, np.random.default_rng(3))
    newest = {n % 20 for n in range(45, 50)}
    assert set(drawn) <= newest
    assert (rows.ring["merged"][drawn] > 0).all()


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "tigers-and-sheep"])
def test_a_batch_is_what_the_net_sees_under_each_symmetry(name):
    game = load(name)
    rows = Rows(game, 64)
    rows.add(some_rows(game, 40, 4))
    rng = np.random.default_rng(5)
    chosen, images = rows.choose(24, 64, rng), rng.integers(0, game.SYMMETRIES, 24)
    batch = new_lessons(game, 24)
    rows.lessons(chosen, images, batch)
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    for j, (at, k) in enumerate(zip(chosen, images, strict=True)):
        row = rows.ring[at]
        state = game.after(row["state"][0])
        game.transform(state, int(k))
        eyes = game.VIEWER if game.VIEWER >= 0 else game.mover(state)
        n = game.features(state, eyes, index, value)
        assert sorted(value[:n][value[:n] != 0]) == sorted(first_of_planes(game, batch.inputs[j]))
        assert set(np.flatnonzero(batch.allowed[j])) == set(game.legal_moves(state))
        for move, share in named(game, row).items():
            assert batch.policy[j, game.transform_move(move, int(k))] == share
        seen = row["outcome"][:-1] if eyes == 0 else row["outcome"][:-1][::-1]
        assert list(batch.outcome[j]) == list(seen)
        assert batch.score[j] == row["outcome"][-1] * (1 if eyes == 0 else -1)
        assert batch.reply[j] == game.transform_move(int(row["reply"]), int(k))
        assert batch.left[j] == row["left"]


def first_of_planes(game: Game, inputs: np.ndarray) -> list[float]:
    """The inputs of the board, and one of each plane that belongs to the whole position."""
    board = game.PLANES[0]
    found = [v for v in inputs[:board].ravel() if v]
    return found + [plane.flat[0] for plane in inputs[board:] if plane.flat[0]]


def test_segments_put_back_make_the_same_ring():
    game = load("tic-tac-toe")
    whole, segments = Rows(game, 60), []
    for part in range(6):
        first = whole.total
        whole.add(some_rows(game, 25, part))
        segments.append(whole.segment(first))
    again = Rows(game, 60)
    again.put_back(segments[2:])  # the first two are out of the ring by now
    assert again.total == whole.total == 150
    assert again.ring.tobytes() == whole.ring.tobytes()
    for rows in (whole, again):
        rows.add(some_rows(game, 30, 9))
    assert again.ring.tobytes() == whole.ring.tobytes(), "repeats are found as before"
