"""Cube and matches: who doubles and when, what a game is worth, and that a match is the same in any lane."""

import functools
import pathlib

import numpy as np
import pytest

from sparring.arena.match import play_pairs
from sparring.arena.player import Entry, parse_player
from sparring.arena.roller import NOBODY, Rollers
from sparring.arena.stakes import Stakes
from sparring.arena.under_way import CHOICE, DICE, MATCHES, Terms, begin, deal_number, outcome
from sparring.errors import MatchError
from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.games.walk import random_positions
from sparring.rng import draw_index, draw_word, seeded


@pytest.fixture(scope="module")
def sprint():
    """A race of a few moves, won by 1, 2 or 3 points (tests/data/sprint.py)."""
    return load(str(pathlib.Path(__file__).parents[1] / "data" / "sprint.py"))


class Mover:
    """Plays by the seed it is given; it knows no cube."""

    lanes = 64

    def __init__(self, game, salt=0, lanes=64):
        self.game, self.salt, self.lanes = game, salt, lanes
        self.begun, self.asked = 0, []  # asked: (what, stakes, player, position) of every question

    def begin(self, lane):
        self.begun += 1

    def choose(self, batch):
        self.note("choose", batch)
        return [self.move(*one) for one in zip(batch.states, batch.seeds, strict=True)]

    def move(self, state, seed):
        moves = self.game.legal_moves(state)
        return moves[(int(seed) + self.salt) % len(moves)]

    def note(self, what, batch):
        players = batch.players or [self.game.mover(state) for state in batch.states]
        stakes = batch.stakes or [None] * len(players)
        self.asked += [(what, *one) for one in zip(stakes, players, batch.states, strict=True)]

    def stop(self):
        pass


class Doubler(Mover):
    """Doubles at every fourth chance and takes two of three, by the seed."""

    def offer(self, batch):
        self.note("offer", batch)
        return [self.doubles(seed) for seed in batch.seeds]

    def accept(self, batch):
        self.note("accept", batch)
        return [self.takes(seed) for seed in batch.seeds]

    def doubles(self, seed):
        return (int(seed) // 64 + self.salt) % 4 == 0

    def takes(self, seed):
        return (int(seed) // 64 + self.salt) % 3 != 0


class Bold(Doubler):
    """Doubles whenever it may and takes everything."""

    def doubles(self, seed):
        return True

    def takes(self, seed):
        return True


class Timid(Doubler):
    """Never doubles and passes everything."""

    def doubles(self, seed):
        return False

    def takes(self, seed):
        return False


def entries(game, kinds, lanes=(64, 64)):
    """Two entries, and the players that were made of each."""
    made = ([], [])

    def make(i):
        made[i].append(kinds[i](game, i, lanes[i]))
        return made[i][-1]

    return [Entry("ab"[i], "", functools.partial(make, i)) for i in range(2)], made


def play(game, kinds, pairs=6, lanes=(64, 64), threads=1, **terms):
    (a, b), made = entries(game, kinds, lanes)
    given = {"opening": 0, **terms}
    return list(play_pairs(game, a, b, range(pairs), seed=7, threads=threads, **given)), made


def alone(game, number, first, points=0, seed=7):
    """A match between two Doublers (or a game for money), by itself and move after move: the slow, obvious twin."""
    players, choices, stakes, games = [Doubler(game, salt) for salt in range(2)], None, Stakes(points), []
    choices = seeded(seed, number, CHOICE, int(first))

    def word():
        return draw_word(choices) | np.uint64(1)

    def at(player):
        return players[player if first else 1 - player]

    while not games or (points and not stakes.over):
        dice = seeded(seed, number, DICE, *([len(games)] if games else []))
        state, past, moves, doubles, end = game.states(1)[0], [], [], [], None
        while end is None and (end := outcome(game, state, past)) is None:
            if game.mover(state) != CHANCE:
                move = at(game.mover(state)).move(state, word())
            else:
                roller = int(state["turn"])
                if moves[1:] and stakes.may_double(roller) and at(roller).doubles(word()):
                    taken = at(1 - roller).takes(word())
                    doubles.append((len(moves), taken))
                    if not taken:
                        end = 1 - 2 * roller
                        continue
                    stakes = stakes.doubled(roller)
                outcomes, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
                n = game.chance(state, outcomes, chances)
                move = int(outcomes[draw_index(dice, chances, n)])
            past.append(int(game.key(state)))
            game.play(state, move)
            moves.append(move)
        games.append((end * stakes.cube * (1 if first else -1), tuple(moves), tuple(doubles)))
        stakes = stakes.after(end)
    return games, stakes


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lanes", [(1, 1), (3, 64), (64, 64)])
@pytest.mark.parametrize("points", [0, 1, 3])
def test_a_pair_is_the_same_played_alone_or_beside_others(sprint, points, lanes, threads):
    pairs, _ = play(sprint, (Doubler, Doubler), 6, lanes, threads, points=points, cube=not points)
    for pair in pairs:
        for record in pair.games:
            games, stakes = alone(sprint, pair.number, record.first, points)
            played = record.games if points else (record,)
            assert [(game.value, game.moves, game.doubles) for game in played] == games
            if points:
                won = stakes.winner == (0 if record.first else 1)
                assert (record.points, record.value, record.moves) == ((1, 1, ()) if won else (0, -1, ()))


def test_a_doubled_game_counts_twice_and_a_passed_double_what_the_cube_showed(sprint):
    pairs, _ = play(sprint, (Doubler, Doubler), 40, cube=True)
    records = [record for pair in pairs for record in pair.games]
    seen = set()
    for record in records:
        taken = [took for _, took in record.doubles]
        assert all(taken[:-1]), "no game goes on after a pass"
        if taken and not taken[-1]:
            assert abs(record.value) == 2 ** (len(taken) - 1)
        else:
            assert abs(record.value) / 2 ** len(taken) in (1, 2, 3)
        seen.add((len(taken), bool(taken) and taken[-1]))
    assert {(0, False), (1, True), (1, False), (2, True)} <= seen


def test_only_who_may_double_is_asked_and_never_before_the_first_move(sprint):
    pairs, made = play(sprint, (Bold, Bold), 20, cube=True)
    asked = [one for players in made for player in players for one in player.asked]
    offers = [(stakes, player, state) for what, stakes, player, state in asked if what == "offer"]
    assert all(stakes.may_double(player) for stakes, player, _ in offers)
    assert all(int(state["turn"]) == player and sprint.mover(state) == CHANCE for _, player, state in offers)
    accepts = [(stakes, player, state) for what, stakes, player, state in asked if what == "accept"]
    assert all(int(state["turn"]) == 1 - player for _, player, state in accepts)
    assert all(stakes.may_double(1 - player) for stakes, player, _ in accepts), "as it stood before the double"
    for record in (record for pair in pairs for record in pair.games):
        cubes = [after for after, _ in record.doubles]
        assert cubes == sorted(set(cubes)) and cubes[0] == 3, "both double in turn, once a roll"


def test_nobody_doubles_in_the_crawford_game(sprint):
    _, made = play(sprint, (Doubler, Doubler), 30, points=5)
    offers = [stakes for players in made for player in players for what, stakes, *_ in player.asked if what == "offer"]
    assert offers
    assert not any(stakes.crawford for stakes in offers)
    assert any(stakes.post_crawford for stakes in offers), "and after it again"
    chosen = [stakes for players in made for player in players for what, stakes, *_ in player.asked if what == "choose"]
    assert any(stakes.crawford for stakes in chosen)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_knows_no_cube_never_doubles_and_always_takes(sprint, seat):
    kinds = (Mover, Bold) if seat == 0 else (Bold, Mover)
    pairs, _ = play(sprint, kinds, 10, cube=True)
    records = [record for pair in pairs for record in pair.games]
    assert {len(record.doubles) for record in records} == {1} and all(record.doubles[0][1] for record in records)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_passes_every_double_loses_the_game_at_once(sprint, seat):
    kinds = (Timid, Bold) if seat == 0 else (Bold, Timid)
    pairs, _ = play(sprint, kinds, 10, cube=True)
    assert {record.value for pair in pairs for record in pair.games} == {-1.0 if seat == 0 else 1.0}
    pairs, _ = play(sprint, kinds, 4, points=3)
    for record in (record for pair in pairs for record in pair.games):
        assert record.value == (-1 if seat == 0 else 1) or any(not game.doubles for game in record.games)


def test_a_match_is_played_until_somebody_has_its_points(sprint):
    pairs, made = play(sprint, (Doubler, Doubler), 10, points=5)
    games = 0
    for record in (record for pair in pairs for record in pair.games):
        totals = np.cumsum([[max(game.value, 0), max(-game.value, 0)] for game in record.games], axis=0)
        assert (totals[:-1] < 5).all() and totals[-1].max() >= 5
        assert record.value == (1 if totals[-1][0] >= 5 else -1)
        assert all(game.first == record.first for game in record.games)
        games += len(record.games)
    assert [player.begun for players in made for player in players] == [games, games]


def test_both_matches_of_a_pair_have_the_same_dice_in_each_of_their_games(sprint):
    pairs, _ = play(sprint, (Doubler, Doubler), 5, points=7)
    shared = 0
    for pair in pairs:
        for one, two in zip(pair.games[0].games, pair.games[1].games, strict=False):
            rolls = [[move for i, move in enumerate(game.moves) if i % 3 == 0] for game in (one, two)]
            n = min(map(len, rolls))
            assert rolls[0][:n] == rolls[1][:n]
            shared += n
    assert shared > 50


def test_random_moves_come_first_in_a_match_s_first_game_alone(sprint):
    pairs, made = play(sprint, (Mover, Mover), 1, lanes=(1, 1), points=3, opening=2)
    asked = sum(len(player.asked) for players in made for player in players)
    moves = sum(len(game.moves) - -(-len(game.moves) // 3) for record in pairs[0].games for game in record.games)
    assert asked == moves - 2 * 2


@pytest.mark.parametrize("name", ["backgammon", "sprint"])
def test_who_rolls_is_who_moves_after_the_roll(name, sprint):
    game = sprint if name == "sprint" else load(name)
    rollers = Rollers(game)
    between = 0
    for state in random_positions(game, 20, seed=3):
        while game.mover(state) != CHANCE and (moves := game.legal_moves(state)):
            assert rollers.of(state) == NOBODY
            state = game.after(state, moves[0])
        if game.mover(state) == CHANCE and game.legal_moves(state):
            assert rollers.of(state) == int(state["turn"])
            between += 1
        else:
            assert rollers.of(state) == NOBODY
    assert between


def test_nobody_is_to_roll_while_dice_decide_who_begins_nor_where_a_roll_may_pass_the_turn():
    backgammon, pig = load("backgammon"), load("pig")
    assert Rollers(backgammon).of(backgammon.states(1)[0]) == NOBODY
    assert Rollers(pig).of(pig.after(pig.states(1)[0], 0)) == NOBODY


@pytest.mark.parametrize(
    ("terms", "says"),
    [
        ({"points": -1}, "points is -1, but a match is to 1 point or more"),
        ({"points": 3}, "tic_tac_toe ends with -1, 0, 1, but the cube and matches need 1, 2 and 3 points each way"),
        ({"cube": True}, "tic_tac_toe ends with -1, 0, 1"),
    ],
)
def test_terms_that_make_no_sense_are_refused(terms, says):
    game = load("tic-tac-toe")
    random = parse_player("random", game)
    with pytest.raises(MatchError, match=says):
        list(play_pairs(game, random, random, [0], opening=0, seed=1, threads=1, **terms))


def test_without_a_cube_there_are_no_stakes(sprint):
    assert Terms(4).stakes is None
    assert Terms(cube=True).stakes == Stakes()
    assert Terms(points=5).stakes == Stakes(5)
    _, made = play(sprint, (Bold, Bold), 3)
    assert {(what, stakes) for player in made[0] for what, stakes, *_ in player.asked} == {("choose", None)}


def test_training_is_dealt_no_first_position_that_a_match_may_be(data):
    numbers = [deal_number(1, pair) for pair in range(50)]
    assert min(numbers) >= MATCHES > max(deal_number(1, pair, training=True) for pair in range(50))
    assert len({*numbers, *(deal_number(1, 0, later) for later in range(1, 50))}) == 99
    nim = load(str(data / "nim.py"))
    for pair in range(10):
        for training in (False, True):
            running = begin(nim, Terms(training=training), 1, pair, True)
            assert running.state[0] == nim.dealt(deal_number(1, pair, training=training))[0]
