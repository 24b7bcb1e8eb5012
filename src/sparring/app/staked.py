"""A game with the doubling cube on its way: each double and its answer, what is at stake, and how it ends."""

from dataclasses import dataclass, field, replace

from sparring.app.course import Course, Ending
from sparring.arena.roller import NOBODY, Rollers
from sparring.arena.stakes import Stakes
from sparring.errors import GameError
from sparring.games.contract import CHANCE

DOUBLE, TAKE, PASS = "double", "take", "pass"
SIZES = {1: "", 2: " a gammon", 3: " a backgammon"}  # what a player who resigns gives up


@dataclass(frozen=True)
class Double:
    """ply: moves before it. player: who doubled, 0 or 1. taken: None until the other has answered."""

    ply: int
    player: int
    taken: bool | None = None


@dataclass
class Staked(Course):
    """begun: the stakes at the start of the game. doubles: the last may wait for its answer.

    resigned: who gave up, and how many points, cube aside.
    """

    begun: Stakes = field(default_factory=Stakes)
    doubles: list[Double] = field(default_factory=list)
    resigned: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.rollers = Rollers(self.game)

    @property
    def stakes(self) -> Stakes:
        """What is played for now."""
        stakes = self.begun
        for double in self.doubles:
            stakes = stakes.doubled(double.player) if double.taken else stakes
        return stakes

    @property
    def offered(self) -> Double | None:
        """The double that waits for its answer."""
        return self.doubles[-1] if self.doubles and self.doubles[-1].taken is None else None

    @property
    def doubler(self) -> int | None:
        """Who has doubled and waits, or else may double now, before his roll; None: nobody."""
        if self.offered:
            return self.offered.player
        if self.mover != CHANCE:
            return None
        player = self.rollers.of(self.state)
        return player if player != NOBODY and self.stakes.may_double(player) else None

    def double(self) -> None:
        """Whoever may doubles; GameError where nobody may."""
        player = self.doubler
        if player is None or self.offered:
            raise GameError("nobody may double here: before a roll, who has the cube, and not in the Crawford game")
        self.doubles.append(Double(len(self.moves), player))

    def answer(self, taken: bool) -> None:
        """The other takes or passes."""
        self.doubles[-1] = replace(self.doubles[-1], taken=taken)

    def take_back(self, moves: int) -> None:
        """Forget the last so many moves, and doubles since."""
        super().take_back(moves)
        self.doubles = [double for double in self.doubles if double.ply <= len(self.moves)]

    def take_back_double(self) -> None:
        """Forget the last double, and the moves since."""
        last = self.doubles.pop()
        self.take_back(len(self.moves) - last.ply)

    def read(self, word: str) -> None:
        """A move or a turn, a double, or its answer."""
        if self.offered:
            if word not in (TAKE, PASS):
                raise GameError(f"a double is answered by take or pass, not by {word!r}")
            self.answer(word == TAKE)
        elif word == DOUBLE:
            self.double()
        else:
            super().read(word)

    @property
    def words(self) -> list[str]:
        """Moves by name, and what was said to the cube between them."""
        names, words = self.names, list[str]()
        for ply in range(len(names) + 1):
            for double in self.doubles:
                if double.ply == ply:
                    words += [DOUBLE] if double.taken is None else [DOUBLE, TAKE if double.taken else PASS]
            words += names[ply : ply + 1]
        return words

    @property
    def ending(self) -> Ending | None:
        """How the game ended, the cube counted in, or None while it goes on."""
        cube, names = self.stakes.cube, self.game.players
        if self.resigned:
            who, points = self.resigned
            return Ending(cube * (points if who else -points), f"{names[who]} resigned{SIZES[points]}")
        if self.doubles and self.doubles[-1].taken is False:
            who = self.doubles[-1].player
            return Ending(cube * (-1 if who else 1), f"{names[1 - who]} passed")
        ending = super().ending
        return ending and Ending(ending.value * cube, ending.why)

    @property
    def next(self) -> Stakes:
        """Of the game that follows, once this one is over."""
        stakes, ending = self.stakes, self.ending
        assert ending is not None
        return stakes.after(ending.value / stakes.cube)
