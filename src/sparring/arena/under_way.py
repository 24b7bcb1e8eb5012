"""Games and matches on their way: where they stand, what they are played for, and the record that is left of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sparring.arena.batch import Forfeit
from sparring.arena.books import Book
from sparring.arena.stakes import Stakes
from sparring.compiled import plain
from sparring.errors import MatchError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game
from sparring.rng import draw_index, draw_word, seeded
from sparring.search.adjudication import LOST, WON, count_score, new_runs, verdict
from sparring.search.clock import Clock, TimeControl

if TYPE_CHECKING:
    from sparring.arena.player import Entry

DICE, CHOICE, OPENING, DEAL = 1, 2, 3, 4  # streams of a pair's seed
MATCHES = np.uint64(1 << 63)  # first positions from this number on are for matches: no training is dealt them
LONGEST = 10_000  # moves after which a game without a limit of its own counts as drawn
MOST_GAMES = 1000  # of a match, after which it counts as drawn
POINTS = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)  # RESULTS of games that the cube and matches are for


@dataclass(frozen=True)
class Terms:
    """What is played. Raises MatchError for numbers that make no sense."""

    opening: int = 0
    """Random moves first, the same in both games of a pair; of a match, in its first game."""
    points: int = 0
    """Matches to so many points, with the cube, instead of single games."""
    cube: bool = False
    """Single games are played with the cube, for money."""
    training: bool = False
    """First positions are of those that training may be dealt, not of those for matches."""
    book: Book | None = None
    """Openings to begin with, the same in both games of a pair; random moves come after them."""
    adjudicate: bool = False
    """Games end where the players' scores leave no doubt (`search.adjudication`)."""

    def __post_init__(self) -> None:
        if self.opening < 0:
            raise MatchError(f"the opening has {self.opening} random moves, but it must be 0 or more")
        if self.points < 0:
            raise MatchError(f"points is {self.points}, but a match is to 1 point or more (0: single games)")
        if self.adjudicate and self.stakes:
            raise MatchError("adjudicate is for single games without the cube; leave it out, or points and cube")

    @property
    def stakes(self) -> Stakes | None:
        """At the start; None without a cube."""
        return Stakes(self.points) if self.points or self.cube else None

    def check(self, game: Game, *players: Entry) -> None:
        """MatchError where the game, or a player, is not one for them."""
        if self.stakes and game.RESULTS != POINTS:
            ends = ", ".join(f"{value:g}" for value in game.RESULTS)
            raise MatchError(f"{game.name} ends with {ends}, but the cube and matches need 1, 2 and 3 points each way")
        if self.adjudicate and game.ODDS <= 0:
            raise MatchError(f"adjudicate needs a game whose judgements are log odds (ODDS); {game.name} has no ODDS")
        for player in players if self.adjudicate else ():
            if not player.scores:
                kinds = "alphabeta, greedy and uci"
                raise MatchError(f"adjudicate needs players that tell scores ({kinds}); {player.label} tells none")


@dataclass(frozen=True)
class GameRecord:
    """A finished game, or a match. first: whether the match's first player was player 0.

    points: 0, ½ or 1 for the first player. value: the result's value for the first player, cube counted in, 0 without a
    result; of a match ±1. moves: all of them from the start, outcomes of chance too; none of a match. doubles: each by
    the number of moves before it, and whether it was taken. games: of a match. origin: the first position as the game
    writes it, where a book of openings set it up; else empty. fault: why the loser forfeited the game, if he did.
    adjudicated: whether the players' scores ended it.
    """

    first: bool
    points: float
    value: float
    moves: tuple[int, ...]
    doubles: tuple[tuple[int, bool], ...] = ()
    games: tuple[GameRecord, ...] = ()
    origin: str = ""
    fault: Forfeit | None = None
    adjudicated: bool = False


@dataclass(frozen=True)
class PairRecord:
    """Both games, or matches, of a pair. number: of the pair, from 0."""

    number: int
    games: tuple[GameRecord, GameRecord]

    @property
    def score(self) -> float:
        """Of the first player: 0, ¼, ½, ¾ or 1."""
        return (self.games[0].points + self.games[1].points) / 2

    @property
    def value(self) -> float:
        """Points a game of the first player, by the results' values."""
        return (self.games[0].value + self.games[1].value) / 2


@dataclass
class UnderWay:
    """A game, or the game of a match, between the match's two players, whose seats 0 and 1 are a's and b's.

    stakes: None without a cube. past: keys of the positions before this one. played: the match's games so far.
    controls: of both seats; None: no clock runs for it. clocks: as they stand. origin: the first position, and what a
    book calls it. fault: of whoever forfeited the game. runs: what the scores of players 0 and 1 have said on end, and
    whether they ended the game.
    """

    game: Game
    pair: int
    first: bool  # whether a is player 0
    seed: int
    choices: np.ndarray
    stakes: Stakes | None
    training: bool = False
    controls: Sequence[TimeControl | None] = (None, None)
    adjudicate: bool = False
    state: np.ndarray = field(init=False)  # (1,) STATE
    origin: np.ndarray = field(init=False)  # (1,) STATE
    clocks: list[Clock | None] = field(init=False)
    named: str = ""
    fault: Forfeit | None = None
    runs: np.ndarray = field(init=False)
    adjudicated: bool = False
    dice: np.ndarray = field(init=False)
    moves: list[int] = field(init=False)
    past: list[int] = field(init=False)
    doubles: list[tuple[int, bool]] = field(init=False)
    played: list[GameRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.deal()

    @property
    def name(self) -> str:
        """As faults tell it."""
        return f"pair {self.pair}, {'match' if self.length else 'game'} {1 if self.first else 2}"

    @property
    def length(self) -> int:
        """Of the match; 0: it is a single game."""
        return self.stakes.length if self.stakes else 0

    def deal(self) -> None:
        """Begin the next game, with dice that depend on its number alone."""
        number = [len(self.played)] if self.played else []
        self.state = self.game.dealt(deal_number(self.seed, self.pair, *number, training=self.training))
        self.dice = seeded(self.seed, self.pair, DICE, *number)
        self.moves, self.past, self.doubles = [], [], []
        self.runs = new_runs()
        self.origin = self.state.copy()
        self.clocks = [control.clock() if control else None for control in self.controls]

    def set_up(self, book: Book) -> None:
        """Begin with the book's opening for this pair."""
        opening = book.opening(self.game, self.seed, self.pair)
        if opening.start:
            self.state[0] = self.game.module.position(opening.start)
            self.origin, self.named = self.state.copy(), opening.start
        for move in opening.moves:
            self.advance(move)
        if self.end() is not None:
            raise MatchError(f"{opening.where}: the game is over after this opening")

    def seat(self, player: int) -> int:
        """Where the game's player 0 or 1 sits."""
        return player if self.first else 1 - player

    def to_move(self) -> int:
        """The seat that is to move; CHANCE between turns."""
        player = self.game.mover(self.state[0])
        return player if player == CHANCE else self.seat(player)

    def advance(self, move: int) -> None:
        """Play a move, or an outcome of chance."""
        self.past.append(int(self.game.key(self.state[0])))
        self.game.play(self.state[0], move)
        self.moves.append(int(move))

    def spend(self, seat: int, seconds: float) -> bool:
        """Take a move's time off that seat's clock; whether it was still running."""
        clock = self.clocks[seat]
        if clock is None:
            return True
        left = clock.left - 1000 * seconds
        self.clocks[seat] = replace(clock, left=left + clock.increment)
        return left >= 0

    def forfeit(self, seat: int, fault: Forfeit) -> float:
        """That seat has lost: the result's value for player 0."""
        self.fault = fault
        return self.game.RESULTS[0 if self.seat(0) == seat else -1]

    def hear(self, seat: int, score: int | None) -> None:
        """What that seat's player, who is to move, thinks of the position, in CENTs; None: he does not say."""
        if not self.adjudicate:
            return
        player = self.seat(seat)
        if score is None:
            self.runs[player] = new_runs()[player]
        else:
            plain(count_score)(self.runs[player], score if player == 0 else -score, len(self.moves))

    def settled(self) -> float | None:
        """`end`, or what both players' scores leave no doubt about."""
        end = self.end()
        if end is None and self.adjudicate:
            one, other = (int(plain(verdict)(run)) for run in self.runs)
            self.adjudicated = one == other != ONGOING
            if self.adjudicated:
                return {LOST: self.game.RESULTS[0], WON: self.game.RESULTS[-1]}.get(one, 0.0)
        return end

    def roll(self) -> None:
        """Let chance happen until a player is to move or the game is over."""
        while self.end() is None and self.to_move() == CHANCE:
            self.advance(self.throw())

    def throw(self) -> int:
        """An outcome of chance."""
        outcomes, chances = np.zeros(self.game.MOST_MOVES, np.int32), np.zeros(self.game.MOST_MOVES)
        n = self.game.chance(self.state[0], outcomes, chances)
        return int(outcomes[draw_index(self.dice, chances, n)])

    def end(self) -> float | None:
        """The result's value for player 0, cube aside, or None while the game goes on."""
        return outcome(self.game, self.state[0], self.past, LONGEST)

    def doubled(self, player: int, taken: bool) -> float | None:
        """After a player's double: where it was passed, what the game ends with for player 0, cube aside."""
        assert self.stakes is not None
        self.doubles.append((len(self.moves), taken))
        if taken:
            self.stakes = self.stakes.doubled(player)
            return None
        return 1.0 if player == 0 else -1.0

    def finish(self, end: float) -> GameRecord | None:
        """The game is over, with this value for player 0, cube aside: the record; None if the match goes on."""
        sign = 1 if self.first else -1
        cube = self.stakes.cube if self.stakes else 1
        record = _record(self.first, end * cube * sign, tuple(self.moves), tuple(self.doubles))
        record = replace(record, origin=self.named, fault=self.fault, adjudicated=self.adjudicated)
        if not self.length:
            return record
        assert self.stakes is not None
        self.played.append(record)
        self.stakes = self.stakes.after(end)
        if not self.stakes.over and len(self.played) < MOST_GAMES:
            self.deal()
            return None
        won = 0 if self.stakes.winner is None else 1 - 2 * self.stakes.winner
        return _record(self.first, float(won * sign), (), games=tuple(self.played))


def _record(
    first: bool,
    value: float,
    moves: tuple[int, ...],
    doubles: tuple[tuple[int, bool], ...] = (),
    games: tuple[GameRecord, ...] = (),
) -> GameRecord:
    return GameRecord(first, (np.sign(value) + 1) / 2, value, moves, doubles, games)


def deal_number(seed: int, *numbers: int, training: bool = False) -> int:
    """The number of the first position of a pair's games. numbers: of the pair, and after the first game of a match, of
    the game in it."""
    pair, *game = numbers
    word = int(draw_word(seeded(seed, pair, DEAL, *game)))
    return word & ~int(MATCHES) if training else word | int(MATCHES)


def begin(
    game: Game,
    terms: Terms,
    seed: int,
    number: int,
    first: bool,
    controls: Sequence[TimeControl | None] = (None, None),
) -> UnderWay:
    """A game of a pair, or its match, after an opening and random moves that do not end it; alike in both games of a
    pair. controls: the clocks of both seats."""
    for attempt in range(100):
        rng = seeded(seed, number, OPENING, attempt)
        choices = seeded(seed, number, CHOICE, int(first))
        running = UnderWay(game, number, first, seed, choices, terms.stakes, terms.training, controls, terms.adjudicate)
        left = terms.opening
        if terms.book:
            running.set_up(terms.book)
        running.roll()
        while left and running.end() is None:
            moves = game.legal_moves(running.state[0])
            running.advance(moves[int(draw_word(rng) % len(moves))])
            running.roll()
            left -= 1
        if running.end() is None:
            return running
    raise MatchError(f"an opening of {terms.opening} random moves nearly always ends {game.name}; take fewer")


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
