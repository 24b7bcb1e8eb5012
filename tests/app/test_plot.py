"""`sparring plot`: the PNG and TensorBoard's log show the rows of a run."""

import json
import struct
import subprocess
import sys

import pytest
from matplotlib.figure import Figure

from sparring.app import alphazero_curves, curves, dice_curves, plotting, td_curves
from sparring.app.cli import main

CONFIG = {
    "game": "tigers_and_sheep",
    "settings": {"games": 500, "depth": 3, "hidden": [64, 32], "head": "tanh", "trace": 0.7, "seed": 1},
    "machine": {"processor": "a processor", "cores": 2},
    "began": "2024-01-02 03:04:05",
}


def row_of(generation, **more):
    misses = {f"miss_{side}_{when}": 0.5 / generation for side in ("first", "second") for when in ("before", "after")}
    counts = {"wins_first": 6, "wins_second": 3, "draws": 1, "positions": 1000 * generation, "plies": 30.5}
    seconds = {"seconds_play": 1.0, "seconds_train": 0.5, "seconds": 1.75}
    return {"generation": generation, "loss": 0.1, **counts, **misses, **seconds, **more}


def match(score):
    return {"score": score, "low": score - 0.1, "high": score + 0.1, "games": 100, "opponent": "alphabeta:depth=3"}


AZ_CONFIG = {
    "learner": "alphazero",
    "game": "connect_four",
    "players": ["X", "O"],
    "settings": {"minutes": 1.0, "blocks": 0, "width": 0, "simulations": 32, "seed": 1},
}


def az_row(generation, **more):
    speeds = {"positions_per_second": 900.0, "evaluations_per_second": 30000.0, "cached": 0.4}
    losses = {"loss_policy": 1.8, "loss_result": 1.0, "loss_score": 0.02}
    ends = {
        "wins_first": 6,
        "wins_second": 3,
        "draws": 1,
        "plies": 23.5,
        "games": 500,
        "positions": 9000,
        "seconds": 9.0,
    }
    return {"generation": generation, "minutes": generation / 6, **speeds, **losses, **ends, **more}


DICE_CONFIG = {
    "learner": "dice",
    "game": "backgammon",
    "players": ["white", "black"],
    "settings": {"hidden": [80], "activation": "leaky", "trace": 0.7, "seed": 1},
}


def dice_row(generation, **more):
    shares = {"won_first": 0.5, "results_1": 0.6, "results_2": 0.3, "results_3": 0.1}
    counts = {"games": 250 * generation, "positions": 9000 * generation, "turns": 50.0 + generation, "cut_off": 0}
    speeds = {"games_per_second": 100.0, "seconds_play": 1.5, "seconds": 2.5, "rate": 0.002}
    return {"generation": generation, "minutes": generation / 24, "loss": 1.0, **shares, **counts, **speeds, **more}


def in_points(points):
    return {**match(0.6), "points": points, "points_low": points - 0.2, "points_high": points + 0.2}


DICE_ROWS = [dice_row(1), dice_row(2, match_pubeval=in_points(0.3), match_random=in_points(2.0)), dice_row(3)]
TRUTH = {"net_ideal": 0.6, "net_sound": 0.8, "search_ideal": 0.7, "search_sound": 0.9, "value_error": 0.3}
AZ_ROWS = [az_row(1), az_row(2, **TRUTH, match_random=match(0.9)), az_row(3, loss_reply=1.7)]
ROWS = [row_of(1), row_of(2, match_yardstick=match(0.4), match_earlier=match(0.7)), row_of(3)]


@pytest.fixture
def run_folder(tmp_path):
    """Writes a run's folder with these rows."""

    def write(rows, config=CONFIG):
        folder = tmp_path / "run"
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return folder

    return write


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png[-8:-4] == b"IEND", "the file is whole"
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize("count", [3, 1], ids=["three rows", "one row"])
@pytest.mark.parametrize(
    ("config", "rows"),
    [(CONFIG, ROWS), (AZ_CONFIG, AZ_ROWS), (DICE_CONFIG, DICE_ROWS)],
    ids=["td", "alphazero", "dice"],
)
def test_the_curves_are_written_beside_the_rows_and_named_on_stdout(run_folder, config, rows, count, capsys):
    folder = run_folder(rows[:count], config)
    assert main(["plot", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder / 'curves.png'}\n"
    width, height = size_of((folder / "curves.png").read_bytes())
    assert width > height > 600


def test_the_picture_goes_where_it_is_asked_for(run_folder, tmp_path):
    assert main(["plot", str(run_folder(ROWS)), "--out", str(tmp_path / "there" / "a.png")]) == 0
    size_of((tmp_path / "there" / "a.png").read_bytes())


def test_shares_of_wins_add_up_to_all_games():
    panel = Figure().subplots()
    td_curves.draw_wins(panel, ROWS, ("tigers", "sheep"))
    tops = [max(y for _, y in area.get_paths()[0].vertices) for area in panel.collections]
    assert tops == pytest.approx([60, 70, 100])
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["tigers", "draws", "sheep"]


def test_matches_stand_at_their_generation_with_their_interval():
    panel = Figure().subplots()
    plotting.draw_scores(panel, "generation", ROWS, td_curves.MATCHES)
    points, _, (bars,) = panel.containers[0]
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([2], [pytest.approx(40)])
    assert [tuple(end) for end in bars.get_segments()[0]] == [(2, pytest.approx(30)), (2, pytest.approx(50))]


def test_a_run_without_matches_says_so():
    panel = Figure().subplots()
    plotting.draw_scores(panel, "generation", ROWS[:1], td_curves.MATCHES)
    assert [text.get_text() for text in panel.texts] == ["no matches played"]


def test_the_players_are_named_as_the_run_says():
    assert curves.players({**CONFIG, "players": ["white", "black"]}) == ("white", "black")
    assert curves.players({"game": "an_older_run"}) == ("first", "second")


def lines_of(panel):
    """What a panel's curves show, by their names."""
    lines = [line for line in panel.lines if not line.get_label().startswith("_") and len(line.get_xdata())]
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in lines}


def test_alphazeros_curves_are_drawn_by_the_minutes_of_the_run():
    panel = Figure().subplots()
    alphazero_curves.draw_losses(panel, AZ_ROWS)
    alphazero_curves.frame(panel, AZ_ROWS)
    assert lines_of(panel) == {
        "policy": ([1 / 6, 2 / 6, 3 / 6], [1.8] * 3),
        "result": ([1 / 6, 2 / 6, 3 / 6], [1.0] * 3),
    }, "a loss that not every row has is left out"
    assert panel.get_xlim() == (0, 0.5)


def test_the_truth_stands_where_it_was_measured():
    panels = Figure().subplots(2)
    alphazero_curves.draw_truth(panels[0], AZ_ROWS)
    alphazero_curves.draw_errors(panels[1], AZ_ROWS)
    assert lines_of(panels[0])["net: ideal"] == ([2 / 6], [pytest.approx(60)])
    assert lines_of(panels[0])["search: sound"] == ([2 / 6], [pytest.approx(90)])
    assert lines_of(panels[1])["net: blunders"] == ([2 / 6], [pytest.approx(20)])
    assert lines_of(panels[1])["class of the result"] == ([2 / 6], [pytest.approx(30)])


def test_without_a_truth_there_are_no_panels_for_it():
    counts = [len(alphazero_curves.panels(rows, ("X", "O"))) for rows in (AZ_ROWS, AZ_ROWS[:1])]
    assert counts == [6, 4]


def test_points_a_game_stand_at_the_games_played_with_their_interval():
    panel = Figure().subplots()
    dice_curves.draw_points(panel, DICE_ROWS)
    dice_curves.frame(panel, DICE_ROWS)
    assert [c.get_label() for c in panel.containers] == ["random", "pubeval"]
    points, _, (bars,) = panel.containers[1]
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([500], [0.3])
    assert [tuple(end) for end in bars.get_segments()[0]] == [(500, pytest.approx(0.1)), (500, pytest.approx(0.5))]
    assert panel.get_xlim() == (0, 750)


def test_shares_of_results_by_size_add_up_to_all_games():
    panel = Figure().subplots()
    dice_curves.draw_sizes(panel, DICE_ROWS)
    tops = [max(y for _, y in area.get_paths()[0].vertices) for area in panel.collections]
    assert tops == pytest.approx([60, 90, 100])
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["1 point", "2 points", "3 points"]


def test_of_many_generations_neighbours_are_drawn_as_their_mean():
    rows = [dice_row(number, match_random=in_points(1.0)) for number in range(1, 11)]
    few = dice_curves.thinned(rows, 4)
    assert [row["games"] for row in few] == [750, 1500, 2250, 2500]
    assert [row["turns"] for row in few] == [52, 55, 58, 60]
    assert dice_curves.thinned(rows, 10) == [{k: v for k, v in row.items() if k != "match_random"} for row in rows]


def test_panels_of_matches_and_of_points_are_there_where_there_are_any():
    single = [{k: v for k, v in row.items() if not k.startswith("results_")} for row in DICE_ROWS]
    single = [{**row, "results_1": 1.0} for row in single]
    scored = [{**single[0], "match_random": match(0.9)}, *single[2:]]
    counts = [len(dice_curves.panels(rows, ("a", "b"))) for rows in (DICE_ROWS, DICE_ROWS[:1], scored, single[:1])]
    assert counts == [6, 4, 4, 3]


def test_places_without_a_panel_stay_empty():
    drawn = []
    plotting.sheet("title", "below", [drawn.append] * 3)
    empty = drawn[0].figure.axes[3]
    assert len(drawn) == 3
    assert not empty.axison


def test_a_learner_without_curves_is_one_clear_line(run_folder, capsys):
    assert main(["plot", str(run_folder(ROWS, {**CONFIG, "learner": "idler"}))]) == 1
    assert "runs of idler have no curves" in capsys.readouterr().err.splitlines()[-1]


def test_the_heading_tells_game_length_and_settings():
    assert curves.title(CONFIG, ROWS, td_curves.NAME) == "Tigers and sheep: 3 generations of TD(λ) self-play"
    assert curves.title(AZ_CONFIG, AZ_ROWS[:1], alphazero_curves.NAME).endswith(": 1 generation of AlphaZero self-play")
    said = curves.subtitle(CONFIG, ROWS, td_curves.settings)
    assert "500 games a generation, 3 plies deep  ·  hidden layers 64-32, tanh head  ·  λ = 0.7  ·  seed 1" in said
    said = curves.subtitle(DICE_CONFIG, DICE_ROWS, dice_curves.settings)
    assert "750 games, 27,000 positions  ·  hidden layers 80, leaky  ·  λ = 0.7  ·  seed 1  ·  8 s on an" in said
    said = curves.subtitle(AZ_CONFIG, AZ_ROWS, alphazero_curves.settings)
    assert "500 games, 9,000 positions  ·  32 simulations  ·  seed 1  ·  27 s on an unknown machine" in said


def test_tensorboard_reads_back_every_number(run_folder):
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    folder = run_folder(ROWS)
    assert main(["plot", str(folder)]) == 0
    events = list(loader.LegacyEventFileLoader(str(folder / "tensorboard" / curves.LOG)).Load())
    read = [(e.step, {v.tag: v.simple_value for v in e.summary.value}) for e in events if e.summary.value]
    assert [step for step, _ in read] == [1, 2, 3]
    assert read[0][1]["loss"] == pytest.approx(0.1)
    assert read[2][1]["miss/first_before"] == pytest.approx(0.5 / 3)
    assert read[1][1]["match/yardstick_score"] == pytest.approx(0.4)
    assert len(read[0][1]) == len(ROWS[0]) - 1, "every number but the generation, which is the step"
    assert events[2].wall_time - events[1].wall_time == pytest.approx(1.75)


def test_tensorboards_log_is_rewritten_whole(run_folder):
    pytest.importorskip("tensorboard")
    for rows in (ROWS[:2], ROWS):
        folder = run_folder(rows)
        assert main(["plot", str(folder)]) == 0
    assert [file.name for file in (folder / "tensorboard").iterdir()] == [curves.LOG]
    assert (folder / "tensorboard" / curves.LOG).read_bytes() == curves.tensorboard_log(CONFIG, ROWS)


def test_without_tensorboard_the_curves_are_drawn_all_the_same(run_folder, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    folder = run_folder(ROWS)
    assert main(["plot", str(folder)]) == 0
    assert (folder / "curves.png").exists()
    assert not (folder / "tensorboard").exists()
    assert "TensorBoard" not in capsys.readouterr().err


def test_drawing_leaves_matplotlibs_global_state_alone():
    code = "import sys; from sparring.app import curves; assert 'matplotlib.pyplot' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_run_without_rows_is_one_clear_line(run_folder, capsys):
    assert main(["plot", str(run_folder([]))]) == 1
    assert "has no rows yet" in capsys.readouterr().err.splitlines()[-1]


def test_a_folder_that_is_no_run_is_one_clear_line(tmp_path, capsys):
    assert main(["plot", str(tmp_path)]) == 1
    assert "is no training run" in capsys.readouterr().err.splitlines()[-1]


def test_only_a_png_is_written(run_folder, capsys):
    assert main(["plot", str(run_folder(ROWS)), "--out", "curves.pdf"]) == 1
    assert "--out is 'curves.pdf', but the picture is a PNG" in capsys.readouterr().err
