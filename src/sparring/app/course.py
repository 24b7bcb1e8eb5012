"""A game on its way, as people follow it: the positions and moves so far, names of moves and lines, how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sparring.app.turn_names import STEP, joined, parts
from sparring.arena.batch import Batch, Forfeit
from sparring.arena.stakes import Stakes
from sparring.arena.under_way import outcome
from sparring.errors import GameError, PlayerError
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.rng import draw_index, draw_word, seeded

MOST_STEPS = 4  # of one piece in a turn, in one word
TIMES = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
DICE, DEAL = 1, 3  # streams of the seed


@dataclass(frozen=True)
class Ending:
    """value: of the result, for player 0. why: how a game ended that the rules of the board did not end; else empty."""

    value: float
    why: str

    @property
    def winner(self) -> int | None:
        """0, 1, or None for a draw."""
        return None if self.value == 0 else 0 if self.value > 0 else 1


@dataclass
class Course:
    """states: every position, the first one too. moves: those between them. past: keys of all states but the last.

    deal: the number of the first position, in games that begin at random.
    """

    game: Game
    states: list[np.void] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    past: list[int] = field(default_factory=list)
    deal: int | None = None

    def __post_init__(self) -> None:
        if not self.states:
            self.states.append((self.game.states(1) if self.deal is None else self.game.dealt(self.deal))[0])

    @property
    def state(self) -> np.void:
        """The position now."""
        return self.states[-1]

    @property
    def mover(self) -> int:
        """Who is to move: 0, 1 or CHANCE."""
        return int(self.game.mover(self.state))

    @property
    def stakes(self) -> Stakes | None:
        """What is played for now; None without a cube."""
        return None

    def play(self, move: int) -> None:
        """Make a legal move, or let an outcome of chance happen."""
        self.past.append(int(self.game.key(self.state)))
        self.states.append(self.game.after(self.state, move))
        self.moves.append(move)

    def batch(self, word: np.uint64, *players: int) -> Batch:
        """The position as a player is asked about it. word: for its choices. players: who is asked about the cube."""
        states, past = np.array([self.state], self.game.STATE), np.array(self.past, np.uint64)
        words, stakes = np.array([word], np.uint64), [self.stakes] if self.stakes else []
        return Batch(states, [past], [len(self.moves)], words, [0], stakes, list(players))

    def check(self, move: int | Forfeit, who: object) -> None:
        """PlayerError where a move is not legal, or the game forfeited. who: as the message names who played it."""
        if isinstance(move, Forfeit):
            raise PlayerError(move.reason)
        if move not in self.game.legal_moves(self.state):
            raise PlayerError(f"{who} played {move}, which is not legal in\n{self.game.draw(self.state)}")

    def read(self, word: str) -> None:
        """Play the move or the turn of that name; GameError where it is not legal."""
        for move in moves_of(self.game, self.state, word):
            self.play(move)

    def take_back(self, moves: int) -> None:
        """Forget the last so many moves."""
        for part in (self.states, self.moves, self.past):
            del part[len(part) - moves :]

    def outcomes(self) -> list[tuple[str, float]]:
        """Where chance is to move: what may happen, by name, and how likely it is."""
        outcomes, chances = self._chances()
        return [(self.game.move_name(self.state, m), float(p)) for m, p in zip(outcomes, chances, strict=True)]

    def roll(self, seed: int) -> int:
        """An outcome of chance. It depends on the seed and on how many moves were played, on nothing else."""
        outcomes, chances = self._chances()
        return int(outcomes[draw_index(seeded(seed, DICE, len(self.moves)), chances, len(chances))])

    def _chances(self) -> tuple[np.ndarray, np.ndarray]:
        outcomes, chances = np.zeros(self.game.MOST_MOVES, np.int32), np.zeros(self.game.MOST_MOVES)
        n = self.game.chance(self.state, outcomes, chances)
        return outcomes[:n], chances[:n]

    @property
    def ending(self) -> Ending | None:
        """How the game ended, or None while it goes on."""
        value = outcome(self.game, self.state, self.past)
        if value is None:
            return None
        if self.game.result(self.state) != ONGOING:
            return Ending(value, "")
        if self.game.LIMIT and len(self.moves) >= self.game.LIMIT:
            return Ending(value, f"{self.game.LIMIT} moves were made")
        times = self.game.REPETITION
        return Ending(value, f"the position occurred for the {TIMES.get(times, f'{times}th')} time")

    @property
    def names(self) -> list[str]:
        """The moves so far, by name."""
        return [self.game.move_name(s, m) for s, m in zip(self.states, self.moves, strict=False)]

    @property
    def words(self) -> list[str]:
        """All that happened so far, as `read` wants it."""
        return self.names


def follow(game: Game, text: str, position: str = "", deal: int | None = None) -> Course:
    """The game after moves by name, separated by spaces; GameError tells which of them cannot be played, and why.

    position: what it begins with, as the game's `position` reads it, instead of the start. deal: the number of its
    first position.
    """
    if position and deal is not None:
        raise GameError(f"give --position or --deal, not both: {position!r} and {deal}")
    course = Course(game, [position_of(game, position)] if position else [], deal=checked_deal(game, deal))
    go_on(course, text)
    return course


def checked_deal(game: Game, deal: int | None) -> int | None:
    """The number of a first position, if the game has such; GameError where it has not."""
    if deal is not None and not game.defines("deal"):
        raise GameError(f"--deal is {deal}, but {game.name} has one first position")
    if deal is not None and not 0 <= deal < 1 << 64:
        raise GameError(f"--deal is {deal}, but it must be 0 to 2**64 - 1")
    return deal


def drawn_deal(game: Game, seed: int, *numbers: int) -> int | None:
    """The number of a first position below 2**63, where those for matches begin; None in games that have but one."""
    return int(draw_word(seeded(seed, DEAL, *numbers))) >> 1 if game.defines("deal") else None


def go_on(course: Course, text: str) -> None:
    """Let all that happen in a game; GameError as `follow`."""
    for number, word in enumerate(text.split(), 1):
        if ending := course.ending:
            over = told(ending, course.game)
            raise GameError(f"move {number}, {word!r}: the game is over after {number - 1} moves: {over}")
        try:
            course.read(word)
        except GameError as fault:
            raise GameError(f"move {number}: {fault}") from fault


def moves_of(game: Game, state: np.void, text: str) -> list[int]:
    """The move of that name, or the moves of a turn as `turn_name` writes it: 13/8/5 6/5(2); 13/5 is found too.

    GameError where one of them is not legal, or the turn is over before.
    """
    who, found = game.mover(state), list[int]()
    for word in text.split():
        for name in [word] if word in _names(game, state) else parts(word):
            if game.mover(state) != who:
                raise GameError(f"{text!r} goes on after the end of the turn, from {name!r} on")
            for move in _walk(game, state, name) or [game.parse_move(state, name)]:
                found.append(move)
                state = game.after(state, move)
    return found


def _names(game: Game, state: np.void) -> list[str]:
    """Of all legal moves."""
    return [game.move_name(state, move) for move in game.legal_moves(state)]


def _walk(game: Game, state: np.void, name: str) -> list[int]:
    """The steps in which one piece goes from/to within a turn, where no single move has that name; else none.

    Of several ways the shortest, and of those one that hits the fewest on the way, as backgammon players mean it.
    """
    asked = STEP.fullmatch(name)
    if asked is None or name in _names(game, state):
        return []
    who, ways = game.mover(state), [(0, list[int](), state, asked[1])]
    for _ in range(MOST_STEPS):
        longer = []
        for hits, moves, here, place in ways:
            if game.result(here) != ONGOING or game.mover(here) != who:
                continue
            for move in game.legal_moves(here):
                step = STEP.fullmatch(game.move_name(here, move))
                if step and step[1] == place:
                    longer.append((hits + bool(step[3]), [*moves, move], game.after(here, move), step[2]))
        there = [way for way in longer if way[3] == asked[2]]
        if there:
            return min(there, key=lambda way: way[0])[1]
        ways = longer
    return []


def position_of(game: Game, text: str) -> np.void:
    """The position that the game's own `position` reads from a text; GameError if it has no such function."""
    if not game.defines("position"):
        raise GameError(f"{game.path.name} has no position(), which reads positions; give moves from the start")
    return np.array([game.module.position(text)], game.STATE)[0]


def told(ending: Ending, game: Game, names: tuple[str, str] | None = None) -> str:
    """The end in words: `X won`, `a draw, since 200 moves were made`. names: of the players, if not the game's own."""
    since = f", since {ending.why}" if ending.why else ""
    if ending.winner is None:
        return f"a draw{since}"
    points = f" {abs(ending.value):g}" if len(game.RESULTS) > 3 else ""
    return f"{(names or game.players)[ending.winner]} won{points}{since}"


def line_names(game: Game, state: np.void, moves: Sequence[int]) -> list[str]:
    """The moves of a line by name."""
    names = []
    for move in moves:
        names.append(game.move_name(state, move))
        state = game.after(state, move)
    return names


def turn_name(game: Game, state: np.void, steps: Sequence[int]) -> str:
    """The turn that these moves make, as one name: 13/8/5 6/5."""
    return joined(line_names(game, state, steps))
