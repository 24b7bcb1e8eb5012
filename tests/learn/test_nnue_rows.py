"""Rows of positions: what their scores and results are worth, and how they come from files."""

import math

import numpy as np
import pytest

from sparring.errors import RecordError
from sparring.games.game import load
from sparring.learn.nnue_rows import (
    MOST_SCORE,
    as_bytes,
    empty_rows,
    from_bytes,
    read_rows,
    row_dtype,
    shares,
    steps_of,
    wanted,
)


def test_a_score_in_centipawns_is_worth_the_logistic_function_of_a_four_hundredth_of_it():
    scores = np.array([-1000, -37, 0, 37, 400, 30000], np.int16)
    found = wanted(scores, load("chess"))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [1 / (1 + math.exp(-s / 400)) for s in scores.tolist()], rtol=1e-5)


def test_where_judgements_are_expected_results_a_score_is_worth_the_share_of_the_way_from_worst_to_best():
    scores = np.array([-10_000, -5_000, 0, 2_500, 10_000, 12_000], np.int16)
    np.testing.assert_allclose(wanted(scores, load("tic_tac_toe")), [0, 0.25, 0.5, 0.625, 1, 1], atol=1e-6)


def test_results_are_worth_their_share_of_the_way_from_worst_to_best():
    assert shares(load("tic_tac_toe")).tolist() == [0.0, 0.5, 1.0]


def test_judgements_are_rounded_to_steps_and_never_leave_their_range():
    steps = steps_of(np.array([0.0, 0.00004, 0.00006, -0.01, 9.0, -9.0]))
    assert steps.dtype == np.int16
    assert steps.tolist() == [0, 0, 1, -100, MOST_SCORE, -MOST_SCORE]


@pytest.mark.parametrize("name", ["chess", "tic_tac_toe"])
def test_rows_come_back_from_bytes_as_they_were(name):
    game = load(name)
    rows = empty_rows(game, 5)
    rows.view(np.uint8)[:] = np.random.default_rng(1).integers(0, 256, rows.nbytes, np.uint8)
    kept = as_bytes(rows)
    assert kept.shape == (5, row_dtype(game).itemsize)
    assert from_bytes(kept, game).tobytes() == rows.tobytes()


def test_a_row_of_chess_is_no_larger_than_in_the_format_that_others_use():
    assert row_dtype(load("chess")).itemsize <= 32


def test_a_files_rows_come_from_the_reader_of_the_rules_file_in_any_layout(monkeypatch):
    game = load("tic_tac_toe")
    found = np.zeros(3, [("result", "i8"), ("score", "i4"), ("packed", game.PACKED), ("more", "f4")])
    found["score"], found["result"], found["packed"]["turn"] = [7, -8, 9], [0, 1, 2], [1, 0, 1]
    monkeypatch.setattr(game.module, "read_data", lambda path: found[: len(str(path))], raising=False)
    rows = read_rows("abc", game)
    assert rows.dtype == row_dtype(game)
    assert (rows["score"].tolist(), rows["result"].tolist()) == ([7, -8, 9], [0, 1, 2])
    assert rows["packed"]["turn"].tolist() == [1, 0, 1]
    monkeypatch.setattr(game.module, "read_data", lambda path: rows)
    assert read_rows("abc", game) is rows


def test_a_game_that_reads_no_files_says_so():
    with pytest.raises(RecordError, match=r"^some.bin cannot be read: pig.py has no read_data\(\), which reads files"):
        read_rows("some.bin", load("pig"))
