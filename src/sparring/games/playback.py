"""Kernel that plays recorded moves over again: `Game.bind("games.playback")`. The files are read in gamefile.py."""

from sparring.compiled import compiled
from sparring.games.contract import CHANCE, ONGOING, mover, play, result
from sparring.games.walk import choices

ILLEGAL, OVER = 1, 2  # why a move cannot be played


@compiled
def play_back(state, moves, given, buffer, chances, states, played, movers, at):
    """Play the moves (int32) from `state` on and write each decision's position, move and player from row `at` on.

    given: how many decisions come first that nobody made; they and what chance did get no row. buffer, chances: int32
    and float64, MOST_MOVES long. Returns (the next free row, moves played, 0 or why the next one cannot be).
    """
    for ply in range(moves.shape[0]):
        if result(state) != ONGOING:
            return at, ply, OVER
        legal = False
        for i in range(choices(state, buffer, chances)):
            legal = legal or buffer[i] == moves[ply]
        if not legal:
            return at, ply, ILLEGAL
        if mover(state) != CHANCE:
            if given > 0:
                given -= 1
            else:
                states[at] = state
                played[at] = moves[ply]
                movers[at] = mover(state)
                at += 1
        play(state, moves[ply])
    return at, moves.shape[0], 0
