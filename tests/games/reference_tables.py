"""The board of backgammon and Abak once more, slow and obvious: stacks as lists, plays by trying out all sequences.

A checker is (owner, letter), a letter of "SGNDEO". Points are numbered as player 0 counts them; `own` numbers are those
of the player who moves.
"""

from dataclasses import dataclass, field, replace

LETTERS = "SGNDEO"
Checker = tuple[int, str]
Step = tuple[str, int, int, str]  # "point" and its own number, or "bar" and the place of the letter; die; "+" or "-"

BACKGAMMON = {24: "SS", 13: "SSSSS", 8: "SSS", 6: "SSSSS"}
ABAK = {24: "ED", 23: "OS", 13: "SSGS", 8: "SGS", 6: "SSSN"}


def own_number(side: int, point: int) -> int:
    return point if side == 0 else 25 - point


@dataclass
class Table:
    points: dict[int, list[Checker]] = field(default_factory=lambda: {p: [] for p in range(1, 25)})
    bar: list[Checker] = field(default_factory=list)
    off: list[Checker] = field(default_factory=list)
    limit: int = 15
    turn: int = 0
    dice: list[int] = field(default_factory=list)  # still to be played
    general: str = ""  # "stepped" or "retreated", in this turn

    @classmethod
    def first(cls, army: dict[int, str], limit: int) -> "Table":
        table = cls(limit=limit)
        for side in (0, 1):
            for own, letters in army.items():
                table.points[own_number(side, own)] = [(side, letter) for letter in letters]
        return table

    # --- looking ---------------------------------------------------------------------------------------------

    def at(self, side: int, own: int) -> list[Checker]:
        return self.points[own_number(side, own)]

    def free(self, side: int, own: int, whose: int) -> list[Checker]:
        """The checkers of `whose` on a point that are not under an enemy druid."""
        stack = self.at(side, own)
        trapped = [
            i
            for i in range(len(stack) - 1)
            if stack[i + 1] == (1 - stack[i][0], "D")  # the druid that trapped it sits right on it
        ]
        return [c for i, c in enumerate(stack) if c[0] == whose and i not in trapped]

    def trapped(self, side: int) -> list[int]:
        """Own numbers of the points where a checker of `side` is trapped."""
        return [p for p in range(1, 25) if len(self.free(side, p, side)) < sum(c[0] == side for c in self.at(side, p))]

    def on_bar(self, side: int) -> list[Checker]:
        return [c for c in self.bar if c[0] == side]

    def everywhere(self, side: int) -> list[int]:
        """The own numbers of all checkers of a side; 25 on the bar, 0 off."""
        places = [p for p in range(1, 25) for c in self.at(side, p) if c[0] == side]
        return places + [25] * len(self.on_bar(side)) + [0] * sum(c[0] == side for c in self.off)

    def pips(self, side: int) -> int:
        return sum(self.everywhere(side))

    def left(self, side: int) -> int:
        return sum(p > 0 for p in self.everywhere(side))

    # --- what a checker may do -------------------------------------------------------------------------------

    def may_land(self, checker: Checker, own: int) -> bool:
        side, letter = checker
        enemies = self.free(side, own, 1 - side)
        if len(enemies) >= 2:
            return False
        if len(enemies) == 1:
            guard = enemies[0][1] == "G"
            return not guard or letter == "G" or (letter == "D" and 7 <= own <= 18)
        return len(self.at(side, own)) < self.limit

    def may_use(self, checker: Checker, die: int) -> bool:
        return not (checker[1] == "E" and die % 2 == 1) and not (checker[1] == "O" and die % 2 == 0)

    def may_bear_off(self, side: int, own: int, die: int) -> bool:
        places = self.everywhere(side)
        if max(places) > 6 or self.trapped(side):
            return False
        return die == own or (die > own and own == max(places))

    def steps(self) -> list[Step]:
        """All single steps by any of the dice, whatever can be played after them."""
        found: list[Step] = []
        for die in sorted(set(self.dice)):
            if waiting := self.on_bar(self.turn):
                for checker in sorted(set(waiting)):
                    if self.may_use(checker, die) and self.may_land(checker, 25 - die):
                        found.append(("bar", LETTERS.index(checker[1]), die, "+"))
                continue
            for own in range(1, 25):
                stack = self.at(self.turn, own)
                if stack and stack[-1][0] == self.turn and self.may_use(stack[-1], die):
                    found += [("point", own, die, way) for way in "+-" if self.may_step(stack[-1], own, die, way)]
        return found

    def may_step(self, checker: Checker, own: int, die: int, way: str) -> bool:
        side, letter = checker
        if way == "-":
            others = self.everywhere(side)
            others.remove(own)
            if letter != "N" or self.general or max(others, default=0) <= 6 or own + die > 24:
                return False
            return self.may_land(checker, own + die)
        if letter == "N" and self.general == "retreated":
            return False
        if own > die:
            return self.may_land(checker, own - die)
        return self.may_bear_off(side, own, die)

    # --- moving ----------------------------------------------------------------------------------------------

    def copy(self) -> "Table":
        points = {point: list(stack) for point, stack in self.points.items()}
        return replace(self, points=points, bar=list(self.bar), off=list(self.off), dice=list(self.dice))

    def after(self, step: Step) -> "Table":
        table = self.copy()
        table.do(step)
        return table

    def do(self, step: Step) -> None:
        place, number, die, way = step
        side = self.turn
        self.dice.remove(die)
        if place == "bar":
            checker, own = (side, LETTERS[number]), 25
            self.bar.remove(checker)
        else:
            own = number
            checker = self.at(side, own).pop()
            if checker[1] == "N":
                self.general = "stepped" if way == "+" else "retreated"
        to = own - die if way == "+" else own + die
        if to <= 0:
            self.off.append(checker)
            return
        enemies = self.free(side, to, 1 - side)
        stack = self.at(side, to)
        if len(enemies) == 1:
            holds = enemies[0][1] == "D" and len(stack) > 1
            if checker[1] != "D" or not 7 <= to <= 18 or holds:
                self.bar.append(stack.pop())
        stack.append(checker)

    def play(self, step: Step | None) -> None:
        """A step, or None for a pass; then the turn ends, if nothing more can be played and the game goes on."""
        if step:
            self.do(step)
        if self.left(self.turn) > 0 and not self.legal():
            self.turn, self.dice, self.general = 1 - self.turn, [], ""

    def roll(self, a: int, b: int) -> None:
        self.dice = [a] * 4 if a == b else [a, b]

    def most(self) -> int:
        """How many of the dice can be played at most, found by trying all sequences."""
        best = 0
        for step in self.steps():
            best = max(best, 1 + self.after(step).most())
            if best == len(self.dice):
                break
        return best

    def legal(self) -> list[Step]:
        """The steps that begin a sequence of the most dice; of two dice where one can be played, with the larger."""
        most = self.most()
        if most == 0:
            return []
        found = [step for step in self.steps() if 1 + self.after(step).most() == most]
        if most == 1 and len(set(self.dice)) == 2:
            larger = [step for step in found if step[2] == max(self.dice)]
            return larger or found
        return found

    def result(self) -> int | None:
        """The points, for player 0, of a game that is over."""
        for winner in (0, 1):
            if self.left(winner) == 0:
                loser = 1 - winner
                places = self.everywhere(loser)
                points = 1
                if 0 not in places:
                    points = 3 if any(place > 18 for place in places) else 2
                return points if winner == 0 else -points
        return None
