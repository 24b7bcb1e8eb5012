"""The choice of a learner: its options, its folder, its table, and the command with a learner of our own."""

import json
import subprocess
import sys
import types
from dataclasses import dataclass

import numpy as np
import pytest

from sparring.app import cli, learners
from sparring.app.alphazero_table import SCORES, TRUTHS, AlphaZeroTable, Marks
from sparring.app.learners import LEARNERS, Kind, Table, Trial, keep_net
from sparring.errors import SparringError
from sparring.games.game import load
from sparring.learn.run import RunFolder
from sparring.nets.weights import Net


@dataclass(frozen=True)
class Patience:
    """Settings of a learner that learns nothing."""

    generations: int = 3
    """Train until this one."""
    idleness: float = 1.0
    """An option that only this learner has."""


class Idler:
    """Keeps the promises of a learner and learns nothing."""

    def __init__(self, game, settings, folder, threads, start):
        folder.open(game, {"idleness": settings.idleness}, may_change=(), start=start, learner="idler")
        self.game, self.settings, self.folder = game, settings, folder
        self.number = self.kept = len(folder.rows())
        layer = (np.zeros((game.FEATURES, 1), np.float32), np.zeros(1, np.float32))
        self.net = Net(game.name, game.FEATURES_VERSION, "tanh", (layer,), {})
        self.folder.save_net(self.net, 0)
        self.closed = 0
        MADE.append(self)

    def generation(self):
        self.number += 1
        return {"generation": self.number, "threads": 1}

    def finish(self, row):
        self.folder.save_net(self.net)
        self.folder.add_row(row)
        self.kept = self.number

    def stop(self):
        pass

    def close(self):
        self.closed += 1


class IdlerTable(Table):
    def begins(self, game, threads, out):
        return [f"Waiting with {game} in {out}."]

    def gone(self, learner, row, seconds):
        return row.get("generation", 0) / self.settings.generations

    def header(self, learner):
        return ["number"]

    def line(self, learner, row):
        return f"{row['generation']:6}"

    def shows(self, row):
        return row["generation"] % 2 == 0

    def truths(self, learner, row):
        return {"net_ideal": 0.5} if learner.number == 2 else {}

    def trials(self, learner, row):
        if learner.number != 2:
            return []
        return [Trial("match_greedy", f"alphabeta:depth=1,net={keep_net(learner)}", "greedy", 4, 1, 1)]

    def opponent(self, learner):
        return "greedy"


MADE = []


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.setenv("SPARRING_LADDER", str(tmp_path / "ladder.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def idler(monkeypatch, here):
    """The learner is known by the name `idler`."""
    module = types.SimpleNamespace(Patience=Patience, Idler=Idler, IdlerTable=IdlerTable)
    monkeypatch.setitem(sys.modules, "idling", module)
    monkeypatch.setitem(LEARNERS, "idler", Kind("idling:Patience", "idling:Idler", "idling:IdlerTable"))
    MADE.clear()


def train(line):
    """Exit code of a training of tic-tac-toe."""
    return cli.main(["train", "tic-tac-toe", *line.split()])


# --- which learner is asked for --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("", learners.DEFAULT),
        ("tic-tac-toe --out x", learners.DEFAULT),
        ("tic-tac-toe --learner td", "td"),
        ("--learner=td tic-tac-toe", "td"),
        ("--learner alphazero tic-tac-toe --learner td", "td"),
        ("tic-tac-toe --learner --json", learners.DEFAULT),
    ],
)
def test_the_learner_is_found_among_the_words_before_they_are_read(line, name):
    assert learners.asked(line.split()) == name


def test_games_with_dice_are_learned_by_turns_where_no_learner_is_named(tmp_path):
    """Told by the text of the rules file: nothing is loaded before options are read."""
    own = tmp_path / "own.py"
    own.write_text(load("pig").path.read_text(encoding="utf-8"), encoding="utf-8")
    games = (
        "backgammon",
        "Abak",
        "pig",
        str(own),
        "connect-four",
        "tigers-and-sheep",
        "nowhere",
        str(tmp_path / "no.py"),
    )
    assert [learners.asked([game]) for game in games] == ["dice"] * 4 + ["alphazero"] * 4
    assert learners.asked(["backgammon", "--learner", "alphazero"]) == "alphazero"


def test_games_with_a_bot_that_can_teach_are_cloned_and_improved_where_no_learner_is_named():
    assert learners.asked(["light-cycles"]) == "ppo"
    assert learners.asked(["light-cycles", "--learner", "clone"]) == "clone"


def test_games_whose_nets_are_kept_up_to_date_inside_a_search_learn_such_nets_where_no_learner_is_named(tmp_path):
    own = tmp_path / "own.py"
    own.write_text("from elsewhere import (\n    changes,\n    features,\n)\n", encoding="utf-8")
    assert [learners.asked([game]) for game in ("chess", str(own))] == ["nnue"] * 2
    own.write_text("def changes(", encoding="utf-8")
    assert learners.asked([str(own)]) == learners.DEFAULT


def test_an_unknown_learner_is_answered_with_the_nearest_known_one():
    message = "^no learner 'alphazeo'. Did you mean 'alphazero'. There are: alphazero, clone, dice, nnue, ppo, td$"
    with pytest.raises(SparringError, match=message):
        learners.asked(["--learner", "alphazeo"])


@pytest.mark.parametrize("name", LEARNERS)
def test_options_of_train_are_those_of_its_learner(name):
    _, options = cli.read(["train", "tic-tac-toe", "--learner", name, "--seed", "7"])
    assert type(options.settings) is learners.settings_of(name)
    assert (options.learner, options.settings.seed) == (name, 7)


def test_without_a_learner_named_the_default_learns():
    _, options = cli.read(["train", "tic-tac-toe"])
    assert type(options.settings) is learners.settings_of(learners.DEFAULT)


def test_an_option_of_another_learner_says_whose_it_is(idler):
    with pytest.raises(SparringError, match="^--idleness is an option of idler, not of td; add --learner idler$"):
        cli.read(["train", "tic-tac-toe", "--learner", "td", "--idleness", "2"])
    with pytest.raises(SparringError, match="^--balance is an option of td, not of idler; add --learner td$"):
        cli.read(["train", "tic-tac-toe", "--learner", "idler", "--balance=0.9"])


@pytest.mark.parametrize("words", [["train", "--help"], *(["train", "--learner", name, "--help"] for name in LEARNERS)])
def test_help_of_train_says_how_to_see_the_other_learners_options_and_imports_nothing_heavy(words):
    code = (
        f"import sys\nfrom sparring.app.cli import main\ntry:\n    main({words!r})\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numba', 'torch', 'numpy', 'matplotlib'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[]"
    plain = " ".join(said.replace("│", " ").split())
    *others, last = LEARNERS
    assert f"Who learns: {', '.join(others)} or {last};" in plain
    assert "sparring train --learner td --help" in plain
    assert ("--balance" in plain) == ("td" in words)


# --- the folder ------------------------------------------------------------------------------------------------------


def test_a_folder_of_another_learner_is_refused_in_one_line(idler, capsys):
    assert train("--learner idler --out A") == 0
    assert json.loads((RunFolder("A").path / "config.json").read_text())["learner"] == "idler"
    capsys.readouterr()
    assert train("--learner td --out A") == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == "sparring: A holds a run of idler; add --learner idler, or give --out another folder"


def test_a_folder_that_names_no_learner_is_of_td(here):
    folder = RunFolder("B")
    folder.open(load("tic-tac-toe"), {}, may_change=(), start="")
    config = folder.config()
    del config["learner"]
    (folder.path / "config.json").write_text(json.dumps(config))
    folder.open(load("tic-tac-toe"), {}, may_change=(), start="")
    folder.check_learner("td")
    with pytest.raises(SparringError, match="B holds a run of td; add --learner td"):
        folder.check_learner("alphazero")


# --- the command with any learner ------------------------------------------------------------------------------------


def test_the_command_trains_whatever_the_registry_names(idler, capsys):
    assert train("--learner idler --generations 5 --out A") == 0
    said = capsys.readouterr()
    assert said.out.split() == ["number", "2", "4", "5"], "those that the table shows, and the last"
    assert said.err.splitlines()[0] == "Waiting with tic-tac-toe in A."
    assert "sparring play tic-tac-toe greedy" in said.err
    rows = RunFolder("A").rows()
    assert [row["generation"] for row in rows] == [1, 2, 3, 4, 5]
    assert [(row.get("net_ideal"), "match_greedy" in row) for row in rows[:3]] == [
        (None, False),
        (0.5, True),
        (None, False),
    ]
    assert rows[1]["match_greedy"]["games"] == 4
    assert rows[1]["match_greedy"]["opponent"] == "greedy"
    assert [made.closed for made in MADE] == [1]


def test_a_run_of_any_learner_goes_on_to_its_end_and_no_further(idler, capsys):
    assert train("--learner idler --generations 1 --out A --json") == 0
    assert train("--learner idler --generations 4 --out A --json") == 0
    assert train("--learner idler --generations 4 --out A --json") == 0
    said = capsys.readouterr()
    assert [json.loads(line)["generation"] for line in said.out.splitlines()] == [1, 2, 3, 4]
    assert "Going on after generation 4." in said.err


def test_a_learner_is_closed_where_its_generation_fails(idler, monkeypatch, capsys):
    def fails(self):
        raise SparringError("the loss is nan")

    monkeypatch.setattr(Idler, "generation", fails)
    assert train("--learner idler --out A") == 1
    assert capsys.readouterr().err.splitlines()[-1] == "sparring: the loss is nan"
    assert [made.closed for made in MADE] == [1]


# --- the table of AlphaZero ------------------------------------------------------------------------------------------


def a_row(generation, minutes, **more):
    names = "loss_policy loss_result loss_score passes rate seconds_play seconds_engine seconds_tree seconds_train"
    rates = {"positions_per_second": 1892.4, "evaluations_per_second": 35512.0, "simulations_per_second": 141000.0}
    games = {"games": 252000, "positions": 3410000, "wins_first": 60, "wins_second": 30, "draws": 10, "plies": 32.5}
    rest = {"generation": generation, "minutes": minutes, "cached": 0.72, **games, **rates}
    return {**dict.fromkeys(names.split(), 1.25), **rest, **more}


class Shown:
    """What the table asks a learner for."""

    def __init__(self, game, folder):
        self.game, self.folder, self.number, self.net = load(game), RunFolder(folder), 7, None
        self.folder.save_net = lambda net, number: self.kept.append(number)
        self.kept = []


def table(**settings):
    return AlphaZeroTable(learners.settings_of("alphazero")(**settings))


MEASURED = {**{name: {"score": 1.0} for name in SCORES}, **dict.fromkeys(TRUTHS, 0.918)}


@pytest.mark.parametrize("game", ["connect-four", "tic-tac-toe"])
def test_the_table_of_alphazero_is_aligned_and_fits_a_screen(game, here):
    learner, rows = Shown(game, here), (a_row(1, 0.1), a_row(2701, 179.9, **MEASURED))
    above, below = table().header(learner)
    plain, full = (table().line(learner, row) for row in rows)
    assert len(above) <= len(below) == len(full) <= 120
    for line in (plain, full):  # no column runs into its neighbour: between the heads' last letters stands one figure
        ends = [i + 1 for i in range(len(below)) if below[i] != " " and below[i + 1 : i + 2] in (" ", "")]
        cells = [line[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        assert all(len(cell.split()) <= 1 and (not cell or cell[0] == " " or i == 0) for i, cell in enumerate(cells))
    assert full.split()[-4:] == ["100.0"] * 4
    assert ("91.8" in full) == (game == "connect-four")


def test_a_row_of_alphazero_is_shown_every_ten_seconds_and_where_something_was_measured():
    shown, each = table(), 4 / 60
    rows = [a_row(i, i * each) for i in range(1, 8)]
    rows[1] = a_row(2, 2 * each, match_random={"score": 1.0})
    assert [row["generation"] for row in rows if shown.shows(row)] == [1, 2, 5]


def test_measurements_are_close_at_first_then_as_far_apart_as_asked():
    truth, match = Marks(5.0, 5, TRUTHS), Marks(10.0, 1, SCORES)
    marks = [[m for m in range(1, 31) if kind.passed(m) > kind.passed(m - 1)] for kind in (truth, match)]
    assert marks == [[1, 2, 3, 4, 5, 10, 15, 20, 25, 30], [10, 20, 30]]
    assert truth.passed(0.99) == 0


@pytest.mark.parametrize(
    ("settings", "due"), [({}, [10, 20]), ({"minutes": 1.5}, [10, 15]), ({"match_every": 0.0}, [])]
)
def test_matches_are_due_at_their_marks_and_at_the_end(here, settings, due):
    learner, timing = Shown("tic-tac-toe", here), table(**{"match_every": 1.0, **settings})
    tenths = range(1, 1 + round(settings.get("minutes", 2.9) * 10))
    assert [t for t in tenths if timing.trials(learner, a_row(t, t / 10))] == due


def test_a_resumed_run_makes_up_for_matches_that_were_cut_short(here):
    learner = Shown("tic-tac-toe", here)
    for row in (a_row(1, 1.0, match_random={"score": 1.0}), a_row(2, 2.0)):
        learner.folder.add_row(row)
    timing = table(match_every=1.0)
    assert timing.trials(learner, a_row(3, 2.1))
    assert not timing.trials(learner, a_row(4, 2.9))


def test_the_opponents_are_the_yardsticks_and_the_net_of_the_matches_before(here):
    learner, timing = Shown("tic-tac-toe", here), table(match_every=1.0, match_games=10, seed=3)
    assert [t.name for t in timing.trials(learner, a_row(7, 1.0))] == [*SCORES[:3]]
    learner.folder.net_path(7).parent.mkdir()
    learner.folder.net_path(7).touch()
    learner.number = 9
    *_, earlier = timing.trials(learner, a_row(9, 2.0))
    assert (earlier.name, earlier.games, earlier.seed) == ("match_earlier", 10, 3)
    assert earlier.opponent.endswith("net=" + str(learner.folder.net_path(7)))
    assert earlier.player.endswith("net=" + str(learner.folder.net_path(9)))
    assert learner.kept == [7, 9]


def test_alpha_beta_is_no_yardstick_for_games_with_dice(here):
    trials = table(match_every=1.0).trials(Shown("pig", here), a_row(5, 1.0))
    assert [t.name for t in trials] == ["match_random", "match_mcts"]


def test_a_run_of_alphazero_ends_by_its_clock_or_by_generations(here):
    learner = Shown("tic-tac-toe", here)
    assert table(minutes=10.0).gone(learner, a_row(7, 2.5), 1e9) == 0.25
    assert table(minutes=10.0, generations=14).gone(learner, a_row(7, 2.5), 0.0) == 0.5
    assert table(minutes=0.0, generations=7).gone(learner, {}, 0.0) == 1.0
