"""A run over whole turns: it learns, gives the same net for the same seed, and goes on where it stopped."""

import json

import numpy as np
import pytest

from sparring.errors import GameError, RunError
from sparring.games.game import load
from sparring.learn.batches import without_points
from sparring.learn.dice import DiceLearner
from sparring.learn.dice_settings import DiceSettings
from sparring.learn.run import RunFolder
from sparring.nets import weights

pytestmark = pytest.mark.compiled  # hundreds of games
TIMES = ("seconds", "seconds_play", "minutes", "games_per_second")


def learner(path, threads=1, game="pig", **changes):
    usual = {"minutes": 0.0, "games": 100, "batch_games": 20, "hidden": (8,), "seed": 7}
    return DiceLearner(load(game), DiceSettings(**{**usual, **changes}), RunFolder(path), threads)


def train(path, generations, **how):
    one = learner(path, **how)
    while one.number < generations:
        one.finish(one.generation())
    return one


def rows(path):
    return [{k: v for k, v in r.items() if k not in TIMES} for r in RunFolder(path).rows()]


@pytest.fixture(params=[False, True], ids=["batches", "online"])
def online(request) -> bool:
    return request.param


def test_the_same_seed_gives_the_same_net_for_one_and_two_threads(tmp_path, online):
    one, two = (train(tmp_path / str(n), 3, threads=n, online=online) for n in (1, 2))
    assert one.net.digest == two.net.digest
    assert rows(tmp_path / "1") == rows(tmp_path / "2")
    assert train(tmp_path / "c", 3, seed=8, online=online).net.digest != one.net.digest


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(tmp_path, online):
    whole = train(tmp_path / "whole", 4, online=online)
    train(tmp_path / "parts", 2, online=online)
    parts = train(tmp_path / "parts", 4, online=online)
    assert parts.net.digest == whole.net.digest
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")


def test_a_damaged_checkpoint_is_passed_over_with_a_note(tmp_path):
    wanted = train(tmp_path, 3).net.digest
    newest = max((tmp_path / "checkpoints").glob("*.safetensors"))
    newest.write_bytes(newest.read_bytes()[:100])
    again = learner(tmp_path)
    assert again.number == 2
    assert "going back to the checkpoint before it" in again.folder.notes[0]
    again.finish(again.generation())
    assert again.net.digest == wanted


@pytest.mark.parametrize("how", [{"rate": 1e-2}, {"online": True, "online_rate": 0.1}])
def test_it_learns_what_is_worth_having(tmp_path, how):
    """With 90 points against 10 one is nearly sure to win; a net that has seen nothing knows nothing of it."""
    game = load("pig")
    learned = train(tmp_path, 40, games=2000, batch_games=50, **how).net

    def chance(net, own, other):
        return float(np.diff(soft(net.outputs(np.array([[own, other, 0.1, 0.0]], np.float32))))[0, 0])

    assert chance(learned, 0.9, 0.1) > 0.5
    assert chance(learned, 0.1, 0.9) < -0.4
    assert learned.training["games"] == 2000
    weights.check_fits(learned, game)


def soft(x):
    return np.exp(x) / np.exp(x).sum(1, keepdims=True)


def test_settings_are_kept_with_the_run_and_bad_ones_are_named(tmp_path):
    train(tmp_path, 1)
    assert json.loads((tmp_path / "config.json").read_text())["learner"] == "dice"
    with pytest.raises(RunError, match=r"--hidden \[8\], not \[16\]"):
        learner(tmp_path, hidden=(16,))
    with pytest.raises(RunError, match="--trace is 1.5, but it must be 0 to 1"):
        DiceSettings(trace=1.5)
    with pytest.raises(RunError, match="give --minutes or --games, so that the run has an end"):
        DiceSettings(minutes=0)


def test_a_game_needs_features(tmp_path):
    bare = tmp_path / "bare.py"
    text = load("pig").path.read_text(encoding="utf-8")
    bare.write_text(text.replace("FEATURES = 4", "FEATURES = 0").replace("def features", "def unused"), "utf-8")
    with pytest.raises(GameError, match=r"bare.py has no features\(\), which say what a net sees"):
        DiceLearner(load(str(bare)), DiceSettings(), RunFolder(tmp_path / "run"), 1)


def test_a_setting_of_the_other_way_of_learning_is_refused():
    with pytest.raises(
        RunError, match="--rate is of learning in batches, --online has none; its step is --online-rate"
    ):
        DiceSettings(online=True, rate=1e-3)
    with pytest.raises(RunError, match="--epochs is of learning in batches, --online has none$"):
        DiceSettings(online=True, epochs=1)
    with pytest.raises(RunError, match="--online-rate is of learning after every turn; add --online"):
        DiceSettings(online_rate=0.5)


def test_each_way_of_learning_has_a_step_size_of_its_own():
    assert DiceSettings().highest_rate == 2e-3
    assert DiceSettings(online=True).highest_rate == 0.03
    assert DiceSettings(online=True, activation="sigmoid").highest_rate == 0.1
    assert DiceSettings(online=True, online_rate=0.5).highest_rate == 0.5


def test_a_net_that_sees_fewer_inputs_does_not_weigh_the_others(tmp_path, online):
    net = train(tmp_path, 2, inputs=3, online=online).net
    assert net.layers[0][0][:3].all()
    assert not net.layers[0][0][3:].any()
    with pytest.raises(RunError, match="--inputs is 5, but pig has 4"):
        learner(tmp_path / "more", inputs=5)


def test_without_points_only_win_and_loss_are_learned():
    targets = np.array([[0.1, 0.2, 0.3, 0.05, 0.15, 0.2]], np.float32)
    np.testing.assert_allclose(without_points(load("backgammon"), targets), [[0, 0, 0.6, 0.4, 0, 0]], atol=1e-6)
    assert without_points(load("backgammon"), targets).dtype == np.float32
