"""Set up and start: `python3 run.py` opens the companion, `python3 run.py test` runs every check.

Needs Python 3.11 or newer and nothing else: what the project needs is installed into
`.venv` beside this file, again only when requirements.txt has changed. Other arguments
(`--lan`, `--data DIR`, `--port N`, …) go to `python -m companion serve`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
INSTALLED = VENV / "installed"
"""Holds the hash of the requirements that were installed."""
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_VARIABLE = "COMPANION_CHROMIUM"
CHECKS: tuple[tuple[str, ...], ...] = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy", "scoring"),
    ("pytest",),
)
INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Returns the exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this is where it is said
        return complain(f"expected Python 3.11 or newer, got {sys.version.split()[0]}: start run.py with a newer one")
    try:
        install()
        if arguments[:1] == ["test"]:
            return test(arguments[1:])
        return run("companion", "serve", *arguments)
    except subprocess.CalledProcessError as error:
        return complain(f"this step failed (exit status {error.returncode}): {' '.join(map(str, error.cmd))}")
    except OSError as error:
        return complain(f"the project's folder {ROOT} cannot be used: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED


def install() -> None:
    """Make `.venv` hold what requirements.txt asks for."""
    wanted = hashlib.sha256((ROOT / "requirements.txt").read_bytes() + sys.version.encode()).hexdigest()
    if PYTHON.exists() and INSTALLED.exists() and INSTALLED.read_text() == wanted:
        return
    print("Setting up (once; a few minutes on a slow line) …", flush=True)
    try:
        venv.create(VENV, with_pip=True, clear=VENV.exists())
    except subprocess.CalledProcessError:
        raise OSError("no virtual environment could be made: on Debian and Ubuntu, install python3-venv") from None
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run((*pip, "--requirement", ROOT / "requirements.txt"), check=True)
    INSTALLED.write_text(wanted)


def test(more: Sequence[str]) -> int:
    """Run every check, all of them even where one fails; `more` goes to pytest."""
    os.environ[CHROMIUM_VARIABLE] = chromium()
    failed = []
    for check in CHECKS:
        words = (*check, *more) if check[0] == "pytest" else check
        print(f"\n— {' '.join(words)}", flush=True)
        if run(*words):
            failed.append(check[0] if check[1:] != ("format", "--check", ".") else "ruff format")
    print(f"\n{'Failed: ' + ', '.join(failed) if failed else 'All checks passed.'}")
    return 1 if failed else 0


def chromium() -> str:
    """A Chromium for the browser tests: named, found or installed. "" leaves it to playwright's own."""
    named = os.environ.get(CHROMIUM_VARIABLE)
    if named:
        return named
    if found := next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None):
        return found
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("Installing Chromium for the browser tests …", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(("apt-get", "update", "-qq"), check=True, env=environment)
        packages = ("chromium", "fonts-noto-cjk")
        command = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        return shutil.which("chromium") or ""
    print("Fetching a Chromium for the browser tests …", flush=True)
    subprocess.run((PYTHON, "-m", "playwright", "install", "chromium"), check=True)
    return ""


def run(*words: str) -> int:
    """Run a module of the project's own Python."""
    return subprocess.run((PYTHON, "-m", *words), cwd=ROOT, check=False).returncode


def complain(reason: str) -> int:
    print(f"run.py: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
