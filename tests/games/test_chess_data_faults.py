"""Faults in files of chess positions are counted and named, and so are files of other formats."""

import numpy as np
import pytest
from chess_files import KIWIPETE, PASSED, START, random_games, read, uci_game

from sparring.errors import GameError, RecordError
from sparring.games import chess_bulletformat as bullet
from sparring.games import chess_data, chess_faults, chess_textfile, chess_viriformat
from sparring.games.chess_board import POSITION
from sparring.games.chess_data import Reading, write_games, write_positions
from sparring.games.chess_text import read_fen, write_fen

# --- faults ----------------------------------------------------------------------------------------------------------

WRONG = {
    "8/8/8/8/8/8/8/K7 w - - 0 1": chess_faults.KINGS,
    "k7/8/8/8/8/8/8/KK6 w - - 0 1": chess_faults.KINGS,
    "k7/8/8/8/P7/PPPPPPPP/8/K7 w - - 0 1": chess_faults.PAWNS,
    "k7/8/8/8/8/PPPPPPPP/NNN5/K7 w - - 0 1": chess_faults.PIECES,
    "k7/8/8/8/8/8/8/KP6 w - - 0 1": chess_faults.LAST_RANK,
    "k7/8/8/8/8/8/8/K6p b - - 0 1": chess_faults.LAST_RANK,
    "k7/8/8/8/8/8/8/R3K3 w - - 0 1": chess_faults.CHECK,
    "k7/8/8/8/8/8/8/4K3 w K - 0 1": chess_faults.RIGHTS,
    "k7/8/8/8/8/8/8/4K3 w - e6 0 1": chess_faults.RIGHTS,
    "k7/8/8/8/8/8/8/4K3 x - - 0 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/4K3 w - - 0 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/9 w - - 0 1": chess_faults.UNREADABLE,
    "k8/8/8/8/8/8/8/K7 w - - 0 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/K6z w - - 0 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/K7 w KK - 0 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/K7 w - e9 0 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/K7 w - - 256 1": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/K7 w - - 0 0": chess_faults.UNREADABLE,
    "k7/8/8/8/8/8/8/K7 w - - 0": chess_faults.UNREADABLE,
}
WRONG_ENDS = {
    "| x | 0.5": chess_faults.UNREADABLE,
    "| 1.5 | 0.5": chess_faults.UNREADABLE,
    "| 32768 | 0.5": chess_faults.SCORE,
    "| 5 | 2": chess_faults.RESULT,
    "| 5 | 1.5": chess_faults.RESULT,
    "| 5 | 0.5 5": chess_faults.RESULT,
    "| 5": chess_faults.UNREADABLE,
    "": chess_faults.UNREADABLE,
}


@pytest.fixture
def among_good(file):
    """The faults, by kind, of lines that stand among 2 000 good ones."""

    def told(*lines):
        text = f"{START} | 0 | 0.5\n" * 2000 + "".join(f"{line}\n" for line in lines)
        states, *_, reading = read(file("mixed.txt", text))
        assert len(states) == 2000
        return reading.faults

    return told


@pytest.mark.compiled
@pytest.mark.parametrize("fen", WRONG)
def test_positions_that_cannot_be_are_counted_as_the_fen_reader_refuses_them(fen, among_good):
    with pytest.raises(GameError):
        read_fen(fen)
    faults = among_good(f"{fen} | 0 | 0.5")
    assert faults.counts == {WRONG[fen]: 1}
    assert faults.first == {WRONG[fen]: 2001}


@pytest.mark.compiled
@pytest.mark.parametrize("end", WRONG_ENDS)
def test_scores_and_results_that_cannot_be_are_counted(end, among_good):
    assert among_good(f"{START} {end}").counts == {WRONG_ENDS[end]: 1}


@pytest.mark.compiled
def test_faults_are_told_the_most_frequent_first(among_good):
    faults = among_good("nonsense", f"{START} | 5 | 7", f"{START} | 9 | 7")
    assert faults.told() == [
        "2 × a result out of range, first at line 2,002",
        "1 × not of this format, first at line 2,001",
    ]


def broken(raw, **bytes_at):
    """The record with bytes changed: `broken(raw, b27=5)`."""
    changed = bytearray(raw)
    for place, value in bytes_at.items():
        changed[int(place[1:])] = value
    return bytes(changed)


@pytest.mark.compiled
def test_records_that_cannot_be_are_counted_with_the_byte_where_they_begin(fixture, file):
    raw = fixture.read_bytes()
    good, one = raw + raw, raw[:32]
    cases = [
        (broken(one, b26=3), chess_faults.RESULT),
        (broken(one, b27=one[27] ^ 1), chess_faults.KING_SQUARES),
        (broken(one, b28=one[28] ^ 1), chess_faults.KING_SQUARES),
        (b"\xff" * 32, chess_faults.PIECES),
        (broken(one, b8=0x77), chess_faults.UNREADABLE),
        (bytes(32), chess_faults.KINGS),
    ]
    for record, kind in cases:
        states, *_, reading = read(file("wrong.bf", good + record + raw))
        assert reading.faults.counts == {kind: 1} and reading.faults.first == {kind: len(good)}
        assert len(states) == 3 * 1024


def slip(text, random):
    """A FEN with some letters changed, lost or added."""
    letters = list(text)
    for _ in range(int(random.integers(1, 4))):
        at, letter = int(random.integers(len(letters))), str(random.choice(list("pnbrqkPNBRQK18/ wb-KQkqe36x.")))
        how = int(random.integers(4))
        letters[at : at + (how > 0)] = [letter] if how != 1 else []
    return "".join(letters)


@pytest.mark.compiled
def test_the_fens_that_are_read_are_those_that_the_fen_reader_takes():
    random, good = np.random.default_rng(6), 0
    one, score, result = np.zeros(1, POSITION), np.zeros(1, np.int16), np.zeros(1, np.uint8)
    kinds, places = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for _ in range(5_000):
        fen = slip(str(random.choice([START, KIWIPETE, PASSED])), random)
        line = np.frombuffer(f"{fen} | 0 | 0.5".encode(), np.uint8)
        taken, *_ = chess_textfile.read_lines(line, True, 1, one, score, result, kinds, places)
        try:
            expected = read_fen(fen)
        except GameError:
            assert not taken, fen
        else:
            assert taken and one[0] == expected, fen
            good += 1
    assert good > 100


@pytest.mark.compiled
def test_whatever_bytes_a_file_has_what_is_read_of_it_can_be(fixture, file, monkeypatch):
    monkeypatch.setattr(chess_data, "EARLY", 1 << 40)
    whole = {"bulletformat": fixture.read_bytes(), "viriformat": write_games(*random_games(20)[0])}
    random = np.random.default_rng(7)
    for kind, raw in whole.items():
        changed = np.frombuffer(raw, np.uint8).copy()
        changed[random.integers(0, len(raw), len(raw) // 40)] = random.integers(0, 256, len(raw) // 40)
        reading, states = Reading(file("any", changed.tobytes()), kind=kind), []
        with pytest.raises(RecordError, match=f"is no sound {kind}"):
            for block in reading.blocks():
                states.extend(block.states)
        assert len(states) > 100
        assert all(read_fen(write_fen(state)) == state for state in states[::5])


def test_a_file_cut_in_the_middle_of_a_record_is_read_up_to_there(fixture, file):
    raw = fixture.read_bytes()
    states, *_, reading = read(file("cut.bf", raw[:-13]))
    assert len(states) == 1023
    assert reading.faults.told() == [f"1 × cut off in the middle of a record, first at byte {1023 * 32:,}"]
    games, _ = random_games(3)
    whole = write_games(*games)
    states, *_, reading = read(file("cut.vf", whole[:-2]))
    assert len(states) == len(games[1][0]) + len(games[1][1])
    last = len(whole) - 36 - 4 * len(games[1][2])
    assert reading.faults.first == {chess_faults.CUT: last}


def test_a_game_is_kept_up_to_an_illegal_move(file):
    raw = bytearray(write_games(*uci_game(START, "e2e4", "e7e5", "g1f3")))
    raw[32 + 4 : 32 + 6] = (0).to_bytes(2, "little")  # with its score the move of zeros is no end
    reading = Reading(file("illegal.vf", bytes(raw)))
    blocks = []
    with pytest.raises(RecordError, match="an illegal move, first at byte 0"):
        blocks.extend(reading.blocks())
    assert [write_fen(state) for block in blocks for state in block.states] == [START]


def test_a_game_whose_rook_may_castle_from_elsewhere_is_a_fault(file):
    raw = bytearray(write_games(*uci_game("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "e1e2")))
    raw[8] = 0x65
    with pytest.raises(RecordError, match="castling or en passant that cannot be"):
        read(file("other.vf", bytes(raw)))


def test_more_than_one_fault_in_a_hundred_stops(fixture, file):
    raw = fixture.read_bytes()
    with pytest.raises(RecordError, match=r"wrong\.bf is no sound bulletformat: of 1,035 records more than 1 %: 11 ×"):
        read(file("wrong.bf", raw + bytes(32) * 11))
    states, *_ = read(file("well.bf", raw + bytes(32) * 10))
    assert len(states) == 1024


# --- which format ----------------------------------------------------------------------------------------------------


def test_the_format_is_told_by_the_content_whatever_the_name(fixture, file):
    games, _ = random_games(2)
    assert Reading(file("a.txt", fixture.read_bytes())).kind == "bulletformat"
    assert Reading(file("b.bf", write_games(*games))).kind == "viriformat"
    assert Reading(file("c", f"{START} | 0 | 0.5\n")).kind == "text"


@pytest.mark.parametrize(
    "content, said",
    [
        (b"", "is empty"),
        (b"BINP\x10\x20" + bytes(100), "is Stockfish's binpack"),
        (b"\x1f\x8b\x08" + bytes(100), "is compressed by gzip"),
        (b'[Event "x"]\n', "is PGN"),
        (START.encode(), "its lines are not like"),
        (bytes(range(256)) * 9, "is of no format that can be read"),
        (b"ab\0", "is of no format that can be read"),
    ],
)
def test_other_formats_are_named(content, said, file):
    with pytest.raises(RecordError, match=said):
        Reading(file("what", content))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(RecordError, match="cannot read .*missing.bf: No such file"):
        Reading(tmp_path / "missing.bf")


def test_positions_alone_cannot_be_written_as_games():
    block = chess_data.Block(np.zeros(0, POSITION), np.zeros(0, np.int16), np.zeros(0, np.uint8), 0)
    with pytest.raises(RecordError, match="positions alone are no viriformat"):
        write_positions(block, "viriformat")


def test_records_have_the_sizes_of_their_formats():
    assert bullet.RECORD.itemsize == chess_viriformat.HEAD.itemsize == 32
    assert chess_viriformat.STEP.itemsize == 4
