"""Rollouts: what a position is worth, by playing it out many times by a net's judgement, with the luck taken out.

The luck of a roll is how much the judgement after it, with the best turn played, differs from its mean over all rolls.
Its mean is nought, so taking it off the result of a game changes no expectation, but most of the scatter: the better
the net, the more (control variates, as in GNU Backgammon and Snowie). The first two rolls of the games are spread
evenly rather than drawn: the first is sampled systematically, both follow a lattice (Niederreiter 1992).
"""

import itertools
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.errors import PlayerError
from sparring.games.contract import CHANCE, ONGOING, mover, result
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.records import copy_record
from sparring.rng import draw_unit, seeded
from sparring.search import expectimax, turns
from sparring.search.expectimax import FALSE, MOST_PLIES, ROOT
from sparring.search.turns import points_for
from sparring.threads import on_threads

LONGEST = 2000  # turns after which a game is judged as it stands
GOLDEN = (5**0.5 - 1) / 2
SPREAD = 2  # rolls that are spread evenly over the games
ENDS = 3  # set by `join`, as are the kernels: how many RESULTS there are
DEEP = False  # set by `join`: whether turns are chosen with lookahead


def room_dtype(game: Game, plies: int) -> np.dtype:
    """dtype of the memory of a game. state: where it stands; next: after the roll and its turn; luck: of the roll.

    ahead: for the rolls; plays: for choosing turns with lookahead.
    """
    ends = len(game.RESULTS)
    return np.dtype(
        [
            ("state", game.STATE),
            ("next", game.STATE),
            ("luck", "f8", (ends,)),
            ("found", "f4", (ends,)),
            ("ahead", expectimax.ply_dtype(game, 1)),
            ("plays", expectimax.ply_dtype(game, max(plies, 1))),
        ],
        align=True,
    )


def all_rolls(state, room):  # set by `join`, from expectimax
    raise NotImplementedError


def best_turn(state, room, work):  # set by `join`
    raise NotImplementedError


def best_play(state, room, work):  # set by `join`: with lookahead
    raise NotImplementedError


def outlook(state, who, near, work, outcome):  # set by `join`
    raise NotImplementedError


@compiled
def place_of(share, chances, n):
    """Which of n outcomes, laid end to end by their chances, lies at `share`, 0 to 1."""
    for i in range(n - 1):
        share -= chances[i]
        if share < 0.0:
            return i
    return n - 1


@compiled
def seen_by(outcome, turned, out):
    """Copy chances of RESULTS, turned round if they are as the other player sees them."""
    for k in range(ENDS):
        out[ENDS - 1 - k if turned else k] = outcome[k]


@compiled
def turn_after(here, eyes, room, work):
    """Play the best turn in `here`, after a roll: into room["next"], and into "found" its chances as `eyes` sees it."""
    if result(here) != ONGOING or mover(here) == CHANCE:
        copy_record(here, room["next"])
        outlook(here, eyes, FALSE, work, room["found"])
        return
    replies = room["ahead"]["below"]
    best, _ = best_turn(here, replies, work)
    copy_record(replies["states"][best], room["next"])
    seen_by(replies["outcomes"][best], mover(here) != eyes, room["found"])


@compiled
def play_turn(eyes, room, work, share, fair):
    """Roll, at `share` of the rolls, and play on. fair: reckon the roll's luck too, else it is nought.

    Left in room["found"]: the chances then, as whoever chose the turn judged it, and `eyes` sees it.
    """
    luck, found, ahead, plays = room["luck"], room["found"], room["ahead"], room["plays"]
    n = all_rolls(room["state"], ahead)
    pick = place_of(share, ahead["chances"], n)
    for k in range(ENDS):
        luck[k] = 0.0
    if fair and n > 1:
        for i in range(n):
            if i != pick:
                turn_after(ahead["rolled"][i], eyes, room, work)
                for k in range(ENDS):
                    luck[k] -= ahead["chances"][i] * found[k]
    here = ahead["rolled"][pick]
    turn_after(here, eyes, room, work)
    if fair and n > 1:
        for k in range(ENDS):
            luck[k] += (1.0 - ahead["chances"][pick]) * found[k]
    if DEEP and result(here) == ONGOING and mover(here) != CHANCE:
        best_play(here, plays, work)
        copy_record(plays["states"][0], room["next"])
        seen_by(plays["outcomes"][0], mover(here) != eyes, found)
    copy_record(room["next"], room["state"])


@compiled
def play_out(eyes, room, work, shares, rng, most, fair, out):
    """Play the game in room["state"] on for `most` turns: its result, or the judgement then, into out (results,).

    out: float64, chances as `eyes` sees RESULTS, less the luck of all rolls if fair. shares: where among the rolls the
    first ones lie; the others are drawn from rng. Returns how many turns were played.
    """
    for k in range(ENDS):
        out[k] = 0.0
    outlook(room["state"], eyes, FALSE, work, room["found"])
    played = 0
    while played < most and result(room["state"]) == ONGOING:
        share = shares[played] if played < shares.shape[0] else draw_unit(rng)
        play_turn(eyes, room, work, share, fair)
        for k in range(ENDS):
            out[k] -= room["luck"][k]
        played += 1
    for k in range(ENDS):
        out[k] += room["found"][k]
    return played


@dataclass(frozen=True)
class Rolled:
    """What a rollout found. samples: (games, results) float64, each game's chances of RESULTS as the viewer sees them.

    With the luck taken out a single one may lie outside 0 to 1; only their mean tells chances. points: (results,) of
    RESULTS as the viewer sees them. turns: the mean length of a game.
    """

    samples: np.ndarray
    points: np.ndarray
    turns: float

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.samples)

    @property
    def chances(self) -> np.ndarray:
        """(results,): of each result."""
        return self.samples.mean(0)

    @property
    def errors(self) -> np.ndarray:
        """(results,): their standard errors, as if all rolls had been drawn: rather too large."""
        return self.samples.std(0, ddof=1) / self.games**0.5

    @property
    def equity(self) -> float:
        """Points the viewer can expect."""
        return self.worth(self.points)[0]

    @property
    def error(self) -> float:
        """Its standard error."""
        return self.worth(self.points)[1]

    def worth(self, worths: np.ndarray) -> tuple[float, float]:
        """The mean, and its standard error, where the results are worth these (results,) to the viewer."""
        values = self.samples @ worths
        return float(values.mean()), float(values.std(ddof=1) / self.games**0.5)


class Rollouts:
    """Rolls positions out by a net's judgement, on threads. plies: of lookahead for each turn that is played."""

    def __init__(self, game: Game, net: Net, plies: int = 0, threads: int = 1, where: str = "the net") -> None:
        if not 0 <= plies <= MOST_PLIES:
            raise PlayerError(f"plies is {plies}, but it must be 0 to {MOST_PLIES}")
        if threads < 1:
            raise PlayerError(f"threads is {threads}, but it must be at least 1")
        self.game = game
        judge = turns.judge_by(game, net, where)
        self.play_out = join(judge, plies)
        self.rooms: list[tuple[Any, Any]] = []
        for _ in range(threads):
            room = np.zeros(1, room_dtype(game, plies))[0]
            expectimax.set_filters(room["plays"], plies, ROOT)
            self.rooms.append((room, judge.weights()))
        self.stopping = threading.Event()
        self.done = 0

    def stop(self) -> None:
        """End `run` soon, with the games that are done (from another thread)."""
        self.stopping.set()

    def run(
        self, state: np.void, eyes: int, games: int = 1296, turns: int = 0, luck: bool = False, seed: int = 1
    ) -> Rolled:
        """Roll a position out, best one after a turn or before a roll, as player `eyes` sees it.

        games: 2 or more; in multiples of 36 the first roll of two dice is spread exactly. turns: after which a game is
        judged as it stands; 0: it is played to its end. luck: leave it in. The result depends on the seed and on no
        thread. Raises PlayerError for numbers that cannot be.
        """
        if games < 2:
            raise PlayerError(f"games is {games}, but a rollout plays 2 or more")
        if turns < 0:
            raise PlayerError(f"turns is {turns}, but it must be 0 (to the end) or more")
        found, lengths = np.zeros((games, len(self.game.RESULTS))), np.full(games, -1)
        shares, numbers = spread(games, seed), itertools.count()
        self.stopping.clear()
        self.done = 0

        def work(thread: int) -> None:
            room, weights = self.rooms[thread]
            while (i := next(numbers)) < games and not (self.stopping.is_set() and self.done > 1):
                room["state"] = state
                rng, most = seeded(seed, i), turns or LONGEST
                lengths[i] = self.play_out(eyes, room, weights, shares[i], rng, most, not luck, found[i])
                self.done += 1

        on_threads(len(self.rooms), work, self.stop)
        over = lengths >= 0
        return Rolled(found[over], points_for(self.game, eyes), float(lengths[over].mean()))


def spread(games: int, seed: int) -> np.ndarray:
    """(games, SPREAD): where among the rolls the first ones of each game lie, 0 to 1; in an order that is shuffled.

    Each column is uniform, so that nothing is biased, and as even as can be.
    """
    random = np.random.default_rng([seed, games])
    order = random.permutation(games)
    first, second = random.random(2)
    return np.stack([(order + first) / games, (order * GOLDEN + second) % 1.0], axis=1)


def join(judge: turns.Judge, plies: int) -> Any:
    """`play_out` joined to a judge, and to so many plies of lookahead."""
    plied = expectimax.join(judge, max(plies, 1))
    names = {"all_rolls": plied[0].all_rolls, "best_play": plied[-1].best_ahead, "DEEP": plies > 0}
    return judge.game.bind("search.rollouts", **judge.kernels, **names, ENDS=len(judge.game.RESULTS)).play_out
