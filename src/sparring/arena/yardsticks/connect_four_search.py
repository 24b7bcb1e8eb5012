"""The search behind the perfect player of Connect Four: null-window alpha-beta to the end over two sets of bits.

Positions are as in `games.connect_four`; `mask` is the set of all stones. The score of a position, for the player to
move, is 22 minus the stones that the winner will have played, above 0 if that player wins; 0 is a draw. After P. Pons,
"Solving Connect 4: how to build a perfect AI" (2015): moves that lose at once are left out, the others are tried in
the order of the winning points they make, and the score is found by halving its range.
"""

import numpy as np

from sparring.arena.yardsticks import NO_MOVE
from sparring.bits import count
from sparring.compiled import compiled
from sparring.games.connect_four import BOTTOM, CELLS, NONE
from sparring.records import beside

FRAME = np.dtype(
    [
        ("own", "u8"),  # of the player to move
        ("mask", "u8"),
        ("key", "u8"),  # NONE: not in the table
        ("placed", "i8"),
        ("goal", "i8"),  # the question asked: is the score at least this?
        ("best", "i8"),  # best score of the moves that were tried
        ("most", "i8"),  # an upper bound of the score
        ("next", "i8"),  # rank of the move to try next; negative: none is left
        ("nodes", "i8"),  # visited before this one
        ("ranks", "i8", (8,)),  # of the columns; the eighth makes a vector of it
    ],
    align=True,
)
WORK = np.dtype(
    [
        ("nodes", "i8"),  # positions visited
        ("buckets", "u8"),  # a key times MIX, shifted right by this, is its bucket in the table
        ("at", "i8"),  # which of the positions asked about is being solved
        ("low", "i8"),  # its score lies from low to high; low above high: not begun
        ("high", "i8"),
        ("ply", "i8"),  # the frame in hand; negative: no question is open
        ("answer", "i8"),  # of the frame above it, where `back` is 1; in the end of the question
        ("back", "i8"),
        ("frames", FRAME, (43,)),
    ],
    align=True,
)
# A bucket is two entries: one keeps what took most work, the other what came last. An entry is one word, so that
# threads can share a table: 49 bits of key, six bits each of the least and the most score plus 32, three bits of work.
ENTRY = np.dtype([("word", "u8")])
UNKNOWN = 99  # in lists of scores: not found out yet
OPEN = 99  # no answer yet
FOREVER = np.uint64(7)  # a class of work: the entry is never written over
MIRRORED = 14  # up to so many stones, mirror images share an entry
LATE = 36  # from so many stones on, and where one move is left, to search is quicker than to ask the table
WINNING = 64  # rank, in winning points, of a move that makes two threats

ONE, TWO = np.uint64(1), np.uint64(2)
S6, S7, S8, S12, S14, S16, S18, S21, S24 = (np.uint64(n) for n in (6, 7, 8, 12, 14, 16, 18, 21, 24))
S3, S28, S42, S49, S55, S61 = (np.uint64(n) for n in (3, 28, 42, 49, 55, 61))
BOARD, ROOF = BOTTOM * CELLS, BOTTOM << S6
EVEN_ROWS = BOTTOM * np.uint64(0b101010)  # the second, fourth and sixth
KEY, SCORE = np.uint64((1 << 49) - 1), np.uint64(63)
LEFT, CENTRE = np.uint64((1 << 7) - 1), np.uint64(0x7F << 21)
MIX = np.uint64(0x9E3779B97F4A7C15)


@compiled
def winning_points(stones):
    """The points that complete four in a row, whether or not they are on the board and free; in a column its top."""
    found = (stones << ONE) & (stones << TWO) & (stones << S3)
    pair = (stones << S7) & (stones << S14)
    found |= pair & ((stones << S21) | (stones >> S7))
    pair = (stones >> S7) & (stones >> S14)
    found |= pair & ((stones >> S21) | (stones << S7))
    pair = (stones << S6) & (stones << S12)
    found |= pair & ((stones << S18) | (stones >> S6))
    pair = (stones >> S6) & (stones >> S12)
    found |= pair & ((stones >> S18) | (stones << S6))
    pair = (stones << S8) & (stones << S16)
    found |= pair & ((stones << S24) | (stones >> S8))
    pair = (stones >> S8) & (stones >> S16)
    return found | pair & ((stones >> S24) | (stones << S8))


@compiled
def wins_at_once(own, mask):
    """The points on which the player to move wins now."""
    return winning_points(own) & (mask + BOTTOM) & BOARD


@compiled
def survivors(mask, threats):
    """The points to play after which the opponent does not win at once. threats: free points on which it would."""
    points = (mask + BOTTOM) & BOARD
    forced = points & threats
    if forced != NONE:
        points = forced if forced & (forced - ONE) == NONE else NONE
    return points & ~(threats >> ONE)


@compiled
def most_by_pairs(own, mask, threats, placed):
    """An upper bound of the score, by a plan that the opponent can follow; UNKNOWN where the plan does not work.

    The plan is to answer each move in its own column (claimeven in L. V. Allis, "A knowledge-based approach of
    Connect-Four", 1988), which works where each column has an even number of free points, so that the opponent gets
    every second one, and where the others do not bring four in a row. threats: as in `survivors`.
    """
    if (mask + BOTTOM) & EVEN_ROWS != NONE:
        return UNKNOWN
    free = BOARD & ~mask
    goals = threats & EVEN_ROWS
    unneeded = ((ROOF - goals) | goals) & BOARD  # what lies above a goal, and it: the game ends there
    ours = own | free & ~EVEN_ROWS & ~unneeded
    if winning_points(ours) & ours != NONE:
        return UNKNOWN
    moves = count(free & EVEN_ROWS & ~unneeded)
    if goals != NONE:
        return placed // 2 + moves + 1 - 22
    theirs = mask ^ own | free & EVEN_ROWS
    return placed // 2 + moves - 22 if winning_points(theirs) & theirs != NONE else 0


@compiled
def rank_columns(ranks, own, mask, points):
    """Ranks of the columns, all different, -1 where none of `points` is in it; WINNING * 8 and above: it wins.

    By the winning points that the move makes, then by nearness to the centre. One pass without a branch, which the
    compiler turns into a vector of eight columns.
    """
    for c in range(8):
        point = points & (CELLS << np.uint64(7 * c))
        after = mask | point
        wins = winning_points(own | point) & BOARD & ~after
        now = wins & (after + BOTTOM)
        twice = (now & (now - ONE)) | (wins & (now << ONE))  # the opponent can stop one of them
        rank = WINNING if twice != NONE else count(wins)
        place = 2 * min(c, 6 - c) + (c > 3)  # in the sum below it would keep the compiler from it: half as fast
        ranks[c] = -1 if point == NONE else 8 * rank + place


@compiled
def next_rank(ranks, below):
    """The highest rank below `below`, or -1."""
    best = -1
    for c in range(8):
        best = max(best, ranks[c] if ranks[c] < below else -1)
    return best


@compiled
def column_of(rank):
    """The column that has the rank."""
    return 6 - (rank & 7) // 2 if rank & 1 else (rank & 7) // 2


@compiled
def mirror(b):
    """The set with its columns in opposite order."""
    outer = (b & LEFT) << S42 | b >> S42 | (b & LEFT << S7) << S28 | b >> S28 & LEFT << S7
    return outer | (b & LEFT << S14) << S14 | b >> S14 & LEFT << S14 | b & CENTRE


@compiled
def key_of(own, mask, placed):
    """49 bits that tell positions apart, alike for mirror images where few stones are placed."""
    key = own + mask
    return min(key, mirror(own) + mirror(mask)) if placed <= MIRRORED else key


@compiled
def probe(work, table, key):
    """The entry of a key, or NONE."""
    i = 2 * np.int64(key * MIX >> work["buckets"])
    word = beside(table, i)["word"]
    if (word ^ key) & KEY != NONE:
        word = beside(table, i + 1)["word"]
        if (word ^ key) & KEY != NONE:
            return NONE
    return word


@compiled
def store(work, table, key, least, most, effort):
    """Note the bounds of a score; nothing for the key NONE. effort: class of work, 0 to 6, or FOREVER."""
    if key == NONE:
        return
    i = 2 * np.int64(key * MIX >> work["buckets"])
    entry = beside(table, i)
    kept = entry["word"] >> S61
    if (entry["word"] ^ key) & KEY != NONE and (kept > effort or kept == FOREVER):
        entry = beside(table, i + 1)
        if entry["word"] >> S61 == FOREVER:
            return
    entry["word"] = key | np.uint64(least + 32) << S49 | np.uint64(most + 32) << S55 | effort << S61


@compiled
def effort_of(nodes):
    """The class of work of so many nodes."""
    return np.uint64((nodes > 7) + (nodes > 63) + (nodes > 511) + (nodes > 4095) + (nodes > 32767) + (nodes > 1 << 18))


@compiled
def visit(work, table, frame):
    """Answer a position's question (with a bound of its score on the right side of `goal`), or OPEN: prepare its moves.

    The player to move cannot win at once.
    """
    own, mask, placed, goal = frame["own"], frame["mask"], frame["placed"], frame["goal"]
    threats = winning_points(mask ^ own) & BOARD & ~mask
    points = survivors(mask, threats)
    if points == NONE:
        return -((42 - placed) >> 1)
    if placed >= 40:
        return 0
    least, most = -((40 - placed) >> 1), (41 - placed) >> 1
    if least >= goal:
        return least
    if most < goal:
        return most
    most_then = most_by_pairs(own, mask, threats, placed)
    if most_then < goal:
        return most_then
    rank_columns(frame["ranks"], own, mask, points)
    first = next_rank(frame["ranks"], 8 * WINNING + 8)
    if first >= 8 * WINNING:
        return most
    key, word = NONE, NONE
    if placed < LATE and points & (points - ONE) != NONE:
        key = key_of(own, mask, placed)
        word = probe(work, table, key)
    if word != NONE:
        least, known = np.int64(word >> S49 & SCORE) - 32, np.int64(word >> S55 & SCORE) - 32
        if least >= goal:
            return least
        if known < goal:
            return known
        most = min(most, known)
    frame["key"] = key
    frame["best"] = -UNKNOWN
    frame["most"] = most
    frame["next"] = first
    frame["nodes"] = work["nodes"]
    return OPEN


@compiled
def take_in(work, table, frame, score):
    """Take in the score of the move tried last, for the frame's player; returns the frame's answer, or OPEN."""
    frame["best"] = max(frame["best"], score)
    if score >= frame["goal"]:
        store(work, table, frame["key"], score, frame["most"], effort_of(work["nodes"] - frame["nodes"]))
        return score
    if frame["next"] >= 0:
        return OPEN
    least, most = -((40 - frame["placed"]) >> 1), min(frame["best"], frame["most"])
    store(work, table, frame["key"], least, most, effort_of(work["nodes"] - frame["nodes"]))
    return most


@compiled
def descend(frame, child):
    """Make the next move of a frame in the frame behind it."""
    rank, mask = frame["next"], frame["mask"]
    frame["next"] = next_rank(frame["ranks"], rank)
    child["own"] = mask ^ frame["own"]
    child["mask"] = mask | (mask + BOTTOM) & (CELLS << np.uint64(7 * column_of(rank)))
    child["placed"] = frame["placed"] + 1
    child["goal"] = 1 - frame["goal"]


@compiled
def search(work, table, until):
    """Go on with the question of the first frame until it is answered or `until` nodes were visited in all."""
    ply, answer, back = work["ply"], work["answer"], work["back"]
    while ply >= 0 and work["nodes"] < until:
        frame = work["frames"][ply]
        if back:
            answer = take_in(work, table, frame, -answer)
        else:
            work["nodes"] += 1
            answer = visit(work, table, frame)
        back = answer != OPEN
        if back:
            ply -= 1
        else:
            ply += 1
            descend(frame, work["frames"][ply])
    work["ply"] = ply
    work["answer"] = answer
    work["back"] = back


@compiled
def narrow(work, table, state, until):
    """Halve the range of a position's score until it is known or `until` nodes were visited; returns whether it is."""
    own, placed = state["own"], state["placed"]
    mask = own | state["other"]
    if work["low"] > work["high"]:
        work["low"], work["high"] = -((42 - placed) >> 1), max((41 - placed) >> 1, 0)
        if wins_at_once(own, mask) != NONE:
            work["low"] = work["high"] = (43 - placed) >> 1
    while work["low"] < work["high"]:
        first = work["frames"][0]
        if work["ply"] < 0:
            low, high = work["low"], work["high"]
            middle = (low + high) >> 1
            # questions about early ends are cheap, as they look less far ahead: begin with those
            middle = min(middle, -(-low >> 1)) if middle <= 0 else max(middle, high >> 1)
            first["own"], first["mask"], first["placed"], first["goal"] = own, mask, placed, middle + 1
            work["ply"] = 0
            work["back"] = 0
        search(work, table, until)
        if work["ply"] >= 0:
            return False
        if work["answer"] >= first["goal"]:
            work["low"] = work["answer"]
        else:
            work["high"] = work["answer"]
    return True


@compiled
def solve(work, table, states, scores, budget):
    """Go on filling in what is UNKNOWN of positions' scores, for about `budget` nodes; returns whether it is done.

    states: (n,) STATE, none of them won by the player who moved last. scores: (n,) int8.
    """
    until = work["nodes"] + budget
    while work["at"] < len(states):
        i = work["at"]
        if scores[i] == UNKNOWN:
            if not narrow(work, table, states[i], until):
                return False
            scores[i] = work["low"]
            work["low"], work["high"] = 1, 0
        work["at"] += 1
    return True


@compiled
def spread(states, after, scores):
    """The positions after each column, and the scores of columns where no search is needed.

    states: (n,) STATE. after: (n, 7) STATE, filled where scores, (n, 7) int8, are UNKNOWN; elsewhere the column is
    full, NO_MOVE, or wins at once.
    """
    for i in range(len(states)):
        own, placed = states[i]["own"], states[i]["placed"]
        mask = own | states[i]["other"]
        wins = wins_at_once(own, mask)
        for c in range(7):
            point = (mask + BOTTOM) & (CELLS << np.uint64(7 * c))
            if point == NONE:
                scores[i, c] = NO_MOVE
            elif point & wins != NONE:
                scores[i, c] = (43 - placed) >> 1
            else:
                scores[i, c] = UNKNOWN
                child = after[i, c]
                child["own"], child["other"], child["placed"] = mask ^ own, own | point, placed + 1


@compiled
def remember(work, table, states, scores):
    """Note known scores of positions for good: (n,) STATE and int8."""
    for i in range(len(states)):
        state, score = states[i], np.int64(scores[i])
        mask = state["own"] | state["other"]
        store(work, table, key_of(state["own"], mask, state["placed"]), score, score, FOREVER)
