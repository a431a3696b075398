"""Evidence without a picture: what a bar code reader types is an observation, and scores."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["A", "red 1", "red 1", "red 1", "B", "blue 1", "blue 2", "blue 3"], ["A 7", "B 5"]),
        (["B", "red 1", "green 1", "blue 1 bonus", "A"], ["A 0", "B 4"]),
        (["A", "red 1", "red 2"], ["A 0", "B 0"]),
    ],
)
def test_scanned_cards_score(typed: list[str], said: list[str]) -> None:
    run = [sys.executable, "docs/scanner/scan.py", "igna", "A", "B"]
    env = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(run, input="\n".join(typed), cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == said, done.stderr
