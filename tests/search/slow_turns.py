"""Turns and lookahead over dice by playing everything, slow and obvious: the searches have to equal it."""

import itertools

import numpy as np

from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game
from sparring.nets.weights import Net
from sparring.search.expectimax import ALL, Filter
from sparring.search.turns import Turns


def ends_of(game: Game, state: np.void, who: int) -> dict[bytes, list[int]]:
    """Where the player's turn can end, with one way to get there: play everything."""
    found: dict[bytes, list[int]] = {}
    for move in game.legal_moves(state):
        after = game.after(state, move)
        if game.result(after) == ONGOING and game.mover(after) == who:
            for end, rest in ends_of(game, after, who).items():
                found.setdefault(end, [move, *rest])
        else:
            found.setdefault(after.tobytes(), [move])
    return found


def some_net(game: Game, hidden: tuple[int, ...] = (70,), activation: str = "leaky", seed: int = 1) -> Net:
    """A net of random weights."""
    rng, sizes = np.random.default_rng(seed), (game.FEATURES, *hidden, len(game.RESULTS))
    layers = [
        (rng.normal(size=(a, b)).astype(np.float32) / a**0.5, rng.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]
    return Net(game.name, game.FEATURES_VERSION, "results", tuple(layers), {}, activation)


def points_of(game: Game, chances: np.ndarray, who: int) -> float:
    """What chances of RESULTS as the player sees them are worth to that player."""
    return float(chances @ (game.RESULTS if who == 0 else [-v for v in reversed(game.RESULTS)]))


def judged(game: Game, net: Net, state: np.void, who: int) -> np.ndarray:
    """Chances of RESULTS as the player sees them: by the rules or by the net."""
    end = int(game.result(state))
    if end != ONGOING:
        return np.eye(len(game.RESULTS))[:: 1 if who == 0 else -1][end]
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    n = game.features(state, who, index, value)
    inputs = np.zeros((1, game.FEATURES))
    inputs[0, index[:n]] = value[:n]
    powers = np.exp(net.outputs(inputs)[0])
    return powers / powers.sum()


def looked(game: Game, net: Net, state: np.void, eyes: int, plies: int, inner: Filter = ALL) -> np.ndarray:
    """Chances as `eyes` sees them, so many rolls and turns ahead, of which the inner ones are filtered."""
    if game.result(state) != ONGOING or plies == 0:
        return judged(game, net, state, eyes)
    who = int(game.mover(state))
    if who == CHANCE:
        numbers, odds = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
        n = game.chance(state, numbers, odds)
        after = [looked(game, net, game.after(state, int(move)), eyes, plies, inner) for move in numbers[:n]]
        return odds[:n] @ np.array(after)
    found = [turn.state for turn in Turns(game, 4096).of(state)]
    if plies > 1:
        first = np.array([points_of(game, judged(game, net, state, who), who) for state in found])
        order = [i for i in np.argsort(-first, kind="stable")[: inner.most] if first[i] >= first.max() - inner.margin]
        found = [found[i] for i in order]
    best = max((looked(game, net, s, who, plies - 1, inner) for s in found), key=lambda c: points_of(game, c, who))
    return best if who == eyes else best[::-1]
