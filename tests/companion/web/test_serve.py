"""Starting the page: what goes wrong is said in one line."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cases.store import Store, claim
from companion.web.access import qr
from companion.web.running.network import lan_address

ROOT = Path(__file__).parents[3]


def serve(*arguments: str, wait: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "serve", "--no-browser", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=wait, check=False)


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and "Traceback" not in text


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = serve("--data", str(tmp_path), "--port", port)
    assert done.returncode == 2
    assert one_line(done.stderr)
    assert port in done.stderr


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    done = serve("--data", str(path), "--port", "0")
    assert done.returncode == 2
    assert one_line(done.stderr)
    assert str(path) in done.stderr


def damaged(folder: Path) -> None:
    (folder / "companion.sqlite3").write_bytes(b"no database at all" * 100)


def newer(folder: Path) -> None:
    with Store(folder).open() as db:
        db.execute("PRAGMA user_version = 99")
        db.close()


@pytest.mark.parametrize(("made", "words"), [(damaged, "copies"), (newer, "newer version")])
def test_a_data_folder_that_cannot_be_worked_with_is_said(
    tmp_path: Path, made: Callable[[Path], None], words: str
) -> None:
    made(tmp_path)
    done = serve("--data", str(tmp_path), "--port", "0", "--lang", "en")
    assert done.returncode == 2
    assert one_line(done.stderr)
    assert words in done.stderr


def test_a_second_program_on_the_same_folder_is_refused_and_told_where_the_first_one_is(tmp_path: Path) -> None:
    with claim(tmp_path, "http://127.0.0.1:8137/"):
        done = serve("--data", str(tmp_path), "--port", "0", "--lang", "en")
    assert done.returncode == 2
    assert one_line(done.stderr)
    assert "http://127.0.0.1:8137/" in done.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "x", "80.0"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    done = serve(f"--port={port}")
    assert done.returncode == 2
    assert one_line(done.stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("options", [[], ["--lan"]])
def test_it_serves_on_loopback_and_stops_when_asked(tmp_path: Path, options: list[str]) -> None:
    if options and lan_address() is None:
        pytest.skip("needs a network")
    command = [sys.executable, "-u", "-m", "companion", "serve", "--no-browser", "--data", str(tmp_path), "--port", "0"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    # A shell's background job ignores interrupts, and so would what it starts.
    heed = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(
        [*command, *options], cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment, **heed
    ) as process:
        assert process.stdout
        address = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in process.stdout)))
        for _ in range(50):
            try:
                with urllib.request.urlopen(address[0] + "pair") as answer:
                    assert answer.status == 200
                    break
            except OSError:
                time.sleep(0.1)
        else:
            pytest.fail("nothing answered")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert [path.name for path in tmp_path.rglob("*") if path.stat().st_mode & 0o077] == []  # the log too


def test_the_qr_code_is_drawn_for_page_and_terminal() -> None:
    text = "http://192.168.1.20:8137/pair#abcdefghijklmnopqrstuv"
    rows = qr.modules(text)
    lines = qr.terminal(text).split("\n")
    assert len(lines) == (len(rows) + 1) // 2
    assert {len(line) for line in lines} == {len(rows)}
    assert qr.svg(text).count("M") == sum(map(sum, rows)) + 1
    picture = np.kron(np.where(np.array(rows), 0, 255).astype(np.uint8), np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == text


def test_what_is_mistyped_is_refused_before_the_page_is_loaded() -> None:
    told = "import sys; import companion.cli.serve; print(sorted({'flask', 'cv2', 'numpy'} & sys.modules.keys()))"
    done = subprocess.run((sys.executable, "-c", told), cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("address", ["ftp://x", "http://", "x"])
def test_an_address_that_nothing_can_be_told_to_is_refused(tmp_path: Path, address: str) -> None:
    done = serve("--data", str(tmp_path / "new"), "--port", "0", "--lang", "en", "--tell", address)
    assert done.returncode == 2
    assert one_line(done.stderr)
    assert not (tmp_path / "new").exists()
