"""What a tree search found in a position: chances, visits, values and priors, for people and for programs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.app.course import line_names
from sparring.app.sheet import Rows, columns_of, table, under_columns
from sparring.app.words import ENDS, Chances, chances_told, percent, proof_cell, proof_told, signed
from sparring.arena.mcts_player import Opinion
from sparring.arena.player import Entry
from sparring.games.game import Game
from sparring.search.reading import Proof

SHOWN = 8  # moves of a line
BESIDE = 5  # moves to follow an opponent's, where they have no columns


@dataclass(frozen=True)
class Visits:
    """by: who searched. proof: of the position; proofs: of each move. line: what is expected.

    most: how many moves people want to see, where they have no columns. searched: or is it the policy alone? seconds:
    that it took.
    """

    game: Game
    state: np.void
    by: Entry
    opinion: Opinion
    proof: Proof | None
    proofs: list[Proof | None]
    line: list[int]
    most: int
    searched: bool
    seconds: float

    @property
    def move(self) -> int:
        """The best move."""
        return self.opinion.move

    @property
    def name(self) -> str:
        """Of the player to move."""
        return self.game.players[int(self.game.mover(self.state))]

    @property
    def names(self) -> list[str]:
        """Of the moves, best first."""
        found = self.opinion
        order = np.lexsort((-found.priors, -found.visits, -found.policy, found.moves != found.move))
        return [self.game.move_name(self.state, int(move)) for move in found.moves[order]]

    @property
    def outlook(self) -> str:
        """What is expected, or known: `chances X 61 %, draw 30 %, O 9 %`, `proven: a win for X in 5 plies`."""
        if self.proof:
            return f"proven: {proof_told(self.proof, self.name)}"
        chances = chances_of(self.game, self.state, self.opinion.outcome)
        return chances_told(self.game, chances, int(self.game.mover(self.state)))

    def values(self) -> list[float]:
        """The expected result of each move, for the player to move; nan where nothing was looked at."""
        results = np.array([value for value, _ in chances_of(self.game, self.state, self.opinion.outcome)])
        return [float(outcome @ results) for outcome in self.opinion.results]

    def expects(self) -> str:
        """To follow the move; nothing where the move ends the game."""
        at = int(np.flatnonzero(self.opinion.moves == self.move)[0])
        proof = self.proofs[at]
        return "" if proof and proof.exact and proof.plies == 1 else f": {self.outlook}"

    def beside(self) -> list[str]:
        """More to follow the move: how often the search looked at each."""
        row = dict(list(self.rows().items())[:1])
        cells = columns_of(self.game, self.state)
        if cells:
            return under_columns(cells[-1:], row)
        ((label, said),) = row.items()
        best = ", ".join(f"{name} {said[name]}" for name in self.names[:BESIDE])
        return [f"{label}: {best}{f', of {self.opinion.simulations}' if self.searched else ''}"]

    def rows(self) -> Rows:
        """What to say of each move. Without a search there is only the policy."""
        found = self.opinion
        names = [self.game.move_name(self.state, int(move)) for move in found.moves]
        priors = dict(zip(names, map(percent, found.priors), strict=True))
        if not self.searched:
            return {"policy": priors}
        values = ["" if np.isnan(value) else signed(value) for value in self.values()]
        told = [proof_cell(proof) if proof else value for proof, value in zip(self.proofs, values, strict=True)]
        visits = dict(zip(names, map(str, found.visits), strict=True))
        judged = {"prior": priors} if self.by.net else {}  # random games have none
        return {"visits": visits, "value": dict(zip(names, told, strict=True)), **judged}

    def hint(self) -> list[str]:
        """Who says so, the outlook, the line; and the best moves, where they have no columns."""
        return [f"{self.by.text}, {self._looked()}, for {self.name}:", *self._told()]

    def report(self) -> list[str]:
        """The same, with the time it took."""
        took = f" in {self.seconds:.2g} s" if self.searched else ""
        return [f"{self.by.label}, {self._looked()}{took}", f"Best for {self.name}, who is to move:", *self._told()]

    def _looked(self) -> str:
        simulations = self.opinion.simulations
        return f"{simulations:,} simulation{'s' * (simulations != 1)}" if self.searched else "without a search"

    def _told(self) -> list[str]:
        names = line_names(self.game, self.state, self.line[: SHOWN + 1])
        rest = f", then {' '.join(names[1:SHOWN])}{' …' if len(names) > SHOWN else ''}" if len(names) > 1 else ""
        found = [f"  {names[0]}{rest}", *([f"  {self.outlook}"] if self.searched else [])]
        if not columns_of(self.game, self.state):
            found += [f"  {line}" for line in table(self.names[: self.most], self.rows())]
        return found

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        found = self.opinion
        at = zip(found.moves, found.visits, found.priors, found.policy, self.values(), self.proofs, strict=True)
        moves = [
            {
                "move": self.game.move_name(self.state, int(move)),
                "visits": int(visits),
                "prior": float(prior),
                "policy": float(policy),
                "value": None if np.isnan(value) else value,
                "proven": proof and proof_json(proof),
            }
            for move, visits, prior, policy, value, proof in at
        ]
        order = {name: place for place, name in enumerate(self.names)}
        chances = chances_of(self.game, self.state, found.outcome)
        line = line_names(self.game, self.state, self.line)
        end = self.proof.plies if self.proof and self.proof.exact else None
        return {
            "simulations": found.simulations,
            "value": found.value,
            "outcome": [{"result": value, "chance": chance} for value, chance in chances],
            "proven": self.proof and proof_json(self.proof),
            "candidates": sorted(moves, key=lambda row: order[row["move"]]),
            "lines": [{"moves": line, "value": found.value, "plies_to_end": end}],
        }


def chances_of(game: Game, state: np.void, outcome: np.ndarray) -> Chances:
    """(result, chance) for the player to move of an outcome as that player sees it, loss first."""
    sign = 1 if int(game.mover(state)) == 0 else -1
    return [(sign * value + 0.0, float(p)) for value, p in zip(game.RESULTS[::sign], outcome, strict=True)]


def proof_json(proof: Proof) -> dict[str, Any]:
    """A proof for a program; the result is that of the player to move."""
    return {"result": ENDS[proof.winner], "plies": proof.plies, "exact": proof.exact}
