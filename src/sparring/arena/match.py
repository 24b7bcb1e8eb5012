"""Matches in pairs: one opening, and where there are dice the same dice, played twice with the sides swapped."""

import contextlib
import itertools
import queue
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sparring.arena.player import Batch, Entry, Player
from sparring.errors import MatchError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game
from sparring.rng import draw_index, draw_word, seeded

DICE, CHOICE, OPENING = 1, 2, 3  # streams of a pair's seed
LONGEST = 10_000  # moves after which a game without a limit of its own counts as drawn
STOP_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class GameRecord:
    """A finished game. first: whether the match's first player was player 0. points: 0, ½ or 1 for the first player.

    value: the result's value for the first player. moves: all of them from the start, outcomes of chance too.
    """

    first: bool
    points: float
    value: float
    moves: tuple[int, ...]


@dataclass(frozen=True)
class PairRecord:
    """Both games of a pair. number: of the pair in its match, from 0."""

    number: int
    games: tuple[GameRecord, GameRecord]

    @property
    def score(self) -> float:
        """Of the first player: 0, ¼, ½, ¾ or 1."""
        return (self.games[0].points + self.games[1].points) / 2


@dataclass
class _Running:
    """A game on its way."""

    pair: int
    first: bool
    state: np.ndarray  # (1,) STATE
    dice: np.ndarray
    choices: np.ndarray
    moves: list[int] = field(default_factory=list)
    past: list[int] = field(default_factory=list)  # keys of the positions before this one

    @property
    def name(self) -> str:
        """As faults tell it."""
        return f"pair {self.pair}, game {1 if self.first else 2}"


def play_pairs(
    game: Game, a: Entry, b: Entry, pairs: Sequence[int], *, opening: int, seed: int, threads: int
) -> Generator[PairRecord, None, None]:
    """Play the pairs of these numbers; yields them in that order as they are done.

    opening: so many random moves first, drawn from (seed, pair) and alike in both games of it. The result of a pair
    depends on seed, number and players, not on threads or on which games are played at once. Close the iterator to
    stop. Raises MatchError where a player or the opening is at fault.
    """
    if opening < 0:
        raise MatchError(f"the opening has {opening} random moves, but it must be 0 or more")
    if threads < 1:
        raise MatchError(f"threads is {threads}, but it must be at least 1")
    workers = min(threads, len(pairs))
    work = _Work(game, a, b, pairs, opening, seed, workers)
    running = [threading.Thread(target=work.run, daemon=True) for _ in range(workers)]
    for worker in running:
        worker.start()
    try:
        waiting: dict[int, PairRecord] = {}
        for number in pairs:
            while number not in waiting:
                done = work.results.get()
                if isinstance(done, BaseException):
                    raise done
                waiting[done.number] = done
            yield waiting.pop(number)
    finally:
        for worker in running:
            while worker.is_alive():  # again and again: a `choose` that has just begun may not have heard the first
                work.stop()
                worker.join(STOP_EVERY)


class _Work:
    """What the workers share."""

    def __init__(
        self, game: Game, a: Entry, b: Entry, pairs: Sequence[int], opening: int, seed: int, workers: int
    ) -> None:
        self.game, self.entries, self.opening, self.seed = game, (a, b), opening, seed
        self.share = -(-2 * len(pairs) // max(workers, 1))  # games at once that leave as many to the other workers
        self.numbers = itertools.chain(pairs, itertools.repeat(-1))
        self.lock = threading.Lock()
        self.results: queue.Queue[PairRecord | BaseException] = queue.Queue()
        self.players: list[Player] = []
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True
        for player in self.players:
            player.stop()

    def run(self) -> None:
        """One worker: its own instances of both players."""
        try:
            with self.lock:
                players = [entry.make() for entry in self.entries]
                self.players += players
            _Worker(self, players).run()
        except BaseException as fault:
            self.results.put(fault)

    def take(self) -> int:
        """The next pair to play, or -1."""
        with self.lock:
            return next(self.numbers)


class _Worker:
    """Plays as many games at once as both players can, one in each lane, so that a player sees many positions at once.

    A game draws from streams of its own and players get the game's own seeds, so its neighbours change nothing in it.
    """

    def __init__(self, work: _Work, players: Sequence[Player]) -> None:
        self.work, self.game, self.players = work, work.game, players
        lanes = max(min(*(player.lanes for player in players), work.share), 1)
        self.lanes: list[_Running | None] = [None] * lanes
        self.next: list[tuple[int, bool]] = []  # games of a pair that was begun
        self.done: dict[int, dict[bool, GameRecord]] = {}  # of pairs that lack a game

    def run(self) -> None:
        """Until there are no more games, or it is stopped."""
        while not self.work.stopped:
            self._fill()
            if not any(self.lanes):
                return
            for seat in range(2):
                self._move(seat)

    def _fill(self) -> None:
        """Begin a game in each free lane, in order of number."""
        for lane, running in enumerate(self.lanes):
            if running is None:
                if not self.next and (number := self.work.take()) >= 0:
                    self.next = [(number, True), (number, False)]
                if not self.next or self.work.stopped:
                    return
                self.lanes[lane] = self._open(*self.next.pop(0))
                for player in self.players:
                    player.begin(lane)

    def _move(self, seat: int) -> None:
        """One move in every game in which that of the match's players is to move."""
        at = [lane for lane, running in enumerate(self.lanes) if running and self._seat(running) == seat]
        games = [running for lane in at if (running := self.lanes[lane])]
        if not games or self.work.stopped:
            return
        moves = self._choose(seat, games, at)
        if self.work.stopped:
            return
        for lane, running, move in zip(at, games, moves, strict=True):
            with _told(running):
                if move not in self.game.legal_moves(running.state[0]):
                    shown = self.game.draw(running.state[0])
                    who = self.work.entries[seat].label
                    raise MatchError(f"{running.name}: {who} played {move}, which is not legal in\n{shown}")
                self._advance(running, move)
                while (end := self._end(running)) is None and self.game.mover(running.state[0]) == CHANCE:
                    self._advance(running, self._roll(running))
            if end is not None:
                self._finish(running, end)
                self.lanes[lane] = None

    def _choose(self, seat: int, games: list[_Running], lanes: list[int]) -> list[int]:
        states = np.concatenate([running.state for running in games])
        past = [np.array(running.past, np.uint64) for running in games]
        seeds = np.array([draw_word(running.choices) for running in games], np.uint64) | np.uint64(1)
        with _told(*games):
            return self.players[seat].choose(Batch(states, past, [len(r.moves) for r in games], seeds, lanes))

    def _finish(self, running: _Running, end: float) -> None:
        """Keep a game that is over; the pair is handed on when both are."""
        value = end * (1 if running.first else -1)
        record = GameRecord(running.first, (np.sign(value) + 1) / 2, value, tuple(running.moves))
        games = self.done.setdefault(running.pair, {})
        games[running.first] = record
        if len(games) == 2:
            del self.done[running.pair]
            self.work.results.put(PairRecord(running.pair, (games[True], games[False])))

    def _open(self, number: int, first: bool) -> _Running:
        """Random moves from the start that do not end the game; the same for both games of a pair."""
        seed, opening = self.work.seed, self.work.opening
        for attempt in range(100):
            rng = seeded(seed, number, OPENING, attempt)
            streams = (seeded(seed, number, DICE), seeded(seed, number, CHOICE, int(first)))
            running = _Running(number, first, self.game.states(1), *streams)
            left = opening
            with _told(running):
                while self._end(running) is None and left >= 0:
                    chance = self.game.mover(running.state[0]) == CHANCE
                    if left == 0 and not chance:
                        return running
                    moves = self.game.legal_moves(running.state[0])
                    left -= 0 if chance else 1
                    self._advance(running, self._roll(running) if chance else moves[int(draw_word(rng) % len(moves))])
        raise MatchError(f"an opening of {opening} random moves nearly always ends {self.game.name}; take fewer")

    def _seat(self, running: _Running) -> int:
        """Which of the match's players is to move."""
        who = self.game.mover(running.state[0])
        return who if running.first else 1 - who

    def _roll(self, running: _Running) -> int:
        outcomes = np.zeros(self.game.MOST_MOVES, np.int32)
        chances = np.zeros(self.game.MOST_MOVES)
        n = self.game.chance(running.state[0], outcomes, chances)
        return int(outcomes[draw_index(running.dice, chances, n)])

    def _advance(self, running: _Running, move: int) -> None:
        running.past.append(int(self.game.key(running.state[0])))
        self.game.play(running.state[0], move)
        running.moves.append(int(move))

    def _end(self, running: _Running) -> float | None:
        """The result's value for player 0, or None while the game goes on."""
        return outcome(self.game, running.state[0], running.past, LONGEST)


@contextlib.contextmanager
def _told(*games: _Running) -> Iterator[None]:
    """Notes on a fault in which game it came up, or among which."""
    try:
        yield
    except Exception as fault:
        more = f" or one of {len(games) - 1} others" if len(games) > 1 else ""
        fault.add_note(f"in {games[0].name} of the match{more}")
        raise


def outcome(game: Game, state: np.void, past: Sequence[int], longest: int = 0) -> float | None:
    """The value for player 0 of a game that stands at `state`, or None while it goes on.

    past: keys of the earlier positions, one a move. longest: moves after which a game counts as drawn; 0: never.
    """
    end = game.result(state)
    if end != ONGOING:
        return game.RESULTS[end]
    if (game.LIMIT and len(past) >= game.LIMIT) or (longest and len(past) >= longest):
        return 0.0
    if game.REPETITION:
        recent = past[max(len(past) - game.quiet(state), 0) :]
        if recent.count(int(game.key(state))) >= game.REPETITION - 1:
            return 0.0
    return None
