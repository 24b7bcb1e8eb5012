"""The memory of a Monte Carlo tree search: nodes and edges in arrays made once, a lane for each position searched.

Everything in a tree is told as player 0 sees it, in utilities: a value from -1 to 1 (results over the largest of them)
that is a little higher the sooner a win comes. An edge and a node know between which utilities their true one lies;
where the two bounds meet, they are proven.
"""

import functools
from dataclasses import dataclass

import numpy as np

from sparring.errors import PlayerError
from sparring.games.game import Game
from sparring.search.plain import frame_dtype

MOST_DEPTH = 400  # moves below the root that a line is followed
MOST_CONSIDERED = 16  # moves that sequential halving chooses among (Danihelka et al. 2022)
MOST_LOOKAHEAD = 8  # plies
PUCT, GUMBEL, UCT = 0, 1, 2  # rules of selection

EDGE = np.dtype(
    [
        ("move", "i4"),  # or the outcome of chance
        ("child", "i4"),  # its node, or -1
        ("visits", "i4"),
        ("prior", "f4"),
        ("logit", "f4"),  # logarithm of the prior, without noise
        ("total", "f4"),  # sum of the utilities found below
        ("low", "f4"),
        ("high", "f4"),
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("first", "i4"),  # its edges are `count` edges from this one on
        ("count", "i4"),
        ("parent", "i4"),  # edge that leads here, -1 at the root
        ("mover", "i4"),
        ("visits", "i4"),  # of its edges, together
        ("total", "f4"),  # of its edges, together
        ("judged", "f4"),  # utility that it was judged by when it was new
        ("low", "f4"),
        ("high", "f4"),
    ],
    align=True,
)
HOW = np.dtype(
    [
        ("rule", "i8"),  # PUCT, GUMBEL or UCT
        ("considered", "i8"),  # moves that the Gumbel rule begins with
        ("puct", "f8"),  # exploration
        ("first_play", "f8"),  # how much worse than its parent an unvisited move is thought to be
        ("haste", "f8"),  # how much of a result's value is lost when it comes at the end of the longest game
        ("longest", "f8"),  # plies of the longest game
        ("visit_scale", "f8"),  # of completed values against priors
        ("value_scale", "f8"),
        ("lookahead", "i8"),  # plies of alpha-beta that each new move is tried by
        ("forced", "f8"),  # visits that every move at the root gets, as a multiple of sqrt(prior × visits)
    ],
    align=True,
)


@dataclass(frozen=True)
class Selection:
    """How a search chooses where to look next.

    rule: "gumbel" (deterministic with completed values: Danihelka et al. 2022), "puct" (Silver et al. 2017) or "uct"
    (Kocsis and Szepesvári 2006). puct: exploration of PUCT and UCT. first_play: an unvisited move counts as the value
    of its position less this, except at the root. haste: a win in the first move is worth 1, at the end of the longest
    game 1 - haste. forced: KataGo's forced playouts (Wu 2019), a multiple of sqrt(prior × visits); 0: none.
    lookahead: each move of a new node is followed by so many plies of alpha-beta, 0 to MOST_LOOKAHEAD, so that wins and
    losses that near are proven before any visit (MCTS-minimax hybrids: Baier and Winands 2015). Not with dice.
    """

    rule: str = "gumbel"
    puct: float = 1.5
    first_play: float = 0.2
    haste: float = 0.3
    visit_scale: float = 50.0
    value_scale: float = 1.0
    considered: int = MOST_CONSIDERED
    forced: float = 0.0
    lookahead: int = 0

    def record(self, longest: int) -> np.ndarray:
        """For kernels: shape (1,), dtype HOW."""
        rules = {"puct": PUCT, "gumbel": GUMBEL, "uct": UCT}
        if self.rule not in rules:
            raise PlayerError(f"rule is {self.rule!r}, but it must be one of {', '.join(rules)}")
        numbers = (self.puct, self.first_play, self.haste, float(longest), self.visit_scale, self.value_scale)
        if not 0 <= self.lookahead <= MOST_LOOKAHEAD:
            raise PlayerError(f"lookahead is {self.lookahead}, but it must be 0 to {MOST_LOOKAHEAD} plies")
        return np.array([(rules[self.rule], self.considered, *numbers, self.lookahead, self.forced)], HOW)


def lane_dtype(game: Game) -> np.dtype:
    """dtype of a lane: what is known of one search but its nodes and edges."""
    most, outcome = game.MOST_MOVES, len(game.RESULTS) + 1
    keys = MOST_DEPTH if game.REPETITION else 1
    frames = (MOST_LOOKAHEAD + 1,)
    return np.dtype(
        [
            ("rng", "u8", (1,)),
            ("key", "u8"),  # of the leaf as the cache knows it
            ("root", game.STATE, (1,)),
            ("leaf", game.STATE, (1,)),
            ("seen", game.STATE, (1,)),  # the leaf under the symmetry that the cache and the net see it by
            ("image", "i8"),  # that symmetry
            ("plies", "i8"),  # moves played before the root
            ("nodes", "i8"),  # in use
            ("edges", "i8"),
            ("depth", "i8"),  # edges from the root to the leaf
            ("done", "i8"),  # simulations of this search
            ("budget", "i8"),  # simulations wanted
            ("question", "i8"),  # which of the positions asked about it searches, or -1
            ("row", "i8"),  # where the game's earlier positions stand
            ("past", "i8"),  # how many there are
            ("best", "i8"),  # place of the move to play among the root's edges
            ("frames", frame_dtype(game), frames),  # room for the look ahead
            ("path", "i4", (MOST_DEPTH,)),  # edges
            ("path_keys", "u8", (keys,)),
            ("moves", "i4", (most,)),  # room for kernels
            ("seen_moves", "i4", (most,)),
            ("chances", "f8", (most,)),
            ("logits", "f4", (most,)),  # of the leaf: log-priors in the order of the legal moves of `seen`
            ("outcome", "f4", (outcome,)),  # of the leaf: chances of the RESULTS, then the score; as player 0 sees it
            ("noise", "f4", (most,)),  # at the root
            ("found", "f4", (most, outcome)),  # sums of outcomes below each edge of the root, in this search
            ("counted", "i4", (most,)),  # how many they are sums of
            ("policy", "f4", (most,)),  # what the search thinks of the root's moves
            ("verdict", "f4", (outcome,)),  # what it thinks of the root
            ("slots", "i4", (game.MOVES,)),  # room for kernels: place of a move among `seen_moves`
        ],
        align=True,
    )


def nodes_for(simulations: int) -> int:
    """Nodes that a search of so many simulations has room for."""
    return 2 * simulations + 4


def room_for(game: Game, memory: int) -> int:
    """Simulations of one search that fit into so many bytes, at most a million."""
    return min(memory // (2 * (NODE.itemsize + game.MOST_MOVES * EDGE.itemsize)), 1_000_000)


@dataclass(frozen=True)
class Forest:
    """Trees for many positions at once.

    lanes: (n,) lane_dtype. nodes, edges: (n, most) of NODE and EDGE. A search ends early where its room is used up.
    """

    lanes: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray

    @staticmethod
    def of(game: Game, lanes: int, simulations: int, memory: int = 4 << 30) -> "Forest":
        """Room for `lanes` searches of so many simulations; PlayerError where it would take more than `memory` bytes.

        A tree that is kept between moves may hold twice its simulations.
        """
        nodes = nodes_for(simulations)
        edges = nodes * game.MOST_MOVES
        size = lanes * (lane_dtype(game).itemsize + nodes * NODE.itemsize + edges * EDGE.itemsize)
        if size > memory:
            raise PlayerError(
                f"{lanes} searches of {simulations} simulations take {size / 2**30:.1f} GiB for {game.name}, but at "
                f"most {memory / 2**30:.1f} are meant for them; use fewer at once or fewer simulations"
            )
        return Forest(np.zeros(lanes, lane_dtype(game)), np.zeros((lanes, nodes), NODE), np.zeros((lanes, edges), EDGE))


def halving(moves: int, simulations: int) -> list[int]:
    """Of each simulation in turn: how many visits the move has that gets it (sequential halving, Karnin et al. 2013).

    moves: how many are considered at first.
    """
    if moves <= 1:
        return list(range(simulations))
    rounds = int(np.ceil(np.log2(moves)))
    order: list[int] = []
    visits, left = [0] * moves, moves
    while len(order) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            order.extend(visits[:left])
            visits[:left] = [v + 1 for v in visits[:left]]
        left = max(2, left // 2)
    return order[:simulations]


@functools.lru_cache(maxsize=256)
def halving_table(simulations: int, width: int = 0) -> np.ndarray:
    """`halving` for 0 to MOST_CONSIDERED moves, int32 (MOST_CONSIDERED + 1, width); width 0: as many as simulations.

    The last entry stands for all that may come later. Not to be written into: the same one is handed out again.
    """
    table = np.array([halving(m, simulations) for m in range(MOST_CONSIDERED + 1)], np.int32)
    return np.pad(table, ((0, 0), (0, max(width - simulations, 0))), "edge")
