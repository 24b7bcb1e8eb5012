"""Positions for the tests of the searches, reached by random moves."""

import itertools

import numpy as np

from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.nets.weights import Net


def played(game: Game, plies: int, seed: int) -> tuple[np.void, np.ndarray]:
    """A position that is not over, after up to `plies` random moves, and the keys of those before it, oldest first.

    Moves that end the game are passed over, so that long games and sharp positions come about.
    """
    random = np.random.default_rng(seed)
    key = game.key
    state, past = game.states()[0], []
    for _ in range(plies):
        past.append(int(key(state)))
        after = [game.after(state, m) for m in game.legal_moves(state)]
        going = [s for s in after if game.result(s) == ONGOING and not thrice(game, int(key(s)), past)]
        if not going:
            return state, np.array(past[:-1], np.uint64)
        state = going[random.integers(len(going))]
    return state, np.array(past, np.uint64)


def thrice(game: Game, key: int, past: list[int]) -> bool:
    """Whether the position draws the game by repetition."""
    return game.REPETITION > 0 and past.count(key) >= game.REPETITION - 1


def small_net(game: Game, hidden: tuple[int, ...], seed: int = 1) -> Net:
    """A net of random weights."""
    random = np.random.default_rng(seed)
    sizes = (game.FEATURES, *hidden, 1)
    layers = [
        ((random.normal(size=(a, b)) / a**0.5).astype(np.float32), (random.normal(size=b) / 10).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]
    return Net(game.name, game.FEATURES_VERSION, "tanh", tuple(layers))


def shuffle(game: Game, state: np.void) -> tuple[int, int, int, int]:
    """Four moves after which the position is the same again."""
    key = int(game.key(state))
    for a in game.legal_moves(state):
        for b in game.legal_moves(game.after(state, a)):
            for c in game.legal_moves(game.after(state, a, b)):
                third = game.after(state, a, b, c)
                for d in game.legal_moves(third):
                    if int(game.key(game.after(third, d))) == key:
                        return a, b, c, d
    raise AssertionError("no move can be taken back here")
