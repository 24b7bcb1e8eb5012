"""Openings from a file: each once, in the order of the seed, the same for both games of a pair."""

import pytest

from sparring.arena.books import Opening, fen_of, read_book
from sparring.arena.match import play_pairs
from sparring.arena.player import parse_player
from sparring.arena.under_way import Terms, begin
from sparring.errors import GameError, MatchError
from sparring.games.game import load

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
LINES = (
    f"{START} w KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; id "Sicilian";',
)
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.fixture(scope="module")
def chess():
    return load("chess")


@pytest.fixture
def book(chess, tmp_path):
    def write(text, name="book.epd"):
        (tmp_path / name).write_text(text)
        return read_book(tmp_path / name, chess)

    return write


def test_positions_are_read_as_fen_and_as_epd_with_its_counters(book):
    assert [fen_of(line) for line in LINES] == [
        LINES[0],
        f"{LINES[1]} 0 1",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ]
    assert fen_of(f"{START} w KQkq - 3 9; comment") == f"{START} w KQkq - 3 9"
    held = book("# a comment\n\n" + "\n".join(LINES) + "\n")
    assert [number for number, _ in held.lines] == [3, 4, 5]


def test_every_opening_is_played_once_before_any_is_played_again(book, chess):
    held = book("\n".join(LINES))
    for seed in range(4):
        drawn = [held.opening(chess, seed, pair).where for pair in range(6)]
        assert sorted(drawn[:3]) == ["book.epd, line 1", "book.epd, line 2", "book.epd, line 3"]
        assert drawn[:3] == drawn[3:]
    orders = {tuple(held.opening(chess, seed, pair).where for pair in range(3)) for seed in range(12)}
    assert len(orders) > 2


def test_games_of_a_pgn_are_openings_too(book, chess):
    held = book('[White "a"]\n\n1. e4 e5 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n', "book.pgn")
    openings = sorted((held.opening(chess, 1, pair) for pair in range(2)), key=lambda opening: opening.where)
    assert openings[0] == Opening("", (12 | 28 << 6, 52 | 36 << 6), "book.pgn, line 1")
    assert (openings[1].start, len(openings[1].moves)) == ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1)


def test_both_games_of_a_pair_begin_with_the_same_opening_and_random_moves_follow_it(book, chess):
    held = book("\n".join(LINES))
    for pair in range(3):
        one, two = (begin(chess, Terms(book=held), 7, pair, first) for first in (True, False))
        assert one.state == two.state == one.origin
        assert chess.module.describe(one.state[0]) == fen_of(LINES[int(held.opening(chess, 7, pair).where[-1]) - 1])
        more = begin(chess, Terms(2, book=held), 7, pair, True)
        assert more.origin == one.origin and len(more.moves) == 2


def test_a_match_plays_from_the_book_and_keeps_where_each_game_began(book, chess):
    held = book("\n".join(LINES[1:]))
    random = parse_player("random", chess)
    other = parse_player("random", chess)
    pairs = list(play_pairs(chess, random, other, range(2), opening=0, seed=3, threads=1, book=held))
    assert sorted(pair.games[0].origin for pair in pairs) == sorted(map(fen_of, LINES[1:]))
    for pair in pairs:
        assert pair.games[0].origin == pair.games[1].origin
        for record in pair.games:
            state = chess.module.position(record.origin)
            for move in record.moves:
                assert move in chess.legal_moves(state)
                state = chess.after(state, move)


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("hello", "book.epd", "book.epd, line 1: 'hello 0 1' has 3 fields"),
        (MATED, "book.epd", "book.epd, line 1: the game is over after this opening"),
        ("1. e5 *", "book.pgn", "book.pgn, line 1: move 1: 'e5' is not a legal move"),
    ],
)
def test_an_opening_at_fault_is_named_by_file_and_line_when_its_turn_comes(book, chess, text, name, says):
    with pytest.raises(MatchError, match=says):
        begin(chess, Terms(book=book(text, name)), 1, 0, True)


def test_a_file_without_openings_is_refused(book, chess, tmp_path):
    for name, what in (("book.epd", "positions, a line each"), ("book.pgn", "games")):
        with pytest.raises(MatchError, match=f"{name} holds no {what}"):
            book("\n# nothing\n" if name == "book.epd" else "\n", name)
    with pytest.raises(MatchError, match="cannot read .*none.epd: No such file"):
        read_book(tmp_path / "none.epd", chess)
    with pytest.raises(GameError, match=r"tic_tac_toe.py has no position\(\), describe\(\), read_san\(\).* a book"):
        read_book(tmp_path / "none.epd", load("tic-tac-toe"))
