"""Backgammon for nets that see Tesauro's 198 inputs and nothing else: rules for `evaluations.py`."""

from sparring.games.backgammon import MOST_MOVES, MOVES, RESULTS, STATE, chance, key, legal, mover, play, result, start
from sparring.games.backgammon_features import INPUTS, MOST_ACTIVE, see

__all__ = ["MOST_MOVES", "MOVES", "RESULTS", "STATE", "chance", "key", "legal", "mover", "play", "result", "start"]

FEATURES, MOST_FEATURES = INPUTS, MOST_ACTIVE


def features(state, viewer, index, value):
    return see(state, viewer, index, value)
