"""Light cycles once more, slow and obvious: sets of cells (x, y), breadth-first search, each number by its sentence."""

from collections import deque
from dataclasses import dataclass, field

WIDTH, HEIGHT = 30, 20
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # up, right, down, left
FAR = 10**9
MASK = (1 << 64) - 1


def split_mix(seed):
    """The numbers of SplitMix64, one after the other."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def near(cell):
    """The four neighbours of a cell, some of them off the board."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


@dataclass
class Board:
    heads: list
    headings: list
    trails: list = field(default_factory=list)
    turn: int = 0

    @classmethod
    def dealt(cls, seed):
        numbers = split_mix(seed)
        first = next(numbers) % (WIDTH * HEIGHT)
        second = first
        while second == first:
            second = next(numbers) % (WIDTH * HEIGHT)
        heads = [(n % WIDTH, n // WIDTH) for n in (first, second)]
        return cls(heads, [1 if x < 15 else 3 for x, _ in heads], [{h} for h in heads])

    def copy(self):
        return Board(list(self.heads), list(self.headings), [set(t) for t in self.trails], self.turn)

    def free(self):
        every = {(x, y) for x in range(WIDTH) for y in range(HEIGHT)}
        return every - self.trails[0] - self.trails[1]

    def moves(self):
        free = self.free()
        return [m for m, cell in enumerate(near(self.heads[self.turn])) if cell in free]

    def play(self, move):
        who = self.turn
        self.heads[who] = near(self.heads[who])[move]
        self.trails[who].add(self.heads[who])
        self.headings[who] = move
        self.turn = 1 - who

    def winner(self):
        return None if self.moves() else 1 - self.turn


def distances(free, head):
    """How many steps away each cell that can be reached is."""
    found, queue = {head: 0}, deque([head])
    while queue:
        cell = queue.popleft()
        for after in near(cell):
            if after in free and after not in found:
                found[after] = found[cell] + 1
                queue.append(after)
    del found[head]
    return found


def territory(free, me, other):
    """(mine, theirs, ties, the cells I can reach, that the other can, the distances to the ties)."""
    mine, theirs = distances(free, me), distances(free, other)
    first = {c for c in free if mine.get(c, FAR) < theirs.get(c, FAR)}
    second = {c for c in free if theirs.get(c, FAR) < mine.get(c, FAR)}
    ties = {c for c in mine if theirs.get(c) == mine[c]}
    return first, second, ties, set(mine), set(theirs), [mine[c] for c in ties]


def walk_bound(region, head):
    like = sum((x + y) % 2 == sum(head) % 2 for x, y in region)
    unlike = len(region) - like
    return 2 * min(unlike, like) + (unlike > like)


def block(free, me, other):
    mine, theirs, ties, reach, reached, meetings = territory(free, me, other)
    out = [0.0] * 23
    out[0] = (len(mine) - len(theirs)) / 600
    out[1], out[2] = len(reach) / 600, len(reached) / 600
    out[3], out[4], out[5] = len(mine) / 600, len(theirs) / 600, len(ties) / 600
    out[8] = 1.0 if reach & reached else 0.0
    for i, (region, head) in enumerate(((mine, me), (theirs, other))):
        out[6 + i] = sum(n in region for c in region for n in near(c)) / 2 / 1200
        out[9 + i] = walk_bound(region, head) / 600
        degrees = [sum(n in region or n == head for n in near(c)) for c in region]
        out[11 + i] = sum(d <= 1 for d in degrees) / 100
        out[13 + i] = sum(d == 2 for d in degrees) / 300
        out[15 + i] = sum(n in free for n in near(head)) / 4
        out[21 + i] = sum(all(n in region for n in near(c)) for c in region) / 600
    out[17], out[18] = abs(me[0] - other[0]) / 30, abs(me[1] - other[1]) / 20
    out[19] = min(meetings) / 50 if meetings else 1.0
    out[20] = len(free) / 600
    return out


def overview(board):
    return block(board.free(), board.heads[board.turn], board.heads[1 - board.turn])


def splits(free, cell):
    x, y = cell
    ring = [(x, y - 1), (x + 1, y - 1), (x + 1, y), (x + 1, y + 1)]
    ring += [(x, y + 1), (x - 1, y + 1), (x - 1, y), (x - 1, y - 1)]
    return sum(ring[i] in free and ring[i - 1] not in free for i in range(8))


def surroundings(free, cell, step, other):
    """39 numbers: the other's head, lanes and a window, as seen by who goes in direction `step` into a cell."""
    (x, y), (dx, dy), (ox, oy) = cell, step, (other[0] - cell[0], other[1] - cell[1])
    right = (-dy, dx)
    near_side = right if ox * right[0] + oy * right[1] >= 0 else (dy, -dx)
    far_side = (-near_side[0], -near_side[1])

    def seen(ahead, aside):
        return (x + ahead * dx + aside * near_side[0], y + ahead * dy + aside * near_side[1])

    def length(way):
        n = 0
        while (x + (n + 1) * way[0], y + (n + 1) * way[1]) in free:
            n += 1
        return n

    row = [(ox * dx + oy * dy) / 30, (ox * near_side[0] + oy * near_side[1]) / 30]
    row += [length(way) / 30 for way in (step, near_side, far_side)]
    window = [(ahead, aside) for ahead in (-1, 0, 1, 2, 3) for aside in (-3, -2, -1, 0, 1, 2, 3)]
    return row + [float(seen(*place) in free) for place in window if place != (0, 0)]


def prospects(board):
    """The rows of the four moves, zeros for those that crash."""
    rows, free, who = [[0.0] * 67 for _ in range(4)], board.free(), board.turn
    me, other = board.heads[who], board.heads[1 - who]
    for move in board.moves():
        cell = near(me)[move]
        after = free - {cell}
        row = block(after, cell, other)
        row.append(1.0 if move == board.headings[who] else 0.0)
        row.append(sum(n not in free for n in near(cell) if n != me) / 3)
        row.append(splits(free, cell) / 4)
        worst = None
        for reply in near(other):
            if reply in after:
                mine, theirs, _, reach, _, _ = territory(after - {reply}, cell, reply)
                found = ((len(mine) - len(theirs)) / 600, len(reach) / 600)
                if worst is None or found[0] < worst[0]:
                    worst = found
        row += list(worst or (1.0, 1.0))
        rows[move] = row + surroundings(free, cell, (cell[0] - me[0], cell[1] - me[1]), other)
    return rows


def after_move(board, who, move):
    """(room, margin) of player `who` after a move of that player; None where it crashes."""
    free, cell = board.free(), near(board.heads[who])[move]
    if cell not in free:
        return None
    mine, theirs, _, reach, _, _ = territory(free - {cell}, cell, board.heads[1 - who])
    return len(reach), len(mine) - len(theirs)


def bot(board, value):
    heading = board.headings[board.turn]
    order = [(heading + turn) % 4 for turn in (0, 1, 3, 2)]
    legal = board.moves()
    return max((m for m in order if m in legal), key=lambda m: value(*after_move(board, board.turn, m)))


def voronoi(board):
    return bot(board, lambda room, margin: margin * 1000 + room)


def floodfill(board):
    return bot(board, lambda room, margin: room)


def planes(board, who):
    """The inputs of a tower, as a dictionary of those that are not 0."""
    free = board.free()
    mine, theirs, _, reach, _, _ = territory(free, board.heads[who], board.heads[1 - who])
    every = {(x, y) for x in range(WIDTH) for y in range(HEIGHT)}
    sets = [every, board.trails[who], board.trails[1 - who], {board.heads[who]}, {board.heads[1 - who]}]
    sets += [mine, theirs, reach]
    inputs = {600 * i + 30 * y + x: 1.0 for i, cells in enumerate(sets) for x, y in cells}
    for move in range(4):
        found = after_move(board, who, move)
        if found is not None:
            inputs[4800 + 2 * move], inputs[4801 + 2 * move] = found[0] / 600, found[1] / 600
    return inputs
