"""The report: one HTML file with every doubt, its picture and what was read, to be put right by keyboard."""

import base64
import json
import re
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from common.messages import Message
from common.whole_file import named
from companion.cli.batch.job import Job, Task, ask_about
from companion.cli.batch.pools import Pool, completed
from companion.cli.batch.results import CONTENT, Results, public
from companion.cli.batch.sheet_photos import doubtful_counts, doubtful_numbers, sheets_of
from companion.words.words import words

HERE = Path(__file__).parents[2]
TEMPLATES = next(folder for folder in (HERE / "templates", HERE.parent / "templates") if folder.is_dir())


def write_report(
    path: Path, pool: Pool, job: Job, tasks: Sequence[Task], results: Results, stop: threading.Event
) -> None:
    """Write the report of these photos: the most doubtful first, numbers last; then what could not be
    read, then the rest.

    The photos with doubts are opened once more, for the pictures; where `stop` is set before all are, nothing is
    written. Raises OSError.
    """
    say = words(job.language)
    lines = {task.photo: line for task in tasks if (line := results.answer(task.photo)) is not None}
    doubtful = (
        Task(task.photo, task.path, line=public(lines[task.photo]))
        for task in tasks
        if open_questions(lines.get(task.photo, {}))
    )
    contents = {photo: line.get(CONTENT, "")[:16] for photo, line in lines.items()}
    order: list[tuple[tuple[bool, float], int, int]] = []
    with tempfile.TemporaryFile() as kept:
        for task, asked in completed(pool, ask_about, job, doubtful, stop):
            if isinstance(asked, Message):
                lines[task.photo] = {"photo": task.photo, "error": say.told(asked)}
                continue
            for one in asked:
                picture = base64.b64encode(one.pop("crop")).decode()
                data = _script(
                    {
                        **one,
                        "photo": task.photo,
                        "content": contents[task.photo],
                        "crop": f"data:image/jpeg;base64,{picture}",
                    }
                )
                order.append((("choices" not in one, one["confidence"]), kept.seek(0, 2), kept.write(data)))
        if stop.is_set():
            return
        head, tail = _page(job, say.language).split("<!-- data -->")
        with named(path), path.open("w", encoding="utf-8") as out:
            out.write(head)
            for _, at, size in sorted(order):
                kept.seek(at)
                out.write(kept.read(size).decode())
            for line in sorted(lines.values(), key=lambda one: (-("error" in one), -open_questions(one))):
                known: dict[str, Any] = {key: line[key] for key in ("photo", "error") if key in line}
                out.write(_script({**known, "doubts": open_questions(line)}).decode())
            out.write(tail)


def open_questions(line: dict[str, Any]) -> int:
    """How much of a photo a person should look at, on all its sheets."""
    return sum(
        len(one.get("doubtful", ())) + len(doubtful_counts(one)) + len(doubtful_numbers(one)) for one in sheets_of(line)
    )


def _script(data: dict[str, Any]) -> bytes:
    """A value as an element of the page."""
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>\n'.encode("utf-8", "backslashreplace")


def _page(job: Job, language: str) -> str:
    """The page without its data: markup, style and script are one file."""
    static = TEMPLATES / "static"
    say = words(language)
    said = {key.removeprefix("js."): text for key, text in say.starting("js.report.", "language.")}
    parts = {
        "language": language,
        "kind": job.kind,
        "title": say.term("report.title"),
        "style": (static / "css" / "report.css").read_text("utf-8"),
        "script": _whole(static / "js" / "report.js"),
        "words": json.dumps(said, ensure_ascii=False).replace("<", "\\u003c"),
    }
    page = (TEMPLATES / "pages" / "report.html").read_text("utf-8")
    for name, text in parts.items():
        page = page.replace(f"[[{name}]]", text)
    return page


def _whole(module: Path) -> str:
    """A script's module with what it imports in the import's place."""

    def imported(line: re.Match[str]) -> str:
        return re.sub(r"^export ", "", _whole(module.parent / line[1]), flags=re.MULTILINE)

    return re.sub(r'^import .*? from "(.+?)";$', imported, module.read_text("utf-8"), flags=re.MULTILINE)
