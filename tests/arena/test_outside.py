"""Players from outside play what their package answers, as moves of ours; without the package one line says so."""

import numpy as np
import pytest

from sparring.arena import outside
from sparring.arena.match import play_pairs
from sparring.arena.outside import OutsideJudge, after, installed
from sparring.arena.player import Batch, parse_player
from sparring.errors import PlayerError
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.games.tables_text import checkers_in, checkers_on
from sparring.games.walk import random_positions
from sparring.search.turns import Turns

there = pytest.mark.skipif(not installed(), reason="gnubg-nn is not installed")
START = [0] * 5 + [5, 0, 3] + [0] * 4 + [5] + [0] * 10 + [2, 0]


@pytest.fixture(scope="module")
def game():
    return load("backgammon")


def board_of(state, viewer):
    """As `lay_out` writes it: the slow, obvious twin."""
    rows = []
    for side in (1 - viewer, viewer):
        stacks = [checkers_on(state, own if side == 0 else 25 - own) for own in range(1, 25)]
        own = [len(stack) if stack and stack[0].side == side else 0 for stack in stacks]
        rows.append([*own, len(checkers_in(state["bar"][side], side))])
    return rows


def whole_rolls(game, count, seed):
    """Positions in which a roll of two playable dice is still to be played."""
    found = random_positions(game, count, seed=seed)
    return [s for s in found if s["left"].tolist() == ([4, 0] if s["dice"][0] == s["dice"][1] else [1, 1])]


@pytest.mark.compiled
def test_positions_are_laid_out_for_the_package_as_their_player_sees_them(game):
    kernels = game.bind("arena.outside_board")
    board = np.zeros((2, 25), np.int64)
    kernels.lay_out(game.states()[0], 0, board)
    assert board.tolist() == [START, START]
    for state in random_positions(game, 200, seed=2):
        for viewer in (0, 1):
            kernels.lay_out(state, viewer, board)
            assert board.tolist() == board_of(state, viewer)


def test_a_hit_checker_goes_to_the_bar_and_one_borne_off_is_gone():
    others, own = [0] * 25, [0] * 25
    others[20], own[24], own[1] = 1, 1, 1  # his 21-point is our 4-point
    assert after([others, own], [(24, 20), (20, 3), (1, -1)]) == [
        [0] * 24 + [1],
        [0, 0, 0, 1] + [0] * 21,
    ]
    assert others[20] == 1, "the board itself stays as it was"


@there
@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["pubeval", "gnubg"])
def test_of_the_ends_of_all_turns_the_one_is_played_that_the_package_likes_best(game, spec):
    judge: OutsideJudge = parse_player(spec, game).make().judge
    turns = Turns(game)
    positions = whole_rolls(game, 300, seed=4)
    assert len(positions) > 50
    same = 0
    for state in positions:
        who, steps = game.mover(state), judge.choose(state)
        end = game.after(state, *steps)
        ends = [turn.state for turn in turns.of(state)]
        assert board_of(end, who) in [board_of(other, who) for other in ends]
        going = [other for other in ends if game.result(other) == ONGOING]
        if len(going) == len(ends):
            values = [judge.worth(board_of(other, who)) for other in going]
            assert judge.worth(board_of(end, who)) >= max(values) - (1e-5 if spec == "gnubg" else 0.2)
            same += judge.worth(board_of(end, who)) >= max(values) - 1e-5
    assert same > 0.95 * len(positions)


@there
@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["pubeval", "gnubg:plies=1"])
def test_a_turn_of_which_a_part_was_played_is_ended(game, spec):
    judge = parse_player(spec, game).make().judge
    begun = [s for s in random_positions(game, 60, seed=5) if 0 < s["left"].sum() < 2 or s["left"][0] in (2, 3)]
    assert begun
    for state in begun[:10]:
        who, here = game.mover(state), state
        for move in judge.choose(state):
            assert move in game.legal_moves(here)
            here = game.after(here, move)
        assert game.result(here) != ONGOING or game.mover(here) != who


@there
@pytest.mark.compiled
def test_the_known_reply_to_three_one_makes_the_five_point(game):
    state = game.module.position("24:2X 19:5O 17:3O 13:5X 12:5O 8:3X 6:5X 1:2O; white plays 3-1")
    for spec in ("gnubg", "gnubg:plies=1", "pubeval"):
        player, here = parse_player(spec, game).make(), state
        player.begin(0)
        for _ in range(2):
            batch = Batch(np.array([here]), [np.zeros(0, np.uint64)], [0], np.array([1], np.uint64), [0])
            here = game.after(here, *player.choose(batch))
        assert board_of(here, 0)[1][4] == 2


@there
@pytest.mark.compiled
def test_gnu_backgammon_beats_pubeval(game):
    gnubg, pubeval = parse_player("gnubg", game), parse_player("pubeval", game)
    pairs = list(play_pairs(game, gnubg, pubeval, range(40), opening=0, seed=1, threads=2))
    assert np.mean([pair.value for pair in pairs]) > 0.2


@there
def test_they_play_backgammon_only():
    with pytest.raises(PlayerError, match="player 'pubeval' plays backgammon only, not pig"):
        parse_player("pubeval", load("pig"))


@there
def test_gnu_backgammon_looks_no_further_than_two_plies(game):
    with pytest.raises(PlayerError, match="plies is 3, but it must be 0 to 2"):
        parse_player("gnubg:plies=3", game)


@pytest.mark.parametrize("spec", ["pubeval", "gnubg:plies=1"])
def test_without_the_package_one_line_says_what_to_install(game, spec, monkeypatch):
    monkeypatch.setattr(outside, "PACKAGE", "gnubg_nn_of_another_world")
    assert not installed()
    with pytest.raises(PlayerError, match=f"^player '{spec}' needs GNU Backgammon's nets: pip install gnubg-nn$"):
        parse_player(spec, game)
