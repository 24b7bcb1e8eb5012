"""A trained MoveNet as one source file for codingame.com's "Tron Battle": codingame_bot.py with the weights inside."""

import pathlib
import re
import struct
from typing import Any

import numpy as np

from sparring.app import codingame_bot
from sparring.errors import SparringError, WeightsError
from sparring.games.cycles_nearby import AHEAD, ASIDE, BEHIND
from sparring.games.game import Game, load
from sparring.nets import weights
from sparring.nets.move_net import MoveNet, evaluate, inputs_seen

MOST_UNITS = 100_000  # UTF-16 units of a source file that the site takes
LETTER = 14  # bits a character holds
WIDTHS = (14, 12, 10, 8)  # bits of a weight, as many as there is room for
GAME = "light_cycles"
CHECKED = 200  # positions
ENOUGH = 0.97  # of which the bot must play the net's move


def units(text: str) -> int:
    """How long the site finds a text: in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def net_at(path: pathlib.Path) -> MoveNet:
    """Read a net for the bot; WeightsError where it is not a MoveNet of light cycles."""
    net = weights.load(path)
    if not isinstance(net, MoveNet):
        train = "sparring train light-cycles makes one"
        raise WeightsError(f"{path} is {weights.kind_of(net)}, but the bot for CodinGame takes a MoveNet; {train}")
    weights.check_fits(net, load(GAME), str(path))
    return net


def source_of(net: MoveNet, numpy: bool = True) -> str:
    """The source file. numpy: it may use NumPy. SparringError where it would be too long."""
    for bits in WIDTHS:
        text = filled(net, bits, numpy)
        if units(text) <= MOST_UNITS:
            return text
    most = f"CodinGame takes {MOST_UNITS:,}"
    raise SparringError(
        f"with {net.shape.name} the file has {units(text):,} UTF-16 units, but {most}; train a smaller net"
    )


def agreement(net: MoveNet, source: str) -> tuple[float, int]:
    """In which share of positions the bot plays the net's move, and of how many; there is a choice in each of them."""
    game, bot = load(GAME), dict[str, Any](__name__="bot")
    exec(compile(source, "bot", "exec"), bot)
    states = positions(game, CHECKED)
    logits = evaluate(net, inputs_seen(game, states))[:, : game.MOVES]
    same = 0
    for state, row in zip(states, logits, strict=True):
        best = max(game.legal_moves(state), key=row.__getitem__)
        same += bot["choose"](*seen_by_bot(state)) == best
    return same / len(states), len(states)


def seen_by_bot(state: np.void) -> tuple[int, int, int, int]:
    """A position as the bot has it: free cells, the mover's head, the other's, the mover's heading."""
    row, me = codingame_bot.ROW, int(state["turn"])
    taken = sum(int(a) << row * y for y, a in enumerate(state["trails"][0] | state["trails"][1]))
    heads = [row * (int(head) // codingame_bot.WIDTH) + int(head) % codingame_bot.WIDTH for head in state["heads"]]
    return codingame_bot.BOARD & ~taken, heads[me], heads[1 - me], int(state["headings"][me])


def positions(game: Game, n: int) -> np.ndarray:
    """Positions from all of the game, with more than one legal move, (n,) STATE; the same ones each time."""
    random, bot = np.random.default_rng(1), game.bot(game.BOTS[-1])
    found: list[np.void] = []
    number = 0
    while len(found) < n:
        (state,) = game.dealt(number)
        number += 1
        while moves := game.legal_moves(state):
            if len(moves) > 1 and random.random() < 0.1:
                found.append(state)
            state = game.after(state, bot(state) if random.random() < 0.8 else int(random.choice(moves)))
    return np.array(found[:n], game.STATE)


def filled(net: MoveNet, bits: int, numpy: bool) -> str:
    """The bot's source with a net in it, so many bits a weight."""
    layers = net.perceptron("policy")
    text = pathlib.Path(codingame_bot.__file__).read_text(encoding="utf-8")
    if not numpy:
        text = re.sub(r"^# numpy: begin$.*?^# numpy: end$\n*", "", text, flags=re.MULTILINE | re.DOTALL)
    sizes = (layers[0][0].shape[1], *(len(bias) for _, bias in layers))
    values = {"SIZES": sizes, "BITS": bits, "WEIGHTS": packed(layers, bits), "WINDOW": (BEHIND, AHEAD, ASIDE)}
    for name, value in values.items():
        text = _put(text, name, value)
    return text


def _put(text: str, name: str, value: object) -> str:
    """The source with another value of a constant."""
    text, found = re.subn(rf"^{name} = .*?(?=  #|$)", lambda _: f"{name} = {value!r}", text, flags=re.MULTILINE)
    assert found == 1, f"{name} stands {found} times in the bot"
    return text


def packed(layers: list[tuple[np.ndarray, np.ndarray]], bits: int) -> str:
    """Layers as text, 14 bits a character: of each row scale and bias (float32), then its weights over the scale."""
    half = 1 << (bits - 1)
    parts = []
    for weight, bias in layers:
        scales = np.maximum(np.abs(weight).max(1), 1e-20) / (half - 1)
        whole = np.rint(weight / scales[:, None]).astype(int) + half
        for scale, shift, row in zip(scales, bias, whole, strict=True):
            parts.append(format(int.from_bytes(struct.pack(">2f", scale, shift)), "064b"))
            parts.extend(format(value, f"0{bits}b") for value in row)
    every = "".join(parts)
    every += "0" * (-len(every) % LETTER)
    letters = (every[i : i + LETTER] for i in range(0, len(every), LETTER))
    return "".join(chr(codingame_bot.FIRST + int(letter, 2)) for letter in letters)
