"""`run.py`: what was installed before goes on where nothing new can be installed."""

from __future__ import annotations

import os
import runpy
import subprocess
import venv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("held", [{}, {"requirements.txt": "of another day"}])
@pytest.mark.parametrize("failure", [OSError("no line"), subprocess.CalledProcessError(1, "pip")])
def test_an_environment_that_works_is_not_lost_without_a_line(
    held: dict[str, str], failure: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    run: dict[str, Any] = runpy.run_path(str(ROOT / "run.py"), run_name="run")
    install = run["install"]

    def build(files: object, hashes: object) -> None:
        raise failure

    install.__globals__.update(installed=lambda: held, build=build, VENV=None)
    if held:
        install(run["TO_RUN"])
        assert "going on with the packages installed before" in capsys.readouterr().out
    else:
        with pytest.raises(type(failure)):
            install(run["TO_RUN"])


@pytest.mark.skipif(os.name == "nt", reason="the script is a shell's")
def test_the_environment_is_activated_where_it_lies(tmp_path: Path) -> None:
    run: dict[str, Any] = runpy.run_path(str(ROOT / "run.py"), run_name="run")
    place = tmp_path / ".venv"
    run["build"].__globals__.update(
        FRESH=tmp_path / ".venv.new",
        VENV=place,
        PYTHON=place / "bin/python",
        venv=SimpleNamespace(create=lambda where, **_: venv.create(where)),  # without pip, as nothing is installed
        subprocess=SimpleNamespace(run=lambda *_, **__: None),
    )
    run["build"]((), {})
    asked = ". .venv/bin/activate && python -c 'import sys; print(sys.prefix)'"
    answer = subprocess.run(("sh", "-c", asked), cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(answer.stdout.strip()) == place
