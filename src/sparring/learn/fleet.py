"""Self-play by tree search: many games advance together, each to its next question to the net.

Kernels that build on those of search/fleet.py. A lane plays one game after the other; a finished game becomes rows.
"""

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, RESULTS, deal, legal, play, result
from sparring.learn.under_way import outcome_of, remember_key, roll
from sparring.records import beside, copy_record
from sparring.rng import draw_below, draw_index, draw_unit, draw_word
from sparring.search.choosing import add_noise, best_with_noise, conclude, keep_below
from sparring.search.leaves import answered, read_outputs, remember
from sparring.search.mcts import DONE, begin, descend, end_score, grow, over
from sparring.search.tree import GUMBEL

ENDS = 3  # set by `join`, as are the kernels above: how many RESULTS there are
DEALT = False  # set by the driver: games begin with different first positions
ZERO, ONE = np.int64(0), np.int64(1)
ONE_BIT = np.uint64(1)  # the upper half of first positions is for matches
NOTHING, WHOLE = np.float32(0.0), np.float32(1.0)
SIMULATIONS, ASKED, KNOWN, PROVEN, PLIES, GAMES, FIRST, SECOND, ROWS, SETTLED = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
COUNTS = 11
SLICE = 2_000  # simulations a lane may run in one call

STYLE = np.dtype(
    [
        ("simulations", "i8"),
        ("quick", "i8"),  # simulations of moves that are not learned from
        ("full", "f8"),  # share of moves that get all simulations and are learned from
        ("made_of", "i8"),  # VISITS or IMPROVED
        ("noise", "f8"),
        ("concentration", "f8"),
        ("warm", "i8"),  # plies that are drawn by visits; later the best is played
        ("opened", "f8"),  # share of games that begin with random moves
        ("opening", "i8"),  # at most so many
        ("trace", "f8"),
        ("settled", "f8"),  # share of games that end as soon as their result is proven
        ("keep", "i8"),  # keep the subtree
        ("longest", "i8"),
    ],
    align=True,
)


def game_dtype(game, longest):
    """dtype of the games' state beside their lanes."""
    outcome = len(game.RESULTS) + 1
    past = np.dtype(
        [
            ("state", game.STATE, (1,)),
            ("policy", "f4", (game.MOST_MOVES,)),
            ("verdict", "f4", (outcome,)),
            ("move", "i4"),
            ("full", "i4"),
            ("proven", "i4"),
        ],
        align=True,
    )
    return np.dtype(
        [
            ("rng", "u8", (1,)),
            ("running", "i8"),
            ("full", "i8"),
            ("settles", "i8"),
            ("n", "i8"),  # positions in `past`
            ("after", "f4", (outcome,)),
            ("past", past, (longest + 1,)),
        ],
        align=True,
    )


@compiled
def new_game(lane, game, first, style, keys):
    """The first position, or one after random moves from which the game still goes on."""
    rng = game["rng"]
    root = lane["root"][0]
    while True:
        copy_record(first, root)
        if DEALT:
            deal(root, draw_word(rng) >> ONE_BIT)
        lane["plies"] = roll(root, lane, rng)
        lane["past"] = 0
        wanted = (
            draw_below(rng, style["opening"]) + 1 if style["opening"] > 0 and draw_unit(rng) < style["opened"] else ZERO
        )
        while wanted > 0 and result(root) == ONGOING:
            remember_key(lane, keys)
            n = legal(root, lane["moves"])
            play(root, np.int64(lane["moves"][draw_below(rng, n)]))
            lane["plies"] += 1 + roll(root, lane, rng)
            wanted -= 1
        if outcome_of(lane, keys) == ONGOING and lane["plies"] < style["longest"]:
            break
    game["n"] = 0
    game["running"] = 1
    game["settles"] = draw_unit(rng) < style["settled"]
    new_search(lane, game, style)


@compiled
def new_search(lane, game, style):
    """Decide how thoroughly the root is searched."""
    game["full"] = draw_unit(game["rng"]) < style["full"]
    begin(lane, style["simulations"] if game["full"] != 0 else style["quick"])


@compiled
def made(lane, nodes, edges, how, game, style):
    """Make the node of the judged leaf; a root that is learned from gets noise."""
    at_root = lane["depth"] == 0
    grow(lane, nodes, edges, how)
    if at_root and game["full"] != 0:
        add_noise(lane, nodes, edges, how, style["noise"], style["concentration"])


@compiled
def pick(lane, nodes, edges, how, game, style):
    """The place of the move that is played."""
    if nodes["low"] == nodes["high"] or (game["full"] == 0 and lane["plies"] >= style["warm"]):
        return lane["best"]
    if how["rule"] == GUMBEL:
        return best_with_noise(lane, nodes, edges, how) if game["full"] != 0 else lane["best"]
    if lane["plies"] < style["warm"]:
        return draw_index(game["rng"], lane["policy"], np.int64(nodes["count"]))
    return lane["best"]


@compiled
def likeliest(outcome):
    """The result with the largest chance."""
    best = ZERO
    for end in range(1, ENDS):
        if outcome[end] > outcome[best]:
            best = np.int64(end)
    return best


@compiled
def finish_game(lane, game, end, how, style, out, counts):
    """A finished game's positions become rows: targets between the result and the search's verdicts, TD(λ) backwards.

    Where the search proved a position, the proof counts and not how the game went on. end: the result, or ONGOING where
    the game was cut off, proven or too long: then the search's verdict of the last position stands for it.
    """
    after, n = game["after"], game["n"]
    for i in range(ENDS + 1):
        after[i] = game["past"][n - 1]["verdict"][i] if end == ONGOING else NOTHING
    if end == ONGOING:
        end = likeliest(after)
    else:
        after[end] = WHOLE
        after[ENDS] = end_score(end, lane["plies"], how)
    for t in range(n - 1, -1, -1):
        past = game["past"][t]
        trace = np.float32(0.0 if past["proven"] != 0 else style["trace"])
        for i in range(ENDS + 1):
            after[i] = trace * after[i] + (WHOLE - trace) * past["verdict"][i]
        if past["full"] != 0 and counts[ROWS] < out.shape[0]:
            row = out[counts[ROWS]]
            counts[ROWS] += 1
            copy_record(past["state"][0], row["state"][0])
            for i in range(row["policy"].shape[0]):
                row["policy"][i] = past["policy"][i]
            for i in range(ENDS + 1):
                row["outcome"][i] = after[i]
            row["left"] = n - t
            row["reply"] = game["past"][t + 1]["move"] if t + 1 < n else -1
            row["merged"] = WHOLE
    counts[GAMES] += 1
    counts[FIRST] += RESULTS[end] > 0.0
    counts[SECOND] += RESULTS[end] < 0.0
    game["running"] = 0


@compiled
def note(lane, nodes, game, move):
    """The position at the root, what the search said of it and the move that is played."""
    past = game["past"][game["n"]]
    game["n"] += 1
    copy_record(lane["root"][0], past["state"][0])
    for i in range(past["policy"].shape[0]):
        past["policy"][i] = lane["policy"][i] if i < nodes["count"] else NOTHING
    for i in range(ENDS + 1):
        past["verdict"][i] = lane["verdict"][i]
    past["full"] = game["full"]
    past["proven"] = nodes["low"] == nodes["high"]
    past["move"] = move


@compiled
def move_on(lane, nodes, edges, how, game, style, keys, out, counts):
    """The search is over: note what it said, play, and search on or finish the game."""
    conclude(lane, nodes, edges, how, style["made_of"])
    place = np.int64(pick(lane, nodes, edges, how, game, style))
    move = np.int64(beside(edges, np.int64(nodes["first"]) + place)["move"])
    note(lane, nodes, game, move)
    counts[PLIES] += 1
    if game["settles"] != 0 and nodes["low"] == nodes["high"]:
        counts[SETTLED] += 1
        finish_game(lane, game, np.int64(ONGOING), how, style, out, counts)
        return
    remember_key(lane, keys)
    game["full"] = draw_unit(game["rng"]) < style["full"]
    budget = style["simulations"] if game["full"] != 0 else style["quick"]
    kept = keep_below(lane, nodes, edges, place, budget)
    rolled = roll(lane["root"][0], lane, game["rng"])
    lane["plies"] += rolled
    end = outcome_of(lane, keys)
    if end != ONGOING or lane["plies"] >= style["longest"]:
        finish_game(lane, game, end, how, style, out, counts)
    elif not kept or rolled > 0 or style["keep"] == 0:
        begin(lane, budget)
    elif game["full"] != 0:
        add_noise(lane, nodes, edges, how, style["noise"], style["concentration"])


@compiled
def advance(
    lanes,
    nodes,
    edges,
    how,
    halvings,
    games,
    first,
    style,
    keys,
    cache,
    net,
    inputs,
    waiting,
    index,
    value,
    out,
    counts,
):
    """Take every lane's game to its next question to the net. Returns how many wait.

    halvings: int32 (2, ...), the `halving_table` of quick moves and of full ones. first: the game's first position,
    (1,) STATE. keys: uint64 (lanes, longest + 1), earlier positions. out: rows of finished games, counts[ROWS] of them
    so far; with less room than two games of rows the kernel returns.
    """
    n = 0
    rule, manner = how[0], style[0]
    entries = np.int64(cache.shape[0])
    for i in range(lanes.shape[0]):
        lane, game, node, edge = lanes[i], games[i], nodes[i, 0], edges[i, 0]
        left = SLICE
        while left > 0:
            left -= 1
            if game["running"] == 0:
                if counts[ROWS] + 2 * manner["longest"] > out.shape[0]:
                    return n
                new_game(lane, game, first[0], manner, keys)
            elif lane["nodes"] > 0:
                if over(lane, node, edges.shape[1]):
                    move_on(lane, node, edge, rule, game, manner, keys, out, counts)
                    continue
                counts[SIMULATIONS] += 1
                if descend(lane, node, edge, rule, halvings[game["full"]], keys) == DONE:
                    counts[PROVEN] += 1
                    continue
            if answered(lane, cache, entries, net, inputs, n, index, value):
                counts[KNOWN] += 1
                made(lane, node, edge, rule, game, manner)
                continue
            counts[ASKED] += 1
            waiting[n] = i
            n += 1
            break
    return n


@compiled
def absorb(lanes, nodes, edges, how, games, style, outputs, waiting, n, cache, net):
    """The net's outputs for the lanes that wait: into the cache and into their trees."""
    entries = np.int64(cache.shape[0])
    for j in range(n):
        i = np.int64(waiting[j])
        lane = lanes[i]
        read_outputs(lane, outputs, j)
        remember(lane, cache, entries, net)
        made(lane, nodes[i, 0], edges[i, 0], how[0], games[i], style[0])


@compiled
def begin_anew(lanes, games, style):
    """Searches under way begin anew, for another net; the games go on."""
    manner = style[0]
    for i in range(lanes.shape[0]):
        if games[i]["running"] != 0:
            begin(lanes[i], manner["simulations"] if games[i]["full"] != 0 else manner["quick"])
