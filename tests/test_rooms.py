"""The rooms of the house keep to what they may import: read off the source, nothing is run."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {
    "scoring": {"scoring"},
    "referee": {"referee", "scoring"},
    "vision": {"vision", "numpy", "cv2"},
    "calibration": {"calibration", "vision", "numpy", "cv2"},
    "training": {"training", "vision", "calibration", "numpy", "cv2", "torch", "onnx", "onnxruntime", "PIL"},
}
"""What each room may import besides the standard library. `companion` may import everything."""


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "." * node.level


WORKSHOP = "training"
TOOLS = {"torch", "onnx", "onnxruntime", "PIL"}
"""What the scripts that train the models may import too; whatever runs may not need them."""

DOORS = {"vision/photo.py": {"PIL", "pillow_heif", "simplejpeg"}}
"""A photo's header is read before OpenCV decodes it, and OpenCV knows no HEIC."""


def files(room):
    found = sorted((ROOT / room).rglob("*.py"))
    assert found
    return found


def in_workshop(path):
    return path.is_relative_to(ROOT / WORKSHOP)


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


def test_nothing_that_runs_needs_the_workshops_tools():
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in files(WORKSHOP)}
    heavy = {name for name, path in modules.items() if TOOLS & {top(one) for one in imports(path)}}
    running = [
        p
        for room in ("scoring", "referee", "vision", "calibration", "companion")
        for p in files(room)
        if not in_workshop(p)
    ]
    assert not {(path, name) for path in running for name in imports(path) if name in heavy}


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
