"""Matches of chess at the command line: limits for both players, clocks, openings, PGN, the published report."""

import json
import pathlib
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from sparring.app.cli import main
from sparring.app.published import forfeits, published
from sparring.arena.batch import DEAD, TIME
from sparring.arena.player import Entry
from sparring.arena.stats import GameCounts, PairCounts

FAKE = f"uci:{sys.executable} {pathlib.Path(__file__).parents[1] / 'data' / 'fake_engine.py'}"
BOOK = """rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;
"""


@pytest.fixture
def ask(tmp_path, monkeypatch, capsys):
    """Runs one command with a ladder of its own; returns (exit code, stdout, stderr)."""
    monkeypatch.setenv("SPARRING_LADDER", str(tmp_path / "ladder.sqlite"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.epd").write_text(BOOK)

    def run(*words):
        code = main(["match", "chess", *words, "--threads", "1"])
        return code, *capsys.readouterr()

    return run


# --- the report ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "llr", "elo"),
    [
        ((538, 2981, 5186, 2822, 475), "2.95", "4.13 ± 2.82"),
        ((42, 1031, 2401, 1159, 59), "-3.01", "-6.00 ± 3.69"),
        ((9, 1271, 2791, 1388, 26), "-2.99", "-4.78 ± 3.28"),
        ((2, 245, 545, 234, 0), None, "2.54 ± 7.33"),
    ],
)
def test_the_report_is_the_published_one(pairs, llr, elo):
    played = SimpleNamespace(counts=PairCounts(*pairs[::-1]), games=GameCounts(5, 7, 6), before=0, sprt=None)
    contest = SimpleNamespace(test=(0.0, 3.0) if llr else None)
    lines = published(contest, played)
    assert lines[0] == f"Elo   | {elo} (95 %)"
    if llr:
        assert lines[1] == f"LLR   | {llr} (-2.94, 2.94) [0.00, 3.00]"
    assert lines[-2] == f"Games | N: {2 * sum(pairs)} W: 5 L: 6 D: 7"
    assert lines[-1] == f"Penta | [{', '.join(map(str, pairs[::-1]))}]"


def test_of_a_match_that_was_gone_on_with_it_is_said_which_games_are_told_apart():
    played = SimpleNamespace(counts=PairCounts(even=9), games=GameCounts(1, 2, 1), before=7, sprt=None)
    assert "Games | N: 18; of those played now 4: W: 1 L: 1 D: 2" in published(SimpleNamespace(test=None), played)


def test_forfeits_are_told_by_player_and_kind():
    contest = SimpleNamespace(a=Entry("one", "", object), b=Entry("two", "", object))
    told = forfeits(contest, Counter({("two", TIME): 2, ("two", DEAD): 1, ("one", TIME): 1}))
    assert told == [
        "one forfeited 1 game: 1 on time",
        "two forfeited 3 games: 2 on time, 1 by being dead or silent",
    ]


# --- matches ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_a_match_by_nodes_from_a_book_is_reported_and_written_as_pgn(ask):
    pgn = pytest.importorskip("chess.pgn")
    words = ["alphabeta:judge=material", "random", "--nodes", "300", "--games", "4", "--openings", "book.epd"]
    code, out, _ = ask(*words, "--pgn", "games.pgn", "--sprt", "0", "30")
    assert code == 0
    assert out.startswith("alphabeta:judge=material,nodes=300 against random: 4 games\n")
    assert "\nGames | N: 4 W: 4 L: 0 D: 0\nPenta | [0, 0, 0, 0, 2]\n" in out
    assert "\nLLR   | " in out and "\nElo   | inf ± inf" in out
    with open("games.pgn") as file:
        games = [game for _ in range(5) if (game := pgn.read_game(file))]
    assert len(games) == 4
    starts = {line.split(" ")[0] for line in BOOK.splitlines()}
    for game in games:
        assert not game.errors
        assert game.headers["FEN"].split()[0] in starts
        board = game.end().board()
        assert board.outcome(claim_draw=True).result() == game.headers["Result"]
        assert game.headers["Termination"] == "normal"
        winner = game.headers["White"] if game.headers["Result"] == "1-0" else game.headers["Black"]
        assert winner == "alphabeta:judge=material,nodes=300"
    assert [game.headers["Round"] for game in games] == ["1.1", "1.2", "2.1", "2.2"]


def test_engines_by_the_clock_forfeit_and_are_named_at_once_and_in_the_end(ask):
    code, out, err = ask(f"{FAKE} sleeps 2", FAKE, "--tc", "0.25", "--games", "2", "--opening", "0", "--pgn", "g.pgn")
    label = f"{FAKE} sleeps 2,tc=0.25+0"
    assert code == 0
    assert f"pair 0, game 1: {label}#" in err and " forfeits it: " in err and "lost on time" in err
    assert " forfeited 2 games: 2 on time\n" in out
    text = pathlib.Path("g.pgn").read_text()
    assert text.count('[Termination "time forfeit"]') == 2 and text.count('[TimeControl "0.25+0"]') == 2
    assert "lost on time} 0-1" in " ".join(text.split())
    row = json.loads(ask(f"{FAKE} sleeps 2", FAKE, "--tc", "0.25", "--games", "4", "--opening", "0", "--json")[1])
    assert row["forfeits"] == {"a": {"time": 2}}


def test_pairs_with_a_book_are_another_match_than_without(ask):
    book = ["--openings", "book.epd"]
    for more, named, opening in (([], None, 4), (book, "book.epd", 0), ([*book, "--opening", "2"], "book.epd", 2)):
        row = json.loads(ask("random", FAKE, "--nodes", "1", "--games", "2", *more, "--json")[1])
        assert (row["games"], row.get("book"), row["opening"]) == (2, named, opening)
    _, _, err = ask("random", FAKE, "--nodes", "1", "--games", "6", "--openings", "book.epd")
    assert "book.epd holds 2 openings for 3 pairs; some are played again." in err
    assert "1 pairs of this match were played before" in err


@pytest.mark.compiled
def test_games_whose_scores_leave_no_doubt_are_adjudicated_and_kept_apart_from_games_played_out(ask):
    pathlib.Path("ahead.epd").write_text("4k3/pp6/8/8/8/8/PP6/QQ2K3 w - - 0 1\n")
    words = ["alphabeta:depth=1,judge=material", "alphabeta:depth=2,judge=material", "--openings", "ahead.epd"]
    row = json.loads(ask(*words, "--games", "2", "--json")[1])
    assert "adjudicated" not in row and row["score"] == 0.5
    code, out, err = ask(*words, "--games", "2", "--adjudicate", "--pgn", "g.pgn")
    assert code == 0 and "played before" not in err
    assert "\n2 of the 2 games played now were adjudicated\n" in out
    text = pathlib.Path("g.pgn").read_text()
    assert text.count('[Termination "adjudication"]') == text.count('[PlyCount "8"]') == text.count("1-0\n") == 2
    row = json.loads(ask(*words, "--games", "4", "--adjudicate", "--json")[1])
    assert (row["games"], row["adjudicated"], row["score"]) == (4, 2, 0.5)
    assert "1 pairs of this match were played before" in ask(*words, "--games", "2")[2]


def test_a_match_with_somebody_who_tells_no_scores_is_refused_before_any_file_is_made(ask):
    code, _, err = ask("random", FAKE, "--nodes", "1", "--games", "2", "--adjudicate", "--pgn", "g.pgn")
    assert code == 1 and "random tells none" in err and not pathlib.Path("g.pgn").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--nodes", "-1"], "--nodes is -1, but it must be 0"),
        (["--nodes", "5", "--tc", "8+0.08"], "give --nodes or --tc, not both: 5 and '8+0.08'"),
        (["--tc", "fast"], "the clock is 'fast', but it must be seconds"),
        (["--openings", "none.epd"], "cannot read none.epd"),
        (["--pgn", "/dev/null/x.pgn"], "cannot write /dev/null"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(ask, words, says):
    code, _, err = ask("random", "greedy", "--games", "2", *words)
    assert code == 1 and says in err


def test_a_game_without_notation_writes_no_pgn(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["match", "tic-tac-toe", "random", "greedy", "--games", "2", "--pgn", "x.pgn"]) == 1
    assert "tic_tac_toe.py has no position(), describe(), read_san()" in capsys.readouterr().err


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told(ask):
    code, _, err = ask("random", FAKE, "--nodes", "1", "--games", "2", "--pgn", "/dev/full")
    assert code == 1 and "cannot write /dev/full: No space left on device" in err


def test_where_a_person_watches_a_program_at_fault_ends_the_game_with_the_reason(tmp_path, monkeypatch, capsys):
    assert main(["watch", "chess", f"{FAKE} illegal 2,nodes=1", "random", "--delay", "0", "--seed", "1"]) == 1
    assert "Fake 1.0 played e2e5, which is not legal in" in capsys.readouterr().err
