"""How a player spends its time."""

import pytest

from sparring.errors import PlayerError
from sparring.search.clock import LEAST, MOST_OF_LEFT, Clock, TimeControl, budget, read_control

OVERHEAD = 30


@pytest.mark.parametrize("left", [31, 50, 200, 1_000, 8_000, 60_000, 3_600_000])
@pytest.mark.parametrize("increment", [0, 10, 80, 5_000])
@pytest.mark.parametrize("to_go", [0, 1, 2, 40])
def test_no_move_takes_all_the_time_that_is_left(left, increment, to_go):
    time = budget(Clock(left, increment, to_go), OVERHEAD)
    assert 0 < time.soft <= time.hard
    assert time.hard + OVERHEAD <= left
    assert time.hard <= max(MOST_OF_LEFT * (left - OVERHEAD), LEAST)


@pytest.mark.parametrize("left", [-500, 0, 1, 29])
def test_with_no_time_left_the_shortest_search_is_made(left):
    assert budget(Clock(left), OVERHEAD).hard == LEAST


@pytest.mark.parametrize(("seconds", "increment", "moves"), [(8, 0.08, 300), (1, 0.01, 200), (60, 0, 400)])
def test_a_long_game_in_which_every_move_takes_its_hard_limit_is_not_lost_on_time(seconds, increment, moves):
    clock = TimeControl(seconds, increment).clock()
    for _ in range(moves):
        spent = budget(clock, OVERHEAD).hard + (OVERHEAD if clock.left > OVERHEAD + LEAST else 0)
        if clock.left <= OVERHEAD + LEAST:
            break  # only the increment is left to play by
        assert spent < clock.left
        clock = Clock(clock.left - spent + clock.increment, clock.increment)


def test_more_time_more_increment_and_fewer_moves_to_go_make_for_longer_thoughts():
    def soft(*clock):
        return budget(Clock(*clock), OVERHEAD).soft

    assert soft(8_000, 80) > soft(4_000, 80) > soft(4_000, 0)
    assert soft(8_000, 0, 2) > soft(8_000, 0, 10) > soft(8_000, 0)


def test_a_clock_is_read_as_seconds_and_seconds_a_move():
    assert read_control("8+0.08") == TimeControl(8, 0.08)
    assert read_control(" 60 ") == TimeControl(60, 0)
    assert read_control("0.5+.01") == TimeControl(0.5, 0.01)
    assert str(TimeControl(8, 0.08)) == "8+0.08"
    assert read_control("8+0.08").clock() == Clock(8000, 80)


@pytest.mark.parametrize("text", ["", "8/40", "fast", "-1+0", "0", "0+1", "5000", "1+1+1", "8+"])
def test_another_clock_is_refused_and_named(text):
    with pytest.raises(PlayerError, match=r"the clock is '.*', but it must"):
        read_control(text)
