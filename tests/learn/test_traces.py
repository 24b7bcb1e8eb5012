"""Learning after every turn: traces and weights are those of the definition, by automatic differentiation."""

import numpy as np
import pytest
import torch

from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game, load
from sparring.learn.dice_settings import DiceSettings
from sparring.learn.traces import TracePlay
from sparring.nets.mlp import new_net
from sparring.nets.weights import LEAK, Net
from sparring.rng import draw_index, draw_unit, seeded
from sparring.search.turns import Turns

BETWEEN = {"relu": torch.relu, "leaky": lambda x: torch.nn.functional.leaky_relu(x, LEAK), "sigmoid": torch.sigmoid}
SEED, TRACE = 5, 0.7


def untrained(game: Game, hidden: tuple[int, ...], activation: str = "leaky") -> Net:
    return new_net(game, hidden, "results", 4.0, 1, activation)


def settings(**changes) -> DiceSettings:
    return DiceSettings(**{"online": True, "average": 0.0, "trace": TRACE, "games": 1, **changes})


class SlowLearner:
    """The definition: Δw = rate · Σ over outputs of (next chance - chance) · Σ over turns so far of λ^age · ∇output."""

    def __init__(self, game: Game, net: Net, shown: int, rate: float) -> None:
        self.game, self.net, self.shown, self.rate = game, net, shown, rate
        self.weights = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for pair in net.layers for a in pair]

    def outputs(self, state: np.void, who: int) -> torch.Tensor:
        """As player 0 sees the results."""
        index, value = np.zeros(self.game.MOST_FEATURES, np.int32), np.zeros(self.game.MOST_FEATURES, np.float32)
        n = self.game.features(state, who, index, value)
        x = torch.zeros(self.game.FEATURES, dtype=torch.float64)
        x[index[:n]] = torch.tensor(value[:n], dtype=torch.float64)
        x[self.shown :] = 0
        for i in range(0, len(self.weights), 2):
            x = (BETWEEN[self.net.activation](x) if i else x) @ self.weights[i] + self.weights[i + 1]
        return x if who == 0 else x.flip(0)

    def chances(self, state: np.void, who: int) -> torch.Tensor:
        end = self.game.result(state)
        if end != ONGOING:
            return torch.eye(len(self.game.RESULTS), dtype=torch.float64)[end]
        return torch.softmax(self.outputs(state, who), 0).detach()

    def learn_game(self, rng: np.ndarray, most: int, explore: float = 0.0) -> int:
        """One game; returns its turns."""
        game, points = self.game, torch.tensor(self.game.RESULTS, dtype=torch.float64)
        outcomes, odds = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
        state, gradients, before, n = game.states(1)[0], [], None, 0
        while n < most:
            while game.result(state) == ONGOING and game.mover(state) == CHANCE:
                count = game.chance(state, outcomes, odds)
                game.play(state, int(outcomes[draw_index(rng, odds, count)]))
            if game.result(state) != ONGOING:
                break
            who = int(game.mover(state))
            ends = [turn.state for turn in Turns(game).of(state)]
            verdicts = [self.chances(end, who) for end in ends]
            values = [float(v @ points) * (1 if who == 0 else -1) for v in verdicts]
            best = int(np.argmax(values))
            if before is not None:
                self.step(gradients, verdicts[best] - before)
            if explore and draw_unit(rng) < explore:
                raise NotImplementedError
            state, n = ends[best], n + 1
            if game.result(state) == ONGOING:
                before = self.chances(state, who)
                outputs = self.outputs(state, who)
                gradients.append([torch.autograd.grad(y, self.weights, retain_graph=True) for y in outputs])
            else:
                before = None
        return n

    def step(self, gradients: list, miss: torch.Tensor) -> None:
        for i, weight in enumerate(self.weights):
            for age, by_output in enumerate(reversed(gradients)):
                for j, own in enumerate(by_output):
                    weight.data += self.rate * TRACE**age * miss[j] * own[i]


def compare(game: Game, net: Net, most: int, games: int, shown: int, rate: float) -> None:
    net.layers[0][0][shown:] = 0  # as a run begins with
    slow, fast = SlowLearner(game, net, shown, rate), TracePlay(game, net, settings(longest=most, inputs=shown))
    turns = sum(slow.learn_game(seeded(SEED, i), most) for i in range(games))
    assert fast.play(games, (SEED,), 0.0, rate)[1] == turns, "another game was played"
    started = [array for pair in net.layers for array in pair]
    learned = [array for pair in fast.layers() for array in pair]
    for before, after, wanted in zip(started, learned, slow.weights, strict=True):
        change = np.abs(after - before).max()
        assert change > 1e-5, "nothing was learned that could be wrong"
        np.testing.assert_allclose(after, wanted.detach().numpy(), atol=0.01 * change + 3e-6, rtol=0)


@pytest.mark.parametrize(("hidden", "activation"), [((8,), "leaky"), ((20, 6), "sigmoid"), ((6, 3, 5), "relu")])
def test_weights_move_as_the_definition_says(hidden, activation):
    game = load("pig")
    compare(game, untrained(game, hidden, activation), 60, 2, game.FEATURES, 1.0)


def test_a_whole_game_is_learned_from_to_its_end():
    game = load("pig")
    compare(game, untrained(game, (8,)), 3000, 1, 3, 0.1)


@pytest.mark.compiled
def test_weights_of_six_results_move_as_the_definition_says():
    game = load("backgammon")
    compare(game, untrained(game, (8,)), 12, 2, 150, 0.1)
