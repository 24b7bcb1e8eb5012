"""Games between nets and bots: the same as one after the other in plain Python, and rows that say what was done."""

import pathlib

import numpy as np
import pytest

from sparring.errors import RunError
from sparring.games.contract import ONGOING
from sparring.games.game import Game, load
from sparring.learn.seat_play import BOT
from sparring.learn.seats import Seats, new_games, points_of
from sparring.nets import engines
from sparring.nets.move_net import MoveNet, inputs_seen
from sparring.nets.move_net import evaluate as evaluate_small
from sparring.nets.move_net import shape_for as move_shape_for
from sparring.nets.tower import Tower, planes_seen, shape_for
from sparring.nets.tower import evaluate as evaluate_tower
from sparring.search.gauge import longest_game

NIM = str(pathlib.Path(__file__).parents[1] / "data" / "nim.py")
FAULTY = """
BOTS = ("cheat",)


def cheat(state):
    return 8
"""


def some_net(game: Game, small: bool, seed: int) -> Tower | MoveNet:
    sizes = {"blocks": 1, "width": 4, "policy": 2, "value": 2, "hidden": 8}
    shape = move_shape_for(game, (8, 4), (8, 4)) if small else shape_for(game, **sizes)
    rng = np.random.default_rng(seed)
    arrays = {n: (rng.normal(size=s) * 0.5).astype(np.float32) for n, s in shape.arrays.items()}
    return (MoveNet if small else Tower)(game.name, game.FEATURES_VERSION, shape, arrays)


def seats_of(game: Game, small: bool, threads: int = 1, bot: str = "", **more) -> Seats:
    return Seats(game, bot, small, 4, threads, longest_game(game), more.get("shaped", False))


def banks_of(seats: Seats, nets: list) -> list[list[engines.Engine]]:
    kind = "native" if isinstance(nets[0], MoveNet) else "numpy"
    return [[engines.make(kind, net, seats.lanes) for net in nets] for _ in range(seats.threads)]


def likeliest(game: Game, net: Tower | MoveNet, state: np.void) -> int:
    states = np.array([state], game.STATE)
    if isinstance(net, MoveNet):
        said = evaluate_small(net, inputs_seen(game, states))[0]
    else:
        said = evaluate_tower(net, planes_seen(game, states))[0]
    moves = game.legal_moves(state)
    return moves[int(np.argmax(said[moves]))]


def one_by_one(game: Game, games: np.ndarray, nets: list, bot: str) -> list[tuple[int, list[int]]]:
    """The same games in plain Python: ends and moves."""
    found = []
    for row in games:
        state, moves = game.dealt(int(row["deal"]))[0], []
        while game.result(state) == ONGOING:
            seat = row["seats"][game.mover(state)]
            move = int(game.bot(bot)(state)) if seat == BOT else likeliest(game, nets[seat], state)
            moves.append(move)
            game.play(state, move)
        found.append((game.result(state), moves))
    return found


def check_against_twin(game: Game, small: bool, threads: int, bot: str) -> None:
    seats, nets = seats_of(game, small, threads, bot), [some_net(game, small, seed) for seed in (1, 2)]
    pairings = [(0, 1), (1, 0), (0, 0)] + ([(0, BOT), (BOT, 1), (BOT, BOT)] if bot else [])
    sides = np.array(pairings * 2)
    games = new_games(np.arange(len(sides)), sides, sides == 0, 0, 1)
    played = seats.play(games, banks_of(seats, nets), [0.0, 0.0])
    at = 0
    for number, (end, moves) in enumerate(one_by_one(game, games, nets, bot)):
        assert (played.games["end"][number], played.games["plies"][number]) == (end, len(moves))
        for player in np.flatnonzero(sides[number] == 0):
            own = moves[player::2]
            rows = played.rows[at : at + len(own)]
            assert rows["move"].tolist() == own
            assert (rows["game"] == number).all()
            assert (rows["player"] == player).all()
            at += len(own)
    assert at == len(played.rows) == played.lengths.sum()
    seen = (inputs_seen if small else planes_seen)(game, played.rows["state"][:, 0])
    assert (seats.seen(played.rows) == seen.reshape(len(seen), -1)).all()
    assert (seats.look(played.rows["state"][:, 0]) == seen.reshape(len(seen), -1)).all()
    for state, allowed in zip(played.rows["state"][:, 0], seats.lawful(played.rows["state"][:, 0]), strict=True):
        assert np.flatnonzero(allowed).tolist() == sorted(game.legal_moves(state))


@pytest.mark.parametrize("threads", [1, 2])
def test_games_of_small_nets_go_as_one_by_one(threads):
    check_against_twin(load(NIM), True, threads, "")


def test_games_of_towers_go_as_one_by_one():
    check_against_twin(load("tic-tac-toe"), False, 1, "")


@pytest.mark.compiled
@pytest.mark.parametrize(("small", "threads"), [(True, 2), (False, 1)])
def test_games_of_nets_and_bots_on_many_first_positions_go_as_one_by_one(small, threads):
    check_against_twin(load("light-cycles"), small, threads, "voronoi")


@pytest.mark.compiled
def test_moves_are_drawn_by_the_chances_that_the_net_gives_them():
    game = load("tic-tac-toe")
    seats, net = seats_of(game, False), some_net(game, False, 1)
    games = new_games(np.arange(4000), np.array([0, 0]), np.array([1, 0]), 0, 1)
    rows = seats.play(games, banks_of(seats, [net]), [2.0]).rows
    first = rows[rows["state"]["placed"][:, 0] == 0] if "placed" in game.STATE.names else rows[::1]
    first = first[np.unique(first["game"], return_index=True)[1]]
    logits = evaluate_tower(net, planes_seen(game, game.states()))[0, : game.MOVES].astype(np.float64) / 2.0
    chances = np.exp(logits) / np.exp(logits).sum()
    seen = np.bincount(first["move"], minlength=game.MOVES) / len(first)
    assert np.abs(seen - chances).max() < 4 * np.sqrt(0.25 / len(first))


def test_an_opening_of_random_moves_never_ends_a_game_and_is_alike_for_equal_deals():
    game = load("tic-tac-toe")
    seats, net = seats_of(game, False), some_net(game, False, 1)
    games = new_games(np.repeat(np.arange(6), 2), np.array([0, 0]), np.array([1, 1]), 8, 1)
    played = seats.play(games, banks_of(seats, [net]), [0.0])
    assert (played.games["plies"] > 4).all()
    assert (played.games["end"][::2] == played.games["end"][1::2]).all()
    assert len(set(np.unique(played.rows["game"]))) == 12  # in each at least one decision was left


def test_points_are_those_of_the_seat_that_is_asked_about():
    game = load("tic-tac-toe")
    seats = seats_of(game, False)
    games = new_games(np.arange(3), np.array([[0, 1], [1, 0], [1, 0]]), np.zeros(2), 0, 1)
    played = seats.play(games, banks_of(seats, [some_net(game, False, 1), some_net(game, False, 2)]), [0.0, 0.0])
    played.games["end"] = (2, 2, 1)  # X wins, X wins, a draw
    assert points_of(played, game, 0).tolist() == [1.0, 0.0, 0.5]
    played.games["end"] = ONGOING
    assert points_of(played, game, 0).tolist() == [0.5, 0.5, 0.5]


@pytest.mark.compiled
def test_a_recording_is_every_decision_of_the_bot_against_itself():
    game = load("light-cycles")
    seats = seats_of(game, True, bot="floodfill")
    games = new_games(np.arange(3), np.full(2, BOT), np.zeros(2), 0, 1)
    played = seats.record(games)
    ends = one_by_one(game, games, [], "floodfill")
    assert played.games["end"].tolist() == [end for end, _ in ends]
    assert played.rows["move"].tolist() == [move for _, moves in ends for move in moves]
    assert played.lengths.tolist() == [len(moves) for _, moves in ends]


def test_a_bot_that_moves_against_the_rules_is_told(tmp_path):
    file = tmp_path / "cheater.py"
    file.write_text(pathlib.Path(load("tic-tac-toe").path).read_text(encoding="utf-8") + FAULTY, encoding="utf-8")
    game = load(str(file))
    seats = seats_of(game, False, bot="cheat")
    games = new_games(np.arange(2), np.full(2, BOT), np.zeros(2), 0, 1)
    with pytest.raises(RunError, match=r"cheat\(\) of cheater.py made an illegal move in game 0"):
        seats.record(games)
    games["seats"][:, 0] = 0
    with pytest.raises(RunError, match=r"made an illegal move"):
        seats.play(games, banks_of(seats, [some_net(game, False, 1)]), [0.0])


def test_a_game_without_bots_has_nobody_to_record():
    with pytest.raises(RunError, match="names no bot"):
        seats_of(load("tic-tac-toe"), False).record(new_games(np.arange(1), np.full(2, BOT), np.zeros(2), 0, 1))


def test_after_a_lead_and_random_moves_only_the_rest_of_a_game_is_learned_from():
    game = load("tic-tac-toe")
    seats, net = seats_of(game, False), some_net(game, False, 1)
    games = new_games(np.arange(40), np.array([0, 0]), np.array([1, 1]), 0, 1)
    plain = seats.play(games, banks_of(seats, [net]), [0.0])
    games["lead"], games["opening"] = 2, 1
    played = seats.play(games, banks_of(seats, [net]), [0.0])
    placed = played.rows["state"]["placed"][:, 0]
    assert placed.min() == 3  # two of the lead and a random one
    assert len(played.rows) == (played.games["plies"] - 3).sum()
    assert len(np.unique(played.rows["state"][placed == 3])) > 1
    assert len(np.unique(plain.rows["state"][plain.rows["state"]["placed"] == 3])) == 1
