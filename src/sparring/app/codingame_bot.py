"""Plays "Tron Battle" on codingame.com with a net that was trained by self-play.

One file that needs nothing else. Each turn it reads `N P` and a line `X0 Y0 X1 Y1` of each player, and answers UP,
RIGHT, DOWN or LEFT. A set of cells is one whole number, a bit a cell: row y, column x is bit 31 * y + x, and the 31st
column, always blocked, keeps rows apart. So a step of a breadth-first search is a few operations for all cells at once.
"""

import struct
import sys
import traceback
from operator import mul

SIZES = (90, 1)  # of the net's layers, inputs first
BITS = 14  # of a weight
WEIGHTS = "\u4e00" * 95  # 14 bits a character
FIRST = 0x4E00  # the character whose bits are all 0
LEAK = 0.01

WINDOW = (1, 3, 3)  # cells that the net sees behind, ahead of and beside the one that a move enters
WIDTH, HEIGHT, ROW = 30, 20, 31
CELLS = 600.0
BOARD = sum(((1 << WIDTH) - 1) << ROW * y for y in range(HEIGHT))
EVEN = sum(1 << ROW * y + x for y in range(HEIGHT) for x in range(WIDTH) if (x + y) % 2 == 0)
NAMES = ("UP", "RIGHT", "DOWN", "LEFT")
STEPS = (-ROW, 1, ROW, -1)
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
AROUND = (-ROW, 1 - ROW, 1, 1 + ROW, ROW, ROW - 1, -1, -1 - ROW)  # the 8 cells in a circle

count = getattr(int, "bit_count", lambda cells: bin(cells).count("1"))  # Python 3.10 has it


# --- what the net sees -------------------------------------------------------------------------------------------


def beside(cells):
    """All cells next to these, and these among them where two touch."""
    return cells << 1 | cells >> 1 | cells << ROW | cells >> ROW


def shares(free, me, other):
    """Who is where first: (mine, theirs, ties, all I reach, all the other reaches, steps to the first tie or 0)."""
    front, against = 1 << me, 1 << other
    left, left_other = free, free  # cells not reached yet
    mine = theirs = ties = steps = meet = 0
    while front or against:
        steps += 1
        front = beside(front) & left
        against = beside(against) & left_other
        left ^= front
        left_other ^= against
        mine |= front & left_other
        theirs |= against & left
        both = front & against
        if both:
            ties |= both
            meet = meet or steps
    return mine, theirs, ties, free ^ left, free ^ left_other, meet


def shape(region, head):
    """Of a region: (pairs of neighbours, bound on the longest walk, dead ends, corridors, deep cells)."""
    pairs = count(region & region >> 1) + count(region & region >> ROW)
    even = count(region & EVEN)
    odd = count(region) - even
    other, same = (odd, even) if EVEN >> head & 1 else (even, odd)
    walk = 2 * min(other, same) + (other > same)
    deep = count(region & region << 1 & region >> 1 & region << ROW & region >> ROW)
    open_ = region | 1 << head
    a, b, c, d = open_ << 1, open_ >> 1, open_ << ROW, open_ >> ROW
    ones, more = (a ^ b) ^ (c ^ d), (a ^ b) & (c ^ d)  # the sum of four bits, in binary
    twos, fours = (a & b) ^ (c & d) ^ more, a & b & c & d
    dead = count(region & ~(twos | fours))
    corridors = count(region & twos & ~ones)
    return pairs, walk, dead, corridors, deep


def block(free, me, other):
    """23 numbers about a position: `free` cells, my head and the other's, as indices of bits."""
    mine, theirs, ties, room, room_other, meet = shares(free, me, other)
    pairs, walk, dead, corridors, deep = shape(mine, me)
    pairs_other, walk_other, dead_other, corridors_other, deep_other = shape(theirs, other)
    (y, x), (y_other, x_other) = divmod(me, ROW), divmod(other, ROW)
    n, n_other = count(mine), count(theirs)
    return [
        (n - n_other) / CELLS,
        count(room) / CELLS,
        count(room_other) / CELLS,
        n / CELLS,
        n_other / CELLS,
        count(ties) / CELLS,
        pairs / 1200.0,
        pairs_other / 1200.0,
        1.0 if room & room_other else 0.0,
        walk / CELLS,
        walk_other / CELLS,
        dead / 100.0,
        dead_other / 100.0,
        corridors / 300.0,
        corridors_other / 300.0,
        count(beside(1 << me) & free) / 4.0,
        count(beside(1 << other) & free) / 4.0,
        abs(x - x_other) / 30.0,
        abs(y - y_other) / 20.0,
        meet / 50.0 if meet else 1.0,
        count(free) / CELLS,
        deep / CELLS,
        deep_other / CELLS,
    ]


def legal(free, head):
    """The moves onto free cells."""
    return [move for move, step in enumerate(STEPS) if head + step >= 0 and free >> head + step & 1]


def prospect(free, me, other, heading, move):
    """28 numbers about what a legal move of mine leads to, and those of `nearby`."""
    to = me + STEPS[move]
    after = free ^ 1 << to
    blocked = sum(not is_free(free, to + step) for step in STEPS if to + step != me)
    circle = [is_free(free, to + step) for step in AROUND]
    splits = sum(circle[i] and not circle[i - 1] for i in range(8))
    worst = None
    for reply in legal(after, other):
        there = other + STEPS[reply]
        mine, theirs, _, room, _, _ = shares(after ^ 1 << there, to, there)
        margin = count(mine) - count(theirs)
        if worst is None or margin < worst[0]:
            worst = margin, count(room)
    margin, room = worst or (CELLS, CELLS)
    return [
        *block(after, to, other),
        1.0 if move == heading else 0.0,
        blocked / 3.0,
        splits / 4.0,
        margin / CELLS,
        room / CELLS,
        *nearby(free, to, other, DIRECTIONS[move]),
    ]


def nearby(free, cell, other, ahead):
    """What lies around a cell that is entered in direction `ahead`, turned so that all moves look alike.

    Where the other is, ahead and aside; free lanes ahead, to its side, to the far one; which cells around are free.
    """
    (y, x), (y_other, x_other), (dx, dy) = divmod(cell, ROW), divmod(other, ROW), ahead
    along, aside = (x_other - x) * dx + (y_other - y) * dy, (y_other - y) * dx - (x_other - x) * dy
    side_x, side_y = (dy, -dx) if aside < 0 else (-dy, dx)
    lanes = []
    for step in (dx + ROW * dy, side_x + ROW * side_y, -side_x - ROW * side_y):
        to = cell + step
        while is_free(free, to):
            to += step
        lanes.append(((to - cell) // step - 1) / WIDTH)
    window = []
    behind, before, beside_it = WINDOW
    for i in range(-behind, before + 1):
        for j in range(-beside_it, beside_it + 1):
            a, b = x + i * dx + j * side_x, y + i * dy + j * side_y
            if i or j:
                window.append(1.0 if 0 <= a < WIDTH and is_free(free, ROW * b + a) else 0.0)
    return [along / WIDTH, abs(aside) / WIDTH, *lanes, *window]


def is_free(free, cell):
    """Whether a cell, which may be off the board, is free."""
    return cell >= 0 and free >> cell & 1


# --- the net -----------------------------------------------------------------------------------------------------


def unpack(text):
    """The layers, as lists of rows (weights, bias): of each row a scale and a bias of 32 bits, then its weights."""
    bits = "".join(format(ord(letter) - FIRST, "014b") for letter in text)
    at, half, layers = 0, 1 << BITS - 1, []
    for layer in range(len(SIZES) - 1):
        inputs, outputs = SIZES[layer : layer + 2]
        rows = []
        for _ in range(outputs):
            scale, bias = struct.unpack(">2f", int(bits[at : at + 64], 2).to_bytes(8, "big"))
            at += 64
            end = at + BITS * inputs
            rows.append(([(int(bits[i : i + BITS], 2) - half) * scale for i in range(at, end, BITS)], bias))
            at = end
        layers.append(rows)
    return layers


LAYERS = unpack(WEIGHTS)


def rate(rows):
    """The net's logit of each row of inputs."""
    found = []
    for values in rows:
        for layer in LAYERS[:-1]:
            sums = [sum(map(mul, row, values)) + bias for row, bias in layer]
            values = [value if value > 0.0 else LEAK * value for value in sums]
        row, bias = LAYERS[-1][0]
        found.append(sum(map(mul, row, values)) + bias)
    return found


# numpy: begin
import numpy as np  # noqa: E402

ARRAYS = [(np.array([row for row, _ in layer]).T, np.array([bias for _, bias in layer])) for layer in LAYERS]


def rate(rows):  # type: ignore[no-redef]  # noqa: F811
    """The net's logit of each row of inputs."""
    values = np.array(rows)
    for weights, bias in ARRAYS[:-1]:
        values = values @ weights + bias
        values = np.where(values > 0.0, values, LEAK * values)
    weights, bias = ARRAYS[-1]
    return (values @ weights + bias)[:, 0].tolist()


# numpy: end


# --- the game ----------------------------------------------------------------------------------------------------


def choose(free, me, other, heading):
    """The move that the net likes best, or None where none is legal."""
    moves = legal(free, me)
    if len(moves) < 2:
        return moves[0] if moves else None
    seen = block(free, me, other)
    rates = rate([seen + prospect(free, me, other, heading, move) for move in moves])
    return moves[rates.index(max(rates))]


def roomiest(free, me):
    """The legal move after which most cells can be reached, or None."""
    best, most = None, -1
    for move in legal(free, me):
        front, left = 1 << me + STEPS[move], free ^ 1 << me + STEPS[move]
        while front:
            front = beside(front) & left
            left ^= front
        room = count(free) - count(left)
        if room > most:
            best, most = move, room
    return best


class Table:
    """The game as the lines tell it: each living player's trail and head, and which way this player goes."""

    def __init__(self):
        self.trails, self.heads = {}, {}
        self.heading = None

    @property
    def free(self):
        """The cells that are in no trail."""
        taken = 0
        for trail in self.trails.values():
            taken |= trail
        return BOARD & ~taken

    def see(self, player, x0, y0, x1, y1):
        """Take in a player's line: where it began and where its head is; all below 0 once it is out."""
        if min(x0, y0, x1, y1) < 0:
            self.trails.pop(player, None)
            self.heads.pop(player, None)
            return
        if max(x0, x1) >= WIDTH or max(y0, y1) >= HEIGHT:
            raise ValueError(f"a cell of {x0} {y0} {x1} {y1} is off the board")
        begun, head = ROW * y0 + x0, ROW * y1 + x1
        self.trails[player] = self.trails.get(player, 0) | 1 << begun | 1 << head
        self.heads[player] = head

    def began(self, x):
        """The direction that this player is held to have begun in."""
        self.heading = 1 if x < WIDTH // 2 else 3

    def rival(self, me):
        """The head of the other: of the living opponents the nearest by steps; None where there is none."""
        heads = [head for player, head in sorted(self.heads.items()) if player != me]
        front, left = 1 << self.heads[me], self.free
        while front and len(heads) > 1:
            reached = beside(front)
            for head in heads:
                if reached >> head & 1:
                    return head
            front = reached & left
            left ^= front
        return heads[0] if heads else None

    def move(self, me, safe):
        """The answer. safe: the net is not asked, since what was read was wrong."""
        if me not in self.heads:
            return 0
        free, head, other = self.free, self.heads[me], self.rival(me)
        asked = not safe and other is not None
        move = choose(free, head, other, self.heading) if asked else roomiest(free, head)
        return (self.heading or 0) if move is None else move

    def go(self, me, move):
        """Hold that move for made, until a line says where this player is."""
        self.heading = move
        to = self.heads.get(me, -ROW) + STEPS[move]
        if is_free(self.free, to):
            self.heads[me] = to
            self.trails[me] |= 1 << to


def complain(what):
    """Tell whoever looks at the log."""
    print(what, file=sys.stderr, flush=True)


def numbers(line, how_many):
    """The whole numbers of a line; ValueError where it does not hold so many."""
    words = line.split()
    if len(words) != how_many:
        raise ValueError(f"{line.strip()!r} holds {len(words)} words, not {how_many} numbers")
    return [int(word) for word in words]


def play(lines, answer):
    """A game: `lines` yields what is sent, `answer` takes a name of a direction."""
    table, players, me = Table(), 0, 0
    for line in lines:
        safe = False
        try:
            players, me = numbers(line, 2)
        except ValueError as fault:
            complain(f"first line of a turn: {fault}")
            if len(line.split()) == 4:
                continue  # a line of a player: here is no turn yet
            safe = True
        for player in range(players):
            try:
                row = numbers(next(lines, ""), 4)
                table.see(player, *row)
                if player == me and table.heading is None:
                    table.began(row[0])
            except ValueError as fault:
                complain(f"line of player {player}: {fault}")
                safe = True
        try:
            move = table.move(me, safe)
        except Exception:
            complain(traceback.format_exc().rstrip())
            move = roomiest(table.free, table.heads.get(me, 0)) or 0
        answer(NAMES[move])
        table.go(me, move)


def main():
    """Play on the terminal's lines."""
    play(iter(sys.stdin.readline, ""), lambda name: print(name, flush=True))


if __name__ == "__main__":
    main()
