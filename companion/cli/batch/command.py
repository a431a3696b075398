"""`sheet read` and `table read` of many photos: the arguments, and the run from the first photo to the report."""

import argparse
import hashlib
import json
import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from common.messages import Message
from companion.cli.annotated import drawn_files
from companion.cli.batch.job import Job, Read, Task, content_of, read_photo, unread
from companion.cli.batch.photos import is_folder_or_pattern, photos_of
from companion.cli.batch.pools import Cluster, Pool, Processes, completed
from companion.cli.batch.results import Results, public
from companion.cli.common import UNREAD, check_outputs, complain, refused, whole
from companion.photo_files import photo_bytes
from companion.words.words import Words, words
from vision.errors import PhotoError
from vision.photo import CORES

MOST_PROCESSES = 256
TOGETHER = 64
"""Photos named one by one that are looked at together; of more, each is read by itself."""
QUIET = 10.0
"""Seconds between two lines of progress where nobody sits before it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Photos, folders, patterns, and what many of them ask for."""
    parser.add_argument("photos", metavar="PHOTO", nargs="+", help="photos, folders, patterns such as 'evening/**'")
    parser.add_argument("--json", action="store_true", help="one JSON object a photo, one a line")
    parser.add_argument("--annotate", metavar="DIR", help="write each photo with what was read drawn over it")
    many = parser.add_argument_group("many photos", "each is read by itself, on all cores")
    many.add_argument(
        "--out", metavar="FILE.jsonl", help="write the JSON lines there; what is there already is not read again"
    )
    many.add_argument("--report", metavar="FILE.html", help="a page with all doubts, to be put right by keyboard")
    many.add_argument("--truth", metavar="FILE.json", help="what is known to be right, as the report saves it")
    many.add_argument(
        "--jobs", type=whole(1, MOST_PROCESSES), metavar="N", help=f"processes (default: one a core, {CORES})"
    )
    many.add_argument(
        "--dask", type=_address, metavar="ADDRESS", help="read on this Dask cluster, such as tcp://192.168.1.5:8786"
    )


def _address(text: str) -> str:
    if not re.fullmatch(r"(\w+://)?[^/\s]+:\d{1,5}", text, re.ASCII):
        raise refused("argument.dask", got=text)
    return text


def is_batch(args: argparse.Namespace) -> bool:
    """Whether photos are many: named by folder or pattern, by an option of many photos, or just many."""
    asked = any((args.out, args.report, args.truth, args.jobs, args.dask))
    return asked or len(args.photos) > TOGETHER or any(map(is_folder_or_pattern, args.photos))


def run(args: argparse.Namespace, kind: str, profile: str, files: Sequence[Path]) -> int:
    """Read them all. Returns 0, or 1 where a photo could not be read.

    Args:
        args: as `add_arguments` makes them.
        kind, profile: of the `Job`.
        files: all files that make the profile, itself first; folders and patterns do not mean them.

    Raises InputError, OSError, and KeyboardInterrupt once what was under way is kept.
    """
    from companion.cli.batch.accuracy import accuracy, load_truth  # noqa: PLC0415
    from companion.cli.batch.report import write_report  # noqa: PLC0415

    say = words(args.lang)
    truth = load_truth(Path(args.truth)) if args.truth else None
    photos = photos_of(args.photos, [*files, *map(Path, filter(None, [args.annotate]))])
    check_outputs([("out", args.out), ("report", args.report)], [*photos, *files, args.truth])
    tasks = tasks_of(args, photos, files)
    job = Job(kind, os.path.abspath(profile), args.lang)
    with ExitStack() as stack:
        stop = stack.enter_context(_stoppable())
        results = None
        if args.out or args.report or args.truth:
            out = Path(args.out or stack.enter_context(tempfile.TemporaryDirectory()), *([] if args.out else ["lines"]))
            results = Results(out, _hash(files))
            stack.callback(results.close)
        pool: Pool = Cluster(args.dask) if args.dask else Processes(min(args.jobs or CORES, len(photos)))
        stack.callback(pool.close)
        show = _printed(args) if not args.out else lambda read: None
        errors = _read_all(pool, job, tasks, results, show, stop, say)
        if results is not None and not stop.is_set():
            if truth is not None:
                lines = (line for photo in photos if (line := results.answer(photo)))
                for figure in accuracy(kind, lines, truth):
                    print(f"  {say.told(figure)}", file=sys.stderr)
            if args.report:
                write_report(Path(args.report), pool, job, tasks, results, stop)
        if stop.is_set():
            if args.out:
                complain(say.say("batch.interrupted", file=args.out), UNREAD)
            raise KeyboardInterrupt
    return UNREAD if errors else 0


def tasks_of(args: argparse.Namespace, photos: Sequence[str], files: Sequence[Path] = ()) -> list[Task]:
    """Each photo with where it goes drawn. Raises as `drawn_files`."""
    drawn = zip(photos, drawn_files(args.annotate, photos, files), strict=True)
    return [Task(photo, os.path.abspath(photo), os.path.abspath(file) if file else None) for photo, file in drawn]


def show_all(args: argparse.Namespace, reads: Iterable[Read]) -> int:
    """Print a few readings as they come. Returns 0, or 1 where a photo could not be read."""
    show, status = _printed(args), 0
    for read in reads:
        show(read)
        status = UNREAD if "error" in read.answer else status
    return status


def _read_all(
    pool: Pool,
    job: Job,
    tasks: Sequence[Task],
    results: Results | None,
    show: Callable[[Read], None],
    stop: threading.Event,
    say: Words,
) -> int:
    """Read what has not been read; returns how many photos gave an error. `show` is given each, in order."""
    from tqdm import tqdm  # noqa: PLC0415 - who reads one photo must not wait for it

    errors = known = done = turn = 0
    waiting: dict[str, Read] = {}
    bar = tqdm(
        total=len(tasks),
        desc=say.term("batch.photos"),
        file=sys.stderr,
        dynamic_ncols=True,
        mininterval=0.1 if sys.stderr.isatty() else QUIET,
        disable=results is None and sys.stdout.isatty(),
    )

    def left() -> Iterator[Task]:
        nonlocal known, errors
        for task in tasks:
            before = _known(results, task) if results is not None else None
            if before is None:
                yield task
                continue
            known += 1
            errors += "error" in before
            bar.update()
            waiting[task.photo] = Read(public(before), [], "")

    with bar:
        for task, what in completed(pool, read_photo, job, left(), stop):
            read = unread(task.photo, what, say) if isinstance(what, Message) else what
            done += 1
            errors += "error" in read.answer
            if results is not None:
                results.add(read.answer, read.content)
            waiting[task.photo] = read
            while turn < len(tasks) and tasks[turn].photo in waiting:
                show(waiting.pop(tasks[turn].photo))
                turn += 1
            bar.update()
        for task in tasks[turn:]:
            if task.photo in waiting:
                show(waiting.pop(task.photo))
    print(say.say("batch.done", n=len(tasks), read=done, known=known, errors=errors), file=sys.stderr)
    return errors


def _known(results: Results, task: Task) -> dict[str, Any] | None:
    """What was read from this photo before, or from another with the same bytes."""
    if not len(results):
        return None
    try:
        content = content_of(photo_bytes(task.path))
    except (OSError, PhotoError):
        return None
    if not results.holds(task.photo, content):
        same = results.same(task.photo, content)
        if same is None:
            return None
        results.add(same, content)
    return results.answer(task.photo)


def _printed(args: argparse.Namespace) -> Callable[[Read], None]:
    """What shows a reading on standard output."""

    def show(read: Read) -> None:
        if args.json:
            print(json.dumps(read.answer, ensure_ascii=False), flush=True)
        elif "error" in read.answer:
            from tqdm import tqdm  # noqa: PLC0415

            tqdm.write(f"{read.answer['photo']}: {read.answer['error']}", file=sys.stderr)
        else:
            print("\n".join(read.lines), flush=True)

    return show


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Set where somebody wants to stop: what is under way ends first; who asks twice does not wait."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def asked(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _hash(files: Sequence[Path]) -> str:
    """What tells one profile from another: the bytes of all its files."""
    hashes = [content_of(path.read_bytes()) for path in files if path.is_file()]
    return hashlib.sha256(" ".join(hashes).encode()).hexdigest()[:16]
