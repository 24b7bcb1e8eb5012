"""Files of chess positions in three formats: what is read is what stands there, and goes back byte for byte."""

import pathlib

import numpy as np
import pytest

from sparring.errors import GameError, RecordError
from sparring.games import chess_bulletformat as bullet
from sparring.games import chess_data, chess_faults, chess_textfile, chess_viriformat
from sparring.games.chess_board import POSITION
from sparring.games.chess_data import Reading, write_games, write_positions
from sparring.games.chess_text import read_fen, read_uci, write_fen
from sparring.games.contract import ONGOING
from sparring.games.game import load

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSED = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"


@pytest.fixture
def fixture(data):
    return data / "chess" / "batch.bf"


@pytest.fixture
def file(tmp_path):
    """Writes bytes or text into a file of that name and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def read(path, **options):
    """(all positions, scores, results, the reading) of a file."""
    reading = Reading(pathlib.Path(path), **options)
    blocks = list(reading.blocks())
    states = np.concatenate([np.zeros(0, POSITION), *(block.states for block in blocks)])
    return states, *(np.concatenate([getattr(b, n) for b in blocks] or [[]]) for n in ("scores", "results")), reading


def slow_position(record):
    """(men by square, score, result) of 32 bytes, read one by one."""
    occupied, men = int.from_bytes(record[:8], "little"), {}
    for square in range(64):
        if occupied >> square & 1:
            byte = record[8 + len(men) // 2]
            men[square] = byte >> 4 if len(men) % 2 else byte & 15
    return men, int.from_bytes(record[24:26], "little", signed=True), record[26]


def slow_men(state):
    """What stands on each square, as bulletformat numbers it."""
    black = int(state["colours"][1])
    return {s: int(kind) + 8 * (black >> s & 1) for s, kind in enumerate(state["board"]) if kind >= 0}


def test_the_public_file_is_read_position_by_position(fixture):
    states, scores, results, reading = read(fixture)
    raw = fixture.read_bytes()
    assert reading.kind == "bulletformat" and len(states) == len(raw) // 32 == 1024
    assert reading.faults.total == 0
    for i in range(0, 1024, 7):
        men, score, result = slow_position(raw[32 * i : 32 * i + 32])
        assert (slow_men(states[i]), scores[i], results[i]) == (men, score, result)
        assert read_fen(write_fen(states[i])) == states[i], "its key and all else is as the FEN tells"


def test_the_public_file_comes_back_byte_for_byte_by_way_of_text(fixture, file):
    reading = Reading(fixture)
    lines = b"".join(write_positions(block, "text") for block in reading.blocks())
    assert lines.count(b"\n") == 1024
    back = Reading(file("positions.txt", lines))
    assert back.kind == "text"
    again = b"".join(write_positions(block, "bulletformat") for block in back.blocks())
    assert again == fixture.read_bytes()


def test_lines_say_what_the_fen_writer_says(fixture, file):
    states, scores, results, _ = read(fixture)
    block = chess_data.Block(states[:50], scores[:50], results[:50], 50)
    lines = write_positions(block, "text").decode().splitlines()
    for line, state, score, result in zip(lines, states, scores, results, strict=False):
        assert line == f"{write_fen(state)} | {score} | {('0.0', '0.5', '1.0')[result]}"


@pytest.mark.parametrize("fen", [START, KIWIPETE, PASSED, "8/8/8/8/8/8/k1K5/8 b - - 99 1048576"])
def test_a_line_of_text_is_read_as_the_fen_reader_reads_it(fen, file):
    states, scores, results, _ = read(file("one.txt", f"{fen} | -17 | 0.5\n"))
    assert states[0] == read_fen(fen)
    assert (scores[0], results[0]) == (-17, 1)


def test_lines_may_lack_counters_have_spaces_or_windows_ends_and_stand_apart(file):
    text = f"\n{START} | +5 | 1\r\n\n  {START[:-4]}|  -300 |0.0  \n{START} | 0 | 1.0"
    states, scores, results, reading = read(file("loose.txt", text))
    assert [write_fen(state) for state in states] == [START] * 3
    assert list(scores) == [5, -300, 0] and list(results) == [2, 0, 2]
    assert reading.records == 3


def test_bulletformat_tells_a_position_as_its_player_to_move_sees_it(file):
    states, scores, results, _ = read(file("black.txt", f"{PASSED} | 30 | 1.0\n"))
    record = write_positions(chess_data.Block(states, scores, results, 1), "bulletformat")
    men, score, result = slow_position(record)
    assert men == {square ^ 56: man ^ 8 for square, man in slow_men(states[0]).items()}
    assert (score, result) == (-30, 0)
    assert (record[27], record[28]) == (4, 4)
    assert record[29:] == bytes(3)


# --- games -----------------------------------------------------------------------------------------------------------


def random_games(n, seed=1, first=0):
    """n games by random moves as (starts, moves, scores, results), and all of their positions."""
    game, random = load("chess"), np.random.default_rng(seed)
    starts, moves, scores, positions = [], [], [], []
    for _ in range(n):
        state, line = game.states()[0], []
        for _ in range(first):
            state = game.after(state, int(random.choice(game.legal_moves(state))))
        starts.append(state)
        while len(line) < 60 and game.result(state) == ONGOING:
            positions.append(state)
            line.append(int(random.choice(game.legal_moves(state))))
            state = game.after(state, line[-1])
        moves.append(np.array(line, np.int32))
        scores.append(random.integers(-3000, 3000, len(line)).astype(np.int16))
    return (np.array(starts, POSITION), moves, scores, random.integers(0, 3, n)), np.array(positions, POSITION)


def test_games_are_read_as_they_were_written(file):
    games, positions = random_games(6, first=3)
    path = file("games.vf", write_games(*games))
    states, scores, results, reading = read(path)
    assert (reading.kind, reading.records, reading.faults.total) == ("viriformat", 6, 0)
    assert (states == positions).all()
    assert (scores == np.concatenate(games[2])).all()
    assert (results == np.repeat(games[3], [len(one) for one in games[1]])).all()
    assert path.stat().st_size == sum(32 + 4 * len(one) + 4 for one in games[1])


def uci_game(fen, *moves):
    """(starts, moves, scores, results) of one game; scores 1, 2, 3, …, won by White."""
    state, line = read_fen(fen), []
    start = state.copy()
    for name in moves:
        line.append(read_uci(state, name))
        state = load("chess").after(state, line[-1])
    scores = [np.arange(1, len(line) + 1).astype(np.int16)]
    return np.array([start], POSITION), [np.array(line, np.int32)], scores, np.array([2])


def viri_moves(raw):
    return [int.from_bytes(raw[at : at + 2], "little") for at in range(32, len(raw) - 4, 4)]


def test_special_moves_stand_in_games_as_the_format_has_them(file):
    squares = {name: "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in ("e1", "h1", "e8", "a8")}
    castled = write_games(*uci_game(KIWIPETE, "e1g1", "e8c8"))
    assert viri_moves(castled) == [
        squares["e1"] | squares["h1"] << 6 | 2 << 14,
        squares["e8"] | squares["a8"] << 6 | 2 << 14,
    ]
    passed = write_games(*uci_game(PASSED, "d4e3"))
    assert viri_moves(passed) == [27 | 20 << 6 | 1 << 14]
    assert passed[24] == 128 | 20, "Black to move, en passant on e3"
    new = write_games(*uci_game("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7a8n"))
    assert viri_moves(new) == [48 | 56 << 6 | 0 << 12 | 3 << 14]
    for raw in (castled, passed, new):
        states, scores, _, reading = read(file("special.vf", raw))
        assert reading.faults.total == 0 and list(scores) == list(range(1, len(states) + 1))


def test_the_head_of_a_game_says_who_may_castle_with_which_rook():
    raw = write_games(*uci_game("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 30", "e8e7"))
    assert int.from_bytes(raw[:8], "little") == 0x9100000000000091
    nibbles = [byte >> shift & 15 for byte in raw[8:11] for shift in (0, 4)]
    assert nibbles == [3, 5, 6, 8 + 6, 8 + 5, 8 + 3]
    assert (raw[24], raw[25], int.from_bytes(raw[26:28], "little"), raw[30]) == (128 | 64, 7, 30, 2)


def test_of_games_the_quiet_positions_can_be_read_alone(file):
    games, positions = random_games(4)
    path = file("games.vf", write_games(*games))
    game = load("chess")
    flat = np.concatenate(games[1])
    quiet = [
        not game.threatened(state) and game.prize(state, int(move)) == 0
        for state, move in zip(positions, flat, strict=True)
    ]
    states, scores, _, _ = read(path, quiet=True)
    assert 20 < len(states) < len(positions)
    assert (states == positions[quiet]).all()
    assert (scores == np.concatenate(games[2])[quiet]).all()


def test_files_larger_than_a_block_are_read_whole(fixture, file, monkeypatch):
    monkeypatch.setattr(chess_data, "BLOCK", 100)
    monkeypatch.setattr(chess_data, "CHUNK", 3_001)
    states, scores, _, reading = read(fixture)
    assert len(states) == reading.records == 1024
    block = chess_data.Block(states, scores, np.ones(1024, np.uint8), 1024)
    again, scores_again, _, _ = read(file("many.txt", write_positions(block, "text")))
    assert (again == states).all() and (scores_again == scores).all()
    games, positions = random_games(9)
    monkeypatch.setattr(chess_data, "CHUNK", 300)
    found, _, _, reading = read(file("many.vf", write_games(*games)))
    assert (found == positions).all() and reading.records == 9


def test_lessons_of_a_file_are_its_positions_as_the_player_to_move_sees_them(fixture, file):
    game = load("chess")
    lessons = game.module.read_data(fixture)
    records = np.frombuffer(fixture.read_bytes(), bullet.RECORD)
    assert (lessons["packed"]["occupied"] == records["occupied"]).all()
    assert (lessons["packed"]["men"] == records["men"]).all()
    assert (lessons["score"] == records["score"]).all() and (lessons["result"] == records["result"]).all()
    (lesson,) = game.module.read_data(file("black.txt", f"{PASSED} | 30 | 1.0\n"))
    packed = np.zeros(1, game.PACKED)
    game.pack(read_fen(PASSED), packed[0])
    assert lesson["packed"] == packed[0]
    assert (lesson["score"], lesson["result"]) == (-30, 0)


def test_lessons_of_games_are_their_quiet_positions(file):
    path = file("games.vf", write_games(*random_games(3)[0]))
    assert len(load("chess").module.read_data(path)) == len(read(path, quiet=True)[0])


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
