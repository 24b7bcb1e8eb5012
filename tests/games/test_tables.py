"""The machine of backgammon and Abak against its slow twin, and its positions as text."""

import numpy as np
import pytest
from reference_tables import ABAK, BACKGAMMON, LETTERS, Step, Table, own_number

from sparring.compiled import INTERPRETED
from sparring.errors import GameError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import load
from sparring.games.stacks import BOARD, gone, pips, push
from sparring.games.tables import BACKWARD, BAR, FIRST_STEP, PASS
from sparring.games.tables_text import checkers_in, checkers_on, dice_left
from sparring.games.walk import count_lines
from sparring.rng import draw_below, seeded

GAMES = {"backgammon": (BACKGAMMON, 15), "abak": (ABAK, 5)}
DID = ("", "stepped", "retreated")


@pytest.fixture(params=GAMES)
def game(request):
    return load(request.param)


def step_of(move: int) -> Step:
    """A move as the twin has it."""
    place, die = divmod(move - FIRST_STEP, 6)
    if BAR <= place < BACKWARD:
        return "bar", place - BAR, die + 1, "+"
    return "point", (place - BACKWARD if place >= BACKWARD else place) + 1, die + 1, "+-"[place >= BACKWARD]


def steps(game, state):
    """The legal moves as the twin has them; none for a pass."""
    return sorted(step_of(move) for move in game.legal_moves(state) if move != PASS)


def told(state):
    """The machine's checkers and turn as the twin's."""

    def twins(checkers):
        return [(c.side, LETTERS[c.kind]) for c in checkers]

    return Table(
        points={p: twins(checkers_on(state, p)) for p in range(1, 25)},
        bar=sorted(twins([c for side in (0, 1) for c in checkers_in(state["bar"][side], side)])),
        off=sorted(twins([c for side in (0, 1) for c in checkers_in(state["off"][side], side)])),
        limit=int(state["limit"]),
        turn=int(state["turn"]),
        dice=sorted(dice_left(state)),
        general=DID[state["general"]],
    )


def assert_alike(state, table):
    """The same checkers everywhere; and the machine's sets say what its stacks say."""
    seen = told(state)
    assert seen.points == table.points
    assert (seen.bar, seen.off) == (sorted(table.bar), sorted(table.off))
    free = {side: {p: len(table.free(side, own_number(side, p), side)) for p in range(1, 25)} for side in (0, 1)}
    for side in (0, 1):
        assert points(state["top"][side]) == [p for p, n in free[side].items() if n > 0]
        assert points(state["single"][side]) == [p for p, n in free[side].items() if n == 1]
        assert pips(state, side) == table.pips(side)
        assert gone(state, side) == (table.left(side) == 0)
    trapped = {own_number(side, own) for side in (0, 1) for own in table.trapped(side)}
    assert points(state["trapped"]) == sorted(trapped)
    assert points(state["full"]) == [p for p in range(1, 25) if len(table.points[p]) >= table.limit]
    for kind in range(1, 6):
        tops = [p for p in range(1, 25) if table.points[p] and table.points[p][-1][1] == LETTERS[kind]]
        assert points(state["kind"][kind]) == tops


def points(bits):
    assert int(bits) & ~int(BOARD) == 0
    return [p for p in range(1, 25) if int(bits) >> p & 1]


def scattered(army, limit, rng):
    """Checkers put at random, a druid on a lone enemy here and there; both sides alike likely to be far on."""
    table = Table(limit=limit)
    checkers = [(side, letter) for side in (0, 1) for stack in army.values() for letter in stack]
    reach = [6 + draw_below(rng, 19) for _ in (0, 1)]
    while checkers:
        side, letter = checkers.pop(draw_below(rng, len(checkers)))
        own = draw_below(rng, reach[side] + 3)
        if own == 0 and any(c[0] == side for c in checkers):
            table.off.append((side, letter))
        elif own > reach[side]:
            table.bar.append((side, letter))
        else:
            own = max(own, 1)
            stack = table.at(side, own)
            traps = letter == "D" and 7 <= own <= 18 and len(stack) == 1
            if len(stack) == limit or (stack and stack[-1][0] != side and not traps):
                checkers.append((side, letter))  # another place, then
            else:
                stack.append((side, letter))
    return table


def state_of(game, table):
    """The machine's position with the twin's checkers; whose turn it is, to roll."""
    state = np.zeros(1, game.STATE)[0]
    state["limit"], state["turn"], state["rolling"] = table.limit, table.turn, 1
    for point, stack in table.points.items():
        for side, letter in stack:
            push(state, point, np.uint64(LETTERS.index(letter) + 1 + 8 * side))
    for field, checkers in (("bar", table.bar), ("off", table.off)):
        for side, letter in checkers:
            state[field][side] += 1 << 4 * LETTERS.index(letter)
    return state


def test_random_games_go_as_the_slow_twin_says(game):
    rng, positions = seeded(5), 0
    while positions < (300 if INTERPRETED else 3000):
        army, limit = GAMES[game.name]
        table, state = Table.first(army, limit), game.states()[0]
        while game.result(state) == ONGOING:
            moves = game.legal_moves(state)
            move = moves[draw_below(rng, len(moves))]
            if game.mover(state) == CHANCE:
                a, b = move // 6 + 1, move % 6 + 1
                table.turn = int(a < b) if state["opening"] else table.turn
                table.roll(a, b)
            else:
                legal = table.legal()
                assert steps(game, state) == sorted(legal), game.draw(state)
                table.play(step_of(move) if legal else None)
            state = game.after(state, move)
            positions += 1
            assert_alike(state, table)
            if table.result() is None:
                assert state["turn"] == table.turn and state["rolling"] == (not table.dice)
        assert game.RESULTS[game.result(state)] == table.result()


def test_scattered_checkers_move_as_the_slow_twin_says(game):
    rng = seeded(6)
    for i in range(60 if INTERPRETED else 600):
        table = scattered(*GAMES[game.name], rng)
        table.turn = i % 2
        if table.left(0) == 0 or table.left(1) == 0:
            continue
        state = state_of(game, table)
        assert_alike(state, table)
        a, b = 1 + draw_below(rng, 6), 1 + draw_below(rng, 6)
        table.roll(a, b)
        state = game.after(state, 6 * max(a, b) - 6 + min(a, b) - 1)
        assert steps(game, state) == sorted(table.legal()), game.draw(state)
        for move in game.legal_moves(state):
            if move != PASS:
                assert_alike(game.after(state, move), table.after(step_of(move)))


def lines(table, opening, depth):
    """How many lines of `depth` moves the twin knows, rolls included."""
    if depth == 0:
        return 1
    if table.result() is not None:
        return 0
    total = 0
    if table.dice:
        for step in table.legal() or [None]:
            after = table.copy()
            after.play(step)
            total += lines(after, False, depth - 1)
        return total
    for a in range(1, 7):
        for b in range(1, 7):
            if a != b if opening else a >= b:
                after = table.copy()
                after.turn = int(a < b) if opening else table.turn
                after.roll(a, b)
                total += lines(after, False, depth - 1)
    return total


@pytest.mark.parametrize("depth", range(1, 5))
def test_there_are_as_many_lines_as_the_slow_twin_counts(game, depth):
    assert count_lines(game, game.states()[0], depth) == lines(Table.first(*GAMES[game.name]), True, depth)


def test_the_order_of_two_steps_leaves_no_trace(game):
    """From equal positions by different ways the bytes are equal, so that plays can be told apart by them."""
    rng, met = seeded(8), 0
    state = game.states()[0]
    while met < 50:
        if game.result(state) != ONGOING:
            state = game.states()[0]
        ends = {}
        for first in game.legal_moves(state) if game.mover(state) != CHANCE else []:
            between = game.after(state, first)
            for second in game.legal_moves(between) if game.mover(between) == game.mover(state) else []:
                after = game.after(between, second)
                told_apart = game.module.describe(after)
                assert ends.setdefault(told_apart, (after.tobytes(), game.key(after))) == (
                    after.tobytes(),
                    game.key(after),
                )
                met += 1
        moves = game.legal_moves(state)
        state = game.after(state, moves[draw_below(rng, len(moves))])


def test_positions_with_different_texts_have_different_keys(game):
    rng, keys = seeded(9), {}
    for _ in range(3 if INTERPRETED else 20):
        state = game.states()[0]
        while game.result(state) == ONGOING:
            moves = game.legal_moves(state)
            state = game.after(state, moves[draw_below(rng, len(moves))])
            text = game.module.describe(state)
            if state["dice"][0] and len(set(dice_left(state))) < 2:
                continue  # a die that is not to be played any more is in the text, but not in the key
            assert keys.setdefault(int(game.key(state)), text) == text


# --- text --------------------------------------------------------------------------------------------------------


def test_every_position_of_random_games_is_read_back_from_its_text(game):
    rng = seeded(10)
    for _ in range(2 if INTERPRETED else 10):
        state = game.states()[0]
        while game.result(state) == ONGOING:
            moves = game.legal_moves(state)
            state = game.after(state, moves[draw_below(rng, len(moves))])
            text = game.module.describe(state)
            assert game.module.position(text).tobytes() == state.tobytes(), text


def test_a_position_without_a_turn_is_for_white_to_roll():
    game = load("backgammon")
    state = game.module.position("24:2X 6:3X 1:2O")
    assert game.mover(state) == CHANCE and state["turn"] == 0
    assert state["off"].tolist() == [10, 13]


def test_dice_that_cannot_be_played_are_not_left():
    state = load("backgammon").module.position("24:X 18:2O 19:2O 1:X; white plays 6-5")
    assert dice_left(state) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24:16X 1:2O", "white has 16 checkers, but a side has 15"),
        ("24:2Y", "'24:2Y' holds '2Y', which is no checker: X are white's, O black's"),
        ("24:2", "'24:2' holds '2', which is no checker"),
        ("24:", "'24:' holds '', which is no checker"),
        ("25:2X", "'25:2X' is no point with checkers: it must begin with 1: to 24: or bar:"),
        ("2X", "'2X' is no point with checkers"),
        ("24:2X 24:X", "24: is there twice"),
        ("24:2XO", "'24:2XO' mixes the sides"),
        ("24:OX", "'24:OX': only a druid, on 7 to 18, sits on a checker of the other side"),
        ("", "no checker is on the board"),
        ("24:2X 1:O; white", "'white' does not say whose turn it is"),
        ("24:2X 1:O; red rolls", "'red rolls' does not say whose turn it is"),
        ("24:2X 1:O; white plays", "'white plays' does not say whose turn it is"),
        ("24:2X 1:O; white rolls 3-1", "'white rolls 3-1' does not say whose turn it is"),
        ("24:2X 1:O; white plays 7-1", "'7-1': a die shows 1 to 6, not 7"),
        ("24:2X 1:O; white plays 0-1", "'0-1': a die shows 1 to 6, not 0"),
        ("24:2X 1:O; white plays x1", "'x1': a die shows 1 to 6, not x"),
        ("24:2X 1:O; white plays 3", "'3' is no roll: two dice are written like 3-1"),
        ("24:2X 1:O; white plays 3-1 left 2", "left 2: these dice were not rolled, 3-1 was"),
        ("24:2X 1:O; white plays 3-1 left", "'left': after the roll come 'left' and dice"),
        ("24:2X 1:O; white plays 3-1 general slept", "the general has stepped or retreated this turn, not 'slept'"),
        ("24:2X; white rolls", "'white rolls': the game is over, black has won"),
    ],
)
def test_an_impossible_position_is_refused_in_one_line_that_names_it(text, message):
    with pytest.raises(GameError) as refusal:
        load("backgammon").module.position(text)
    assert str(refusal.value).startswith(message) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24:5S 23:5S 1:s", "white has 10 soldiers, but a side has 9"),
        ("24:3G 1:s", "white has 3 guards, but a side has 2"),
        ("24:SGNDEO 1:s", "'24:SGNDEO' is a stack of 6, but no stack is higher than 5"),
        ("24:sD", "'24:sD': only a druid, on 7 to 18, sits on a checker of the other side"),
        ("13:ssD", "'13:2sD' mixes the sides"),
        ("13:sDs", "'13:sDs' mixes the sides"),
    ],
)
def test_an_impossible_position_of_abak_is_refused_too(text, message):
    with pytest.raises(GameError) as refusal:
        load("abak").module.position(text)
    assert str(refusal.value).startswith(message)
