"""Players by tree search: with a net on a batch engine, or by random games; and a net's policy alone."""

import functools
import math
import pathlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.arena.batch import Batch
from sparring.errors import PlayerError
from sparring.games.game import Game
from sparring.nets import engines, move_net, weights
from sparring.nets.move_net import MoveNet, MoveShape
from sparring.nets.tower import Shape, Tower
from sparring.rng import draw_index
from sparring.search.fleet import Fleet
from sparring.search.gauge import longest_game, usual_lookahead
from sparring.search.tree import MOST_LOOKAHEAD, Selection, room_for

LANES = 64  # games at once
TRIAL = 64  # simulations that tell how fast searches are
SMOOTH = 0.1  # how much of the newest speed is believed
FASTEST, MEMORY = 1000, 1 << 30  # simulations a millisecond that memory is made for, as long as there is so much
BATCHES = (1, 8, LANES)  # an engine's batch is the smallest of these that the positions fit in


@dataclass(frozen=True)
class MctsOptions:
    """Options of `mcts`. Without a net random games judge, and UCT selects."""

    sims: int = 100
    """Simulations a move, 2 to 1000000."""
    ms: float = 0.0
    """Milliseconds a move on average, instead of sims: as many simulations as that takes here; 0: sims count."""
    net: str = ""
    """File of a net or folder of a run; `shipped`: the net that comes with the package. Empty: random games."""
    rule: str = ""
    """gumbel (the usual one with a net), puct, or uct (the usual one without)."""
    puct: float = 0.0
    """Exploration of puct and uct; 0: 1.5 with a net, 1 without."""
    haste: float = -1.0
    """How much a win loses of its worth when it comes at the end of the longest game; -1: 0.45 with a net, else 0."""
    lookahead: int = -1
    """Plies of alpha-beta by which each move of a new node is tried, 0 to 8; -1: by the game with a net, else none."""
    engine: str = "auto"
    """What runs the net: auto, openvino, openvino-int8, torch …"""
    cache: float = 64.0
    """Megabytes of the cache of judgements."""

    def selection(self, game: Game) -> Selection:
        """As the search wants it."""
        rule = self.rule or ("gumbel" if self.net else "uct")
        puct = self.puct or (1.5 if self.net else 1.0)
        haste = self.haste if self.haste >= 0 else (0.45 if self.net else 0.0)
        ahead = self.lookahead if self.lookahead >= 0 else (usual_lookahead(game) if self.net else 0)
        return Selection(rule=rule, puct=puct, haste=haste, lookahead=ahead)


@dataclass(frozen=True)
class PolicyOptions:
    """Options of `policy`."""

    net: str = "shipped"
    """File of a net or folder of a run; `shipped`: the net that comes with the package."""
    temperature: float = 0.0
    """0: the likeliest move; 1: a move by its chance; between, above: likely moves more often, less often than that."""
    engine: str = "auto"
    """What runs the net: auto, openvino, openvino-int8, torch …; a MoveNet: native, numpy"""


@dataclass(frozen=True)
class Opinion:
    """What a search thinks of a position, as the player to move sees it.

    moves, visits, policy, values: of the legal moves; a value is the expected utility, nan where nothing was looked at.
    outcome: chances of the RESULTS (loss … win). value: expected result. proven: whether the result is certain.
    priors, own: policy and outcome before any search. results: (moves, RESULTS) mean outcome below each move, nan where
    nothing was looked at. bounds: (moves, 2) between which utilities each move is proven to lie; bound: the position.
    """

    move: int
    outcome: np.ndarray
    value: float
    moves: np.ndarray
    visits: np.ndarray
    policy: np.ndarray
    values: np.ndarray
    simulations: int
    proven: bool
    priors: np.ndarray
    own: np.ndarray
    results: np.ndarray
    bounds: np.ndarray
    bound: np.ndarray


class MctsPlayer:
    """Searches every position of a batch at once; nothing is kept between moves but the cache of judgements."""

    lanes = LANES

    def __init__(
        self, game: Game, net: Tower | MoveNet | None, options: MctsOptions, simulations: int | None = None
    ) -> None:
        """simulations: 0: play by the policy alone."""
        self.game, self.net, self.options, self.budget = game, net, options, simulations
        self.fleet: Fleet | None = None
        self.engines: dict[int, engines.Engine] = {}
        self.longest = longest_game(game)
        self.stopped = False
        self.speed = 0.0  # simulations a second, where time counts
        if options.ms:
            self.lanes = 1

    def begin(self, lane: int) -> None:
        """Nothing of the last game is in the way."""

    def choose(self, batch: Batch) -> list[int]:
        """The best move found for each."""
        return [opinion.move for opinion in self.opinions(batch)]

    def opinions(self, batch: Batch) -> list[Opinion]:
        """The search behind `choose`."""
        return self.consider(batch.states, batch.past, batch.plies, batch.seeds)

    def consider(
        self, states: np.ndarray, past: Sequence[np.ndarray], plies: Sequence[int], seeds: np.ndarray
    ) -> list[Opinion]:
        """Opinions of positions: see `Batch`."""
        if not self.options.ms:
            return self._consider(states, past, plies, seeds, self.budget)
        found = []
        for i in range(len(states)):
            one, began = slice(i, i + 1), time.perf_counter()
            found += self._consider(states[one], past[one], plies[one], seeds[one], self._affordable())
            self._pace(found[-1].simulations, time.perf_counter() - began)
        return found

    def _affordable(self) -> int:
        """Simulations that take the time there is, as fast as they have been so far; in few different numbers."""
        if not self.speed:
            state = self.game.states(1)
            for _ in range(2):  # the first time things are made ready
                began = time.perf_counter()
                done = self._consider(state, [np.zeros(0, np.uint64)], [0], np.ones(1, np.uint64), TRIAL)[0].simulations
                self.speed = done / (time.perf_counter() - began)
        wanted = max(self.speed * self.options.ms / 1000, 2.0)
        step = 2 ** max(int(math.log2(wanted)) - 3, 0)
        return int(min(wanted // step * step, self._room()))

    def _pace(self, simulations: int, seconds: float) -> None:
        """Learn how fast searches are. Those that are over at once tell nothing."""
        if simulations >= TRIAL:
            self.speed += SMOOTH * (simulations / seconds - self.speed)

    def _room(self) -> int:
        """The most simulations of a search."""
        if not self.options.ms:
            return self.options.sims
        return max(min(int(self.options.ms * FASTEST), room_for(self.game, MEMORY)), TRIAL)

    def _consider(
        self,
        states: np.ndarray,
        past: Sequence[np.ndarray],
        plies: Sequence[int],
        seeds: np.ndarray,
        budget: int | None,
    ) -> list[Opinion]:
        fleet = self._fleet(len(states))
        answers = fleet.answer(states, plies=plies, pasts=past, seeds=seeds, simulations=budget)
        return [opinion_of(a, self.game, s, self.budget == 0) for a, s in zip(answers, states, strict=True)]

    def glance(self, state: np.void) -> Opinion:
        """The opinion of a position before any search; all that a search needs is made ready by it."""
        states = np.array([state], self.game.STATE)
        return opinion_of(self._fleet(1).answer(states, simulations=0)[0], self.game, state, True)

    def stop(self) -> None:
        """End the search soon, with any move."""
        if self.fleet is not None:
            self.fleet.stop()

    def _fleet(self, positions: int) -> Fleet:
        judge, digest = None, ""
        size = next((b for b in BATCHES if b >= positions), BATCHES[-1])
        if self.net is not None:
            if size not in self.engines:
                self.engines[size] = maker_of(self.net.shape, size, self.options.engine)[0](self.net)
            judge, digest = self.engines[size], self.net.digest
        if self.fleet is None or len(self.fleet.forest.lanes) < size:  # a forest of all lanes takes much memory
            selection = self.options.selection(self.game)
            self.fleet = Fleet(
                self.game,
                judge,
                self._room(),
                selection,
                lanes=size,
                net=digest,
                cache_mb=self.options.cache,
                longest=self.longest,
            )
        elif judge is not None:
            self.fleet.use(judge, digest)
        return self.fleet


class PolicyPlayer(MctsPlayer):
    """A net's policy, without search."""

    def __init__(self, game: Game, net: Tower | MoveNet, options: PolicyOptions) -> None:
        how = MctsOptions(sims=2, net=options.net, engine=options.engine, lookahead=0)
        super().__init__(game, net, how, 0)
        self.temperature = options.temperature

    def choose(self, batch: Batch) -> list[int]:
        """The likeliest move for each, or one drawn by the move's chances and the batch's seeds."""
        answers = self._fleet(len(batch.states)).answer(batch.states, simulations=0)
        return [self._chosen(answer, seed) for answer, seed in zip(answers, batch.seeds, strict=True)]

    def _chosen(self, answer: np.void, seed: np.uint64) -> int:
        moves, priors = answer["moves"][: answer["count"]], answer["priors"][: answer["count"]].astype(np.float64)
        if self.temperature == 0:
            return int(moves[priors.argmax()])
        logits = np.log(priors) / self.temperature
        chances = np.exp(logits - logits.max())
        return int(moves[draw_index(np.array([seed], np.uint64), chances / chances.sum(), len(moves))])


def opinion_of(answer: np.void, game: Game, state: np.void, alone: bool) -> Opinion:
    """An answer of a fleet as the player to move sees it. alone: the policy's own, before any search."""
    n, sign = int(answer["count"]), 1 if int(game.mover(state)) == 0 else -1
    own, outcome = answer["own"][:-1].astype(np.float64), answer["outcome"][:-1].astype(np.float64)
    outcome = own if alone else outcome
    moves, priors = answer["moves"][:n].copy(), answer["priors"][:n].copy()
    policy = priors if alone else answer["policy"][:n].copy()
    return Opinion(
        move=int(moves[policy.argmax()]) if alone else int(answer["best"]),
        outcome=outcome[::sign],
        value=sign * float(outcome @ np.array(game.RESULTS)),
        moves=moves,
        visits=answer["visits"][:n].copy(),
        policy=policy,
        values=answer["values"][:n].copy(),
        simulations=int(answer["simulations"]),
        proven=bool(answer["low"] == answer["high"]) and not alone,
        priors=priors,
        own=own[::sign],
        results=answer["results"][:n, :-1].astype(np.float64)[:, ::sign],
        bounds=sign * np.stack([answer["lows"][:n], answer["highs"][:n]], 1)[:, ::sign],
        bound=sign * np.array([answer["low"], answer["high"]])[::sign],
    )


@functools.cache
def maker_of(shape: Shape | MoveShape, batch: int, wanted: str) -> tuple[engines.Maker, str]:
    """How engines for nets of this shape are made, tried once a process."""
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(size=size).astype(np.float32) * 0.05 for name, size in shape.arrays.items()}
    if isinstance(shape, MoveShape):
        return engines.choose(MoveNet("", 1, shape, arrays), batch, wanted=wanted)
    ranges = np.ones(2 * shape.blocks + 2, np.float32)
    return engines.choose(Tower("", 1, shape, arrays, {}, ranges), batch, wanted=wanted)


def net_at(text: str, game: Game, shipped: pathlib.Path) -> Tower | MoveNet:
    """The net in a file, the newest of a run's folder, or the shipped one, which the folder `shipped` holds."""
    path = pathlib.Path(text)
    if text == "shipped":
        path = shipped / (f"{game.name}.safetensors" if move_net.sees(game) else f"{game.name}_tower.safetensors")
        if not path.is_file():
            raise PlayerError(f"no net for {game.name} comes with the package; train one: sparring train {game.name}")
    net = weights.load_batch_net(path)
    weights.check_fits(net, game, str(path))
    return net


def check_options(text: str, options: Any) -> None:
    """Raise PlayerError where an option of `mcts` has no sense."""
    if not 0 <= options.ms <= 3_600_000:
        raise PlayerError(f"player {text!r}: ms is {options.ms:g}, but it must be 0 to 3600000 (an hour)")
    if not 2 <= options.sims <= 1_000_000:
        raise PlayerError(f"player {text!r}: sims is {options.sims}, but it must be 2 to 1000000")
    if not 0 <= options.puct <= 100:
        raise PlayerError(f"player {text!r}: puct is {options.puct:g}, but it must be 0 to 100")
    if not -1 <= options.lookahead <= MOST_LOOKAHEAD:
        raise PlayerError(f"player {text!r}: lookahead is {options.lookahead}, but it must be 0 to {MOST_LOOKAHEAD}")
    if options.haste > 1:
        raise PlayerError(f"player {text!r}: haste is {options.haste:g}, but it must be 0 to 1")
    if options.rule not in ("", "gumbel", "puct", "uct"):
        raise PlayerError(f"player {text!r}: rule is {options.rule!r}, but it must be gumbel, puct or uct")
    if not 0.001 <= options.cache <= 65536:
        raise PlayerError(f"player {text!r}: cache is {options.cache:g}, but it must be 0.001 to 65536 megabytes")
