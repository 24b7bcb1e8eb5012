"""`sparring perft`."""

import json
import time

from sparring.app.options import Perft
from sparring.app.talk import announce_compiling, say
from sparring.errors import SparringError


def run(options: Perft) -> None:
    """Count the lines and print the number, or one number for each first move."""
    if options.depth < 0:
        raise SparringError(f"the depth is {options.depth}, but it must be 0 or more")
    from sparring.app.course import follow
    from sparring.games.game import load
    from sparring.games.walk import count_lines

    announce_compiling("the rules")
    game = load(options.game)
    state = follow(game, options.moves, options.position).state
    count_lines(game, state, min(options.depth, 1))  # so that compiling is not timed
    began = time.perf_counter()
    parts = {}
    if options.split and options.depth > 0:
        for move in game.legal_moves(state):
            parts[game.move_name(state, move)] = count_lines(game, game.after(state, move), options.depth - 1)
    lines = sum(parts.values()) if parts else count_lines(game, state, options.depth)
    seconds = time.perf_counter() - began
    if options.json:
        row = {"game": game.name, "depth": options.depth, "lines": lines, "seconds": seconds}
        print(json.dumps({**row, "split": parts} if options.split else row))
        return
    for name, part in parts.items():
        print(f"{name} {part}")
    print(lines)
    say(f"{seconds:.2f} s, {lines / max(seconds, 1e-9) / 1e6:.1f} million lines a second")
