"""Matches: a game is the same whoever is played beside it, and a player is asked about many positions at once."""

import threading

import numpy as np
import pytest

from sparring.arena.match import play_pairs
from sparring.arena.player import Entry, parse_player
from sparring.arena.under_way import CHOICE, DICE, LONGEST, OPENING, outcome
from sparring.errors import MatchError
from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.rng import draw_index, draw_word, seeded


class Chooser:
    """Plays by the seed it is given and the position's key.

    asked, movers: (lanes, plies) of its batches, and who is to move in them. begun: lanes, for each game.
    """

    def __init__(self, game, lanes, salt=0):
        self.game, self.lanes, self.salt = game, lanes, salt
        self.asked, self.movers, self.begun = [], [], []

    def begin(self, lane):
        self.begun.append(lane)

    def choose(self, batch):
        assert len({*map(len, (batch.states, batch.past, batch.plies, batch.seeds, batch.lanes))}) == 1
        self.asked.append((list(batch.lanes), list(batch.plies)))
        self.movers.append([self.game.mover(state) for state in batch.states])
        return [self.choice(*one) for one in zip(batch.states, batch.seeds, batch.past, batch.plies, strict=True)]

    def choice(self, state, seed, past, plies):
        assert len(past) == plies
        moves = self.game.legal_moves(state)
        return moves[(int(seed) + self.salt + int(self.game.key(state)) + sum(map(int, past))) % len(moves)]

    def stop(self):
        pass


class Table:
    """Two choosers, and a new instance of each for every thread."""

    def __init__(self, game, lanes_a, lanes_b, kind=Chooser):
        self.game, self.made = game, ([], [])
        self.a, self.b = (self.entry(i, lanes, kind) for i, lanes in enumerate((lanes_a, lanes_b)))

    def entry(self, i, lanes, kind):
        def make():
            self.made[i].append(kind(self.game, lanes, i))
            return self.made[i][-1]

        return Entry("ab"[i], "", make)

    def play(self, pairs, threads=1, opening=2, seed=7):
        return list(play_pairs(self.game, self.a, self.b, pairs, opening=opening, seed=seed, threads=threads))


def alone(game, number, first, opening=2, seed=7):
    """A game between two choosers, played by itself, move after move: the slow, obvious twin."""
    dice, choices = seeded(seed, number, DICE), seeded(seed, number, CHOICE, int(first))
    rng, state, past, moves = seeded(seed, number, OPENING, 0), game.states(1), [], []
    players, left = [Chooser(game, 1, salt) for salt in range(2)], opening
    while (value := outcome(game, state[0], past, LONGEST)) is None:
        who = game.mover(state[0])
        if who == CHANCE:
            outcomes, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
            n = game.chance(state[0], outcomes, chances)
            move = int(outcomes[draw_index(dice, chances, n)])
        elif left:
            left -= 1
            legal = game.legal_moves(state[0])
            move = legal[int(draw_word(rng) % len(legal))]
        else:
            seen, seed_here = np.array(past, np.uint64), draw_word(choices) | np.uint64(1)
            move = players[who if first else 1 - who].choice(state[0], seed_here, seen, len(moves))
        past.append(int(game.key(state[0])))
        game.play(state[0], move)
        moves.append(move)
    return value * (1 if first else -1), tuple(moves)


@pytest.fixture(scope="module", params=["tic-tac-toe", "pig"])  # pig has dice, and several moves in a row
def game(request):
    return load(request.param)


@pytest.fixture(scope="module")
def oxo():
    return load("tic-tac-toe")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lanes", [(1, 1), (2, 64), (3, 3), (64, 5), (64, 64)])
def test_a_pair_is_the_same_played_alone_or_beside_others(game, lanes, threads):
    for pair in Table(game, *lanes).play(range(3, 10), threads):
        for record in pair.games:
            assert (record.value, record.moves) == alone(game, pair.number, record.first)
            assert record.points == (np.sign(record.value) + 1) / 2
        assert [record.first for record in pair.games] == [True, False]


@pytest.mark.parametrize("threads", [1, 2])
def test_random_players_play_the_same_match_in_many_lanes_and_in_one(oxo, threads):
    greedy, random = parse_player("greedy", oxo), parse_player("random", oxo)

    class OneLane:
        lanes = 1

        def __init__(self):
            player = random.make()
            self.begin, self.choose, self.stop = player.begin, player.choose, player.stop

    single = Entry("random", "", OneLane)
    played = [
        list(play_pairs(oxo, a, b, range(20), opening=1, seed=3, threads=threads))
        for a, b in ((random, random), (single, random), (random, single))
    ]
    assert played[0] == played[1] == played[2]
    assert len(list(play_pairs(oxo, greedy, random, range(3), opening=1, seed=3, threads=threads))) == 3


def test_all_games_in_which_a_player_is_to_move_come_in_one_batch(oxo):
    table = Table(oxo, 64, 64)
    table.play(range(10), opening=0)
    (a,), (b,) = table.made
    sizes = [[len(lanes) for lanes, _ in player.asked] for player in (a, b)]
    assert sizes[0][:2] == [10, 20], "it moves first in one game of each pair, then in all"
    assert sizes[1][:2] == [20, 20]
    assert [plies for _, plies in a.asked[:2]] == [[0] * 10, [2, 1] * 10]
    assert len(a.asked) + len(b.asked) <= 12, "nine plies, not nine for each game"


@pytest.mark.parametrize("lanes", [(1, 1), (64, 3), (3, 64), (4, 4)])
def test_no_more_games_run_at_once_than_both_players_have_lanes(oxo, lanes):
    table = Table(oxo, *lanes)
    table.play(range(12))
    for player in (table.made[0][0], table.made[1][0]):
        assert {lane for batch, _ in player.asked for lane in batch} == set(range(min(lanes)))
        assert all(len({*batch}) == len(batch) for batch, _ in player.asked)


def test_games_are_shared_among_threads_before_they_share_lanes(oxo):
    table = Table(oxo, 64, 64)
    table.play(range(10), threads=2)
    used = [max((lane for batch, _ in player.asked for lane in batch), default=0) for player in table.made[0]]
    assert len(used) == 2
    assert max(used) <= 9


def test_a_player_is_asked_about_its_own_turns_alone(game):
    table = Table(game, 64, 64)
    table.play(range(6))
    seats = [{mover for movers in made[0].movers for mover in movers} for made in table.made]
    assert seats == [{0, 1}, {0, 1}], "either seat, as sides are swapped, and never chance"


@pytest.mark.parametrize("lanes", [1, 3])
def test_both_players_are_told_of_each_game_that_begins_in_a_lane(oxo, lanes):
    class Listener(Chooser):
        """Keeps begins and choices in the order in which they come."""

        def begin(self, lane):
            self.asked.append(("begin", lane))

        def choose(self, batch):
            plies = dict(zip(batch.lanes, batch.plies, strict=True))
            chosen = super().choose(batch)
            self.asked[-1] = ("choose", plies)
            return chosen

    table = Table(oxo, lanes, 64, Listener)
    table.play(range(7))
    for (player,) in table.made:
        newest = {}
        for what, which in player.asked:
            if what == "begin":
                newest[which] = -1
            else:
                assert all(ply > newest[lane] for lane, ply in which.items()), "a new game in a lane is told first"
                newest |= which
        assert [what for what, _ in player.asked].count("begin") == 14


def test_pairs_come_in_the_order_asked_for(oxo):
    wanted = [5, 2, 9, 0, 7]
    for threads in (1, 2, 9):
        assert [pair.number for pair in Table(oxo, 3, 3).play(wanted, threads)] == wanted
    assert Table(oxo, 3, 3).play([]) == []


class Sleeper(Chooser):
    """From its seventh game on thinks until it is told to stop, for the second time."""

    thinking = threading.Event()

    def __init__(self, game, lanes, salt):
        super().__init__(game, lanes, salt)
        self.slept, self.stops, self.told = False, 0, threading.Event()

    def choose(self, batch):
        if len(self.begun) > 6:
            self.slept = True
            self.thinking.set()
            self.told.wait(60)
        return super().choose(batch)

    def stop(self):
        self.stops += 1
        if self.stops > 1:
            self.told.set()


@pytest.mark.parametrize("threads", [1, 2])
def test_closing_a_match_stops_players_that_think_even_where_the_first_call_came_too_early(oxo, threads):
    Sleeper.thinking.clear()
    table, before = Table(oxo, 2, 2, Sleeper), threading.active_count()
    pairs = play_pairs(oxo, table.a, table.b, range(50), opening=2, seed=7, threads=threads)
    assert next(pairs).number == 0
    assert Sleeper.thinking.wait(60)
    pairs.close()
    assert threading.active_count() == before
    assert all(player.told.is_set() for made in table.made for player in made if player.slept)


@pytest.mark.parametrize("lanes", [1, 64])
def test_an_illegal_move_is_told_with_player_pair_and_game(oxo, lanes):
    class Cheat(Chooser):
        def choice(self, state, seed, past, plies):
            return 9 if plies == 4 else super().choice(state, seed, past, plies)

    with pytest.raises(MatchError, match=r"^pair 3, game 1: a played 9, which is not legal in\n"):
        Table(oxo, lanes, 64, Cheat).play([3, 4], opening=0)


def test_a_fault_of_a_player_notes_the_game_or_the_games_it_came_up_in(oxo):
    class Faulty(Chooser):
        def choice(self, state, seed, past, plies):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as one:
        Table(oxo, 1, 1, Faulty).play([8], opening=0)
    assert one.value.__notes__ == ["in pair 8, game 1 of the match"]
    with pytest.raises(ZeroDivisionError) as many:
        Table(oxo, 64, 64, Faulty).play([8, 9, 10], opening=0)
    assert many.value.__notes__ == ["in pair 8, game 1 of the match or one of 2 others"]


def test_numbers_that_make_no_sense_are_refused(oxo):
    with pytest.raises(MatchError, match="the opening has -1 random moves"):
        Table(oxo, 1, 1).play([0], opening=-1)
    with pytest.raises(MatchError, match="threads is 0, but it must be at least 1"):
        Table(oxo, 1, 1).play([0], threads=0)
    with pytest.raises(MatchError, match="an opening of 99 random moves nearly always ends tic_tac_toe"):
        Table(oxo, 64, 64).play([0], opening=99)


ENDLESS = """
import numpy as np
from sparring.games.contract import ONGOING

STATE = np.dtype([("n", "i8")])
RESULTS = (-2.0, -1.0, 1.0, 2.0)
MOVES = 1
LIMIT = 6


def start(state):
    state["n"] = 0


def mover(state):
    return state["n"] % 2


def legal(state, moves):
    moves[0] = 0
    return 1


def play(state, move):
    state["n"] += 1


def result(state):
    return ONGOING
"""


def test_a_game_that_its_limit_ends_is_worth_no_points(tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)
    (pair,) = Table(load(str(tmp_path / "endless.py")), 1, 1).play([0], opening=0)
    assert [(game.value, game.points, len(game.moves)) for game in pair.games] == [(0, 0.5, 6)] * 2
    assert (pair.value, pair.score) == (0, 0.5)


@pytest.mark.compiled
def test_both_games_of_a_pair_of_backgammon_are_played_with_the_same_dice():
    game = load("backgammon")
    random = parse_player("random", game)
    for pair in play_pairs(game, random, random, range(4), opening=0, seed=5, threads=1):
        rolls = []
        for record in pair.games:
            state, found = game.states(1)[0], []
            for move in record.moves:
                if game.mover(state) == CHANCE:
                    found.append(move)
                game.play(state, move)
            assert game.RESULTS[game.result(state)] == record.value * (1 if record.first else -1)
            rolls.append(found)
        shared = min(map(len, rolls))
        assert shared > 20
        assert rolls[0][:shared] == rolls[1][:shared]
        assert pair.games[0].moves != pair.games[1].moves
        assert pair.value == (pair.games[0].value + pair.games[1].value) / 2
