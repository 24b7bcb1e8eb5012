"""Steps of training: they lead down, weights stay in their bounds, the course of a run, faults."""

import dataclasses
import math

import numpy as np
import pytest

from sparring.errors import RunError
from sparring.games.game import load
from sparring.learn.nnue_loader import Loader
from sparring.learn.nnue_measure import measured
from sparring.learn.nnue_rows import empty_rows
from sparring.learn.nnue_settings import NnueSettings, planned
from sparring.learn.nnue_training import WARM_UP, Course, NnueTrainer, train
from sparring.learn.pace import LAST
from sparring.nets.nnue import shape_for
from sparring.nets.nnue_module import NnueModule
from sparring.nets.nnue_quantised import CLIP, quantised

SETTINGS = NnueSettings(batch=32, rate=0.02, average=0.9, blend=(1.0,), nodes=(1,), hidden=32)


def lessons(game, n=200):
    """Positions of tic-tac-toe after two moves, which are won where the first move was in the middle, else lost."""
    rows, random = empty_rows(game, n), np.random.default_rng(2)
    for row in rows:
        state = game.states(1)[0]
        for move in random.permutation(9)[:2]:
            game.play(state, int(move))
        game.pack(state, row["packed"])
        row["result"] = 2 if state["board"][4] == 1 else 0
        row["score"] = 10_000 if row["result"] else -10_000
    return rows


def trained(settings=SETTINGS, steps=120, outputs=3, rows=None, done=lambda share: 0.5, spoilt=False):
    game = load("tic_tac_toe")
    rows = lessons(game) if rows is None else rows
    module = NnueModule(shape_for(game, 32, outputs=outputs), 1)
    trainer = NnueTrainer(module, settings, game)
    if spoilt:
        module.features_bias.data[0] = math.nan
    with Loader(game, module.shape) as loader:
        course = Course(planned(settings))
        lesson = train(trainer, loader, rows, (0, steps), (1,), course, done)
        found = measured(trainer.average, loader, rows, course.objective(1.0))
    return trainer, lesson, found


@pytest.mark.parametrize(
    ("outputs", "alpha", "blend"),
    [(3, (0.1,), (1.0,)), (3, (0.0,), (0.0,)), (3, (math.inf,), (0.5,)), (1, (0.1,), (0.5,))],
)
def test_a_net_learns_what_its_rows_say_with_every_head_and_weight(outputs, alpha, blend):
    settings = dataclasses.replace(SETTINGS, alpha=alpha, blend=blend, head="results" if outputs > 1 else "scalar")
    _, lesson, found = trained(settings, outputs=outputs)
    assert (lesson.steps, lesson.positions) == (120, 120 * 32)
    assert found["held_result"] < 0.02


def test_weights_never_leave_what_a_quantised_net_holds():
    trainer, _, _ = trained(dataclasses.replace(SETTINGS, rate=0.5, decay=0.0), steps=150)
    largest = max(
        float(p.detach().abs().max()) for p in (trainer.module.features, trainer.module.layer("output").weight)
    )
    assert largest == pytest.approx(CLIP)
    for module in (trainer.module, trainer.average):
        quantised(module.net(load("tic_tac_toe")))


def test_the_same_seed_gives_the_same_weights():
    one, other = (trained(steps=20)[0].state() for _ in range(2))
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_training_ends_where_it_is_told_to():
    calls = iter([0.1, 0.2, 0.3])
    _, lesson, _ = trained(done=lambda share: next(calls, None))
    assert lesson.steps == 3


def test_a_loss_that_is_no_number_ends_the_run_with_a_hint():
    with pytest.raises(RunError, match="^the loss became nan; try a smaller --rate in another folder$"):
        trained(spoilt=True, steps=2)


def test_fewer_rows_than_a_batch_are_a_batch():
    rows = lessons(load("tic_tac_toe"), 5)
    _, lesson, _ = trained(steps=3, rows=rows)
    assert lesson.positions == 15


def test_the_learning_rate_rises_stays_and_falls_in_the_closing_part():
    course = Course(planned(NnueSettings(rate=0.01)))
    course.closing_from = 0.8
    assert course.rate(0, 0.0) == pytest.approx(0.01 / WARM_UP)
    assert course.rate(WARM_UP, 0.0) == course.rate(10**6, 0.8) == 0.01
    falling = [course.rate(10**6, done) for done in (0.8, 0.85, 0.9, 0.95, 1.0)]
    assert falling == sorted(falling, reverse=True)
    assert falling[-1] == pytest.approx(0.01 * LAST)


def test_searches_grow_by_the_same_factor_and_the_share_of_the_result_falls_evenly():
    course = Course(planned(NnueSettings(nodes=(100, 10_000), blend=(1.0, 0.5), alpha=(0.2, 0.1))))
    assert [course.nodes(done) for done in (0, 0.5, 1)] == [100, 1000, 10_000]
    assert course.objective(0.5).blend == pytest.approx(0.75)
    assert course.objective(0.5).alpha == pytest.approx(0.15)


def test_where_none_was_asked_for_the_share_of_the_result_falls_with_the_positions_played():
    course = Course(planned(NnueSettings()))
    found = []
    for course.positions in (0, 150_000, 300_000, 10**8):
        found.append(course.objective(0.5).blend)
    np.testing.assert_allclose(found, [1.0, 0.575, 0.3625, 0.15])


def test_what_is_planned_grows_with_the_minutes_and_leaves_what_was_asked_for():
    short, long = planned(NnueSettings(minutes=4)), planned(NnueSettings(minutes=180))
    assert short.hidden <= long.hidden
    assert short.batch < long.batch == 16_384
    assert short.nodes[-1] < long.nodes[-1]
    asked = NnueSettings(minutes=4, hidden=64, batch=100, nodes=(7,), blend=(0.3,))
    assert planned(asked) == asked
    assert planned(NnueSettings(data=("x",))).blend == (0.75,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"minutes": -1}, "--minutes is -1, but it must be 0 to 1e+06"),
        ({"minutes": 0}, "--minutes and --generations are both 0, but one of them must end the run"),
        ({"held": 0.0}, "--held is 0, but it must be 1e-06 to 0.5"),
        ({"alpha": (0.1, -1.0)}, "--alpha has -1, but it must be 0 to inf"),
        ({"alpha": ()}, "--alpha has no number, but it must have one or more"),
        ({"alpha": (0.1, math.inf)}, "--alpha goes to or from inf, but it can only be inf all the time"),
        ({"alpha": (math.inf,), "head": "scalar"}, "--alpha is inf, but a scalar head tells no chances of results"),
        ({"blend": (2.0,)}, "--blend has 2, but it must be 0 to 1"),
        ({"opening": (5, 4)}, r"--opening is \(5, 4\), but it must be two numbers from 0 to 1000, ascending"),
        ({"match_games": 3}, "--match-games is 3, but matches are played in pairs: an even number"),
        ({"head": "tanh"}, "--head is 'tanh', but it must be results or scalar"),
    ],
)
def test_settings_that_make_no_sense_are_named_with_what_would_be_right(settings, message):
    with pytest.raises(RunError, match="^" + message.replace("+", r"\+")):
        NnueSettings(**settings)
