"""A sixth game is two places and a line in each written list: the one of docs/sixth-game.md, played in a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAME = ROOT / "docs" / "sixth-game"
COPIED = ("companion", "scoring")
LINKED = ("calibration", "common", "referee", "templates", "vision", "tests", "training", "run.py")
LISTS = {
    "scoring/games.py": ('"igna")', '"igna", "fireflies")'),
    "companion/games/__init__.py": ('"igna")', '"igna", "fireflies")'),
}
MOST_LINES = 200
CHECKS = ("tests/sixth_game/play_fireflies.py", "tests/companion/games/test_every_game.py")


def test_it_is_two_places_of_at_most_200_lines() -> None:
    files = [path for path in GAME.rglob("*") if path.is_file()]
    assert {path.relative_to(GAME).parts[:3] for path in files} == {
        ("scoring", "fireflies.py"),
        ("companion", "games", "fireflies"),
    }
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES


def test_it_is_played_in_every_way_with_nothing_else_edited(tmp_path: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(GAME, tmp_path, dirs_exist_ok=True)
    for name, (old, new) in LISTS.items():
        path = tmp_path / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")
    places = os.pathsep.join(str(tmp_path / place) for place in (".", "tests/support"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    run = subprocess.run(
        [*command, *CHECKS], cwd=tmp_path, env={**os.environ, "PYTHONPATH": places}, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stdout.decode()[-4000:]
