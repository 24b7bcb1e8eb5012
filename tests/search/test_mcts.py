"""The tree search equals a slow, obvious one; what it proves is true; its memory is bounded."""

import math
import pathlib

import numpy as np
import pytest
import slow_mcts

from sparring.compiled import INTERPRETED
from sparring.errors import PlayerError
from sparring.games.contract import CHANCE, ONGOING
from sparring.games.game import Game, load
from sparring.nets.tower import planes_of
from sparring.search import fleet as search_fleet
from sparring.search import plain
from sparring.search.fleet import Fleet
from sparring.search.gauge import longest_game, usual_lookahead
from sparring.search.tree import Forest, Selection, halving, halving_table

F = np.float32


class Oracle:
    """Judges by a number made of the inputs: like a net, it knows nothing but them, and it is exact."""

    def __init__(self, game: Game, batch: int) -> None:
        self.game, self.batch = game, batch
        self.inputs = np.zeros((batch, *planes_of(game)), np.float32)
        self.outputs = np.zeros((batch, game.MOVES + len(game.RESULTS) + 1), np.float32)
        self.weights = np.random.default_rng(5).integers(1, 10_000, math.prod(planes_of(game)))
        self.runs = 0

    def run(self, rows: int | None = None) -> None:
        self.runs += 1
        for i in range(self.batch):
            self.outputs[i] = self.row(self.inputs[i].reshape(-1))

    def row(self, inputs: np.ndarray) -> np.ndarray:
        number = int((inputs.astype(np.float64) * 40).round().astype(np.int64) @ self.weights)
        return ((number * (2 * np.arange(self.outputs.shape[1]) + 3) % 1009) / 400.0 - 1.2).astype(np.float32)

    def judge(self, state: np.void) -> tuple[list[np.float32], np.ndarray]:
        """As the slow search asks: through the symmetry that the fast one sees the position by."""
        game = self.game
        image, seen = self.usual(state)
        index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
        eyes = game.VIEWER if game.VIEWER >= 0 else int(game.mover(seen))
        n = game.features(seen, eyes, index, value)
        planes, rows, columns = planes_of(game)
        board = math.prod(game.PLANES) if game.PLANES else game.FEATURES
        inputs = np.zeros(planes * rows * columns, np.float32)
        for i, v in zip(index[:n], value[:n], strict=True):
            where = i if i < board else board + (i - board) * rows * columns + np.arange(rows * columns)
            inputs[where] = v
        out = self.row(inputs)
        moves = game.legal_moves(seen)
        raw = [float(out[m]) for m in moves]
        base = max(raw) + math.log(sum(math.exp(x - max(raw)) for x in raw))
        logits = {m: max(F(float(out[m]) - base), F(-20)) for m in moves}
        ends = [float(x) for x in out[game.MOVES : game.MOVES + len(game.RESULTS)]]
        chances = [math.exp(x - max(ends)) for x in ends]
        outcome = [F(c / sum(chances)) for c in chances]
        score = F(out[-1])
        if eyes == 1:
            outcome, score = outcome[::-1], F(-score)
        mapped = [logits[int(game.transform_move(m, image))] for m in game.legal_moves(state)]
        return mapped, np.array([*outcome, score], np.float32)

    def usual(self, state: np.void) -> tuple[int, np.void]:
        images = []
        for k in range(self.game.SYMMETRIES):
            seen = self.game.after(state)
            if k:
                self.game.transform(seen, k)
            images.append((int(self.game.key(seen)), k, seen))
        _, k, seen = min(images, key=lambda image: image[:2])
        return k, seen


def some_positions(game: Game, count: int, seed: int) -> list[tuple[np.void, int, list[int]]]:
    """Positions of random games in which a player is to move, with plies and the keys before them."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        state, keys = game.states(1)[0], []
        for _ in range(rng.integers(0, 30)):
            moves = game.legal_moves(state)
            if not moves:
                break
            keys.append(int(game.key(state)))
            game.play(state, int(rng.choice(moves)))
        if game.result(state) == ONGOING and game.mover(state) != CHANCE and not 0 < game.LIMIT <= len(keys):
            found.append((game.after(state), len(keys), keys))
    return found


def tree_of(fleet: Fleet) -> list[tuple]:
    """Every edge of the first lane's tree, node by node as they were made."""
    lane, found = fleet.forest.lanes[0], []
    for node in fleet.forest.nodes[0, : lane["nodes"]]:
        for edge in fleet.forest.edges[0, node["first"] : node["first"] + node["count"]]:
            found.append((int(edge["move"]), int(edge["visits"]), *(F(edge[k]) for k in ("total", "low", "high"))))
    return found


def slow_tree(search: slow_mcts.SlowSearch) -> list[tuple]:
    return [(e.move, e.visits, e.total, e.low, e.high) for node in search.order for e in node.edges]


SELECTIONS = [
    Selection(rule="gumbel"),
    Selection(rule="puct", forced=2.0),
    Selection(rule="uct", puct=1.0, haste=0.0),
    Selection(rule="gumbel", haste=0.45, considered=4, visit_scale=10.0),
    Selection(rule="puct", lookahead=3),
]


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe", "tigers_and_sheep", "twice", "circle", "pig"])
@pytest.mark.parametrize("selection", SELECTIONS, ids=lambda s: f"{s.rule}-{s.haste}-{s.lookahead}")
def test_the_search_is_the_slow_one_node_for_node(name, selection, request):
    game = load("pig") if name == "pig" else request.getfixturevalue(name)
    simulations, count = (8, 1) if INTERPRETED else (40, 4)
    oracle, longest, table = Oracle(game, 1), longest_game(game), halving_table(simulations)
    fleet = Fleet(game, oracle, simulations, selection, net="1", cache_mb=1.0)
    for state, plies, past in some_positions(game, count, 3):
        fleet.answer(np.array([state], game.STATE), plies=[plies], pasts=[np.array(past, np.uint64)])
        slow = slow_mcts.SlowSearch(game, oracle.judge, selection, longest, state, plies, past)
        slow.run(simulations, table)
        assert tree_of(fleet) == slow_tree(slow)


def searched(game: Game, simulations: int, states: np.ndarray, **how) -> np.ndarray:
    fleet = Fleet(game, Oracle(game, 8), simulations, Selection(**how), net="1")
    return fleet.answer(states, plies=[0] * len(states))


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.dtype.names)


@pytest.mark.compiled
@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_what_is_proven_is_true_though_the_judge_knows_nothing(tic_tac_toe, rule):
    states = np.array([s for s, _, _ in some_positions(tic_tac_toe, 40, 8)], tic_tac_toe.STATE)
    answers = searched(tic_tac_toe, 300, states, rule=rule, haste=0.0)
    proven = 0
    for state, answer in zip(states, answers, strict=True):
        score, _ = plain.solve_from(tic_tac_toe, state, 9)
        true = np.sign(score) * (1 if tic_tac_toe.mover(state) == 0 else -1)
        assert answer["low"] <= true <= answer["high"]
        if answer["low"] == answer["high"]:
            proven += 1
            after, _ = plain.solve_from(tic_tac_toe, tic_tac_toe.after(state, int(answer["best"])), 9)
            assert np.sign(-after) == np.sign(score), "a proven position is played as well as can be"
            assert answer["outcome"][int(true) + 1] == 1
    assert proven >= 20


def test_a_win_in_one_needs_no_simulation(connect_four):
    state = connect_four.after(connect_four.states(1)[0], 0, 1, 0, 1, 0, 1)
    (answer,) = searched(connect_four, 50, np.array([state], connect_four.STATE), haste=0.3)
    assert (answer["best"], answer["simulations"]) == (0, 0)
    assert answer["low"] == answer["high"] == F(1 - 0.3 * 1 / longest_game(connect_four))  # plies count from the root
    assert list(answer["policy"][:7]) == [1, 0, 0, 0, 0, 0, 0]


@pytest.mark.compiled
def test_a_threat_that_loses_at_once_is_answered(connect_four):
    state = connect_four.after(connect_four.states(1)[0], 0, 1, 0, 1, 0)
    for rule in ("gumbel", "puct"):
        (answer,) = searched(connect_four, 64, np.array([state], connect_four.STATE), rule=rule)
        assert answer["best"] == 0


@pytest.mark.compiled
def test_each_position_is_answered_alike_alone_and_among_others(connect_four):
    states = np.array([s for s, _, _ in some_positions(connect_four, 20, 5)], connect_four.STATE)
    together = searched(connect_four, 40, states)
    alone = np.array([searched(connect_four, 40, states[i : i + 1])[0] for i in range(20)])
    assert same(together, alone)


@pytest.mark.compiled
def test_the_policy_and_its_visits_add_up(connect_four):
    states = np.array([s for s, _, _ in some_positions(connect_four, 20, 6)], connect_four.STATE)
    for answer in searched(connect_four, 40, states, rule="puct"):
        n = answer["count"]
        assert answer["policy"][:n].sum() == pytest.approx(1, abs=1e-5)
        assert answer["priors"][:n].sum() == pytest.approx(1, abs=1e-5)
        assert answer["visits"][:n].sum() == answer["simulations"] <= 40
        assert answer["outcome"][:3].sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.compiled
def test_zero_simulations_are_the_judges_own_opinion(connect_four):
    oracle = Oracle(connect_four, 8)
    fleet = Fleet(connect_four, oracle, 16, Selection(), net="1")
    states = np.array([s for s, _, _ in some_positions(connect_four, 20, 6)], connect_four.STATE)
    for state, answer in zip(states, fleet.answer(states, simulations=0), strict=True):
        logits, outcome = oracle.judge(state)
        assert list(answer["own"]) == list(outcome)
        assert list(answer["priors"][: len(logits)]) == [F(math.exp(float(x))) for x in logits]


@pytest.mark.compiled
def test_a_second_search_of_the_same_positions_asks_the_net_nothing(connect_four):
    oracle = Oracle(connect_four, 8)
    fleet = Fleet(connect_four, oracle, 40, Selection(), net="1")
    states = np.array([s for s, _, _ in some_positions(connect_four, 8, 6)], connect_four.STATE)
    first, runs = fleet.answer(states), oracle.runs
    assert same(fleet.answer(states), first)
    assert oracle.runs == runs
    fleet.use(oracle, "2")
    assert same(fleet.answer(states), first)
    assert oracle.runs > runs, "another net is asked anew"


def test_mirror_images_share_one_judgement(connect_four):
    oracle = Oracle(connect_four, 1)
    fleet = Fleet(connect_four, oracle, 2, Selection(), net="1")
    start = connect_four.states(1)[0]
    left, right = (connect_four.after(start, *moves) for moves in ((0, 3, 2), (6, 3, 4)))
    (a,) = fleet.answer(np.array([left], connect_four.STATE), simulations=0)
    runs = oracle.runs
    (b,) = fleet.answer(np.array([right], connect_four.STATE), simulations=0)
    assert oracle.runs == runs
    assert list(a["priors"]) == list(b["priors"][::-1])


@pytest.mark.compiled
def test_random_games_judge_where_there_is_no_net(connect_four):
    fleet = Fleet(connect_four, None, 2000, Selection(rule="uct", puct=1.0, haste=0.0))
    states = np.array([connect_four.after(connect_four.states(1)[0], 3, 0, 3, 0, 3)])  # a fourth in column 4 wins
    answers = fleet.answer(states, seeds=[1])
    assert (answers[0]["best"], answers[0]["simulations"]) == (3, 2000)
    assert same(fleet.answer(states, seeds=[1]), answers)
    assert not same(fleet.answer(states, seeds=[2]), answers)


def test_halving_gives_every_simulation_to_a_move_with_the_wanted_visits():
    for moves in range(1, 17):
        for simulations in (2, 7, 16, 50, 200):
            visits = [0] * moves
            for wanted in halving(moves, simulations):
                visits[visits.index(wanted)] += 1
            assert sum(visits) == simulations
            assert max(visits) - sorted(visits)[-min(2, moves)] <= 1, "the last two share what is left"
    assert halving(4, 16) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_a_halving_table_of_quick_moves_is_theirs_and_only_as_wide_as_that_of_full_ones():
    table = halving_table(4, 16)
    assert table.shape == (17, 16)
    assert np.array_equal(table[:, :4], halving_table(4))
    assert np.array_equal(table[:, 4:], np.repeat(table[:, 3:4], 12, axis=1))


def test_a_utility_tells_which_result_it_is_of_whenever_that_comes(points):
    names = search_fleet.join(points).names
    how = Selection(haste=0.3).record(100)[0]
    for end in range(6):
        for plies in range(0, 101, 20):
            assert names["end_of"](names["end_utility"](end, plies, how), how) == end


@pytest.mark.compiled
def test_the_usual_look_ahead_is_as_far_as_all_moves_of_a_node_can_afford(connect_four, tigers_and_sheep):
    breakthrough = load(str(pathlib.Path(__file__).parents[2] / "docs" / "breakthrough.py"))
    assert [usual_lookahead(g) for g in (connect_four, tigers_and_sheep, breakthrough, load("pig"))] == [3, 2, 1, 0]


def test_memory_is_bounded_with_a_clear_message(connect_four):
    with pytest.raises(PlayerError, match=r"searches of 100000000 simulations take .* GiB .* at most 4.0"):
        Forest.of(connect_four, 4, 100_000_000)
    with pytest.raises(PlayerError, match="simulations is 1, but a tree search needs at least 2"):
        Fleet(connect_four, None, 1, Selection())
    with pytest.raises(PlayerError, match="rule is 'ucb', but it must be one of puct, gumbel, uct"):
        Selection(rule="ucb").record(42)


@pytest.mark.compiled
def test_the_longest_game_is_found_where_something_fills_up(connect_four, tic_tac_toe, tigers_and_sheep):
    assert [longest_game(g) for g in (connect_four, tic_tac_toe, tigers_and_sheep)] == [42, 9, 200]
