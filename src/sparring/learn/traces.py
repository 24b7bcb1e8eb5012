"""Self-play that learns after every turn: TD(λ) with eligibility traces (Sutton 1988), as TD-Gammon (Tesauro 1992).

Each output of the net, the chance of one result, has a trace of its own for every weight: the gradients of that output
in the positions after the game's turns so far, faded by λ a turn. When the next turn's judgement is there, the weights
move along each trace by what that output missed. The net that plays the next turn is the moved one, so games are played
one after the other.

Gradients are those of the outputs before softmax. With the miss in chances that is the step of cross-entropy, which is
what batches learn by; gradients of the chances themselves die away where a chance is near 0 or 1.

Outputs are numbered as player 0 sees RESULTS, here and in the traces, whoever looks.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from sparring.compiled import compiled
from sparring.games.contract import ONGOING, VIEWER, features, mover, result
from sparring.games.game import Game
from sparring.learn.batches import PLAYING, Lesson, without_points
from sparring.learn.dice_settings import DiceSettings
from sparring.nets import twin
from sparring.nets.twin import LEAKY, MOST_DENSE, RELU, SIGMOID, SLOPE
from sparring.nets.weights import ACTIVATIONS, Net
from sparring.records import copy_record
from sparring.rng import draw_below, draw_unit, seeded
from sparring.search import turns
from sparring.search.turn_games import roll

ENDS = 3  # set by `TracePlay`, as are these two: how many RESULTS there are
SIZES = (1, 1)  # inputs, hidden layers, outputs
ACTIVATION = RELU
NOTHING, WHOLE = np.float32(0.0), np.float32(1.0)
LEAST = np.float32(1e-30)  # chance whose logarithm is taken for that of 0
FORGOTTEN = 1e-8  # what is left of a gradient once a row's traces count no more: less than a float32 can add
FOREVER = 2**30


def best_turn(state, room, work):  # set by `TracePlay`
    raise NotImplementedError


def outlook(state, who, near, work, outcome):  # set by `TracePlay`
    raise NotImplementedError


@compiled
def seen(k, eyes):
    """The number of result k for who sees it through `eyes`; its own inverse."""
    return k if eyes == 0 else ENDS - 1 - k


@compiled
def move_row(weights, trace, step, keep):
    """Weights (m,) move along their traces (results, m) by step (results,); the traces fade to the share `keep`.

    Two results at a time, which is nearly five times as fast as all at once, unit by unit.
    """
    for k in range(0, ENDS - 1, 2):
        p, q = step[k], step[k + 1]
        for i in range(weights.shape[0]):
            one, two = trace[k, i], trace[k + 1, i]
            weights[i] += p * one + q * two
            trace[k, i] = one * keep
            trace[k + 1, i] = two * keep
    if ENDS % 2 == 1:
        for i in range(weights.shape[0]):
            weights[i] += step[ENDS - 1] * trace[ENDS - 1, i]
            trace[ENDS - 1, i] *= keep


@compiled
def move_layer(weights, bias, trace, bias_trace, step, keep):
    """A layer after the first."""
    for o in range(weights.shape[0]):
        move_row(weights[o], trace[o], step, keep)
    move_row(bias, bias_trace, step, keep)


@compiled
def move(work, traces, keep):
    """Every weight by traces["step"]; of layer 1 only the rows whose inputs have been active lately."""
    step, left = traces["step"], traces["left"]
    for i in range(SIZES[0]):
        if left[i] > 0:
            left[i] -= 1
            move_row(work["first"][i], traces["first"][i], step, keep if left[i] > 0 else NOTHING)
    move_row(work["bias"], traces["bias"], step, keep)
    if len(SIZES) > 2:
        move_layer(work["weights1"], work["bias1"], traces["weights1"], traces["bias1"], step, keep)
    if len(SIZES) > 3:
        move_layer(work["weights2"], work["bias2"], traces["weights2"], traces["bias2"], step, keep)
    if len(SIZES) > 4:
        move_layer(work["weights3"], work["bias3"], traces["weights3"], traces["bias3"], step, keep)


@compiled
def back_through(work, traces, at, k, weights, trace, bias_trace):
    """Add the gradient of output `at` to the traces of layer k; from that of the sums behind it to those before it."""
    after, before = traces["back"][k], traces["back"][k - 1]
    active, sums = work["active"][k - 1], work["sums"][k - 1]
    units = SIZES[k]
    for i in range(units):
        before[i] = NOTHING
    for o in range(weights.shape[0]):
        own = after[o]
        if own == NOTHING:
            continue
        bias_trace[at, o] += own
        for i in range(units):
            before[i] += weights[o, i] * own
            trace[o, at, i] += own * active[i]
    for i in range(units):
        if ACTIVATION == SIGMOID:
            before[i] *= active[i] * (WHOLE - active[i])
        elif sums[i] <= NOTHING:
            before[i] *= SLOPE if ACTIVATION == LEAKY else NOTHING


@compiled
def extend(work, traces, state, viewer, shown, span):
    """Add to the traces the gradients of all outputs in a position, which the net has just been run on.

    shown: inputs that the net may weigh, the first ones. span: turns that a row of layer 1 is moved for.
    """
    index, value, back = work["index"], work["value"], traces["back"]
    n = features(state, viewer, index, value)
    for at in range(ENDS):
        for k in range(ENDS):
            back[len(SIZES) - 2, k] = WHOLE if k == seen(at, viewer) else NOTHING
        if len(SIZES) > 4:
            back_through(work, traces, at, 3, work["weights3"], traces["weights3"], traces["bias3"])
        if len(SIZES) > 3:
            back_through(work, traces, at, 2, work["weights2"], traces["weights2"], traces["bias2"])
        if len(SIZES) > 2:
            back_through(work, traces, at, 1, work["weights1"], traces["weights1"], traces["bias1"])
        for h in range(SIZES[1]):
            traces["bias"][at, h] += back[0, h]
        for i in range(n):
            if index[i] < shown:
                row, x = traces["first"][index[i], at], value[i]
                for h in range(SIZES[1]):
                    row[h] += x * back[0, h]
    for i in range(n):
        if index[i] < shown:
            traces["left"][index[i]] = span


@compiled
def clear(traces):
    """Nothing is remembered."""
    for i in range(SIZES[0]):
        if traces["left"][i] > 0:
            traces["left"][i] = 0
            traces["first"][i, :, :] = NOTHING
    traces["bias"][:, :] = NOTHING
    traces["weights1"][:, :, :] = NOTHING
    traces["bias1"][:, :] = NOTHING
    traces["weights2"][:, :, :] = NOTHING
    traces["bias2"][:, :] = NOTHING
    traces["weights3"][:, :, :] = NOTHING
    traces["bias3"][:, :] = NOTHING


@compiled
def learn(work, traces, outcome, who, rate, keep, taught):
    """Move the weights by what the last position's chances missed of `outcome` (results,), as `who` sees it.

    taught: (results, results), what each result counts as. Returns the cross-entropy before the step.
    """
    now, step = traces["now"], traces["step"]
    loss = 0.0
    for k in range(ENDS):
        wanted = NOTHING
        for i in range(ENDS):
            wanted += outcome[i] * taught[i, seen(k, who)]
        step[k] = rate * (wanted - now[k])
        loss -= wanted * np.log(max(now[k], LEAST))
    move(work, traces, keep)
    return loss


@compiled
def learn_game(here, room, work, traces, outcomes, chances, rng, explore, rate, keep, taught, shown, span, most):
    """Play one game from here[0], the net in `work` learning on the way; returns (the end, turns, sum of losses).

    Turns as `turn_games.play_game` plays them. The end: an index into RESULTS, or ONGOING, cut off after `most` turns.
    What came of a random turn says little about the position before it: the traces begin anew behind it.
    """
    state, now, verdict = here[0], traces["now"], traces["verdict"]
    loss, n, open_ended = 0.0, 0, False
    clear(traces)
    while True:
        roll(state, outcomes, chances, rng)
        end = result(state)
        if end != ONGOING:
            if open_ended:  # the dice ended it; an end by a turn was learned from when that was chosen
                for k in range(ENDS):
                    verdict[k] = WHOLE if k == end else NOTHING
                loss += learn(work, traces, verdict, np.int64(0), rate, keep, taught)
            return end, n, loss
        if n == most:
            return end, n, loss
        who = np.int64(mover(state))
        best, count = best_turn(state, room, work)
        if open_ended:
            loss += learn(work, traces, room["outcomes"][best], who, rate, keep, taught)
        if explore > 0.0 and draw_unit(rng) < explore:
            best = draw_below(rng, np.int64(count))
            clear(traces)
        copy_record(room["states"][best], state)
        n += 1
        open_ended = result(state) == ONGOING
        if open_ended:
            outlook(state, who, False, work, verdict)
            for k in range(ENDS):
                now[seen(k, who)] = verdict[k]
            extend(work, traces, state, who if VIEWER < 0 else np.int64(VIEWER), shown, span)


def trace_dtype(net: Net, game: Game) -> np.dtype:
    """dtype of the traces of a net's weights, and of room for steps and gradients.

    Of each row of weights (of layer 1 an input's, else a unit's, as in the twin's record) the traces (results, m).
    """
    work, ends = twin.record_dtype(net, game), len(game.RESULTS)
    shapes = {name: work[name].shape for name in work.names or ()}
    rows, units = net.sizes[:2]
    fields = [("first", "f4", (rows, ends, units)), ("bias", "f4", (ends, units))]
    for k in range(1, MOST_DENSE + 1):
        out, wide = shapes[f"weights{k}"]
        fields += [(f"weights{k}", "f4", (out, ends, wide)), (f"bias{k}", "f4", (ends, out))]
    fields += [("back", "f4", shapes["sums"]), ("left", "i4", (rows,))]
    fields += [(name, "f4", (ends,)) for name in ("now", "step", "verdict")]
    return twin.by_lines(fields)


class TracePlay:
    """A way to learn turns: plays games one after the other, on one thread, and learns on the way.

    What is saved is an average of the weights over games (Polyak and Juditsky 1992); what plays are the weights.
    """

    def __init__(self, game: Game, net: Net, settings: DiceSettings) -> None:
        self.game, self.net, self.settings = game, net, settings
        judge, ends = turns.judge_by(game, net), len(game.RESULTS)
        dice = game.bind("search.turn_games", **judge.kernels, ENDS=ends)
        kind = {"SIZES": net.sizes, "ACTIVATION": ACTIVATIONS.index(net.activation), "ENDS": ends}
        self.kernels: ModuleType = game.bind("learn.traces", **judge.kernels, roll=dice.roll, **kind)
        self.room, self.work = judge.room()
        self.traces: Any = np.zeros(1, trace_dtype(net, game))[0]
        self.averaged = [array.copy() for array in self._weights()]
        self.games = 0
        self.stopping = threading.Event()

    def generation(self, net: Net, number: int, explore: float, slowed: Callable[[], float]) -> Lesson:
        """So many games. net: not looked at, the moving one plays. slowed: the share of the step size that is due."""
        settings, began = self.settings, time.perf_counter()
        rate = settings.highest_rate * slowed()
        ends, total, loss = self.play(settings.batch_games, (settings.seed, PLAYING, number), explore, rate)
        return Lesson(ends, total, loss / max(total, 1), rate, time.perf_counter() - began)

    def stop(self) -> None:
        """End a running `generation` soon (from another thread): it is lost then, for a part of it has been learned."""
        self.stopping.set()

    def play(self, games: int, seed: tuple[int, ...], explore: float, rate: float) -> tuple[np.ndarray, int, float]:
        """Play games, game i seeded by (*seed, i): (their ends, the turns, the sum of losses)."""
        settings, trace = self.settings, self.settings.trace
        outcomes, chances = np.zeros(self.game.MOST_MOVES, np.int32), np.zeros(self.game.MOST_MOVES)
        span = 1 if trace == 0 else FOREVER if trace == 1 else math.ceil(math.log(FORGOTTEN) / math.log(trace))
        taught = np.eye(len(self.game.RESULTS), dtype=np.float32)
        taught = taught if settings.points else without_points(self.game, taught)
        how = (explore, np.float32(rate), np.float32(trace), taught, settings.inputs or self.game.FEATURES, span)
        ends, total, loss = [], 0, 0.0
        for i in range(games):
            if self.stopping.is_set():
                break
            dice, memory = (outcomes, chances, seeded(*seed, i)), (self.room, self.work, self.traces)
            end, n, lost = self.kernels.learn_game(self.game.states(1), *memory, *dice, *how, settings.longest)
            self._follow()
            ends.append(end)
            total, loss = total + n, loss + lost
        return np.array(ends, np.int64), total, loss

    def layers(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """The averaged weights as a `Net` holds them."""
        return tuple((self.averaged[i].copy(), self.averaged[i + 1].copy()) for i in range(0, len(self.averaged), 2))

    def arrays(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs but the averaged net."""
        own = {f"online{i}": array.copy() for i, array in enumerate(self._weights())}
        return own | {"online.games": np.array([self.games])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """The inverse of `arrays`, for one that was made with the averaged net."""
        for i, own in enumerate(self._weights()):
            own[:] = arrays[f"online{i}"]
        self.games = int(arrays["online.games"][0])

    def _weights(self) -> list[np.ndarray]:
        """The weights that learn, as views into the twin's record: of each layer (inputs, outputs) and the bias."""
        views = [self.work["first"][:-1], self.work["bias"]]
        for k, inputs in enumerate(self.net.sizes[1:-1], 1):
            views += [self.work[f"weights{k}"][:, :inputs].T, self.work[f"bias{k}"]]
        return views

    def _follow(self) -> None:
        """Faster at first, so that an average does not hold a young net back."""
        self.games += 1
        keep = np.float32(min(self.settings.average, (1.0 + self.games) / (10.0 + self.games)))
        for own, averaged in zip(self._weights(), self.averaged, strict=True):
            averaged += (own - averaged) * (1 - keep)
