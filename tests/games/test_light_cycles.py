"""Light cycles: rules in sentences, and a slow twin that must agree on every number."""

import numpy as np
import pytest
import reference_light_cycles as reference
from reference_light_cycles import Board

from sparring import compiled
from sparring.compiled import INTERPRETED
from sparring.games.contract import ONGOING
from sparring.games.game import load

FEW = 60 if INTERPRETED else 150  # positions that the slow twin looks at
UP, RIGHT, DOWN, LEFT = range(4)


@pytest.fixture(scope="module")
def game():
    return load("light-cycles")


def position(game, picture, to_move="blue"):
    """A position from rows of text: B and O the heads, b and o their trails, the rest of the board is free."""
    state = np.zeros(1, game.STATE)[0]
    for y, row in enumerate(picture):
        for x, letter in enumerate(row):
            if letter in "BbOo":
                who = "bo".index(letter.lower())
                state["trails"][who, y] |= np.uint32(1 << x)
                if letter.isupper():
                    state["heads"][who] = x + 30 * y
    state["turn"] = game.players.index(to_move)
    return state


def twin(state):
    """The same position as the slow twin knows it."""
    heads = [(int(h) % 30, int(h) // 30) for h in state["heads"]]
    trails = [{(x, y) for y in range(20) for x in range(30) if int(rows[y]) >> x & 1} for rows in state["trails"]]
    return Board(heads, [int(h) for h in state["headings"]], trails, int(state["turn"]))


@pytest.fixture(scope="module")
def positions(game):
    """Positions of games in which bots and random moves take turns, from the first moves to the last."""
    random, found = np.random.default_rng(3), []
    bots = [game.bot(name) for name in game.BOTS]
    for number in range(1000):
        state, luck = game.dealt(number)[0], random.choice([0.0, 0.1, 0.5, 1.0])
        while game.result(state) == ONGOING:
            if random.random() < 0.04:
                found.append(state.copy())
            lucky = random.random() < luck
            move = random.choice(game.legal_moves(state)) if lucky else bots[number % 2](state)
            state = game.after(state, int(move))
        if len(found) >= FEW:
            return found[:FEW]


def test_where_the_players_begin_is_drawn_by_splitmix64(game):
    for seed in (0, 1, 2, 12345, 2**63, 2**64 - 1):
        state, board = game.dealt(seed)[0], Board.dealt(seed)
        assert twin(state) == board
        assert game.mover(state) == 0


def test_the_two_players_never_begin_on_the_same_cell(game):
    seeds = range(50 if INTERPRETED else 3000)
    firsts = [next(iter(reference.split_mix(seed))) % 600 for seed in seeds]
    states = game.dealt(*seeds)
    assert [int(s["heads"][0]) for s in states] == firsts
    assert all(s["heads"][0] != s["heads"][1] for s in states)


def test_a_position_that_was_played_on_is_dealt_anew_without_a_trace(game):
    state = game.after(game.dealt(1)[0], *game.legal_moves(game.dealt(1)[0])[:1])
    game.deal(state, np.uint64(2))
    assert state == game.dealt(2)[0]


def test_rules_agree_with_the_slow_obvious_ones_in_random_games(game):
    random = np.random.default_rng(1)
    for seed in range(3 if INTERPRETED else 30):
        state, board = game.dealt(seed)[0], Board.dealt(seed)
        while True:
            assert twin(state) == board
            moves = game.legal_moves(state)
            assert moves == board.moves()
            winner = board.winner()  # results are the first player's, its loss first
            assert game.result(state) == (ONGOING if winner is None else 1 - winner), (
                "an index of the first player's result"
            )
            if winner is not None:
                break
            move = int(random.choice(moves))
            game.play(state, move)
            board.play(move)


def test_positions_that_differ_have_different_keys(game, positions):
    keys = {}
    for state in positions:
        for k in range(4):
            image = state.copy()
            game.transform(image, k)
            assert keys.setdefault(int(game.key(image)), image) == image
            image["turn"] = 1 - image["turn"]
            assert int(game.key(image)) not in keys
    assert len(keys) > len(positions)


def test_who_is_to_move_and_cannot_has_lost(game):
    picture = ["Bb" + "." * 28, "bo" + "." * 28, ".O"]
    assert game.result(position(game, picture, "blue")) == 0
    assert game.RESULTS[0] == -1.0, "a loss for the first player"
    assert game.result(position(game, picture, "orange")) == ONGOING
    assert game.legal_moves(position(game, picture, "orange")) == [RIGHT, DOWN, LEFT]


def test_overview_and_prospects_are_those_of_the_slow_twin(game, positions):
    out, rows = np.zeros(game.OVERVIEW, np.float32), np.zeros((game.MOVES, game.PROSPECTS), np.float32)
    for state in positions:
        board = twin(state)
        game.overview(state, out)
        np.testing.assert_array_equal(out, np.array(reference.overview(board), np.float32))
        rows[:] = 0.0
        game.prospects(state, rows)
        np.testing.assert_array_equal(rows, np.array(reference.prospects(board), np.float32))


def test_what_towers_see_is_what_the_slow_twin_sees(game, positions):
    index, value = np.zeros(game.MOST_FEATURES, np.int32), np.zeros(game.MOST_FEATURES, np.float32)
    for state in positions[:: 1 if INTERPRETED else 4]:
        for viewer in (0, 1):
            n = game.features(state, viewer, index, value)
            seen = dict(zip(index[:n].tolist(), value[:n].tolist(), strict=True))
            wanted = {i: float(np.float32(v)) for i, v in reference.planes(twin(state), viewer).items()}
            assert seen == wanted


def test_bots_choose_as_the_slow_twin_does(game, positions):
    bots = {name: game.bot(name) for name in game.BOTS}
    assert list(bots) == ["voronoi", "floodfill"]
    for state in positions:
        board = twin(state)
        for name, bot in bots.items():
            assert bot(state) == getattr(reference, name)(board)


def test_the_evaluation_is_the_margin_of_territory_for_the_player_to_move(game, positions):
    for state in positions:
        assert game.evaluate(state) == reference.overview(twin(state))[0]


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore:overflow")
def test_compiled_and_interpreted_the_game_gives_the_same_numbers(game, positions):
    names = {name: game.bot(name) for name in game.BOTS}
    names |= {name: game.rules[name] for name in ("overview", "prospects", "evaluate", "features")}
    plain = compiled.interpreted(names)
    shapes = ((game.OVERVIEW,), (game.MOVES, game.PROSPECTS), (game.MOST_FEATURES,))
    buffers = [np.zeros((2, *shape), np.float32) for shape in shapes]
    index = np.zeros((2, game.MOST_FEATURES), np.int32)
    for state in positions[::10]:
        for i, rules in enumerate((names, plain)):
            rules["overview"](state, buffers[0][i])
            rules["prospects"](state, buffers[1][i])
            rules["features"](state, 1, index[i], buffers[2][i])
        for pair in (*buffers, index):
            np.testing.assert_array_equal(pair[0], pair[1])
        for name in (*game.BOTS, "evaluate"):
            assert names[name](state) == plain[name](state)


@pytest.mark.parametrize("k", range(4))
def test_a_flipped_position_looks_alike_to_small_nets(game, positions, k):
    shapes = ((game.OVERVIEW,), (game.MOVES, game.PROSPECTS))
    here, there = ([np.zeros(shape, np.float32) for shape in shapes] for _ in range(2))
    for state in positions[::5]:
        image = state.copy()
        game.transform(image, k)
        for rule, a, b in zip(("overview", "prospects"), here, there, strict=True):
            a[:], b[:] = 0.0, 0.0
            game.rules[rule](state, a)
            game.rules[rule](image, b)
        np.testing.assert_array_equal(here[0], there[0])
        for move in range(4):
            mirrored = there[1][game.transform_move(move, k)]
            replies = slice(0, 27)  # of equal replies the first counts, and the first is another in the image
            np.testing.assert_array_equal(here[1][move][replies], mirrored[replies])
            if mirrored[29] > 0.0:  # where the other is straight ahead or behind, the sides are right and left
                np.testing.assert_array_equal(here[1][move][28:], mirrored[28:])


def test_moves_have_the_names_of_the_protocol(game):
    state = game.dealt(1)[0]
    assert [game.move_name(state, move) for move in range(4)] == ["UP", "RIGHT", "DOWN", "LEFT"]


def test_the_drawing_tells_trails_and_heads_apart(game):
    state = position(game, ["bB..oO"])
    state["headings"] = RIGHT, LEFT
    assert game.draw(state).splitlines()[1].startswith("│██B▶ · ·▒▒O◀ ·")
