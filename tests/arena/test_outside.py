"""Players from outside play what their package answers, as moves of ours; without the package one line says so."""

import numpy as np
import pytest

from sparring.arena import outside
from sparring.arena.batch import Batch
from sparring.arena.match import play_pairs
from sparring.arena.outside import OutsideJudge, after, installed
from sparring.arena.player import parse_player
from sparring.arena.stakes import Stakes
from sparring.errors import PlayerError
from sparring.games.contract import CHANCE, ONGOING
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


@there
@pytest.mark.compiled
def test_its_chances_are_those_of_the_player_to_roll_turned_round_for_the_other(game):
    judge = parse_player("gnubg", game).make().judge
    ends = [turn.state for state in whole_rolls(game, 60, seed=9) for turn in Turns(game).of(state)[:1]]
    for state in ends:
        if game.result(state) != ONGOING:
            continue
        roller = int(state["turn"])
        found = judge.outlook(state, roller)
        five = judge.package.probabilities(board_of(state, roller), 0)
        assert found.sum() == pytest.approx(1) and (found >= 0).all()
        assert [found[3:].sum(), found[4:].sum(), found[5], found[:2].sum(), found[0]] == pytest.approx(five, abs=1e-6)
        assert judge.outlook(state, 1 - roller).tolist() == found[::-1].tolist()


@there
@pytest.mark.compiled
def test_in_a_match_it_chooses_by_the_score(game):
    player, judge = parse_player("gnubg", game).make(), parse_player("gnubg", game).make().judge
    wins = np.array([0, 0, 0, 1.0, 1.0, 1.0])
    different = 0
    for state in whole_rolls(game, 200, seed=11):
        who, ends = game.mover(state), [turn.state for turn in Turns(game).of(state)]
        if any(game.result(end) != ONGOING for end in ends):
            continue
        chances = np.array([judge.outlook(end, who) for end in ends])
        steps = player.judge.choose(state, wins)
        mine = judge.outlook(game.after(state, *steps), who) @ wins
        assert mine == pytest.approx((chances @ wins).max(), abs=1e-5)
        different += game.after(state, *steps).tobytes() != game.after(state, *judge.choose(state)).tobytes()
    assert different > 5


@there
@pytest.mark.compiled
def test_gnu_backgammon_handles_the_cube_and_pubeval_does_not(game):
    sure = game.module.position("3:2X 12:2O; white rolls")  # white bears off first
    even = game.module.position("24:2X 19:5O 17:3O 13:5X 12:5O 8:3X 6:5X 1:2O; white rolls")
    gnubg, stubborn, pubeval = (parse_player(spec, game).make() for spec in ("gnubg", "gnubg:cube=no", "pubeval"))

    def ask(player, what, state, who):
        past, seeds = [np.zeros(0, np.uint64)], np.array([1], np.uint64)
        (said,) = getattr(player, what)(Batch(np.array([state]), past, [0], seeds, [0], [Stakes()], [who]))
        return said

    assert ask(gnubg, "offer", sure, 0) and not ask(gnubg, "accept", sure, 1)
    assert not ask(gnubg, "offer", even, 0) and ask(gnubg, "accept", even, 1)
    for player in (stubborn, pubeval):
        assert not ask(player, "offer", sure, 0) and ask(player, "accept", sure, 1)


@there
@pytest.mark.compiled
def test_an_only_play_is_played_whatever_is_said_of_it(game):
    judge = parse_player("gnubg", game).make().judge
    only = game.module.position("1:5X 24:3O 23:3O 22:3O 21:2O 20:3O; white plays 4-1")  # the package does not judge it

    def told(outcomes):
        raise AssertionError("asked")

    assert [game.move_name(only, move) for move in judge.choose(only, told)]
    assert game.mover(game.after(only, *judge.choose(only, told))) == CHANCE
