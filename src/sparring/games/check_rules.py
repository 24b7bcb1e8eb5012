"""Kernels of `sparring check`: random games in which every rule is watched. `Game.bind("games.check_rules")`."""

import numpy as np

from sparring.compiled import compiled
from sparring.games import faults
from sparring.games.check_desk import (
    BLANK,
    COPY,
    ENTRIES,
    HERE,
    IMAGE,
    bad_chances,
    bad_list,
    blame,
    clear,
    disturbed,
    note,
    overrun,
)
from sparring.games.check_views import check_position
from sparring.games.contract import (
    CHANCE,
    LIMIT,
    MOVES,
    ONGOING,
    REPETITION,
    RESULTS,
    VIEWER,
    chance,
    deal,
    features,
    key,
    legal,
    mover,
    play,
    quiet,
    result,
    start,
)
from sparring.records import hash_record
from sparring.rng import draw_below, draw_index, scramble, stream

NEVER = 10_000  # moves without an end, where there is no LIMIT
ZERO, ONE, LAST = np.uint64(0), np.uint64(1), np.uint64(ENTRIES - 1)
LEAST = np.int64(1)  # as arguments, literals would be compiled once each


@compiled
def choices(slots, moves, probabilities, who, desk):
    """Legal moves, or the outcomes of chance, checked. Returns how many, 0 to stop."""
    rule = faults.IN_CHANCE if who == CHANCE else faults.IN_LEGAL
    clear(moves[0])
    clear(moves[1])
    slots[COPY] = slots[HERE]
    if who == CHANCE:
        clear(probabilities)
        n = int(chance(slots[HERE], moves[0], probabilities))
        again = n
    else:
        n = int(legal(slots[HERE], moves[0]))
        again = int(legal(slots[COPY], moves[1]))
    if disturbed(slots, desk, rule) or bad_list(moves[0], n, LEAST, np.int64(MOVES), desk, rule):
        return 0
    if who == CHANCE:
        if bad_chances(moves[0], probabilities, n, desk):
            return 0
    else:
        same = again == n
        for i in range(n):
            same = same and moves[1, i] == moves[0, i]
        if not same:
            blame(desk, rule, faults.UNSURE)
            return 0
        desk["choices"] += n
        desk["decisions"] += 1
        desk["most_choices"] = max(desk["most_choices"], n)
    for i in range(n):
        note(desk, rule, np.uint64(moves[0, i]), probabilities[i] * (i + 1) if who == CHANCE else 0.0)
    return n


@compiled
def meets_itself(slots, moves, n, who, end, desk):
    """Whether to stop: another position has this key, or `quiet` hides an earlier occurrence. Counts occurrences."""
    name = np.uint64(key(slots[HERE]))
    if disturbed(slots, desk, faults.IN_KEY):
        return True
    note(desk, faults.IN_KEY, name, 0.0)
    reach = 0
    if REPETITION > 0:
        reach = int(quiet(slots[HERE]))
        if disturbed(slots, desk, faults.IN_QUIET):
            return True
        desk["a"] = reach
        if reach < 0 and blame(desk, faults.IN_QUIET, faults.VALUE):
            return True
        note(desk, faults.IN_QUIET, np.uint64(max(reach, 0)), 0.0)
    mark = ZERO
    for i in range(n):
        mark += scramble(np.uint64(moves[0, i]) + ONE)
    game = desk["game"] + 1
    at = name & LAST
    while desk["table"][at]["game"] != 0 and desk["table"][at]["key"] != name:
        at = (at + ONE) & LAST
    entry = desk["table"][at]
    if entry["game"] == 0:
        desk["entries"] += 1
        entry["key"], entry["mark"], entry["who"], entry["end"] = name, mark, who, end
    elif clashes(entry, mark, who, end, desk):
        return True
    if entry["game"] != game:
        entry["game"], entry["ply"], entry["times"] = game, desk["ply"], 0
    entry["times"] += 1
    desk["times"] = entry["times"]
    desk["a"], desk["b"] = reach, desk["ply"] - entry["ply"]
    return REPETITION > 0 and desk["b"] > reach and blame(desk, faults.IN_QUIET, faults.FORGOTTEN)


@compiled
def clashes(entry, mark, who, end, desk):
    """Whether to stop: the position differs from one that had the same key.

    A draw by counting quiet moves (chess's fifty) is let pass: the count is history, like what repetition looks at.
    """
    counted = REPETITION > 0 and (entry["end"] == ONGOING or end == ONGOING) and RESULTS[max(entry["end"], end)] == 0.0
    if entry["who"] != who:
        what = 0
    elif entry["end"] != end:
        what = -1 if counted else 1
    else:
        what = 2 if entry["mark"] != mark else -1
    if what < 0:
        return False
    desk["a"], desk["b"], desk["c"] = entry["ply"], entry["game"] - 1, what
    return blame(desk, faults.IN_KEY, faults.CLASH)


@compiled
def began(slots, desk):
    """Write the first position, dealt by desk["rng"]; returns whether it is the same every time."""
    slots[HERE] = slots[BLANK]
    slots[COPY] = slots[BLANK]
    start(slots[HERE])
    start(slots[COPY])
    if hash_record(slots[HERE]) != hash_record(slots[COPY]):
        blame(desk, faults.IN_START, faults.UNSURE)
        return False
    if overrun(slots, desk, faults.IN_START):
        return False
    note(desk, faults.IN_START, hash_record(slots[HERE]), 0.0)
    deal(slots[HERE], desk["rng"][0])
    deal(slots[COPY], desk["rng"][0])
    if hash_record(slots[HERE]) != hash_record(slots[COPY]):
        blame(desk, faults.IN_DEAL, faults.UNSURE)
        return False
    return not overrun(slots, desk, faults.IN_DEAL)


@compiled
def played(slots, move, desk):
    """Play the move; returns whether it led to the same position twice and wrote nowhere else."""
    slots[COPY] = slots[HERE]
    slots[IMAGE] = slots[HERE]
    play(slots[COPY], move)
    play(slots[IMAGE], move)
    if disturbed(slots, desk, faults.IN_PLAY):
        return False
    if hash_record(slots[COPY]) != hash_record(slots[IMAGE]):
        blame(desk, faults.IN_PLAY, faults.UNSURE)
        return False
    slots[HERE] = slots[COPY]
    return True


@compiled
def status(slots, desk):
    """(who is to move, the result, whether to stop)."""
    desk["marks"][HERE] = hash_record(slots[HERE])
    note(desk, faults.IN_PLAY if desk["ply"] > 0 else faults.IN_DEAL, desk["marks"][HERE], 0.0)
    who = int(mover(slots[HERE]))
    if disturbed(slots, desk, faults.IN_MOVER):
        return who, ONGOING, True
    end = int(result(slots[HERE]))
    if disturbed(slots, desk, faults.IN_RESULT):
        return who, end, True
    if end < ONGOING or end >= len(RESULTS):
        desk["a"] = end
        blame(desk, faults.IN_RESULT, faults.VALUE)
        return who, end, True
    if who < 0 or who > CHANCE:
        desk["a"] = who
        blame(desk, faults.IN_MOVER, faults.VALUE)
        return who, end, True
    note(desk, faults.IN_MOVER, np.uint64(who), 0.0)
    note(desk, faults.IN_RESULT, np.uint64(end + 1), 0.0)
    return who, end, end != ONGOING and who == CHANCE and blame(desk, faults.IN_MOVER, faults.AT_END)


@compiled
def drawn(desk, ply):
    """Which of the two extra ends the game has come to, an index into desk["ends"]; ONGOING where it goes on."""
    if REPETITION > 0 and desk["times"] >= REPETITION:
        return len(RESULTS)
    return len(RESULTS) + 1 if LIMIT > 0 and ply >= LIMIT else ONGOING


@compiled
def check_game(slots, moves, probabilities, index, value, desk):
    """Play a random game, its moves drawn from desk["rng"], and check every position. Returns the moves played."""
    ply = 0
    desk["ply"] = ply
    if not began(slots, desk):
        return ply
    while True:
        who, end, stop = status(slots, desk)
        if stop:
            return ply
        n = choices(slots, moves, probabilities, who, desk) if end == ONGOING else 0
        if end == ONGOING and n == 0:
            return ply
        if meets_itself(slots, moves, n, who, end, desk):
            return ply
        if check_position(slots, moves, n, index, value, who, end, desk):
            return ply
        if end == ONGOING:
            end = drawn(desk, ply)
        if end != ONGOING:
            desk["ends"][end] += 1
            desk["finished"] += 1
            desk["plies"] += ply
            desk["longest"] = max(desk["longest"], ply)
            return ply
        if ply >= desk["patience"]:
            if LIMIT == 0 and ply >= NEVER:
                desk["a"] = ply
                blame(desk, faults.IN_RESULT, faults.ENDLESS)
            return ply
        pick = draw_index(desk["rng"], probabilities, n) if who == CHANCE else draw_below(desk["rng"], n)
        if not played(slots, moves[0, pick], desk):
            return ply
        ply += 1
        desk["ply"] = ply


@compiled
def check_games(slots, moves, probabilities, index, value, desk, first, last, most):
    """Check the random games `first` to last - 1 of desk["seed"], until one has a new fault or about `most` moves.

    desk["problem"] is faults.NOTHING, or the fault in game desk["game"]. Returns the number of the next game.
    """
    desk["problem"] = faults.NOTHING
    game = first
    plies = 0
    while game < last and plies < most and desk["problem"] == faults.NOTHING:
        if 2 * desk["entries"] > ENTRIES:
            desk["entries"] = 0
            for i in range(ENTRIES):
                desk["table"][i]["game"] = 0
        desk["game"] = game
        desk["rng"][0] = stream(desk["seed"], np.uint64(game))
        desk["dice"][0] = stream(desk["rng"][0], ZERO)
        plies += 1 + check_game(slots, moves, probabilities, index, value, desk)
        game += 1
    return game


@compiled
def see_games(states, moves, probabilities, index, value, rng, most):
    """Play random games from `states` and ask for every position's features, to time it. Returns the positions."""
    positions = 0
    for i in range(states.shape[0]):
        ply = 0
        while result(states[i]) == ONGOING and ply < most:
            who = mover(states[i])
            features(states[i], VIEWER if VIEWER >= 0 else ply & 1, index, value)
            if who == CHANCE:
                n = chance(states[i], moves, probabilities)
                pick = draw_index(rng, probabilities, n)
            else:
                n = legal(states[i], moves)
                pick = draw_below(rng, n)
            play(states[i], moves[pick])
            ply += 1
        positions += ply
    return positions
