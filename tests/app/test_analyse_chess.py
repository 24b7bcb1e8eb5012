"""`sparring analyse chess`: positions as FEN, lines in chess's notation, chances and how open they are."""

import json
import math

import numpy as np
import pytest

from sparring.app.advice import Adviser, glance
from sparring.app.cli import main
from sparring.app.words import entropy, worth
from sparring.arena.player import parse_player
from sparring.games.game import load
from sparring.search.searcher import Line

MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
QUEEN_UP = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"


@pytest.fixture
def analyse(capsys):
    def run(*words):
        code = main(["analyse", "chess", *words])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("chances", "bits"),
    [
        ([(1.0, 1.0), (0.0, 0.0), (-1.0, 0.0)], 0.0),
        ([(1.0, 0.5), (-1.0, 0.5)], 1.0),
        ([(1.0, 1 / 3), (0.0, 1 / 3), (-1.0, 1 / 3)], math.log2(3)),
        ([(1.0, 0.25), (0.0, 0.5), (-1.0, 0.25)], 1.5),
    ],
)
def test_entropy_tells_in_bits_how_open_a_result_is(chances, bits):
    assert entropy(chances) == pytest.approx(bits)


@pytest.mark.compiled
def test_a_position_is_given_as_fen_and_its_mate_found(analyse):
    player = ["--player", "alphabeta:depth=4,judge=material"]
    found = json.loads(analyse("--fen", MATE, *player, "--json")[1])
    assert found["lines"][0] == {"moves": ["Ra8#"], "value": 1.0, "plies_to_end": 1}
    _, shown, _ = analyse("--fen", MATE, *player)
    assert "Ra8#   wins in 1 ply" in shown
    code, _, err = analyse("--fen", "8/8/8/8/8/8/8/8 w - - 0 1")
    assert code == 1 and "White has 0 kings" in err


def test_a_judgement_in_pawns_is_told_as_an_expected_result():
    game = load("chess")
    entry = parse_player("alphabeta:depth=1,judge=material", game)
    state = np.array([game.module.position(QUEEN_UP)], game.STATE)[0]
    seen = glance(game, Adviser(entry, entry.make()), state)
    assert seen.value == pytest.approx(math.tanh(12.5 * 0.095), abs=0.05), "a queen, about nine pawns and a half"


@pytest.mark.compiled
def test_chances_of_a_net_are_told_with_their_entropy(tower_of, capsys):
    words = ["analyse", "tic-tac-toe", "--player", f"mcts:sims=4,engine=numpy,net={tower_of('tic-tac-toe')}"]
    assert main(words) == 0
    shown = capsys.readouterr().out.splitlines()
    (line,) = (line for line in shown if "; entropy " in line)
    assert line.startswith("  chances X ") and line.endswith(" of 1.58 bits")
    main([*words, "--json"])
    opinion = json.loads(capsys.readouterr().out)["opinion"]
    chances = [(row["result"], row["chance"]) for row in opinion["chances"]]
    assert opinion["entropy"] == pytest.approx(entropy(chances))
    assert f"entropy {opinion['entropy']:.2f}" in line


def test_a_score_is_told_in_pawns_and_as_a_share_of_a_point():
    chess = load("chess")
    assert worth(chess, Line((0,), 20_000, 0.2449, None)) == "+1.00 pawns, 62 %, a little better"
    assert worth(chess, Line((0,), -1_010_000 + 4, -1.0, 4)) == "loses in 4 plies"
    assert worth(load("connect-four"), Line((0,), 0, 0.0, None)) == "+0.00, about even"
