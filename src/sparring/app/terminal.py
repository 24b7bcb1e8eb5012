"""A board and a dialogue in a terminal: two seats, people or players, and the words a person can say besides moves."""

import textwrap

import numpy as np
from rich.console import Console
from rich.text import Text

from sparring.app.advice import Adviser, Findings, Glance, adviser_of, glance
from sparring.app.board import marked
from sparring.app.course import Course, moves_of, told
from sparring.app.seat import Seat, read
from sparring.app.sheet import Rows, columns_of, table, under_columns
from sparring.app.truth import MEANING, SOLVING, row_of, truth_of
from sparring.app.waiting import heard, status
from sparring.app.words import EVEN, chances_told, scores_told, signed, standing
from sparring.errors import GameError, nearest
from sparring.games.contract import CHANCE
from sparring.rng import draw_word, seeded

CHOICE = 2  # stream of the seed: choices among equal moves
HINTS = 3  # moves of a hint
WORDS = {
    "hint": "what a search would play here, and what it expects",
    "eval": "who stands better, at a glance",
    "scores": "what perfect play makes of each move",
    "undo": "take back your last move and what followed",
    "moves": "all legal moves",
    "resign": "give up",
    "help": "the rules, and these words",
    "quit": "leave; you can go on later",
}


class Session:
    """One game between two seats. `run()` plays it to its end, or until a person leaves.

    adviser: the player at one of the seats, if it tells its thoughts.
    """

    def __init__(self, course: Course, seats: tuple[Seat, Seat], seed: int, adviser: Adviser | None) -> None:
        self.course, self.seats, self.seed, self.adviser = course, seats, seed, adviser
        self.game = course.game
        self.truth = truth_of(self.game)
        self.words = {word: what for word, what in WORDS.items() if word != "scores" or self.truth}
        self.out = Console(highlight=False, markup=False, emoji=False)
        self.resigned: Seat | None = None
        self.left = False
        self.shown: list[str] = []  # lines of the board as it was last drawn
        self.listed = False  # whether the moves were listed since

    def run(self) -> None:
        """Play to the end and say the result, or until a person leaves; KeyboardInterrupt goes through."""
        self.draw()
        while not (self.course.ending or self.resigned or self.left):
            mover = self.course.mover
            if mover == CHANCE:
                self.roll()
            elif self.seats[mover].player is None:
                self.ask(self.seats[mover])
            else:
                self.answer(self.seats[mover])
        if not self.left:
            self.say(f"Game over: {self.result()}.")

    def result(self) -> str:
        """Who won, and how."""
        if self.resigned:
            winner = self.seats[1 - self.seats.index(self.resigned)]
            return f"{self.resigned} resigned, {winner} won"
        ending = self.course.ending
        assert ending is not None
        return told(ending, self.game, (str(self.seats[0]), str(self.seats[1])))

    def following(self) -> "Session | None":
        """The game that follows this one, if any."""
        return None

    # --- turns -------------------------------------------------------------------------------------------------------

    def roll(self) -> None:
        """Let chance decide."""
        outcome = self.course.roll(self.seed)
        self.say(f"Rolled: {self.game.move_name(self.course.state, outcome)}")
        self.play(outcome)

    def play(self, move: int) -> None:
        """Make the move and show the board, unless dice are about to change it."""
        self.course.play(move)
        if self.course.ending or self.decides():
            self.draw()

    def decides(self) -> bool:
        """Whether somebody has to think before more happens."""
        return self.course.mover != CHANCE

    def answer(self, seat: Seat) -> None:
        """A player's move, by name, with what it expects where it can tell."""
        course, player, adviser = self.course, seat.player, self.adviser
        word = draw_word(seeded(self.seed, CHOICE, len(course.moves))) | np.uint64(1)
        expects, beside = "", []
        if adviser and adviser.player is player:
            found = self.considered(adviser, f"{seat} is thinking", 1, int(word))
            move, expects = found.move, found.expects()
            beside = found.beside() if expects else []
        else:
            move = heard(lambda: player.choose(course.batch(word))[0], player.stop, f"{seat} is thinking")
        course.check(move, seat)
        self.say(f"{seat} played {self.game.move_name(course.state, move)}{expects}", "bold")
        for line in beside:
            self.say(f"  {line}", "dim")
        self.play(move)

    def considered(self, adviser: Adviser, doing: str, most: int, seed: int = 0) -> Findings:
        """What an adviser finds in the position; Ctrl+C ends its search."""
        return heard(lambda: adviser.consider(self.course, most, seed), adviser.player.stop, doing, adviser.gone)

    # --- a person's turn ---------------------------------------------------------------------------------------------

    def ask(self, seat: Seat) -> None:
        """Read one line: a move, or one of `words`. A game may use such a word for a move; then it is the move."""
        if not self.listed:
            self.list_moves(most_lines=2)
            self.listed = True
        text = self.typed(f"{seat.name}> ")
        if not text:
            return
        names = [self.game.move_name(self.course.state, m) for m in self.game.legal_moves(self.course.state)]
        if text.lower() in [name.lower() for name in names]:
            self.play(self.game.parse_move(self.course.state, text))
        elif not self.obeyed(text, seat):
            self.play_turn(text, [*names, *self.words])

    def typed(self, prompt: str) -> str:
        """A line of a person's; empty where there are no more, and then the game is left."""
        try:
            return read(prompt)
        except EOFError:
            self.say("")
            self.left = True
            return ""

    def obeyed(self, text: str, seat: Seat) -> bool:
        """Do what one of `words` says, if the text is one."""
        if text.lower() not in self.words:
            return False
        try:
            getattr(self, f"on_{text.lower()}")(seat)
        except KeyboardInterrupt:
            self.say("Stopped.")
        return True

    def play_turn(self, text: str, known: list[str]) -> None:
        """Several moves at once, as turns are written, or a complaint."""
        try:
            moves = moves_of(self.game, self.course.state, text)
        except GameError:
            close = nearest(text, known)
            self.say(f"{text!r} is not a legal move here.{close} Say moves for all of them, or help.")
            return
        for move in moves[:-1]:
            self.course.play(move)
        self.play(moves[-1])

    def list_moves(self, most_lines: int) -> None:
        """The legal moves, where they take at most so many lines; else how many there are."""
        names = [self.game.move_name(self.course.state, m) for m in self.game.legal_moves(self.course.state)]
        width = min(self.out.width, 100) - 2
        lines = textwrap.wrap("  ".join(names), width, break_long_words=False, break_on_hyphens=False)
        if len(lines) > most_lines:
            self.say(f"{len(names)} legal moves, such as {names[0]}; say moves for all of them")
            return
        self.say(textwrap.indent("\n".join(lines), "  "), "dim")

    def on_moves(self, seat: Seat) -> None:
        """All legal moves."""
        self.list_moves(most_lines=10_000)

    def on_hint(self, seat: Seat) -> None:
        """The best moves by a search."""
        adviser = self.advise()
        found = self.considered(adviser, f"{adviser.name} is thinking", HINTS)
        self.show_moves(found.rows(), listed=False)
        for line in found.hint():
            self.say(line)

    def on_scores(self, seat: Seat) -> None:
        """The perfect score of each move."""
        truth = self.truth
        assert truth is not None
        scores = heard(lambda: truth.scores(self.course.state), truth.stop, SOLVING)
        self.show_moves(row_of(scores))
        self.say(f"Perfect play for {seat.name}: {scores_told(scores)}.")
        self.say(MEANING, "dim")

    def show_moves(self, rows: Rows, listed: bool = True) -> None:
        """The board with what the rows say of its columns; where it has none, a table, if listed."""
        cells = columns_of(self.game, self.course.state)
        if not rows or not (cells or listed):
            return
        lines = under_columns(cells, rows) if cells else table(list(next(iter(rows.values()))), rows)
        self.out.print()
        for line in lines:
            self.out.print(Text(line), soft_wrap=True)
        self.out.print()

    def on_eval(self, seat: Seat) -> None:
        """The opinion of the net or the judgement, without a search."""
        found = glance(self.game, self.advise(), self.course.state)
        if found is None:
            self.say("Nobody can tell without searching: no net is given, the rules have no evaluate(). Say hint.")
            return
        self.tell(seat, found)

    def tell(self, seat: Seat, found: Glance) -> None:
        """An opinion, in that seat's name."""
        mine = self.seats.index(seat)
        other = self.seats[1 - mine].name
        words = standing(self.game, found.value)
        words += "" if words == EVEN else f" for {seat.name}"
        self.say(f"{seat.name} {signed(found.value)}, {other} {signed(-found.value)} by {found.by}: {words}")
        if found.chances:
            self.say(f"  {chances_told(self.game, found.chances, mine)}")

    def on_undo(self, seat: Seat) -> None:
        """Back to the last decision of a person."""
        course = self.course
        for back in range(1, len(course.moves) + 1):
            state = course.states[-1 - back]
            mover = int(self.game.mover(state))
            if mover != CHANCE and self.seats[mover].player is None:
                course.take_back(back)
                self.draw()
                return
        self.say("Nothing to take back: you have not moved yet.")

    def on_resign(self, seat: Seat) -> None:
        """The game ends as a loss."""
        self.resigned = seat

    def on_quit(self, seat: Seat) -> None:
        """Leave."""
        self.left = True

    def on_help(self, seat: Seat) -> None:
        """Rules and words."""
        self.say(f"\n{(self.game.module.__doc__ or self.game.name).strip()}\n")
        self.say(f"{self.what_to_type()} Or one of these words:")
        for word, what in self.words.items():
            self.say(f"  {word:7} {what}")

    def what_to_type(self) -> str:
        """Besides `words`."""
        example = self.game.move_name(self.course.state, self.game.legal_moves(self.course.state)[0])
        return f"Type a move by its name, such as {example}."

    def advise(self) -> Adviser:
        """Who gives hints: the opponent where it tells its thoughts, else the strongest player, made when asked."""
        if self.adviser is None:
            with status("making ready to search"):
                self.adviser = adviser_of(self.game)
        return self.adviser

    # --- the screen --------------------------------------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        """A line, or several; wrapped between words for a person who watches."""
        self.out.print(Text(text, style=style), soft_wrap=not self.out.is_terminal)

    def draw(self) -> None:
        """The board; what changed since it was last drawn stands out where there are colours."""
        lines = self.game.draw(self.course.state).splitlines()
        self.out.print()
        for text in marked(lines, self.shown):
            self.out.print(text, soft_wrap=True)
        if beside := self.beside_board():
            self.say(beside)
        self.out.print()
        self.shown, self.listed = lines, False

    def beside_board(self) -> str:
        """What the board does not show; empty: nothing."""
        return ""
