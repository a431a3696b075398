"""Installed, all rooms lie within one package, and nobody else's packages of the same names are taken for them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder of packages as the wheel lays them."""
    shutil.copytree(ROOT / "companion", tmp_path / "site" / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    for name, place in WHEEL["force-include"].items():
        path = tmp_path / "site" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(ROOT / name)
    return tmp_path / "site"


def test_one_package_is_installed() -> None:
    assert WHEEL["packages"] == ["companion"]
    assert all(place.startswith("companion/") for place in WHEEL["force-include"].values())


def test_a_folder_with_packages_of_the_same_names_is_no_hindrance(installed: Path, tmp_path: Path) -> None:
    for room in ("vision", "scoring", "common"):
        (tmp_path / "work" / room).mkdir(parents=True)
        (tmp_path / "work" / room / "__init__.py").write_text("raise SystemExit('somebody else is here')")
    state = tmp_path / "work" / "state.json"
    state.write_text('{"game": "splendor", "players": [{"name": "Aki", "cards": [{"points": 2, "bonus": "red"}]}]}')
    path = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    told = (sys.executable, "-m", "companion", "score", "state.json", "--lang", "en")
    done = subprocess.run(told, cwd=tmp_path / "work", env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Aki" in done.stdout


def test_the_guide_is_installed_too(installed: Path, tmp_path: Path) -> None:
    asked = (
        "from companion.web import create_app; from pathlib import Path; "
        "page = create_app(Path('data')).test_client(); "
        "print([page.get(one, headers={'Host': '127.0.0.1'}).status_code "
        "for one in ('/guide/', '/guide/start', '/guide/pictures/en/shelf.jpg')])"
    )
    path = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        (sys.executable, "-c", asked), cwd=tmp_path, env=path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[200, 200, 200]", done.stderr
