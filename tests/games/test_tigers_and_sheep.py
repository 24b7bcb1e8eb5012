"""Tigers and Sheep: rules in sentences, and a slow twin that must agree."""

import numpy as np
import pytest
from reference_tigers import Board

from sparring.compiled import INTERPRETED
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.games.walk import count_lines, occurrences
from sparring.rng import draw_below, seeded

TIGERS_WIN, SHEEP_WIN = 2, 0
PERFT = [21, 252, 5052, 68204, 1304788, 18592000]


@pytest.fixture(scope="module")
def game():
    return load("tigers-and-sheep")


def points(names):
    """The set of bits of points written as on the board, such as "a5 c3"."""
    return np.uint64(sum(1 << "abcde".index(name[0]) + 5 * "54321".index(name[1]) for name in names.split()))


def position(game, tigers, sheep, hand=0, captured=0, to_move="tigers"):
    state = game.states()[0]
    state["tigers"], state["sheep"] = points(tigers), points(sheep)
    state["hand"], state["captured"] = hand, captured
    state["turn"] = game.players.index(to_move)
    return state


def names(game, state):
    return {game.move_name(state, move) for move in game.legal_moves(state)}


def played(game, state, *moves):
    """A copy of the position after moves by name."""
    for name in moves:
        state = game.after(state, game.parse_move(state, name))
    return state


@pytest.mark.parametrize("depth", range(1, 4))
def test_lines_of_a_few_moves_are_as_many_as_is_known(game, depth):
    assert count_lines(game, game.states()[0], depth) == PERFT[depth - 1]


@pytest.mark.compiled
@pytest.mark.parametrize("depth", range(4, 7))
def test_lines_with_captures_are_as_many_as_is_known(game, depth):
    assert count_lines(game, game.states()[0], depth) == PERFT[depth - 1]


def test_rules_agree_with_the_slow_obvious_ones_in_random_games(game):
    rng = seeded(11)
    positions = 0
    while positions < (300 if INTERPRETED else 3000):
        state, board = game.states()[0], Board.first()
        for _ in range(game.LIMIT):
            winner = board.winner()
            assert game.result(state) == {None: ONGOING, "tigers": TIGERS_WIN, "sheep": SHEEP_WIN}[winner]
            if winner:
                break
            assert game.players[game.mover(state)] == ("tigers" if board.tigers_turn else "sheep")
            moves = sorted(board.moves())
            assert sorted(names(game, state)) == moves, game.draw(state)
            move = moves[draw_below(rng, len(moves))]
            state = played(game, state, move)
            board.play(move)
            assert state["tigers"] == points(" ".join(board.tigers)) and state["sheep"] == points(" ".join(board.sheep))
            assert (state["hand"], state["captured"]) == (board.hand, board.captured)
            positions += 1


def test_the_lines_of_the_board_make_112_steps_and_80_jumps(game):
    module = game.module
    assert (len(module.STEPS), len(module.JUMPS)) == (112, 80)
    assert module.MOVES == 25 + 112 + 80


def test_sheep_begin_by_placing_on_any_empty_point(game):
    state = game.states()[0]
    assert game.players[game.mover(state)] == "sheep"
    assert len(names(game, state)) == 21
    assert not names(game, state) & {"a1", "a5", "e1", "e5"}


def test_while_sheep_are_in_hand_no_sheep_steps(game):
    assert all(len(name) == 2 for name in names(game, position(game, "a1", "c3", hand=1, to_move="sheep")))


def test_with_an_empty_hand_sheep_step_along_the_lines_and_never_jump(game):
    state = position(game, "b3", "c3", to_move="sheep")
    assert names(game, state) == {"c3-c2", "c3-c4", "c3-d3", "c3-b2", "c3-b4", "c3-d2", "c3-d4"}
    state = position(game, "a1", "b3", to_move="sheep")
    assert names(game, state) == {"b3-b2", "b3-b4", "b3-a3", "b3-c3"}, "b3 has no slanting lines"


def test_a_tiger_may_jump_a_sheep_onto_the_empty_point_behind_and_takes_it(game):
    state = position(game, "a5", "b4 a4 b5", hand=3)
    assert {name for name in names(game, state) if "x" in name} == {"a5xc3", "a5xa3", "a5xc5"}
    after = played(game, state, "a5xc3")
    assert after["sheep"] == points("a4 b5")
    assert after["tigers"] == points("c3")
    assert after["captured"] == 1
    assert game.players[game.mover(after)] == "sheep", "one jump a turn"


def test_a_jump_is_not_forced(game):
    assert any("-" in name for name in names(game, position(game, "c3", "b3", hand=3)))


@pytest.mark.parametrize(("sheep", "behind"), [("b4 c3", "c3"), ("b4", None)])
def test_a_tiger_jumps_neither_two_sheep_nor_a_tiger(game, sheep, behind):
    tigers = "a5" if behind else "a5 c3"
    assert "a5xc3" not in names(game, position(game, tigers, sheep, hand=3))
    assert "a5xc3" not in names(game, position(game, "a5 b4", "", hand=3))


def test_a_tiger_jumps_only_along_a_line(game):
    assert "b5xd3" not in names(game, position(game, "b5", "c4", hand=3))


def test_the_fifth_capture_wins_for_the_tigers(game):
    state = position(game, "a5", "b5", hand=3, captured=4)
    assert game.result(state) == ONGOING
    assert game.result(played(game, state, "a5xc5")) == TIGERS_WIN


def test_sheep_win_when_no_tiger_can_move_on_the_tigers_turn(game):
    caught = {"tigers": "a5", "sheep": "a4 b5 b4 a3 c5 c3"}
    assert game.result(position(game, **caught)) == SHEEP_WIN
    assert game.result(position(game, **caught, to_move="sheep")) == ONGOING, "it is not the tigers' turn"
    assert game.result(position(game, "a5", "a4 b5 b4 a3 c5")) == ONGOING, "the tiger can jump to c3"


def test_sheep_to_move_without_a_move_lose(game):
    state = position(game, "a4 b4 b5", "a5", to_move="sheep")
    assert game.result(state) == TIGERS_WIN
    assert game.legal_moves(state) == []
    assert game.result(position(game, "a4 b4 b5", "a5", hand=1, to_move="sheep")) == ONGOING, "a sheep is in hand"


def test_the_third_occurrence_of_a_position_is_seen(game):
    state = position(game, "a1", "e5", to_move="sheep")
    keys = [game.key(state)]
    for move in ("e5-e4", "a1-a2", "e4-e5", "a2-a1") * 2:
        state = played(game, state, move)
        keys.append(game.key(state))
    keys = np.array(keys, np.uint64)
    seen = [occurrences(keys, n, int(n)) for n in range(9)]
    assert seen == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert game.REPETITION == 3
    assert game.quiet(state) == 8, "nothing was placed or taken"


def test_the_same_pieces_with_the_other_side_to_move_are_another_position(game):
    keys = {int(game.key(position(game, "a1", "e5", to_move=side))) for side in game.players}
    assert len(keys) == 2


def test_placing_and_capturing_cannot_be_undone_so_nothing_before_is_looked_at(game):
    quiet = game.quiet
    state = played(game, game.states()[0], "c3")
    assert quiet(state) == 0
    state = played(game, state, "a5-a4")
    assert quiet(state) == 1
    state = position(game, "a5", "b5 c3")
    state["quiet"] = 7
    assert quiet(played(game, state, "a5-a4")) == 8
    assert quiet(played(game, state, "a5xc5")) == 0


def test_two_hundred_moves_are_a_draw(game):
    assert game.LIMIT == 200
    assert 0.0 in game.RESULTS


def test_nets_see_points_the_hand_and_whose_turn_it_is_and_nothing_derived(game):
    state = position(game, "a5 e1", "c3", hand=5, captured=2)
    index, value = np.zeros(26, np.int32), np.zeros(26, np.float32)
    n = game.features(state, 0, index, value)
    inputs = dict(zip(index[:n].tolist(), value[:n].tolist(), strict=True))
    assert inputs == {0: 1.0, 24: 1.0, 25 + 12: 1.0, 50: 0.25, 51: 1.0}
    state["turn"], state["hand"] = 1, 0
    n = game.features(state, 0, index, value)
    assert set(index[:n].tolist()) == {0, 24, 25 + 12}
    assert (game.FEATURES, game.VIEWER, game.players[game.VIEWER]) == (52, 0, "tigers")


def test_no_position_has_more_inputs_or_moves_than_there_is_room_for(game):
    assert game.MOST_FEATURES == 4 + 20 + 1 + 1
    assert len(game.module.STEPS) == game.MOST_MOVES, (
        "sheep on every second point can take no more steps than there are"
    )


def test_the_eight_symmetries_differ_and_keep_the_slanting_lines(game):
    images = game.module.IMAGE
    assert len({tuple(image) for image in images.tolist()}) == 8
    steps = set(game.module.STEPS)
    assert all({(int(image[a]), int(image[b])) for a, b in steps} == steps for image in images)


def test_noisy_moves_are_the_captures(game):
    state = position(game, "a5 e5", "b4 b5 d4", hand=3)
    moves = np.zeros(game.MOST_MOVES, np.int32)
    n = game.noisy(state, moves)
    assert {game.move_name(state, move) for move in moves[:n]} == {name for name in names(game, state) if "x" in name}
    state["turn"] = 1
    assert game.noisy(state, moves) == 0


def test_the_judgement_prefers_dead_sheep_and_free_tigers(game):
    better = game.evaluate(position(game, "a5 c3", "b1 c1", hand=5, captured=2))
    assert better > game.evaluate(position(game, "a5 c3", "b1 c1", hand=5, captured=1))
    caught = position(game, "a5 c3", "a4 b5 b4 a3 c5", hand=5, captured=2)
    assert better > game.evaluate(caught)
    sheep_to_move = position(game, "a5 c3", "b1 c1", hand=5, captured=2, to_move="sheep")
    assert game.evaluate(sheep_to_move) < 0.0 < better, "the mover's view"
