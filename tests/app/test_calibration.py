"""`sparring calibration`: a table for each question, what to think of it, JSON and a picture."""

import json

import numpy as np
import pytest

from sparring.app import calibration_plot
from sparring.app.cli import main
from sparring.arena.calibration import Bin, Calibration, Question
from sparring.nets import weights
from sparring.nets.weights import Net


@pytest.fixture
def net(tmp_path):
    """A net for Pig that holds at once and says who is ahead."""
    see = np.array([[3.0], [-3.0], [2.4], [-2.4]], np.float32)
    layers = ((np.hstack([-see, see]), np.zeros(2, np.float32)), (np.eye(2, dtype=np.float32), np.zeros(2, np.float32)))
    path = tmp_path / "pig.safetensors"
    weights.save(Net("pig", 1, "results", layers, {}, "leaky"), path)
    return path


@pytest.fixture
def ask(capsys):
    """Runs the command; returns exit code, stdout and stderr."""

    def run(line):
        code = main(["calibration", *line.split()])
        return code, *capsys.readouterr()

    return run


@pytest.mark.compiled
def test_people_see_ten_rows_their_mean_and_a_verdict(ask, net, tmp_path):
    code, shown, notes = ask(f"pig {net} --games 60 --threads 1 --out {tmp_path / 'a.png'}")
    top, _, head, *rows, _, largest, told = shown.splitlines()
    assert code == 0
    assert "positions of 60 games" in top
    assert head.split() == ["to", "win,", "%", "positions", "foreseen", "came", "gap", "±"]
    assert [row.split()[0] for row in rows] == [*map(str, range(1, 11)), "all"]
    for row in rows:
        _, positions, foreseen, came, gap, _ = row.split()
        assert float(gap) == pytest.approx(float(came) - float(foreseen), abs=0.11)
        assert int(positions.replace(",", "")) > 0
    assert largest.startswith("Largest gap: ")
    assert "of 10 gaps are not within 2 points of percent" in told
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert notes.splitlines()[-1] == f"Drawn in {tmp_path / 'a.png'}"


@pytest.mark.compiled
def test_json_holds_every_bin_as_shares_of_one(ask, net):
    code, shown, _ = ask(f"pig {net} --games 30 --seed 2 --json")
    found = json.loads(shown)
    assert code == 0
    assert (found["game"], found["net"], found["seed"], found["games"]) == ("pig", str(net), 2, 30)
    (asked,) = found["questions"]
    assert (asked["name"], asked["chance"], len(asked["bins"])) == ("win", True, 10)
    assert sum(own["positions"] for own in asked["bins"]) == asked["all"]["positions"] == found["positions"]
    worst = asked["bins"][found["largest"]["bin"] - 1]
    assert abs(worst["gap"]) == max(abs(own["gap"]) for own in asked["bins"])
    assert worst["gap"] == pytest.approx(worst["observed"] - worst["predicted"])
    assert found["beyond_tolerance"] == sum(abs(own["gap"]) > 0.02 for own in asked["bins"])


def test_the_picture_shows_what_came_over_what_was_foreseen():
    from matplotlib.figure import Figure

    panels = Figure().subplots(2)
    bins = (Bin(500, 400, 0.1, 0.2, 0.01), Bin(500, 400, 0.3, 0.25, 0.02))
    question = Question("win by 2", np.zeros((2, 2)))
    calibration_plot.draw_bins(panels[0], Calibration(question, bins, bins[0]))
    points, _, (bars,) = panels[0].containers[0]
    assert list(points.get_xdata()) == [10, 30]
    assert list(points.get_ydata()) == [20, 25]
    assert bars.get_segments()[0][:, 1] == pytest.approx([20 - 1.966, 20 + 1.966], abs=0.01)
    assert panels[0].get_title("left") == "To win by 2"
    alone = (Bin(5, 1, -1.5, 2, float("inf")),)
    calibration_plot.draw_bins(
        panels[1], Calibration(Question("points a game", question.worths, False), alone, alone[0])
    )
    assert panels[1].get_title("left") == "Points a game"
    assert panels[1].get_xlim()[0] < -1.5 < 2 < panels[1].get_xlim()[1]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("pig NET --games 1", "--games is 1, --seed 1; they must be at least 2 and 0"),
        ("pig NET --out a.pdf", "--out is 'a.pdf', but the picture is a PNG: give a name that ends in .png"),
        ("tic-tac-toe NET", "tic_tac_toe has no dice"),
        ("backgammon NET", "was trained for pig, not for backgammon"),
        ("pig", "no net for pig comes with the package"),
        ("pig nothing.safetensors", "nothing.safetensors"),
    ],
)
def test_a_fault_is_one_line(ask, net, line, says):
    code, shown, notes = ask(line.replace("NET", str(net)))
    assert (code, shown) == (1, "")
    assert says in notes.splitlines()[-1]
