"""Backgammon: rules in sentences, an independent program that must agree, and what nets see."""

import numpy as np
import pytest
from reference_backgammon_sight import features, race
from reference_tables import BACKGAMMON
from test_tables import scattered, state_of, told

from sparring.compiled import INTERPRETED
from sparring.games.backgammon_sight import INPUTS
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.stacks import pips
from sparring.games.tables_text import checkers_in, checkers_on
from sparring.rng import draw_below, seeded


@pytest.fixture(scope="module")
def game():
    return load("backgammon")


def names(game, text):
    state = game.module.position(text)
    return {game.move_name(state, move) for move in game.legal_moves(state)}


def played(game, text, *moves):
    state = game.module.position(text)
    for name in moves:
        state = game.after(state, game.parse_move(state, name))
    return state


def text_after(game, text, *moves):
    return game.module.describe(played(game, text, *moves))


def plays(game, state):
    """The positions after all whole turns."""
    side, done, todo, seen = game.mover(state), {}, [state], set()
    while todo:
        at = todo.pop()
        if game.result(at) != ONGOING or game.mover(at) != side:
            done[at.tobytes()] = at
        elif at.tobytes() not in seen:
            seen.add(at.tobytes())
            todo += [game.after(at, move) for move in game.legal_moves(at)]
    return list(done.values())


# --- rules -------------------------------------------------------------------------------------------------------


def test_both_sides_begin_with_167_pips(game):
    state = game.states()[0]
    assert game.module.describe(state) == "24:2X 19:5O 17:3O 13:5X 12:5O 8:3X 6:5X 1:2O; opening"
    assert [pips(state, side) for side in (0, 1)] == [167, 167]


def test_the_higher_of_two_unlike_dice_begins_and_plays_both(game):
    state = game.states()[0]
    outcomes, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    n = game.chance(state, outcomes, chances)
    assert n == 30 and np.allclose(chances[:n], 1 / 30)
    for outcome in outcomes[:n]:
        white, black = outcome // 6 + 1, outcome % 6 + 1
        after = game.after(state, int(outcome))
        assert game.mover(after) == (0 if white > black else 1)
        assert after["dice"].tolist() == sorted([white, black], reverse=True)
        assert after["left"].tolist() == [1, 1]


def test_a_later_roll_is_a_double_once_in_36(game):
    state = game.module.position("24:2X 1:2O; black rolls")
    outcomes, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    n = game.chance(state, outcomes, chances)
    named = {game.move_name(state, int(o)): c for o, c in zip(outcomes[:n], chances, strict=False)}
    assert len(named) == 21 and abs(sum(named.values()) - 1.0) < 1e-12
    assert named["3-3"] == pytest.approx(1 / 36) and named["3-1"] == pytest.approx(2 / 36)


def test_a_double_is_played_four_times(game):
    text = "24:4X 1:2O; white plays 2-2"
    assert text_after(game, text, *["24/22"] * 3).endswith("white plays 2-2 left 2")
    assert text_after(game, text, *["24/22"] * 4) == "22:4X 1:2O; black rolls"


def test_a_point_with_two_enemies_is_closed_and_a_lone_one_is_hit(game):
    assert names(game, "24:X 23:2O 21:O; white plays 3-1") == {"24/21*"}
    assert text_after(game, "24:X 23:2O 21:O; white plays 3-1", "24/21*", "21/20") == "23:2O 20:X bar:O; black rolls"


def test_checkers_on_the_bar_enter_before_anything_else(game):
    assert names(game, "6:X bar:X 1:2O; white plays 3-1") == {"bar/22", "bar/24"}
    assert names(game, "6:X bar:X 22:2O; white plays 3-1") == {"bar/24"}
    assert names(game, "6:X bar:X 22:2O 24:2O; white plays 3-1") == {"pass"}


def test_black_counts_the_points_from_the_other_end(game):
    assert names(game, "24:X 1:O; black plays 3-1") == {"24/21", "24/23"}
    assert names(game, "24:X bar:O; black plays 3-1") == {"bar/22", "bar/24"}


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("6:2X 4:2X 24:O; white plays 4-4", {"6/2", "4/off"}),
        ("6:2X 3:2X 24:O; white plays 4-4", {"6/2"}),  # a checker stands farther off than 4
        ("3:2X 2:2X 24:O; white plays 4-4", {"3/off"}),
        ("7:X 3:2X 24:O; white plays 3-3", {"7/4"}),  # not yet home
        ("3:2X bar:X 10:O; white plays 6-6", {"bar/19"}),
    ],
)
def test_checkers_are_borne_off_by_the_exact_die_or_the_farthest_by_a_larger_one(game, text, moves):
    assert names(game, text) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("24:X 18:O 17:2O 13:2O; white plays 6-1", {"24/18*"}),  # either could be played, but not both: the larger
        ("24:X 18:2O 17:2O 23:O; white plays 6-1", {"24/23*"}),  # only the smaller can be
        ("10:X 6:X 4:2O 3:2O; white plays 6-3", {"10/7"}),  # the 6 is played from the 7
        ("2:X 1:X 24:O; white plays 2-1", {"2/off", "1/off", "2/1"}),
    ],
)
def test_as_many_dice_as_possible_are_played_and_of_one_the_larger(game, text, moves):
    assert names(game, text) == moves


def test_where_either_die_bears_off_from_a_point_the_larger_is_named(game):
    assert names(game, "4:2X 24:O; white plays 6-4") == {"4/off", "4/off(6)"}
    assert played(game, "4:2X 24:O; white plays 6-4", "4/off(6)")["left"].tolist() == [0, 1]
    assert played(game, "4:2X 24:O; white plays 6-4", "4/off")["left"].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ("20:14O", 1.0),
        ("20:15O", 2.0),
        ("7:O 20:14O", 2.0),
        ("6:O 20:14O", 3.0),
        ("bar:O 20:14O", 3.0),
        ("bar:O 20:13O", 1.0),
    ],
)
def test_a_win_is_worth_1_2_or_3_points(game, loser, points):
    state = played(game, f"1:X {loser}; white plays 6-5", "1/off")
    assert game.RESULTS[game.result(state)] == points
    assert game.mover(state) != CHANCE


def test_black_wins_the_same_points(game):
    state = played(game, "24:O 5:15X; black plays 6-6", "1/off")
    assert game.RESULTS[game.result(state)] == -2.0


# --- an independent program ----------------------------------------------------------------------------------------


def board_of(state, mover):
    """As gnubg-nn has it: the other's checkers by own point, then the mover's; the bar at 24."""
    rows = [[0] * 25, [0] * 25]
    for side in (0, 1):
        row = rows[1] if side == mover else rows[0]
        for point in range(1, 25):
            stack = checkers_on(state, point)
            if stack and stack[0].side == side:
                row[(point if side == 0 else 25 - point) - 1] = len(stack)
        row[24] = len(checkers_in(state["bar"][side], side))
    return rows


def compare_with_gnubg(game, positions):
    gnubg = pytest.importorskip("gnubg_nn", reason="pip install gnubg-nn")
    rng, compared = seeded(12), 0
    state = game.states()[0]
    while compared < positions:
        if compared % 2 == 0:  # from a game, else scattered
            for _ in range(1 + draw_below(rng, 7)):
                if game.result(state) != ONGOING:
                    state = game.states()[0]
                moves = game.legal_moves(state)
                state = game.after(state, moves[draw_below(rng, len(moves))])
            before = state.copy()
        else:
            before = state_of(game, scattered(BACKGAMMON, 15, rng))
        side = draw_below(rng, 2)
        a, b = 1 + draw_below(rng, 6), 1 + draw_below(rng, 6)
        before["rolling"], before["opening"], before["turn"], before["general"] = 1, 0, side, 0
        if game.result(before) != ONGOING or pips(before, 0) == 0 or pips(before, 1) == 0:
            state = game.states()[0]
            continue
        rolled = game.after(before, 6 * max(a, b) - 6 + min(a, b) - 1)
        ours = {str(board_of(after, side)) for after in plays(game, rolled)}
        keys = gnubg.moves(board_of(rolled, side), a, b)
        theirs = {str([list(row) for row in gnubg.board_from_position_key(key)]) for key in keys}
        assert ours == (theirs or {str(board_of(rolled, side))}), game.draw(rolled)
        compared += 1


def test_the_positions_after_all_plays_are_those_of_gnu_backgammon(game):
    compare_with_gnubg(game, 60 if INTERPRETED else 600)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_positions_after_all_plays_are_those_of_gnu_backgammon_in_ten_thousand(game):
    compare_with_gnubg(game, 10_000)


# --- what nets see -----------------------------------------------------------------------------------------------


def inputs(game, state, viewer):
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, viewer, index, value)
    dense = np.zeros(game.FEATURES, np.float32)
    dense[index[:n]] = value[:n]
    return dense


def compare_what_nets_see(game, table, turn):
    table.turn = turn
    state = state_of(game, table)
    for viewer in (0, 1):
        assert np.allclose(inputs(game, state, viewer), features(table, viewer), atol=1e-6), game.draw(state)


def test_nets_see_what_a_slow_and_obvious_count_sees(game):
    rng, races = seeded(13), 0
    assert game.FEATURES == INPUTS == 495
    for i in range(100):
        table = scattered(BACKGAMMON, 15, rng)
        compare_what_nets_see(game, table, i % 2)
        races += race(table)
    assert races < 50


def test_nets_see_races_with_inputs_of_their_own(game):
    state = game.module.position("6:5X 4:4X 3:2X 19:6O 21:7O; white rolls")
    seen = inputs(game, state, 0)
    assert seen[298] == 0 and np.array_equal(seen[299:], seen[:196])
    assert np.array_equal(seen, features(told(state), 0))


def test_both_players_see_the_first_position_alike_but_for_the_turn(game):
    state = game.after(game.states()[0], 6 * 2 + 0)
    white, black = inputs(game, state, 0), inputs(game, state, 1)
    assert np.array_equal(white[:196], black[:196]) and np.array_equal(white[198:], black[198:])
    assert white[196:198].tolist() == [1, 0] and black[196:198].tolist() == [0, 1]


# --- drawings ------------------------------------------------------------------------------------------------------


def test_a_drawing_shows_dice_bars_pips_and_what_is_off(game):
    drawing = game.draw(game.module.position("24:X 6:7X bar:2O 20:3O; white plays 3-1")).splitlines()
    assert drawing[0].split()[:6] == ["13", "14", "15", "16", "17", "18"]
    assert drawing[7].endswith("7")  # the fifth row tells how high a higher stack is
    assert drawing[-3].split() == ["white", "X", "pips", "66", "bar", "–", "off", "7"]
    assert drawing[-2].split() == ["black", "O", "pips", "65", "bar", "2", "off", "10"]
    assert drawing[-1] == "white to play 3-1"


def test_the_board_stands_still_and_is_numbered_as_the_player_to_move_counts(game):
    white, black = (game.draw(game.module.position(f"24:X 6:7X 20:3O; {name} rolls")) for name in ("white", "black"))
    white, black = white.splitlines(), black.splitlines()
    assert white[1:12] == black[1:12]
    assert white[0].split()[:6] == ["13", "14", "15", "16", "17", "18"]
    assert black[0].split()[:6] == ["12", "11", "10", "9", "8", "7"]
    assert black[1].split("│")[2].rstrip() == " ·  O  ·  ·  ·  X"


def test_a_roll_that_cannot_be_played_is_shown(game):
    state = game.module.position("6:X bar:X 22:2O 24:2O; white plays 3-1")
    assert game.draw(state).splitlines()[-1] == "white has rolled 3-1 and cannot move"
