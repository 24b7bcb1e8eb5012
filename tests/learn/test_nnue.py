"""A run: the same net for the same seed, kills and damaged files, its closing part, and learning from files."""

import itertools

import numpy as np
import pytest

from sparring.errors import GameError, RunError, WeightsError
from sparring.games.game import load
from sparring.learn import nnue_source, nnue_training
from sparring.learn.nnue import NnueLearner, shape_of
from sparring.learn.nnue_rows import empty_rows
from sparring.learn.nnue_settings import NnueSettings, planned
from sparring.learn.nnue_source import Window
from sparring.learn.run import RunFolder
from sparring.nets import weights
from sparring.nets.nnue import Nnue

SMALL = {
    "minutes": 0.0, "generations": 5, "closing": 0.4, "positions": 24, "nodes": (4,), "opening": (1, 2),
    "hidden": 16, "batch": 16, "passes": 2.0, "held": 0.3, "seed": 7,
}  # fmt: skip
TIMES = ("seconds", "seconds_play", "seconds_train", "minutes")


def learner(path, threads=1, game="tic_tac_toe", start="", **changes):
    return NnueLearner(load(game), NnueSettings(**{**SMALL, **changes}), RunFolder(path), threads, start)


def train(path, generations=5, **how):
    one = learner(path, **how)
    try:
        while one.number < generations:
            one.finish(one.generation())
    finally:
        one.close()
    return one


def rows(path):
    found = RunFolder(path).rows()
    return [{k: v for k, v in r.items() if k not in TIMES and not k.endswith("per_second")} for r in found]


def bytes_of(one):
    """The net as a file, but for the minutes that it took."""
    net = one.net
    return weights.to_safetensors(Nnue(net.game, net.features, net.shape, net.arrays))


def test_a_run_that_was_resumed_equals_one_that_was_not(tmp_path):
    whole = train(tmp_path / "whole")
    train(tmp_path / "parts", 1)
    train(tmp_path / "parts", 4)
    parts = train(tmp_path / "parts")
    assert bytes_of(parts) == bytes_of(whole)
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")
    assert bytes_of(train(tmp_path / "other", seed=8)) != bytes_of(whole)


def test_games_held_out_are_others_than_those_learned_from(tmp_path):
    one = train(tmp_path / "a", 2)
    assert 0.1 < len(one.source.held) / len(one.source.rows) < 0.9
    new = rows(tmp_path / "a")[-1]
    assert new["held"] == len(one.source.held)
    assert new["positions"] == len(one.source.rows) == new["window"]


def test_in_the_closing_part_nothing_is_played_and_the_learning_rate_falls(tmp_path, monkeypatch):
    monkeypatch.setattr(nnue_training, "WARM_UP", 1)
    train(tmp_path / "a")
    found = rows(tmp_path / "a")
    assert ["new" in row for row in found] == [True, True, True, False, False]
    assert found[-1]["rate"] < found[-2]["rate"] == found[0]["rate"]
    assert found[-1]["positions"] == found[-3]["positions"]
    assert all(row["trained"] > before["trained"] for before, row in itertools.pairwise(found))


def test_the_closing_part_begins_a_new_net_unless_one_was_given_to_go_on_from(tmp_path):
    first = train(tmp_path / "a")
    steps = [row["steps"] for row in rows(tmp_path / "a")]
    assert steps[2] > steps[1] > steps[0]
    assert steps[4] > steps[3] == rows(tmp_path / "a")[3]["trained"] // 16 - steps[2]
    train(tmp_path / "b", start=str(first.folder.net_path()))
    assert (steps := [row["steps"] for row in rows(tmp_path / "b")]) == sorted(steps)


@pytest.mark.parametrize("part", ["checkpoints", "buffer"])
def test_a_damaged_checkpoint_is_passed_over_for_the_one_before_and_said(tmp_path, part):
    whole = train(tmp_path / "a", 3)
    newest = max((tmp_path / "a" / part).glob("*.safetensors"))
    newest.write_bytes(newest.read_bytes()[:-5])
    again = learner(tmp_path / "a")
    assert again.number == 2
    assert [str(newest) in note for note in again.folder.notes] == [True]
    again.finish(again.generation())
    again.close()
    assert bytes_of(again) == bytes_of(whole)


def test_a_run_without_a_whole_checkpoint_is_refused_rather_than_begun_anew(tmp_path):
    train(tmp_path / "a", 1)
    for file in (tmp_path / "a" / "checkpoints").iterdir():
        file.write_bytes(b"nothing")
    with pytest.raises(RunError, match="no checkpoint is whole"):
        learner(tmp_path / "a")


def test_a_folder_of_other_settings_is_refused_with_both_values(tmp_path):
    train(tmp_path / "a", 1)
    with pytest.raises(RunError, match=r"holds a run with --alpha \[0.1\], not \[0.5\]"):
        learner(tmp_path / "a", alpha=(0.5,))


def test_training_goes_on_from_a_net_of_an_earlier_run(tmp_path):
    before = train(tmp_path / "a", 1).net
    file = str(RunFolder(tmp_path / "a").net_path())
    after = learner(tmp_path / "b", start=file, hidden=32)
    after.close()
    assert after.net.digest == before.digest
    for game, said in (("connect_four", "was trained for tic_tac_toe, not for connect_four"),):
        with pytest.raises(WeightsError, match=said):
            learner(tmp_path / "c", start=file, game=game)


def test_dice_are_refused_and_told_who_learns_them(tmp_path):
    with pytest.raises(GameError, match="pig has dice, which alpha-beta cannot search; train it with --learner dice"):
        learner(tmp_path / "a", game="pig")


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(monkeypatch):
    """The rules file reads files: `a` has 60 positions, `b` 40, each telled by its score."""
    game = load("tic_tac_toe")

    def read_data(path):
        n, first = {"a": (60, 0), "b": (40, 100), "one": (1, 0)}[path.name]
        found, random = empty_rows(game, n), np.random.default_rng(n)
        for row in found:
            state = game.states(1)[0]
            for move in random.permutation(9)[: random.integers(0, 4)]:
                game.play(state, int(move))
            game.pack(state, row["packed"])
        found["score"], found["result"] = np.arange(first, first + n), random.integers(0, 3, n)
        return found

    monkeypatch.setattr(game.module, "read_data", read_data, raising=False)


def test_the_last_positions_of_each_file_are_held_out_and_the_rest_is_learned_from(files, tmp_path):
    one = learner(tmp_path / "a", data=("a", "b"), held=0.1)
    one.close()
    assert one.source.held["score"].tolist() == [*range(54, 60), *range(136, 140)]
    assert one.source.rows["score"].tolist() == [*range(54), *range(100, 136)]


def test_learning_from_files_plays_nothing_goes_on_where_it_was_and_slows_down_from_the_beginning(files, tmp_path):
    whole = train(tmp_path / "whole", data=("a", "b"))
    train(tmp_path / "parts", 2, data=("a", "b"))
    parts = train(tmp_path / "parts", data=("a", "b"))
    assert bytes_of(parts) == bytes_of(whole)
    found = rows(tmp_path / "whole")
    assert not any("new" in row for row in found)
    assert [row["trained"] for row in found] == [16, 32, 48, 64, 80], "as many whole batches as `positions` has"
    assert not (tmp_path / "whole" / "buffer").exists()


def test_files_with_too_few_positions_are_named(files, tmp_path):
    with pytest.raises(RunError, match="^one: 1 positions are too few to learn from and to measure by$"):
        learner(tmp_path / "a", data=("one",))


# --- the window ------------------------------------------------------------------------------------------------------


def test_the_window_lets_go_of_the_oldest_generations_once_there_is_enough(monkeypatch):
    monkeypatch.setattr(nnue_source, "LEAST", 50)
    game = load("tic_tac_toe")
    window = Window(game, most=100)
    sizes = []
    for generation in range(1, 9):
        new = empty_rows(game, 30)
        new["score"] = generation
        window.add(generation, new, new[:3])
        sizes.append((len(window.rows), len(window.held), int(window.rows["score"].min())))
    assert sizes == [(30, 3, 1), (30, 3, 2), (30, 3, 3), (60, 6, 3), (90, 9, 3), (90, 9, 4), (90, 9, 5), (90, 9, 6)]


# --- the shape -------------------------------------------------------------------------------------------------------


def test_the_shape_is_what_the_settings_ask_for(monkeypatch):
    game = load("chess")
    wanted = NnueSettings(hidden=64, layers=(16, 32), block_sparse=True, phases=8, head="scalar", frames="two")
    monkeypatch.setattr(game.module, "FRAMINGS", {"two": ((0, 1) * 32, (0, 7) * 32)}, raising=False)
    shape = shape_of(game, planned(wanted))
    assert (shape.hidden, shape.layers, shape.block_sparse, shape.outputs) == (64, (16, 32), True, 1)
    assert (shape.input_buckets, shape.output_buckets, shape.flips) == (2, 8, (0, 7) * 32)
    with pytest.raises(GameError, match="chess.py has no framing 'three' in FRAMINGS. It has: two"):
        shape_of(game, planned(NnueSettings(frames="three")))
