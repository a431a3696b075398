"""How much of what a room does its tests hold: small changes (mutants) of its code, and the share that tests notice.

python -m bench.mutants [ROOM …] [--count 60] [--seed N] [--least 0.85]

Takes `pip install coverage`. The places to change are taken evenly over a room's lines, from a new seed each time,
which is printed. A mutant is tried with the tests that run its lines, in a copy of the tree. It is killed where one of
them fails, or takes many times its time. Exit status 1 where a room's share is below `--least`.
"""

import argparse
import ast
import compileall
import importlib
import math
import os
import pickle
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = (".*", "__pycache__", "node_modules", "*.png")
"""What the copy of the tree does not need."""
ROOMS: dict[str, tuple[str, ...]] = {
    "scoring": ("tests/scoring", "tests/companion/words/test_words.py", "tests/companion/cli/test_score_command.py"),
    "referee": ("tests/referee",),
    "companion/web/access": (
        "tests/companion/web/test_access_control.py",
        "tests/companion/web/test_door.py",
        "tests/companion/web/test_roles.py",
        "tests/companion/web/test_pairing.py",
        "tests/companion/web/test_network.py",
        "tests/companion/web/test_attack.py",
        "tests/companion/web/test_pages.py",
        "tests/companion/web/test_one_way.py",
    ),
    "companion/cases": (
        "tests/companion/cases",
        "tests/companion/games",
        "tests/companion/web/test_cases.py",
        "tests/companion/web/test_evenings.py",
        "tests/companion/web/test_plays.py",
        "tests/companion/cli/test_score_command.py",
    ),
}
"""The rooms and the tests that hold them."""
FOR_TESTS = ("samples.py", "sample")
"""Files and functions that make states for tests: what they make is free."""
IMPORTED = "as it is imported"
"""What runs lines before the first test."""
SLOWER = 3
"""So many times the time of a test, and that of starting, and a mutant is killed."""
START_SECONDS = 20
MEMORY = 8 << 30

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min"}


STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


class Mutant(NamedTuple):
    """A change: the file, its line, those of its statement (none outside functions), what it is, and its number."""

    file: str
    line: int
    lines: range
    what: str
    number: int


class Recorded(NamedTuple):
    """Of one run of a room's tests: the seconds of each, those that ran a line of a file, and the packages it loaded.

    Tests that fail as the code is (`failed`) are left out.
    """

    seconds: dict[str, float]
    failed: set[str]
    runs: dict[tuple[str, int], set[str]]
    packages: list[str]


def main() -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", nargs="*", choices=[*ROOMS, []], help="all of them where none is named")
    parser.add_argument("--count", type=int, default=60, help="mutants a room")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--least", type=float, default=0.85, help="share that must be killed")
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    below = False
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        compileall.compile_dir(tree, quiet=2)
        for room in args.room or ROOMS:
            share = measure(tree, room, args.count, random.Random(args.seed))
            below = below or share < args.least
    return int(below)


def measure(tree: Path, room: str, count: int, rng: random.Random) -> float:
    """Try a room's mutants, print those that live and the share that is killed, and return it."""
    recorded: Recorded = in_child(lambda: record(tree, room))
    if not recorded or not recorded.seconds:
        sys.exit(f"{room}: no test of it runs as the code is")
    for test in sorted(recorded.failed):
        print(f"{room}: left out, for it fails as the code is: {test}", flush=True)
    for package in recorded.packages:
        try:
            importlib.import_module(package)
        except ImportError:
            continue
    mutants = evenly([mutant for file in sorted((tree / room).rglob("*.py")) for mutant in of(tree, file)], count, rng)
    rng.shuffle(mutants)  # a run that is broken off has looked everywhere
    killed = 0
    for n, mutant in enumerate(mutants, 1):
        fate = try_out(tree, room, mutant, recorded, n)
        killed += fate != "lives"
        if fate == "lives":
            print(f"{room}: {killed} of {n} killed, lives: {mutant.file}:{mutant.line} {mutant.what}", flush=True)
    share = killed / len(mutants)
    print(f"{room}: {killed} of {len(mutants)} killed, {share:.2f}", flush=True)
    return share


def evenly(mutants: Sequence[Mutant], count: int, rng: random.Random) -> list[Mutant]:
    """`count` of them, evenly over the lines, from a place that the generator chooses."""
    count = min(count, len(mutants))
    step = len(mutants) / count
    start = rng.random() * step
    return [mutants[int(start + i * step)] for i in range(count)]


def of(tree: Path, file: Path) -> list[Mutant]:
    """Every mutant of a file, by line."""
    if file.name in FOR_TESTS:
        return []
    found = changes(ast.parse(file.read_text(encoding="utf-8")), range(0))
    name = str(file.relative_to(tree))
    mutants = (Mutant(name, line, lines, what, n) for n, (line, lines, what, _) in enumerate(found))
    return sorted(mutants, key=lambda mutant: (mutant.line, mutant.number))


def text_of(tree: Path, mutant: Mutant) -> str:
    """The text of a mutant's file."""
    module = ast.parse((tree / mutant.file).read_text(encoding="utf-8"))
    *_, change = next(islice(changes(module, range(0)), mutant.number, None))
    change()
    return ast.unparse(ast.fix_missing_locations(module))


Put = Callable[[ast.AST], None]
"""Puts another node in the place of one."""


def changes(node: ast.AST, lines: range) -> Iterator[tuple[int, range, str, Callable[[], None]]]:
    """Every change beneath a node: its line, the lines of the statement around it, what it is, and its doing.

    Not types, docstrings, decorators, what only makes states for tests, and `strict=`, which asserts that two lists are
    as long: where they are, as they must, nothing can tell it from its opposite.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _says_nothing(child) or getattr(child, "name", "") in FOR_TESTS:
                continue
            runs = (lines or isinstance(node, ast.FunctionDef)) and isinstance(child, STATEMENTS)
            inside = _lines(child) if runs else lines
            line = getattr(child.target if isinstance(child, ast.comprehension) else child, "lineno", 0)
            for what, change in changes_of(child):
                yield line, inside, what, partial(change, child, partial(_put, node, name, i))
            yield from changes(child, inside)


def _lines(node: Any) -> range:
    """The lines of a statement, those of its head where it has a body."""
    first = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    last = _lines(body[0])[0] - 1 if body else node.end_lineno
    return range(first, max(first, last) + 1)


def _put(node: ast.AST, name: str, i: int | None, new: ast.AST) -> None:
    if i is None:
        setattr(node, name, new)
    else:
        getattr(node, name)[i] = new


def _says_nothing(node: ast.AST) -> bool:
    """Whether it is a docstring, or `strict=`."""
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) or (
        isinstance(node, ast.keyword) and node.arg == "strict"
    )


def changes_of(node: ast.AST) -> Iterator[tuple[str, Callable[[Any, Put], None]]]:
    """What can be changed at a node: a description and the change."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            yield f"{type(op).__name__} → {SWAPS[type(op)].__name__}", _swap_compared
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPS:
            yield f"{type(op).__name__} → {SWAPS[type(op)].__name__}", _swap
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", lambda node, put: put(node.operand)
        case ast.Constant(value=bool() as value):
            yield f"{value} → {not value}", lambda node, put: put(ast.Constant(not node.value))
        case ast.Constant(value=int() as value):
            yield f"{value} → {value + 1}", lambda node, put: put(ast.Constant(node.value + 1))
        case ast.Constant(value=str() as value) if value:
            yield f"{value!r} changed", lambda node, put: put(ast.Constant(node.value + "?"))
        case ast.If() | ast.IfExp():
            yield "condition turned", _turn
        case ast.comprehension(ifs=[_, *_]):
            yield "filter dropped", lambda node, put: node.ifs.clear()
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield f"{name} → {CALLS[name]}", _other_call
        case ast.Expr():
            yield "statement dropped", lambda node, put: put(ast.Pass())
        case ast.Return(value=ast.AST()):
            yield "nothing returned", lambda node, put: put(ast.Return(ast.Constant(None)))


def _swap(node: Any, put: Put) -> None:
    node.op = SWAPS[type(node.op)]()


def _swap_compared(node: Any, put: Put) -> None:
    node.ops = [SWAPS[type(node.ops[0])]()]


def _turn(node: Any, put: Put) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _other_call(node: Any, put: Put) -> None:
    node.func.id = CALLS[node.func.id]


def record(tree: Path, room: str) -> Recorded:
    """Run a room's tests once, as it is, and note which runs which line."""
    enter(tree)
    import coverage  # noqa: PLC0415
    import pytest  # noqa: PLC0415

    lines = coverage.Coverage(data_file=None, include=[f"{tree / room}/*"], config_file=False)
    seconds: dict[str, float] = {}
    failed: set[str] = set()

    class Recorder:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
            began = time.process_time()
            lines.switch_context(item.nodeid)
            result: Any = yield
            seconds[item.nodeid] = time.process_time() - began
            return result

        @staticmethod
        def pytest_runtest_logreport(report: Any) -> None:
            if report.failed:
                failed.add(report.nodeid)

    lines.start()
    lines.switch_context(IMPORTED)
    pytest.main([*ROOMS[room], "-q", "-p", "no:cacheprovider", "-p", "no:randomly"], [Recorder()])
    lines.stop()
    data = lines.get_data()
    runs = {
        (os.path.relpath(file, tree), line): set(tests)
        for file in data.measured_files()
        for line, tests in data.contexts_by_lineno(file).items()
    }
    for test in failed:
        seconds.pop(test, None)
    own = {path.name.removesuffix(".py") for path in (*ROOT.iterdir(), *(ROOT / "tests").rglob("*.py"))}
    packages = sorted(name for name in sys.modules if name.partition(".")[0] not in own and "conftest" not in name)
    return Recorded(seconds, failed, runs, [name for name in packages if "." not in name and not name.startswith("_")])


def try_out(tree: Path, room: str, mutant: Mutant, recorded: Recorded, n: int) -> str:
    """`killed`, `slow` or `lives`."""
    run_by = [recorded.runs.get((mutant.file, line), set()) for line in mutant.lines]
    tests = set().union(*run_by) if mutant.lines else {IMPORTED}
    tests = (set(recorded.seconds) if IMPORTED in tests else tests) & recorded.seconds.keys()
    if not tests:
        return "lives"
    file = tree / mutant.file
    kept, times = file.read_bytes(), file.stat()
    file.write_text(text_of(tree, mutant), encoding="utf-8")
    os.utime(file, (times.st_atime, times.st_mtime + 10 * n))  # no bytecode of another mutant is taken for its own
    try:
        order = sorted(tests, key=recorded.seconds.__getitem__)
        status = in_child(lambda: run(tree, order, recorded.seconds))
    finally:
        file.write_bytes(kept)
        os.utime(file, (times.st_atime, times.st_mtime))
    return "slow" if status is None else "killed" if status else "lives"


def run(tree: Path, tests: Sequence[str], seconds: dict[str, float]) -> int:
    """pytest's status for some tests in their order until one fails; ended where one takes many times its `seconds`."""
    enter(tree)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import pytest  # noqa: PLC0415

    places = {test: i for i, test in enumerate(tests)}

    class Chosen:
        @staticmethod
        def pytest_collection_modifyitems(items: list[Any]) -> None:
            items[:] = sorted((one for one in items if one.nodeid in places), key=lambda one: places[one.nodeid])

        @staticmethod
        def pytest_runtest_logstart(nodeid: str) -> None:
            until = time.process_time() + START_SECONDS + SLOWER * seconds[nodeid]
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(until), resource.RLIM_INFINITY))

    files = sorted({test.partition("::")[0] for test in tests})
    return int(pytest.main([*files, "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"], [Chosen()]))


def enter(tree: Path) -> None:
    """Make the copy the place that is imported from, and be silent."""
    os.chdir(tree)
    sys.dont_write_bytecode = False  # tests are compiled for the first mutant alone
    for name in [name for name, module in sys.modules.items() if name != "__main__" and _is_ours(module)]:
        del sys.modules[name]
    sys.path[:] = [str(tree), *(path for path in sys.path if path not in ("", str(ROOT)))]
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def _is_ours(module: object) -> bool:
    file = getattr(module, "__file__", None)
    return (
        bool(file)
        and Path(str(file)).is_relative_to(ROOT)
        and ".venv" not in str(file)
        and module is not sys.modules["__main__"]
    )


def in_child(work: Callable[[], Any]) -> Any:
    """What `work` returns in a process of its own; None where that was ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(work(), pipe)
            pipe.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None


if __name__ == "__main__":
    sys.exit(main())
