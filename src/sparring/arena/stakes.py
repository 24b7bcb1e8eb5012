"""What a game is played for: the cube, the score, and how far the match goes. The board knows nothing of it."""

from dataclasses import dataclass, replace

from sparring.errors import MatchError

MOST_CUBE = 64  # as printed on the cube; it is turned no further


@dataclass(frozen=True)
class Stakes:
    """The state of play around the board. Raises MatchError, which names the value, for one that cannot be.

    Players are 0 and 1. In a match, the first game after a player has come within one point of winning is the
    Crawford game: nobody doubles in it. In later games both may again.
    """

    length: int = 0
    """Points that win the match; 0: money play, which has no end."""
    scores: tuple[int, int] = (0, 0)
    """Points of players 0 and 1; in money play what each has won so far."""
    cube: int = 1
    """A power of two, 1 to MOST_CUBE."""
    owner: int | None = None
    """Who has taken the last double and alone may turn the cube next; None: it is in the centre, and both may."""
    crawford: bool = False
    """This is the Crawford game."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", _whole("length", self.length))
        object.__setattr__(self, "cube", _whole("cube", self.cube))
        if not isinstance(self.scores, tuple) or len(self.scores) != 2:
            raise MatchError(f"scores is {self.scores!r}, but it must be a pair: the points of players 0 and 1")
        object.__setattr__(self, "scores", tuple(_whole("score", score) for score in self.scores))
        self._check_scores()
        self._check_cube()

    def _check_scores(self) -> None:
        if self.length < 0:
            raise MatchError(f"length is {self.length}, but a match is to 1 point or more (0: money play)")
        top = "" if self.money else f" to {self.length}, the length of the match"
        for score in self.scores:
            if score < 0 or (score > self.length and not self.money):
                raise MatchError(f"score is {score}, but it must be 0{top or ' or more'}")
        if not self.money and min(self.scores) == self.length:
            raise MatchError(f"scores are {self.scores}, but only one player can have won a match to {self.length}")
        if self.crawford and (self.money or self.length - 1 not in self.scores or self.over):
            raise MatchError(
                f"Crawford game at {self.scores}, but it is played where one player lacks one point of {self.length}"
            )
        if self.crawford and self.scores[0] == self.scores[1]:
            raise MatchError(f"Crawford game at {self.scores}, but where both lack one point it lies behind them")

    def _check_cube(self) -> None:
        if not 1 <= self.cube <= MOST_CUBE or self.cube & (self.cube - 1):
            raise MatchError(f"cube is {self.cube}, but it must be a power of two, 1 to {MOST_CUBE}")
        if self.owner not in (None, 0, 1):
            raise MatchError(f"owner is {self.owner!r}, but it must be 0, 1 or None")
        if (self.owner is None) != (self.cube == 1):
            where = "in the centre" if self.owner is None else f"owned by player {self.owner}"
            raise MatchError(f"cube at {self.cube} {where}, but it starts in the centre at 1, and who takes it owns it")
        if self.crawford and self.cube != 1:
            raise MatchError(f"cube is {self.cube}, but in the Crawford game it stays at 1")

    @property
    def money(self) -> bool:
        """Whether points are played for, and not a match."""
        return self.length == 0

    @property
    def over(self) -> bool:
        """Whether the match has been won."""
        return not self.money and max(self.scores) == self.length

    @property
    def winner(self) -> int | None:
        """Of the match; None before its end, and in money play."""
        return self.scores.index(self.length) if self.over else None

    @property
    def post_crawford(self) -> bool:
        """Whether the Crawford game has been played."""
        return self.length > 1 and max(self.scores) == self.length - 1 and not self.crawford

    def away(self, player: int) -> int:
        """Points that the player still lacks."""
        return self.length - self.scores[player]

    def may_double(self, player: int) -> bool:
        """Whether the rules let the player double, before he rolls."""
        idle = self.over or self.crawford or self.length == 1 or self.cube == MOST_CUBE
        return not idle and self.owner in (None, player)

    def doubled(self, player: int) -> "Stakes":
        """After the player's double was taken. MatchError where he may not."""
        self._may(player)
        return replace(self, cube=2 * self.cube, owner=1 - player)

    def dropped(self, player: int) -> "Stakes":
        """After the other has passed the player's double: the next game. MatchError where he may not double."""
        self._may(player)
        return self.after(1 if player == 0 else -1)

    def after(self, points: float) -> "Stakes":
        """The next game, after one that player 0 won by so many points, cube aside (below 0: player 1 won).

        A game without a result counts 0 points and is played again, the Crawford game too. A match's winner gets no
        more points than he lacks. Raises MatchError for a match that is over, or points that are not whole.
        """
        if self.over:
            raise MatchError(f"the match to {self.length} is over at {self.scores}; no game follows")
        won = _whole("points", points) * self.cube
        scores = [self.scores[0] + max(won, 0), self.scores[1] + max(-won, 0)]
        if self.money:
            return Stakes(0, (scores[0], scores[1]))
        first, second = (min(score, self.length) for score in scores)
        near, was_near = (self.length - 1 in pair for pair in ((first, second), self.scores))
        crawford = self.crawford if won == 0 else near and not was_near
        return Stakes(self.length, (first, second), crawford=crawford)

    def _may(self, player: int) -> None:
        if self.may_double(player):
            return
        if self.over:
            why = "the match is over"
        elif self.crawford:
            why = "this is the Crawford game"
        elif self.length == 1:
            why = "a match to 1 point is played without the cube"
        elif self.owner not in (None, player):
            why = f"the cube is player {self.owner}'s"
        else:
            why = f"the cube is at {self.cube} and turned no further"
        raise MatchError(f"player {player} cannot double: {why}")


def _whole(name: str, value: float) -> int:
    """The number as an int; MatchError where it is none."""
    try:
        if value == int(value):
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise MatchError(f"{name} is {value!r}, but it must be a whole number")
