"""The AlphaZero learner: the same seed gives the same net, resumed or not; faults are told and lose nothing."""

import numpy as np
import pytest
import torch

from sparring.errors import GameError, RunError
from sparring.games.game import load
from sparring.learn import alphazero
from sparring.learn.alphazero import AlphaZeroLearner
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.derive import derive
from sparring.learn.run import RunFolder

pytestmark = pytest.mark.compiled  # thousands of simulations
TINY = {"blocks": 1, "width": 8, "simulations": 8, "quick": 4, "batch": 16, "lanes": 8, "window": 1000, "cache": 1.0}


@pytest.fixture(autouse=True)
def short_lessons(monkeypatch):
    monkeypatch.setattr(alphazero, "LESSON", 640)
    monkeypatch.setattr(alphazero, "FIRST_LESSON", 480)
    monkeypatch.setattr(alphazero, "LONGER", 80)


def learner(path, *, threads=1, start="", **settings):
    chosen = {**TINY, "engine": "numpy", "minutes": 0.0, "generations": 4, "seed": 3, **settings}
    return AlphaZeroLearner(load("tic-tac-toe"), AlphaZeroSettings(**chosen), RunFolder(path), threads, start)


def train(path, until, **settings):
    run = learner(path, **settings)
    while run.number < until:
        run.finish(run.generation())
    return run


def lasting(path):
    """What a row says but the times."""
    rows = RunFolder(path).rows()
    return [{k: v for k, v in row.items() if "second" not in k or k == "wins_second"} | {"minutes": 0} for row in rows]


def test_a_resumed_run_ends_with_the_net_of_one_that_was_not_stopped(tmp_path):
    whole = train(tmp_path / "whole", 4)
    for until in (1, 3, 4):  # each time a new learner, from the disk
        stopped = train(tmp_path / "stopped", until)
    assert all((stopped.tower.arrays[n] == a).all() for n, a in whole.tower.arrays.items())
    assert stopped.rows.ring.tobytes() == whole.rows.ring.tobytes()
    assert lasting(tmp_path / "stopped") == lasting(tmp_path / "whole")


def test_a_damaged_checkpoint_is_passed_over_and_the_run_ends_alike(tmp_path):
    whole = train(tmp_path / "whole", 4)
    train(tmp_path / "hurt", 3)
    newest = sorted((tmp_path / "hurt" / "checkpoints").glob("*.safetensors"))[-1]
    newest.write_bytes(newest.read_bytes()[:-9])
    mended = learner(tmp_path / "hurt")
    assert mended.number == 2
    assert any("going back to the checkpoint before it" in note for note in mended.folder.notes)
    mended = train(tmp_path / "hurt", 4)
    assert all((mended.tower.arrays[n] == a).all() for n, a in whole.tower.arrays.items())


def test_two_threads_play_and_learn_at_once(tmp_path):
    run = train(tmp_path / "two", 2, threads=2)
    row = RunFolder(tmp_path / "two").rows()[-1]
    assert row["generation"] == run.kept == 2
    assert row["passes"] <= run.settings.passes + 0.5
    assert 0 < row["cached"] < 1
    assert row["games"] > 0
    assert np.isfinite([row[f"loss_{name}"] for name in ("policy", "result", "score")]).all()


def test_it_learns(tmp_path):
    run = train(tmp_path / "learns", 12, generations=12, seed=1, rate=5e-3)
    rows = RunFolder(tmp_path / "learns").rows()
    assert rows[-1]["loss_policy"] < 0.9 * rows[0]["loss_policy"]
    assert rows[-1]["loss_result"] < rows[0]["loss_result"]
    assert run.net.training["positions"] == run.rows.total


def test_a_net_that_is_begun_with_plays_first(tmp_path):
    first = train(tmp_path / "first", 2)
    path = first.folder.net_path()
    second = learner(tmp_path / "second", start=str(path))
    inputs = torch.from_numpy(first._positions())
    with torch.no_grad():
        a, b = (run.trainer.average.eval()(inputs).policy for run in (first, second))
    assert torch.allclose(a, b, atol=1e-3)


def test_a_loss_that_is_no_number_stops_the_run_and_names_the_last_good_net(tmp_path, monkeypatch):
    run = train(tmp_path / "nan", 1)
    before = run.folder.net_path().read_bytes()
    step = run.trainer.step
    monkeypatch.setattr(run.trainer, "step", lambda *a: {k: v * np.nan for k, v in step(*a).items()})
    with pytest.raises(
        RunError, match=r"nan.* in generation 2; the net of generation 1 in .* is safe; try a smaller --rate"
    ):
        run.generation()
    assert run.folder.net_path().read_bytes() == before


def test_what_cannot_be_learned_is_refused_in_a_line(tmp_path):
    rules = tmp_path / "blind.py"
    text = load("tic-tac-toe").path.read_text(encoding="utf-8")
    rules.write_text(
        text.replace("def features(", "def unseen(").replace("FEATURES =", "UNSEEN =").replace("PLANES =", "NONE ="),
        encoding="utf-8",
    )
    with pytest.raises(GameError, match=r"blind.py has no features\(\)"):
        AlphaZeroLearner(load(str(rules)), AlphaZeroSettings(), RunFolder(tmp_path / "blind"))
    with pytest.raises(RunError, match="--simulations is 1, but a tree search needs at least 2"):
        AlphaZeroSettings(simulations=1)
    with pytest.raises(RunError, match="--trace is 1.5, but it must be 0 to 1"):
        AlphaZeroSettings(trace=1.5)
    with pytest.raises(RunError, match="give --minutes or --generations"):
        AlphaZeroSettings(minutes=0.0)
    with pytest.raises(RunError, match=r"holds a run of alphazero|holds a run with --seed 3, not 4"):
        train(tmp_path / "run", 1)
        learner(tmp_path / "run", seed=4)


def test_settings_by_the_game_follow_its_numbers():
    chosen, lines = derive(load("connect-four"), AlphaZeroSettings())
    assert (chosen.blocks, chosen.width, chosen.simulations, chosen.quick) == (3, 64, 64, 16)
    assert "64 simulations (a position has 7 moves)" in lines[0]
    small, _ = derive(load("tic-tac-toe"), AlphaZeroSettings())
    assert (small.blocks, small.width) == (2, 32)
    given, lines = derive(load("connect-four"), AlphaZeroSettings(blocks=1, simulations=10))
    assert (given.blocks, given.simulations, given.quick) == (1, 10, 2)
    assert "blocks" not in lines[0]


def test_a_run_goes_on_with_the_net_it_began_with_whatever_its_minutes_are_now(tmp_path):
    by_game = {**TINY, "blocks": 0, "width": 0, "engine": "numpy"}
    game = load("connect-four")
    first = AlphaZeroLearner(game, AlphaZeroSettings(**by_game, minutes=5.0), RunFolder(tmp_path), 1)
    first.finish(first.generation())
    assert first.trainer.module.shape.width == 32
    longer = AlphaZeroLearner(game, AlphaZeroSettings(**by_game, minutes=30.0), RunFolder(tmp_path), 1)
    assert (longer.number, longer.trainer.module.shape) == (1, first.trainer.module.shape)
    assert all((longer.tower.arrays[n] == a).all() for n, a in first.tower.arrays.items())


def test_heads_that_only_help_learning_are_learned_and_not_kept(tmp_path):
    run = train(tmp_path, 1, reply=True, left=True)
    row = RunFolder(tmp_path).rows()[-1]
    assert row["loss_reply"] > 0 and row["loss_left"] > 0
    assert not [name for name in run.net.arrays if "reply" in name or "left" in name]
