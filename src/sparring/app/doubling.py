"""A game with the doubling cube at a terminal, for money or as part of a match: who doubles, who takes and passes."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sparring.app.advice import Adviser, Glance, turn_judge
from sparring.app.cube_words import advice_told, points_told, reason, score_told, stakes_told, won_told
from sparring.app.seat import Seat
from sparring.app.staked import DOUBLE, PASS, TAKE, Staked
from sparring.app.terminal import CHOICE, Session
from sparring.app.waiting import heard
from sparring.arena.equity import POINTS, mirrored
from sparring.arena.turn_player import TurnPlayer
from sparring.errors import nearest
from sparring.games.contract import CHANCE
from sparring.rng import draw_word, seeded
from sparring.search.expectimax import Lookahead

GAME = 4  # stream of the seed: the games of a match
ROLL = "roll"
RESIGNED = {"resign": 1, "resign gammon": 2, "resign backgammon": 3}
RESIGN = "give up: the game counts 1; resign gammon: 2; resign backgammon: 3"


class Doubling(Session):
    """One game with the cube: before dice are rolled, whoever may double is asked.

    given: the seed of the whole match, from which each game has its own.
    """

    course: Staked

    def __init__(self, course: Staked, seats: tuple[Seat, Seat], given: int, adviser: Adviser | None) -> None:
        seed = int(draw_word(seeded(given, GAME, *course.begun.scores)))
        super().__init__(course, seats, seed, adviser)
        self.given = given
        self.words["resign"] = RESIGN

    def run(self) -> None:
        """Say the score, play, and say who has won the match if that is decided."""
        if self.course.begun.length:
            self.say(score_told(self.course.begun, self.names), "bold")
        if double := self.course.offered:
            self.tell_double(self.seats[double.player])
        super().run()
        if not self.left and self.course.begun.length and (after := self.course.next).winner is not None:
            scores = [after.scores[after.winner], after.scores[1 - after.winner]]
            self.say(f"Match over: {self.names[after.winner]} won {scores[0]} to {scores[1]}.", "bold")

    def following(self) -> "Doubling | None":
        """The next game of the match."""
        if self.left or self.course.begun.money or self.course.next.over:
            return None
        for seat in self.seats:
            if seat.player is not None:
                seat.player.begin(0)
        scored = self.course.next.scores != self.course.begun.scores
        course = Staked(self.game, begun=self.course.next)  # one that nobody won is played again with other dice
        return Doubling(course, self.seats, self.given if scored else self.seed, self.adviser)

    @property
    def names(self) -> tuple[str, str]:
        """Of both players, with who they are."""
        return str(self.seats[0]), str(self.seats[1])

    def result(self) -> str:
        """Who won how many points, and how."""
        assert self.course.ending is not None
        return won_told(self.course.ending, self.game, self.names)

    # --- before a roll -----------------------------------------------------------------------------------------------

    def decides(self) -> bool:
        """A person who may double looks at the board first, and so does one who was doubled."""
        doubler, offered = self.course.doubler, self.course.offered
        if doubler is None:
            return super().decides()
        return self.seats[1 - doubler if offered else doubler].player is None

    def roll(self) -> None:
        """Let chance decide, unless somebody doubles."""
        doubler = self.course.doubler
        if doubler is None:
            super().roll()
        elif self.course.offered:
            self.reply(self.seats[1 - doubler], doubler)
        elif self.seats[doubler].player is None:
            self.before_roll(self.seats[doubler])
        elif self.asked(self.seats[doubler], "offer", doubler, usual=False):
            self.double(self.seats[doubler])
        else:
            super().roll()

    def before_roll(self, seat: Seat) -> None:
        """Read a person's line: roll, double or another word."""
        text = self.typed(f"{seat.name}, roll or double> ")
        if self.left:
            return
        if text.lower() in ("", ROLL):
            super().roll()
        elif text.lower() == DOUBLE:
            self.double(seat)
        elif not self.obeyed(text, seat):
            self.wonder(text, ROLL, DOUBLE)

    def double(self, seat: Seat) -> None:
        """The cube is turned, and the other is to answer."""
        self.tell_double(seat)
        self.course.double()
        if seat.player is not None:
            self.draw()

    def tell_double(self, seat: Seat) -> None:
        """Who doubles, and to what."""
        self.say(f"{seat} doubles to {2 * self.course.stakes.cube}.", "bold")

    def reply(self, seat: Seat, doubler: int) -> None:
        """Take or pass: what a player wants, or a line of a person's."""
        if seat.player is not None:
            self.settle(seat, doubler, *self.answered(seat, doubler))
            return
        text = self.typed(f"{seat.name}, take or pass> ")
        if text.lower() in (TAKE, PASS):
            self.settle(seat, doubler, text.lower() == TAKE, "")
        elif text and not self.obeyed(text, seat):
            self.wonder(text, TAKE, PASS)

    def settle(self, seat: Seat, doubler: int, taken: bool, why: str) -> None:
        """The double is taken, or passed, which ends the game."""
        cube = self.course.stakes.cube
        won = f": {self.seats[doubler]} wins {points_told(cube)}"
        self.say(f"{seat} {'takes' if taken else 'passes'}{why}{'' if taken else won}", "bold")
        self.course.answer(taken)

    def wonder(self, text: str, *known: str) -> None:
        """A complaint about a word that means nothing here."""
        close = nearest(text, [*known, *self.cube_words()])
        self.say(f"{text!r} means nothing here.{close} Say {' or '.join(known)}, or help.")

    # --- what players think of the cube ------------------------------------------------------------------------------

    def asked(self, seat: Seat, what: str, player: int, usual: bool) -> bool:
        """What a player says to `offer` or `accept`; `usual` if it has no opinion."""
        ask = getattr(seat.player, what, None)
        if ask is None:
            return usual
        word = draw_word(seeded(self.seed, CHOICE, len(self.course.moves))) | np.uint64(1)
        return bool(heard(lambda: ask(self.course.batch(word, player))[0], seat.player.stop, f"{seat} is thinking"))

    def answered(self, seat: Seat, doubler: int) -> tuple[bool, str]:
        """Whether a player takes, and why."""
        player = seat.player
        if not isinstance(player, TurnPlayer) or player.cube is None:
            return self.asked(seat, "accept", 1 - doubler, usual=True), ""
        stakes = self.course.stakes
        advice = heard(lambda: player.advice(self.course.state, stakes, doubler), player.stop, f"{seat} is thinking")
        return bool(advice.takes), reason(advice, stakes, doubler, player.table(stakes))

    def judge(self) -> tuple[str, TurnPlayer] | None:
        """Who can be asked about the cube, and under which name."""
        for name, player in self.judges():
            knows = isinstance(player, TurnPlayer) and player.cube is not None
            if knows or isinstance(turn_judge(player), Lookahead):
                return name, player
        self.say("Nobody here knows about the cube: give a net, as in turn:net=PATH.")
        return None

    def judges(self) -> Iterator[tuple[str, Any]]:
        """Whoever might know: the adviser, the players at the board, and else the strongest there is."""
        if self.adviser:
            yield self.adviser.entry.text, self.adviser.player
        yield from ((seat.who, seat.player) for seat in self.seats)
        if not self.adviser:
            adviser = self.advise()
            yield adviser.entry.text, adviser.player

    # --- words of a person -------------------------------------------------------------------------------------------

    def obeyed(self, text: str, seat: Seat) -> bool:
        """Resigning has three sizes; before a roll there are fewer words."""
        word = " ".join(text.lower().split())
        if word in RESIGNED:
            self.course.resigned = self.seats.index(seat), RESIGNED[word]
            return True
        if self.course.mover == CHANCE and word in self.words and word not in self.cube_words():
            return False
        return super().obeyed(text, seat)

    def cube_words(self) -> list[str]:
        """Those of `words` that can be said where there are no moves."""
        return [word for word in self.words if word not in ("moves", "scores")]

    def on_hint(self, seat: Seat) -> None:
        """What doubling, taking and passing are worth."""
        doubler = self.course.doubler
        if doubler is None:
            super().on_hint(seat)
        elif found := self.judge():
            (name, player), stakes = found, self.course.stakes
            state = self.course.state
            advice = heard(lambda: player.advice(state, stakes, doubler), player.stop, f"{name} is thinking")
            self.say(f"{name}, for {self.seats[doubler].name}, who {'doubled' if self.course.offered else 'rolls'}:")
            for line in advice_told(advice, stakes, doubler, player.table(stakes)):
                self.say(line)
            right = (TAKE if advice.takes else PASS) if self.course.offered else str(advice.action())
            self.say(f"Right for {seat.name}: {right}.")

    def on_eval(self, seat: Seat) -> None:
        """What a net expects before the roll, cube aside."""
        doubler = self.course.doubler
        if doubler is None:
            super().on_eval(seat)
        elif found := self.judge():
            name, player = found
            state, eyes = self.course.state, 1 - doubler
            chances: Any = heard(lambda: player.outlook(state, eyes), player.stop, f"{name} is thinking")
            chances = np.asarray(chances if self.seats.index(seat) == eyes else mirrored(chances), np.float64)
            pairs = tuple((float(v), float(p)) for v, p in zip(POINTS, chances, strict=True))
            self.tell(seat, Glance(float(chances @ POINTS), pairs, f"{name}, cube aside"))

    def on_undo(self, seat: Seat) -> None:
        """Back to the last decision of a person, the cube's too."""
        course, own = self.course, self.course.doubles
        if own and not (course.offered and self.seats[own[-1].player].player is not None):
            since = course.states[course.doubles[-1].ply : -1]
            if not any(self.by_person(state) for state in since):
                course.take_back_double()
                self.draw()
                return
        super().on_undo(seat)

    def play_turn(self, text: str, known: list[str]) -> None:
        """Several moves at once, or a complaint; it may have been meant for the cube."""
        if text.lower() in (ROLL, DOUBLE):
            self.say("The dice are rolled. Who may double is asked before; now type a move.")
        else:
            super().play_turn(text, known)

    def by_person(self, state: np.void) -> bool:
        """Whether a person is to move there."""
        mover = int(self.game.mover(state))
        return mover != CHANCE and self.seats[mover].player is None

    def what_to_type(self) -> str:
        """Besides `words`."""
        if self.course.offered:
            return "Type take or pass."
        if self.course.mover == CHANCE:
            return "Type roll (or Enter) to throw the dice, or double."
        return super().what_to_type()

    # --- the screen --------------------------------------------------------------------------------------------------

    def beside_board(self) -> str:
        """The cube and the score."""
        return stakes_told(self.course.stakes, self.game.players)
