"""The gate: who is looked at more closely, and who is promoted."""

import pytest

from sparring.errors import MatchError
from sparring.learn.gate import passes_screen, promoted


@pytest.mark.parametrize(("points", "games", "passes"), [(22, 40, True), (21.5, 40, False), (35, 64, False)])
def test_a_screen_wants_55_percent(points, games, passes):
    assert passes_screen(points, games) is passes


def test_a_screen_may_want_another_score():
    assert passes_screen(12, 32, needed=0.375) and not passes_screen(11.5, 32, needed=0.375)


@pytest.mark.parametrize(("points", "games", "wins"), [(219, 400, False), (220, 400, True), (196, 400, False)])
def test_the_lower_end_of_the_interval_decides(points, games, wins):
    """219 of 400 is .498–.596, 220 of 400 .501–.598."""
    assert promoted(points, games) is wins


def test_few_games_do_not_promote_by_luck():
    assert not promoted(3, 3)
    assert promoted(4, 4), "four of four is .510–1"


def test_a_confirmation_without_games_is_refused():
    with pytest.raises(MatchError, match="games is 0"):
        promoted(0, 0)
