"""Random numbers: SplitMix64 as published, and streams that do not meet."""

import numpy as np
import pytest

from sparring import rng
from sparring.compiled import interpreted

PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first outputs for the seed 1234567 (Vigna's splitmix64.c)."""


def test_the_first_numbers_are_the_published_ones():
    state = np.array([1234567], np.uint64)
    assert [int(rng.draw_word(state)) for _ in PUBLISHED] == PUBLISHED


@pytest.mark.compiled
def test_plain_python_draws_the_same_numbers():
    names = ("draw_word", "draw_below", "draw_unit", "draw_index")
    plain = interpreted({name: getattr(rng, name) for name in names})
    weights = np.array([0.5, 0.0, 2.0, 1.0])
    a, b = rng.seeded(7), rng.seeded(7)
    for _ in range(50):
        for name, rest in (("draw_word", ()), ("draw_below", (6,)), ("draw_unit", ()), ("draw_index", (weights, 4))):
            with np.errstate(over="ignore"):
                assert plain[name](b, *rest) == getattr(rng, name)(a, *rest), name


def test_a_number_below_n_is_below_n_and_each_is_about_as_frequent():
    state = rng.seeded(3)
    counts = np.bincount([int(rng.draw_below(state, 6)) for _ in range(6000)], minlength=6)
    assert len(counts) == 6
    chi_square = ((counts - 1000) ** 2 / 1000).sum()
    assert chi_square < 20.5, counts  # 0.1 % of fair dice are worse, and the seed is fixed


def test_there_is_one_number_below_one():
    state = rng.seeded(1)
    assert {int(rng.draw_below(state, 1)) for _ in range(20)} == {0}


def test_unit_numbers_are_uniform_from_0_to_below_1():
    state = rng.seeded(5)
    drawn = np.array([rng.draw_unit(state) for _ in range(4000)])
    assert drawn.min() >= 0.0 and drawn.max() < 1.0
    assert abs(drawn.mean() - 0.5) < 0.02
    assert abs(drawn.var() - 1 / 12) < 0.01


def test_an_index_is_drawn_in_proportion_to_its_weight():
    state, weights = rng.seeded(9), np.array([1.0, 0.0, 3.0])
    counts = np.bincount([int(rng.draw_index(state, weights, 3)) for _ in range(4000)], minlength=3)
    assert counts[1] == 0
    assert abs(counts[2] / 4000 - 0.75) < 0.03


def test_streams_of_a_seed_differ_and_do_not_follow_each_other():
    words = set()
    for i in range(20):
        state = rng.seeded(1, i)
        words |= {int(rng.draw_word(state)) for _ in range(100)}
    assert len(words) == 2000


def test_seeds_and_streams_are_told_apart_in_order():
    starts = {int(rng.seeded(*numbers)[0]) for numbers in ((1,), (2,), (1, 2), (2, 1), (1, 0), (0, 1), (1, 2, 0))}
    assert len(starts) == 7


def test_a_negative_seed_is_taken_as_64_bits():
    assert rng.seeded(-1)[0] == rng.seeded(2**64 - 1)[0]
