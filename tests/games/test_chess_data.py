"""Files of chess positions in three formats: what is read is what stands there, and goes back byte for byte."""

import numpy as np
import pytest
from chess_files import KIWIPETE, PASSED, START, random_games, read, uci_game

from sparring.games import chess_bulletformat as bullet
from sparring.games import chess_data
from sparring.games.chess_data import Reading, write_games, write_positions
from sparring.games.chess_text import read_fen, write_fen
from sparring.games.game import load


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


def test_games_are_read_as_they_were_written(file):
    games, positions = random_games(6, first=3)
    path = file("games.vf", write_games(*games))
    states, scores, results, reading = read(path)
    assert (reading.kind, reading.records, reading.faults.total) == ("viriformat", 6, 0)
    assert (states == positions).all()
    assert (scores == np.concatenate(games[2])).all()
    assert (results == np.repeat(games[3], [len(one) for one in games[1]])).all()
    assert path.stat().st_size == sum(32 + 4 * len(one) + 4 for one in games[1])


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
    assert (lessons["packed"] == records["packed"]).all()
    assert (lessons["score"] == records["score"]).all() and (lessons["result"] == records["result"]).all()
    (lesson,) = game.module.read_data(file("black.txt", f"{PASSED} | 30 | 1.0\n"))
    packed = np.zeros(1, game.PACKED)
    game.pack(read_fen(PASSED), packed[0])
    assert lesson["packed"] == packed[0]
    assert (lesson["score"], lesson["result"]) == (-30, 0)


def test_lessons_of_games_are_their_quiet_positions(file):
    path = file("games.vf", write_games(*random_games(3)[0]))
    assert len(load("chess").module.read_data(path)) == len(read(path, quiet=True)[0])
