"""Abak: its rules one by one, as numbered in what is known of the game, and what nets see."""

import numpy as np
import pytest
from reference_abak_features import features
from reference_tables import ABAK, BACKGAMMON, Table
from test_tables import scattered, state_of, step_of, steps, told

from sparring.compiled import INTERPRETED
from sparring.games.abak_features import INPUTS, OLDEST, see_oldest
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.stacks import pips, set_up
from sparring.games.tables import PASS
from sparring.games.tables_text import checkers_in, dice_left
from sparring.rng import draw_below, seeded


@pytest.fixture(scope="module")
def game():
    return load("abak")


def names(game, text):
    state = game.module.position(text)
    return {game.move_name(state, move) for move in game.legal_moves(state)}


def text_after(game, text, *moves):
    state = game.module.position(text)
    for name in moves:
        state = game.after(state, game.parse_move(state, name))
    return game.module.describe(state)


# --- 1: as in backgammon ---------------------------------------------------------------------------------------------


def test_rule_1_both_sides_begin_alike_with_194_pips(game):
    state = game.states()[0]
    begin = "24:ED 23:OS 19:3sn 17:sgs 13:2SGS 12:2sgs 8:SGS 6:3SN 2:os 1:ed; opening"
    assert game.module.describe(state) == begin
    assert [pips(state, side) for side in (0, 1)] == [194, 194]


def test_rule_1_the_higher_die_begins_with_both_and_doubles_are_four_moves(game):
    state = game.after(game.states()[0], game.parse_move(game.states()[0], "2-5"))
    assert game.mover(state) == 1 and dice_left(state) == [5, 2]
    assert text_after(game, "13:5S 1:s; white plays 1-1", *["13/12"] * 4) == "13:S 12:4S 1:s; black rolls"


def test_with_soldiers_only_and_stacks_of_any_height_it_is_backgammon(game):
    backgammon = load("backgammon")
    state = np.zeros(1, game.STATE)[0]
    set_up(state, backgammon.module.SETUP, backgammon.module.HEIGHT)
    rng, table = seeded(21), Table.first(BACKGAMMON, 15)
    assert state.tobytes() == backgammon.states()[0].tobytes()
    positions = 0
    while game.result(state) == ONGOING and positions < 500:
        moves = game.legal_moves(state)
        assert moves == backgammon.legal_moves(state)
        move = moves[draw_below(rng, len(moves))]
        if game.mover(state) == CHANCE:
            a, b = move // 6 + 1, move % 6 + 1
            table.turn = int(a < b) if state["opening"] else table.turn
            table.roll(a, b)
        else:
            assert steps(game, state) == sorted(table.legal())
            table.play(None if move == PASS else step_of(move))
        assert game.after(state, move).tobytes() == backgammon.after(state, move).tobytes()
        state = game.after(state, move)
        assert told(state).points == table.points
        positions += 1
    assert positions > 50


# --- 2: stacks -------------------------------------------------------------------------------------------------------


def test_rule_2_only_the_top_checker_moves_and_lands_on_top(game):
    assert text_after(game, "13:SG 12:S 1:s; white plays 2-1", "13/12", "12/10") == "13:S 12:S 10:G 1:s; black rolls"


def test_rule_2_no_stack_is_higher_than_five(game):
    assert names(game, "13:S 12:5S 1:s; white plays 1-1") == {"12/11"}
    assert names(game, "13:S 12:4S 1:s; white plays 1-1") == {"12/11", "13/12"}


def test_rule_2_a_trapped_checker_counts_in_the_height(game):
    assert "14/13" not in names(game, "14:S 13:sD3S; white plays 2-1")
    assert "14/13" in names(game, "14:S 13:sD2S; white plays 2-1")


def test_rule_2_any_checker_on_the_bar_may_enter_all_before_anything_else(game):
    assert names(game, "13:S bar:SGN 1:s; white plays 3-1") == {
        *("bar(S)/22", "bar(G)/22", "bar(N)/22", "bar(S)/24", "bar(G)/24", "bar(N)/24")
    }


# --- 3: landing ------------------------------------------------------------------------------------------------------


def lands(game, who, there, at=13):
    """What a checker three points behind does on a point with what is there."""
    text = f"{at + 3}:{who} 24:S {at}:{there} 1:s; white plays 3-3"
    found = [name for name in names(game, text) if name.startswith(f"{at + 3}/{at}")]
    return found[0].removeprefix(f"{at + 3}/{at}") if found else "blocked"


@pytest.mark.parametrize(
    ("who", "there", "what"),
    [
        *(("S", "s", "*"), ("S", "ss", "blocked"), ("S", "g", "blocked"), ("S", "d", "*"), ("N", "n", "*")),
        *(("G", "s", "*"), ("G", "g", "*"), ("G", "gs", "blocked"), ("N", "g", "blocked"), ("O", "g", "blocked")),
        *(("O", "e", "*"), ("D", "s", "+"), ("D", "g", "+"), ("D", "d", "+"), ("D", "ss", "blocked")),
    ],
)
def test_rule_3_a_lone_enemy_is_hit_or_trapped_unless_it_is_a_guard(game, who, there, what):
    assert lands(game, who, there) == what


@pytest.mark.parametrize("at", [6, 19])
def test_rule_3_in_the_homes_the_druid_hits_like_any_checker(game, at):
    assert lands(game, "D", "s", at) == "*"
    assert lands(game, "D", "g", at) == "blocked"


@pytest.mark.parametrize("at", [7, 18])
def test_rule_3_the_middle_reaches_from_7_to_18(game, at):
    assert lands(game, "D", "s", at) == "+"


# --- 4: traps --------------------------------------------------------------------------------------------------------


def test_rule_4_the_trapped_checker_lies_under_the_druid_and_cannot_move(game):
    text = "16:D 24:S 13:s 1:s; white plays 3-1"
    assert text_after(game, text, "16/13+", "24/23") == "23:S 13:sD 1:s; black rolls"
    assert names(game, "24:S 13:sD 1:s; black plays 2-2") == {"24/22"}


def test_rule_4_the_trapped_checker_does_not_hold_the_point(game):
    """On the druid's point there are two free checkers of white's: closed. Alone the druid can be hit."""
    assert "10/12" not in names(game, "13:sDS 3:s 1:s; black plays 1-1")
    assert names(game, "13:sDS 10:s; black plays 3-3") == {"pass"}
    assert names(game, "13:sD 10:s; black plays 3-3") == {"15/12*"}


def test_rule_4_the_druid_can_be_built_on(game):
    assert "16/13" in names(game, "16:S 13:sD 1:s; white plays 3-1")


def test_rule_4_when_the_druid_leaves_the_trapped_checker_is_free(game):
    text = "20:S 13:sD 1:s; white plays 3-1"
    assert text_after(game, text, "13/10", "20/19") == "19:S 13:s 10:D 1:s; black rolls"
    assert "12/9" in names(game, "20:S 13:s 10:D; black plays 3-1")


def test_rule_4_a_hitter_of_the_druid_ends_on_top_of_the_freed_checker(game):
    text = text_after(game, "24:S 13:gD 10:s 1:s; black plays 3-1", "15/12*", "24/23")
    assert text == "24:S 13:gs 2:s bar:D; white rolls"


def test_rule_4_a_druid_that_holds_a_checker_is_hit_not_trapped(game):
    text = text_after(game, "24:S 13:sD 10:d 1:s; black plays 3-1", "15/12*", "24/23")
    assert text == "24:S 13:sd 2:s bar:D; white rolls"


# --- 5: the general --------------------------------------------------------------------------------------------------


def test_rule_5_the_general_steps_backward_too(game):
    assert names(game, "10:N 8:S 1:s; white plays 2-1") == {"10/8", "10/9", "10/12", "10/11", "8/6", "8/7"}


def test_rule_5_after_a_backward_step_it_moves_no_more_this_turn(game):
    text = "10:N 8:S 1:s; white plays 2-1"
    state = game.module.position(text)
    state = game.after(state, game.parse_move(state, "10/12"))
    assert {game.move_name(state, move) for move in game.legal_moves(state)} == {"8/7"}


def test_rule_5_after_a_forward_step_the_next_is_not_backward(game):
    state = game.module.position("10:N 8:S 1:s; white plays 2-1")
    state = game.after(state, game.parse_move(state, "10/8"))
    assert {game.move_name(state, move) for move in game.legal_moves(state)} == {"8/7"}
    state = game.module.position("10:N 14:S 1:s; white plays 2-1")
    state = game.after(state, game.parse_move(state, "10/8"))
    assert {game.move_name(state, move) for move in game.legal_moves(state)} == {"8/7", "14/13"}


def test_rule_5_after_entering_from_the_bar_it_may_step_backward(game):
    state = game.module.position("8:S bar:N 1:s; white plays 4-3")
    state = game.after(state, game.parse_move(state, "bar(N)/21"))
    assert {game.move_name(state, move) for move in game.legal_moves(state)} == {"21/18", "21/24", "8/5"}


def test_rule_5_it_is_free_again_in_the_next_turn(game):
    state = game.module.position("10:N 8:S 1:s; white plays 2-1")
    for name in ("10/12", "8/7", "2-1", "24/22", "22/21", "2-1"):
        state = game.after(state, game.parse_move(state, name))
    assert {"12/14", "12/10"} <= {game.move_name(state, move) for move in game.legal_moves(state)}


@pytest.mark.parametrize(
    ("others", "may"),
    [
        ("6:S 5:S", False),
        ("7:S", True),
        ("10:N", True),  # one below it
        ("13:Sd 5:S", True),  # a trapped one
        ("", False),
    ],
)
def test_rule_5_backward_only_while_another_own_checker_is_outside_home(game, others, may):
    board = f"{others} 9:N" if others != "10:N" else "9:SN"
    found = names(game, f"{board} 1:s; white plays 2-1")
    assert ("9/11" in found) == may


def test_rule_5_never_past_24_and_a_backward_step_may_hit(game):
    found = names(game, "23:N 8:S 24:s 2:s; white plays 2-1")
    assert "23/24*" in found and "23/25" not in found


def test_rule_5_backward_steps_count_for_the_duty(game):
    """All is blocked but the general's way back by a 1, so it must go."""
    assert names(game, "24:S 20:N 18:2s 19:2s 22:2s 23:2s; white plays 2-1") == {"20/21"}


# --- 6: the wounded --------------------------------------------------------------------------------------------------


def test_rule_6_the_even_wounded_use_even_dice_and_the_odd_wounded_odd_ones(game):
    assert names(game, "13:E 1:s; white plays 4-3") == {"13/9"}
    assert names(game, "13:O 1:s; white plays 4-3") == {"13/10"}


def test_rule_6_holds_for_entering(game):
    assert names(game, "13:S bar:E 1:s; white plays 4-3") == {"bar(E)/21"}
    assert names(game, "13:S bar:O 1:s; white plays 4-3") == {"bar(O)/22"}
    assert names(game, "13:S bar:O 1:s; white plays 4-2") == {"pass"}


def test_rule_6_holds_for_bearing_off(game):
    assert names(game, "3:E 20:s; white plays 5-3") == {"pass"}
    assert names(game, "3:E 20:s; white plays 6-5") == {"3/off"}
    assert names(game, "4:O 20:s; white plays 5-4") == {"4/off"}


# --- 7: bearing off --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("5:2S 4:S 20:s; white plays 4-4", {"4/off", "5/1"}),
        ("3:2S 20:s; white plays 6-6", {"3/off"}),
        ("4:SE 3:S 20:s; white plays 5-5", {"pass"}),  # the farthest may not use a 5
        ("4:SE 3:S 20:s; white plays 6-6", {"4/off"}),
        ("7:S 3:S 20:s; white plays 3-3", {"7/4"}),
        ("3:S 13:Sd; white plays 3-3", {"pass"}),  # one is trapped
        ("3:S 19:s bar:S; white plays 5-5", {"bar(S)/20"}),
    ],
)
def test_rule_7_bearing_off_takes_all_home_and_the_exact_die_or_a_larger_from_the_farthest(game, text, moves):
    assert names(game, text) == moves


# --- 8: the duty -----------------------------------------------------------------------------------------------------


def test_rule_8_as_many_dice_as_possible(game):
    """After 9/5 the 3 could not be played: the soldier is blocked, and the even wounded have no use for it."""
    assert names(game, "12:E 9:S 2:2s 20:s; white plays 4-3") == {"12/8", "9/6"}


def test_rule_8_the_order_of_the_dice_is_told_by_the_stacks(game):
    assert names(game, "13:SO 9:s 1:s; white plays 4-3") == {"13/10"}
    assert text_after(game, "13:SO 9:s 1:s; white plays 4-3", "13/10", "13/9*") == "10:O 9:S 1:s bar:s; black rolls"


def test_rule_8_of_two_dice_where_only_one_can_be_played_the_larger(game):
    assert names(game, "9:S 2:2s 20:s; white plays 5-2") == {"9/4"}
    assert names(game, "9:S 4:2s 2:2s 20:s; white plays 5-2") == {"9/7"}


# --- 9 and 10: the end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ("20:4sg 21:4sg 19:sned", 1.0),
        ("20:4s 21:4s 19:s2gdo 24:en", 2.0),
        ("20:4s 21:4s 6:s 19:2gdo 24:en", 3.0),
        ("20:4s 21:4s bar:s 19:2gdo 24:en", 3.0),
        ("20:4s 21:4s 19:2gdo 24:en bar:s", 3.0),
        ("20:4s 21:4s 19:2gdo 24:e bar:s", 1.0),
    ],
)
def test_rule_9_a_win_is_worth_1_2_or_3_points(game, loser, points):
    state = game.module.position(f"2:S {loser}; white plays 6-4")
    state = game.after(state, game.legal_moves(state)[0])
    assert game.RESULTS[game.result(state)] == points
    assert game.mover(state) == 0


def test_rule_10_a_game_has_a_cap_that_gives_no_result(game):
    assert game.LIMIT == 6400 and 0.0 not in game.RESULTS


# --- what nets see ---------------------------------------------------------------------------------------------------


def inputs(game, state, viewer, rule=None):
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = (rule or game.features)(state, viewer, index, value)
    assert len(set(index[:n].tolist())) == n and value[:n].all()
    dense = np.zeros(game.FEATURES, np.float32)
    dense[index[:n]] = value[:n]
    return dense


def test_nets_see_the_477_inputs_as_the_slow_twin_counts_them(game):
    rng = seeded(22)
    assert game.FEATURES == INPUTS == 477
    for i in range(15 if INTERPRETED else 100):
        table = scattered(ABAK, 5, rng)
        table.turn = i % 2
        state = state_of(game, table)
        for viewer in (0, 1):
            seen = inputs(game, state, viewer)
            assert np.allclose(seen, features(table, viewer), atol=1e-6), game.draw(state)


def test_nets_see_positions_of_games_as_the_slow_twin_does(game):
    rng, state, compared = seeded(23), game.states()[0], 0
    while compared < (10 if INTERPRETED else 60):
        moves = game.legal_moves(state)
        if not moves:
            state = game.states()[0]
        elif game.mover(state) == CHANCE and draw_below(rng, 3) == 0:
            compared += 1
            viewer = compared % 2
            assert np.allclose(inputs(game, state, viewer), features(told(state), viewer), atol=1e-6)
        if moves:
            state = game.after(state, moves[draw_below(rng, len(moves))])


def test_the_oldest_nets_see_the_first_428_of_them(game):
    state = game.states()[0]
    every = inputs(game, state, 0)
    every[OLDEST:] = 0
    assert OLDEST == 428 and np.array_equal(inputs(game, state, 0, see_oldest), every)


def test_both_players_see_the_first_position_alike_but_for_the_turn(game):
    state = game.states()[0]
    assert np.array_equal(inputs(game, state, 0)[:476], inputs(game, state, 1)[:476])


@pytest.mark.parametrize(
    ("text", "own", "near", "far"),
    [
        ("13:S 8:s; white rolls", 13, 15 / 36, 15 / 36),  # 5 away: eleven fives, 4-1, 3-2
        ("13:S 6:s; white rolls", 13, 0.0, 6 / 36),  # 7 away: 6-1, 5-2, 4-3
        ("13:S 12:s; white rolls", 13, 11 / 36, 11 / 36),
        ("13:S 8:o; white rolls", 13, 11 / 36, 11 / 36),  # by a 5 only
        ("13:S 8:e; white rolls", 13, 0.0, 0.0),
        ("13:G 8:s; white rolls", 13, 0.0, 0.0),
        ("13:G 8:g; white rolls", 13, 15 / 36, 15 / 36),
        ("13:S 8:s 12:2S 9:2S 10:2S; white rolls", 13, 13 / 36, 13 / 36),  # one way of 3-2 and of 4-1 is closed
        ("24:S bar:s; white rolls", 24, 0.0, 0.0),
        ("5:S bar:s; white rolls", 5, 15 / 36, 15 / 36),
    ],
)
def test_the_risk_of_being_hit_is_counted_over_the_36_rolls(game, text, own, near, far):
    seen = inputs(game, game.module.position(text), 0)
    place = 9 if "G" in text else 0
    at = next(i for i in range(place, 9 + place) if seen[14 * i] == pytest.approx(own / 25))
    assert seen[14 * at + 10] == pytest.approx(near, abs=1e-6)
    assert seen[14 * at + 11] == pytest.approx(far, abs=1e-6)


def test_the_checkers_off_are_those_that_are_nowhere_else(game):
    state = game.module.position("13:S 8:g; white rolls")
    assert len(checkers_in(state["off"][0], 0)) == 14
    seen = inputs(game, state, 0)[: 14 * 15].reshape(15, 14)
    assert seen[:, 5].tolist() == [0.0] + [1.0] * 14
