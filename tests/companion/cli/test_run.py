"""`run.py`: what was installed before goes on where nothing new can be installed."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path
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
