"""The pool of earlier selves: who stays, who is drawn, and what is on disk."""

import dataclasses
import json

import numpy as np
import pytest

from sparring.errors import RunError, WeightsError
from sparring.learn.pool import Pool, Snapshot
from sparring.nets.tower import Shape, Tower
from sparring.nets.weights import Net


def tower(value=0.0, width=4, game="tic_tac_toe"):
    shape = Shape(2, 3, 3, 9, 3, blocks=1, width=width, policy=1, value=1, hidden=2)
    return Tower(game, 1, shape, {name: np.full(size, value, np.float32) for name, size in shape.arrays.items()})


def perceptron():
    return Net("tic_tac_toe", 1, "results", ((np.zeros((18, 3), np.float32), np.zeros(3, np.float32)),))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "pool"


def grown(folder, count, **how):
    pool = Pool(folder, tower(), **how)
    for number in range(count):
        pool.add(tower(number), 5 * number)
    return pool


def numbers(pool):
    return [int(name.removeprefix("iteration-")) // 5 for name in pool.names]


def test_the_first_snapshot_stays_and_the_oldest_of_the_rest_leaves(folder):
    assert numbers(grown(folder, 4, most=4)) == [0, 1, 2, 3]
    assert numbers(grown(folder.with_name("b"), 7, most=4)) == [0, 4, 5, 6]


def test_a_pool_of_one_keeps_the_first(folder):
    assert numbers(grown(folder, 3, most=1)) == [0]


def test_a_queue_of_recent_selves_keeps_only_the_newest(folder):
    assert numbers(grown(folder, 7, recent=3)) == [4, 5, 6]


@pytest.mark.parametrize(
    ("points", "games", "weight"),
    [(0, 0, 0.25 + 0.02), (6, 6, 0.2**2 + 0.02), (0, 6, 0.8**2 + 0.02), (3.5, 8, (1 - 5.5 / 12) ** 2 + 0.02)],
)
def test_a_snapshot_weighs_more_the_more_often_it_wins(points, games, weight):
    assert Snapshot("one", points, games).weight == pytest.approx(weight)


def test_snapshots_are_drawn_by_their_weights(folder):
    pool = grown(folder, 3)
    first, second, third = pool.names
    pool.note(first, 96, 96)
    pool.note(second, 0, 50)
    pool.note(second, 4, 46)
    drawn = pool.draw(np.random.default_rng(1), 20_000)
    weights = np.array([0.02**2 + 0.02, 0.94**2 + 0.02, 0.25 + 0.02])
    shares = [drawn.count(name) / len(drawn) for name in (first, second, third)]
    assert shares == pytest.approx(weights / weights.sum(), abs=0.012)


def test_a_queue_is_drawn_from_evenly(folder):
    pool = grown(folder, 5, recent=4)
    pool.note(pool.names[0], 0, 100)
    drawn = pool.draw(np.random.default_rng(2), 20_000)
    assert [drawn.count(name) / len(drawn) for name in pool.names] == pytest.approx([0.25] * 4, abs=0.012)


def test_the_same_generator_draws_the_same(folder):
    pool = grown(folder, 6)
    assert pool.draw(np.random.default_rng(3), 8) == pool.draw(np.random.default_rng(3), 8)


def test_nothing_is_drawn_from_an_empty_pool(folder):
    assert Pool(folder, tower()).draw(np.random.default_rng(1), 4) == []


def test_a_pool_is_found_again_with_its_nets_and_scores(folder):
    pool = grown(folder, 5, most=3)
    pool.note(pool.names[1], 1.5, 4)
    pool.save()
    again = Pool(folder, tower(9.0), most=3)
    assert again.snapshots == pool.snapshots
    assert [float(again.net(name).arrays["policy.bias"][0]) for name in again.names] == [0, 3, 4]
    assert json.loads((folder / "pool.json").read_text())["snapshots"][1] == {
        "name": "iteration-000015",
        "points": 1.5,
        "games": 4,
    }


def test_a_folder_of_nets_without_a_table_is_a_pool_that_nobody_has_played(folder):
    grown(folder, 2)
    (folder / "pool.json").unlink()
    assert Pool(folder, tower()).snapshots == [Snapshot("iteration-000000"), Snapshot("iteration-000005")]


def test_games_against_one_that_has_left_are_forgotten(folder):
    pool = grown(folder, 4, most=2)
    pool.note("iteration-000005", 1, 1)
    assert all(s.games == 0 for s in pool.snapshots)


def test_a_pool_goes_back_to_a_checkpoint_some_snapshots_ago(folder):
    """A resumed run may begin at an older checkpoint: what has left since is still on disk then."""
    pool = grown(folder, 5, most=3)
    pool.note(pool.names[0], 2, 3)
    kept, before = json.dumps(pool.state()), [dataclasses.replace(s) for s in pool.snapshots]
    for number in (5, 6, 7):
        pool.add(tower(number), 5 * number)
    again = Pool(folder, tower(), most=3)
    again.restore(json.loads(kept))
    assert again.snapshots == before and json.dumps(again.state()) == kept


def test_files_of_snapshots_long_gone_are_deleted(folder):
    grown(folder, 12, most=3)
    names = sorted(file.stem for file in folder.glob("*.safetensors"))
    assert [int(name.removeprefix("iteration-")) // 5 for name in names] == [0, 7, 8, 9, 10, 11]


def test_adding_an_iteration_again_replaces_it(folder):
    pool = grown(folder, 3)
    pool.add(tower(7.0), 10)
    assert numbers(pool) == [0, 1, 2]
    assert float(pool.net("iteration-000010").arrays["policy.bias"][0]) == 7.0


# --- faults ----------------------------------------------------------------------------------------------------------


def test_a_folder_of_another_shape_is_refused_with_file_and_shapes(folder):
    grown(folder, 1)
    with pytest.raises(RunError) as fault:
        Pool(folder, tower(width=8))
    said = str(fault.value)
    assert str(folder / "iteration-000000.safetensors") in said
    assert "stem.weight has shape [4, 3, 3, 3], but the learner's has [8, 3, 3, 3]" in said


def test_a_folder_of_another_kind_of_net_is_refused(folder):
    grown(folder, 1)
    with pytest.raises(RunError, match="is a Tower of 14 arrays, but the learner is a Net of 2"):
        Pool(folder, perceptron())


def test_a_folder_of_another_game_is_refused(folder):
    grown(folder, 1)
    with pytest.raises(RunError, match="is for version 1 of the inputs of tic_tac_toe, but the learner for .* of pig"):
        Pool(folder, tower(game="pig"))


def test_a_table_that_is_none_is_refused(folder):
    grown(folder, 1)
    (folder / "pool.json").write_text('{"snapshots": 3}')
    with pytest.raises(RunError, match="pool.json is no table of a pool"):
        Pool(folder, tower())


def test_a_folder_that_cannot_be_written_is_one_clear_line(folder):
    folder.write_text("in the way")
    with pytest.raises(RunError, match="cannot write in .*pool: .*; what was finished is safe"):
        grown(folder, 1)


def test_a_snapshot_that_is_missing_is_named(folder):
    grown(folder, 2)
    (folder / "iteration-000005.safetensors").unlink()
    with pytest.raises(WeightsError, match="iteration-000005"):
        Pool(folder, tower())
