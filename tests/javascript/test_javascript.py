"""The page's modules that hold state, without a browser: deno, which pip brings, runs the tests beside this file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.js")), ids=lambda file: file.stem)
def test_a_module(file: Path, tmp_path: Path) -> None:
    command = (
        sys.executable,
        "-m",
        "deno",
        "test",
        "--no-check",
        "--no-remote",
        "--no-npm",
        "-c",
        "deno.json",
        file.name,
    )
    quiet = {"DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    environment = {**os.environ, **quiet}
    run = subprocess.run(command, cwd=HERE, check=False, capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr
    assert int(re.search(r"(\d+) passed", run.stdout)[1]) > 0
