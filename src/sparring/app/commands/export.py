"""`sparring export`."""

import importlib.util
import pathlib
from typing import TYPE_CHECKING

from sparring.app.options import Export
from sparring.app.talk import say
from sparring.errors import GameError, SparringError, WeightsError

if TYPE_CHECKING:
    from sparring.games.game import Game
    from sparring.nets.nnue import Nnue
    from sparring.nets.onnx import Runner
    from sparring.nets.tower import Tower
    from sparring.nets.weights import Net

CHECKED = 16  # positions
ROUNDED = 200  # positions that tell what rounding costs
SHOWN = 5  # moves


def run(options: Export) -> None:
    """Write the net as it was asked for."""
    if bool(options.onnx) + bool(options.codingame) + bool(options.nnue) != 1:
        raise SparringError("say as what to export the net: --onnx, --nnue FILE, or --codingame FILE.py")
    source = _net_file(options.source)
    if options.nnue:
        as_whole_numbers(source, pathlib.Path(options.nnue), options.game)
    elif options.codingame:
        as_bot(source, pathlib.Path(options.codingame), options.numpy)
    else:
        as_onnx(source, options)


def as_bot(source: pathlib.Path, out: pathlib.Path, numpy: bool) -> None:
    """Write a source file that plays on codingame.com, once it has been seen to play as the net does."""
    say(f"Exporting {source} to {out} …")
    from sparring.app import codingame
    from sparring.nets import storage

    if out.is_dir():
        raise SparringError(f"--codingame is {out}, a folder, but it must be the file to write")
    net = codingame.net_at(source)
    text = codingame.source_of(net, numpy)
    same, positions = codingame.agreement(net, text)
    if same < codingame.ENOUGH:
        raise SparringError(f"the bot would play the net's move in {same:.1%} of positions only; nothing was written")
    say(f"Checked on {positions} positions: the bot plays the net's move in {same:.1%} of them.")
    storage.write_whole(out, text.encode())
    print(out)
    print(f"{codingame.units(text):,} of {codingame.MOST_UNITS:,} UTF-16 units; {'uses' if numpy else 'without'} NumPy")


def as_whole_numbers(source: pathlib.Path, out: pathlib.Path, game: str) -> None:
    """Write a quantised NNUE net, and tell how much was lost by rounding."""
    say(f"Exporting {source} to {out} …")
    import numpy as np

    from sparring.games.walk import random_positions
    from sparring.nets import nnue, nnue_file, nnue_quantised, storage, weights

    if out.is_dir():
        raise SparringError(f"--nnue is {out}, a folder, but it must be the file to write")
    net = weights.load(source)
    if not isinstance(net, nnue.Nnue):
        raise WeightsError(f"{source} is {weights.kind_of(net)}, but --nnue takes an NNUE net")
    rules, whole = _game_of(net, game), nnue_quantised.quantised(net)
    weights.check_fits(net, rules, str(source))
    nnue_quantised.check_sums(whole, rules.MOST_FEATURES, str(source))
    seen = nnue.inputs_seen(rules, net.shape, random_positions(rules, ROUNDED))
    lost = np.abs(nnue_quantised.evaluate(whole, *seen) - nnue.evaluate(net, *seen)).mean()
    data = nnue_file.to_bytes(whole)
    storage.write_whole(out, data)
    print(out)
    print(f"{net.shape.name}, {len(data):,} bytes; an output differs from the net's by {lost:.4f} on average")


def as_onnx(source: pathlib.Path, options: Export) -> None:
    """Write the model, once it has been seen to answer as the net does."""
    out = pathlib.Path(options.out or source.with_suffix(".onnx"))
    say(f"Exporting {source} to {out} …")
    if importlib.util.find_spec("onnx") is None:
        raise SparringError("--onnx needs onnx, which is not installed: pip install 'sparring[onnx]'")
    from sparring.nets import onnx, storage, weights
    from sparring.nets.move_net import MoveNet
    from sparring.nets.nnue import Nnue

    net = weights.load(source)
    if isinstance(net, MoveNet | Nnue):
        raise WeightsError(f"{source} is {weights.kind_of(net)}, but --onnx takes a tower or a perceptron")
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


def _game_of(net: "Net | Tower | Nnue", given: str) -> "Game":
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
