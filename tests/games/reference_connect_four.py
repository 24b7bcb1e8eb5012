"""Connect Four once more, slow and obvious: seven lists of stones, and a look along every line."""

from dataclasses import dataclass, field

DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
LINES = [
    [(x + i * dx, y + i * dy) for i in range(4)]
    for x in range(7)
    for y in range(6)
    for dx, dy in DIRECTIONS
    if 0 <= x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
]


@dataclass
class Board:
    columns: list[list[str]] = field(default_factory=lambda: [[] for _ in range(7)])
    turn: str = "X"

    def moves(self) -> list[int]:
        return [x for x in range(7) if len(self.columns[x]) < 6]

    def play(self, column: int) -> None:
        self.columns[column].append(self.turn)
        self.turn = "O" if self.turn == "X" else "X"

    def at(self, x: int, y: int) -> str:
        return self.columns[x][y] if y < len(self.columns[x]) else "."

    def winner(self) -> str | None:
        for line in LINES:
            stones = {self.at(x, y) for x, y in line}
            if stones in ({"X"}, {"O"}):
                return stones.pop()
        return None

    def result(self) -> int | None:
        """Which of loss, draw, win for X; None while the game goes on."""
        winner = self.winner()
        if winner:
            return 2 if winner == "X" else 0
        return None if self.moves() else 1
