"""The shape of the house: imports go only upward, and the command line starts without anything heavy."""

import ast
import pathlib
import subprocess
import sys

import pytest

import sparring

PACKAGE = pathlib.Path(sparring.__file__).parent
FLOORS = ("games", "nets", "search", "learn", "arena", "app")
GROUND = ("errors", "entries", "compiled", "records", "rng", "bits", "grids", "threads", "intervals")


def place(parts):
    """The floor of a module, or where it stands on the ground."""
    return parts[0] if parts else ""


def imports(path):
    """Modules of the package that a file imports, as tuples of names below `sparring`."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            names += [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "sparring" else []
        else:
            continue
        yield from (tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "sparring")


FILES = sorted(p for p in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_only_upward(path):
    own = path.relative_to(PACKAGE).parts
    for parts in imports(path):
        target = place(parts)
        if own == ("__main__.py",):
            allowed = ("app",)
        elif own == ("__init__.py",):  # the public names, of which no module of ours makes use
            allowed = ("games", "search", "arena")
        elif own[0] in FLOORS:
            allowed = (*GROUND, "__version__", *FLOORS[: FLOORS.index(own[0]) + 1])
            if own[0] == "arena":
                allowed = tuple(name for name in allowed if name != "learn")
        else:
            allowed = (*GROUND, "__version__")
        assert not target or target in allowed, f"{'/'.join(own)} imports {target}"


def test_only_one_file_names_an_option_of_numba():
    naming = [p.name for p in FILES if "njit" in p.read_text() or "import numba" in p.read_text()]
    assert naming == ["compiled.py"]


def test_no_file_is_a_wall_of_text():
    assert not {str(p): n for p in FILES if (n := len(p.read_text().splitlines())) > 450}


def test_help_imports_neither_numba_nor_torch_nor_numpy():
    code = (
        "import sys\nfrom sparring.app.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numba', 'torch', 'numpy', 'matplotlib'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "[]"


def test_playing_and_matches_do_without_torch():
    code = (
        "import sys\nfrom sparring.app.cli import main\n"
        "main(['match', 'tic-tac-toe', 'greedy', 'random', '--games', '2', '--ladder', sys.argv[1] + '/l'])\n"
        "print('torch' in sys.modules)"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "False"


def test_no_kernel_has_a_function_of_its_own_that_is_called_as_a_rule():
    """`bind` would put the game's rule in its place."""
    from sparring.games.contract import RULES

    found = []
    for floor in ("nets", "search", "learn"):
        for path in sorted((PACKAGE / floor).rglob("*.py")):
            own = [n for n in ast.parse(path.read_bytes()).body if isinstance(n, ast.FunctionDef) and n.decorator_list]
            found += [f"{path.name}: {function.name}" for function in own if function.name in RULES]
    assert found == []
