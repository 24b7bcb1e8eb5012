"""Connect Four: stones fall, four in a row win in each direction, nothing wraps around the edge."""

import numpy as np
import pytest
from reference_connect_four import DIRECTIONS, LINES, Board

from sparring.compiled import INTERPRETED
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.games.walk import count_lines
from sparring.rng import draw_below, seeded

PERFT = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


@pytest.fixture(scope="module")
def game():
    return load("connect-four")


def played(game, text):
    """The position after columns written as on the board, 1 to 7."""
    return game.after(game.states()[0], *(int(c) - 1 for c in text))


@pytest.mark.parametrize("depth", range(1, 5))
def test_lines_of_a_few_moves_are_as_many_as_others_count(game, depth):
    assert count_lines(game, game.states()[0], depth) == PERFT[depth - 1]


@pytest.mark.compiled
@pytest.mark.parametrize("depth", range(5, 9))
def test_lines_in_which_games_end_and_columns_fill_are_as_many_as_others_count(game, depth):
    assert count_lines(game, game.states()[0], depth) == PERFT[depth - 1]


def test_rules_agree_with_the_slow_obvious_ones_in_random_games(game):
    rng = seeded(4)
    positions = 0
    while positions < (500 if INTERPRETED else 4000):
        state, board = game.states()[0], Board()
        while True:
            end = board.result()
            assert game.result(state) == (ONGOING if end is None else end), game.draw(state)
            if end is not None:
                break
            assert game.mover(state) == "XO".index(board.turn)
            assert sorted(game.legal_moves(state)) == board.moves(), game.draw(state)
            column = board.moves()[draw_below(rng, len(board.moves()))]
            game.play(state, column)
            board.play(column)
            positions += 1
        rows = [" ".join(board.at(x, y) for x in range(7)) for y in range(5, -1, -1)]
        assert game.draw(state).splitlines()[:6] == rows


@pytest.mark.parametrize(
    ("direction", "text"),
    [("down", "4545454"), ("along", "1122334"), ("rising", "12233434464"), ("falling", "76655454424")],
)
def test_four_in_a_row_win_whichever_way_they_lie(game, direction, text):
    state = played(game, text)
    assert game.result(state) == 2
    assert game.result(played(game, text[:-1])) == ONGOING
    assert game.legal_moves(state) == []


def test_the_second_player_wins_with_four_too(game):
    assert game.result(played(game, "1212324")) == ONGOING
    assert game.result(played(game, "12123242")) == 0


def test_each_line_of_the_board_is_seen_and_no_run_wraps_around_an_edge(game):
    assert len(LINES) == 69
    lines = {frozenset(line) for line in LINES}
    cells = {7 * x + y: (x, y) for x in range(7) for y in range(6)}
    seen = 0
    for distance in {7 * dx + dy for dx, dy in DIRECTIONS}:
        for first in range(49):
            run = [first + i * distance for i in range(4)]
            if all(i in cells for i in run):
                bits = np.uint64(sum(1 << i for i in run))
                is_line = frozenset(cells[i] for i in run) in lines
                assert bool(game.module.four(bits)) == is_line, [cells[i] for i in run]
                seen += is_line
    assert seen == len(LINES)


def test_three_in_a_row_and_a_gap_do_not_win(game):
    assert game.result(played(game, "112233")) == ONGOING
    assert game.result(played(game, "1122557")) == ONGOING


def test_a_full_column_takes_no_more_stones(game):
    state = played(game, "444444")
    assert 3 not in game.legal_moves(state)
    assert len(game.legal_moves(state)) == 6


def test_a_full_board_without_four_is_a_draw(game):
    text = "121212" + "212121" + "343434" + "434343" + "565656" + "656565" + "777777"
    for i in range(len(text)):
        assert game.result(played(game, text[:i])) == ONGOING, i
    assert game.result(played(game, text)) == 1


def test_the_key_tells_positions_apart_that_differ_in_one_stone_or_in_its_colour(game):
    texts = ("", "1", "2", "12", "21", "112", "121", "1212", "4455", "5544", "44556", "65544")
    keys = {int(game.key(played(game, text))) for text in texts}
    boards = {game.draw(played(game, text)) for text in texts}
    assert len(keys) == len(boards)


def test_nets_see_their_own_stones_first_and_where_a_stone_would_fall(game):
    state = played(game, "1727")
    index, value = np.zeros(49, np.int32), np.zeros(49, np.float32)
    own, other = {0, 6}, {36, 37}
    falls = {84 + i for i in (1, 7, 12, 18, 24, 30, 38)}
    n = game.features(state, 0, index, value)
    assert set(index[:n].tolist()) == own | {42 + i for i in other} | falls
    assert set(value[:n].tolist()) == {1.0}
    n = game.features(state, 1, index, value)
    assert set(index[:n].tolist()) == other | {42 + i for i in own} | falls
    full = played(game, "111111")
    n = game.features(full, 0, index, value)
    assert {i for i in index[:n].tolist() if i >= 84} == {84 + 6 * column for column in range(1, 7)}, "none above it"


def test_the_mirror_image_swaps_columns(game):
    state = played(game, "1234427")
    image = state.copy()
    game.transform(image, 1)
    assert game.draw(image) == game.draw(played(game, "7654461"))
    assert [game.transform_move(move, 1) for move in range(7)] == [6, 5, 4, 3, 2, 1, 0]
