"""What nets see of chess: inputs, frames, phases, differences, packed positions."""

import numpy as np
import pytest

from sparring.games.chess_board import reckoned_key
from sparring.games.chess_text import read_fen, square_number, write_fen
from sparring.games.game import load
from sparring.rng import draw_below, seeded

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def game():
    return load("chess")


def inputs(game, state, viewer):
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, viewer, index, value)
    assert set(value[:n].tolist()) <= {1.0}
    return set(index[:n].tolist())


def line(game, fen, plies, seed):
    """Positions of a random game."""
    rng, states = seeded(seed), [read_fen(fen)]
    for _ in range(plies):
        moves = game.legal_moves(states[-1])
        if not moves:
            break
        states.append(game.after(states[-1], moves[draw_below(rng, len(moves))]))
    return states


def test_every_piece_is_an_input_by_side_type_and_square_as_the_viewer_sits(game):
    state = read_fen("4k3/8/8/8/8/8/P7/4K2r w - - 0 1")
    assert inputs(game, state, 0) == {8, 5 * 64 + 4, (6 + 5) * 64 + 60, (6 + 3) * 64 + 7}
    assert inputs(game, state, 1) == {(6 + 0) * 64 + 48, (6 + 5) * 64 + 60, 5 * 64 + 4, 3 * 64 + 63}
    assert game.FEATURES == 768


def test_both_sides_see_the_first_position_alike(game):
    state = game.states()[0]
    assert inputs(game, state, 0) == inputs(game, state, 1)
    assert len(inputs(game, state, 0)) == 32 == game.MOST_FEATURES


def test_changes_are_the_difference_of_what_is_seen_of_any_two_positions(game):
    states = line(game, KIWIPETE, 40, 2) + line(game, "8/P6k/8/8/8/8/p6K/8 w - - 0 1", 10, 3)
    gone, come = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.int32)
    for i, before in enumerate(states):
        for after in (*states[i : i + 3], states[-1 - i]):
            for viewer in (0, 1):
                old, new = inputs(game, before, viewer), inputs(game, after, viewer)
                went, came = game.changes(before, after, viewer, gone, come)
                assert (set(gone[:went].tolist()), set(come[:came].tolist())) == (old - new, new - old)
                assert (went, came) == (len(old - new), len(new - old))


def test_a_frame_is_where_the_viewers_king_stands_and_a_phase_the_number_of_pieces(game):
    state = read_fen("8/8/3k4/8/8/8/P5K1/8 w - - 0 1")
    assert game.frame(state, 0) == square_number("g2")
    assert game.frame(state, 1) == square_number("d6") ^ 56 == square_number("d3")
    assert game.phase(state) == 3
    assert game.phase(game.states()[0]) == 32 == game.PHASES - 1


def test_a_packed_position_is_what_its_player_to_move_sees(game):
    packed = np.zeros(1, game.PACKED)[0]
    game.pack(read_fen("4k3/8/8/8/8/7r/P7/4K3 w - - 0 1"), packed)
    assert int(packed["occupied"]) == 1 << 4 | 1 << 8 | 1 << 23 | 1 << 60
    assert packed["men"].tolist() == [5 | 0 << 4, (8 + 3) | (8 + 5) << 4, *[0] * 14]
    game.pack(read_fen("4k3/8/8/8/8/7r/P7/4K3 b - - 0 1"), packed)
    assert int(packed["occupied"]) == 1 << 4 | 1 << 47 | 1 << 48 | 1 << 60
    assert packed["men"].tolist() == [5 | 3 << 4, (8 + 0) | (8 + 5) << 4, *[0] * 14]
    assert game.PACKED.itemsize == 24


def test_what_is_unpacked_is_seen_as_what_was_packed_with_white_to_move(game):
    packed, again = np.zeros(1, game.PACKED)[0], game.states()[0]
    for state in line(game, KIWIPETE, 60, 4):
        game.pack(state, packed)
        game.unpack(packed, again)
        mover = int(game.mover(state))
        assert game.mover(again) == 0
        for side in (0, 1):
            assert inputs(game, again, side) == inputs(game, state, mover ^ side)
        assert int(again["key"]) == int(reckoned_key(again))
        assert read_fen(write_fen(again)).tobytes() == again.tobytes(), "all of the record is written"
