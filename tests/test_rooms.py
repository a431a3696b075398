"""The rooms of the house keep to what they may import: read off the source, nothing is run."""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {
    "common": {"common"},
    "scoring": {"scoring"},
    "referee": {"referee", "scoring"},
    "vision": {"vision", "common", "numpy", "cv2"},
    "calibration": {"calibration", "vision", "common", "numpy", "cv2"},
}
"""What each room may import besides the standard library. `companion` may import all of it."""


def imports(path):
    """What a file imports, but for the class of random generators: one that is handed in is no chance."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and [one.name for one in node.names] != ["Random"]:
            yield node.module or "." * node.level


DOORS = {
    "vision/photo.py": {"PIL", "pillow_heif", "simplejpeg"},
    "vision/pages.py": {"PIL", "pypdfium2"},
    "vision/network.py": {"onnxruntime"},
}
"""A photo's header is read before OpenCV decodes it, and OpenCV knows no HEIC, no PDF and no pages; networks
run in one place."""


def files(room):
    found = sorted((ROOT / room).rglob("*.py"))
    assert found
    return found


def top(name):
    return name.split(".")[0]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room):
    wrong = set()
    for path in files(room):
        name = path.relative_to(ROOT).as_posix()
        may = {*sys.stdlib_module_names, *ROOMS[room], *DOORS.get(name, ())}
        wrong |= {(name, one) for one in imports(path) if top(one) not in may}
    assert not wrong


def test_nothing_that_runs_needs_what_draws_and_trains():
    apart = {"training", "bench", "tests", "torch", "onnx"}
    running = [path for room in (*ROOMS, "companion") for path in files(room)]
    assert not {(path, name) for path in running for name in imports(path) if top(name) in apart}


NOT_IN_PURE_ROOMS = {
    "os",
    "sys",
    "io",
    "pathlib",
    "time",
    "datetime",
    "random",
    "gettext",
    "locale",
    "logging",
    "print",
    "open",
}


@pytest.mark.parametrize("room", ["scoring", "referee"])
def test_a_pure_room_has_no_files_no_clock_no_printing_and_no_language(room):
    for path in files(room):
        tree = ast.parse(path.read_text("utf-8"))
        called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        used = called | {top(name) for name in imports(path)}
        assert not used & NOT_IN_PURE_ROOMS, path


FLOORS = (
    {"words", "demo"},
    {"games"},
    {"printing", "sources", "cases"},
    {"reading"},
    {"live"},
    {"web"},
    {"cli"},
)
"""The companion's own rooms from the ground up: each may import those below it, and none of its own floor."""
MOST_ROOMS, MOST_ARROWS = 10, 28


def arrows_between_rooms(folder):
    """Which room of a folder, a sub-folder or a single file, imports which."""
    out, top_ = defaultdict(set), folder.replace("/", ".")
    for path in files(folder):
        room = path.relative_to(ROOT / folder).with_suffix("").parts[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{top_}."):
                below = (node.module or "").removeprefix(top_).split(".")[1:]
                out[room] |= {*below[:1]} or {one.name for one in node.names}
    return {room: to - {room} for room, to in out.items() if room != "__init__"}


def companion_arrows():
    """Which of the companion's rooms imports which."""
    rooms = {path.name for path in (ROOT / "companion").iterdir() if path.is_dir()}
    arrows = arrows_between_rooms("companion").items()
    return {(room, one) for room, to in arrows for one in to if room in rooms and one in rooms}


def test_the_companions_rooms_stand_on_floors_and_no_arrow_runs_back():
    floor = {room: i for i, rooms in enumerate(FLOORS) for room in rooms}
    rooms = {path.name for path in (ROOT / "companion").iterdir() if (path / "__init__.py").is_file()}
    assert rooms == floor.keys()
    assert len(rooms) <= MOST_ROOMS
    arrows = companion_arrows()
    assert not {(a, b) for a, b in arrows if floor[a] <= floor[b]}
    assert len(arrows) <= MOST_ARROWS


def test_no_arrow_between_the_rooms_of_the_page_runs_back():
    arrows = arrows_between_rooms("companion/web")
    assert len(arrows) > 10
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the circle


def test_training_does_not_need_the_benches():
    assert not {(path, name) for path in files("training") for name in imports(path) if top(name) == "bench"}


def python_arrows():
    """Which file imports which, for types alone too."""
    modules = {}
    for room in (*ROOMS, "companion", "bench", "training"):
        for path in files(room):
            parts = path.relative_to(ROOT).with_suffix("").parts
            modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    for path in modules.values():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    to = modules.get(f"{node.module}.{alias.name}") or modules.get(node.module)
                    if to not in (None, path):
                        yield path, to


def script_arrows():
    for path in sorted((ROOT / "templates/static").rglob("*.js")):
        for name in re.findall(
            r'^(?:import|export) .*?from "(\..+?)";$', path.read_text("utf-8"), re.MULTILINE | re.DOTALL
        ):
            yield path, (path.parent / name).resolve()


@pytest.mark.parametrize("arrows", [python_arrows, script_arrows])
def test_no_file_imports_one_that_imports_it(arrows):
    graph = defaultdict(set)
    for path, to in arrows():
        graph[path].add(to)
    assert len(graph) > 20
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


PLAIN = ("companion.cases", "companion.games", "companion.words", "companion.record")
"""Rules, words and cases run anywhere, as in the Python of a browser."""
WITHOUT = """
import importlib, pkgutil, sys

class NotThere:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numpy", "cv2", "onnxruntime", "flask", "werkzeug", "flask_babel", "PIL"}:
            raise ImportError(name)

sys.meta_path.insert(0, NotThere())
for name in sys.argv[1:]:
    room = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(room, "__path__", ()), f"{name}."):
        importlib.import_module(module.name)
"""


def test_cases_games_and_words_need_no_library_of_pictures_or_pages():
    run = [sys.executable, "-c", WITHOUT, *PLAIN]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_cases_know_no_page_and_no_flask():
    wrong = {
        (path.name, name)
        for room in ("companion/cases", "companion/games", "companion/words", "companion/live")
        for path in files(room)
        for name in imports(path)
        if top(name) in ("flask", "werkzeug", "flask_babel") or name.startswith("companion.web")
    }
    assert not wrong


SLUGS = ("twelve-seekers", "in-the-ruin", "human-angel-demon", "splendor", "igna")
RULE = re.compile(r"rule\.[A-Z]\d+")


def test_what_is_said_of_the_turns_and_rules_of_a_game_lies_in_its_folder():
    log = (ROOT / "companion/cases/log_words.py").read_text("utf-8")
    assert not [slug for slug in SLUGS if slug in log or slug.replace("-", "_") in log]
    assert not [path for path in files("companion/words") if "did." in path.read_text("utf-8")]
    shared = {
        key
        for path in (ROOT / "companion/words").glob("*/*.json")
        for key in json.loads(path.read_text("utf-8"))
        if RULE.fullmatch(key) or key.startswith("did.")
    }
    assert shared == {"did.edit", "did.edit-unknown", "did.pass", "did.returned"}


MOST_LOOSE = 3
"""Thresholds that a module may bind outside its frozen table."""


@pytest.mark.parametrize("room", ["vision", "calibration", "companion/live"])
def test_the_thresholds_of_a_stage_stand_in_its_one_table(room):
    """Numbers that other modules import stay names of their own."""
    loose = {}
    for path in files(room):
        bound = {
            node.targets[0].id
            for node in ast.parse(path.read_text("utf-8")).body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_a_number(node.value)
        }
        name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        loose[name] = bound - imported()[name]
    assert not {name: sorted(bound) for name, bound in loose.items() if len(bound) > MOST_LOOSE}


def is_a_number(value):
    value = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


@cache
def imported():
    """What is imported from each module, tests and training included."""
    froms = defaultdict(set)
    for path in (path for room in ("companion", *ROOMS, "training", "tests") for path in files(room)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                froms[node.module].update(one.name for one in node.names)
    return froms
