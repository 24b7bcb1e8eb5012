"""Programs as players: what they are told, and that a dead, silent or cheating one loses its game and no more."""

import pathlib
import re
import shutil
import sys

import numpy as np
import pytest

from sparring.arena import uci_engine
from sparring.arena.batch import DEAD, RULES, TIME, Batch, Clocks, Forfeit
from sparring.arena.match import play_pairs
from sparring.arena.player import limited, parse_player
from sparring.arena.uci_engine import EngineFault, Reply, UciEngine, command_of
from sparring.arena.uci_player import UciOptions, UciPlayer, digest_of, go_by
from sparring.arena.under_way import Terms, begin
from sparring.errors import GameError, PlayerError
from sparring.games.game import load
from sparring.search.clock import Clock, TimeControl

FAKE = str(pathlib.Path(__file__).parents[1] / "data" / "fake_engine.py")
STOCKFISH = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


@pytest.fixture(scope="module")
def chess():
    return load("chess")


@pytest.fixture
def hurry(monkeypatch):
    """Little patience."""
    monkeypatch.setattr(uci_engine, "AFTER_STOP", 0.2)
    monkeypatch.setattr(uci_engine, "HANDSHAKE", 1.0)


@pytest.fixture
def engine():
    """Starts fake engines, and ends them."""
    started = []

    def start(*arguments, options=()):
        started.append(UciEngine([sys.executable, FAKE, *map(str, arguments)], options))
        return started[-1]

    yield start
    for one in started:
        one.close()
        assert not one.alive


@pytest.fixture
def spec():
    """Of a fake engine as a player."""
    return lambda *fault, limit="nodes=5,patience=0.3": (
        f"uci:{sys.executable} {FAKE} {' '.join(map(str, fault))},{limit}"
    )


def told(engine):
    """All that a fake engine was told."""
    engine.say("log")
    return [line.removeprefix("log ") for line in engine.heard("logged", 10, "log")]


# --- processes ---------------------------------------------------------------------------------------------------


def test_an_engine_is_greeted_set_up_and_asked(engine):
    fake = engine(options=(("Hash", "8"), ("log book", "a file.bin")))
    fake.new_game()
    reply = fake.think("position startpos", "go nodes 7", 10)
    assert (reply.move, reply.ponder) == ("g1f3", "a7a6")
    assert reply.info == "info depth 1 score cp 13 pv g1f3"
    assert reply.score == 13
    assert fake.name == "Fake 1.0"
    assert told(fake)[:-1] == [
        "uci",
        "setoption name Hash value 8",
        "setoption name log book value a file.bin",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos",
        "go nodes 7",
    ]


def test_an_option_that_the_engine_lacks_is_named_with_those_it_has(engine):
    with pytest.raises(
        PlayerError, match=r"Fake 1.0 has no option 'Hsah'. Did you mean 'Hash'\? It has: Hash, Log Book"
    ):
        engine(options=[("Hsah", "8")])


def test_a_program_that_says_nothing_or_dies_becomes_a_fault_with_its_name(engine, hurry):
    with pytest.raises(EngineFault, match="did not answer 'uci' within 1 seconds"):
        engine("mute")
    with pytest.raises(EngineFault, match="has ended with exit code 3"):
        engine("dies").think("position startpos", "go nodes 1", 10)
    with pytest.raises(EngineFault, match="Fake 1.0 gave no move within 0.2 seconds, nor when told to stop"):
        engine("hangs").think("position startpos", "go nodes 1", 0.2)
    with pytest.raises(EngineFault, match="has ended"):
        UciEngine([shutil.which("true")])


def test_an_engine_is_told_to_stop_from_another_thread(engine, hurry):
    hanging = engine("hangs")
    hanging.lines.put("")
    hanging.stopped.set()
    hanging.stop()
    with pytest.raises(EngineFault, match="nor when told to stop"):
        hanging.think("position startpos", "go infinite", 0.01)


def test_a_killed_engine_is_told_by_its_signal(engine):
    fake = engine()
    fake.process.kill()
    with pytest.raises(EngineFault, match="Fake 1.0 has ended by signal 9"):
        fake.think("position startpos", "go nodes 1", 10)


def test_a_program_is_a_name_a_path_or_a_line_with_arguments(tmp_path):
    assert command_of(sys.executable) == [sys.executable]
    assert command_of(f"{sys.executable} -m sparring uci") == [sys.executable, "-m", "sparring", "uci"]
    spaced = tmp_path / "my engine"
    spaced.symlink_to(sys.executable)
    assert command_of(str(spaced)) == [str(spaced)]
    with pytest.raises(PlayerError, match="no program 'stokfish' that can be run"):
        command_of("stokfish")


# --- specs -------------------------------------------------------------------------------------------------------


def test_a_spec_gives_program_limits_and_the_engines_own_options(chess, spec):
    entry = parse_player(spec(limit="nodes=1000,option.Hash=16,option.Log Book=x"), chess)
    player = entry.make()
    assert player.options.option == (("Hash", "16"), ("Log Book", "x"))
    assert player.options.go == "go nodes 1000"
    assert told(player.engine)[1:3] == ["setoption name Hash value 16", "setoption name Log Book value x"]
    player.close()
    assert entry.control is None and len(entry.digest) == 12
    assert parse_player(spec(limit="tc=8+0.08"), chess).control == TimeControl(8, 0.08)
    assert parse_player("alphabeta:tc=8+0.08", chess).control == TimeControl(8, 0.08)


def test_another_version_of_a_program_is_another_player(tmp_path):
    program = tmp_path / "engine"
    program.write_text("one")
    first = digest_of([str(program)])
    program.write_text("two")
    assert digest_of([str(program)]) != first
    assert digest_of([str(program), "uci"]) != digest_of([str(program)])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("uci", "which program"),
        ("uci:nodes=5", "which program"),
        (f"uci:{sys.executable}", "give it a limit, nodes, depth, ms or tc"),
        (f"uci:{sys.executable},nodes=0", "nodes is 0, but it must be at least 1"),
        (f"uci:{sys.executable},nodes=5,tc=8+0.08", "give tc or other limits, not both"),
        (f"uci:{sys.executable},tc=soon", "the clock is 'soon'"),
        (f"uci:{sys.executable},nodes=5,patience=0", "patience is 0"),
        (f"uci:{sys.executable},nodes=5,Hash=16", "no option 'Hash'"),
        ("uci:no-such-program,nodes=5", "no program 'no-such-program'"),
        ("alphabeta:depth=3,tc=8+0.08", "give tc or other limits, not both"),
    ],
)
def test_a_wrong_spec_is_refused_in_one_line(chess, text, says):
    with pytest.raises(PlayerError, match=says):
        parse_player(text, chess)


def test_games_whose_moves_no_engine_reads_are_refused():
    with pytest.raises(GameError, match=r"tic_tac_toe.py has no position\(\), describe\(\), read_uci\(\)"):
        parse_player(f"uci:{sys.executable},nodes=5", load("tic-tac-toe"))


def test_a_limit_of_the_match_goes_to_players_that_name_none():
    assert limited("alphabeta", "nodes=9") == "alphabeta:nodes=9"
    assert limited("alphabeta:judge=material", "tc=8+0.08") == "alphabeta:judge=material,tc=8+0.08"
    assert limited("uci:stockfish,option.Hash=4", "nodes=9") == "uci:stockfish,option.Hash=4,nodes=9"
    for own in ("alphabeta:depth=3", "uci:stockfish,ms=100", "alphabeta:tc=1+0", "random", "greedy"):
        assert limited(own, "nodes=9") == own


# --- players -----------------------------------------------------------------------------------------------------


def batch(state, origin=None, moves=None, clocks=None):
    more = {} if origin is None else {"origins": [origin], "moves": [moves], "clocks": [clocks] if clocks else []}
    return Batch(np.array([state]), [np.zeros(0, np.uint64)], [0], np.ones(1, np.uint64), [0], **more)


@pytest.fixture
def player(chess):
    made = []

    def make(*fault, **options):
        given = UciOptions(FAKE, **{"nodes": 5, "patience": 0.3, **options})
        made.append(UciPlayer(chess, [sys.executable, FAKE, *map(str, fault)], given))
        made[-1].begin(0)
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_an_engine_is_told_the_moves_of_the_game_or_the_position_alone(chess, player):
    one, state, moves = player(), chess.states(1)[0], []
    origin = state.copy()
    for answer in ("a7a6", "h7h6"):
        moves += one.choose(batch(state, origin, moves))
        state = chess.after(state, moves[-1])
        moves.append(chess.module.read_uci(state, answer))
        state = chess.after(state, moves[-1])
    one.choose(batch(state, origin, moves))
    one.begin(0)
    after = chess.after(origin, moves[0])
    one.choose(batch(after, after, []))
    one.begin(0)
    one.choose(batch(after))
    asked = [line for line in told(one.engine) if line.startswith("position")]
    fen = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
    assert asked == [
        "position startpos",
        "position startpos moves g1f3 a7a6",
        "position startpos moves g1f3 a7a6 f3g1 h7h6",
        f"position fen {fen}",
        f"position fen {fen}",
    ]


def test_the_clock_is_told_in_milliseconds_whites_first(chess, player):
    own, other = Clock(1234.56, 80), Clock(999.4, 0)
    assert go_by(Clocks(own, other, 0)) == "go wtime 1235 winc 80 btime 999 binc 0"
    assert go_by(Clocks(own, other, 1)) == "go wtime 999 winc 0 btime 1235 binc 80"
    state = chess.states(1)[0]
    one = player(nodes=None, tc="8+0.08")
    one.choose(batch(state, state, [], Clocks(own, other, 0)))
    one.choose(batch(state))
    asked = [line for line in told(one.engine) if line.startswith("go")]
    assert asked == ["go wtime 1235 winc 80 btime 999 binc 0", "go wtime 8000 winc 80 btime 8000 binc 80"]


@pytest.mark.parametrize(
    ("fault", "kind", "says"),
    [
        ("dies", DEAD, "Fake 1.0 has ended with exit code 3"),
        ("hangs", DEAD, "Fake 1.0 gave no move within 0.3 seconds"),
        ("illegal", RULES, "Fake 1.0 played e2e5, which is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"),
        ("nothing", RULES, r"Fake 1.0 played \(none\), which is not legal in"),
    ],
)
def test_an_engine_at_fault_forfeits_and_is_there_again_for_the_next_game(chess, player, hurry, fault, kind, says):

    one, state = player(fault), chess.states(1)[0]
    (lost,) = one.choose(batch(state))
    assert isinstance(lost, Forfeit) and lost.kind == kind
    assert re.match(says, lost.reason)
    one.begin(0)
    assert one.engine.alive


# --- matches -----------------------------------------------------------------------------------------------------


def test_what_it_says_of_other_lines_and_bounds_is_not_its_score(engine):
    assert engine("talks").think("position startpos", "go nodes 7", 10).score == 13


@pytest.mark.parametrize(
    ("info", "score"),
    [
        ("info depth 9 multipv 1 score cp -250 nodes 5 pv e2e4", -250),
        ("info depth 9 score mate 3 pv e2e4", 10_000),
        ("info depth 9 score mate -2 pv e2e4", -10_000),
        ("", None),
    ],
)
def test_a_mate_is_worth_the_largest_result(info, score):
    assert Reply("e2e4", info=info).score == score


def test_a_program_tells_what_it_thought_of_each_position_and_nothing_where_it_died(chess, spec, hurry):
    player = parse_player(spec("dies", 2), chess).make()
    try:
        batch = Batch(chess.states(2), [np.zeros(0, np.uint64)] * 2, [0, 0], np.ones(2, np.uint64), [0, 0])
        player.choose(batch)
        assert player.scores == [13, None]
    finally:
        player.close()


def played(game, a, b, pairs=2, **more):
    entries = [parse_player(text, game) for text in (a, b)]
    return list(play_pairs(game, *entries, range(pairs), **{"opening": 0, "seed": 1, "threads": 1, **more}))


def test_two_programs_play_a_match(chess, spec):
    for pair in played(chess, spec(), spec(limit="depth=1")):
        assert [(game.points, len(game.moves), game.fault) for game in pair.games] == [(0.5, 8, None)] * 2


@pytest.mark.parametrize(("fault", "kind"), [("dies", DEAD), ("hangs", DEAD), ("illegal", RULES)])
def test_a_program_at_fault_loses_that_game_is_started_anew_and_the_match_goes_on(chess, spec, hurry, fault, kind):
    records = [game for pair in played(chess, spec(), spec(fault, 6)) for game in pair.games]
    assert len(records) == 4
    assert records[0].fault is None and records[0].points == 0.5, "it makes four moves in the first game"
    assert records[1].fault.kind == kind and records[1].points == 1
    assert all(record.points == 1 for record in records if record.fault)
    if kind == DEAD:  # a new process makes five good moves again
        assert [record.fault is None for record in records] == [True, False, True, False]


def test_whoever_runs_out_of_time_loses_and_nobody_else(chess, spec):
    slow, quick = spec("sleeps", 2, limit="tc=0.25"), spec(limit="tc=60")
    for a, b, points in ((slow, quick, 0), (quick, slow, 1)):
        (pair,) = played(chess, a, b, pairs=1)
        assert [game.points for game in pair.games] == [points] * 2
        assert {game.fault.kind for game in pair.games} == {TIME}
        assert all(game.fault.reason.endswith("lost on time") for game in pair.games)


def test_a_clock_runs_for_its_own_seat_and_gets_its_increment_after_the_move(chess):
    running = begin(chess, Terms(), 1, 0, True, (TimeControl(1, 0.5), None))
    assert running.spend(0, 0.75) and running.clocks == [Clock(750, 500), None]
    assert running.spend(1, 1e9)
    assert running.spend(0, 0.75) and running.clocks[0] == Clock(500, 500)
    assert not running.spend(0, 0.501)


@pytest.mark.compiled
def test_alpha_beta_plays_by_the_clock(chess, spec):
    (pair,) = played(chess, "alphabeta:tc=1+0.01,judge=material", spec(limit="tc=60"), pairs=1, opening=2)
    assert all(game.fault is None or (game.fault.kind == RULES and game.points == 1) for game in pair.games)


@pytest.mark.compiled
@pytest.mark.skipif(STOCKFISH is None, reason="needs Stockfish, Debian's package of that name")
def test_stockfish_plays_a_match(chess):
    spec = f"uci:{STOCKFISH},nodes=100,option.Hash=1,option.Threads=1"
    for pair in played(chess, spec, "random", opening=4):
        assert pair.score == 1
        assert all(game.fault is None for game in pair.games)
