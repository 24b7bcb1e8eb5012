"""What a game is like, by random games, always the same ones: how long it lasts, how many moves a position has."""

import functools

import numpy as np

from sparring.compiled import INTERPRETED
from sparring.games.contract import ONGOING
from sparring.games.game import Game
from sparring.rng import seeded

RANDOM_GAMES = 100 if INTERPRETED else 5000
BOUND_SEEN = 5  # games that show a length to be the longest
MOVED = 20  # games whose moves are counted
LONG = 2000  # plies that are looked at
FEW = 3000  # positions that the look ahead of all moves of a new node may cost
FAR = 4  # plies of a look ahead, at most


@functools.cache
def longest_game(game: Game) -> int:
    """Plies that no game is longer than, or that few are.

    LIMIT; or the longest of many random games where several end with it, as they do where something fills up; or
    twice as many.
    """
    if game.LIMIT:
        return int(game.LIMIT)
    lengths = random_lengths(game)
    longest = int(lengths.max())
    return longest if (lengths == longest).sum() >= BOUND_SEEN else 2 * longest


def random_lengths(game: Game, games: int = RANDOM_GAMES, most: int = LONG) -> np.ndarray:
    """Lengths in plies of random games, always the same ones; games are cut off at `most`."""
    lengths, ends = np.zeros(games, np.int64), np.zeros(games, np.int64)
    rooms = (np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES))
    rng = seeded(1)
    game.bind("games.walk").random_games(
        game.states(games), *rooms, rng, np.zeros(most + 1, np.uint64), most, lengths, ends
    )
    return lengths


@functools.cache
def usual_moves(game: Game) -> float:
    """How many legal moves a position has, on average."""
    rng, counts = np.random.default_rng(1), []
    for _ in range(MOVED):
        state = game.states(1)[0]
        plies = 0
        while (moves := game.legal_moves(state)) and plies < LONG:
            counts.append(len(moves))
            game.play(state, int(rng.choice(moves)))
            plies += 1
    return float(np.mean(counts))


def usual_lookahead(game: Game) -> int:
    """Plies of alpha-beta that a tree search can afford for each move of a new node; 0 with dice."""
    if game.defines("chance"):
        return 0
    moves = max(usual_moves(game), 2.0)
    cost = np.cumsum(moves ** np.arange(2, FAR + 2))  # of one ply, two, …
    return int((cost <= FEW).sum())


def usual_active(game: Game, seed: int) -> float:
    """How many inputs are set at once, on average, over positions of random games."""
    walk = game.bind("games.walk")
    moves, chances = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    rng, counts = seeded(seed), []
    for _ in range(64):
        state = game.states(1)[0]
        for _ in range(400):
            if game.result(state) != ONGOING:
                break
            counts.append(game.features(state, max(game.VIEWER, 0), index, value))
            walk.random_step(state, moves, chances, rng)
    return float(np.mean(counts))
