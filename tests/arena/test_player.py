"""The strongest player there is, and what a tree search tells besides its move."""

import numpy as np
import pytest

from sparring.arena import player
from sparring.arena.player import parse_player, strongest
from sparring.errors import PlayerError
from sparring.games.game import load
from sparring.search.selective import ALL_SKILLS, BITS


@pytest.mark.parametrize(
    ("shipped", "spec"),
    [
        ([], "alphabeta:ms=500"),
        (["tic_tac_toe.safetensors"], "alphabeta:ms=500,net=shipped"),
        (["tic_tac_toe_tower.safetensors"], "mcts:sims=400,net=shipped"),
        (["tic_tac_toe.safetensors", "tic_tac_toe_tower.safetensors"], "alphabeta:ms=500,net=shipped"),
        (["pig_tower.safetensors"], "alphabeta:ms=500"),
    ],
)
def test_the_strongest_has_the_net_that_comes_with_the_package(tmp_path, monkeypatch, shipped, spec):
    monkeypatch.setattr(player, "SHIPPED", tmp_path)
    for name in shipped:
        (tmp_path / name).touch()
    assert strongest(load("tic-tac-toe")) == spec


def test_the_strongest_at_games_with_dice_judges_turns_by_a_net_or_a_hand_written_expert_or_by_random_games(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(player, "SHIPPED", tmp_path)
    assert strongest(load("pig")) == "mcts:sims=1000"
    assert strongest(load("abak")) == "expert"
    (tmp_path / "abak.safetensors").touch()
    assert strongest(load("abak")) == "turn:net=shipped,plies=2"


@pytest.mark.compiled
def test_a_search_takes_threads_and_does_without_techniques_and_eval_is_another_word_for_judge():
    chess = load("chess")
    entry = parse_player("alphabeta:eval=material,nodes=100,threads=2,without=null+reductions", chess)
    made = entry.make()
    assert len(made.searcher.contexts) == 2 and made.searcher.judge.name == "material"
    assert {int(c["skills"][0]) for c in made.searcher.contexts} == {ALL_SKILLS & ~BITS["null"] & ~BITS["reductions"]}


@pytest.mark.parametrize(
    ("spec", "entries"),
    [
        ("alphabeta", 1 << 16),
        ("alphabeta:nodes=100000", 1 << 17),
        ("alphabeta:ms=100", 1 << 20),
        ("alphabeta:tc=8+0.08", 1 << 20),
        ("alphabeta:tc=8+0.08,table=4096", 1 << 12),
        ("alphabeta:nodes=100000,table=2000000", 1 << 20),
    ],
)
def test_the_table_follows_the_limits_unless_it_is_asked_for(spec, entries):
    assert len(parse_player(spec, load("tic-tac-toe")).make().searcher.table) == entries


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("alphabeta:table=0", "table is 0, but it must be 16 to 16777216 entries"),
        ("alphabeta:threads=0", "threads is 0, but it must be 1 to 256"),
        ("alphabeta:without=nul", "no technique 'nul' to do without. Did you mean 'null'?"),
        ("alphabeta:eval=pawns", "chess.py has no pawns() to judge positions by."),
    ],
)
def test_what_a_search_cannot_do_is_told_in_a_line(spec, says):
    with pytest.raises(PlayerError) as fault:
        parse_player(spec, load("chess"))
    assert says in str(fault.value)


def considered(searcher, game, positions):
    states = np.repeat(game.states(1), positions)
    seeds = np.arange(1, positions + 1, dtype=np.uint64)
    return searcher.consider(states, [np.zeros(0, np.uint64)] * positions, [0] * positions, seeds)


@pytest.mark.compiled
def test_a_tree_search_takes_memory_for_as_many_positions_as_it_is_asked_about():
    game = load("tic-tac-toe")
    searcher = parse_player("mcts:sims=20", game).make()
    lanes = []
    for positions in (1, 5, 40, 2):
        assert len(considered(searcher, game, positions)) == positions
        lanes.append(len(searcher.fleet.forest.lanes))
    assert lanes == [1, 8, 64, 64]


@pytest.mark.compiled
def test_the_outcomes_below_the_moves_are_distributions_and_agree_with_the_visits():
    game = load("tic-tac-toe")
    searcher = parse_player("mcts:sims=200", game).make()
    state = game.after(game.states(1)[0], 4)  # the second player is to move
    past = np.array([game.key(game.states(1)[0])], np.uint64)
    (found,) = searcher.consider(np.array([state]), [past], [1], np.array([1], np.uint64))
    assert found.results.sum(1) == pytest.approx(np.ones(8))
    unproven = found.bounds[:, 0] < found.bounds[:, 1]
    values = found.results @ np.array(game.RESULTS)
    assert values[unproven] == pytest.approx(found.values[unproven], abs=1e-5), "without haste they are utilities"
    assert (found.bounds[:, 0] <= found.bounds[:, 1]).all()
    assert found.bound[0] <= found.value <= found.bound[1]
