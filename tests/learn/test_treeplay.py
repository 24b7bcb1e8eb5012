"""Self-play by tree search: its rows are positions of real games, with targets between result and search."""

import numpy as np
import pytest

from sparring.games.contract import ONGOING
from sparring.games.game import Game, load
from sparring.learn.alphazero_settings import AlphaZeroSettings
from sparring.learn.fleet import FIRST, GAMES, PLIES, SECOND, SETTLED
from sparring.learn.treeplay import Crew, GameFleet, Shared
from sparring.nets import engines
from sparring.nets.tower import Tower, shape_for
from sparring.search.gauge import longest_game
from sparring.search.tree import halving_table

pytestmark = pytest.mark.compiled  # thousands of simulations
QUICK = {"simulations": 12, "quick": 4, "lookahead": 1, "warm": 4, "opening": 4, "lanes": 8, "cache": 1.0}


def some_tower(game: Game, seed: int = 1) -> Tower:
    shape = shape_for(game, blocks=1, width=4, policy=2, value=2, hidden=8)
    rng = np.random.default_rng(seed)
    arrays = {n: (rng.normal(size=s) * 0.3).astype(np.float32) for n, s in shape.arrays.items()}
    return Tower(game.name, game.FEATURES_VERSION, shape, arrays)


def fleet_of(game: Game, number: int = 0, **settings) -> GameFleet:
    shared = Shared(game, AlphaZeroSettings(**{**QUICK, **settings}), longest_game(game))
    fleet = GameFleet(shared, 8, number)
    fleet.use(engines.make("numpy", some_tower(game), 8), "1")
    return fleet


def rows_of(fleet: GameFleet, count: int) -> np.ndarray:
    found: list[np.ndarray] = []
    while sum(map(len, found)) < count:
        found.append(fleet.round().copy())
    return np.concatenate(found)


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "tigers-and-sheep", "pig"])
def test_rows_are_positions_that_go_on_with_policies_over_legal_moves(name):
    game = load(name)
    fleet = fleet_of(game)
    for row in rows_of(fleet, 100):
        state = row["state"][0]
        moves = game.legal_moves(state)
        assert game.result(state) == ONGOING
        assert game.mover(state) in (0, 1)
        assert row["policy"][: len(moves)].sum() == pytest.approx(1, abs=1e-4)
        assert not row["policy"][len(moves) :].any()
        assert row["outcome"][:-1].sum() == pytest.approx(1, abs=1e-4)
        assert abs(row["outcome"][-1]) <= 1.001
        assert row["left"] >= 1
    counts = fleet.counts
    assert counts[FIRST] + counts[SECOND] <= counts[GAMES]
    assert counts[PLIES] >= counts[GAMES]


def test_quick_moves_halve_by_their_own_simulations():
    shared = Shared(load("tic-tac-toe"), AlphaZeroSettings(**{**QUICK, "rule": "gumbel"}), 9)
    assert np.array_equal(shared.halvings[0][:, :4], halving_table(4))
    assert np.array_equal(shared.halvings[1], halving_table(12))


@pytest.mark.parametrize(("full", "most"), [(1e-3, 4), (1.0, 2)])
def test_a_quick_search_narrows_down_sooner_than_a_full_one(full, most):
    """After 14 of 16 simulations the last two of seven moves have had up to 4; of 64 all have had two each."""
    how = {"rule": "gumbel", "simulations": 64, "quick": 16, "lookahead": 0, "opened": 0.0, "noise": 0.0}
    fleet = fleet_of(load("connect-four"), full=full, **how)
    seen = set()
    for _ in range(60):
        fleet.round()
        lanes, roots = fleet.forest.lanes, fleet.forest.nodes[:, 0]
        for i in np.flatnonzero((lanes["done"] == 14) & (lanes["plies"] < 6) & (fleet.games["full"] == (full == 1.0))):
            edges = fleet.forest.edges[i, roots[i]["first"] : roots[i]["first"] + roots[i]["count"]]
            seen.add(int(edges["visits"].max()))
    assert seen
    assert max(seen) == most


def test_with_a_trace_of_one_every_row_has_the_result_of_its_game():
    game = load("tic-tac-toe")
    fleet = fleet_of(game, trace=1.0, full=1.0, settled=0.0, opened=0.0)
    rows = rows_of(fleet, 200)
    ends = 0
    for row in rows[rows["left"] == 1]:  # the last position of each game
        state, ends = row["state"][0], ends + 1
        reached = {int(game.result(game.after(state, m))) for m in game.legal_moves(state)} - {ONGOING}
        assert row["outcome"][:-1].argmax() in reached
    assert ends > 10
    unproven = rows[(rows["outcome"][:, :-1].max(1) < 1)]
    assert len(unproven) == 0, "a result is certain, by the end or by proof"


def test_with_a_trace_of_zero_a_row_has_the_searchs_own_verdict():
    game = load("connect-four")
    rows = rows_of(fleet_of(game, trace=0.0, full=1.0, settled=0.0, opened=0.0), 200)
    early = rows[rows["left"] > 12]
    assert len(early) > 20
    assert (early["outcome"][:, :-1].max(1) < 1).all(), "nothing is certain so early"


def test_games_may_end_as_soon_as_they_are_proven():
    game = load("tic-tac-toe")
    fleet = fleet_of(game, settled=1.0, full=1.0)
    rows_of(fleet, 100)
    assert fleet.counts[SETTLED] > 0.9 * fleet.counts[GAMES] - 8
    fleet = fleet_of(game, settled=0.0, full=1.0)
    rows_of(fleet, 100)
    assert fleet.counts[SETTLED] == 0


def test_a_game_that_is_cut_off_counts_as_the_search_judged_it_last():
    game = load("pig")  # it has no draws, and no limit
    settings = AlphaZeroSettings(**{**QUICK, "lookahead": 0, "trace": 1.0, "full": 1.0, "settled": 0.0, "opened": 0.0})
    fleet = GameFleet(Shared(game, settings, 12), 8, 0)
    fleet.use(engines.make("numpy", some_tower(game), 8), "1")
    rows = rows_of(fleet, 100)
    assert (rows["outcome"][:, :2].max(1) < 0.999).all(), "nobody has won after so few moves"
    assert rows["outcome"][:, :2].sum(1) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("rule", ["puct", "gumbel"])
def test_the_same_seed_plays_the_same_games_and_a_restored_fleet_goes_on_with_them(keep, rule):
    game = load("tigers-and-sheep")
    one, two = (fleet_of(game, keep=keep, rule=rule) for _ in range(2))
    for fleet in (one, two):
        for _ in range(60):
            fleet.round()
    assert all((one.arrays[n] == two.arrays[n]).all() for n in ("games", "keys"))
    one.use(one.engine, "2")  # another net: what is in the cache no longer counts
    fresh = fleet_of(game, number=5, keep=keep, rule=rule)
    fresh.restore({n: a.copy() for n, a in one.arrays.items()})
    fresh.use(fresh.engine, "2")
    for _ in range(60):
        assert one.round().tobytes() == fresh.round().tobytes()
    assert (one.arrays["games"] == fresh.arrays["games"]).all()


def test_a_kept_tree_spends_fewer_judgements_on_a_move():
    game = load("connect-four")
    asked = []
    for keep in (False, True):
        fleet = fleet_of(game, keep=keep, full=1.0, opened=0.0, cache=0.001)
        for _ in range(150):
            fleet.round()
        asked.append(fleet.counts[2] / fleet.counts[PLIES])
    assert asked[1] < 0.95 * asked[0]


def test_a_fault_in_a_thread_is_raised_where_the_crew_is_awaited():
    game = load("tic-tac-toe")
    fleet = fleet_of(game)

    def broken(rows: int | None = None) -> None:
        raise RuntimeError("the engine broke")

    fleet.engine.run = broken
    with pytest.raises(RuntimeError, match="the engine broke"), Crew([fleet], lambda rows: None) as crew:
        crew.ending.wait(10)
