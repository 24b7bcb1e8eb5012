"""Players of dice games begin the best turn and keep to it until it is over."""

import numpy as np
import pytest

from sparring.arena.batch import Batch
from sparring.arena.match import play_pairs
from sparring.arena.player import parse_player
from sparring.errors import PlayerError
from sparring.games.contract import CHANCE
from sparring.games.game import Game, load
from sparring.games.walk import random_positions
from sparring.nets import weights
from sparring.nets.mlp import new_net
from sparring.search.expectimax import Lookahead


@pytest.fixture(scope="module")
def game() -> Game:
    return load("pig")


@pytest.fixture(scope="module")
def net(game, tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("nets") / "pig.safetensors"
    weights.save(new_net(game, (8,), "results", 3.0, 6, "leaky"), path)
    return str(path)


def ask(player, state: np.void, lane: int = 0) -> int:
    seeds = np.array([1], np.uint64)
    return player.choose(Batch(np.array([state]), [np.zeros(0, np.uint64)], [0], seeds, [lane]))[0]


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_it_plays_the_turn_that_its_lookahead_likes_best(game, net, plies):
    player = parse_player(f"turn:net={net},plies={plies}", game).make()
    look = Lookahead(game, weights.load_perceptron(net), plies)
    chosen = set()
    for lane, state in enumerate(random_positions(game, 8, seed=6)):
        player.begin(lane)
        here = state
        for move in look.rank(state)[0].steps:
            assert ask(player, here, lane) == move
            chosen.add(move)
            here = game.after(here, move)
        assert game.mover(here) in (CHANCE, 1 - game.mover(state))
    assert chosen == {0, 1}


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "other", "least"),
    [("backgammon", "turn:judge=pips", 2.4), ("abak", "expert", 1.5)],
    ids=["pips", "expert"],
)
def test_the_net_that_comes_with_the_package_wins_points_from_a_judgement_by_hand(name, other, least):
    game = load(name)
    a, b = (parse_player(text, game) for text in ("turn", other))
    pairs = list(play_pairs(game, a, b, range(60), opening=0, seed=1, threads=2))
    assert np.mean([record.value for pair in pairs for record in pair.games]) > least


def test_who_looks_ahead_plays_one_game_at_a_time(game, net):
    lanes = [parse_player(f"turn:net={net},plies={plies}", game).make().lanes for plies in (0, 1)]
    assert lanes[0] > lanes[1] == 1


def test_it_looks_no_further_than_two_plies(game, net):
    with pytest.raises(PlayerError, match="plies is 3, but it must be 0 to 2"):
        parse_player(f"turn:net={net},plies=3", game)


def test_a_game_without_dice_has_no_such_player():
    with pytest.raises(PlayerError, match="tic_tac_toe has no dice; alphabeta and mcts play it"):
        parse_player("turn:net=x", load("tic-tac-toe"))


@pytest.mark.compiled
def test_a_function_of_the_rules_may_judge_instead_of_a_net():
    abak = load("abak")
    state = abak.module.position("24:ED 13:3SG 8:SGS 6:3SN 10:s 1:de 2:os 12:2sg 17:sgs 19:3s; white plays 6-3")
    by_pips, by_expert = (parse_player(text, abak).make() for text in ("turn:judge=pips", "expert"))
    for player in (by_pips, by_expert):
        values = {turn.steps: turn.value for turn in player.judge.rank(state, most=1000)}
        rule = getattr(abak.module, player.judge.name)
        assert values == {steps: pytest.approx(rule(abak.after(state, *steps), 0)) for steps in values}
        assert values[player.judge.choose(state)] == max(values.values())
        assert ask(player, state) == player.judge.choose(state)[0]
        assert len(player.judge.rank(state, most=2)) == 2
    assert abak.after(state, *by_pips.judge.choose(state))["bar"][1] > 0, "a hit gains most"


def test_a_turn_that_ends_the_game_beats_every_judgement(game, tmp_path):
    path = tmp_path / "backward.py"
    rules = game.path.read_text().replace(
        "def draw(", 'def timid(state, who):\n    return -state["score"][who]\n\n\ndef draw('
    )
    path.write_text(rules)
    backward = load(str(path))
    player = parse_player("turn:judge=timid", backward).make()
    state = backward.states(1)[0]
    state["score"][0], state["gathered"] = 90, 9
    assert backward.move_name(state, ask(player, state)) == "roll"
    state["gathered"] = 10
    assert backward.move_name(state, ask(player, state, 1)) == "hold"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("expert", r"pig.py has no expert\(\) to judge positions by"),
        ("turn:judge=x,plies=1", "judge goes without net, plies and match: it knows no chances of results"),
        ("turn:judge=x,match=y", "judge goes without net, plies and match: it knows no chances of results"),
        ("turn:judge=x,net=y", "judge goes without net, plies and match: it knows no chances of results"),
    ],
)
def test_what_cannot_judge_is_refused(game, spec, says):
    with pytest.raises(PlayerError, match=says):
        parse_player(spec, game)
