"""The bot for codingame.com: it sees what nets see, plays as the library does, and nothing that is sent stops it."""

import numpy as np
import pytest
from random_move_nets import exported, random_net

from sparring.app import codingame, codingame_bot
from sparring.arena.batch import Batch
from sparring.arena.player import parse_player
from sparring.errors import SparringError
from sparring.games.game import load
from sparring.nets import weights
from sparring.nets.move_net import evaluate, inputs_seen


@pytest.fixture(scope="module")
def game():
    return load("light-cycles")


def test_the_bot_sees_what_the_nets_see(game):
    states, bot = codingame.positions(game, 100), exported(random_net(game), numpy=False)
    inputs = inputs_seen(game, states)
    for state, row in zip(states, inputs, strict=True):
        free, me, other, heading = codingame.seen_by_bot(state)
        own = np.zeros(len(row))
        own[:23] = bot["block"](free, me, other)
        moves = bot["legal"](free, me)
        assert moves == game.legal_moves(state)
        for move in moves:
            own[23 + game.PROSPECTS * move :][: game.PROSPECTS] = bot["prospect"](free, me, other, heading, move)
        assert np.abs(own - row).max() < 1e-6


@pytest.mark.parametrize("numpy", [True, False], ids=["numpy", "without numpy"])
def test_the_exported_bot_plays_as_the_net_does(game, numpy):
    net, states = random_net(game), codingame.positions(game, 300)
    bot = exported(net, numpy)
    logits = evaluate(net, inputs_seen(game, states))[:, : game.MOVES]
    same = 0
    for state, row in zip(states, logits, strict=True):
        best = max(game.legal_moves(state), key=row.__getitem__)
        same += bot["choose"](*codingame.seen_by_bot(state)) == best
    assert same / len(states) > 0.97


@pytest.mark.compiled
def test_the_exported_bot_plays_as_the_librarys_player_does(game, tmp_path):
    net, states = random_net(game), codingame.positions(game, 200)
    weights.save(net, tmp_path / "net.safetensors")
    player, bot = parse_player(f"policy:net={tmp_path / 'net.safetensors'}", game).make(), exported(net)
    same = 0
    for state in states:
        seeds = np.array([1], np.uint64)
        (move,) = player.choose(Batch(np.array([state], game.STATE), [seeds[:0]], [0], seeds, [0]))
        same += move == bot["choose"](*codingame.seen_by_bot(state))
    assert same > 0.97 * 200


def test_weights_of_eight_bits_are_enough_to_play_as_the_net_does(game):
    net = random_net(game)
    assert codingame.agreement(net, codingame.filled(net, 8, numpy=True))[0] > codingame.ENOUGH


@pytest.mark.parametrize("numpy", [True, False], ids=["numpy", "without numpy"])
def test_the_file_is_within_the_limit_and_imports_nothing_else(game, numpy):
    text = codingame.source_of(random_net(game, policy=(128, 256, 128)), numpy)
    assert 50_000 < codingame.units(text) <= codingame.MOST_UNITS
    imports = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imports == {"struct", "sys", "traceback", "operator"} | ({"numpy"} if numpy else set())


def test_weights_are_as_exact_as_there_is_room_for(game):
    bits = {}
    for width in (32, 450):
        net = random_net(game, policy=(width, width // 2))
        names = exported(net, numpy=False)
        bits[width] = names["BITS"]
        for (weight, bias), rows in zip(net.perceptron("policy"), names["LAYERS"], strict=True):
            for row, shift, (found, found_shift) in zip(weight, bias, rows, strict=True):
                step = np.abs(row).max() / ((1 << names["BITS"] - 1) - 1)
                assert np.abs(found - row).max() <= 0.51 * step
                assert found_shift == shift
    assert bits == {32: 14, 450: 8}


def test_nets_that_the_bot_cannot_hold_are_refused(game):
    with pytest.raises(SparringError, match=r"UTF-16 units, but CodinGame takes 100,000; train a smaller net"):
        codingame.source_of(random_net(game, policy=(512, 512)))


# --- the protocol ----------------------------------------------------------------------------------------------------


def answers(capsys, *lines):
    """What the bot says to these lines, and what it complains of."""
    said = []
    codingame_bot.play(iter(lines), said.append)
    return said, capsys.readouterr().err.splitlines()


def test_moves_before_the_first_turn_are_walls(capsys):
    # the other came down from (5, 3) to (5, 4): above me is its trail, left of me its head
    said, notes = answers(capsys, "2 1", "5 3 5 4", "6 4 6 4")
    table = codingame_bot.Table()
    table.see(0, 5, 3, 5, 4)
    assert [31 * y + x for x, y in ((5, 3), (5, 4))] == [i for i in range(620) if table.trails[0] >> i & 1]
    assert (len(said), notes) == (1, [])
    assert said[0] != "LEFT"


def test_the_trail_of_a_player_that_is_out_can_be_ridden_over(capsys):
    table = codingame_bot.Table()
    table.see(0, 1, 0, 1, 1)
    table.see(1, 0, 0, 0, 0)
    assert codingame_bot.legal(table.free, table.heads[1]) == [2]
    table.see(0, -1, -1, -1, -1)
    assert codingame_bot.legal(table.free, table.heads[1]) == [1, 2]
    assert (sorted(table.heads), table.rival(1)) == ([1], None)


def test_the_other_is_the_opponent_that_is_fewest_steps_away():
    table = codingame_bot.Table()
    table.see(0, 0, 0, 0, 0)
    table.see(1, 2, 0, 2, 0)  # nearer as the crow flies, but behind a wall
    table.see(2, 4, 19, 4, 19)
    for x, y in [(1, y) for y in range(20)][:-1]:
        table.see(2, x, y, 4, 19)
    table.see(3, 0, 8, 0, 8)
    table.see(4, 29, 19, 29, 19)
    assert table.rival(0) == table.heads[3]
    table.see(3, -1, -1, -1, -1)
    assert table.rival(0) == table.heads[2], "round the end of the wall it comes before player 1"


def test_the_only_way_is_taken_and_without_one_any_direction_is_answered(capsys):
    wall = ["2 0", "0 0 0 0", "1 0 1 0"]
    assert answers(capsys, *wall)[0] == ["DOWN"]
    said, _ = answers(capsys, *wall, "2 0", "0 0 0 1", "1 0 1 1", "2 0", "0 0 0 2", "1 0 0 3", "2 0", "0 0 0 2")
    assert len(said) == 4
    assert set(said) <= set(codingame_bot.NAMES)


@pytest.mark.parametrize("own", [0, 1])
def test_over_a_whole_game_the_bot_answers_as_the_net_does_in_the_rules_positions(game, own):
    bot, floodfill = exported(random_net(game)), game.bot("floodfill")
    (state,) = game.dealt(4)
    begun = [(int(head) % 30, int(head) // 30) for head in state["heads"]]
    answered = []

    def lines():
        nonlocal state
        while game.legal_moves(state):
            if state["turn"] == own:
                yield f"2 {own}"
                for (x, y), head in zip(begun, state["heads"], strict=True):
                    yield f"{x} {y} {head % 30} {head // 30}"
                move = bot["choose"](*codingame.seen_by_bot(state))
                assert answered[-1] == bot["NAMES"][move]
            else:
                move = floodfill(state)
            state = game.after(state, move)

    bot["play"](lines(), answered.append)
    assert len(answered) > 5


def test_where_its_own_line_is_no_use_it_goes_on_from_where_its_answer_led(capsys):
    # down the left edge beside the other's trail, and then along the lower one
    own, other = (
        ["0 15 0 16", "0 15 0 17", "0 15 lost", "0 15 lost"],
        ["1 16 1 17", "1 16 1 18", "1 16 2 18", "1 16 2 19"],
    )
    said, notes = answers(capsys, *(line for lines in zip(["2 0"] * 4, own, other, strict=True) for line in lines))
    assert said == ["DOWN", "DOWN", "DOWN", "RIGHT"]
    assert notes == ["line of player 0: '0 15 lost' holds 3 words, not 4 numbers"] * 2


@pytest.mark.parametrize(("own", "heading"), [(0, "LEFT"), (1, "RIGHT")])
def test_at_first_it_is_held_to_ride_towards_the_further_edge(monkeypatch, own, heading):
    seen = []
    monkeypatch.setattr(codingame_bot, "choose", lambda *position: seen.append(position[-1]) or 0)
    codingame_bot.play(iter([f"2 {own}", "20 9 20 8", "3 9 3 8"]), seen.append)
    assert codingame_bot.NAMES[seen[0]] == heading


def test_after_a_wrong_line_the_net_is_not_asked(capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(codingame_bot, "choose", lambda *position: asked.append(position) or 2)
    good, bad = ["2 0", "0 5 0 5", "9 9 9 9"], ["2 0", "0 5 0 6", "9 9 9"]
    answers(capsys, *good, *bad, "? 0", "0 5 0 7", "9 9 9 7")
    assert len(asked) == 1


def test_a_fault_of_its_own_is_told_and_answered_by_a_move_that_is_safe(capsys, monkeypatch):
    monkeypatch.setattr(codingame_bot, "choose", lambda *position: 1 / 0)
    said, notes = answers(capsys, "2 0", "0 0 0 0", "1 0 5 5")
    assert (said, notes[-1]) == (["DOWN"], "ZeroDivisionError: division by zero")


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (["x y", "0 5 0 6", "9 9 9 8"], "first line of a turn: invalid literal for int() with base 10: 'x'"),
        (["", "0 5 0 6", "9 9 9 8"], "first line of a turn: '' holds 0 words, not 2 numbers"),
        (["2 0", "0 5 0 ?", "9 9 9 8"], "line of player 0: invalid literal for int() with base 10: '?'"),
        (["2 0", "0 5 0 6", "9 9 9"], "line of player 1: '9 9 9' holds 3 words, not 4 numbers"),
        (["2 0", "0 5 0 6", "9 9 30 9"], "line of player 1: a cell of 9 9 30 9 is off the board"),
    ],
)
def test_a_line_that_is_wrong_is_told_and_answered_by_a_move_that_is_safe(capsys, bad, complaint):
    before, after = ["2 0", "0 5 0 5", "9 9 9 9"], ["2 0", "0 5 0 6", "9 9 9 7"]
    said, notes = answers(capsys, *before, *bad, *after)
    assert notes == [complaint]
    assert len(said) == 3
    assert "LEFT" not in said[:1] + said[2:]
    assert said[2] != "UP", "there it came from"


def test_wrong_lines_at_the_very_beginning_are_waded_through(capsys):
    said, notes = answers(capsys, "two 0", "0 5 0 5", "9 9 9 9", "2 0", "0 5 0 5", "9 9 9 9")
    assert len(said) == 2, "one answer to each turn"
    assert [note.split(":")[0] for note in notes] == ["first line of a turn"] * 3


def test_lines_that_end_in_the_middle_of_a_turn_do_no_harm(capsys):
    said, notes = answers(capsys, "2 0", "0 5 0 5")
    assert len(said) == 1
    assert notes == ["line of player 1: '' holds 0 words, not 4 numbers"]
