"""The memory of a search: one record a thread, and the transposition table."""

import numpy as np

from sparring.games.game import Game
from sparring.nets.twin import LINE

MOST_PLIES = 100  # the deepest a line can go
MOST_HISTORY = 1024  # earlier positions of the game that repetition can reach back to

# 16 bytes; flags: the bound in the lowest two bits, the age of the search in the others
ENTRY = np.dtype([("key", "u8"), ("score", "i4"), ("move", "u2"), ("depth", "i1"), ("flags", "u1")], align=True)
AGES = 64


def context_dtype(game: Game, judge: np.dtype) -> np.dtype:
    """dtype of a context. judge: what the judgement works with (a net's record), first so that it is aligned."""
    plies, most = MOST_PLIES + 1, game.MOST_MOVES
    return np.dtype(
        [
            ("judge", judge, (1,)),
            ("nodes", "i8"),  # positions visited
            ("judged", "i8"),  # judgements asked for
            ("most_nodes", "i8"),  # stop when so many were visited
            ("stop", "i8"),  # set from outside to end the search
            ("depth", "i8"),  # depth completed
            ("plies", "i8"),  # moves played in the game before the root
            ("past", "i8"),  # earlier positions in `keys`
            ("entries", "i8"),  # length of the table
            ("age", "i8"),  # number of the search in this game, for the table
            ("exact", "i8"),  # 1: table entries count only at equal depth, so a search equals plain minimax
            ("grain", "i8"),  # judgements are rounded to multiples of this score; 0: not
            ("order", "i8"),  # from so many plies left a policy orders moves that the table knows nothing of; 0: never
            ("quiescence", "i8"),  # 1: follow noisy moves at the horizon
            ("keys", "u8", (MOST_HISTORY + plies,)),
            ("stack", game.STATE, (plies,)),
            ("moves", "i4", (plies, most)),
            ("ratings", "i4", (plies, most)),
            ("killers", "i4", (plies, 2)),
            ("history", "i4", (2, game.MOVES)),
            ("line", "i4", (plies, plies)),
            ("line_length", "i4", (plies,)),
            ("root_count", "i8"),
            ("root_moves", "i4", (most,)),
            ("root_scores", "i4", (most,)),
            ("root_line", "i4", (most, plies)),
            ("root_line_length", "i4", (most,)),
        ],
        align=True,
    )


def new_context(game: Game, judge: np.dtype) -> np.ndarray:
    """An empty context, shape (1,), that begins a cache line, where a net is fastest."""
    dtype = context_dtype(game, judge)
    memory = np.zeros(dtype.itemsize + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + dtype.itemsize].view(dtype)


def new_table(entries: int) -> np.ndarray:
    """An empty transposition table; `entries` is rounded down to a power of two of at most 2**24."""
    table = np.zeros(1 << min(max(entries.bit_length() - 1, 4), 24), ENTRY)
    table["depth"] = -1
    return table
