"""Players that choose whole turns, in games with dice: the one after which a net sees the most points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.batch import Batch
from sparring.arena.cube import EFFICIENCY, CubeAdvice
from sparring.arena.equity import mirrored, per_cube, worths
from sparring.arena.handling import ByModel, ByNet
from sparring.arena.match_table import MatchTable
from sparring.arena.outside import OutsideJudge
from sparring.arena.stakes import Stakes
from sparring.games.game import Game
from sparring.search.expectimax import Lookahead
from sparring.search.turn_rules import RulesJudge
from sparring.search.turns import Worths


@dataclass(frozen=True)
class TurnOptions:
    """Options of `turn`."""

    net: str = "shipped"
    """File of the net that judges, or the folder of a run; `shipped`: the one that comes with the package."""
    judge: str = ""
    """Function of the rules file that judges, instead of a net: `pips`; in Abak `expert` too."""
    plies: int = 0
    """How many rolls and turns ahead it looks, 0 to 2; each takes some fifteen times as long as the one before."""
    cube: bool = True
    """Handle the cube; without it, it never doubles and always takes."""
    x: float = EFFICIENCY
    """Efficiency of the cube in Janowski's model, 0 (dead) to 1 (live)."""
    match: str = ""
    """File of a net of matches, by which it handles score and cube in matches, instead of the table and the model."""


class TurnPlayer:
    """Judges every turn that the dice allow and begins the best one; of a turn of several moves it keeps the rest.

    Where there is a cube or a match, it chooses by what the chances of results are worth there, and doubles, takes and
    passes by them. cube: the efficiency that it reckons with; None: it never doubles and always takes, as a judge does
    that tells no chances of results (it has no `outlook`). matches: by which it handles score and cube in matches;
    None: by the game's table and Janowski's model.
    """

    def __init__(
        self,
        game: Game,
        judge: Lookahead | RulesJudge | OutsideJudge,
        cube: float | None = EFFICIENCY,
        matches: ByNet | None = None,
    ) -> None:
        self.game, self.judge = game, judge
        self.handling = matches or ByModel(game.name, EFFICIENCY if cube is None else cube)
        self.outlook: Any = getattr(judge, "outlook", None)
        self.cube = cube if self.outlook else None
        self.lanes = 1 if judge.plies else 64  # one after the other: to end many long ones takes long
        self.plans: dict[int, dict[int, int]] = {}  # of each lane: from the key of a position to the move to play in it

    def begin(self, lane: int) -> None:
        """Forget what was planned in the last game."""
        self.plans.pop(lane, None)

    def choose(self, batch: Batch) -> list[int]:
        """The next move of the best turn for each position."""
        stakes: Sequence[Stakes | None] = batch.stakes or [None] * len(batch.lanes)
        return [self._move(*one) for one in zip(batch.states, batch.lanes, stakes, strict=True)]

    def offer(self, batch: Batch) -> list[bool]:
        """Whether to double, before its roll."""
        if self.cube is None:
            return [False] * len(batch.lanes)
        every = zip(batch.states, batch.stakes, batch.players, strict=True)
        return [bool(self.advice(state, stakes, player).doubles) for state, stakes, player in every]

    def accept(self, batch: Batch) -> list[bool]:
        """Whether to take a double."""
        if self.cube is None:
            return [True] * len(batch.lanes)
        every = zip(batch.states, batch.stakes, batch.players, strict=True)
        return [bool(self.advice(state, stakes, 1 - player).takes) for state, stakes, player in every]

    def advice(self, state: np.void, stakes: Stakes, roller: int) -> CubeAdvice:
        """The decision about the cube before that player's roll, in his name; of one mind with the other's answer.

        The chances are those that the other one's eyes see, who played last: a net has learned positions between turns
        with that player's eyes alone. Raises MatchError where he may not double. Only for a judge with an `outlook`.
        """
        return self.handling.advise(mirrored(self.outlook(state, 1 - roller)), stakes, roller)

    def table(self, stakes: Stakes) -> MatchTable | None:
        """What a match is reckoned by; None for money."""
        return self.handling.table(stakes)

    def stop(self) -> None:
        """End a look ahead."""
        self.judge.stop()

    def worths_at(self, state: np.void, stakes: Stakes | None) -> Worths:
        """What it chooses by: what results are worth there, in points at this cube."""
        if stakes is None:
            return None
        who, table = int(self.game.mover(state)), self.table(stakes)
        if self.cube is None:
            return per_cube(worths(stakes, who, table), stakes, who, table)

        def weigh(outcomes: np.ndarray) -> np.ndarray:
            values = self.handling.value(outcomes, stakes, who, 1 - who)
            return per_cube(values, stakes, who, table)

        return weigh

    def _move(self, state: np.void, lane: int, stakes: Stakes | None) -> int:
        own = int(self.game.key(state))
        if own not in self.plans.get(lane, {}):
            self.plans[lane] = self._plan(state, stakes)
        return self.plans[lane][own]

    def _plan(self, state: np.void, stakes: Stakes | None) -> dict[int, int]:
        """The moves of the best turn, each by the key of the position that it is played in."""
        here, plan = self.game.after(state), {}
        for move in self.judge.choose(state, self.worths_at(state, stakes)):
            plan[int(self.game.key(here))] = move
            self.game.play(here, move)
        return plan
