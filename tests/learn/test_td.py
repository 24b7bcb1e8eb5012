"""A run: the same net for the same seed, whatever the threads, kills and damaged files."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from sparring.errors import GameError, RunError, WeightsError
from sparring.games.game import load
from sparring.learn import run as run_module
from sparring.learn.run import RunFolder
from sparring.learn.td import TdLearner
from sparring.learn.td_settings import TdSettings
from sparring.nets import storage, weights
from sparring.rng import seeded
from sparring.search import judging
from sparring.search.searcher import Limits, Searcher

SMALL = {"games": 20, "depth": 2, "opening": 2, "hidden": (8, 4), "batch": 32, "window": 3, "seed": 7}
TIMES = ("seconds", "seconds_play", "seconds_train")


def learner(path, threads=1, game="tic_tac_toe", start="", **changes):
    return TdLearner(load(game), TdSettings(**{**SMALL, **changes}), RunFolder(path), threads, start)


def train(path, generations, **how):
    one = learner(path, **how)
    while one.number < generations:
        one.finish(one.generation())
    return one


def rows(path):
    return [{k: v for k, v in r.items() if k not in TIMES} for r in RunFolder(path).rows()]


def test_the_same_seed_gives_the_same_bytes_of_weights_for_one_and_two_threads(tmp_path):
    one = train(tmp_path / "a", 3, threads=1).net
    two = train(tmp_path / "b", 3, threads=2).net
    assert weights.to_safetensors(one) == weights.to_safetensors(two)
    assert rows(tmp_path / "a") == rows(tmp_path / "b")
    assert train(tmp_path / "c", 3, seed=8).net.digest != one.digest


def test_a_run_that_was_resumed_equals_one_that_was_not(tmp_path):
    whole = train(tmp_path / "whole", 6)
    train(tmp_path / "parts", 2)
    train(tmp_path / "parts", 5)
    parts = train(tmp_path / "parts", 6)
    assert weights.to_safetensors(parts.net) == weights.to_safetensors(whole.net)
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")
    assert parts.window[-1].targets.tolist() == whole.window[-1].targets.tolist()


@pytest.mark.compiled
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path):
    whole = train(tmp_path / "whole", 12)
    code = (
        "from sparring.games.game import load\nfrom sparring.learn.run import RunFolder\n"
        "from sparring.learn.td import TdLearner\nfrom sparring.learn.td_settings import TdSettings\n"
        f"one = TdLearner(load('tic_tac_toe'), TdSettings(**{SMALL!r}), RunFolder({str(tmp_path / 'killed')!r}), 2)\n"
        "while one.number < 12:\n    one.finish(one.generation())\n"
    )
    metrics = tmp_path / "killed" / "metrics.jsonl"
    for least in (2, 5):  # killed twice, wherever it happens to be
        child = subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ))
        deadline = time.monotonic() + 120
        while child.poll() is None and time.monotonic() < deadline:
            if metrics.exists() and len(metrics.read_text().splitlines()) >= least:
                break
            time.sleep(0.001)
        child.send_signal(signal.SIGKILL)
        child.wait()
    resumed = train(tmp_path / "killed", 12, threads=2)
    assert weights.to_safetensors(resumed.net) == weights.to_safetensors(whole.net)
    assert rows(tmp_path / "killed") == rows(tmp_path / "whole")
    leftovers = [p for p in (tmp_path / "killed").rglob(".*") if p.is_file()]
    assert len(leftovers) <= 2, "at most the file that each kill interrupted"


@pytest.mark.parametrize("part", ["checkpoints", "buffer"])
@pytest.mark.parametrize("damage", ["cut", "flip", "gone"])
def test_a_damaged_checkpoint_is_passed_over_for_the_one_before_and_said(tmp_path, part, damage):
    whole = train(tmp_path / "a", 5)
    newest = max((tmp_path / "a" / part).glob("*.safetensors"))
    data = bytearray(newest.read_bytes())
    if damage == "gone":
        newest.unlink()
    else:
        data[-5] ^= 1
        newest.write_bytes(data[: len(data) // 2] if damage == "cut" else data)
    again = learner(tmp_path / "a")
    assert again.number == 4
    if (part, damage) != ("checkpoints", "gone"):
        (note,) = again.folder.notes
        assert str(newest) in note
        assert note.endswith("going back to the checkpoint before it")
    again.finish(again.generation())
    assert again.net.digest == whole.net.digest


def test_a_run_without_a_whole_checkpoint_is_refused_rather_than_begun_anew(tmp_path):
    train(tmp_path / "a", 2)
    for file in (tmp_path / "a" / "checkpoints").iterdir():
        file.write_bytes(b"nothing")
    with pytest.raises(RunError, match="no checkpoint is whole"):
        learner(tmp_path / "a")


def test_a_folder_of_other_settings_is_refused_with_both_values(tmp_path):
    train(tmp_path / "a", 1)
    with pytest.raises(
        RunError, match=r"holds a run with --depth 2, not 3; continue it with its own settings or give --out"
    ):
        learner(tmp_path / "a", depth=3)
    with pytest.raises(RunError, match="game 'tic_tac_toe', not 'connect_four'"):
        learner(tmp_path / "a", game="connect_four")
    assert learner(tmp_path / "a", generations=77).number == 1, "more generations are welcome"


def test_a_folder_that_is_no_run_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(RunError, match="is there and is no training run"):
        learner(tmp_path / "mine")
    with pytest.raises(RunError, match="it has no config.json"):
        RunFolder(tmp_path / "nowhere").config()


def test_the_folder_says_what_made_it(tmp_path):
    train(tmp_path / "a", 1)
    config = RunFolder(tmp_path / "a").config()
    assert config["settings"]["seed"] == 7
    assert {"version", "commit", "machine", "began", "game", "features"} <= set(config)
    net = weights.load(tmp_path / "a" / "nets" / "latest.safetensors")
    assert net.training["generation"] == 1
    assert net.training["settings"]["depth"] == 2


def test_a_run_starts_from_given_weights(tmp_path):
    first = train(tmp_path / "a", 2)
    start = str(tmp_path / "a" / "nets" / "latest.safetensors")
    again = learner(tmp_path / "b", start=start)
    assert again.net.digest == first.net.digest
    with pytest.raises(WeightsError, match="was trained for tic_tac_toe, not for connect_four"):
        learner(tmp_path / "c", game="connect_four", start=start)


def test_a_full_disk_stops_the_run_in_one_line_and_loses_no_generation(tmp_path, monkeypatch):
    one = train(tmp_path / "a", 2)

    def full(path, data):
        raise OSError(28, "No space left on device")

    row = one.generation()
    monkeypatch.setattr(run_module.storage, "write_whole", full)
    with pytest.raises(RunError, match=r"cannot write in .*: No space left on device; what was finished is safe"):
        one.finish(row)
    monkeypatch.undo()
    assert train(tmp_path / "a", 4).net.digest == train(tmp_path / "b", 4).net.digest
    assert [r["generation"] for r in rows(tmp_path / "a")] == [1, 2, 3, 4]


def test_a_row_that_was_cut_short_is_written_again(tmp_path):
    train(tmp_path / "a", 3)
    metrics = tmp_path / "a" / "metrics.jsonl"
    metrics.write_text(metrics.read_text()[:-9])
    train(tmp_path / "a", 4)
    assert [json.loads(line)["generation"] for line in metrics.read_text().splitlines()][-1] == 4


def test_files_of_the_past_do_not_pile_up(tmp_path):
    train(tmp_path / "a", 12, save_every=5)
    assert len(list((tmp_path / "a" / "checkpoints").iterdir())) == run_module.KEPT_CHECKPOINTS
    assert len(list((tmp_path / "a" / "buffer").iterdir())) == SMALL["window"] + run_module.KEPT_CHECKPOINTS
    names = sorted(p.name for p in (tmp_path / "a" / "nets").iterdir())
    assert names == ["gen-000000.safetensors", "gen-000005.safetensors", "gen-000010.safetensors", "latest.safetensors"]


@pytest.mark.compiled
def test_a_net_learns_who_wins_at_tic_tac_toe(tmp_path):
    one = train(tmp_path / "a", 12, games=100, hidden=(32, 16), batch=64, rate=3e-3)
    game, walk = one.game, one.game.bind("games.walk")
    solver = Searcher(game, judging.by_nothing(game))
    judge = Searcher(game, judging.by_net(game, one.net))
    moves, chances, rng = np.zeros(9, np.int32), np.zeros(9), seeded(5)
    right = decided = 0
    for i in range(200):
        state = game.states(1)[0]
        walk.random_plies(state, 1 + i % 5, moves, chances, rng)
        if game.legal_moves(state) and (truth := solver.think(state, Limits(depth=9)).lines[0].value):
            decided += 1
            right += np.sign(judge.think(state, Limits(depth=1), quiescence=False).lines[0].value) == truth
    assert decided > 80
    assert right / decided > 0.75


def test_games_that_cannot_be_learned_say_why(tmp_path):
    with pytest.raises(GameError, match="pig has dice"):
        learner(tmp_path / "a", game="pig")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "--games is 0, but it must be 1 to 1000000"),
        ({"depth": -1}, "--depth is -1, but it must be 1 to 99"),
        ({"explore": 1.5}, "--explore is 1.5, but it must be 0 to 1"),
        ({"match_games": 7}, "--match-games is 7, but matches are played in pairs: an even number"),
        ({"hidden": ()}, "--hidden is (), but it must be one or more layers of 1 to 4096 units"),
    ],
)
def test_settings_out_of_range_name_the_option_and_the_range(changes, message):
    with pytest.raises(RunError) as fault:
        TdSettings(**changes)
    assert str(fault.value) == message


def test_a_file_that_is_written_is_whole_or_absent(tmp_path, monkeypatch):
    target = tmp_path / "net"
    storage.write_whole(target, b"old")

    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="Input/output"):
        storage.write_whole(target, b"new" * 1000)
    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["net"]


def test_a_run_whose_positions_were_laid_out_otherwise_is_refused(tmp_path):
    train(tmp_path / "a", 1)
    file = tmp_path / "a" / "config.json"
    config = json.loads(file.read_text())
    file.write_text(json.dumps({**config, "state": "[('board', '|i1', (16,))]"}))
    with pytest.raises(RunError, match="holds a run with state"):
        learner(tmp_path / "a")


def test_a_setting_that_an_older_run_does_not_name_has_its_usual_value(tmp_path):
    train(tmp_path / "a", 1)
    file = tmp_path / "a" / "config.json"
    config = json.loads(file.read_text())
    del config["settings"]["discount"]
    file.write_text(json.dumps(config))
    assert learner(tmp_path / "a").number == 1
    with pytest.raises(RunError, match="holds a run with --discount 1.0, not 0.9"):
        learner(tmp_path / "a", discount=0.9)


def test_rules_that_changed_since_the_run_began_are_said(tmp_path):
    train(tmp_path / "a", 1)
    file = tmp_path / "a" / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "rules": "another"}))
    (note,) = learner(tmp_path / "a").folder.notes
    assert note == "tic_tac_toe.py has changed since this run began; its older games had the old rules"


def distance(a, b):
    return sum(float(np.abs(x - y).sum()) for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True))


def test_without_averaging_the_net_that_plays_is_the_one_that_learns(tmp_path):
    one = train(tmp_path / "a", 2, average=0.0)
    assert distance(one.trainer.averaged.layers(), one.trainer.model.layers()) == 0


def test_an_average_follows_a_young_net_closely_and_an_old_one_slowly(tmp_path):
    one = learner(tmp_path / "a", average=0.999)
    start = one.trainer.model.layers()
    one.finish(one.generation())
    moved, averaged = one.trainer.model.layers(), one.trainer.averaged.layers()
    lag, way = distance(averaged, moved), distance(start, moved)
    assert 0 < lag < way / 2, "a handful of steps is not averaged away"
    again = learner(tmp_path / "a", average=0.999)
    assert distance(again.trainer.averaged.layers(), one.trainer.averaged.layers()) == 0
    assert distance(again.trainer.model.layers(), one.trainer.model.layers()) == 0
