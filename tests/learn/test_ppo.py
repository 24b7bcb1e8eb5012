"""The PPO learner: it clones, learns, keeps a champion; the same seed gives the same net, resumed or not."""

import pathlib
import re

import numpy as np
import pytest
import torch

from sparring.errors import GameError, RunError
from sparring.games.game import load
from sparring.learn import ppo
from sparring.learn.cloner import CloneLearner
from sparring.learn.ppo import PpoLearner
from sparring.learn.ppo_settings import CloneSettings, PpoSettings
from sparring.learn.run import RunFolder
from sparring.nets import weights

NIM = str(pathlib.Path(__file__).parents[1] / "data" / "nim.py")
TAUGHT = """
BOTS = ("teacher",)


def teacher(state):
    return state["heap"] % 4 - 1 if state["heap"] % 4 > 0 else 0
"""
TINY = {"minutes": 0.0, "iterations": 4, "games": 32, "most_games": 32, "batch": 64, "lanes": 8, "seed": 3}
TINY |= {"policy_hidden": (8,), "value_hidden": (8,), "pool_every": 1, "gate_every": 2, "screen_games": 16}
TINY |= {"confirm_games": 32, "measure_games": 16, "measure_every": 0.0, "recorded": 40, "held_out": 10}
TINY |= {"clone_epochs": 3, "clone_batch": 32, "rate": 5e-3, "midgame": 0.0}


@pytest.fixture
def taught(tmp_path):
    """Nim with a teacher who knows how to win."""
    file = tmp_path / "taught.py"
    file.write_text(pathlib.Path(NIM).read_text(encoding="utf-8") + TAUGHT, encoding="utf-8")
    return str(file)


def learner(game, path, threads=1, start="", **settings):
    return PpoLearner(load(game), PpoSettings(**{**TINY, **settings}), RunFolder(path), threads, start)


def train(game, path, **settings):
    run = learner(game, path, **settings)
    while run.done() < 1:
        run.finish(run.generation())
    return run


def lasting(path):
    """What a row says but the times."""
    return [{k: v for k, v in row.items() if "second" not in k and k != "minutes"} for row in RunFolder(path).rows()]


def same(one, other):
    return all((one.arrays[name] == array).all() for name, array in other.arrays.items())


def test_a_run_clones_first_and_then_plays_and_its_rows_say_so(taught, tmp_path):
    run = train(taught, tmp_path / "run")
    rows = RunFolder(tmp_path / "run").rows()
    assert [row["stage"] for row in rows] == ["clone"] * 3 + ["ppo"] * 4
    assert rows[0]["decisions"] > 0
    assert rows[2]["accuracy"] >= rows[0]["accuracy"]
    assert [row["games"] for row in rows[3:]] == [32, 64, 96, 128]
    assert ["gate" in row for row in rows[3:]] == [False, True, False, True]
    assert "clone_greedy" in rows[-1]
    assert rows[-1]["teacher_sampled"]["games"] == 16
    assert weights.load(tmp_path / "run" / "nets" / "latest.safetensors").digest == run.champion.digest


def test_the_page_on_runs_names_every_field_of_these_rows(taught, tmp_path):
    train(taught, tmp_path / "run")
    text = (pathlib.Path(__file__).parents[2] / "docs" / "run-folder.md").read_text(encoding="utf-8")
    text = text.partition("<!-- test: fields of a row of ppo -->")[2].partition("## Curves")[0]
    named = set(re.findall(r"`(\w+)`", text))
    found = {field for row in RunFolder(tmp_path / "run").rows() for field in row}
    assert found - named == set()


@pytest.mark.parametrize("stops", [(1, 4), (2, 3), (5, 6)])
def test_a_resumed_run_ends_with_the_net_of_one_that_was_not_stopped(taught, tmp_path, stops):
    whole = train(taught, tmp_path / "whole", gate_every=1, midgame=0.5)
    for until in stops:
        run = learner(taught, tmp_path / "stopped", gate_every=1, midgame=0.5)
        while run.number < until:
            run.finish(run.generation())
    stopped = train(taught, tmp_path / "stopped", gate_every=1, midgame=0.5)
    assert same(stopped.champion, whole.champion)
    assert same(stopped._candidate(), whole._candidate())
    assert stopped.pool.state() == whole.pool.state()
    assert lasting(tmp_path / "stopped") == lasting(tmp_path / "whole")


@pytest.mark.compiled
def test_it_learns_to_win_at_nim_without_a_teacher(tmp_path):
    run = train(NIM, tmp_path / "run", iterations=60, games=128, most_games=128, batch=512, confirm_games=200)
    game = load(NIM)
    for heap in (1, 2, 3, 5, 6, 7, 9, 10, 11, 13):
        state = game.dealt(heap - 1)[0]
        assert state["heap"] == heap
        best = move_of(run, game, state)
        assert (heap - best - 1) % 4 == 0
    assert run.promotions > 0


def move_of(run, game, state):
    seen = torch.from_numpy(run.seats.look(np.array([state], game.STATE)))
    said = run.trainer.module(seen).policy[0].detach().numpy()
    moves = game.legal_moves(state)
    return moves[int(np.argmax(said[moves]))]


@pytest.mark.compiled
def test_a_tower_learns_too_where_there_is_no_overview(tmp_path):
    run = train("tic-tac-toe", tmp_path / "run", iterations=30, games=64, most_games=64, blocks=1, width=8, rate=2e-3)
    rows = [row for row in RunFolder(tmp_path / "run").rows() if row["stage"] == "ppo"]
    assert rows[-1]["clone_sampled"]["score"] > 0.6
    assert rows[-1]["loss_result"] < rows[0]["loss_result"]
    assert run.champion.training["settings"]["blocks"] == 1


def test_the_champion_changes_only_where_the_confirmation_says_so(taught, tmp_path, monkeypatch):
    run = learner(taught, tmp_path / "run", clone=False, gate_every=1, rate=0.1)
    monkeypatch.setattr(ppo.gate, "passes_screen", lambda points, games, needed: True)
    monkeypatch.setattr(ppo.gate, "promoted", lambda points, games: run.iteration == 2)
    for iteration in (1, 2, 3):
        before = run.champion
        row = run.generation()
        assert row["gate"]["promoted"] == (iteration == 2)
        assert (run.champion is before) == (iteration != 2)
        assert set(row["gate"]) >= {"screen", "confirm"}
    assert run.promotions == 1


def test_the_last_gate_confirms_whatever_the_screen_was(taught, tmp_path, monkeypatch):
    run = learner(taught, tmp_path / "run", clone=False, gate_every=1, iterations=2)
    monkeypatch.setattr(ppo.gate, "passes_screen", lambda points, games, needed: False)
    assert ["confirm" in run.generation()["gate"] for _ in range(2)] == [False, True]


def test_after_failed_gates_the_learner_goes_back_to_the_champion(taught, tmp_path, monkeypatch):
    run = learner(taught, tmp_path / "run", clone=False, gate_every=1, rollback=2, rate=0.1)
    monkeypatch.setattr(ppo.gate, "passes_screen", lambda points, games, needed: False)
    assert "rolled_back" not in run.generation()["gate"]
    assert not same(run._candidate(), run.champion)
    assert run.generation()["gate"]["rolled_back"]
    assert same(run._candidate(), run.champion)


def test_a_loss_that_is_no_number_ends_the_run_says_at_which_step_and_keeps_the_champion(taught, tmp_path):
    run = learner(taught, tmp_path / "run", clone=False)
    run.finish(run.generation())
    steps = run.trainer.steps
    with torch.no_grad():
        next(iter(run.trainer.module.parameters())).fill_(float("nan"))
    with pytest.raises(RunError, match=rf"iteration 2: the loss became nan at step {steps + 1}; the champion .* safe"):
        run.generation()
    kept = weights.load(tmp_path / "run" / "nets" / "latest.safetensors")
    assert all(np.isfinite(array).all() for array in kept.arrays.values())
    assert learner(taught, tmp_path / "run", clone=False).kept == 1


def test_overlapping_first_positions_are_refused_before_anything_is_written(taught, tmp_path):
    with pytest.raises(RunError, match="overlap in 5-10"):
        learner(taught, tmp_path / "run", training_seeds="0-10", evaluating_seeds="5-20")
    assert not (tmp_path / "run").exists()


def test_a_pool_of_another_shape_is_refused(taught, tmp_path):
    train(taught, tmp_path / "run", clone=False, iterations=1)
    other = learner(taught, tmp_path / "other", clone=False, policy_hidden=(5,))
    other.folder.save_net(other.net, 0)
    with pytest.raises(RunError, match=r"has shape \[8, 7\], but the learner's has \[5, 7\]"):
        (tmp_path / "other" / "pool").mkdir(exist_ok=True)
        for file in (tmp_path / "run" / "pool").iterdir():
            (tmp_path / "other" / "pool" / file.name).write_bytes(file.read_bytes())
        learner(taught, tmp_path / "other", clone=False, policy_hidden=(5,))


def test_a_game_whose_players_see_it_with_one_pair_of_eyes_cannot_be_cloned(tmp_path):
    with pytest.raises(GameError, match="as the player to move sees it"):
        learner("tigers-and-sheep", tmp_path / "run")


def test_a_small_net_needs_an_overview(tmp_path):
    with pytest.raises(RunError, match="take --net tower"):
        learner("tic-tac-toe", tmp_path / "run", net="small")


# --- cloning alone ---------------------------------------------------------------------------------------------------


def cloned(game, path, stop=99, **settings):
    shared = {k: v for k, v in TINY.items() if k in CloneSettings.__dataclass_fields__}
    run = CloneLearner(load(game), CloneSettings(**{**shared, **settings}), RunFolder(path), 1)
    while run.done() < 1 and run.number < stop:
        run.finish(run.generation())
    return run


def test_a_clone_plays_the_teachers_moves(taught, tmp_path):
    settings = {"recorded": 200, "clone_epochs": 60, "patience": 60, "clone_rate": 2e-2}
    cloned(taught, tmp_path / "run", **settings)
    rows = RunFolder(tmp_path / "run").rows()
    assert max(row["accuracy"] for row in rows) > 0.95
    assert rows[0]["accuracy"] < 0.95


def test_a_clone_goes_on_where_it_stopped(taught, tmp_path):
    whole = cloned(taught, tmp_path / "whole")
    cloned(taught, tmp_path / "stopped", stop=1)
    stopped = cloned(taught, tmp_path / "stopped")
    assert same(stopped.net, whole.net)
    assert len(lasting(tmp_path / "stopped")) == 3


def test_without_a_bot_and_a_file_there_is_nothing_to_clone(tmp_path):
    with pytest.raises(RunError, match="names no bot"):
        cloned(NIM, tmp_path / "run")


def test_a_clone_whose_checkpoints_are_all_damaged_does_not_begin_anew_unsaid(taught, tmp_path):
    cloned(taught, tmp_path / "run", stop=2)
    for file in (tmp_path / "run" / "checkpoints").iterdir():
        file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(RunError, match="no checkpoint is whole"):
        cloned(taught, tmp_path / "run")
