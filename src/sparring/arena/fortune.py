"""Results of matches without the luck of the dice: of the same mean, and surer by far.

From each result what its rolls were worth beyond expectation is taken off, by a net's judgement and at the stakes of
that moment. The mean of luck is nought whatever the net, so nothing is biased; a good net leaves little scatter
(control variates, as in the luck-adjusted results of GNU Backgammon and Snowie).
"""

import numpy as np

from sparring.arena.equity import worths
from sparring.arena.match_equity import table_for
from sparring.arena.player import Entry
from sparring.arena.roller import Rollers
from sparring.arena.stakes import Stakes
from sparring.arena.under_way import GameRecord, PairRecord, Terms
from sparring.errors import MatchError
from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.search.luck import Luck


class Fortune:
    """Reckons the luck in records of games. by: label of the player whose net judges; MatchError where none has one."""

    def __init__(self, game: Game, terms: Terms, *players: Entry) -> None:
        nets = [(player, net) for player in players if isinstance(net := player.net, Net) and net.head == "results"]
        if not nets or not game.defines("chance"):
            raise MatchError("luck is judged by the net of a player such as turn:net=PATH, in a game with dice")
        (player, net), *_ = nets
        self.game, self.terms, self.by = game, terms, player.label
        self.luck = Luck(game, net, player.text)
        self.rollers = Rollers(game)

    def fair(self, pair: PairRecord) -> float:
        """The pair's value (`PairRecord.value`) without luck."""
        return pair.value - sum(map(self.of, pair.games)) / 2

    def of(self, record: GameRecord) -> float:
        """What the dice gave the first player in a game, or in a match, beyond what could be expected."""
        sign, stakes, total = 1 if record.first else -1, self.terms.stakes, 0.0
        for game in record.games or (record,):
            luck, last = self._in_game(game, stakes)
            total += sign * luck
            if last and record.games:
                stakes = last.after(round(game.value * sign / last.cube))
        return total

    def _in_game(self, record: GameRecord, stakes: Stakes | None) -> tuple[float, Stakes | None]:
        """(What the dice gave player 0, the stakes at the end of the game, before a double that was passed)."""
        doubles, total = dict(record.doubles), 0.0
        state = self.game.states(1)[0]
        for ply, move in enumerate(record.moves):
            if self.game.mover(state) == CHANCE:
                if stakes and doubles.get(ply):
                    stakes = stakes.doubled(self.rollers.of(state))
                total += float(self.luck.shift(state, move) @ self._worths(stakes))
            self.game.play(state, move)
        return total, stakes

    def _worths(self, stakes: Stakes | None) -> np.ndarray:
        """(results,): what RESULTS are worth to player 0; in a match from −1, lost, to 1."""
        if stakes is None:
            return np.array(self.game.RESULTS)
        if stakes.money:
            return worths(stakes, 0)
        return 2 * worths(stakes, 0, table_for(self.game.name, stakes.length)) - 1
