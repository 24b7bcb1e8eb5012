"""The curves of PPO and of cloning show the rows of a run."""

import pytest
from matplotlib.figure import Figure

from sparring.app import clone_curves, curves, ppo_curves


def measured(score):
    return {"score": score, "low": score - 0.05, "high": score + 0.05, "games": 400}


def clone_row(number, **more):
    losses = {"loss": 0.5, "loss_policy": 0.4, "held_loss": 0.44 / number, "held_result": 0.6, "held_score": 0.3}
    return {
        "generation": number, "stage": "clone", "epoch": number, "accuracy": 0.8, "minutes": 1.0, "seconds": 2.0,
        **losses, **more,
    }  # fmt: skip


def ppo_row(number, **more):
    said = {"loss_policy": 0.01, "loss_value": 0.3, "loss_result": 0.5, "entropy": 0.25, "kl": 0.003, "clipped": 0.1}
    counts = {"games": 64 * number, "decisions": 5000 * number, "games_per_second": 20.0, "plies": 150.0 + number}
    scores = {"score_teacher_train": 0.5, "score_pool": None, "promotions": 1}
    return {
        "generation": 2 + number,
        "stage": "ppo",
        "iteration": number,
        "seconds": 3.0,
        **said,
        **counts,
        **scores,
    } | more


CONFIG = {
    "learner": "ppo",
    "game": "light_cycles",
    "settings": {"seed": 1, "discount": 0.995, "trace": 0.95, "clip": 0.2, "teacher": "", "recording": ""},
}
CLONED = [clone_row(1, decisions=4000, held_decisions=400), clone_row(2, teacher_greedy=measured(0.5))]
PLAYED = [
    ppo_row(1),
    ppo_row(2, teacher_greedy=measured(0.6), match_alphabeta=measured(0.4), score_pool=0.55),
    ppo_row(3, gate={"promoted": True}),
]


def lines_of(panel):
    lines = [line for line in panel.lines if not line.get_label().startswith("_") and len(line.get_xdata())]
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in lines}


@pytest.mark.parametrize(
    ("learner", "rows"),
    [
        ("ppo", CLONED + PLAYED),
        ("ppo", CLONED),
        ("ppo", PLAYED[:1]),
        ("clone", CLONED),
        ("clone", CLONED[:1]),
    ],
    ids=["whole run", "cloning so far", "an iteration", "clone", "a pass"],
)
def test_any_run_is_drawn(learner, rows):
    assert curves.draw({**CONFIG, "learner": learner}, rows)[:4] == b"\x89PNG"


def test_strength_stands_at_the_games_played_and_the_clone_at_none():
    panel = Figure().subplots()
    ppo_curves.draw_strength(panel, CLONED + PLAYED)
    teacher, alphabeta = panel.containers
    assert [c.get_label() for c in panel.containers] == ["teacher", "alpha-beta"]
    assert list(teacher[0].get_xdata()) == [0, 128] and list(teacher[0].get_ydata()) == pytest.approx([50, 60])
    assert [tuple(end) for end in alphabeta[2][0].get_segments()[0]] == [
        (128, pytest.approx(35)),
        (128, pytest.approx(45)),
    ]
    (marks,) = [line for line in panel.lines if line.get_gid() == ppo_curves.CHAMPIONS]
    assert list(marks.get_xdata()) == [192] and panel.get_title(loc="left").endswith("(▲: new champion)")


def test_scores_that_an_iteration_has_not_are_left_out():
    panel = Figure().subplots()
    ppo_curves.draw_training(panel, PLAYED)
    assert lines_of(panel) == {"teacher": ([64, 128, 192], [50] * 3), "pool": ([0, 128], [pytest.approx(55)] * 2)}


def test_panels_of_cloning_have_passes_as_their_x_and_the_others_games():
    rows = CLONED + PLAYED
    drawing = ppo_curves.panels(rows, ("a", "b"))
    panels = Figure().subplots(len(drawing))
    for panel, draw in zip(panels, drawing, strict=True):
        draw(panel)
        ppo_curves.frame(panel, rows)
    assert [panel.get_xlabel() for panel in panels] == ["games of self-play"] * 6 + ["passes over the recording"] * 2
    assert panels[0].get_xlim() == (0, 192) and panels[6].get_xlim() == (0, 2)
    assert lines_of(panels[7])["moves, held out"] == ([1, 2], [0.44, 0.22])


def test_the_heading_tells_what_was_played_or_learned_from():
    assert curves.title(CONFIG, PLAYED, ppo_curves.NAME) == "Light cycles: 5 generations of PPO self-play"
    assert curves.title(CONFIG, CLONED, clone_curves.NAME) == "Light cycles: 2 generations of cloning"
    said = curves.subtitle(CONFIG, CLONED + PLAYED, ppo_curves.settings)
    assert (
        "192 games, 15,000 decisions  ·  1 promotion  ·  γ = 0.995, λ = 0.95, clip 0.2  ·  seed 1  ·  13 s on" in said
    )
    said = curves.subtitle(CONFIG, CLONED, clone_curves.settings)
    assert "from the first bot  ·  4,000 decisions  ·  2 passes  ·  seed 1" in said
