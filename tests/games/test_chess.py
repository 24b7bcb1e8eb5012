"""Chess: rules in sentences, perft, and a slow twin that must agree."""

import subprocess
import sys

import numpy as np
import pytest
from reference_chess import Board

from sparring.compiled import INTERPRETED
from sparring.games.chess_board import POSITION, reckoned_key
from sparring.games.chess_text import legal_moves, read_fen, read_uci, write_fen, write_uci
from sparring.games.contract import ONGOING
from sparring.games.game import load
from sparring.games.walk import count_lines, occurrences
from sparring.rng import draw_below, seeded

BLACK_WINS, DRAW, WHITE_WINS = range(3)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PERFT = {  # the positions that programs are usually tested with
    START: [20, 400, 8902, 197281, 4865609, 119060324],
    KIWIPETE: [48, 2039, 97862, 4085603, 193690690],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624, 11030083],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333, 15833292],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379, 2103487, 89941194],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890, 3894594, 164075551],
}
ALL_PERFTS = [(fen, depth, lines) for fen, counts in PERFT.items() for depth, lines in enumerate(counts, 1)]


@pytest.fixture(scope="module")
def game():
    return load("chess")


def moves_in(state):
    return {write_uci(state, move) for move in legal_moves(state)}


def moves_of(fen, square=""):
    """The legal moves, or those of the piece on a square, by where they go."""
    return {move[len(square) :] for move in moves_in(read_fen(fen)) if move.startswith(square)}


def played(game, fen, *moves):
    state = read_fen(fen)
    for text in moves:
        state = game.after(state, read_uci(state, text))
    return state


# --- how many there are, and which -------------------------------------------------------------------------------


@pytest.mark.parametrize(("fen", "depth", "lines"), [row for row in ALL_PERFTS if row[2] < 3000])
def test_lines_of_a_few_moves_are_as_many_as_is_known(game, fen, depth, lines):
    assert count_lines(game, read_fen(fen), depth) == lines


@pytest.mark.compiled
@pytest.mark.parametrize(("fen", "depth", "lines"), [row for row in ALL_PERFTS if 3000 <= row[2] < 2e7])
def test_lines_of_more_moves_are_as_many_as_is_known(game, fen, depth, lines):
    assert count_lines(game, read_fen(fen), depth) == lines


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("fen", "depth", "lines"), [row for row in ALL_PERFTS if row[2] >= 2e7])
def test_lines_of_many_moves_are_as_many_as_is_known(game, fen, depth, lines):
    assert count_lines(game, read_fen(fen), depth) == lines


def test_lines_go_on_through_draws_as_chess_programs_count_them(game):
    assert [count_lines(game, read_fen("8/8/4k3/8/8/4K3/3B4/8 w - - 0 1"), depth) for depth in (1, 2)] == [12, 85]
    assert count_lines(game, read_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 99 80"), 2) == 112


def test_rules_agree_with_the_slow_obvious_ones_in_random_games(game):
    rng = seeded(5)
    positions = 0
    while positions < (60 if INTERPRETED else 800):
        fen = list(PERFT)[positions % len(PERFT)]
        state, board = read_fen(fen), Board(fen)
        for _ in range(120):
            moves = board.moves()
            assert sorted(moves_in(state)) == moves, write_fen(state)
            assert bool(game.threatened(state)) == board.in_check(board.white)
            if not moves or game.result(state) != ONGOING:
                break
            move = moves[draw_below(rng, len(moves))]
            checks = bool(game.threatens(state, np.int64(read_uci(state, move))))
            state, board = game.after(state, read_uci(state, move)), board.after(move)
            assert checks == bool(game.threatened(state))
            again = Board(write_fen(state))
            assert (again.men, again.rights, again.ep, again.half) == (board.men, board.rights, board.ep, board.half)
            positions += 1


def test_every_field_that_a_move_changes_is_what_a_fen_would_say(game):
    rng = seeded(8)
    for fen in PERFT:
        state = read_fen(fen)
        for _ in range(40):
            if not (moves := game.legal_moves(state)):
                break
            state = game.after(state, moves[draw_below(rng, len(moves))])
            assert np.array([state], POSITION).tobytes() == np.array([read_fen(write_fen(state))], POSITION).tobytes()
            assert int(state["key"]) == int(reckoned_key(state))


ONE_TYPE_EACH = """
import numpy as np
from sparring.games.game import load
from sparring.games.walk import count_lines

game = load("chess")
state, moves = game.states()[0], np.zeros(game.MOST_MOVES, np.int32)
game.result(state), game.legal(state, moves), game.noisy(state, moves), count_lines(game, state, 3)
print([name for name, rule in game.rules.items() if len(rule.signatures) > 1])
"""


@pytest.mark.compiled
def test_rules_are_compiled_for_one_type_of_arguments_each():
    done = subprocess.run([sys.executable, "-c", ONE_TYPE_EACH], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# --- single rules ------------------------------------------------------------------------------------------------


def test_a_record_leaves_no_bytes_to_chance_and_is_small(game):
    assert game.STATE == POSITION and POSITION.itemsize == 144
    assert "_gap" not in str(game.STATE)


def test_the_first_position_is_the_usual_one(game):
    assert write_fen(game.states()[0]) == START
    assert game.players == ("White", "Black")


def test_a_pinned_piece_moves_only_along_its_pin():
    assert moves_of("4r2k/8/8/8/4N3/8/8/4K3 w - - 0 1", "e4") == set()
    assert moves_of("4r2k/8/8/8/4R3/8/8/4K3 w - - 0 1", "e4") == {"e2", "e3", "e5", "e6", "e7", "e8"}
    assert moves_of("4r2k/8/8/8/4B3/8/8/4K3 w - - 0 1", "e4") == set()
    assert moves_of("7k/8/8/8/1b6/8/3B4/4K3 w - - 0 1", "d2") == {"c3", "b4"}
    assert moves_of("7k/8/8/8/8/2q5/3P4/4K3 w - - 0 1", "d2") == {"c3"}
    assert moves_of("4r2k/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2") == {"e3", "e4"}


def test_a_check_is_met_by_taking_stepping_between_or_moving_the_king():
    assert moves_of("4r2k/8/8/8/1B6/8/3P4/3QKR2 w - - 0 1") == {"e1f2", "d1e2", "b4e7"}


def test_from_two_checks_only_the_king_escapes():
    fen = "4r2k/8/8/8/8/3n4/8/R3KQ2 w - - 0 1"
    assert {move[:2] for move in moves_of(fen)} == {"e1"}


def test_the_king_does_not_step_back_along_the_line_of_a_check():
    assert "e1" not in moves_of("4r2k/8/8/8/8/8/4K3/8 w - - 0 1", "e2")


@pytest.mark.parametrize(
    ("fen", "wings"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"g1", "c1"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", {"c1"}),
        ("r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1", {"g1"}),
        ("r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", set()),
        ("r3k2r/8/8/8/5r2/8/8/R3K2R w KQkq - 0 1", {"c1"}),
        ("r3k2r/8/8/8/3r4/8/8/R3K2R w KQkq - 0 1", {"g1"}),
        ("rr2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", {"g1", "c1"}),
    ],
)
def test_a_king_castles_through_free_squares_that_are_not_attacked(fen, wings):
    assert moves_of(fen, "e1") & {"g1", "c1"} == wings


def test_castling_moves_the_rook_and_ends_both_rights(game):
    state = played(game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e8c8")
    assert write_fen(state) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"


def test_a_rook_that_moves_or_is_taken_ends_its_right(game):
    state = played(game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h8")
    assert write_fen(state) == "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1"


def test_a_pawn_is_taken_en_passant_at_once_or_never(game):
    state = played(game, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5")
    assert write_fen(state) == "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    assert write_fen(game.after(state, read_uci(state, "e5d6"))) == "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"
    state = played(game, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e1e2", "e8e7")
    assert "e5d6" not in moves_in(state)


def test_the_square_behind_a_pawn_is_kept_only_where_a_pawn_can_take(game):
    assert write_fen(played(game, START, "e2e4")).split()[3] == "-"


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1",  # both pawns leave the rank
        "4k3/8/6b1/3pP3/4K3/8/8/8 w - d6 0 1",  # in check by another piece
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",  # pinned on its file
    ],
)
def test_a_capture_en_passant_that_leaves_the_king_in_check_is_none(fen):
    assert "e5d6" not in moves_of(fen)


def test_the_pawn_that_gives_check_can_be_taken_en_passant():
    assert "e5d6" in moves_of("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1")


def test_a_pawn_on_the_last_rank_becomes_one_of_four_pieces(game):
    assert moves_of("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7") == {s + p for s in ("a8", "b8") for p in "nbrq"}
    assert write_fen(played(game, "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n")) == "1N2k3/8/8/8/8/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", WHITE_WINS),
        ("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", BLACK_WINS),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", WHITE_WINS),  # the mate counts before the fifty moves
        ("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", DRAW),  # stalemate
        ("k7/8/8/8/8/8/8/1R2K3 w - - 99 80", ONGOING),
        ("k7/8/8/8/8/8/8/1R2K3 w - - 100 80", DRAW),
        ("k7/8/8/8/8/8/8/4K3 w - - 0 1", DRAW),
        ("k7/8/8/8/8/8/8/3NK3 w - - 0 1", DRAW),
        ("k6b/8/8/8/8/8/8/4K3 w - - 0 1", DRAW),
        ("k6b/8/8/8/8/8/8/B3K3 w - - 0 1", DRAW),
        ("k6b/8/8/8/8/8/8/1B2K3 w - - 0 1", ONGOING),
        ("k7/8/8/8/8/8/8/2NNK3 w - - 0 1", ONGOING),
        ("kn6/8/8/8/8/8/8/3NK3 w - - 0 1", ONGOING),
        ("k7/p7/8/8/8/8/8/4K3 w - - 0 1", ONGOING),
    ],
)
def test_a_game_ends_by_mate_stalemate_the_fifty_moves_and_too_little_material(game, fen, result):
    state = read_fen(fen)
    assert game.result(state) == result
    seen = game.ended(state)
    assert seen in (result, ONGOING)
    assert seen == result or not legal_moves(state), "what is not seen without moves has none"


def test_the_third_occurrence_is_found_and_nothing_before_the_last_move_that_cannot_be_undone(game):
    state, keys = read_fen("4k2r/8/8/8/8/8/4P3/4K2R w Kk - 5 9"), []
    for text in ("e2e3", "h8h7", *("e1e2", "e8e7", "e2e1", "e7e8") * 3):
        state = game.after(state, read_uci(state, text))
        keys.append(game.key(state))
    assert game.quiet(state) == 13
    assert game.REPETITION == 3
    keys = np.array(keys, np.uint64)
    assert [occurrences(keys, n, n) for n in (1, 5, 9, 13)] == [0, 0, 1, 2], "with the king's right it was another"


def test_rights_the_side_to_move_and_a_capture_en_passant_make_another_position():
    fens = [
        "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R w Kq - 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R w K - 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R b Kq - 0 1",
    ]
    assert len({int(read_fen(fen)["key"]) for fen in fens}) == len(fens)
    assert read_fen(fens[1])["key"] == read_fen("r3k3/8/8/3pP3/8/8/8/4K2R w Kq - 30 50")["key"]


# --- what searches ask -------------------------------------------------------------------------------------------


def noisy_in(game, fen):
    state, moves = read_fen(fen), np.zeros(game.MOST_MOVES, np.int32)
    return {write_uci(state, int(move)) for move in moves[: game.noisy(state, moves)]}


def test_noisy_moves_are_captures_and_promotions_to_a_queen(game):
    assert noisy_in(game, "1r2k3/P7/8/3pP3/8/8/8/4K2R w K d6 0 1") == {"a7a8q", "a7b8q", "e5d6"}
    assert noisy_in(game, START) == set()
    assert noisy_in(game, KIWIPETE) == {"d5e6", "e5d7", "e5f7", "e5g6", "e2a6", "f3f6", "f3h3", "g2h3"}


def test_a_pass_lets_the_other_player_move_and_forgets_what_was_before(game):
    state = read_fen("4k3/8/8/3pP3/8/8/8/4K2R w K d6 7 9")
    assert game.null_move(state)
    assert write_fen(state) == "4k3/8/8/3pP3/8/8/8/4K2R b K - 0 9"
    assert int(state["key"]) == int(reckoned_key(state))


def test_a_side_with_nothing_but_pawns_does_not_pass(game):
    state = read_fen("4k2r/8/8/3pP3/8/8/8/4K3 w k - 7 9")
    before = state.tobytes()
    assert not game.null_move(state)
    assert state.tobytes() == before


def test_a_slot_is_the_piece_and_where_it_goes(game):
    state = read_fen(KIWIPETE)
    slots = {game.slot(state, move) for move in legal_moves(state)}
    assert game.slot(state, read_uci(state, "e1g1")) == 5 * 64 + 6
    assert game.slot(played(game, KIWIPETE, "e1g1"), read_uci(played(game, KIWIPETE, "e1g1"), "e8c8")) == 5 * 64 + 58
    assert max(slots) < game.SLOTS == 384
    assert len(slots) > 40


def test_no_known_position_has_more_moves_than_there_is_room_for(game):
    most = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"  # N. Petrović 1964
    assert len(legal_moves(read_fen(most))) == 218 < game.MOST_MOVES
