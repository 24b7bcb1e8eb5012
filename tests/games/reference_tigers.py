"""Tigers and Sheep once more, slow and obvious: sets of points named as on the board, moves written out as text."""

from dataclasses import dataclass

COLUMNS, ROWS = "abcde", "12345"
POINTS = [c + r for c in COLUMNS for r in ROWS]


def point(x: int, y: int) -> str | None:
    return COLUMNS[x] + ROWS[y] if 0 <= x < 5 and 0 <= y < 5 else None


def lines_from(at: str) -> list[tuple[str | None, str | None]]:
    """For each line that leaves a point: the next point on it, and the one behind."""
    x, y = COLUMNS.index(at[0]), ROWS.index(at[1])
    straight = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    slanting = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    joined = straight + slanting if (x + y) % 2 == 0 else straight
    return [(point(x + dx, y + dy), point(x + 2 * dx, y + 2 * dy)) for dx, dy in joined]


@dataclass
class Board:
    tigers: set[str]
    sheep: set[str]
    hand: int = 20
    captured: int = 0
    tigers_turn: bool = False

    @classmethod
    def first(cls) -> "Board":
        return cls({"a1", "a5", "e1", "e5"}, set())

    def empty(self, at: str | None) -> bool:
        return at is not None and at not in self.tigers and at not in self.sheep

    def moves(self) -> set[str]:
        if not self.tigers_turn and self.hand > 0:
            return {at for at in POINTS if self.empty(at)}
        own = self.tigers if self.tigers_turn else self.sheep
        found = {f"{at}-{near}" for at in own for near, _ in lines_from(at) if self.empty(near)}
        if self.tigers_turn:
            jumps = ((at, near, far) for at in own for near, far in lines_from(at))
            found |= {f"{at}x{far}" for at, near, far in jumps if near in self.sheep and self.empty(far)}
        return found

    def play(self, move: str) -> None:
        own = self.tigers if self.tigers_turn else self.sheep
        if len(move) == 2:
            self.sheep.add(move)
            self.hand -= 1
        else:
            start, end = move[:2], move[3:]
            own.remove(start)
            own.add(end)
            if move[2] == "x":
                (taken,) = {near for near, far in lines_from(start) if far == end}
                self.sheep.remove(taken)
                self.captured += 1
        self.tigers_turn = not self.tigers_turn

    def winner(self) -> str | None:
        if self.captured == 5:
            return "tigers"
        if self.moves():
            return None
        return "sheep" if self.tigers_turn else "tigers"
