"""Many tree searches side by side: one kernel takes each to its next question to the net, one takes the answers in.

Python runs a few times for a batch of judgements and never for a node. A fleet answers positions for players; learning
by self-play drives the same kernels from learn/fleet.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from sparring.compiled import compiled
from sparring.errors import PlayerError
from sparring.games.game import Game
from sparring.nets.engine_move_net import NativeEngine, run_row
from sparring.records import beside, copy_record
from sparring.search.choosing import IMPROVED, conclude
from sparring.search.gauge import longest_game
from sparring.search.leaves import answered, new_cache, play_out, read_outputs, remember
from sparring.search.mcts import DONE, begin, descend, grow, over
from sparring.search.scores import largest, result_scores
from sparring.search.selecting import mean
from sparring.search.tree import Forest, Selection, halving_table

ROLLOUTS = False  # set by `join`: random games judge, instead of a net
NEXT, SIMULATIONS, ASKED, KNOWN, PROVEN = 0, 1, 2, 3, 4  # places in `counts`
COUNTS = 5
SLICE = 20_000  # simulations a lane may run in one call, so that a stop is heeded soon


def answer_dtype(game: Game) -> np.dtype:
    """dtype of what a search says of a position.

    best: move to play. count: how many legal moves; moves, visits, policy, values (expected utility for the player to
    move; nan where nothing was simulated). outcome: chances of the RESULTS and score, as player 0 sees them; own: the
    root's own judgement before any search; results: the mean outcome below each move, nan where nothing was simulated.
    low, high: proven bounds of its utility for player 0; lows, highs: of each move.
    """
    most, outcome = game.MOST_MOVES, len(game.RESULTS) + 1
    return np.dtype(
        [
            ("best", "i4"),
            ("count", "i4"),
            ("simulations", "i4"),
            ("moves", "i4", (most,)),
            ("visits", "i4", (most,)),
            ("policy", "f4", (most,)),
            ("priors", "f4", (most,)),
            ("values", "f4", (most,)),
            ("outcome", "f4", (outcome,)),
            ("own", "f4", (outcome,)),
            ("results", "f4", (most, outcome)),
            ("lows", "f4", (most,)),
            ("highs", "f4", (most,)),
            ("low", "f4"),
            ("high", "f4"),
        ],
        align=True,
    )


@compiled
def at_once(work, inputs, outputs, row):  # set by `join` where a net can be asked from kernels
    """Whether the net was asked here and now: outputs[row] of inputs[row]."""
    return False


@compiled
def open_lane(lane, asked, number, budget):
    """The lane takes up question `number`."""
    question = asked[number]
    lane["question"] = number
    lane["row"] = number
    lane["past"] = question["past"]
    lane["plies"] = question["plies"]
    lane["rng"][0] = question["seed"]
    copy_record(question["state"][0], lane["root"][0])
    begin(lane, budget)


@compiled
def write_answer(lane, nodes, edges, answer):
    """What the search of a lane has found."""
    answer["count"] = nodes["count"]
    answer["simulations"] = lane["done"]
    answer["low"] = nodes["low"]
    answer["high"] = nodes["high"]
    sign = 1.0 if nodes["mover"] == 0 else -1.0
    for i in range(nodes["count"]):
        edge = beside(edges, np.int64(nodes["first"]) + i)
        answer["moves"][i] = edge["move"]
        answer["visits"][i] = edge["visits"]
        answer["policy"][i] = lane["policy"][i]
        answer["values"][i] = sign * mean(edge, np.nan) if edge["visits"] > 0 else np.nan
        if edge["low"] == edge["high"]:
            answer["values"][i] = sign * edge["low"]
        answer["lows"][i] = edge["low"]
        answer["highs"][i] = edge["high"]
        for j in range(answer["outcome"].shape[0]):
            found = lane["found"][i, j]
            answer["results"][i, j] = found / lane["counted"][i] if lane["counted"][i] > 0 else np.nan
    answer["best"] = answer["moves"][lane["best"]]
    for i in range(answer["outcome"].shape[0]):
        answer["outcome"][i] = lane["verdict"][i]


@compiled
def note_root(lane, nodes, edges, answer):
    """The root as it was judged before its search."""
    for i in range(answer["own"].shape[0]):
        answer["own"][i] = lane["outcome"][i]
    for i in range(nodes["count"]):
        answer["priors"][i] = beside(edges, np.int64(nodes["first"]) + i)["prior"]


@compiled
def made(lane, nodes, edges, how, answers):
    """Make the node of the judged leaf; a root is noted first."""
    at_root = lane["depth"] == 0
    grow(lane, nodes, edges, how)
    if at_root:
        note_root(lane, nodes, edges, answers[lane["question"]])


@compiled
def advance(
    lanes,
    nodes,
    edges,
    how,
    halving,
    asked,
    pasts,
    answers,
    budget,
    made_of,
    cache,
    net,
    inputs,
    outputs,
    work,
    waiting,
    index,
    value,
    counts,
):
    """Take every lane to its next question to the net, or to the end of all positions. Returns how many wait.

    Of each that waits the inputs stand in a row of `inputs` and its number in `waiting`.
    """
    n = 0
    rule = how[0]
    entries = np.int64(cache.shape[0])
    for i in range(lanes.shape[0]):
        lane, node, edge = lanes[i], nodes[i, 0], edges[i, 0]
        left = SLICE
        while left > 0:
            left -= 1
            if lane["question"] < 0:
                if counts[NEXT] >= asked.shape[0]:
                    break
                open_lane(lane, asked, counts[NEXT], budget)
                counts[NEXT] += 1
            elif over(lane, node, edges.shape[1]):
                conclude(lane, node, edge, rule, made_of)
                write_answer(lane, node, edge, answers[lane["question"]])
                lane["question"] = -1
                continue
            elif descend(lane, node, edge, rule, halving, pasts) == DONE:
                counts[PROVEN] += 1
                counts[SIMULATIONS] += 1
                continue
            if lane["depth"] > 0:
                counts[SIMULATIONS] += 1
            if ROLLOUTS:
                play_out(lane, rule)
                made(lane, node, edge, rule, answers)
                continue
            if answered(lane, cache, entries, net, inputs, n, index, value):
                counts[KNOWN] += 1
                made(lane, node, edge, rule, answers)
                continue
            counts[ASKED] += 1
            if at_once(work[0], inputs, outputs, n):
                read_outputs(lane, outputs, n)
                remember(lane, cache, entries, net)
                made(lane, node, edge, rule, answers)
                continue
            waiting[n] = i
            n += 1
            break
    return n


@compiled
def absorb(lanes, nodes, edges, how, answers, outputs, waiting, n, cache, net):
    """The net's outputs for the lanes that wait: into the cache and into their trees."""
    entries = np.int64(cache.shape[0])
    for j in range(n):
        i = np.int64(waiting[j])
        lane = lanes[i]
        read_outputs(lane, outputs, j)
        remember(lane, cache, entries, net)
        made(lane, nodes[i, 0], edges[i, 0], how[0], answers)


@dataclass(frozen=True)
class Joined:
    """The kernels of a tree search joined to a game. names: all but the fleet's, for modules that build on them."""

    names: dict[str, Any]
    leaves: ModuleType
    fleet: ModuleType


def kernels_of(module: ModuleType) -> dict[str, Any]:
    """The functions that a joined module defines itself."""
    own = (n for n, v in vars(module).items() if callable(v) and getattr(v, "__module__", "") == module.__name__)
    return {n: getattr(module, n) for n in own if not isinstance(getattr(module, n), type)}


def join(game: Game, rollouts: bool = False, small: bool = False, native: bool = False) -> Joined:
    """Join the kernels to a game. rollouts: random games judge, instead of a net. small: a MoveNet judges, no tower;
    native: one whose engine is asked from kernels."""
    results = game.RESULTS
    draw = results.index(0.0) if 0.0 in results else len(results) // 2
    common = {"LARGEST": largest(results), "DRAW": draw, "ENDS": len(results)}
    selecting = game.bind("search.selecting")
    scores = result_scores(results)
    ahead = {"WINS": np.int64(scores[-1]), "LOSSES": np.int64(scores[0]), "LOOKS": not game.defines("chance")}
    ahead["solve"] = game.bind("search.plain", SCORES=scores).solve
    mcts = game.bind("search.mcts", **common, **ahead, **kernels_of(selecting))
    trees = {**kernels_of(selecting), **kernels_of(mcts)}
    choosing = game.bind("search.choosing", **common, **trees)
    planes = getattr(game, "PLANES", ()) or (game.FEATURES, 1, 1)
    inputs = {"BOARD": math.prod(planes), "CELLS": planes[1] * planes[2], "SMALL": small}
    leaves = game.bind("search.leaves", **common, **inputs, **trees)
    names = {**common, **trees, **kernels_of(choosing), **kernels_of(leaves)}
    asking = {"at_once": run_row} if native else {}
    return Joined(names, leaves, game.bind("search.fleet", ROLLOUTS=rollouts, **asking, **names))


class Judge(Protocol):
    """What judges a batch of positions: a net on an engine (nets/engines.py).

    inputs: float32 (batch, planes, rows, columns), or of a MoveNet (batch, inputs), which is written before `run`.
    outputs: float32 (batch, MOVES + results + 1), which is read after it.
    """

    batch: int
    inputs: np.ndarray
    outputs: np.ndarray

    def run(self, rows: int | None = None) -> None:
        """Judge the whole batch, or at least its first rows."""


class Fleet:
    """Searches many positions at once, with a net or by random games; for one thread."""

    def __init__(
        self,
        game: Game,
        judge: Judge | None,
        simulations: int,
        selection: Selection,
        *,
        lanes: int = 0,
        net: str = "",
        cache_mb: float = 64.0,
        longest: int = 0,
    ) -> None:
        """judge: None: one random game each. lanes: at once, by default the judge's batch. net: digest of the net, by
        which the cache tells nets apart. longest: plies of the longest game (see `longest_game`)."""
        if simulations < 2:
            raise PlayerError(f"simulations is {simulations}, but a tree search needs at least 2")
        self.game, self.judge, self.simulations, self.selection = game, judge, simulations, selection
        small = judge is not None and judge.inputs.ndim == 2
        self.work = judge.work if isinstance(judge, NativeEngine) else np.zeros(1, np.uint8)
        self.joined = join(game, rollouts=judge is None, small=small, native=isinstance(judge, NativeEngine))
        self.forest = Forest.of(game, lanes or (judge.batch if judge else 1), simulations)
        self.how = selection.record(longest or longest_game(game))
        self.halving = halving_table(simulations)
        self.cache = new_cache(game, cache_mb if judge else 0.001)
        self.net = np.uint64(int(net or "1", 16) or 1)
        self.waiting = np.zeros(len(self.forest.lanes), np.int32)
        self.index = np.zeros(game.MOST_FEATURES, np.int32)
        self.value = np.zeros(game.MOST_FEATURES, np.float32)
        self.counts = np.zeros(COUNTS, np.int64)
        self.stopped = False
        self.no_inputs = np.zeros((1, 1), np.float32)

    def use(self, judge: Judge, net: str) -> None:
        """Let another net, or another batch, judge from now on."""
        self.judge, self.net = judge, np.uint64(int(net, 16) or 1)
        if isinstance(judge, NativeEngine):
            self.work = judge.work

    def stop(self) -> None:
        """End a running `answer` soon (from another thread); what it returns then means nothing."""
        self.stopped = True

    def answer(
        self,
        states: np.ndarray,
        *,
        plies: Sequence[int] = (),
        pasts: Sequence[np.ndarray] = (),
        seeds: Sequence[int] | np.ndarray = (),
        made_of: int = IMPROVED,
        simulations: int | None = None,
    ) -> np.ndarray:
        """Search positions that are not over and where a player is to move. Returns answer_dtype, one for each.

        plies, pasts, seeds: of each the moves played before it, the uint64 keys of its game's earlier positions, and
        what random games at its leaves are drawn by. simulations: fewer
        than the fleet was made for; 0: the net's own judgement.
        """
        n, game, forest = len(states), self.game, self.forest
        asked = np.zeros(n, question_dtype(game))
        asked["state"][:, 0] = states
        asked["plies"] = plies if len(plies) else 0
        asked["seed"] = seeds if len(seeds) else np.arange(1, n + 1)
        most = max((len(p) for p in pasts), default=0)
        keys = np.zeros((n, max(most, 1)), np.uint64)
        for i, past in enumerate(pasts):
            keys[i, : len(past)] = past
            asked["past"][i] = len(past)
        answers = np.zeros(n, answer_dtype(game))
        self.counts[NEXT] = 0
        self.stopped = False
        budget = self.simulations if simulations is None else min(simulations, self.simulations)
        halving = self.halving if budget == self.simulations else halving_table(max(budget, 1))
        inputs = self.judge.inputs.reshape(self.judge.batch, -1) if self.judge else self.no_inputs
        outputs = self.judge.outputs if self.judge else self.no_inputs
        lanes = forest.lanes[: min(len(inputs), n)] if self.judge else forest.lanes[:n]
        lanes["question"] = -1
        trees = (lanes, forest.nodes, forest.edges, self.how)
        known = (self.cache, self.net)
        kernels = self.joined.fleet
        while not self.stopped:
            waiting = kernels.advance(
                *trees,
                halving,
                asked,
                keys,
                answers,
                budget,
                made_of,
                *known,
                inputs,
                outputs,
                self.work,
                self.waiting,
                self.index,
                self.value,
                self.counts,
            )
            if waiting:
                assert self.judge is not None
                self.judge.run(waiting)
                kernels.absorb(*trees, answers, self.judge.outputs, self.waiting, waiting, *known)
            elif self.counts[NEXT] >= n and (lanes["question"] < 0).all():
                break
        return answers


def question_dtype(game: Game) -> np.dtype:
    """dtype of a position asked about: moves played before it, how many keys of earlier positions there are."""
    return np.dtype([("state", game.STATE, (1,)), ("plies", "i8"), ("past", "i8"), ("seed", "u8")], align=True)
