"""What a search asks at its horizon: a net, the game's judgement, another function of the rules file, or nothing."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from sparring.compiled import cached_under, compile_reachable
from sparring.errors import PlayerError, nearest
from sparring.games import contract
from sparring.games.game import Game
from sparring.nets import move_net_kernels, move_net_twin, nnue_twin, twin, weights
from sparring.nets.move_net import MoveNet
from sparring.nets.nnue import Nnue
from sparring.nets.storage import SHIPPED
from sparring.nets.weights import Net

EMPTY = np.dtype([("nothing", "i8")])


@dataclass(frozen=True)
class Judge:
    """A judgement joined to a game.

    kernel: (work, stack, ply) -> judgement for the player to move, an expected result where the game has no ODDS.
    dtype: of `work`. fill: writes into it.
    prefer: (work, stack, ply, moves, n, ratings), which rates moves by a policy; None: it has no policy.
    distribution: (work, stack, ply, out float32 (results,)), which writes the chances of RESULTS as the player to move
    sees them, his worst first; None: it knows none.
    """

    name: str
    kernel: Any
    dtype: np.dtype
    fill: Callable[[np.void], None]
    prefer: Any = None
    distribution: Any = None


def by_net(game: Game, net: Net | MoveNet | Nnue, where: str = "the net") -> Judge:
    """The compiled twin of a net. Nets of one architecture share their compiled code."""
    if isinstance(net, MoveNet):
        joined, dtype = move_net_twin.join(net, game, where), move_net_kernels.record_dtype(net.shape)
        fill = functools.partial(move_net_kernels.fill, net=net)
        return Judge(net.digest, joined.judge, dtype, fill, joined.prefer)
    if isinstance(net, Nnue):
        joined, dtype = nnue_twin.join(net, game, where), nnue_twin.record_dtype(net, game)
        chances = joined.distribution if net.shape.outputs > 1 else None
        return Judge(net.digest, joined.judge, dtype, functools.partial(nnue_twin.fill, net=net), None, chances)
    kernels = twin.join(net, game, where)
    return Judge(net.digest, kernels.judge, twin.record_dtype(net, game), lambda record: twin.fill(record, net))


def by_rules(game: Game, name: str = "evaluate") -> Judge:
    """A function `name(state)` of the rules file, `evaluate` or another of its kind."""
    function = rules_function(game, name)
    return Judge(name, game.bind("search.rules_judge", evaluate=function).by_rules, EMPTY, lambda record: None)


def rules_function(game: Game, name: str) -> Any:
    """A function of the rules file, compiled; PlayerError where there is none of that name."""
    function = game.rules.get(name) or getattr(game.module, name, None)
    if not game.defines(name) or not callable(function):
        kinds = [n for n, v in vars(game.module).items() if callable(v) and n not in contract.RULES]
        raise PlayerError(f"{game.path.name} has no {name}() to judge positions by.{nearest(name, kinds)}")
    if isinstance(function, FunctionType):
        with cached_under(game.digest):
            function = compile_reachable(function, game.path.parent)
    return function


def by_nothing(game: Game) -> Judge:
    """Only results count."""
    return Judge("nothing", game.bind("search.rules_judge").by_nothing, EMPTY, lambda record: None)


def usual(game: Game) -> Judge:
    """The game's `evaluate` where it has one, else nothing."""
    return by_rules(game) if game.defines("evaluate") else by_nothing(game)


def strongest(game: Game, path: str = "") -> Judge:
    """The judgement of the net in a file; without one, of the net that comes with the package, else the game's own."""
    shipped = SHIPPED / f"{game.name}.safetensors"
    file = path or (str(shipped) if shipped.is_file() else "")
    return by_net(game, weights.load_leaf_net(file), file) if file else usual(game)
