"""Nets of random weights for light cycles, and bots exported from them."""

import numpy as np

from sparring.app import codingame
from sparring.nets.move_net import MoveNet, shape_for


def random_net(game, seed=1, **sizes):
    """A net of random weights, whose rows are of very different size."""
    shape, random = shape_for(game, **sizes), np.random.default_rng(seed)
    arrays = {n: random.normal(size=size).astype(np.float32) for n, size in shape.arrays.items()}
    arrays = {
        n: a * random.uniform(0.05, 1, (len(a), *[1] * (a.ndim - 1))).astype(np.float32) for n, a in arrays.items()
    }
    return MoveNet(game.name, game.FEATURES_VERSION, shape, arrays)


def exported(net, numpy=True):
    """The exported bot as a module's names."""
    names = {"__name__": "exported"}
    exec(compile(codingame.source_of(net, numpy), "exported", "exec"), names)
    return names
