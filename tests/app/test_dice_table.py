"""How a run of the dice learner is shown: which yardsticks it is measured by, and how."""

import pathlib
from types import SimpleNamespace

import pytest

from sparring.app import dice_table
from sparring.app.dice_table import DiceTable
from sparring.games.game import load
from sparring.learn.dice_settings import DiceSettings
from sparring.learn.run import RunFolder

ROW = {
    "minutes": 1.0, "generation": 3, "games": 700, "games_per_second": 900.0, "turns": 50.0, "loss": 0.9,
    "won_first": 0.5, "results_1": 0.7, "results_2": 0.28, "results_3": 0.02,
}  # fmt: skip


@pytest.fixture
def table() -> DiceTable:
    return DiceTable(DiceSettings(minutes=5))


def learner_of(name: str, folder: pathlib.Path) -> SimpleNamespace:
    return SimpleNamespace(game=load(name), folder=RunFolder(folder), settings=DiceSettings(), number=3)


@pytest.mark.parametrize(
    ("name", "there", "columns"),
    [
        ("backgammon", True, ["random", "pubeval", "earlier"]),
        ("backgammon", False, ["random", "earlier"]),
        ("abak", True, ["random", "expert", "earlier"]),
        ("pig", True, ["random", "earlier"]),
    ],
)
def test_a_game_is_measured_by_the_yardsticks_that_play_it_and_are_installed(
    table, monkeypatch, tmp_path, name, there, columns
):
    monkeypatch.setattr(dice_table, "has_pubeval", lambda: there)
    learner = learner_of(name, tmp_path)
    assert table.header(learner)[1].split()[-len(columns) :] == columns
    assert ("points a game against" in table.header(learner)[0]) == (name != "pig")


def test_it_is_said_once_that_pubeval_is_missing_and_what_to_install(table, monkeypatch):
    monkeypatch.setattr(dice_table, "has_pubeval", lambda: False)
    assert (
        "pubeval, which is not installed: pip install gnubg-nn" in table.begins("backgammon", 2, pathlib.Path("B"))[2]
    )
    assert len(table.begins("abak", 2, pathlib.Path("B"))) == 2
    monkeypatch.setattr(dice_table, "has_pubeval", lambda: True)
    assert len(table.begins("backgammon", 2, pathlib.Path("B"))) == 2


def test_learning_after_every_turn_has_one_thread_and_says_so():
    online, batches = (DiceTable(DiceSettings(online=way)).begins("pig", 2, pathlib.Path("B"))[0] for way in (1, 0))
    assert "after every turn, games one after the other on one thread, for 15 minutes" in online
    assert "over whole turns on 2 threads for 15 minutes" in batches


def test_matches_stand_below_their_yardsticks_in_points_where_the_game_has_them(table, monkeypatch, tmp_path):
    monkeypatch.setattr(dice_table, "has_pubeval", lambda: True)
    learner = learner_of("backgammon", tmp_path)
    row = {**ROW, "match_random": {"score": 0.99, "points": 1.9}, "match_pubeval": {"score": 0.4, "points": -0.25}}
    above, line = table.header(learner)[1], table.line(learner, row)
    for name, told in (("random", "+1.900"), ("pubeval", "-0.250")):
        assert line[: above.index(name) + len(name)].endswith(told)
    assert len(table.line(learner, ROW).split()) == 10
    pig = learner_of("pig", tmp_path)
    assert table.line(pig, {**ROW, "match_random": {"score": 0.99}}).endswith(" 99.0")


def test_the_package_of_pubeval_is_the_one_that_the_player_asks_for():
    from sparring.arena import outside

    assert dice_table.PACKAGE == outside.PACKAGE
    assert dice_table.has_pubeval() == outside.installed()
