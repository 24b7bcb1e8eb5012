"""Luck is what a roll is worth beyond the mean of all: over all rolls it is nought."""

import numpy as np
import pytest
from slow_turns import looked, points_of, some_net

from sparring.games.contract import CHANCE
from sparring.games.game import Game, load
from sparring.games.walk import random_positions
from sparring.search.luck import Luck
from sparring.search.turns import Turns


def waiting(game: Game) -> list[np.void]:
    """Positions in which chance is to move."""
    after = [turn.state for state in random_positions(game, 6, seed=2) for turn in Turns(game).of(state)[:1]]
    return [state for state in [*after, game.states(1)[0]] if game.mover(state) == CHANCE]


@pytest.mark.parametrize("name", ["pig", "dare"])
def test_luck_is_the_worth_of_the_best_turn_less_the_mean_over_all_rolls(name, request):
    game = request.getfixturevalue(name) if name == "dare" else load(name)
    net = some_net(game, (12,))
    luck, positions = Luck(game, net), waiting(game)
    assert positions
    for state in positions:
        numbers, odds = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
        n = game.chance(state, numbers, odds)
        wanted = [points_of(game, looked(game, net, game.after(state, int(i)), 0, 1), 0) for i in numbers[:n]]
        found = [luck.of(state, int(i)) for i in numbers[:n]]
        assert found == pytest.approx(np.array(wanted) - odds[:n] @ wanted, abs=1e-5)
        assert odds[:n] @ found == pytest.approx(0, abs=1e-6)
    assert np.abs(found).max() > 0
