"""Matches in pairs: one opening, and where there are dice the same dice, played twice with the sides swapped."""

import itertools
import queue
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sparring.arena.player import Batch, Entry, Player
from sparring.errors import MatchError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game
from sparring.rng import draw_index, draw_word, seeded

DICE, CHOICE, OPENING = 1, 2, 3  # streams of a pair's seed
LONGEST = 10_000  # moves after which a game without a limit of its own counts as drawn


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
    moves: list[int]
    dice: np.ndarray
    choices: np.ndarray
    past: list[int] = field(default_factory=list)  # keys of the positions before this one


def play_pairs(
    game: Game, a: Entry, b: Entry, pairs: Sequence[int], *, opening: int, seed: int, threads: int
) -> Generator[PairRecord, None, None]:
    """Play the pairs of these numbers; yields them in that order as they are done.

    opening: so many random moves first, drawn from (seed, pair) and alike in both games of it. The result of a pair
    depends on seed, number and players, not on threads. Close the iterator to stop.
    """
    if opening < 0:
        raise MatchError(f"the opening has {opening} random moves, but it must be 0 or more")
    if threads < 1:
        raise MatchError(f"threads is {threads}, but it must be at least 1")
    work = _Work(game, a, b, pairs, opening, seed)
    workers = [threading.Thread(target=work.run, daemon=True) for _ in range(min(threads, len(pairs)))]
    for worker in workers:
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
        work.stop()
        for worker in workers:
            worker.join()


class _Work:
    """What the workers share."""

    def __init__(self, game: Game, a: Entry, b: Entry, pairs: Sequence[int], opening: int, seed: int) -> None:
        self.game, self.entries, self.opening, self.seed = game, (a, b), opening, seed
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
        """One worker: its own instances of both players, a pair after the other."""
        try:
            with self.lock:
                players = [entry.make() for entry in self.entries]
                self.players += players
            while not self.stopped:
                with self.lock:
                    number = next(self.numbers)
                if number < 0:
                    return
                games = [self._play(number, first, players) for first in (True, False)]
                if not self.stopped:
                    self.results.put(PairRecord(number, (games[0], games[1])))
        except BaseException as fault:
            self.results.put(fault)

    def _play(self, number: int, first: bool, players: Sequence[Player]) -> GameRecord:
        game = self.game
        running = self._open(number, first)
        state = running.state[0]
        for player in players:
            player.begin(0)
        while (end := self._end(running)) is None and not self.stopped:
            who = game.mover(state)
            if who == CHANCE:
                move = self._roll(state, running.dice)
            else:
                seat = who if first else 1 - who
                seeds = np.array([draw_word(running.choices)], np.uint64) | np.uint64(1)
                past = [np.array(running.past, np.uint64)]
                move = players[seat].choose(Batch(running.state, past, [len(running.moves)], seeds, [0]))[0]
                if self.stopped:
                    break
                if move not in game.legal_moves(state):
                    shown = game.draw(state)
                    raise MatchError(f"{self.entries[seat].label} played {move}, which is not legal in\n{shown}")
            self._advance(running, move)
        value = (end or 0.0) * (1 if first else -1)
        return GameRecord(first, (np.sign(value) + 1) / 2, value, tuple(running.moves))

    def _open(self, number: int, first: bool) -> _Running:
        """Random moves from the start that do not end the game; the same for both games of a pair."""
        for attempt in range(100):
            rng = seeded(self.seed, number, OPENING, attempt)
            streams = (seeded(self.seed, number, DICE), seeded(self.seed, number, CHOICE, int(first)))
            running = _Running(number, first, self.game.states(1), [], *streams)
            left = self.opening
            while self._end(running) is None and left >= 0:
                state = running.state[0]
                chance = self.game.mover(state) == CHANCE
                if left == 0 and not chance:
                    return running
                moves = self.game.legal_moves(state)
                left -= 0 if chance else 1
                move = self._roll(state, running.dice) if chance else moves[int(draw_word(rng) % len(moves))]
                self._advance(running, move)
        raise MatchError(f"an opening of {self.opening} random moves nearly always ends {self.game.name}; take fewer")

    def _roll(self, state: np.void, dice: np.ndarray) -> int:
        outcomes = np.zeros(self.game.MOST_MOVES, np.int32)
        chances = np.zeros(self.game.MOST_MOVES)
        n = self.game.chance(state, outcomes, chances)
        return int(outcomes[draw_index(dice, chances, n)])

    def _advance(self, running: _Running, move: int) -> None:
        running.past.append(int(self.game.key(running.state[0])))
        self.game.play(running.state[0], move)
        running.moves.append(int(move))

    def _end(self, running: _Running) -> float | None:
        """The result's value for player 0, or None while the game goes on."""
        return outcome(self.game, running.state[0], running.past, LONGEST)


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
