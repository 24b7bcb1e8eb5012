"""The memory of a search: one record a thread."""

import numpy as np

from sparring.games.game import Game
from sparring.nets.twin import LINE

MOST_PLIES = 100  # the deepest a line can go
MOST_HISTORY = 1024  # earlier positions of the game that repetition can reach back to


def context_dtype(game: Game, judge: np.dtype) -> np.dtype:
    """dtype of a context. judge: what the judgement works with (a net's record), first so that it is aligned."""
    plies, most, slots = MOST_PLIES + 1, game.MOST_MOVES, max(game.SLOTS, 1)
    return np.dtype(
        [
            ("judge", judge, (1,)),
            ("nodes", "i8"),  # positions visited
            ("judged", "i8"),  # judgements asked for
            ("most_nodes", "i8"),  # stop when so many were visited
            ("soft_nodes", "i8"),  # begin no iteration after so many; 0: no limit
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
            ("skills", "i8"),  # which techniques of a selective search it uses, bits of selective.py
            ("deepest", "i8"),  # the ply that a line reached
            ("keys", "u8", (MOST_HISTORY + plies,)),
            ("stack", game.STATE, (plies,)),
            ("moves", "i4", (plies, most)),
            ("ratings", "i4", (plies, most)),
            ("ranks", "i8", (plies, most)),  # rating and place of each move (ordering.py)
            ("tried", "i4", (plies, most)),  # moves in the order in which they were looked at
            ("killers", "i4", (plies, 2)),
            ("history", "i4", (2, game.MOVES)),
            ("static", "i4", (plies,)),  # the judgement of each position on the line
            ("checked", "i1", (plies,)),  # whether the player to move there is in check, where the rules tell
            ("slots", "i4", (plies,)),  # the kind of the move that was played there
            ("follow", "i2", (2, slots, slots)),  # what kinds of moves did after others, one and two plies later
            ("line", "i4", (plies, plies)),
            ("line_length", "i4", (plies,)),
            ("only", "i8"),  # how many root moves are looked at; 0: all
            ("only_moves", "i4", (most,)),
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
