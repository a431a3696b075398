"""Take away each answer of docs/security.md, one after the other, and see whether the tests that its row names fail.

python -m bench.answers [WORD …]

A word chooses the threats in which it stands. What is taken away stands in `bench/answers.toml`: a line of code, which
is changed in a copy of the tree, in which the row's tests run then. Exit status 1 where an answer is gone and they
pass all the same.
"""

import importlib
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.mutants import LEFT_OUT, ROOT, enter, in_child

LARGE = ("cv2", "cryptography", "flask", "hypothesis", "onnxruntime", "playwright.sync_api", "pytest")
"""Packages that are loaded once, for the tests of all answers."""


class Answer(NamedTuple):
    """What is answered to a threat (its row begins so), and how it is taken away: `old`, once in `file`, is `new`."""

    threat: str
    what: str
    file: str
    old: str
    new: str


def answers() -> list[Answer]:
    """Every answer that a line of code gives."""
    rows = tomllib.loads((ROOT / "bench/answers.toml").read_text("utf-8"))["answer"]
    return [Answer(**row) for row in rows]


def threats() -> dict[str, list[str]]:
    """The page's threats, each with the tests of its row."""
    page = (ROOT / "docs/security.md").read_text("utf-8")
    rows = page.partition("| threat |")[2].partition("\n\n")[0].splitlines()[2:]
    return {row.split(" | ")[0][2:]: re.findall(r"`(test_\w+)`", row) for row in rows}


def row_of(answer: Answer) -> str:
    """The threat of the page that an answer belongs to. Raises ValueError where there is not one."""
    (row,) = (threat for threat in threats() if threat.startswith(answer.threat))
    return row


def places_of(names: list[str]) -> Iterator[str]:
    """Where these tests stand, as pytest takes them."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        there = re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        yield from (f"{path.relative_to(ROOT)}::{name}" for name in names if name in there)


def first_failing(tree: Path, tests: list[str]) -> str | None:
    """The first of these tests that fails in a tree; None where all pass. Raises ValueError where none ran."""
    enter(tree)
    sys.dont_write_bytecode = False  # the tests of the next answer are compiled then
    import pytest  # noqa: PLC0415

    failing: list[str] = []

    class Recorder:
        @staticmethod
        def pytest_runtest_logreport(report: Any) -> None:
            if report.failed:
                failing.append(report.nodeid)

    status = pytest.main([*tests, "-xq", "-p", "no:cacheprovider"], [Recorder()])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        raise ValueError(f"expected tests that run, got pytest's status {status}")
    return next(iter(failing), None) if status else None


def main() -> int:
    """Take away and print. Returns the exit status."""
    for package in LARGE:
        importlib.import_module(package)
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for n, answer in enumerate(answers(), 1):
            threat = row_of(answer)
            if sys.argv[1:] and not any(word in threat for word in sys.argv[1:]):
                continue
            file, tests = tree / answer.file, list(places_of(threats()[threat]))
            kept, times = file.read_text("utf-8"), file.stat()
            file.write_text(kept.replace(answer.old, answer.new), "utf-8")
            os.utime(file, (times.st_atime, times.st_mtime + 10 * n))  # no bytecode of another is taken for it
            failing = in_child(partial(first_failing, tree, tests))
            file.write_text(kept, "utf-8")
            os.utime(file, (times.st_atime, times.st_mtime))
            unnoticed += failing is None
            print(f"{' ' if failing else '!'} {threat}: {answer.what}: {failing or 'no test fails'}", flush=True)
    print(f"{unnoticed} can be taken away unnoticed")
    return int(unnoticed > 0)


if __name__ == "__main__":
    sys.exit(main())
