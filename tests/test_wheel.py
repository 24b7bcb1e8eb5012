"""The wheel works from any folder and writes nothing beside its own code."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_wheel_plays_from_another_folder_and_leaves_site_packages_alone(tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", str(ROOT), "--no-deps", "-w", str(tmp_path / "dist")], check=True)
    (wheel,) = (tmp_path / "dist").glob("sparring-*.whl")
    site = tmp_path / "site"
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", "--target", str(site), str(wheel)], check=True)
    for path in [*site.rglob("*"), site]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(site.rglob("*"))
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("SPARRING_", "NUMBA_", "XDG_"))}
    there = {**keep, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    (tmp_path / "elsewhere").mkdir()
    for line, answer in (
        ("perft connect-four 5", "16807\n"),
        ("match tigers-and-sheep alphabeta:depth=2,net=shipped alphabeta:depth=1 --games 10 --json", '"games": 10'),
        ("match abak turn turn:judge=pips --games 2 --points 1 --json", '"games": 2'),
    ):
        command = [sys.executable, "-m", "sparring", *line.split()]
        done = subprocess.run(
            command, cwd=tmp_path / "elsewhere", env=there, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert answer in done.stdout
    where = subprocess.run(
        [sys.executable, "-c", "import sparring; print(sparring.__file__)"],
        env=there,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(site))
    assert sorted(site.rglob("*")) == before
    assert any((tmp_path / "home" / ".cache" / "sparring").rglob("*.nbi")), "compiled code lies in the user's cache"
    for path in [site, *site.rglob("*")]:
        path.chmod(0o755)  # so that the temporary folder can be removed
