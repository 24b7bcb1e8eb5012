"""Cloning: a small net learns a teacher's moves, stops when it foresees no more, and goes on exactly."""

import math

import numpy as np
import pytest
import torch

from sparring.errors import RunError
from sparring.learn import clone
from sparring.learn.clone import Cloning, Lessons, ended
from sparring.nets.tower import Shape
from sparring.nets.tower_module import Outputs, TowerModule, losses

SHAPE = Shape(3, 1, 4, 4, 2, blocks=1, width=8, policy=2, value=2, hidden=8)  # plane 2 tells what is legal
STATE = np.dtype([("seen", "f4", (12,))])


def look(states):
    return states["seen"]


def lawful(states):
    return states["seen"][:, 8:] > 0


def lessons(n, seed=1, noise=0.0, **more):
    """A teacher that takes the legal move whose number in plane 0 is largest, but for a share `noise` of its moves."""
    random = np.random.default_rng(seed)
    states = np.zeros(n, STATE)
    states["seen"][:, :8] = random.normal(size=(n, 8))
    legal = random.random((n, 4)) < 0.7
    legal[np.arange(n), random.integers(4, size=n)] = True
    states["seen"][:, 8:] = legal
    moves = np.where(legal, states["seen"][:, :4], -np.inf).argmax(1)
    loose = np.flatnonzero(random.random(n) < noise)
    moves[loose] = [random.choice(np.flatnonzero(legal[i])) for i in loose]
    results = (states["seen"][:, 4] > 0).astype(np.int64)
    return Lessons(states, moves, results, look, lawful, **more)


def cloning(train=None, held=None, **how):
    how = {"rate": 0.02, "batch": 64, "epochs": 6, **how}
    return Cloning(TowerModule(SHAPE, 3), train or lessons(1500), held or lessons(400, 2), **how)


def test_a_net_learns_the_moves_and_the_ends_of_games():
    run = cloning()
    before = run.measure()
    said = [run.epoch() for _ in range(6)]
    assert before["accuracy"] < 0.7 and said[-1]["accuracy"] > 0.9
    assert said[-1]["held_loss"] < 0.3 < before["held_loss"]
    assert said[-1]["held_result"] < 0.3 < before["held_result"]
    assert said[-1]["held_score"] < 0.3 < before["held_score"]
    assert said[-1]["loss"] < said[0]["loss"]
    assert [row["epoch"] for row in said] == [1, 2, 3, 4, 5, 6] and run.done


def test_the_held_out_figures_are_those_of_the_averaged_net_over_all_rows(monkeypatch):
    """Whatever the chunks in which it is asked."""
    run = cloning()
    run.epoch()
    held, module = run.held, run.trainer.average
    with torch.no_grad():
        said = module(torch.from_numpy(held.inputs).reshape(-1, 3, 1, 4))
    legal, moves = torch.from_numpy(lawful(held.states)), torch.from_numpy(held.moves)
    logits = said.policy.masked_fill(~legal, -1e9)
    monkeypatch.setattr(clone, "CHUNK", 150)
    found = run.measure()
    assert found["accuracy"] == pytest.approx((logits.argmax(1) == moves).float().mean().item())
    assert found["held_loss"] == pytest.approx(torch.nn.functional.cross_entropy(logits, moves).item(), rel=1e-5)


def test_targets_are_the_move_among_the_legal_ones_and_the_end():
    some = lessons(3)
    some.results[:] = (0, 1, -1)
    wanted = some.targets(np.array([0, 1, 2]), 2)
    assert wanted.policy.argmax(1).tolist() == some.moves.tolist() and wanted.policy.sum(1).tolist() == [1, 1, 1]
    assert wanted.results.tolist() == [[1, 0], [0, 1], [0, 0]], "a game that was cut off teaches no result"
    assert wanted.score.tolist() == [-1, 1, 0]
    assert np.array_equal(wanted.legal.numpy(), lawful(some.states))


def test_an_untrained_net_finds_the_legal_moves_equally_likely():
    some = lessons(200)
    wanted = some.targets(slice(0, 200), 2)
    said = Outputs(torch.zeros(200, 4), torch.zeros(200, 2), torch.zeros(200))
    assert losses(said, wanted)["policy"].item() == pytest.approx(np.log(lawful(some.states).sum(1)).mean(), rel=1e-5)
    assert losses(said, wanted)["result"].item() == pytest.approx(math.log(2), rel=1e-5)


def test_scores_may_be_told():
    told = np.array([0.25, -0.5, 1.0])
    assert lessons(3, scores=told).targets(slice(0, 3), 2).score.tolist() == told.tolist()


def test_inputs_are_kept_where_they_are_small_and_made_anew_where_not(monkeypatch):
    kept = lessons(100)
    monkeypatch.setattr(clone, "MOST_KEPT", 100)
    large = lessons(100)
    assert kept.inputs is not None and large.inputs is None
    rows = np.array([5, 99, 5])
    assert np.array_equal(kept.seen(rows), large.seen(rows)) and len(kept) == len(large) == 100


# --- the end ---------------------------------------------------------------------------------------------------------


def test_cloning_ends_when_held_out_moves_are_foreseen_no_better_and_the_best_weights_come_back():
    run = cloning(lessons(60, noise=0.5), lessons(300, 2, noise=0.5), epochs=100, patience=4, rate=0.05, batch=16)
    found = []
    while not run.done:
        found.append(run.epoch()["held_loss"])
    best = int(np.argmin(found))
    assert len(found) == best + 1 + 4 < 100
    assert run.measure()["held_loss"] > found[best]
    run.trainer.average = run.best()
    assert run.measure()["held_loss"] == pytest.approx(found[best], rel=1e-6)


@pytest.mark.parametrize(("number", "best", "over"), [(0, 0, False), (7, 5, False), (8, 5, True), (20, 20, True)])
def test_it_is_over_after_all_passes_or_some_that_were_no_better(number, best, over):
    assert ended(number, best, epochs=20, patience=3) is over


def test_asking_for_the_best_does_not_disturb_training():
    one, other = cloning(), cloning()
    for run in (one, other):
        run.epoch()
    with torch.no_grad():
        one.best().policy.weight.zero_()
    assert one.epoch() == other.epoch()


def test_a_run_goes_on_from_its_state_as_if_nothing_had_been():
    one = cloning()
    one.epoch()
    kept = one.state()
    other = cloning()
    other.restore(kept)
    assert one.epoch() == other.epoch()
    a, b = one.state(), other.state()
    assert a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


# --- faults ----------------------------------------------------------------------------------------------------------


def test_an_empty_recording_is_refused():
    with pytest.raises(RunError, match="holds no decision to learn from"):
        lessons(0)


@pytest.mark.parametrize("move", [2, 4, -1])
def test_a_teacher_that_makes_an_illegal_move_is_refused_with_it(move):
    states = np.zeros(7, STATE)
    states["seen"][:, 8:] = (1, 1, 0, 1)
    moves = np.array([0, 1, 3, 0, 1, move, 0])
    with pytest.raises(RunError, match=f"decision 5 .* is move {move}, which is illegal there \\(legal: 0, 1, 3\\)"):
        Lessons(states, moves, np.zeros(7, np.int64), look, lawful)


def test_a_loss_that_is_no_number_stops_at_its_step_and_the_best_is_unharmed():
    run = cloning()
    run.epoch()
    steps = run.trainer.steps
    run.train.inputs[np.random.default_rng([1, clone.SHUFFLING, 2]).permutation(1500)[70]] = (
        np.nan
    )  # in the second batch
    with pytest.raises(RunError, match=f"the loss became nan at step {steps + 2}, in pass 2"):
        run.epoch()
    assert all(torch.isfinite(p).all() for p in run.best().parameters())
