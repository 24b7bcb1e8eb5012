"""The protocol, as a GUI meets it: a searcher that finds what it is told to stands for the real one."""

import dataclasses
import threading
import time
import types

import numpy as np
import pytest

from sparring.app.uci import Uci
from sparring.app.uci_options import ENTRY as ENTRY_BYTES
from sparring.app.uci_options import FIELDS, NAMES, OPTIONS, Settings, declarations
from sparring.errors import WeightsError
from sparring.games.chess_text import read_uci as chess_uci
from sparring.games.game import load
from sparring.search.searcher import DEEPEST, Limits, Line, Thought
from sparring.search.table import ENTRY, MOST_ENTRIES

WAIT = 20  # seconds, far more than anything here takes
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
DEAD = "8/8/4k3/8/8/3K4/8/8 w - - 0 1"


@pytest.fixture(scope="module")
def chess():
    return load("chess")


class Searcher:
    """Finds the first legal move at every depth up to the limit's, or to `depths`; where told so it never ends."""

    def __init__(self, game, settings):
        self.game, self.settings = game, settings
        self.judge = types.SimpleNamespace(distribution=None)
        self.depths, self.forever, self.lines, self.pause = 3, False, None, 0.0
        self.asked, self.games, self.stops = [], 0, 0
        self.begun, self.ended = threading.Event(), threading.Event()

    def begin_game(self):
        self.games += 1

    def stop(self):
        self.stops += 1
        self.ended.set()

    def think(self, state, limits, *, past, plies, lines, moves, tell):
        self.asked.append(types.SimpleNamespace(limits=limits, past=past, plies=plies, lines=lines, moves=moves))
        self.ended.clear()
        for depth in range(1, min(self.depths, limits.depth) + 1):
            thought = Thought(self.found(state, lines, moves), depth, 10 * depth, depth + 1, 0.25)
            tell(thought)
            time.sleep(self.pause)
        self.begun.set()
        if self.forever or (limits.depth > self.depths and limits == Limits()):
            assert self.ended.wait(WAIT)
        return thought

    def found(self, state, lines, moves):
        if self.lines:
            return self.lines
        best = list(moves) or self.game.legal_moves(state)
        return tuple(self.line(state, move) for move in best[:lines])

    def line(self, state, move):
        after = self.game.after(state, move)
        return Line((move, *self.game.legal_moves(after)[:1]), -1234, -0.1, None)


class Talk:
    """A conversation: `say` lines, look at `heard`."""

    def __init__(self, game, settings=None, **searcher):
        self.heard, self.made, self.more = [], [], searcher
        self.new = threading.Condition()
        self.uci = Uci(self.hear, lambda: game, self.make, settings or Settings())

    def make(self, game, settings):
        if settings.net == "bad.net":
            raise WeightsError("bad.net: no such file")
        self.made.append(Searcher(game, settings))
        for name, value in self.more.items():
            setattr(self.made[-1], name, value)
        return self.made[-1]

    @property
    def searcher(self):
        return self.made[-1]

    def hear(self, line):
        with self.new:
            self.heard.append(line)
            self.new.notify_all()

    def say(self, *lines):
        """Says them and forgets what was heard; returns what is heard."""
        self.heard = []
        for line in lines:
            self.uci.hear(line)
        return self.heard

    def best(self, *lines):
        """Says them and waits for the best move; returns that line."""
        self.say(*lines)
        with self.new:
            assert self.new.wait_for(lambda: any(line.startswith("bestmove") for line in self.heard), WAIT)
        return self.heard[-1]


@pytest.fixture
def talk(chess):
    return Talk(chess)


# --- greetings and options -------------------------------------------------------------------------------------------


def test_uci_tells_name_author_and_options_before_the_game_is_loaded(talk):
    heard = talk.say("uci")
    assert heard[0].startswith("id name Sparring ")
    assert heard[1].startswith("id author ")
    assert heard[-1] == "uciok"
    assert "option name Hash type spin default 16 min 1 max 256" in heard
    assert "option name UCI_ShowWDL type check default false" in heard
    assert "option name Clear Hash type button" in heard
    assert "option name EvalFile type string default shipped" in heard
    assert {line.split(" type ")[0].removeprefix("option name ") for line in heard[2:-1]} == {
        *("Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "EvalFile", "UCI_ShowWDL")
    }
    assert talk.uci.game is None and talk.made == []


def test_options_are_declared_as_they_are_set_and_the_table_can_be_as_large_as_the_search_allows():
    own = Settings()
    assert {name: getattr(own, field) for name, field in FIELDS.items()} == {
        option.name: option.default for option in OPTIONS if option.kind != "button"
    }
    assert Settings(hash=NAMES["hash"].high).entries == MOST_ENTRIES
    assert ENTRY.itemsize == ENTRY_BYTES
    assert "option name Hash type spin default 64 min 1 max 256" in declarations(Settings(hash=64))
    assert "option name EvalFile type string default <empty>" in declarations(Settings(net=""))


def test_isready_is_answered_once_all_is_loaded(talk):
    assert talk.say("isready") == ["readyok"]
    assert len(talk.made) == 1


def test_options_are_read_without_regard_to_case_and_may_hold_spaces(talk):
    assert talk.say("setoption name hash value 32", "setoption name move overhead value 100") == []
    assert talk.say("setoption name UCI_ShowWDL value true", "setoption name MultiPV value 3") == []
    assert talk.say("setoption name EvalFile value my nets/a b.safetensors") == []
    wanted = Settings(hash=32, lines=3, overhead=100, net="my nets/a b.safetensors", chances=True)
    assert talk.uci.settings == wanted
    assert talk.say("setoption name EvalFile value <empty>") == []
    assert talk.uci.settings == dataclasses.replace(wanted, net="")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("setoption name Hash value 0", "Hash is '0', but it must be a whole number, 1 to 256"),
        ("setoption name Hash value lots", "Hash is 'lots', but it must be a whole number, 1 to 256"),
        ("setoption name Ponder value maybe", "Ponder is 'maybe', but it must be true or false"),
        ("setoption name Hsah value 4", "there is no option 'Hsah'. Did you mean 'Hash'?"),
        ("setoption Hash 4", "it goes setoption name NAME value VALUE"),
        ("setoption name EvalFile value bad.net", "EvalFile: bad.net: no such file"),
    ],
)
def test_a_wrong_option_is_told_and_changes_nothing(talk, line, says):
    talk.say("isready")
    before, searcher = talk.uci.settings, talk.searcher
    (heard,) = talk.say(line)
    assert heard.startswith("info string ") and says in heard
    assert talk.uci.settings == before and talk.uci.searcher is searcher


def test_memory_threads_and_net_make_a_new_searcher_when_it_is_next_needed(talk):
    talk.say("isready")
    talk.say("setoption name MultiPV value 2", "setoption name Hash value 16", "isready")
    assert len(talk.made) == 1
    talk.say("setoption name Hash value 8", "isready")
    assert len(talk.made) == 2 and talk.searcher.settings.entries == 8 << 16
    talk.say("setoption name EvalFile value other.net", "isready")
    assert len(talk.made) == 3 and talk.searcher.settings.net == "other.net"


def test_a_new_game_and_clear_hash_make_the_searcher_forget(talk):
    talk.say("isready", "ucinewgame")
    assert talk.searcher.games == 1
    talk.say("setoption name Clear Hash")
    assert talk.searcher.games == 2


# --- positions -------------------------------------------------------------------------------------------------------


def test_the_searcher_is_told_position_history_and_plies(talk, chess):
    talk.best("position startpos moves g1f3 g8f6 f3g1 f6g8", "go depth 2")
    (asked,) = talk.searcher.asked
    state, keys = chess.states(1)[0], []
    for name in ("g1f3", "g8f6", "f3g1", "f6g8"):
        keys.append(int(chess.key(state)))
        state = chess.after(state, chess.module.read_uci(state, name))
    assert asked.past.dtype == np.uint64 and asked.past.tolist() == keys
    assert asked.plies == 4
    assert talk.best("go depth 1") == talk.best("position startpos", "go depth 1")


def test_a_position_is_read_from_a_fen_with_moves(talk, chess):
    talk.say("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q h7g7")
    fen = chess.module.describe(talk.uci.position.state)
    assert fen == "Q7/6k1/8/8/8/8/8/K7 w - - 1 2"


def test_a_position_that_goes_on_from_the_one_before_is_the_same_as_from_the_start(talk, chess, monkeypatch):
    def now(line):
        talk.say(line)
        return talk.uci.position

    whole = now("position startpos moves e2e4 e7e5 g1f3 b8c6")
    for other in ("position startpos", "position startpos moves e2e4", "position startpos moves e2e4 e7e5 g1f3"):
        talk.say(other)
        assert now("position startpos moves e2e4 e7e5 g1f3 b8c6") == whole
    read = []
    monkeypatch.setattr(chess.module, "read_uci", lambda state, name: read.append(name) or chess_uci(state, name))
    now("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6")
    assert read == ["f1b5", "a7a6"], "moves that are known are not looked at again"
    now("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert now("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q").plies == 1
    assert now("position startpos moves e2e4 e7e5 g1f3 b8c6") == whole


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("position startpos moves e2e4 e2e4", "move 2: 'e2e4' is not a legal move"),
        ("position startpos moves e2e5", "move 1: 'e2e5' is not a legal move"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "the side to move is 'x'"),
        ("position fen", "fields, but must have 6"),
        ("position", "it goes position startpos"),
        ("position e2e4", "it goes position startpos"),
    ],
)
def test_a_wrong_position_is_told_and_leaves_the_one_before(talk, line, says):
    talk.say("position startpos moves d2d4")
    before = talk.uci.position
    (heard,) = talk.say(line)
    assert heard.startswith("info string ") and says in heard
    assert talk.uci.position is before


# --- searches --------------------------------------------------------------------------------------------------------


def test_an_iteration_tells_depth_score_nodes_speed_table_time_and_line(talk):
    assert talk.best("position startpos", "go depth 2") == "bestmove a2a3 ponder a7a6"
    one, two = talk.heard[:-1]
    assert one.startswith("info depth 1 seldepth 2 multipv 1 score cp -12 nodes 10 nps ")
    assert two.startswith("info depth 2 seldepth 3 multipv 1 score cp -12 nodes 20 nps ")
    words = two.split()
    assert words[words.index("hashfull") + 1] == "250"
    assert words[words.index("time") + 1].isdecimal()
    assert two.endswith(" pv a2a3 a7a6")


def test_several_lines_are_told_each_with_its_number(talk):
    talk.best("setoption name MultiPV value 3", "go depth 1")
    assert talk.searcher.asked[0].lines == 3
    assert [line.split()[6] for line in talk.heard[:-1]] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("score", "end", "told"),
    [(999_950, None, "cp 10000"), (1_009_999, 1, "mate 1"), (1_009_997, 3, "mate 2"), (-1_009_998, 2, "mate -1")],
)
def test_a_forced_end_is_told_in_moves_and_not_in_plies(chess, score, end, told):
    talk = Talk(chess, lines=(Line((chess.legal_moves(chess.states(1)[0])[0],), score, 1.0, end),))
    assert talk.best("go depth 1") == "bestmove a2a3"
    assert f" score {told} " in talk.heard[0]


@pytest.mark.parametrize(
    ("go", "limits"),
    [
        ("depth 3", Limits(3)),
        ("depth 0", Limits(1)),
        ("depth 999 nodes 5", Limits(DEEPEST, 5)),
        ("nodes 0", Limits(nodes=1)),
        ("movetime 250", Limits(ms=250)),
        ("depth 2 movetime 250 nodes 7", Limits(2, 7, 250)),
        ("nodes 30 wobble depth 2 17", Limits(2, 30)),
    ],
)
def test_go_limits_the_search(talk, go, limits):
    talk.best(f"go {go}")
    assert talk.searcher.asked[0].limits == limits


def test_the_clock_of_whoever_is_to_move_counts(talk):
    times = []
    for moves in ("", " moves e2e4"):
        talk.best(f"position startpos{moves}", "go wtime 60000 winc 1000 btime 600 binc 0")
        times.append(talk.searcher.asked[-1].limits)
    white, black = times
    assert 1000 < white.soft_ms < white.ms < 60_000
    assert 1 <= black.soft_ms < black.ms < 600
    talk.best("position startpos", "setoption name Move Overhead value 3000", "go wtime 60000 winc 1000")
    assert talk.searcher.asked[-1].limits.ms < white.ms
    talk.best("go wtime 60000 movestogo 2")
    assert talk.searcher.asked[-1].limits.ms > white.ms


def test_searchmoves_are_passed_on_and_illegal_ones_are_not(talk, chess):
    assert talk.best("go depth 2 searchmoves g1f3 e2e5 b1c3 nodes 9").startswith("bestmove g1f3")
    asked = talk.searcher.asked[0]
    state = chess.states(1)[0]
    assert [chess.module.write_uci(state, move) for move in asked.moves] == ["g1f3", "b1c3"]
    assert asked.limits == Limits(2, 9)


def test_a_search_without_limits_goes_on_until_stop(talk):
    talk.say("go infinite")
    assert talk.searcher.begun.wait(WAIT)
    assert not any(line.startswith("bestmove") for line in talk.heard)
    talk.uci.hear("stop")
    assert talk.heard[-1] == "bestmove a2a3 ponder a7a6"
    talk.say("go")
    assert talk.best("stop").startswith("bestmove ")


def test_an_infinite_search_that_has_ended_still_waits_for_stop(talk):
    talk.say("go infinite depth 2")
    assert talk.searcher.begun.wait(WAIT)
    assert talk.uci.busy and not any(line.startswith("bestmove") for line in talk.heard)
    assert talk.best("stop") == "bestmove a2a3 ponder a7a6"


def test_isready_is_answered_in_the_middle_of_a_search(talk):
    talk.say("go infinite")
    assert talk.searcher.begun.wait(WAIT)
    assert talk.say("isready") == ["readyok"]
    assert talk.uci.busy
    talk.best("stop")


def test_what_is_heard_when_nothing_is_searched_or_makes_no_sense_is_passed_over(talk):
    assert talk.say("stop", "ponderhit", "", "   ", "xyzzy", "debug on", "register later", "\x00\ufffd") == []
    assert talk.say("joho isready") == ["readyok"], "words before a command are passed over"
    assert talk.best("stop", "go depth 1").startswith("bestmove ")


@pytest.mark.parametrize("second", ["go depth 1", "setoption name Hash value 3", "ucinewgame"])
def test_what_must_wait_for_the_end_of_a_search_lets_it_come_if_it_does_by_itself(chess, second):
    talk = Talk(chess, pause=0.05)
    talk.say("isready", "go depth 3", second, "stop", "isready")
    first = talk.made[0]
    assert first.stops == 0 or second == "go depth 1", "only that second search is stopped"
    told = [line.split(" seldepth")[0] for line in talk.heard]
    assert told[:4] == ["readyok", "info depth 1", "info depth 2", "info depth 3"]
    assert talk.heard[4].startswith("bestmove ")


def test_a_second_go_ends_one_that_would_go_on_for_ever(talk):
    talk.say("go infinite")
    assert talk.searcher.begun.wait(WAIT)
    talk.say("go depth 1")
    assert sum(line.startswith("bestmove") for line in talk.heard) >= 1
    assert len(talk.searcher.asked) == 2


def test_a_move_that_is_pondered_on_is_answered_after_ponderhit_by_the_clock(talk):
    talk.say("position startpos moves e2e4", "go ponder wtime 1000 btime 300")
    assert talk.searcher.begun.wait(WAIT)
    assert talk.searcher.asked[0].limits == Limits()
    assert not any(line.startswith("bestmove") for line in talk.heard)
    assert talk.best("ponderhit").startswith("bestmove ")


def test_a_pondering_search_that_has_ended_answers_at_ponderhit_and_at_stop(talk):
    for word in ("ponderhit", "stop"):
        talk.say("go ponder depth 1")
        assert talk.uci.busy
        assert talk.best(word).startswith("bestmove ")


def test_go_mate_ends_with_a_mate_as_short_as_that(chess):
    move = chess.legal_moves(chess.states(1)[0])[0]
    talk = Talk(chess, lines=(Line((move,), 1_009_997, 1.0, 3),), forever=True)
    assert talk.best("go mate 2") == "bestmove a2a3"
    talk.say("go mate 1")
    assert talk.searcher.begun.wait(WAIT)
    assert talk.uci.busy
    talk.best("stop")


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
def test_where_there_is_no_move_none_is_told(talk, fen, score):
    talk.say(f"position fen {fen}")
    assert talk.say("go depth 5") == [f"info depth 0 score {score}", "bestmove (none)"]


def test_where_a_draw_has_ended_the_game_it_moves_all_the_same(chess):
    talk = Talk(chess)
    talk.say(f"position fen {DEAD}", "isready")
    state = talk.uci.position.state
    moves = [move for move in range(chess.MOVES) if chess.module.write_uci(state, move) == "d3d4"]
    talk.searcher.lines = (Line((moves[0],), 0, 0.0, None),)
    assert talk.best("go depth 1") == "bestmove d3d4"


def test_a_search_that_fails_says_so_and_still_moves(talk, monkeypatch):
    talk.say("isready")
    monkeypatch.setattr(talk.searcher, "found", lambda *arguments: 1 / 0)
    assert talk.best("go depth 1") == "bestmove a2a3"
    assert talk.heard[0] == "info string the search failed: ZeroDivisionError: division by zero"


# --- the end -------------------------------------------------------------------------------------------------------


def test_quit_lets_a_search_with_a_limit_give_its_answer(talk):
    talk.uci.converse(["position startpos moves e2e4\n", "go nodes 20000\n", "quit\n", "isready\n"])
    assert talk.heard[-1].startswith("bestmove ")
    assert "readyok" not in talk.heard


@pytest.mark.parametrize("last", [["quit\n"], []])
def test_quit_and_the_end_of_input_end_an_endless_search_with_its_answer(talk, last):
    talk.uci.converse(["go infinite\n", *last])
    assert talk.heard[-1].startswith("bestmove ")
    assert not talk.uci.busy


def test_a_gui_that_no_longer_listens_is_no_fault(chess):
    def broken(line):
        raise BrokenPipeError

    uci = Uci(broken, lambda: chess, Searcher, Settings())
    uci.converse(["uci\n", "isready\n", "go depth 2\n"])
    assert not uci.busy
