"""Whom the learner meets: the shares of the settings, both sides, pairs for measuring, larger iterations later."""

import numpy as np
import pytest

from sparring.learn.ppo_games import games_in, pairs, training_games
from sparring.learn.ppo_settings import PpoSettings
from sparring.learn.seat_play import BOT


def made(count=64, members=4, bot=True, **settings):
    rng = np.random.default_rng(1)
    return training_games(
        PpoSettings(**{"midgame": 0.0, **settings}), count, members, bot, np.arange(count), 100.0, rng
    )


def test_a_quarter_meets_the_teacher_and_of_the_rest_half_the_pool_and_half_itself():
    seats = made()["seats"]
    others = np.where(seats[:, 0] == 0, seats[:, 1], seats[:, 0])
    assert (others == BOT).sum() == 16
    assert (others > 0).sum() == 24
    assert (seats == 0).all(1).sum() == 24
    assert [(others == member).sum() for member in (1, 2, 3, 4)] == [6, 6, 6, 6]


def test_the_learner_sits_on_both_sides_equally_often_against_everybody():
    seats = made()["seats"]
    for other in (BOT, 1, 2, 3, 4):
        assert (seats[:, 1] == other).sum() == (seats[:, 0] == other).sum()


def test_only_the_learners_decisions_are_learned_from_and_against_itself_both():
    games = made()
    assert (games["learns"] == (games["seats"] == 0)).all()


def test_without_bot_and_pool_all_games_are_against_itself():
    assert (made(members=0, bot=False)["seats"] == 0).all()


def test_the_asked_share_of_games_begins_in_the_middle():
    games = made(count=1000, midgame=0.3, midgame_moves=7)
    openings, leads = games["opening"], games["lead"]
    assert 0.25 < (openings > 0).mean() < 0.35
    assert set(openings[openings > 0]) == set(range(1, 8))
    assert ((leads > 0) == (openings > 0)).all()
    assert 80 < leads.max() < 100
    assert not made()["opening"].any()
    assert not made()["lead"].any()


def test_pairs_are_the_same_first_position_with_the_sides_swapped():
    games = pairs(0, BOT, np.array([7, 9], np.uint64), 3, 1)
    assert games["deal"].tolist() == [7, 7, 9, 9]
    assert games["seats"].tolist() == [[0, BOT], [BOT, 0]] * 2
    assert games["seed"][0] == games["seed"][1] != games["seed"][2]
    assert (games["opening"] == 3).all()
    assert not games["learns"].any()


@pytest.mark.parametrize(
    ("played", "games"), [(0, 64), (6399, 64), (6400, 128), (19199, 128), (19200, 256), (44800, 512), (10**9, 512)]
)
def test_iterations_double_after_every_hundred(played, games):
    assert games_in(PpoSettings(games=64, most_games=512), played) == games
