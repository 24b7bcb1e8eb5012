"""How fast a run learns at which point of it."""

import math

LAST = 0.05  # of the highest step size, at the end


def slowed(done: float) -> float:
    """Share of the highest step size, when the share `done` of a run is over.

    Half a cosine wave down to LAST (Loshchilov and Hutter 2017); past the end it stays there.
    """
    return LAST + (1.0 - LAST) * 0.5 * (1.0 + math.cos(math.pi * min(done, 1.0)))
