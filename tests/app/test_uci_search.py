"""Chances, scores and names in what a search tells."""

import types

import numpy as np
import pytest

from sparring.app.uci_go import Position, read_position
from sparring.app.uci_search import Chances, names_of, score_told
from sparring.games.game import load
from sparring.search.searcher import Line


@pytest.fixture(scope="module")
def chess():
    return load("chess")


@pytest.fixture
def judge():
    """Tells loss 0.2, draw 0.3, win 0.5 of whoever is to move, and notes the position asked about."""
    asked = []

    def distribution(work, stack, ply, out):
        asked.append((work["filled"].item(), stack[ply].copy()))
        out[:] = 0.2, 0.3, 0.5

    def fill(record):
        record["filled"] = 7

    return types.SimpleNamespace(distribution=distribution, dtype=np.dtype([("filled", "i8")]), fill=fill, asked=asked)


def line(chess, position, names, score=100, end=None):
    state, moves = position.state, []
    for name in names.split():
        moves.append(chess.module.read_uci(state, name))
        state = chess.after(state, moves[-1])
    return Line(tuple(moves), score, 0.0, end), state


def test_chances_are_those_of_the_position_that_the_line_leads_to_as_the_first_to_move_sees_them(chess, judge):
    chances, start = Chances(chess, judge), read_position(chess, ["startpos"])
    odd, after = line(chess, start, "e2e4")
    assert chances.of(start, odd) == (200, 300, 500)
    assert judge.asked[-1] == (7, after)
    even, _ = line(chess, start, "e2e4 e7e5")
    assert chances.of(start, even) == (500, 300, 200)


def test_chances_add_up_to_a_thousand(chess, judge):
    def thirds(work, stack, ply, out):
        out[:] = 1 / 3

    judge.distribution = thirds
    start = read_position(chess, ["startpos"])
    won, drawn, lost = Chances(chess, judge).of(start, line(chess, start, "e2e4")[0])
    assert won + drawn + lost == 1000 and won == lost == 333


def test_a_forced_end_and_a_draw_on_the_line_are_certain(chess, judge):
    chances = Chances(chess, judge)
    mate = read_position(chess, ["fen", "6k1/5ppp/8/8/8/8/8/R5K1", "w", "-", "-", "0", "1"])
    assert chances.of(mate, line(chess, mate, "a1a8", 1_009_999, 1)[0]) == (1000, 0, 0)
    assert chances.of(mate, line(chess, mate, "a1a7", -1_009_998, 2)[0]) == (0, 0, 1000)
    again = read_position(chess, ["startpos", "moves", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"])
    assert chances.of(again, line(chess, again, "f6g8")[0]) == (0, 1000, 0)
    assert judge.asked[1:] == []  # the first is asked to have it compiled


def test_without_a_distribution_there_are_no_chances(chess, judge):
    judge.distribution = None
    start = read_position(chess, ["startpos"])
    assert Chances(chess, judge).of(start, line(chess, start, "e2e4")[0]) is None


def test_names_end_where_a_line_can_not_be_played_on(chess):
    start = read_position(chess, ["startpos"])
    moves = line(chess, start, "e2e4 e7e5")[0].moves
    assert names_of(chess, start.state, moves) == ["e2e4", "e7e5"]
    assert names_of(chess, start.state, (*moves, *moves)) == ["e2e4", "e7e5"]
    assert names_of(chess, start.state, ()) == ["(none)"]


def test_centipawns_are_rounded_alike_for_both_sides():
    told = [score_told(Line((), score, 0.0, None)) for score in (149, 151, -149, -151, 0)]
    assert told == [f"score cp {cp}" for cp in (1, 2, -1, -2, 0)]


def test_the_plies_of_a_position_are_its_moves(chess):
    assert read_position(chess, ["startpos", "moves", "e2e4", "e7e5"]).plies == 2
    assert Position(chess.states(1)[0]).plies == 0
