"""Two engines for light cycles as one would write them first: in plain Python with lists, and with NumPy's arrays.

Both play by the rules and write what nets see; the plain one also what small nets see. Yardsticks of speed.
"""

from collections import deque

import numpy as np

WIDTH, HEIGHT, CELLS = 30, 20, 600
FAR = 10_000


def neighbours(cell: int) -> list[int]:
    """The cells above, to the right, below and to the left; -1 beyond the edge."""
    x, y = cell % WIDTH, cell // WIDTH
    steps = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
    return [a + WIDTH * b if 0 <= a < WIDTH and 0 <= b < HEIGHT else -1 for a, b in steps]


NEAR = [neighbours(cell) for cell in range(CELLS)]
INSIDE = [[n for n in near if n >= 0] for near in NEAR]
RING = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


class PlainGame:
    """A game in plain Python. owner: of each cell, -1 where it is free; heads, headings and turn as in the rules."""

    def __init__(self, heads: tuple[int, int]) -> None:
        self.owner = [-1] * CELLS
        self.heads, self.turn = list(heads), 0
        self.headings = [1 if head % WIDTH < 15 else 3 for head in heads]
        for who, head in enumerate(heads):
            self.owner[head] = who

    def moves(self) -> list[int]:
        """The moves that do not crash."""
        return [m for m, cell in enumerate(NEAR[self.heads[self.turn]]) if cell >= 0 and self.owner[cell] < 0]

    def play(self, move: int) -> None:
        """Move the player to move."""
        cell = NEAR[self.heads[self.turn]][move]
        self.owner[cell], self.heads[self.turn], self.headings[self.turn] = self.turn, cell, move
        self.turn = 1 - self.turn

    def distances(self, head: int) -> list[int]:
        """Steps from a head to each cell over free cells, FAR where it cannot be reached."""
        steps, queue = [FAR] * CELLS, deque([head])
        steps[head] = 0
        while queue:
            cell = queue.popleft()
            for after in INSIDE[cell]:
                if steps[after] == FAR and self.owner[after] < 0:
                    steps[after] = steps[cell] + 1
                    queue.append(after)
        steps[head] = FAR
        return steps

    def territory(self, me: int, other: int) -> tuple[int, int]:
        """(room, margin) of the player with head `me`."""
        mine, theirs = self.distances(me), self.distances(other)
        room = sum(steps < FAR for steps in mine)
        margin = sum((a < b) - (b < a) for a, b in zip(mine, theirs, strict=True))
        return room, margin

    def planes(self) -> list[float]:
        """The inputs of a tower for the player to move, a plane after the other, then room and margin of each move."""
        who, me, other = self.turn, self.heads[self.turn], self.heads[1 - self.turn]
        mine, theirs = self.distances(me), self.distances(other)
        inputs = [1.0] * CELLS
        inputs += [float(owner == who) for owner in self.owner]
        inputs += [float(owner == 1 - who) for owner in self.owner]
        inputs += [float(cell == me) for cell in range(CELLS)]
        inputs += [float(cell == other) for cell in range(CELLS)]
        inputs += [float(a < b) for a, b in zip(mine, theirs, strict=True)]
        inputs += [float(b < a) for a, b in zip(mine, theirs, strict=True)]
        inputs += [float(a < FAR) for a in mine]
        for cell in NEAR[me]:
            room, margin = 0, 0
            if cell >= 0 and self.owner[cell] < 0:
                self.owner[cell] = who
                room, margin = self.territory(cell, other)
                self.owner[cell] = -1
            inputs += [room / CELLS, margin / CELLS]
        return inputs

    def shape(self, region: list[bool], head: int) -> tuple[float, ...]:
        """Edges, the bound on walks, dead ends, corridors and deep cells of a region."""
        edges = dead = corridors = deep = 0
        colours = [0, 0]
        colour = (head + head // WIDTH) % 2
        for cell in range(CELLS):
            if region[cell]:
                inside = sum(region[n] for n in INSIDE[cell])
                degree = inside + (head in INSIDE[cell])
                edges += inside
                dead += degree <= 1
                corridors += degree == 2
                deep += inside == 4
                colours[(cell + cell // WIDTH) % 2 != colour] += 1
        like, unlike = colours
        walk = 2 * min(like, unlike) + (unlike > like)
        return edges / 2400, walk / CELLS, dead / 100, corridors / 300, deep / CELLS

    def block(self, me: int, other: int) -> list[float]:
        """What `overview` says of the position, to the player with head `me`."""
        first, second = self.distances(me), self.distances(other)
        mine = [a < b for a, b in zip(first, second, strict=True)]
        theirs = [b < a for a, b in zip(first, second, strict=True)]
        ties = [a for a, b in zip(first, second, strict=True) if a == b < FAR]
        both = any(a < FAR and b < FAR for a, b in zip(first, second, strict=True))
        rooms = [sum(steps < FAR for steps in each) / CELLS for each in (first, second)]
        shapes = list(zip(self.shape(mine, me), self.shape(theirs, other), strict=True))
        out = [(sum(mine) - sum(theirs)) / CELLS, *rooms, sum(mine) / CELLS, sum(theirs) / CELLS, len(ties) / CELLS]
        out += [*shapes[0], float(both), *shapes[1], *shapes[2], *shapes[3]]
        out += [sum(self.owner[n] < 0 for n in INSIDE[head]) / 4 for head in (me, other)]
        out += [abs(me % WIDTH - other % WIDTH) / WIDTH, abs(me // WIDTH - other // WIDTH) / HEIGHT]
        out += [min(ties) / 50 if ties else 1.0, self.owner.count(-1) / CELLS, *shapes[4]]
        return out

    def splits(self, cell: int) -> int:
        """Stretches of free cells around a cell."""
        x, y = cell % WIDTH, cell // WIDTH
        around = [(x + dx, y + dy) for dx, dy in RING]
        free = [0 <= a < WIDTH and 0 <= b < HEIGHT and self.owner[a + WIDTH * b] < 0 for a, b in around]
        return sum(free[i] and not free[i - 1] for i in range(8))

    def around(self, cell: int, move: int, other: int) -> list[float]:
        """The other's head, free lanes and a window, as seen in the direction of a move that enters a cell."""
        x, y, (dx, dy) = cell % WIDTH, cell // WIDTH, RING[2 * move]
        other_x, other_y = other % WIDTH - x, other // WIDTH - y
        side_x, side_y = -dy, dx
        if other_x * side_x + other_y * side_y < 0:
            side_x, side_y = dy, -dx

        def free(ahead: int, aside: int) -> bool:
            a, b = x + ahead * dx + aside * side_x, y + ahead * dy + aside * side_y
            return 0 <= a < WIDTH and 0 <= b < HEIGHT and self.owner[a + WIDTH * b] < 0

        def lane(ahead: int, aside: int) -> int:
            n = 0
            while free((n + 1) * ahead, (n + 1) * aside):
                n += 1
            return n

        row = [(other_x * dx + other_y * dy) / WIDTH, (other_x * side_x + other_y * side_y) / WIDTH]
        row += [lane(1, 0) / WIDTH, lane(0, 1) / WIDTH, lane(0, -1) / WIDTH]
        return row + [float(free(i, j)) for i in range(-1, 4) for j in range(-3, 4) if i != 0 or j != 0]

    def prospects(self) -> list[list[float]]:
        """What `prospects` says of each move."""
        who, me, other = self.turn, self.heads[self.turn], self.heads[1 - self.turn]
        rows = []
        for move, cell in enumerate(NEAR[me]):
            if cell < 0 or self.owner[cell] >= 0:
                rows.append([0.0] * 67)
                continue
            blocked = 3 - sum(self.owner[n] < 0 for n in INSIDE[cell])
            more = [float(move == self.headings[who]), blocked / 3, self.splits(cell) / 4]
            last = self.around(cell, move, other)
            self.owner[cell] = who
            row = self.block(cell, other) + more
            worst = (CELLS, CELLS)
            for reply in INSIDE[other]:
                if self.owner[reply] < 0:
                    self.owner[reply] = 1 - who
                    room, margin = self.territory(cell, reply)
                    self.owner[reply] = -1
                    if margin < worst[0]:
                        worst = margin, room
            self.owner[cell] = -1
            rows.append([*row, worst[0] / CELLS, worst[1] / CELLS, *last])
        return rows


class NumpyGame:
    """A game with arrays of 20 × 30 cells. taken: bool (2, 20, 30), the trails; heads: (row, column)."""

    def __init__(self, heads: tuple[int, int]) -> None:
        self.taken = np.zeros((2, HEIGHT, WIDTH), bool)
        self.heads, self.turn = [divmod(head, WIDTH) for head in heads], 0
        for who, head in enumerate(self.heads):
            self.taken[(who, *head)] = True

    def entered(self, move: int) -> tuple[int, int]:
        """The cell that a move of the player to move enters, on the board or not."""
        y, x = self.heads[self.turn]
        return (y - 1, x) if move == 0 else (y, x + 1) if move == 1 else (y + 1, x) if move == 2 else (y, x - 1)

    def moves(self) -> list[int]:
        """The moves that do not crash."""
        cells = [self.entered(move) for move in range(4)]
        inside = [0 <= y < HEIGHT and 0 <= x < WIDTH for y, x in cells]
        return [m for m in range(4) if inside[m] and not self.taken[:, *cells[m]].any()]

    def play(self, move: int) -> None:
        """Move the player to move."""
        cell = self.heads[self.turn] = self.entered(move)
        self.taken[(self.turn, *cell)] = True
        self.turn = 1 - self.turn

    @staticmethod
    def distances(free: np.ndarray, head: tuple[int, int]) -> np.ndarray:
        """Steps from a head over free cells, (20, 30), FAR where a cell cannot be reached."""
        steps = np.full((HEIGHT, WIDTH), FAR)
        front = np.zeros((HEIGHT, WIDTH), bool)
        front[head] = True
        left = free.copy()
        for n in range(1, CELLS):
            grown = np.zeros_like(front)
            grown[1:] |= front[:-1]
            grown[:-1] |= front[1:]
            grown[:, 1:] |= front[:, :-1]
            grown[:, :-1] |= front[:, 1:]
            front = grown & left
            if not front.any():
                return steps
            steps[front] = n
            left &= ~front
        return steps

    def planes(self) -> np.ndarray:
        """The inputs of a tower for the player to move, as those of PlainGame, float32."""
        me, other = self.heads[self.turn], self.heads[1 - self.turn]
        free = ~self.taken.any(axis=0)
        mine, theirs = self.distances(free, me), self.distances(free, other)
        planes = np.zeros((8, HEIGHT, WIDTH), np.float32)
        planes[0] = 1.0
        planes[1], planes[2] = self.taken[self.turn], self.taken[1 - self.turn]
        planes[(3, *me)] = planes[(4, *other)] = 1.0
        planes[5], planes[6], planes[7] = mine < theirs, theirs < mine, mine < FAR
        moves = np.zeros((4, 2), np.float32)
        for move in self.moves():
            cell = self.entered(move)
            after = free.copy()
            after[cell] = False
            mine, theirs = self.distances(after, cell), self.distances(after, other)
            moves[move, 0] = (mine < FAR).sum() / CELLS
            moves[move, 1] = (float((mine < theirs).sum()) - float((theirs < mine).sum())) / CELLS
        return np.concatenate([planes.ravel(), moves.ravel()])
