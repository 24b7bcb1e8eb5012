"""What the pages show is true: programs run, rules files are sound, commands are read, links lead somewhere.

A comment above a block says what the block is; readers do not see it:

    <!-- test: file mine.py -->       a rules file; `more mine.py` is added to its end, and the game is sound after each
    <!-- test: run -->                a program; `run interpreted` runs without compiling, beside the page's rules files
    <!-- test: output -->             what the program before it prints
    <!-- slip: old => new -->         a line of `check` where that is changed in the first rules file; … stands
                                      for anything. `slip mine.py:` names another file, `slip compiled:` needs native
                                      code; \\n is a line's end, and ` ;; ` stands between two changes
    <!-- test: module nets/x.py -->   a file of the package; `more search/y.py` is added to one that is there
"""

import ast
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from sparring.app import cli, dice_table
from sparring.app.alphazero_table import SCORES, TRUTHS
from sparring.app.options import COMMANDS
from sparring.arena.player import KINDS, OTHER_NAMES
from sparring.errors import GameError
from sparring.games import contract
from sparring.games.check import check
from sparring.games.game import load

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1"}


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block. verb, what: of the comment above it, such as `test: file` and `mine.py`."""

    page: pathlib.Path
    line: int
    kind: str
    text: str
    verb: str
    what: str

    @property
    def where(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page):
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        mark = found["mark"] or ""
        words = mark.split(" ", 2) if mark.startswith("test: ") else mark.split(": ", 1)
        verb, what = (" ".join(words[:2]), " ".join(words[2:])) if mark.startswith("test: ") else (words[0], words[-1])
        yield Block(page, text[: found.start()].count("\n") + 1, found["kind"], found["text"], verb, what)


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def stages_of(page):
    """(name of the file, its text) of every stage of the page's rules files, in order."""
    texts, stages = {}, []
    for block in BLOCKS:
        if block.page == page and block.verb in ("test: file", "test: more") and "/" not in block.what:
            if block.verb == "test: file":
                texts[block.what] = block.text
            else:
                before = texts.get(block.what) or (ROOT / "docs" / block.what).read_text(encoding="utf-8")
                texts[block.what] = f"{before}\n\n{block.text}"
            stages.append((block.what, texts[block.what]))
    return stages


FILES = [(ROOT / "docs", path.name, path.read_text(encoding="utf-8")) for path in (ROOT / "docs").glob("*.py")]
RULES = [*FILES, *((page, name, text) for page in PAGES for name, text in stages_of(page))]


def slips():
    """(block, name of the file, its text after the slip, whether it needs native code)."""
    found = []
    for block in BLOCKS:
        if block.verb.startswith("slip"):
            last = dict(stages_of(block.page))
            words = block.verb.split()[1:]
            name = next((w for w in words if w.endswith(".py")), next(iter(last)))
            text = last[name]
            for change in block.what.split(" ;; "):
                old, new = (part.replace("\\n", "\n") for part in change.split(" => "))
                assert old in text, f"{block.where}: {name} does not hold {old!r}"
                text = text.replace(old, new)
            found.append((block, name, text, "compiled" in words))
    return found


def place(folder, name, text):
    """Write a file into a folder of its own; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def said_of(path, games):
    """The lines that `check` has for a rules file; none where it is sound."""
    try:
        return [str(fault) for fault in check(load(str(path)), games).faults]
    except GameError as fault:
        return [str(fault)]


def shortly(value):
    return getattr(value, "name", value)


def is_told(block, said):
    """Whether the block's line is among those said; … stands for anything."""
    pattern = re.escape(block.text.strip()).replace("…", ".*")
    return any(re.fullmatch(pattern, line) for line in said)


def run(program, folder, environment=None):
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- rules files -----------------------------------------------------------------------------------------------------


def test_rules_files_are_sound_at_every_stage_and_slips_are_told_as_shown(tmp_path):
    shown, paths = [], []
    for i, (_, name, text) in enumerate(RULES):
        shown.append(None)
        paths.append(str(place(tmp_path / f"stage{i}", name, text)))
    for i, (block, name, text, native) in enumerate(slips()):
        if not native:
            shown.append(block)
            paths.append(str(place(tmp_path / f"slip{i}", name, text)))
    program = (
        f"import json, sys; sys.path[:0] = [{str(ROOT / 'tests')!r}]\n"
        f"from test_docs import said_of\nprint(json.dumps([said_of(p, 1000) for p in {paths!r}]))"
    )
    for block, said in zip(shown, json.loads(run(program, tmp_path, PLAIN)), strict=True):
        assert is_told(block, said) if block else said == [], block and block.where


@pytest.mark.compiled
@pytest.mark.parametrize("page, name", sorted({rule[:2] for rule in RULES if rule[0].is_file()}), ids=shortly)
def test_rules_files_are_compiled(page, name, tmp_path):
    game = load(str(place(tmp_path, name, dict(stages_of(page))[name])))
    state = game.states()[0]
    while moves := game.legal_moves(state):
        state = game.after(state, moves[len(moves) // 2])
    assert game.result(state) >= 0


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("slip", [s for s in slips() if s[3]], ids=lambda slip: slip[0].where)
def test_slips_that_show_only_in_native_code_are_told_as_shown(slip, tmp_path):
    block, name, text, _ = slip
    assert is_told(block, said_of(place(tmp_path, name, text), 1000))


# --- programs --------------------------------------------------------------------------------------------------------


def programs(what):
    return [b for b in BLOCKS if b.verb == "test: run" and b.what == what]


def output_after(block):
    """What the page says that the program prints, or None."""
    later = BLOCKS[BLOCKS.index(block) + 1 :]
    return later[0].text if later and later[0].page == block.page and later[0].verb == "test: output" else None


@pytest.mark.compiled
@pytest.mark.parametrize("block", programs(""), ids=lambda block: block.where)
def test_programs_run(block, tmp_path):
    printed = run(block.text, tmp_path)
    assert output_after(block) in (None, printed)


def test_programs_run_interpreted(tmp_path):
    """One after the other in one process, as torch takes long to come."""
    blocks, line = programs("interpreted"), "-" * 40
    for page in {block.page for block in blocks}:
        for name, text in stages_of(page):
            place(tmp_path, name, text)
    program = "".join(f"exec({block.text!r}, {{}})\nprint({line!r})\n" for block in blocks)
    printed = run(program, tmp_path, PLAIN).split(f"{line}\n")
    for block, lines in zip(blocks, printed, strict=False):
        assert output_after(block) in (None, lines), block.where
    assert len(printed) == len(blocks) + 1


def test_a_net_that_is_shown_works_once_it_is_in_the_package(tmp_path):
    package = tmp_path / "sparring"
    shutil.copytree(ROOT / "src" / "sparring", package, ignore=shutil.ignore_patterns("__pycache__", "trained"))
    modules = [b for b in BLOCKS if b.verb in ("test: module", "test: more") and "/" in b.what]
    for block in modules:
        path = package / block.what
        before = path.read_text(encoding="utf-8") + "\n\n" if block.verb == "test: more" else ""
        path.write_text(before + block.text, encoding="utf-8")
    (program,) = programs("with nets/linear.py")
    printed = run(program.text, tmp_path, {**PLAIN, "PYTHONPATH": str(tmp_path)})
    assert printed.startswith("b2 ")


# --- commands --------------------------------------------------------------------------------------------------------


def commands():
    """(where, words behind `sparring`) of every command that a page shows."""
    found = []
    for block in BLOCKS:
        if block.kind in ("sh", "console"):
            for line in block.text.splitlines():
                line = line.removeprefix("$ ")
                words = shlex.split(line, comments=True) if re.match(r"([A-Z_]+=\S+ )*sparring ", line) else []
                if words:
                    found.append((block.where, words[words.index("sparring") + 1 :]))
    for page in PAGES:
        prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
        for text in re.findall(r"`sparring ([^`…]+)`", prose):
            found.append((f"{page.name}: {text}", shlex.split(text)))
    return found


@pytest.mark.parametrize("where, words", commands(), ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_commands_are_read(where, words):
    if words[0] == "COMMAND":
        return
    if len(words) == 1:
        assert words[0] in COMMANDS, where
        return
    try:
        _, options = cli.read(words)
    except SystemExit as end:
        assert "--help" in words and not end.code
        return
    for name in ("a", "b", "player"):
        if spec := getattr(options, name, ""):
            assert spec == "human" or is_player(spec), where


GAMES = ROOT / "src" / "sparring" / "games"
NAMED = re.findall(r"^BOTS = \((.*)\)", "\n".join(p.read_text() for p in GAMES.glob("*.py")), re.MULTILINE)
BOTS = set(re.findall(r'"(\w+)"', " ".join(NAMED)))


def is_player(spec):
    """Whether the spec's kind and the names of its options exist. One capital letter may stand for a spec."""
    kind, _, rest = spec.partition(":")
    options = KINDS[kind].options if kind in KINDS else None
    known = [field.name for field in dataclasses.fields(options)] if options else []
    known += OTHER_NAMES if kind == "alphabeta" else []
    parts = rest.split(",")
    if getattr(options, "positional", "") and "=" not in parts[0]:
        parts.pop(0)
    named = [part.partition("=")[0] for part in filter(None, parts)]
    named = [name for name in named if not name.startswith(f"{getattr(options, 'passed', '')}.")]
    return re.fullmatch("[A-Z]", spec) is not None or spec in BOTS or (kind in KINDS and set(named) <= set(known))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_players_that_a_page_names_exist(page):
    text = page.read_text(encoding="utf-8")
    assert [s for s in re.findall(r"alphabeta:[\w=.,/-]+\w", text) if not is_player(s)] == []


# --- what must be complete -------------------------------------------------------------------------------------------


def anchors(page):
    """What links to its headings are called."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert not dead


def test_the_architecture_names_every_file():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "sparring"
    files = {p.name for p in package.rglob("*.py") if p.parent.name != "commands" and not p.name.startswith("__")}
    named = set(re.findall(r"`([a-z_]+\.py)`", text))
    assert files - named == set(), "these have no line in ARCHITECTURE.md"
    assert named - files == set(), "ARCHITECTURE.md names files that do not exist"


def test_the_page_on_games_names_the_whole_contract():
    text = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)", text, re.MULTILINE))
    assert named == {*contract.CONSTANTS, *contract.RULES, *contract.PLAIN}


MATCHES_OF_TD = ("match_yardstick", "match_earlier")
LOSSES_OF_ALPHAZERO = tuple(f"loss_{name}" for name in ("policy", "result", "score", "reply", "left"))
GAMES_OF_NNUE = (
    *("new", "nodes", "plies", "made_per_second", "nodes_per_second"),
    *("wins_first", "wins_second", "draws"),
)
MEASURES_OF_NNUE = (
    "held",
    "calibration",
    *(f"held_{name}" for name in ("loss", "square", "surprise", "result", "gap")),
)
MATCHES_OF_NNUE = ("match_material", "match_rules", "match_earlier")
ENDS_OF_DICE = ("won_first", *(f"results_{size}" for size in (1, 2, 3)))


@pytest.mark.parametrize(
    "mark, module, more",
    [
        ("fields of a row", "td.py", MATCHES_OF_TD),
        ("fields of a row of alphazero", "alphazero.py", (*LOSSES_OF_ALPHAZERO, *SCORES, *TRUTHS)),
        ("fields of a row of dice", "dice.py", (*ENDS_OF_DICE, *dice_table.SCORES)),
        ("fields of a row of nnue", "nnue.py", ("seconds_play", *GAMES_OF_NNUE, *MEASURES_OF_NNUE, *MATCHES_OF_NNUE)),
    ],
)
def test_the_page_on_runs_names_every_field_of_a_row(mark, module, more):
    text = (ROOT / "docs" / "run-folder.md").read_text(encoding="utf-8").partition(f"<!-- test: {mark} -->")[2]
    text = text.partition("<!-- test: ")[0]
    named = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE))))
    tree = ast.parse((ROOT / "src" / "sparring" / "learn" / module).read_text(encoding="utf-8"))
    (made,) = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "generation"]
    dictionaries = [n.value for n in ast.walk(made) if isinstance(n, ast.Return) and isinstance(n.value, ast.Dict)]
    keys = {key.value for made in dictionaries for key in made.keys if isinstance(key, ast.Constant)}
    assert named == keys | set(more)
