"""Positions and moves on the board of `tables.py` as people write them. Plain Python.

A position is a line of text: the points that are not empty, as white (player 0) counts them, each with its stack from
the bottom, then the bar, then whose turn it is:

    24:2X 19:5O 17:3O 13:5X 12:5O 8:3X 6:5X 1:2O; opening
    24:ED 13:3SG 8:sD 6:3SN bar:eS; black plays 3-1 left 1

A letter is a checker, capital or another for white; a number before it is how many of them. What is missing is borne
off. The turn is `opening`, `white rolls` (also where nothing is said), or `white plays 3-1`, after which may follow
which dice are left (`left 1`, `left 4-4`, `left none`) and what the general has done in this turn (`general stepped`,
`general retreated`). A position in which one side has no checker is the end of a game.
"""

import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from sparring.errors import GameError
from sparring.games.stacks import CLASSES, DRUID, TABLE, gone, push
from sparring.games.tables import (
    BACKWARD,
    BAR,
    FIRST_STEP,
    MOST_MOVES,
    PASS,
    RETREATED,
    STEPPED,
    legal,
    roll,
)

PLAYERS = ("white", "black")
ONE_OF = ("soldier", "guard", "general", "druid", "even wounded", "odd wounded")
NAMES = ("soldiers", "guards", "generals", "druids", "even wounded", "odd wounded")
GENERAL_DID = {"stepped": STEPPED, "retreated": RETREATED}
HOW = "a position is written like '24:2X 13:5X 12:5O; white plays 3-1'"


class Checker(NamedTuple):
    """Whose checker it is, 0 or 1, and of what class."""

    side: int
    kind: int


# --- what is where -----------------------------------------------------------------------------------------------


def checkers_on(state: Any, point: int) -> list[Checker]:
    """The stack on a point (1 to 24 as player 0 counts), from the bottom."""
    stack = int(state["stack"][point])
    cells = [stack >> 4 * i & 15 for i in range(stack >> 60)]
    return [Checker(cell >> 3, (cell & 7) - 1) for cell in cells]


def checkers_in(packed: int, side: int) -> list[Checker]:
    """The checkers of a side on the bar or borne off: `packed` is the field's number."""
    return [Checker(side, kind) for kind in range(CLASSES) for _ in range(int(packed) >> 4 * kind & 15)]


def dice_left(state: Any) -> list[int]:
    """The dice still to be played, the larger first."""
    return [int(d) for d, n in zip(state["dice"], state["left"], strict=True) for _ in range(n)]


# --- positions ---------------------------------------------------------------------------------------------------


def write_position(state: Any, letters: tuple[str, str]) -> str:
    """The position as text. letters: of the classes, white's and black's."""

    stacks = {point: checkers_on(state, point) for point in range(24, 0, -1)}
    words = [f"{point}:{_runs(stack, letters)}" for point, stack in stacks.items() if stack]
    if bar := [c for side in (0, 1) for c in checkers_in(state["bar"][side], side)]:
        words.append(f"bar:{_runs(bar, letters)}")
    who = PLAYERS[state["turn"]]
    if gone(state, int(state["turn"])):
        return f"{' '.join(words)}; {who} has won"
    if state["rolling"]:
        return f"{' '.join(words)}; {'opening' if state['opening'] else f'{who} rolls'}"
    turn = f"{who} plays {state['dice'][0]}-{state['dice'][1]}"
    left = dice_left(state)
    if len(left) < (4 if state["dice"][0] == state["dice"][1] else 2):
        turn += f" left {'-'.join(map(str, left)) or 'none'}"
    for did, number in GENERAL_DID.items():
        turn += f" general {did}" if state["general"] == number else ""
    return f"{' '.join(words)}; {turn}"


def _runs(checkers: list[Checker], letters: tuple[str, str]) -> str:
    """A stack as text, such as 3SG."""
    text = "".join(letters[c.side][c.kind] for c in checkers)
    return re.sub(r"(.)\1+", lambda run: f"{len(run.group())}{run.group(1)}", text)


def read_position(text: str, letters: tuple[str, str], setup: np.ndarray, limit: int) -> Any:
    """The position that the text tells, a record of its own.

    setup: int8 (24, height), the classes + 1 at the beginning, which say how many of each a side has. GameError names
    what cannot be.
    """
    board, _, turn = text.partition(";")
    state = np.zeros(1, TABLE)[0]
    state["limit"] = limit
    stacks = _stacks(board.split(), letters)
    _bear_off_the_rest(state, Counter(int(cell) - 1 for cell in setup.ravel() if cell), stacks)
    for place, checkers in stacks.items():
        if place != "bar":
            _check_stack(place, checkers, letters, limit)
        for side, kind in checkers:
            if place == "bar":
                state["bar"][side] += 1 << 4 * kind
            else:
                push(state, int(place), np.uint64(kind + 1 + 8 * side))
    if gone(state, 0) and gone(state, 1):
        raise GameError(f"no checker is on the board; {HOW}")
    _read_turn(state, turn.split())
    return state


def _stacks(words: list[str], letters: tuple[str, str]) -> dict[str, list[Checker]]:
    """The checkers at each place, "1" to "24" or "bar"."""
    stacks: dict[str, list[Checker]] = {}
    for word in words:
        place, colon, stack = word.partition(":")
        if not colon or not (place == "bar" or (place.isdecimal() and 1 <= int(place) <= 24)):
            raise GameError(f"{word!r} is no point with checkers: it must begin with 1: to 24: or bar:; {HOW}")
        place = place.lstrip("0")
        if place in stacks:
            raise GameError(f"{place}: is there twice; {HOW}")
        stacks[place] = _checkers(word, stack, letters)
    return stacks


def _checkers(word: str, stack: str, letters: tuple[str, str]) -> list[Checker]:
    """The checkers of a stack such as 3SG."""
    found = []
    for number, letter in re.findall(r"(\d*)(\D|$)", stack)[:-1] or [("", "")]:
        side = next((s for s in (0, 1) if letter and letter in letters[s]), None)
        if side is None or len(number) > 2:
            known = f"{letters[0]} are white's, {letters[1]} black's"
            raise GameError(f"{word!r} holds {number + letter!r}, which is no checker: {known}; {HOW}")
        found += [Checker(side, letters[side].index(letter))] * int(number or 1)
    return found


def _check_stack(place: str, checkers: list[Checker], letters: tuple[str, str], limit: int) -> None:
    """Refuse a stack that cannot come about."""
    word = f"{place}:{_runs(checkers, letters)}"
    if len(checkers) > limit:
        raise GameError(f"{word!r} is a stack of {len(checkers)}, but no stack is higher than {limit}")
    lowest, *others = (c.side for c in checkers)
    if len({*others}) > 1 or (lowest in others and 1 - lowest in others):
        raise GameError(f"{word!r} mixes the sides; only the lowest checker may be the other side's, under a druid")
    if 1 - lowest in others and (checkers[1].kind != DRUID or not 7 <= int(place) <= 18):
        raise GameError(f"{word!r}: only a druid, on 7 to 18, sits on a checker of the other side")


def _bear_off_the_rest(state: Any, army: Counter[int], stacks: dict[str, list[Checker]]) -> None:
    """Write what is borne off; refuse more checkers than there are."""
    seen = Counter(checker for stack in stacks.values() for checker in stack)
    for side, player in enumerate(PLAYERS):
        many = sum(n for checker, n in seen.items() if checker.side == side)
        if many > sum(army.values()):
            raise GameError(f"{player} has {many} checkers, but a side has {sum(army.values())}")
        for kind, most in sorted(army.items()):
            rest = most - seen[Checker(side, kind)]
            if rest < 0:
                raise GameError(f"{player} has {most - rest} {NAMES[kind]}, but a side has {most}")
            state["off"][side] += rest << 4 * kind


def _read_turn(state: Any, words: list[str]) -> None:
    """Set whose turn it is, and the dice."""
    winner = next((side for side in (0, 1) if gone(state, side)), None)
    if winner is not None:
        if words and words != [PLAYERS[winner], "has", "won"]:
            raise GameError(f"{' '.join(words)!r}: the game is over, {PLAYERS[winner]} has won")
        state["turn"] = winner
        return
    if words == ["opening"]:
        state["rolling"], state["opening"] = 1, 1
        return
    who, what, *more = [*words, "", ""] if len(words) == 1 else words or [PLAYERS[0], "rolls"]
    if who not in PLAYERS or what not in ("rolls", "plays") or (what == "rolls") == bool(more):
        known = "opening, white rolls, black rolls, white plays 3-1, …"
        raise GameError(f"{' '.join(words)!r} does not say whose turn it is; that is written as one of {known}")
    state["turn"] = PLAYERS.index(who)
    if what == "rolls":
        state["rolling"] = 1
        return
    dice = _dice(more[0])
    if len(dice) != 2:
        raise GameError(f"{more[0]!r} is no roll: two dice are written like 3-1")
    roll(state, *dice)
    options = dict(zip(more[1::2], more[2::2], strict=False))
    if len(more) % 2 == 0 or not options.keys() <= {"left", "general"}:
        raise GameError(f"{' '.join(more[1:])!r}: after the roll come 'left' and dice, or 'general' and what it did")
    if "left" in options:
        left = Counter([] if options["left"] == "none" else _dice(options["left"]))
        if not left <= Counter(dice if dice[0] != dice[1] else dice * 2):
            raise GameError(f"left {options['left']}: these dice were not rolled, {more[0]} was")
        state["left"][0] = left[int(state["dice"][0])]
        state["left"][1] = left[int(state["dice"][1])] if dice[0] != dice[1] else 0
    if "general" in options:
        if options["general"] not in GENERAL_DID:
            raise GameError(f"the general has stepped or retreated this turn, not {options['general']!r}")
        state["general"] = GENERAL_DID[options["general"]]


def _dice(text: str) -> list[int]:
    """The dice of a text such as 3-1 or 31."""
    dice = [int(d) if d.isdecimal() else d for d in (text.split("-") if "-" in text else text)]
    for die in dice:
        if die not in range(1, 7):
            raise GameError(f"{text!r}: a die shows 1 to 6, not {die}")
    return [int(d) for d in dice]


# --- moves -------------------------------------------------------------------------------------------------------


def name_of_move(state: Any, move: int, letters: tuple[str, str]) -> str:
    """13/8, bar/22, 6/off; a hit has a * behind it, a druid's trap a +.

    Where there are classes, what enters is named: bar(G)/22. Where either die bears off from a point, the step with the
    larger has it behind it: 4/off(6).
    """
    if state["rolling"]:
        return f"{move // 6 + 1}-{move % 6 + 1}"
    if move == PASS:
        return "pass"
    side = int(state["turn"])
    place, die = (int(n) for n in divmod(move - FIRST_STEP, 6))
    die += 1
    back = place >= BACKWARD
    own = 25 if BAR <= place < BACKWARD else place - (BACKWARD if back else 0) + 1
    to = own + die if back else own - die
    if own == 25:
        kind = place - BAR
        start = f"bar({letters[0][kind]})" if len(letters[0]) > 1 else "bar"
    else:
        kind = checkers_on(state, own if side == 0 else 25 - own)[-1].kind
        start = str(own)
    if to <= 0:
        moves = np.zeros(MOST_MOVES, np.int32)
        legals = moves[: legal(state, moves)]
        smaller = [FIRST_STEP + 6 * place + d - 1 for d in range(own, die)]
        return f"{start}/off({die})" if np.isin(smaller, legals).any() else f"{start}/off"
    point = to if side == 0 else 25 - to
    if not int(state["single"][1 - side]) >> point & 1:
        return f"{start}/{to}"
    traps = kind == DRUID and 7 <= point <= 18 and not int(state["trapped"]) >> point & 1
    return f"{start}/{to}{'+' if traps else '*'}"
