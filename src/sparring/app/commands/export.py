"""`sparring export`."""

import importlib.util
import pathlib
from typing import TYPE_CHECKING

from sparring.app.options import Export
from sparring.app.talk import say
from sparring.errors import GameError, SparringError

if TYPE_CHECKING:
    from sparring.games.game import Game
    from sparring.nets.onnx import Runner
    from sparring.nets.tower import Tower
    from sparring.nets.weights import Net

CHECKED = 16  # positions
SHOWN = 5  # moves


def run(options: Export) -> None:
    """Write the model, once it has been seen to answer as the net does."""
    if not options.onnx:
        raise SparringError("say as what to export the net: --onnx")
    source = _net_file(options.source)
    out = pathlib.Path(options.out or source.with_suffix(".onnx"))
    say(f"Exporting {source} to {out} …")
    if importlib.util.find_spec("onnx") is None:
        raise SparringError("--onnx needs onnx, which is not installed: pip install 'sparring[onnx]'")
    from sparring.nets import onnx, storage, weights

    net = weights.load(source)
    game = _game_of(net, options.game)
    model = onnx.model_of(net, game, str(source))
    if importlib.util.find_spec("onnxruntime") is None:
        say("Not checked: onnxruntime is not installed (pip install onnxruntime).")
        example = ""
    else:
        example = _checked(onnx.runner_of(model), net, game)
    storage.write_whole(out, model.SerializeToString())
    print(out)
    for name, text in onnx.descriptions(net, game).items():
        print(f"{name}: {text}")
    if example:
        print(example)


def _net_file(source: str) -> pathlib.Path:
    """The file itself, or the newest net of a run's folder."""
    path = pathlib.Path(source)
    if not path.is_dir():
        return path
    from sparring.learn.run import RunFolder

    folder = RunFolder(path)
    folder.config()  # says so where it is no run
    if not folder.net_path().is_file():
        raise SparringError(f"{path} has no net yet: a run has one when its first generation is done")
    return folder.net_path()


def _game_of(net: "Net | Tower", given: str) -> "Game":
    from sparring.games.game import load, names

    if not given and net.game not in names():
        raise GameError(f"the net is for {net.game}, which does not come with the package; give --game its rules file")
    return load(given or net.game)


def _checked(run: "Runner", net: "Net | Tower", game: "Game") -> str:
    """Compare model and net on positions of the game; returns what the model says of the first position."""
    import numpy as np

    from sparring.games.walk import random_positions
    from sparring.nets import onnx

    states = random_positions(game, CHECKED)
    off = onnx.difference(run, net, game, states)
    if not off <= onnx.TOLERANCE:
        raise SparringError(f"the model's answers differ from the net's by {off:.2g}; nothing was written")
    say(f"Checked in onnxruntime on {CHECKED} positions of random games: its answers are the net's (within {off:.0e}).")
    states = states if game.mover(game.states()[0]) not in (0, 1) else game.states()
    state = states[0]
    said = run(onnx.inputs_of(net, game, states[:1]))
    parts = [f"value {said['value'][0]:+.3f}"]
    if "results" in said:
        parts.append("results " + " ".join(f"{p:.3f}" for p in said["results"][0]))
    if "policy" in said:
        moves = game.legal_moves(state)
        powers = np.exp(said["policy"][0, moves] - said["policy"][0, moves].max())
        best = sorted(zip(powers / powers.sum(), moves, strict=True), reverse=True)[:SHOWN]
        parts.append("policy " + ", ".join(f"{game.move_name(state, move)} {p:.3f}" for p, move in best))
    return f"example: {'; '.join(parts)}"
