"""Kernels that walk a game by its rules alone: random games and perft. `Game.bind("games.walk")` joins them to one."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import (
    CHANCE,
    LIMIT,
    ONGOING,
    REPETITION,
    chance,
    ended,
    key,
    legal,
    mover,
    play,
    quiet,
    result,
)
from sparring.records import copy_record
from sparring.rng import draw_below, draw_index

DRAWN = -2  # ended by repetition or by the limit


@compiled
def choices(state, moves, probabilities):
    """Legal moves, or the outcomes of chance with their probabilities. Returns how many."""
    if mover(state) == CHANCE:
        return chance(state, moves, probabilities)
    return legal(state, moves)


@compiled
def random_step(state, moves, probabilities, rng):
    """Play a uniformly random move, or roll the dice. Returns what was played."""
    n = choices(state, moves, probabilities)
    pick = draw_index(rng, probabilities, n) if mover(state) == CHANCE else draw_below(rng, n)
    move = np.int64(moves[pick])
    play(state, move)
    return move


@compiled
def random_plies(state, plies, moves, probabilities, rng):
    """Play random moves until `plies` decisions were made or the game is over (then `state` is a finished position).

    Dice are rolled on the way and after the last move; they do not count. Returns the number of decisions.
    """
    done = 0
    while result(state) == ONGOING and (done < plies or mover(state) == CHANCE):
        if mover(state) != CHANCE:
            done += 1
        random_step(state, moves, probabilities, rng)
    return done


@compiled
def occurrences(keys, n, reach):
    """How often keys[n] occurs among the `reach` entries before it."""
    found = 0
    for i in range(max(n - reach, 0), n):
        if keys[i] == keys[n]:
            found += 1
    return found


@compiled
def random_game(state, moves, probabilities, rng, keys, most):
    """Play random moves from `state` to the end, or for `most` moves.

    keys: uint64 buffer of most + 1, used where the game counts repetitions. Returns (the end, the number of moves):
    an index into RESULTS, DRAWN by repetition or limit, or ONGOING after `most`.
    """
    plies = 0
    while True:
        end = result(state)
        if end != ONGOING:
            return end, plies
        if REPETITION > 0:
            keys[plies] = key(state)
            if occurrences(keys, plies, quiet(state)) >= REPETITION - 1:
                return DRAWN, plies
        if LIMIT > 0 and plies >= LIMIT:
            return DRAWN, plies
        if plies >= most:
            return ONGOING, plies
        random_step(state, moves, probabilities, rng)
        plies += 1


@compiled
def random_games(states, moves, probabilities, rng, keys, most, lengths, ends):
    """Play each of `states` to its end; fills lengths (int64) and ends (int64). Returns the number of moves in all."""
    total = 0
    for i in range(states.shape[0]):
        end, plies = random_game(states[i], moves, probabilities, rng, keys, most)
        lengths[i] = plies
        ends[i] = end
        total += plies
    return total


@compiled
def perft(plies, probabilities, depth, on_to_the_last, slice_nodes):
    """Count the lines of `depth` moves (outcomes of chance are moves) below plies[0], in slices.

    plies: depth + 1 records of `plies_dtype`; next < 0 begins anew. Repetition and the limit play no part, and where
    `on_to_the_last` nothing ends a line but that no move is left. Stops after about `slice_nodes` nodes; call again
    until the ply it stands at, plies[depth]["next"], is -1. Returns the lines that it counted.
    """
    lines = 0
    nodes = 0
    if plies[0]["next"] < 0:
        plies[depth]["next"] = 0
        open_ply(plies[0], probabilities, on_to_the_last)
    ply = plies[depth]["next"]
    while ply >= 0 and nodes < slice_nodes:
        here = plies[ply]
        if here["next"] == here["count"]:
            ply -= 1
        elif ply == depth - 1:
            lines += here["count"]
            here["next"] = here["count"]
        elif ply == depth - 2:
            lines += last_lines(here, plies[ply + 1], probabilities, on_to_the_last)
            nodes += here["count"]
            here["next"] = here["count"]
        else:
            below = plies[ply + 1]
            copy_record(here["state"], below["state"])
            play(below["state"], np.int64(here["moves"][here["next"]]))
            here["next"] += 1
            open_ply(below, probabilities, on_to_the_last)
            nodes += 1
            ply += 1
    plies[depth]["next"] = ply
    return lines


@compiled
def open_ply(ply, probabilities, on_to_the_last):
    """Find the moves of a ply's position, none after the end, and stand before the first."""
    ply["next"] = 0
    ply["count"] = 0
    if on_to_the_last or ended(ply["state"]) == ONGOING:
        ply["count"] = choices(ply["state"], ply["moves"][:], probabilities)


@compiled
def last_lines(here, below, probabilities, on_to_the_last):
    """How many moves there are in all after each of those of `here`; they are not played."""
    lines = 0
    moves = below["moves"][:]  # of a record, whose references nobody counts
    state = below["state"]
    for i in range(here["count"]):
        copy_record(here["state"], state)
        play(state, np.int64(here["moves"][i]))
        if on_to_the_last or ended(state) == ONGOING:
            lines += choices(state, moves, probabilities)
    return lines


def plies_dtype(game):
    """What `perft` keeps of a ply: its position, the moves, how many they are and which is next."""
    moves = ("moves", "i4", (game.MOST_MOVES,))
    return np.dtype([("state", game.STATE), moves, ("count", "i8"), ("next", "i8")], align=True)


def count_lines(game, state, depth, stop=None):
    """perft of `game` from `state`: the number of lines of `depth` moves. stop: called between slices; may raise.

    Where the rules file has `ended`, what it sees (in chess the fifty moves, too little material) does not end a line:
    so do chess programs count.
    """
    if depth == 0:
        return 1
    walk = game.bind("games.walk")
    plies = np.zeros(depth + 1, plies_dtype(game))
    plies["state"][0] = state
    plies["next"][0] = -1
    probabilities = np.zeros(game.MOST_MOVES)
    lines = 0
    while True:
        lines += int(walk.perft(plies, probabilities, depth, game.defines("ended"), 1_000_000))
        if plies["next"][depth] < 0:
            return lines
        if stop is not None:
            stop()


def random_positions(game, n, seed=1):
    """Positions early in random games in which a player is to move, (n,) STATE; the same ones for a seed."""
    random, found = np.random.default_rng(seed), []
    while len(found) < n:
        state = game.dealt(len(found))[0]
        for _ in range(int(random.integers(0, 12))):
            if moves := game.legal_moves(state):
                state = game.after(state, int(random.choice(moves)))
        if game.legal_moves(state) and game.mover(state) != CHANCE:
            found.append(state)
    return np.array(found, game.STATE)
