"""Games in files: what is written is read again, what is no game is told with its line."""

import json
import re

import numpy as np
import pytest

from sparring.errors import RecordError
from sparring.games.contract import CHANCE
from sparring.games.game import load
from sparring.games.gamefile import Recorded, append, fields_of, read, replay

WON = {"game": "tic_tac_toe", "players": ["a", "b"], "moves": [0, 3, 1, 4, 2], "result": 1.0}


@pytest.fixture
def game():
    return load("tic-tac-toe")


def lines(path, *rows):
    """A file that holds these rows, as JSON or as they are."""
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def fault(path, game):
    """What is said of a file that cannot be read or replayed."""
    with pytest.raises(RecordError) as caught:
        replay(game, list(read(path, game)))
    return str(caught.value).removeprefix(f"{path}, ")


def random_game(game, seed):
    """A random game: (moves, result), interpreted step by step."""
    random = np.random.default_rng(seed)
    (state,) = game.states(1)
    moves = []
    while legal := game.legal_moves(state):
        moves.append(int(random.choice(legal)))
        state = game.after(state, moves[-1])
    return tuple(moves), game.RESULTS[game.result(state)]


def test_what_is_written_is_read_again(tmp_path, game):
    games = [Recorded("tic_tac_toe", ("x", "o"), (0, 3, 1, 4, 2), 1.0, more={"seed": 7})]
    games += [Recorded("tic_tac_toe", ("o", "x"), (4,), None, deal=0, given=1)]
    path = tmp_path / "new" / "games.jsonl"
    append(path, games[:1])
    append(path, games[1:])
    found = list(read(path, game))
    assert [one.where for one in found] == [f"{path}, line 1", f"{path}, line 2"]
    assert [{**vars(one), "where": "the game"} for one in found] == [vars(one) for one in games]


def test_a_file_that_ends_within_a_line_is_gone_on_with_on_the_next(tmp_path, game):
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(WON))
    append(path, [Recorded("tic_tac_toe", ("x", "o"), (4,), None)])
    assert [one.moves for one in read(path, game)] == [(0, 3, 1, 4, 2), (4,)]


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig"])
def test_a_replay_holds_every_decision_its_player_and_the_position_before_it(name):
    game = load(name)
    games = [Recorded(game.name, ("a", "b"), *random_game(game, seed)) for seed in range(3)]
    found = replay(game, games)
    rows = []
    for number, one in enumerate(games):
        (state,) = game.states(1)
        for move in one.moves:
            if game.mover(state) != CHANCE:
                rows.append((number, state.tobytes(), move, game.mover(state)))
            state = game.after(state, move)
    every = zip(found.numbers, found.states, found.moves, found.movers, strict=True)
    assert [(n, state.tobytes(), move, who) for n, state, move, who in every] == rows
    assert list(found.results) == [one.result for one in games]


def test_moves_that_nobody_chose_are_played_but_are_no_decisions(game):
    found = replay(game, [Recorded("tic_tac_toe", ("a", "b"), (0, 3, 1, 4, 2), 1.0, given=3)])
    assert (list(found.moves), list(found.movers)) == ([4, 2], [1, 0])


def test_an_unfinished_game_has_no_result(game):
    assert np.isnan(replay(game, [Recorded("tic_tac_toe", ("a", "b"), (4,), None)]).results).all()


def test_a_game_may_begin_with_a_position_of_its_own(tmp_path, game):
    state = game.after(game.states(1)[0], 4, 0)
    path = tmp_path / "games.jsonl"
    append(path, [Recorded("tic_tac_toe", ("a", "b"), (8,), None, position=fields_of(state))])
    (one,) = read(path, game)
    assert one.first(game)[0] == state
    row = json.loads(path.read_text())
    assert fault(lines(path, {**row, "position": {"board": 1}}), game).startswith(
        "line 1: position has board, but one of tic_tac_toe has "
    )


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("{", "line 2: not a game in JSON: Expecting property name enclosed in double quotes"),
        ("[1]", "line 2: a game is an object with game, players, moves and result, not [1]"),
        ({"game": "tic_tac_toe", "players": ["a", "b"], "moves": []}, "line 2: result is missing"),
        ({**WON, "game": "pig"}, "line 2: a game of 'pig', not of 'tic_tac_toe'"),
        ({**WON, "players": "ab"}, 'line 2: players is "ab", but it must be the names of two players'),
        ({**WON, "moves": [0, 9]}, "line 2: moves is [0, 9], but it must be whole numbers from 0 to 8"),
        ({**WON, "moves": [0, True]}, "line 2: moves is [0, true], but it must be whole numbers from 0 to 8"),
        ({**WON, "result": 2}, "line 2: result is 2, but it must be null or a value from -1 to 1"),
        ({**WON, "result": float("nan")}, "line 2: result is NaN, but it must be null or a value from -1 to 1"),
        ({**WON, "deal": -1}, "line 2: deal is -1, but it must be a whole number from 0 to 2**64 - 1"),
        ({**WON, "given": 6}, "line 2: given is 6, but it must be a whole number, at most that of the moves"),
        ({**WON, "moves": [0, 3, 0]}, "line 2: illegal move 0 at ply 3; legal are 1, 2, 4, 5, 6, 7, 8"),
        ({**WON, "moves": [0, 3, 1, 4, 2, 5]}, "line 2: move 5 at ply 6, but the game is over after 5 plies"),
        ({**WON, "result": 0}, "line 2: the result is 0, but its game ends with 1"),
    ],
)
def test_what_is_no_game_is_told_with_its_line(tmp_path, game, row, says):
    assert fault(lines(tmp_path / "games.jsonl", WON, row), game) == says


def test_an_outcome_that_cannot_be_is_told_as_such(tmp_path):
    game = load("pig")
    row = {
        "game": "pig",
        "players": ["a", "b"],
        "moves": [game.parse_move(game.states(1)[0], "roll"), 0],
        "result": None,
    }
    assert re.search(
        "line 1: illegal move .*; outcomes are [0-9, ]+$", fault(lines(tmp_path / "games.jsonl", row), game)
    )


def test_an_empty_file_or_none_is_told(tmp_path, game):
    path = tmp_path / "games.jsonl"
    assert fault(path, game) == f"cannot read {path}: No such file or directory"
    path.write_text("\n")
    assert fault(path, game) == f"{path} holds no games; sparring record tic_tac_toe writes some"
    path.write_bytes(b"\xff\xfe\x00")
    assert fault(path, game).startswith(f"{path} is no file of games: it is not text")


def test_nothing_is_written_into_a_file_of_other_games_or_of_another_kind(tmp_path):
    path = lines(tmp_path / "games.jsonl", {**WON, "game": "pig"})
    for content in (path.read_bytes(), b"some text\n"):
        path.write_bytes(content)
        with pytest.raises(RecordError, match="give another file"):
            append(path, [Recorded("tic_tac_toe", ("a", "b"), (), None)])
        assert path.read_bytes() == content
