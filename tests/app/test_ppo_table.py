"""How runs of cloning and PPO are shown: two kinds of rows, measurements, warnings, the matches that are due."""

import pathlib
from types import SimpleNamespace

import pytest

from sparring.app.ppo_table import CloneTable, PpoTable
from sparring.games.game import load
from sparring.learn.ppo_settings import CloneSettings, PpoSettings
from sparring.learn.run import RunFolder
from sparring.nets.weights import Net


def measured(score):
    return {"score": score, "low": score - 0.05, "high": score + 0.05, "games": 400}


def clone_row(number, **more):
    losses = {"loss_policy": 0.5, "held_loss": 0.44, "accuracy": 0.912, "held_result": 0.6, "held_score": 0.3}
    return {"generation": number, "stage": "clone", "epoch": number, "minutes": number / 20, **losses, **more}


def ppo_row(number, **more):
    numbers = {"games": 64 * number, "games_per_second": 21.5, "entropy": 0.25, "kl": 0.0031, "plies": 166.4}
    scores = {"score_teacher_train": 0.551, "score_pool": None, "promotions": 2}
    return {
        "generation": 3 + number, "stage": "ppo", "iteration": number, "minutes": 1 + number / 20, **numbers, **scores,
        **more,
    }  # fmt: skip


@pytest.fixture
def table():
    return PpoTable(PpoSettings(minutes=6, match_every=2, match_games=20))


@pytest.fixture
def learner(tmp_path):
    import numpy as np

    folder = RunFolder(tmp_path)
    net = Net("connect_four", 1, "tanh", ((np.zeros((84, 1), np.float32), np.zeros(1, np.float32)),))
    share = SimpleNamespace(done=0.0)
    return SimpleNamespace(
        game=load("connect-four"), folder=folder, number=7, net=net, share=share, done=lambda: share.done
    )


def under(line, header, column, occurrence=0):
    """The last word of a line that ends where a column's name ends."""
    end = -1
    for _ in range(occurrence + 1):
        end = header.index(column, end + 1)
    return line[: end + len(column)].split()[-1]


def test_numbers_stand_below_their_names(table, learner):
    row = ppo_row(
        12, teacher_greedy=measured(0.623), teacher_sampled=measured(0.601), clone_greedy=measured(0.65),
        clone_sampled=measured(0.64), match_alphabeta=measured(0.4),
    )  # fmt: skip
    assert table.shows(row)
    header = table.header(learner)[-1]
    line = table.line(learner, row)
    wanted = {"min": "1.6", "iter": "12", "games": "768", "second": "21.5", "entropy": "0.250", "kl": "0.00310"}
    wanted |= {"plies": "166", "teach": "55.1", "beta": "40.0", "champion": "2"}
    assert {name: under(line, header, name) for name in wanted} == wanted
    assert [under(line, header, "greedy", i) for i in (0, 1)] == ["62.3", "65.0"]
    assert [under(line, header, "sample", i) for i in (0, 1)] == ["60.1", "64.0"]


def test_the_numbers_of_a_pass_stand_below_theirs(learner):
    table = CloneTable(CloneSettings())
    row = clone_row(3)
    header, line = table.header(learner)[-1], table.line(learner, row)
    wanted = {
        "pass": "3",
        "record": "0.500",
        "moves": "0.440",
        "right, %": "91.2",
        "results": "0.600",
        "score": "0.300",
    }
    assert {name: under(line, header, name) for name in wanted} == wanted


def test_where_the_stage_changes_the_other_header_comes_first(table, learner):
    first, second = clone_row(4, teacher_greedy=measured(0.5)), ppo_row(1)
    shown = []
    for row in (first, second):
        table.shows(row)
        if not shown:
            shown += table.header(learner)
        shown += table.line(learner, row).splitlines()
    assert ["pass" in line for line in shown] == [False, True, False, False, False, False, False]
    assert shown[3] == "      the clone: 50.0 % (45.0 to 55.0) against teacher, greedy"
    assert "iter" in shown[5] and len(shown) == 7


def test_iterations_are_shown_every_ten_seconds_or_when_there_is_something_to_tell(table):
    assert table.shows(ppo_row(1))
    assert not table.shows(ppo_row(2))
    assert table.shows(ppo_row(3, teacher_greedy=measured(0.5)))
    assert table.shows(ppo_row(4, gate={"screen": {"points": 40, "games": 64}, "promoted": True}))
    assert not table.shows(ppo_row(5, gate={"screen": {"points": 20, "games": 64}, "promoted": False}))
    assert table.shows(ppo_row(8))


def test_a_new_champion_is_announced_with_the_scores_that_made_it_one(table, learner):
    gate = {"screen": {"points": 37, "games": 64}, "confirm": {"points": 222.5, "games": 400}, "promoted": True}
    table.shows(ppo_row(4, gate=gate))
    table.header(learner)
    line = table.line(learner, ppo_row(4, gate=gate)).splitlines()[1]
    assert line.strip() == "a new champion: 57.8 % of 64 games of the screen, 55.6 % of 400 of the confirmation"
    table.shows(ppo_row(5, gate={**gate, "promoted": False}))
    assert "\n" not in table.line(learner, ppo_row(5, gate={**gate, "promoted": False}))


def test_a_warning_stands_below_the_row_it_is_about(table, learner):
    for row in (ppo_row(1, teacher_greedy=measured(0.7)), ppo_row(2, teacher_greedy=measured(0.5))):
        learner.folder.add_row(row)
        table.shows(row)
        table.header(learner)
        lines = table.line(learner, row).splitlines()
    assert len(lines) == 2 and lines[1].strip().startswith("drift: 50.0 % against the teacher after 70.0 % at 64 games")


# --- matches ---------------------------------------------------------------------------------------------------------


def test_the_champion_meets_alphabeta_by_the_clock_and_at_the_end(table, learner):
    assert table.trials(learner, clone_row(1)) == []
    assert table.trials(learner, ppo_row(1)) == []
    (trial,) = table.trials(learner, ppo_row(25))
    assert (trial.name, trial.opponent, trial.games) == ("match_alphabeta", "alphabeta:depth=3", 20)
    assert trial.player == f"policy:net={learner.folder.net_path(7)}" and learner.folder.net_path(7).exists()
    assert trial.opening == 4, "connect four always begins alike"
    assert table.trials(learner, ppo_row(26)) == []
    learner.share.done = 1.0
    assert len(table.trials(learner, ppo_row(27))) == 1


def test_games_that_begin_at_random_need_no_random_moves_first(table, learner):
    learner.game = SimpleNamespace(defines=lambda name: name == "deal")
    assert table.trials(learner, ppo_row(60))[0].opening == 0
    other = PpoTable(PpoSettings(opening=2, match_every=2))
    assert other.trials(learner, ppo_row(60))[0].opening == 2


def test_matches_that_are_not_wanted_are_not_played(learner):
    learner.share.done = 1.0
    assert PpoTable(PpoSettings(match_every=0)).trials(learner, ppo_row(60)) == []


# --- beginning and end -----------------------------------------------------------------------------------------------


def test_a_run_says_what_will_happen(table):
    out = pathlib.Path("L")
    assert table.begins("light-cycles", 2, out)[0] == (
        "Training light-cycles by cloning of its first bot and PPO self-play on 2 threads for 6 minutes."
    )
    alone = PpoTable(PpoSettings(minutes=0, iterations=9, clone=False)).begins("light-cycles", 1, out)
    assert alone[0] == "Training light-cycles by PPO self-play on 1 threads for 9 iterations."
    settings = CloneSettings(teacher="floodfill", recorded=50, clone_epochs=20)
    cloning = CloneTable(settings).begins("light-cycles", 1, out)
    assert cloning[0].startswith("Cloning light-cycles from 50 games of floodfill: at most 20 passes")
    assert all("kept in L" in lines[1] for lines in (alone, cloning))


def test_the_end_is_the_learners_to_tell(table, learner):
    learner.share.done = 0.25
    assert table.gone(learner, {}, 0.0) == 0.25


def test_the_opponent_for_a_person_is_the_newest_net_alone(table, learner):
    assert table.opponent(learner) == f"policy:net={learner.folder.net_path()}"
