"""Positions as lines of text, `FEN | score | result`, read and written by kernels, as files hold millions of them.

Score (centipawns) and result (1.0, 0.5 or 0.0) are White's. `chess_text.py` reads and writes one FEN, with words for
what is wrong; what it takes is taken here, and the other way round.
"""

import numpy as np

from sparring.bits import NONE, bit, holds
from sparring.compiled import compiled
from sparring.games.chess_board import BLACK, EMPTY, WHITE, reckoned_key
from sparring.games.chess_faults import (
    FINE,
    RESULT,
    RIGHTS,
    SCORE,
    UNREADABLE,
    fault_of,
    passed_stands,
    rights_stand,
)

LONGEST = 160  # bytes of a line that is written

SPACE, TAB, RETURN, NEWLINE, BAR, SLASH, DASH, PLUS, DOT = (np.int64(ord(c)) for c in " \t\r\n|/-+.")
ZERO, ONE_DIGIT, FIVE, EIGHT_DIGIT, NINE = (np.int64(ord(c)) for c in "01589")
LETTER_A, LETTER_H, LETTER_B, LETTER_W = (np.int64(ord(c)) for c in "ahbw")
OTHER, NO_SQUARE = np.int64(-1), np.int64(-2)
MEN = np.full(256, OTHER, np.int8)  # of a letter: the type, and 8 where it is Black's
CASTLING = np.zeros(256, np.uint8)
LETTERS = np.frombuffer(b"PNBRQK  pnbrqk  ", np.uint8).copy()
RIGHT_LETTERS = np.frombuffer(b"KQkq", np.uint8).copy()
for _i, _letter in enumerate(LETTERS):
    if _letter != SPACE:
        MEN[_letter] = _i
for _i, _letter in enumerate(RIGHT_LETTERS):
    CASTLING[_letter] = 1 << _i
MOST_HALF, MOST_FULL, MOST_SCORE = np.int64(255), np.int64(1 << 20), np.int64(32_767)
TEN, ONE_SIGN = np.int64(10), np.int64(1)


# --- reading -----------------------------------------------------------------------------------------------------


@compiled
def read_lines(data, last, line, states, scores, results, kinds, places):
    """Read lines of bytes until there is no whole one, or no room left. last: whether the data ends with the file.

    data: uint8. line: the number of the first. states: POSITION; scores: int16; results: uint8; kinds: int64, of
    faults; places: int64, their lines; all of the same length. Returns (positions, faults, lines, bytes read).
    """
    kept, faults, lines, at = 0, 0, 0, 0
    while kept + faults < states.shape[0]:
        end = line_end(data, at)
        if end == data.shape[0] and (not last or at == end):
            break
        if not blank(data, at, end):
            fault = read_line(data, at, end, states[kept], scores, results, kept)
            if fault == FINE:
                kept += 1
            else:
                kinds[faults], places[faults] = fault, line + lines
                faults += 1
        lines += 1
        at = min(end + 1, data.shape[0])
    return kept, faults, lines, at


@compiled
def line_end(data, at):
    """Where the line ends that begins at `at`: its newline, or the end of the data."""
    while at < data.shape[0] and data[at] != NEWLINE:
        at += 1
    return at


@compiled
def blank(data, at, end):
    """Whether there is nothing but space."""
    return past_space(data, at, end) == end


@compiled
def past_space(data, at, end):
    """The first place from `at` on that is no space."""
    while at < end and (data[at] == SPACE or data[at] == TAB or data[at] == RETURN):
        at += 1
    return at


@compiled
def next_field(data, at, end):
    """Where the next field begins, behind the space at `at`; -1 where there is none, or `at` is -1."""
    if at < 0:
        return OTHER
    after = past_space(data, at, end)
    return after if at < after < end else OTHER


@compiled
def read_line(data, at, end, state, scores, results, i):
    """Read one line into state, scores[i] and results[i]; returns what is wrong with it, or FINE."""
    at, fault = read_position(data, at, end, state)
    if fault != FINE:
        return fault
    at = past_bar(data, at, end)
    if at < 0:
        return UNREADABLE
    sign = ONE_SIGN
    if at < end and (data[at] == DASH or data[at] == PLUS):
        sign = -ONE_SIGN if data[at] == DASH else ONE_SIGN
        at += 1
    number, at = read_number(data, at, end)
    if number < 0:
        return UNREADABLE
    if number > MOST_SCORE:
        return SCORE
    scores[i] = sign * number
    at = past_bar(data, at, end)
    if at < 0:
        return UNREADABLE
    half_points, at = read_result(data, at, end)
    if half_points < 0 or past_space(data, at, end) != end:
        return RESULT
    results[i] = half_points
    return fault_of(state)


@compiled
def past_bar(data, at, end):
    """The place behind the next bar and the space around it; -1 where something else comes first."""
    at = past_space(data, at, end)
    if at == end or data[at] != BAR:
        return OTHER
    return past_space(data, at + 1, end)


@compiled
def read_number(data, at, end):
    """(the whole number that begins at `at`, the place behind it); -1 for none, and 10**9 for all that are larger."""
    number, first = np.int64(0), at
    while 0 <= at < end and ZERO <= data[at] <= NINE:
        number = min(number * TEN + (np.int64(data[at]) - ZERO), np.int64(1_000_000_000))
        at += 1
    return (number if at > first else OTHER), at


@compiled
def read_result(data, at, end):
    """(half points: 0, 1 or 2; the place behind them) of 0, 0.0, 0.5, 1 or 1.0; -1 for anything else."""
    if at == end or (data[at] != ZERO and data[at] != ONE_DIGIT):
        return OTHER, at
    points = np.int64(2) * (np.int64(data[at]) - ZERO)
    at += 1
    if at + 1 < end and data[at] == DOT:
        digit = np.int64(data[at + 1])
        at += 2
        if digit == FIVE and points == 0:
            points = np.int64(1)
        elif digit != ZERO:
            return OTHER, at
    return points, at


@compiled
def read_position(data, at, end, state):
    """Read a FEN, with both counters or without; returns (the place behind it, what is wrong with it or FINE)."""
    at = read_board(data, past_space(data, at, end), end, state)
    at = next_field(data, at, end)
    if at < 0 or (data[at] != LETTER_W and data[at] != LETTER_B):
        return at, UNREADABLE
    state["mover"] = WHITE if data[at] == LETTER_W else BLACK
    at, rights = read_rights(data, next_field(data, at + 1, end), end)
    if rights < 0:
        return at, UNREADABLE
    state["castling"] = rights
    square, at = read_square(data, next_field(data, at, end), end)
    if square == OTHER:
        return at, UNREADABLE
    state["half"], state["full"] = 0, 1
    half, after = read_number(data, next_field(data, at, end), end)
    if half >= 0:
        full, at = read_number(data, next_field(data, after, end), end)
        if half > MOST_HALF or not 1 <= full <= MOST_FULL:
            return at, UNREADABLE
        state["half"], state["full"] = half, full
    if not rights_stand(state) or not passed_stands(state, square):
        return at, RIGHTS
    state["key"] = reckoned_key(state)
    return at, FINE


@compiled
def read_board(data, at, end, state):
    """Put the pieces on the board; returns the place behind them, or -1 where they are not 8 ranks of 8 squares."""
    for kind in range(6):
        state["pieces"][kind] = NONE
    state["colours"][0] = NONE
    state["colours"][1] = NONE
    for square in range(64):
        state["board"][square] = EMPTY
    row, column = np.int64(7), np.int64(0)
    while at < end and data[at] != SPACE:
        letter = np.int64(data[at])
        at += 1
        man = np.int64(MEN[letter])
        if letter == SLASH:
            if column != 8 or row == 0:
                return OTHER
            row, column = row - 1, np.int64(0)
        elif ONE_DIGIT <= letter <= EIGHT_DIGIT:
            column += letter - ZERO
        elif man < 0 or column > 7:
            return OTHER
        else:
            square = 8 * row + column
            state["board"][square] = man & 7
            state["pieces"][man & 7] |= bit(square)
            state["colours"][man >> 3] |= bit(square)
            column += 1
        if column > 8:
            return OTHER
    return at if row == 0 and column == 8 else OTHER


@compiled
def read_rights(data, at, end):
    """(the place behind the rights to castle, the rights as bits); -1 for what is none."""
    if at < 0:
        return at, OTHER
    if data[at] == DASH:
        return at + 1, np.int64(0)
    rights, first = np.int64(0), at
    while at < end and data[at] != SPACE:
        right = np.int64(CASTLING[data[at]])
        if right == 0 or rights & right != 0:
            return at, OTHER
        rights |= right
        at += 1
    return at, (rights if at > first else OTHER)


@compiled
def read_square(data, at, end):
    """(a square, NO_SQUARE for a dash that stands for none, or -1; the place behind it)."""
    if at < 0:
        return OTHER, at
    if data[at] == DASH:
        return NO_SQUARE, at + 1
    if at + 1 < end and LETTER_A <= data[at] <= LETTER_H and ONE_DIGIT <= data[at + 1] <= EIGHT_DIGIT:
        return (np.int64(data[at]) - LETTER_A) + 8 * (np.int64(data[at + 1]) - ONE_DIGIT), at + 2
    return OTHER, at


# --- writing -----------------------------------------------------------------------------------------------------


@compiled
def write_lines(states, scores, results, out):
    """Write a line for each position into out (uint8, LONGEST bytes a position); returns how many bytes."""
    at = 0
    for i in range(states.shape[0]):
        at = write_position(states[i], out, at)
        at = put(out, at, SPACE, BAR)
        out[at] = SPACE
        at = write_number(out, at + 1, np.int64(scores[i]))
        at = put(out, at, SPACE, BAR)
        at = put(out, at, SPACE, ONE_DIGIT if results[i] == 2 else ZERO)
        at = put(out, at, DOT, FIVE if results[i] == 1 else ZERO)
        out[at] = NEWLINE
        at += 1
    return at


@compiled
def put(out, at, first, second):
    """Write two bytes; returns the place behind them."""
    out[at], out[at + 1] = first, second
    return at + 2


@compiled
def write_number(out, at, number):
    """Write a whole number; returns the place behind it."""
    if number < 0:
        out[at] = DASH
        at, number = at + 1, -number
    size = np.int64(1)
    while number >= size * TEN:
        size *= TEN
    while size > 0:
        out[at] = ZERO + number // size % TEN
        at, size = at + 1, size // TEN
    return at


@compiled
def write_position(state, out, at):
    """Write the FEN; returns the place behind it."""
    for row in range(7, -1, -1):
        gap = np.int64(0)
        for square in range(8 * row, 8 * row + 8):
            kind = np.int64(state["board"][square])
            if kind < 0:
                gap += 1
            if gap > 0 and (kind >= 0 or square & 7 == 7):
                out[at] = ZERO + gap
                at, gap = at + 1, np.int64(0)
            if kind >= 0:
                out[at] = LETTERS[kind + 8 * holds(state["colours"][BLACK], square)]
                at += 1
        out[at] = SLASH if row > 0 else SPACE
        at += 1
    at = put(out, at, LETTER_W if state["mover"] == WHITE else LETTER_B, SPACE)
    if state["castling"] == 0:
        out[at] = DASH
        at += 1
    for right in range(4):
        if state["castling"] >> right & 1:
            out[at] = RIGHT_LETTERS[right]
            at += 1
    out[at] = SPACE
    if state["ep"] < 0:
        at = put(out, at + 1, DASH, SPACE)
    else:
        at = put(out, at + 1, LETTER_A + (state["ep"] & 7), ONE_DIGIT + (state["ep"] >> 3))
        out[at] = SPACE
        at += 1
    at = write_number(out, at, np.int64(state["half"]))
    out[at] = SPACE
    return write_number(out, at + 1, np.int64(state["full"]))
