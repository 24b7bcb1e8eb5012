"""What lookahead over the dice costs and gives, by a net: filters, bounds, rollouts. Positions of its own games.

    python -m benchmarks.lookahead filters NET [--game backgammon] [--positions 240] [--seed 5]
    python -m benchmarks.lookahead bounds NET [--positions 80]
    python -m benchmarks.lookahead rollouts NET [--positions 3]

`filters`: the points that are lost by the turn chosen with a filter, beside the best one by two plies with wide
filters, and the time of a choice. `bounds`: which share of the replies need no judging, one ply ahead, with the bounds
Star1 and Star2 (Ballard 1983); Star2 tries the best reply to the same roll after an earlier turn first. `rollouts`: how
far single games scatter with their luck and without it, and how many are played a second. One thread.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np

from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game, load
from sparring.nets import weights
from sparring.nets.weights import Net
from sparring.search import expectimax
from sparring.search.expectimax import INNER, ROOT, Filter, Lookahead
from sparring.search.rollouts import Rollouts
from sparring.search.turns import Turns

TAKEN = 0.15  # share of the positions of a game


def rolls_of(game: Game, state: np.void) -> list[tuple[int, float]]:
    """The outcomes of chance and how likely they are."""
    numbers, odds = np.zeros(game.MOST_MOVES, np.int32), np.zeros(game.MOST_MOVES)
    n = game.chance(state, numbers, odds)
    return list(zip(numbers[:n].tolist(), odds[:n].tolist(), strict=True))


def positions(game: Game, net: Net, n: int, seed: int) -> list[np.void]:
    """Positions with a choice, from games of the net with itself."""
    random, look, turns, found = np.random.default_rng(seed), Lookahead(game, net, 0), Turns(game), list[np.void]()
    while len(found) < n:
        state = game.states(1)[0]
        while game.result(state) == ONGOING:
            if game.mover(state) == CHANCE:
                numbers, odds = zip(*rolls_of(game, state), strict=True)
                game.play(state, int(random.choice(numbers, p=odds)))
                continue
            if random.random() < TAKEN and len(turns.of(state)) > 1:
                found.append(game.after(state))
            for move in look.choose(state):
                game.play(state, move)
    return found[:n]


def filters(game: Game, net: Net, states: list[np.void]) -> None:
    """Loss and time by filter."""
    wide = Lookahead(game, net, 2, root=Filter(40, 1.2), inner=Filter(30, 1.0))
    truth = [{int(game.key(turn.state)): turn.value for turn in wide.rank(state)} for state in states]
    print("plies  root         inner        narrower  points lost  ms a choice  turns judged")
    trials = [(0, ROOT, INNER, 2)]
    trials += [(1, root, INNER, 2) for root in (Filter(4, 0.08), Filter(8, 0.16), ROOT, Filter(16, 0.32))]
    trials += [(2, Filter(16, 0.32), inner, 2) for inner in (INNER, Filter(2, 0.1), Filter(4, 0.2))]
    roots = (Filter(8, 0.08), Filter(8, 0.16), ROOT, Filter(16, 0.32))
    trials += [(2, root, INNER, narrower) for narrower in (1, 2, 4) for root in roots]
    for plies, root, inner, narrower in trials:
        expectimax.NARROWER = narrower
        look = Lookahead(game, net, plies, root=root, inner=inner)
        look.choose(states[0])
        lost, judged, began = 0.0, 0, time.perf_counter()
        for state, values in zip(states, truth, strict=True):
            after = game.after(state, *look.choose(state))
            lost += max(values.values()) - values.get(int(game.key(after)), min(values.values()))
            judged += look.looked
        ms = 1000 * (time.perf_counter() - began) / len(states)
        text = f"{plies:5}  {root.most:3} in {root.margin:4}  {inner.most:3} in {inner.margin:4}  {narrower:8}"
        print(f"{text}  {lost / len(states):11.4f}  {ms:11.2f}  {judged / len(states):12,.0f}", flush=True)


def bounds(game: Game, net: Net, states: list[np.void]) -> None:
    """Shares of the replies that must be judged."""
    best, needed = max(game.RESULTS), np.zeros(3)
    for state in states:
        alpha, killers = -best, dict[int, tuple[int, ...]]()
        for turn in Lookahead(game, net, 0).rank(state):
            if game.result(turn.state) == ONGOING:
                replies = list(replies_to(game, net, turn.state, killers))
                needed += [sum(n for *_, n in replies), *with_bounds(replies, alpha, best)]
                alpha = max(alpha, sum(odds * value for odds, value, *_ in replies))
    print(
        f"of {needed[0]:,.0f} replies Star1 has {needed[1] / needed[0]:.1%} judged, Star2 {needed[2] / needed[0]:.1%}"
    )


def replies_to(
    game: Game, net: Net, state: np.void, killers: dict[int, tuple[int, ...]]
) -> Iterator[tuple[float, float, float | None, int]]:
    """Of each roll: its odds, what the best reply leaves, what the killer leaves, how many replies there are."""
    look = Lookahead(game, net, 0, root=expectimax.ALL)
    for number, odds in rolls_of(game, state):
        ranked = look.rank(game.after(state, number))
        values = {turn.steps: -turn.value for turn in ranked}
        yield odds, -ranked[0].value, values.get(killers.get(number, ())), len(ranked)
        killers.setdefault(number, ranked[0].steps)


def with_bounds(replies: list[tuple[float, float, float | None, int]], alpha: float, best: float) -> tuple[int, int]:
    """How many replies Star1 and Star2 judge before the turn is known to be no better than alpha."""
    first, known, left = 0, 0.0, 1.0
    for odds, value, _, n in replies:
        known, left, first = known + odds * value, left - odds, first + n
        if known + left * best <= alpha:
            break
    second = sum(killer is not None for _, _, killer, _ in replies)
    bound = sum(odds * (best if killer is None else killer) for odds, _, killer, _ in replies)
    for odds, value, killer, n in replies:
        if bound <= alpha:
            break
        bound += odds * (value - (best if killer is None else killer))
        second += n - (killer is not None)
    return first, second


def rollouts(game: Game, net: Net, states: list[np.void]) -> None:
    """How games scatter."""
    print("position  length  luck  plies  equity  standard deviation of a game  games/s")
    for i, state in enumerate(states):
        best, who = Lookahead(game, net, 0).rank(state)[0], int(game.mover(state))
        for plies, luck, turns, games in (
            (0, True, 0, 1296),
            (0, False, 0, 1296),
            (0, False, 11, 1296),
            (1, False, 0, 72),
        ):
            rollout = Rollouts(game, net, plies)
            rollout.run(best.state, who, 2)
            began = time.perf_counter()
            rolled = rollout.run(best.state, who, games, turns=turns, luck=luck)
            speed, scatter = games / (time.perf_counter() - began), rolled.error * games**0.5
            told = f"{i:8}  {rolled.turns:6.1f}  {'in' if luck else 'out':4}  {plies:5}  {rolled.equity:+.3f}"
            print(f"{told}  {scatter:28.3f}  {speed:7.0f}", flush=True)


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("filters", "bounds", "rollouts"))
    parser.add_argument("net")
    parser.add_argument("--game", default="backgammon")
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args()
    game, net = load(asked.game), weights.load_perceptron(asked.net)
    measure, usual = {"filters": (filters, 240), "bounds": (bounds, 80), "rollouts": (rollouts, 3)}[asked.what]
    measure(game, net, positions(game, net, asked.positions or usual, asked.seed))


if __name__ == "__main__":
    main()
