"""The referee of CodinGame's Tron finds every fault, and bots we export get through all that it may send them."""

import pytest
import tron_referee
from random_move_nets import exported, random_net
from tron_referee import Board, Ours, Program, Random, Report, referee, state_of, take

from sparring.app import codingame
from sparring.games.game import load

PATIENT = 30.0  # seconds: tests say nothing about speed


@pytest.fixture(scope="module")
def game():
    return load("light-cycles")


@pytest.fixture(scope="module")
def bots(game, tmp_path_factory):
    """Files of the exported bot: with NumPy and without."""
    folder, net = tmp_path_factory.mktemp("bots"), random_net(game)
    for name, numpy in (("with", True), ("without", False)):
        (folder / f"{name}.py").write_text(codingame.source_of(net, numpy), encoding="utf-8")
    return folder


class Scripted:
    """Answers as it was told to."""

    def __init__(self, *answers):
        self.answers = iter(answers)

    def ask(self, board, who, seconds):
        return next(self.answers)

    def close(self):
        return ""


def program(tmp_path, text):
    path = tmp_path / "bot.py"
    path.write_text(text)
    return Program(path)


def test_the_lines_are_those_of_the_site():
    board = Board([[(3, 4), (3, 5)], None, [(0, 0)]])
    assert board.lines(2) == ["3 2", "3 4 3 5", "-1 -1 -1 -1", "0 0 0 0"]


def test_players_move_one_after_the_other_and_the_last_one_wins():
    starts = [(0, 0), (5, 5), (9, 9)]
    report = referee([Scripted("RIGHT", "LEFT"), Scripted("UP", "DOWN"), Scripted("DOWN")], starts)
    assert (report.out, report.winner, report.turns) == ([0, 1, 2], 2, 5)
    assert report.faults[0] == (0, "crashed by LEFT, though it could go RIGHT or DOWN")


def test_a_player_that_is_out_leaves_no_trail():
    board, report = Board([[(5, 5)], [(6, 5)]]), Report()
    assert board.legal(0) == ["UP", "DOWN", "LEFT"]
    take(board, report, 1, "LEFT")
    assert (board.trails[1], report.out, board.legal(0)) == (None, [1], ["UP", "RIGHT", "DOWN", "LEFT"])


@pytest.mark.parametrize(
    ("text", "faults", "late"),
    [
        ("input(); print('NORTH', flush=True); input()", [(0, "answered 'NORTH'")], []),
        ("1 / 0", [(0, "ended")], []),
        ("import time; time.sleep(60)", [], [0]),
    ],
)
def test_a_program_that_fails_is_out_and_reported(tmp_path, text, faults, late):
    report = referee([program(tmp_path, text), Random(1)], [(3, 3), (20, 10)], first=2.0)
    assert (report.faults, report.late, report.winner) == (faults, late, 1)
    assert ("ZeroDivisionError" in report.notes.get(0, "")) == ("/" in text)


def test_an_answer_too_many_is_reported(tmp_path):
    bot = program(tmp_path, "import os; os.write(1, b'UP\\nUP\\n'); input()")
    report = referee([bot, Scripted("LEFT")], [(3, 1), (0, 5)], first=PATIENT)
    assert report.notes == {0: "answered 'UP' without being asked\n"}


def test_our_bots_see_the_position_as_the_board_has_it(game):
    board = Board([[(3, 4), (3, 5)], None, [(0, 0), (1, 0), (1, 1)], [(20, 19)]])
    state = state_of(game, board, 0)
    free = [(x, y) for y in range(20) for x in range(30) if not int(state["trails"][:, y].sum()) >> x & 1]
    assert sorted(free) == sorted((x, y) for y in range(20) for x in range(30) if (x, y) not in board.taken)
    assert (list(state["heads"]), list(state["headings"])) == ([153, 31], [2, 2])


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "own"), [(2, 0), (2, 1), (3, 1), (4, 3)])
@pytest.mark.parametrize("kind", ["with", "without"])
def test_the_exported_bot_plays_whole_games_without_a_fault(game, bots, players, own, kind):
    others = [Ours(game, "voronoi"), Ours(game, "floodfill"), Random(3, reckless=True)]
    seats = others[: players - 1]
    seats.insert(own, Program(bots / f"{kind}.py", *(() if kind == "with" else ("-S", "-E"))))
    starts = [(4, 4), (25, 15), (14, 2), (20, 5)][:players]
    report = referee(seats, starts, first=PATIENT, limit=PATIENT)
    assert [fault for fault in report.faults if fault[0] == own] == []
    assert (report.late, report.notes) == ([], {})


def test_the_bot_keeps_the_board_that_the_referee_has(game):
    names = exported(random_net(game), numpy=False)

    class Watched:
        """The bot in this process; compares boards before it answers."""

        def __init__(self):
            self.table = names["Table"]()

        def ask(self, board, who, seconds):
            for player, line in enumerate(board.lines(who)[1:]):
                self.table.see(player, *map(int, line.split()))
            free = {(x, y) for y in range(20) for x in range(30) if self.table.free >> 31 * y + x & 1}
            assert free == {(x, y) for y in range(20) for x in range(30) if board.free((x, y))}
            legal = board.legal(who) or ["UP"]
            return legal[len(board.trails[who]) % len(legal)]

        def close(self):
            return ""

    for seed in range(6):
        count = 2 + seed % 3
        seats = [Random(seed * 10 + i, reckless=i == 1) for i in range(count)]
        seats[seed % count] = Watched()
        report = referee(seats, [(1, 1), (28, 18), (15, 10), (2, 17)][:count])
        assert report.turns > 5


def test_the_time_limits_are_those_of_the_site():
    assert (tron_referee.FIRST, tron_referee.LIMIT) == (1.0, 0.1)
