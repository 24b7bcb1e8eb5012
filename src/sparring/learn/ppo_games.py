"""Which games PPO plays: whom the learner meets while it learns, and pairs in which nets are measured."""

import numpy as np

from sparring.learn.ppo_settings import PpoSettings
from sparring.learn.seat_play import BOT
from sparring.learn.seats import new_games

LEARNER = 0  # the learner's number among the nets; others follow


def training_games(
    settings: PpoSettings,
    count: int,
    members: int,
    bot: bool,
    deals: np.ndarray,
    length: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Games (count,) GAME of an iteration, by the shares of the settings, the learner as player 0 and 1 in turn.

    members: of the pool, nets 1 to members; with none the learner meets itself instead. deals: (count,), of each game.
    length: of games so far, in plies. Only the learner's own decisions are learned from; against itself in both seats.
    """
    others = np.full(count, LEARNER, np.int64)
    against_bot = round(settings.teacher_share * count) if bot else 0
    others[:against_bot] = BOT
    against_pool = round(settings.pool_share * (count - against_bot)) if members else 0
    others[against_bot : against_bot + against_pool] = 1 + np.arange(against_pool) % max(members, 1)
    places = np.arange(count) % 2
    places[against_bot : against_bot + against_pool] = np.arange(against_pool) // max(members, 1) % 2
    seats = np.full((count, 2), LEARNER)
    seats[np.arange(count), 1 - places] = others
    learns = (seats == LEARNER).astype(np.int32)
    midgame = rng.random(count) < settings.midgame
    games = new_games(deals, seats, learns, 0, int(rng.integers(1 << 62)))
    games["lead"] = np.where(midgame, rng.integers(1, max(round(length), 2), size=count), 0)
    games["opening"] = np.where(midgame, rng.integers(1, settings.midgame_moves + 1, size=count), 0)
    return games


def pairs(first: int, second: int, deals: np.ndarray, opening: int, seed: int) -> np.ndarray:
    """Games (2 × deals,) GAME: from each first position one with net `first` as player 0 and one as player 1."""
    seats = np.tile(np.array([[first, second], [second, first]]), (len(deals), 1))
    return new_games(np.repeat(deals, 2), seats, np.zeros(2), opening, seed)


def games_in(settings: PpoSettings, played: int) -> int:
    """Games of the next iteration, when so many have been played: twice as many after every 100 iterations."""
    count, until = settings.games, 0
    while count < settings.most_games:
        until += 100 * count
        if played < until:
            break
        count = min(2 * count, settings.most_games)
    return count
