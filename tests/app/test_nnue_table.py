"""How a run of NNUE is shown: its columns, when matches are due and against whom, its curves."""

import pathlib
from types import SimpleNamespace

import pytest

from sparring.app import curves
from sparring.app.nnue_table import EARLIER, MATERIAL, RULES, SCORES, NnueTable
from sparring.games.game import load
from sparring.learn.nnue_settings import NnueSettings
from sparring.learn.run import RunFolder

BINS = [[100, 0.1, 0.12], [100, 0.5, 0.45], [100, 0.9, 0.93]]
ROW = {
    "generation": 3, "minutes": 1.0, "positions": 120_000, "games": 900, "window": 100_000, "trained": 700_000,
    "steps": 700, "loss": 0.1, "loss_square": 0.05, "loss_surprise": 0.7, "rate": 1e-3, "blend": 0.9,
    "trained_per_second": 171_000.0, "held": 4000, "held_loss": 0.12, "held_square": 0.0612, "held_surprise": 0.7512,
    "held_result": 0.09, "held_gap": 0.081, "calibration": {"-1": BINS, "0": BINS, "1": BINS},
    "seconds_play": 9.0, "seconds_train": 3.0, "seconds": 12.5,
}  # fmt: skip
PLAYED = {
    "new": 40_000, "nodes": 400, "plies": 110.0, "made_per_second": 3111.0, "nodes_per_second": 2.1e6,
    "wins_first": 50, "wins_second": 40, "draws": 10,
}  # fmt: skip
MATCHES = {name: {"score": 0.5, "low": 0.4, "high": 0.6, "games": 100} for name in SCORES}


def learner_of(folder, name="chess"):
    found = SimpleNamespace(game=load(name), folder=RunFolder(folder), number=3, net=None, kept=[])
    found.folder.save_net = lambda net, number: found.kept.append(number)
    return found


@pytest.mark.parametrize("row", [ROW, {**ROW, **PLAYED}, {**ROW, **PLAYED, **MATCHES}, {**ROW, "games": 0}])
def test_figures_stand_below_their_heads_and_fit_a_screen(tmp_path, row):
    table = NnueTable(NnueSettings())
    above, below = table.header(learner_of(tmp_path))
    line = table.line(learner_of(tmp_path), row)
    assert max(len(above), len(line)) <= len(below) <= 130
    ends = [i + 1 for i in range(len(below)) if below[i] != " " and below[i + 1 : i + 2] in (" ", "")]
    for a, b in zip([0, *ends], ends, strict=False):
        assert len(line[a:b].split()) <= 1


def test_what_will_happen_is_said_first_for_games_and_for_files():
    folder = pathlib.Path("R")
    games = NnueTable(NnueSettings(minutes=4, hidden=128, nodes=(50, 800), batch=1024)).begins("chess", 2, folder)
    assert games == [
        "Training an NNUE net for chess by self-play on 2 threads for 4 minutes: 128 units a view, batches of 1024, "
        "50 to 800 nodes a move.",
        "All of it is kept in R. Ctrl+C stops, the same command goes on.",
    ]
    files = NnueTable(NnueSettings(minutes=0, generations=9, data=("a", "b"))).begins("chess", 1, folder)
    assert "from 2 files on 1 threads for 9 generations" in files[0]
    assert "nodes" not in files[0]


def test_the_run_is_done_by_its_clock_or_its_generations_whichever_ends_first(tmp_path):
    table, learner = NnueTable(NnueSettings(minutes=4, generations=30)), learner_of(tmp_path)
    assert table.gone(learner, {"minutes": 1.0}, 0.0) == 0.25
    assert table.gone(learner, {}, 0.0) == 0.1
    assert NnueTable(NnueSettings(minutes=0, generations=3)).gone(learner, ROW, 0.0) == 1.0


def test_matches_are_due_by_the_clock_and_at_the_end_at_equal_nodes(tmp_path):
    table, learner = NnueTable(NnueSettings(minutes=30, match_every=10, match_nodes=500, seed=9)), learner_of(tmp_path)
    assert not table.trials(learner, {**ROW, "minutes": 9.0})
    trials = table.trials(learner, {**ROW, "minutes": 10.1})
    assert [trial.name for trial in trials] == [MATERIAL, RULES]
    assert [trial.opponent for trial in trials] == ["alphabeta:nodes=500,judge=material", "alphabeta:nodes=500"]
    assert {trial.player for trial in trials} == {f"alphabeta:nodes=500,net={learner.folder.net_path(3)}"}
    assert {(trial.games, trial.opening, trial.seed) for trial in trials} == {(100, 6, 9)}
    assert learner.kept == [3]
    learner.folder.net_path(3).parent.mkdir()
    learner.folder.net_path(3).touch()
    assert table.trials(learner, {**ROW, "minutes": 30.0})[-1].name == EARLIER
    assert not NnueTable(NnueSettings(match_every=0)).trials(learner, {**ROW, "minutes": 30.0})


def test_a_game_without_a_judgement_by_hand_is_measured_against_a_search_that_knows_only_results(tmp_path):
    trials = NnueTable(NnueSettings(minutes=1)).trials(learner_of(tmp_path, "tic_tac_toe"), ROW)
    assert [(trial.name, trial.opponent) for trial in trials] == [(RULES, "alphabeta:nodes=2000")]


@pytest.mark.parametrize("bins", [{"-1": BINS, "0": BINS, "1": BINS}, {"expected": BINS}])
@pytest.mark.parametrize("more", [{}, {**PLAYED, **MATCHES}])
def test_curves_are_drawn_of_games_and_of_files_with_either_head(bins, more):
    settings = {"alpha": [0.1], "head": "results", "seed": 1}
    config = {"game": "chess", "learner": "nnue", "settings": settings, "players": ["White", "Black"]}
    rows = [{**ROW, **more, "calibration": bins, "generation": i, "trained": 1000 * i} for i in (1, 2)]
    for found in (rows, rows[:1]):
        assert curves.draw(config, found)[:8] == b"\x89PNG\r\n\x1a\n"
    assert dict(curves.numbers(rows[0]))["held/square"] == pytest.approx(0.0612)
