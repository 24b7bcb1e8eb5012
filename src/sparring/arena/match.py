"""Matches in pairs: one opening, and where there are dice the same dice, played twice with the sides swapped."""

import contextlib
import itertools
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np

from sparring.arena.batch import TIME, Batch, Clocks, Forfeit, Player
from sparring.arena.books import Book
from sparring.arena.player import Entry
from sparring.arena.roller import NOBODY, Rollers
from sparring.arena.under_way import GameRecord, PairRecord, Terms, UnderWay, begin
from sparring.errors import MatchError
from sparring.games.contract import CHANCE
from sparring.games.game import Game
from sparring.rng import draw_word

STOP_EVERY = 0.05  # seconds
MARGIN = 0.005  # seconds of a turn that no clock counts: what the match itself takes to ask and to hear


def play_pairs(
    game: Game,
    a: Entry,
    b: Entry,
    pairs: Sequence[int],
    *,
    opening: int,
    seed: int,
    threads: int,
    points: int = 0,
    cube: bool = False,
    training: bool = False,
    book: Book | None = None,
    adjudicate: bool = False,
) -> Generator[PairRecord, None, None]:
    """Play the pairs of these numbers; yields them in that order as they are done.

    opening, points, cube, training, book, adjudicate: see Terms. Openings, random moves and dice are drawn from
    (seed, pair) and alike in both games of it. The result of a pair depends on seed, number and players, not on threads
    or on which games are played at once, unless clocks run: then each worker plays one game at a time, and a player
    whose time is over loses it. Close the iterator to stop. Raises MatchError where a player or the terms are at fault.
    """
    terms = Terms(opening, points, cube, training, book, adjudicate)
    terms.check(game, a, b)
    if threads < 1:
        raise MatchError(f"threads is {threads}, but it must be at least 1")
    workers = min(threads, len(pairs))
    work = _Work(game, a, b, pairs, terms, seed, workers)
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
        self, game: Game, a: Entry, b: Entry, pairs: Sequence[int], terms: Terms, seed: int, workers: int
    ) -> None:
        self.game, self.entries, self.terms, self.seed = game, (a, b), terms, seed
        self.controls = a.control, b.control
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
        players: list[Player] = []
        try:
            with self.lock:
                for entry in self.entries:
                    players.append(entry.make())
                self.players += players
            _Worker(self, players).run()
        except BaseException as fault:
            self.results.put(fault)
        finally:
            for player in players:
                getattr(player, "close", _nothing)()

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
        lanes = 1 if any(work.controls) else max(min(*(player.lanes for player in players), work.share), 1)
        self.lanes: list[UnderWay | None] = [None] * lanes
        self.next: list[tuple[int, bool]] = []  # games of a pair that was begun
        self.done: dict[int, dict[bool, GameRecord]] = {}  # of pairs that lack a game
        self.rollers = Rollers(work.game) if work.terms.stakes else None

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
                self.lanes[lane] = self._begin(*self.next.pop(0))
                self._tell(lane)

    def _begin(self, pair: int, first: bool) -> UnderWay:
        return begin(self.game, self.work.terms, self.work.seed, pair, first, self.work.controls)

    def _tell(self, lane: int) -> None:
        """Both players, that a new game begins there."""
        for player in self.players:
            player.begin(lane)

    def _at(self, lane: int) -> UnderWay:
        running = self.lanes[lane]
        assert running is not None
        return running

    def _move(self, seat: int) -> None:
        """One move in every game in which that of the match's players is to move."""
        at = [lane for lane, running in enumerate(self.lanes) if running and running.to_move() == seat]
        if not at or self.work.stopped:
            return
        with _told(*map(self._at, at)):
            batch, began = self._batch(at), time.perf_counter()
            moves = self.players[seat].choose(batch)
            spent = time.perf_counter() - began
        if self.work.stopped:
            return
        for lane, move, score in zip(at, moves, self._scores(seat, len(at)), strict=True):
            running = self._at(lane)
            if fault := self._lost(running, seat, move, spent):
                self._close(lane, running.forfeit(seat, fault))
                continue
            with _told(running):
                if move not in self.game.legal_moves(running.state[0]):
                    shown = self.game.draw(running.state[0])
                    who = self.work.entries[seat].label
                    raise MatchError(f"{running.name}: {who} played {move}, which is not legal in\n{shown}")
                running.hear(seat, score)
                running.advance(move)
                self._close(lane, running.settled())
        between = [lane for lane in at if self.lanes[lane] and self._at(lane).to_move() == CHANCE]
        if self.rollers:
            between = self._double(between)
        for lane in between:
            running = self._at(lane)
            with _told(running):
                running.roll()
                self._close(lane, running.end())

    def _scores(self, seat: int, n: int) -> list[int | None]:
        """What the player thought of the n positions of its last batch, as far as it tells."""
        told: list[int | None] | None = getattr(self.players[seat], "scores", None)
        return told or [None] * n

    def _lost(self, running: UnderWay, seat: int, move: int | Forfeit, seconds: float) -> Forfeit | None:
        """Why a player loses by what it did in its turn; None where the game goes on."""
        in_time = running.spend(seat, max(seconds - MARGIN, 0.0))
        if isinstance(move, Forfeit):
            return move
        return None if in_time else Forfeit(f"{self.work.entries[seat].label} lost on time", TIME)

    def _batch(self, lanes: list[int], players: Sequence[int] = ()) -> Batch:
        """What a player is asked about. players: who he is, 0 or 1, where a cube is in question."""
        games = [self._at(lane) for lane in lanes]
        states = np.empty(len(games), self.game.STATE)
        for i, running in enumerate(games):
            states[i] = running.state[0]
        past = [np.array(running.past, np.uint64) for running in games]
        seeds = np.array([draw_word(running.choices) for running in games], np.uint64) | np.uint64(1)
        stakes = [running.stakes for running in games if running.stakes]
        origins, moves = [running.origin[0] for running in games], [running.moves for running in games]
        clocks = [_clocks(running) for running in games] if any(self.work.controls) else []
        plies = [len(running.moves) for running in games]
        return Batch(states, past, plies, seeds, lanes, stakes, list(players), origins, moves, clocks)

    def _double(self, lanes: list[int]) -> list[int]:
        """Before the roll: whoever may doubles if he likes, and the other takes or passes. The games that go on."""
        assert self.rollers is not None
        rolling: dict[int, int] = {}  # of each lane: who rolls, where he may double
        for lane in lanes:
            running = self._at(lane)
            player = self.rollers.of(running.state[0])
            if player != NOBODY and running.stakes and running.stakes.may_double(player):
                rolling[lane] = player
        passed = set[int]()  # there the next game may have begun
        by_seat = [[lane for lane, who in rolling.items() if self._at(lane).seat(who) == seat] for seat in range(2)]
        for seat, own in enumerate(by_seat):
            offered = self._ask(seat, "offer", own, [rolling[lane] for lane in own], False)
            doubled = [lane for lane, offers in zip(own, offered, strict=True) if offers]
            takes = self._ask(1 - seat, "accept", doubled, [1 - rolling[lane] for lane in doubled], True)
            if self.work.stopped:
                return []
            for lane, taken in zip(doubled, takes, strict=True):
                end = self._at(lane).doubled(rolling[lane], taken)
                self._close(lane, end)
                passed |= set() if taken else {lane}
        return [lane for lane in lanes if lane not in passed]

    def _ask(self, seat: int, what: str, lanes: list[int], players: list[int], usual: bool) -> list[bool]:
        """What the player says about the cube in these games; `usual` if he has no opinion on it."""
        asked: Callable[[Batch], list[bool]] | None = getattr(self.players[seat], what, None)
        if not lanes or asked is None:
            return [usual] * len(lanes)
        with _told(*map(self._at, lanes)):
            return asked(self._batch(lanes, players))

    def _close(self, lane: int, end: float | None) -> None:
        """Keep a game that is over, with this value for player 0; the pair is handed on when both are."""
        running = self._at(lane)
        while end is not None:
            record = running.finish(end)
            if record is None:  # the match goes on
                self._tell(lane)
                running.roll()
                end = running.end()
                continue
            self.lanes[lane] = None
            games = self.done.setdefault(running.pair, {})
            games[running.first] = record
            if len(games) == 2:
                del self.done[running.pair]
                self.work.results.put(PairRecord(running.pair, (games[True], games[False])))
            return


def _clocks(running: UnderWay) -> Clocks | None:
    """Both clocks as whoever is to move sees them; None where his own does not run."""
    seat = running.to_move()
    own, other = running.clocks[seat], running.clocks[1 - seat]
    return Clocks(own, other or own, running.seat(seat)) if own else None


def _nothing() -> None:
    """For players that have nothing to close."""


@contextlib.contextmanager
def _told(*games: UnderWay) -> Iterator[None]:
    """Notes on a fault in which game it came up, or among which."""
    try:
        yield
    except Exception as fault:
        more = f" or one of {len(games) - 1} others" if len(games) > 1 else ""
        fault.add_note(f"in {games[0].name} of the match{more}")
        raise
