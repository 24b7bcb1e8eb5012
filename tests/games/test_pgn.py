"""Games as PGN: what we write, others read, and what others write, we read."""

import io

import pytest

from sparring.errors import GameError
from sparring.games.game import load
from sparring.games.pgn import read_game, split_games, write_game

MATE = "f2f3 e7e5 g2g4 d8h4"
FOREIGN = """\
[Event "A \\"quoted\\" name"]
[Result "1-0"]

1.e4 {a comment, with 1. d4 in it} e5 2. Nf3 $1 ; the rest of the line 2... d6
Nc6!? (2... d6 3. d4 (3. Bc4 Be7) exd4) 3. Bb5 a6 4. O-O Nf6
% an escaped line
5. Re1 1-0
"""
BLACK_FIRST = '[FEN "4k3/8/8/8/8/8/4p3/K7 b - - 0 40"]\n[SetUp "1"]\n\n40... e1=Q+ 41. Ka2 *\n'


@pytest.fixture(scope="module")
def chess():
    return load("chess")


def moves_of(chess, names, state=None):
    state, moves = chess.states(1)[0] if state is None else state, []
    for name in names.split():
        moves.append(chess.module.read_uci(state, name))
        state = chess.after(state, moves[-1])
    return moves


def uci(chess, read):
    state, names = chess.module.position(read.start) if read.start else chess.states(1)[0], []
    for move in read.moves:
        names.append(chess.module.write_uci(state, move))
        state = chess.after(state, move)
    return " ".join(names)


def test_a_game_is_written_with_tags_numbers_comment_and_result(chess):
    tags = {"White": 'the "best"', "Result": "0-1", "TimeControl": "8+0.08"}
    text = write_game(chess, tags, chess.states(1)[0], moves_of(chess, MATE), "Black mates}")
    assert text == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "the \\"best\\""]\n[Black "?"]\n'
        '[Result "0-1"]\n[TimeControl "8+0.08"]\n\n1. f3 e5 2. g4 Qh4# {Black mates)} 0-1\n\n'
    )


def test_a_game_from_another_position_tells_it_and_counts_from_there(chess):
    origin = chess.module.position("4k3/8/8/8/8/8/4p3/K7 b - - 0 40")
    text = write_game(chess, {"Result": "*"}, origin, moves_of(chess, "e2e1q a1a2 e8d7", origin))
    assert '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4p3/K7 b - - 0 40"]' in text
    assert text.endswith("\n\n40... e1=Q+ 41. Ka2 Kd7 *\n\n")


def test_the_main_line_is_read_without_comments_variations_and_marks(chess):
    read = read_game(FOREIGN, chess)
    assert uci(chess, read) == "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 g8f6 f1e1"
    assert read.tags == {"Event": 'A "quoted" name', "Result": "1-0"}
    black = read_game(BLACK_FIRST, chess)
    assert (black.start, uci(chess, black)) == ("4k3/8/8/8/8/8/4p3/K7 b - - 0 40", "e2e1q a1a2")


def test_a_file_is_split_into_its_games_with_the_lines_they_begin_on():
    text = f"\n{FOREIGN}\n\n{BLACK_FIRST}\n1. e4 *\n"
    assert [number for number, _ in split_games(text)] == [2, 11]
    first, second = (game for _, game in split_games(text))
    assert first.startswith('[Event "A') and second.startswith("[FEN")
    assert list(split_games("")) == list(split_games("\n\n")) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1. e4 e5 2. Nf6 *", "move 3: 'Nf6' is not a legal move"),
        ("1. e4 hello *", "move 2: 'hello' is no move"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', "White has 0 kings"),
    ],
)
def test_what_can_not_be_played_is_named(chess, text, says):
    with pytest.raises(GameError, match=says):
        read_game(text, chess)


def test_python_chess_reads_what_we_write_and_we_read_it_again(chess):
    pgn = pytest.importorskip("chess.pgn")
    names = "e2e4 d7d5 e4d5 g8f6 d2d4 f6d5 g1f3 g7g6 f1e2 f8g7 e1g1 e8g8 f1e1 b8c6 b1c3 d5c3 b2c3 e7e5"
    text = write_game(chess, {"Result": "*"}, chess.states(1)[0], moves_of(chess, names))
    game = pgn.read_game(io.StringIO(text))
    assert not game.errors
    assert " ".join(move.uci() for move in game.mainline_moves()) == names == uci(chess, read_game(text, chess))
    assert max(map(len, text.splitlines())) <= 80
    assert uci(chess, read_game(str(game), chess)) == names
