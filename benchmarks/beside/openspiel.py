"""OpenSpiel's AlphaZero in Python, as an actor of its plays: its game loop, its search, its evaluator with its cache.

As it is published, its net run operation by operation, by the faster of its two models (flax.nnx); and with that net
compiled by jax.jit and its answers brought back as NumPy arrays, a change of one line that is no part of OpenSpiel but
that a user would come upon. With a trained net of ours, if one is given, a third time.

Its AlphaZero in C++ wants libtorch and is in no wheel; the search in C++ that is in the wheel takes no evaluator
written in Python.
"""

import functools
import sys
import time
import warnings

import jax
import pyspiel
from clock import Counts, Run, Ways, serve
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.alpha_zero import alpha_zero, utils
from open_spiel.python.algorithms.alpha_zero.evaluator import AlphaZeroEvaluator
from our_net import OurNet

SIMULATIONS, BLOCKS, WIDTH = 64, 3, 64
EXPLORATION, NOISE = 1.41, (0.25, 1.0)  # of its example
TEMPERATURE, DROP = 1.0, 10  # moves are drawn by visits up to this ply


class Late(Exception):
    """Time is over in the middle of a game."""


class Quiet:
    """A log that keeps nothing."""

    def print(self, *what: object) -> None:
        """Nothing."""

    opt_print = print


class Counted:
    """A bot that counts its searches and stops when time is over."""

    def __init__(self, bot: mcts.MCTSBot, until: float) -> None:
        self.bot, self.until, self.searches = bot, until, 0

    def mcts_search(self, state: pyspiel.State) -> mcts.SearchNode:
        """One search, which is one position."""
        if time.perf_counter() >= self.until:
            raise Late
        self.searches += 1
        return self.bot.mcts_search(state)


def actor(game: pyspiel.Game, model: object) -> Run:
    """An actor with an empty cache."""
    evaluator = AlphaZeroEvaluator(game, model)
    bot = mcts.MCTSBot(
        game,
        EXPLORATION,
        SIMULATIONS,
        evaluator,
        solve=False,
        dirichlet_noise=NOISE,
        child_selection_fn=mcts.SearchNode.puct_value,
        dont_return_chance_node=True,
    )

    def run(until: float) -> Counts:
        counted = Counted(bot, until)
        try:
            while True:
                alpha_zero._play_game(Quiet(), 1, game, (counted, counted), TEMPERATURE, DROP)
        except Late:
            asked = evaluator.cache_info().misses
        return {
            "positions": counted.searches,
            "simulations": SIMULATIONS * counted.searches,
            "evaluations": asked,
        }

    return run


def prepare() -> tuple[Ways, dict[str, str]]:
    """All ways. sys.argv[2]: arrays of a trained net of ours."""
    warnings.filterwarnings("ignore")
    game = pyspiel.load_game("connect_four")
    shape, moves = game.observation_tensor_shape(), game.num_distinct_actions()
    build = utils.api_selector("nnx").Model.build_model
    published, compiled = (build("resnet", shape, moves, WIDTH, BLOCKS, 1e-4, 1e-3, None) for _ in range(2))
    inference = jax.jit(compiled.inference)
    compiled.inference = lambda seen, legal: jax.device_get(inference(seen, legal))
    ways = {
        "OpenSpiel": functools.partial(actor, game, published),
        "OpenSpiel, its net under jax.jit": functools.partial(actor, game, compiled),
    }
    if len(sys.argv) > 2:
        ways["OpenSpiel, our trained net under jax.jit"] = functools.partial(actor, game, OurNet(sys.argv[2]))
    about = {
        "OpenSpiel": "its AlphaZero in C++ is in no wheel (libtorch), so it is not measured",
        "OpenSpiel, its net": "takes 3 planes of 6 × 7 for 3 × 6 points: less than half the others' work",
    }
    return ways, about


if __name__ == "__main__":
    serve(prepare)
