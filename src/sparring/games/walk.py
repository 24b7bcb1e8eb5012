"""Kernels that walk a game by its rules alone: random games and perft. `Game.bind("games.walk")` joins them to one."""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import CHANCE, LIMIT, ONGOING, REPETITION, chance, key, legal, mover, play, quiet, result
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
    move = moves[pick]
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
def perft(stack, moves, probabilities, counts, at, depth, slice_nodes):
    """Count the lines of `depth` moves (outcomes of chance are moves) below stack[0], in slices.

    stack: STATE, depth + 1. moves: int32, (depth + 1, MOST_MOVES). counts, at: int64, depth + 1, how many moves there
    are and which is next; counts[0] < 0 begins anew. Repetition and the limit play no part. Stops after about
    `slice_nodes` nodes; call again until at[depth], the ply it stands at, is -1. Returns the lines that it counted.
    """
    lines = 0
    nodes = 0
    if counts[0] < 0:
        at[depth] = 0
        at[0] = 0
        counts[0] = choices(stack[0], moves[0], probabilities) if result(stack[0]) == ONGOING else 0
    ply = at[depth]
    while ply >= 0 and nodes < slice_nodes:
        if at[ply] == counts[ply]:
            ply -= 1
            continue
        if ply == depth - 1:
            lines += counts[ply]
            at[ply] = counts[ply]
            continue
        move = moves[ply, at[ply]]
        at[ply] += 1
        stack[ply + 1] = stack[ply]
        play(stack[ply + 1], move)
        nodes += 1
        ply += 1
        at[ply] = 0
        counts[ply] = choices(stack[ply], moves[ply], probabilities) if result(stack[ply]) == ONGOING else 0
    at[depth] = ply
    return lines


def count_lines(game, state, depth, stop=None):
    """perft of `game` from `state`: the number of lines of `depth` moves. stop: called between slices; may raise."""
    if depth == 0:
        return 1
    walk = game.bind("games.walk")
    stack = np.zeros(depth + 1, game.STATE)
    stack[0] = state
    moves = np.zeros((depth + 1, game.MOST_MOVES), np.int32)
    counts = np.full(depth + 1, -1, np.int64)
    at = np.zeros(depth + 1, np.int64)
    probabilities = np.zeros(game.MOST_MOVES)
    lines = 0
    while True:
        lines += int(walk.perft(stack, moves, probabilities, counts, at, depth, 1_000_000))
        if at[depth] < 0:
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
