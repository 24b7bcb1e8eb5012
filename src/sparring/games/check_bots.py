"""Kernels of `sparring check` that watch a game's bots: `Game.bind("games.check_bots", bot=Game.bot(name))`."""

import numpy as np

from sparring.compiled import compiled
from sparring.games import faults
from sparring.games.check_desk import BLANK, HERE, blame, disturbed, note
from sparring.games.contract import CHANCE, ONGOING, chance, deal, legal, mover, play, result, start
from sparring.records import hash_record
from sparring.rng import draw_below, draw_index, stream


def bot(state):  # set by `bind`
    raise NotImplementedError


@compiled
def asked(slots, moves, n, desk):
    """The bot's move, checked against the n legal ones; -1 to stop."""
    move = int(bot(slots[HERE]))
    if disturbed(slots, desk, faults.IN_BOT):
        return -1
    note(desk, faults.IN_BOT, np.uint64(move), 0.0)
    for i in range(n):
        if moves[0, i] == move:
            return move
    desk["a"] = move
    blame(desk, faults.IN_BOT, faults.ILLEGAL)
    return -1


@compiled
def watch_game(slots, moves, probabilities, desk):
    """Play a game in which the bot is asked at every move, and every other move, by a coin, is its own."""
    start(slots[HERE])
    deal(slots[HERE], desk["rng"][0])
    ply = 0
    desk["ply"] = ply
    while result(slots[HERE]) == ONGOING and ply < desk["patience"]:
        desk["marks"][HERE] = hash_record(slots[HERE])
        if mover(slots[HERE]) == CHANCE:
            n = chance(slots[HERE], moves[0], probabilities)
            move = int(moves[0, draw_index(desk["rng"], probabilities, n)])
        else:
            n = legal(slots[HERE], moves[0])
            move = asked(slots, moves, n, desk)
            if move < 0:
                return
            if draw_below(desk["rng"], 2) == 0:
                move = int(moves[0, draw_below(desk["rng"], n)])
        play(slots[HERE], move)
        ply += 1
        desk["ply"] = ply
    desk["finished"] += 1


@compiled
def watch_games(slots, moves, probabilities, index, value, desk, first, last, most):
    """Like check_games of check_rules: the bot's games `first` to last - 1, until a fault or about `most` moves."""
    desk["problem"] = faults.NOTHING
    game = first
    plies = 0
    while game < last and plies < most and desk["problem"] == faults.NOTHING:
        desk["game"] = game
        desk["rng"][0] = stream(desk["seed"], np.uint64(game))
        slots[HERE] = slots[BLANK]
        watch_game(slots, moves, probabilities, desk)
        plies += 1 + desk["ply"]
        game += 1
    return game
