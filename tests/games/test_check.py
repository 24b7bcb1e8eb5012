"""`sparring check`: sound games have no faults, and each broken one gets its line."""

import os

import pytest

from sparring.compiled import INTERPRETED
from sparring.errors import GameError
from sparring.games import faults
from sparring.games.check import Buffers, bound, check
from sparring.games.check_numbers import training_time
from sparring.games.contract import RULES
from sparring.games.game import load, names

INDICES_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
AT_LOAD = {
    "missing_rule": "missing_rule.py: legal() is missing. Did you mean 'legals'?",
    "no_record": "no_record.py: STATE is [0, 0], but it must be a record: np.dtype([('board', 'i1', 9), …])",
    "name_error": "name_error.py, line 8, in play(): NameError: name 'other' is not defined",
    "changes": "changes.py, line 10, in legal(): IndexError: index 3 is out of bounds for axis 0 with size 3",
}
COMPILING = {
    "strings": "strings.py, line 7, in legal(): runs in plain Python, but cannot be compiled: "
    "Untyped global name 'format': Cannot determine Numba type of <class 'builtin_function_or_method'>",
    "counts": "counts.py, line 10, in play(): runs in plain Python, but cannot be compiled: "
    "Cannot modify readonly array of type: readonly array(int64, 1d, C)",
}
PLAYED = {
    "ended_early": (
        "ended(): returned 0, but must return ONGOING (-1) or what result() does, -1",
        "Ply 10 of random game 0",
    ),
    "ended_late": (
        "ended(): returned ONGOING (-1) where result() is 1, but legal() still writes moves there",
        "Ply 21 of random game 0",
    ),
    "false_alarm": (
        "threatens(): returned True for move 0, but threatened() says otherwise after it",
        "Ply 0 of random game 0",
    ),
    "half_a_pass": (
        "null_move(): leaves the same player to move, though it says that it passed",
        "Ply 0 of random game 0",
    ),
    "half_the_changes": (
        "changes(): names 0 inputs that go and 1 that come with a move, but features() shows others",
        "Ply 0 of random game 0",
    ),
    "lossy_packing": (
        "unpack(): makes another position than was packed, as nets see it",
        "Ply 0 of random game 0",
    ),
    "no_prize": (
        "prize(): returned 0 for move 2, but moves that noisy() writes must have a prize above 0",
        "Ply 9 of random game 0",
    ),
    "odd_exchange": (
        "exchange(): says of move 0 that it gains at least 100, but not that it gains at least 0",
        "Ply 0 of random game 0",
    ),
    "out_of_frame": (
        "frame(): returned 21, but must return 0 to 20, as FRAMES is 21",
        "Ply 0 of random game 0",
    ),
    "slot_out_of_range": (
        "slot(): returned 3, but must return 0 to 2, as SLOTS is 3",
        "Ply 0 of random game 0",
    ),
    "bad_teacher": (
        "greedy(): chose move 2, which is not legal here",
        "Ply 9 of random game 1",
    ),
    "bot_that_plays": (
        "impatient(): changed the position, which only play() and transform() may",
        "Ply 0 of random game 0",
    ),
    "random_deal": (
        "deal(): gave different positions for the same number; they may depend on nothing else",
        "Ply 0 of random game 0",
    ),
    "half_an_overview": (
        "overview(): left number 1 as it was, but OVERVIEW is 2: write 0 to 1",
        "Ply 0 of random game 0",
    ),
    "sees_nothing": (
        "overview(): wrote inf as number 1, but numbers must be finite",
        "Ply 9 of random game 0",
    ),
    "sees_illegal_moves": (
        "prospects(): wrote something in the row of move 1, which is not legal here",
        "Ply 11 of random game 0",
    ),
    "sees_too_far": (
        "line 9, in prospects(): IndexError: index 3 is out of bounds for axis 0 with size 3",
        "Ply 6 of random game 0",
    ),
    "bad_svg": (
        "svg(): is no XML: mismatched tag: line 1, column 15",
        "Ply 0 of random game 0",
    ),
    "chance_sum": (
        "chance(): the probabilities add up to 0.833333333333, but must add up to 1",
        "Ply 1 of random game 0",
    ),
    "feature_out_of_range": (
        "features(): wrote index 21, but FEATURES is 21 (indices are 0 to 20)",
        "Ply 0 of random game 0",
    ),
    "forgets": (
        "quiet(): returned 0, but the position occurred 12 moves ago, so that move could be undone",
        "Ply 13 of random game 0",
    ),
    "index_error": (
        "line 11, in legal(): IndexError: index 7 is out of bounds for axis 0 with size 7",
        "Ply 7 of random game 0",
    ),
    "helper_slip": (
        "line 9 of halves.py, in legal(): IndexError: index 7 is out of bounds for axis 0 with size 7",
        "Ply 7 of random game 0",
    ),
    "judges_too_well": (
        "evaluate(): returned 21, but must return a number between the ends of RESULTS, -1 to 1",
        "Ply 0 of random game 0",
    ),
    "key_clash": (
        "key(): the same for two positions that differ in who is to move, the other being ply 3 of random game 0",
        "Ply 4 of random game 1",
    ),
    "loses_stones": (
        "transform(): loses something: symmetry 1, applied again and again, never leads back to the position",
        "Ply 1 of random game 0",
    ),
    "move_out_of_range": (
        "legal(): wrote move 3, but MOVES is 3 (moves are 0 to 2)",
        "Ply 0 of random game 0",
    ),
    "move_twice": (
        "legal(): wrote move 0 twice",
        "Ply 11 of random game 0",
    ),
    "no_move": (
        "legal(): returned 0 in a position that goes on; give a player who cannot move a pass, or let result() end it",
        "Ply 11 of random game 0",
    ),
    "no_symmetry": (
        "transform(): symmetry 1 then the image of move 8 leads elsewhere than move 8 then symmetry 1",
        "Ply 0 of random game 0",
    ),
    "noisy_illegal": (
        "noisy(): wrote move 2, which is not legal here",
        "Ply 11 of random game 0",
    ),
    "inputs_turned": (
        "transform(): symmetry 3 changes how many inputs are active, or their values",
        "Ply 2 of random game 0",
    ),
    "one_image": (
        "transform_move(): symmetry 1 gives 2 moves the same image, 1",
        "Ply 0 of random game 0",
    ),
    "random_play": (
        "play(): gave different results for the same position; chance enters only through chance()",
        "Ply 0 of random game 0",
    ),
    "result_out_of_range": (
        "result(): returned 100, but must return ONGOING (-1) or an index into RESULTS, 0 to 1",
        "Ply 12 of random game 0",
    ),
    "same_names": (
        "move_name(): calls both move 1 and move 2 'more'",
        "Ply 0 of random game 0",
    ),
    "too_many": (
        "legal(): wrote past the end of its buffer, which has room for MOST_MOVES = 2 moves",
        "Ply 5 of random game 0",
    ),
    "unwritten": (
        "legal(): returned 3, but wrote only 1 moves",
        "Ply 11 of random game 0",
    ),
}
PLAYED_COMPILED = {
    "two_minded": (
        "careless(): chooses one move in plain Python and another compiled",
        "Ply 0 of random game 0",
    ),
    "endless": (
        "result(): no end after 10000 moves; set LIMIT, which makes longer games a draw",
        "Ply 10000 of random game 0",
    ),
    "outside": (
        "compiled code: IndexError: index is out of bounds"
        if INDICES_CHECKED
        else "play(): wrote outside of the position: the record beside it in memory changed",
        "Ply 0 of random game 0",
    ),
    "overflow": (
        "play(): gives one thing in plain Python and another compiled",
        "Ply 1 of random game 0",
    ),
}


def broken(data, name):
    return load(str(data / "broken" / f"{name}.py"))


def messages(report):
    return [str(fault) for fault in report.faults]


@pytest.mark.parametrize("name", AT_LOAD)
def test_what_the_first_position_shows_is_told_when_the_game_is_loaded(data, name):
    with pytest.raises(GameError) as told:
        broken(data, name)
    assert str(told.value) == AT_LOAD[name]


@pytest.mark.compiled
@pytest.mark.parametrize("name", COMPILING)
def test_what_cannot_be_compiled_is_told_with_its_line(data, name):
    with pytest.raises(GameError) as told:
        broken(data, name)
    assert str(told.value) == COMPILING[name]


@pytest.mark.parametrize("name", [*PLAYED, *(pytest.param(n, marks=pytest.mark.compiled) for n in PLAYED_COMPILED)])
def test_what_random_games_show_is_told_with_the_place_and_shown_again_by_its_command(data, name, monkeypatch):
    monkeypatch.chdir(data)
    what, place = (PLAYED | PLAYED_COMPILED)[name]
    line = f"{name}.py, {what}. {place}, seed 1."
    report = check(broken(data, name), games=20)
    assert line in messages(report)
    assert report.numbers is None
    fault = report.faults[messages(report).index(line)]
    command = fault.command.split()
    assert command[:5] == ["sparring", "check", f"./broken/{name}.py", "--seed", "1"]
    option, number = command[5], int(command[6])
    if option == "--game":
        again = check(broken(data, name), only_game=number)
    else:
        assert option == "--count", "the fault takes two games"
        again = check(broken(data, name), games=number)
    assert line in messages(again)


def test_features_that_ignore_the_viewer_are_told(data):
    assert messages(check(broken(data, "one_view"), games=50)) == [
        "one_view.py, features(): shows both viewers the same in every position; use viewer, or set VIEWER."
    ]


@pytest.mark.skipif(not INTERPRETED, reason="where rules are compiled, loading refuses it")
def test_a_count_kept_outside_of_the_position_is_told(data):
    assert messages(check(broken(data, "counts"))) == [
        "counts.py, play(): gave different results for the same position; chance enters only through chance(). "
        "Ply 0 of random game 0, seed 1."
    ]


def test_a_kind_of_fault_is_told_once(data):
    kinds = [fault.kind for fault in check(broken(data, "loses_stones"), games=50).faults]
    assert len(kinds) == len(set(kinds)) > 1


def test_another_seed_plays_other_games(data):
    lines = [messages(check(broken(data, "move_twice"), games=5, seed=seed))[0] for seed in range(1, 5)]
    assert all(line.endswith(f"seed {seed}.") for seed, line in enumerate(lines, 1))
    assert len({line.split("Ply")[1].split(",")[0] for line in lines}) > 1


def test_a_sound_game_of_ones_own_has_no_fault_and_is_described(data):
    report = check(broken(data, "nim"), games=500)
    assert messages(report) == []
    numbers = report.numbers
    assert numbers.features == 23 and numbers.record_bytes == 2
    assert 7 <= numbers.mean_length <= 21 and numbers.longest <= 21
    assert numbers.most_moves == 3 and 2 <= numbers.mean_moves <= 3
    assert abs(sum(numbers.shares.values()) + numbers.by_repetition + numbers.by_limit - 1.0) < 1e-9
    assert numbers.learner == "TD(lambda)"


@pytest.mark.parametrize("name", names())
def test_the_games_of_the_package_are_sound(name):
    done = []
    report = check(load(name), games=300, seed=7, progress=lambda n, of: done.append((n, of)))
    assert messages(report) == []
    numbers = report.numbers
    assert numbers.positions_per_second > 0 and numbers.games_per_second > 0
    assert (numbers.training_seconds is None) == (INTERPRETED or numbers.learner != "TD(lambda)")
    if not INTERPRETED:
        assert report.games == 300
        assert done[-1] == (300, 300)


def test_dice_are_played_and_td_learning_does_not_know_them():
    report = check(load("pig"), games=50)
    assert report.numbers.learner == "TD(lambda) knows no dice"


def test_a_result_that_never_comes_up_is_noted_and_no_fault(data, monkeypatch):
    game = broken(data, "nim")
    monkeypatch.setitem(game.constants, "RESULTS", (-1.0, 1.0, 2.0))
    report = check(game, games=2000)
    assert messages(report) == []
    if not INTERPRETED:
        assert report.notes == ["RESULTS[2] = 2 never came up in 2000 random games"]


def test_training_takes_longer_for_longer_games_more_moves_and_slower_rules():
    base = training_time(50.0, 10.0, 1e6)
    assert 1.9 * base < training_time(100.0, 10.0, 1e6) < 2 * base, "keeping a generation takes the same"
    assert training_time(50.0, 20.0, 1e6) > 3 * base
    assert training_time(50.0, 10.0, 5e5) > 1.5 * base


@pytest.mark.compiled
@pytest.mark.skipif(INDICES_CHECKED, reason="the compiled rule itself raises")
def test_compiled_a_row_written_behind_the_last_move_is_told(data):
    game = broken(data, "sees_too_far")
    kernels, buffers = bound(game), Buffers(game, 1)
    buffers.desk["patience"] = 30
    kernels.check_games(*buffers.arguments, 0, 5, 1000)
    rule, problem = int(buffers.desk["rule"]), int(buffers.desk["problem"])
    told = faults.describe(game, rule, problem, *(int(buffers.desk[name]) for name in "abc"), 0.0)
    assert RULES[rule] == "prospects"
    assert told == "wrote past the end of its buffer, which has room for MOVES rows of PROSPECTS = 1 numbers"


def test_random_games_begin_with_dealt_positions(data):
    game = load("light-cycles")
    buffers = Buffers(game, 1)
    starts = set()
    for number in range(3):
        buffers.trace(0)
        bound(game).check_games(*buffers.arguments, number, number + 1, 1)
        starts.add(tuple(buffers.arguments[0][1]["heads"].tolist()))
    assert len(starts) == 3
