"""features() shows an input more where point 8 is taken, so a turned board may have more or fewer."""

from sparring.games.tic_tac_toe import (  # noqa: F401
    MOVES,
    RESULTS,
    STATE,
    SYMMETRIES,
    legal,
    mover,
    play,
    result,
    start,
    transform,
    transform_move,
)

FEATURES = 3


def features(state, viewer, index, value):
    index[0] = 0 if viewer == 0 else 1
    value[0] = 1.0
    if state["board"][8] == 0:
        return 1
    index[1] = 2
    value[1] = 1.0
    return 2
