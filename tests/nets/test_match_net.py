"""A net of matches sees what its description lists, judges both players alike, and knows what needs no learning."""

import math

import numpy as np
import pytest

from sparring.errors import WeightsError
from sparring.nets import storage
from sparring.nets.match_net import (
    INPUTS,
    POINTS,
    MatchNet,
    Spot,
    chance_after,
    first_scores,
    inputs_of,
    load_match_net,
    mirrored,
)

LENGTH = 5
SPOTS = [
    Spot(mine, theirs, played, cube, owner, rolls)
    for mine in range(1, LENGTH + 1)
    for theirs in range(1, LENGTH + 1)
    for played in ([False, True] if 1 in (mine, theirs) else [False])
    for cube, owner in ((1, 0), (2, 1), (2, -1), (4, 1))
    for rolls in (1, -1)
]


def random_net(seed=3, hidden=6):
    """Of random weights and random but fair scores."""
    rng = np.random.default_rng(seed)
    scores = first_scores(LENGTH)
    for part in scores:
        noise = rng.uniform(-0.03, 0.03, part[1:, 1:].shape)
        part[1:, 1:] += noise - noise.T
    layers = tuple(
        ((rng.normal(size=(a, b)) / 2).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in ((INPUTS, hidden), (hidden, 1))
    )
    return MatchNet("backgammon", layers, scores)


def random_chances(n, seed=4):
    return np.random.default_rng(seed).dirichlet([0.1, 0.6, 2, 2, 0.6, 0.1], n)


def turned(spot):
    """The same as the other player sees it."""
    return Spot(spot.theirs, spot.mine, spot.played, spot.cube, -spot.owner, -spot.rolls)


def score_after(scores, spot, points):
    """Straight from the rules."""
    mine, theirs = spot.mine - max(points, 0), spot.theirs - max(-points, 0)
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    late = spot.played or 1 in (spot.mine, spot.theirs)  # the game under way is the Crawford game or a later one
    return scores[int(late), mine, theirs]


def may_gain(lacks, holds, spot):
    """Whether a player may double and does not win the match with the cube as it stands."""
    crawford = not spot.played and 1 in (spot.mine, spot.theirs)
    return not crawford and holds and lacks > spot.cube


def test_every_input_is_what_its_description_says():
    net = random_net()
    for spot, chances in zip(SPOTS, random_chances(len(SPOTS)), strict=True):
        dead = [
            sum(
                p * score_after(net.scores, spot, int(n) * spot.cube * times)
                for p, n in zip(chances, POINTS, strict=True)
            )
            for times in (1, 2, 4)
        ]
        wanted = [
            *chances,
            1 / spot.mine,
            1 / spot.theirs,
            float(spot.played),
            math.log2(spot.cube) / 6,
            float(spot.owner == 1),
            float(spot.owner == -1),
            float(spot.rolls == 1),
            float(spot.rolls == -1),
            *dead,
            float(may_gain(spot.mine, spot.owner >= 0, spot)),
            float(may_gain(spot.theirs, spot.owner <= 0, spot)),
            float(spot.mine <= spot.cube),
            float(spot.theirs <= spot.cube),
        ]
        assert len(wanted) == INPUTS
        np.testing.assert_allclose(inputs_of(net.scores, chances, spot), wanted, err_msg=str(spot))


def test_the_mirror_of_inputs_is_what_the_other_player_sees():
    net = random_net()
    for spot, chances in zip(SPOTS, random_chances(len(SPOTS)), strict=True):
        seen = inputs_of(net.scores, chances[::-1], turned(spot))
        np.testing.assert_allclose(mirrored(inputs_of(net.scores, chances, spot)), seen, atol=1e-12, err_msg=str(spot))


def test_the_chances_of_both_players_add_up_to_one():
    net, different = random_net(), 0
    for spot, chances in zip(SPOTS, random_chances(len(SPOTS)), strict=True):
        mine, theirs = net.chance(chances, spot), net.chance(chances[::-1], turned(spot))
        assert mine + theirs == pytest.approx(1)
        different += abs(mine - inputs_of(net.scores, chances, spot)[14]) > 0.01
    assert different > 20, "the perceptron adds something"


def test_a_game_that_is_over_is_worth_its_score_whatever_was_learned():
    net = random_net()
    for spot in SPOTS:
        wanted = [score_after(net.scores, spot, int(points) * spot.cube) for points in POINTS]
        assert net.chance(np.eye(6), spot) == pytest.approx(wanted), spot


@pytest.mark.parametrize(
    "spot",
    [
        Spot(1, 4, False, 1, 0, 1),  # the Crawford game
        Spot(4, 1, False, 1, 0, 1),
        Spot(1, 1, True, 1, 0, 1),
        Spot(2, 2, False, 2, 1, 1),  # the cube decides the match
        Spot(3, 2, False, 4, -1, -1),
        Spot(2, 5, False, 2, 1, 1),  # his cube, and it carries him to the end
        Spot(1, 3, True, 2, 1, -1),
    ],
    ids=str,
)
def test_where_nobody_gains_by_a_double_the_chance_is_the_mean_over_results(spot):
    net, chances = random_net(), random_chances(20)
    worth = np.array([score_after(net.scores, spot, int(points) * spot.cube) for points in POINTS])
    assert net.chance(chances, spot) == pytest.approx(chances @ worth)


def test_after_the_crawford_game_only_the_player_behind_turns_the_cube():
    spot = Spot(1, 3, True, 1, 0, 1)
    assert not spot.turns(1) and spot.turns(-1) and spot.live


def test_scores_and_cubes_may_be_arrays_that_broadcast():
    net, chances = random_net(), random_chances(7)
    spot = Spot(
        np.full((7, 1), 3), np.arange(1, 8)[:, None] % 5 + 1, False, np.array([1, 2, 2]), np.array([0, 1, -1]), 1
    )
    every = net.chance(chances[:, None], spot)
    assert every.shape == (7, 3)
    one = Spot(3, 5, False, 2, -1, 1)
    assert every[3, 2] == pytest.approx(float(net.chance(chances[3], one)))
    assert chance_after(net.scores, spot, spot.cube).shape == (7, 3)


def test_scores_begin_as_shares_of_the_points_that_the_other_lacks():
    scores = first_scores(4)
    assert scores[0, 1, 3] == 0.75 and scores[1, 2, 1] == pytest.approx(1 / 3)
    assert scores[:, 0, 1:].min() == 1 and scores[:, 1:, 0].max() == 0


def test_a_saved_net_is_read_back_as_it_was(tmp_path):
    net = random_net()
    net.save(tmp_path / "m.safetensors")
    again = load_match_net(tmp_path / "m.safetensors", "backgammon")
    assert again.digest == net.digest and again.points == LENGTH
    chances = random_chances(5)
    assert np.array_equal(net.chance(chances, SPOTS[9]), again.chance(chances, SPOTS[9]))


def test_files_that_are_no_net_of_matches_are_refused_in_one_line(tmp_path):
    path = tmp_path / "m.safetensors"
    net = random_net()
    net.save(path)
    with pytest.raises(WeightsError, match="was learned for matches of backgammon, not of abak"):
        load_match_net(path, "abak")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(WeightsError, match="cut short"):
        load_match_net(path, "backgammon")
    path.write_bytes(storage.pack(net.arrays, {"format": "sparring-net-1"}))
    with pytest.raises(WeightsError, match="format 'sparring-net-1', but a net of matches has"):
        load_match_net(path, "backgammon")
    MatchNet("backgammon", net.layers[:1], net.scores).save(path)
    with pytest.raises(WeightsError, match="are not those of a net of matches"):
        load_match_net(path, "backgammon")
    with pytest.raises(WeightsError, match="cannot read"):
        load_match_net(tmp_path / "none", "backgammon")
