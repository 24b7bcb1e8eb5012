"""Games played for their positions: legal, seeded, labelled with their ends; which of their positions are kept."""

import dataclasses
import threading

import numpy as np
import pytest

from sparring.errors import GameError, RunError
from sparring.games.game import load
from sparring.learn import generate_play
from sparring.learn.generate import Generator, Style, usual_style
from sparring.rng import seeded
from sparring.search import judging
from sparring.search.context import new_context
from sparring.search.selective import ALL_SKILLS
from sparring.search.table import new_table

STYLE = Style(nodes=60, hard=200, opening=(2, 3), fair=9_000, winning=None, level=None, extreme=10_000)


def make(name="tic_tac_toe", positions=60, seed=(7,), threads=1, longest=200, judge=None, style=STYLE, **more):
    game = load(name) if isinstance(name, str) else name
    generator = Generator(game, threads, longest=longest, table_entries=256)
    return game, generator.generate(judge or judging.usual(game), positions, seed, style, keep_games=True, **more)


def positions_of(game, one):
    """The game's positions, one for each of its moves, and the last."""
    states = [one.start[0]]
    for move in one.moves:
        assert move in game.legal_moves(states[-1])
        states.append(game.after(states[-1], int(move)))
    return states


def slow_rows(game, made, extreme=10_000):
    """The rows of the games, found one by one from positions, scores and ends."""
    rows, seen = [], set()
    for one in made.played:
        in_this = set()
        for state, score, move in zip(positions_of(game, one), one.scores, one.moves, strict=False):
            key, own = int(game.key(state)), 1 if game.mover(state) == 0 else -1
            quiet = not game.threatened(state) and game.prize(state, int(move)) == 0
            if quiet and abs(score) <= extreme and key not in seen and key not in in_this:
                seen.add(key)
                rows.append((state, own * score, own * game.RESULTS[one.result]))
            in_this.add(key)
    return rows


@pytest.mark.parametrize("name", ["tic_tac_toe", pytest.param("connect_four", marks=pytest.mark.compiled)])
def test_the_rows_are_the_games_positions_with_score_and_result_as_the_player_to_move_sees_them(name):
    game, made = make(name)
    expected = slow_rows(game, made)
    assert len(made.rows) == len(expected) >= 60
    packed = np.zeros(1, game.PACKED)
    for row, (state, score, value) in zip(made.rows, expected, strict=True):
        game.pack(state, packed[0])
        assert row["packed"] == packed[0]
        assert row["score"] == score
        assert game.RESULTS[row["result"]] == value


@pytest.mark.parametrize("name", ["tic_tac_toe", pytest.param("connect_four", marks=pytest.mark.compiled)])
def test_games_end_as_the_rules_say(name):
    game, made = make(name)
    for one in made.played:
        assert game.result(positions_of(game, one)[-1]) == one.result
    assert made.ends == tuple(sum(one.result == end for one in made.played) for end in range(len(game.RESULTS)))
    assert made.searched == sum(len(one.moves) for one in made.played)
    assert made.games == made.next == len(made.played)


CHESS = Style(nodes=150, hard=600, winning=900, winning_plies=3, level=100, level_plies=6, level_from=30, extreme=700)


@pytest.fixture(scope="module")
def chess():
    """Chess and games of it, judged by material."""
    game = load("chess")
    return make(game, 400, judge=judging.by_rules(game, "material"), style=CHESS)


@pytest.mark.compiled
def test_of_chess_the_quiet_positions_are_kept(chess):
    game, made = chess
    expected = slow_rows(game, made, CHESS.extreme)
    assert made.searched > len(made.rows) + made.repeated + 50
    assert len(made.rows) == len(expected)
    packed = np.zeros(1, game.PACKED)
    for row, (state, score, value) in zip(made.rows, expected, strict=True):
        game.pack(state, packed[0])
        assert row["packed"] == packed[0]
        assert (row["score"], game.RESULTS[row["result"]]) == (score, value)


@pytest.mark.compiled
def test_games_of_chess_end_by_the_rules_or_because_their_scores_leave_no_doubt(chess):
    game, made = chess
    kinds = set()
    for one in made.played:
        states = positions_of(game, one)
        last = states[-1]
        keys = [int(game.key(state)) for state in states]
        ahead, level = one.scores[-CHESS.winning_plies :], one.scores[-CHESS.level_plies :]
        even = (abs(level) <= CHESS.level).all() and len(one.moves) + 9 >= CHESS.level_from + CHESS.level_plies
        if game.result(last) != -1:
            assert one.result == game.result(last)
        elif (ahead >= CHESS.winning).all() or (ahead <= -CHESS.winning).all():
            kinds.add("ahead")
            assert one.result == (2 if ahead[0] > 0 else 0)
        else:
            assert one.result == 1
            kinds.add("level" if even else "drawn")
            assert even or keys.count(keys[-1]) >= 3 or len(one.moves) >= 190
    assert {"ahead", "level"} <= kinds


@pytest.mark.compiled
def test_a_game_is_the_same_on_any_thread_and_whatever_was_played_before():
    game = load("connect_four")
    judge = judging.usual(game)
    _, alone = make(game, 200, judge=judge)
    _, others = make(game, 200, judge=judge, threads=3)
    assert (alone.rows == others.rows).all() and alone.games == others.games
    _, later = make(game, 30, judge=judge, first=4)
    assert (later.played[0].moves == alone.played[4].moves).all()
    _, other = make(game, 200, judge=judge, seed=(8,))
    assert len(other.rows) != len(alone.rows) or (other.rows != alone.rows).any()


def test_no_position_is_kept_twice():
    game, made = make(positions=150)
    states = np.zeros(1, game.STATE)
    keys = []
    for row in made.rows:
        game.unpack(row["packed"], states[0])
        keys.append(int(game.key(states[0])))
    assert len(set(keys)) == len(keys)
    assert made.repeated > 0


def test_openings_are_random_and_of_the_asked_length():
    game, made = make("tic_tac_toe", 100)
    lengths = {int(one.start[0]["placed"]) for one in made.played}
    assert lengths == {2, 3}
    assert len({one.start.tobytes() for one in made.played}) > 10
    assert all(game.result(one.start[0]) == -1 for one in made.played)


def test_openings_that_are_decided_are_thrown_away():
    style = dataclasses.replace(STYLE, nodes=100_000, hard=100_000, opening=(5, 5))
    fair = make(positions=40, style=style)[1]
    assert all(one.scores[0] == 0 for one in fair.played), "what is kept is a draw"
    every = make(positions=40, style=dataclasses.replace(style, fair=None))[1]
    assert every.thrown < fair.thrown
    assert any(one.scores[0] != 0 for one in every.played)


def test_an_opening_longer_than_the_game_is_cut_short():
    _, made = make(positions=3, style=dataclasses.replace(STYLE, opening=(40, 50), fair=None, extreme=None))
    assert len(made.rows) >= 3 and made.thrown > 0


def lane_of(style):
    lane = np.zeros(1, generate_play.LANE)
    for name in ("winning", "level"):
        lane[name] = getattr(style, name) * generate_play.CENT
    for name in ("winning_plies", "level_plies", "level_from"):
        lane[name] = getattr(style, name)
    return lane


def ends(scores, first=0, **style):
    """What `adjudicated` says of each score, in hundredths of a pawn."""
    kernels, lane = load("tic_tac_toe").bind("learn.generate_play"), lane_of(Style(**style))
    said = []
    for n, score in enumerate(scores, first):
        said.append(int(kernels.adjudicated(lane[0], np.int64(score * generate_play.CENT), np.int64(n))))
    return said


def test_who_is_far_ahead_for_long_enough_has_won():
    how = {"winning": 2_500, "winning_plies": 3}
    assert ends([2_500, 3_000, 9_000], **how) == [-1, -1, 2]
    assert ends([-2_500, -3_000, -9_000], **how) == [-1, -1, 0]
    assert ends([2_500, 2_499, 2_500, 2_500, 2_500], **how) == [-1, -1, -1, -1, 2]
    assert ends([2_500, 2_500, -2_500, -2_500, -2_500], **how) == [-1, -1, -1, -1, 0]


def test_level_scores_are_a_draw_after_long_enough_and_late_enough():
    how = {"level": 10, "level_plies": 3, "level_from": 80}
    assert ends([0, 10, -10], first=80, **how) == [-1, -1, -2]
    assert ends([0, 0, 0, 0, 0], first=78, **how) == [-1, -1, -1, -1, -2]
    assert ends([0, 11, 0, 0, 0], first=80, **how) == [-1, -1, -1, -1, -2]


def test_games_that_go_on_too_long_are_drawn():
    _, made = make("tigers_and_sheep", positions=20, longest=9)
    assert {len(one.moves) + 2 for one in made.played} <= {8, 9}
    assert {one.result for one in made.played} <= {0, 1, 2}
    assert any(len(one.moves) >= 6 and one.result == 1 for one in made.played)


def test_extreme_scores_are_left_out():
    _, made = make(positions=40, style=dataclasses.replace(STYLE, extreme=0))
    assert len(made.rows) >= 40 and not made.rows["score"].any()
    _, every = make(positions=40, style=dataclasses.replace(STYLE, extreme=None))
    assert (abs(every.rows["score"]) > 10_000).any(), "proven wins are beyond every judgement"


def test_scores_are_rounded_to_hundredths_and_held_in_their_field():
    to_cents = generate_play.to_cents
    assert [int(to_cents(np.int64(s))) for s in (0, 49, 50, 149, -49, -50, 10**8, -(10**8))] == [
        *(0, 0, 1, 1, 0, -1, 32_000, -32_000)
    ]


@pytest.mark.compiled
def test_stopping_returns_the_games_that_are_finished():
    game = load("connect_four")
    generator = Generator(game, 2, table_entries=256)
    timer = threading.Timer(0.5, generator.stop)
    timer.start()
    made = generator.generate(judging.usual(game), 10**6, (1,), usual_style(game, 20_000))
    timer.join()
    assert len(made.rows) < 10**6
    assert sum(made.ends) == made.games == made.next


@pytest.mark.compiled
def test_one_call_of_the_kernel_does_not_last_long():
    game = load("connect_four")
    judge = judging.usual(game)
    lane = {"depth": 20, "winning": 1 << 60, "winning_plies": 4, "level_plies": 99, "extreme": 1 << 60, "fair": 1 << 60}
    play_on, lane = begun(game, judge, lane | {"soft": 1_000, "hard": 1_000})
    calls, before = 0, 0
    while play_on(lane, 5_000) == -1:
        assert lane["plies"][0] - before <= 6
        calls, before = calls + 1, int(lane["plies"][0])
    assert calls >= 3
    halted = lane.copy()
    halted["halt"] = 1
    assert play_on(halted, 5_000) == -1
    assert halted["plies"] == lane["plies"]


@pytest.mark.compiled
def test_a_position_that_is_not_kept_is_searched_briefly():
    game = load("chess")
    judge = judging.by_rules(game, "material")
    limits = {"soft": 3_000, "hard": 4_000, "brief": 400}
    lane = {"depth": 20, "winning": 1 << 60, "winning_plies": 4, "level": -1, "level_plies": 99, "fair": 1 << 60}
    states, played = np.zeros(80, game.STATE), np.zeros(80, np.int32)
    play_on, lane = begun(game, judge, lane | limits | {"least": 8, "most": 8}, states, played)
    spent = {True: [], False: []}
    end = -1
    while end == -1:
        n, before = int(lane["plies"][0]), int(lane["nodes"][0])
        end = play_on(lane, 1)
        if int(lane["plies"][0]) > n:
            unfit = game.threatened(states[n]) or game.prize(states[n], int(played[n])) > 0
            spent[bool(unfit)].append(int(lane["nodes"][0]) - before)
    assert len(spent[True]) >= 4 and len(spent[False]) >= 10, spent
    assert min(spent[True]) <= 400 < min(spent[False]) and max(spent[False]) < 4_020
    assert np.median(spent[True]) <= 420 and np.median(spent[False]) >= 3_000


def begun(game, judge, told, states=None, played=None):
    """A game with such a lane, begun: a function that plays on with a lane for so many nodes, and the lane."""
    from sparring.learn.generate import _join

    kernels = _join(game, judge)
    context, table, lane = new_context(game, judge.dtype), new_table(4096), np.zeros(1, generate_play.LANE)
    for name, value in told.items():
        lane[name] = value
    context["skills"], context["quiescence"] = ALL_SKILLS, 1
    states = np.zeros(60, game.STATE) if states is None else states
    played = np.zeros(len(states), np.int32) if played is None else played
    scores, moves, rng = np.zeros(len(states), np.int32), np.zeros(game.MOST_MOVES, np.int32), seeded(1)
    states[0] = game.states()[0]
    kernels.new_game(context[0], table, lane[0], states, moves, rng)
    buffers = (states, scores, played, moves, rng)
    return lambda lane, nodes: int(kernels.play_on(context[0], table, lane[0], *buffers, nodes)), lane


def test_what_makes_no_sense_is_refused():
    with pytest.raises(RunError, match="an opening has 5 to 3 random moves"):
        Style(opening=(5, 3))
    with pytest.raises(RunError, match="a search has 5000 nodes, 100 at most"):
        Style(hard=100)
    with pytest.raises(RunError, match="a brief search has 6000 nodes, but it must be 0 to 5000"):
        Style(brief=6_000)
    game = load("tic_tac_toe")
    with pytest.raises(RunError, match="the longest game has 5000 positions"):
        Generator(game, 1, longest=5000)
    odd = dataclasses.replace(game, constants=game.constants | {"RESULTS": (-1.0, 0.0, 2.0)})
    with pytest.raises(GameError, match="differs between the players"):
        Generator(odd, 1)
