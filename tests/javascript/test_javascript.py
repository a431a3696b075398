"""The page's modules that hold state, without a browser: node, where there is one, runs the tests beside this file."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
MODULES = HERE.parents[1] / "templates/static/js"
LEAST = 20
"""The first version of node that runs tests with timers of their own."""


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("no node: the page's modules were tested in the browser alone")
    version = subprocess.run((found, "--version"), check=True, capture_output=True, text=True).stdout
    if int(re.match(r"v(\d+)", version)[1]) < LEAST:
        pytest.skip(f"node {version.strip()}: expected {LEAST} or newer")
    return found


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.mjs")), ids=lambda file: file.stem)
def test_a_module_in_node(node: str, file: Path, tmp_path: Path) -> None:
    shutil.copytree(MODULES, tmp_path / "js")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(file, tmp_path)
    command = (node, "--test", "--test-reporter", "tap", file.name)
    run = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr
    assert int(re.search(r"^# pass (\d+)$", run.stdout, re.MULTILINE)[1]) > 0
