"""Reading one photo in a process of its own: what that process is told, and what it answers."""

import hashlib
import importlib
import os
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np

from common.messages import Message, why
from companion.cli.annotated import save_picture
from companion.cli.batch.photos import is_folder_or_pattern
from companion.photo_files import PHOTOS, photo_bytes
from companion.words.words import Words, words
from vision.errors import PhotoError

Out = TypeVar("Out")


@dataclass(frozen=True)
class Job:
    """What is read from every photo; each process loads the profile once."""

    kind: str  # the command, `sheet` or `table`: `companion.cli.batch.KIND_photos.photo_reader` makes the reader
    profile: str  # the profile's absolute path
    language: str  # of the errors


@dataclass(frozen=True)
class Task:
    """A photo: its path as given, where it lies, and where the drawn one goes, absolute; `line`: what was read."""

    photo: str
    path: str
    draw: str | None = None
    line: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Read:
    """What came of a photo: the public JSON object, its lines for people, and its bytes' hash (empty: not read)."""

    answer: dict[str, Any]
    lines: list[str]
    content: str


class PhotoReader(Protocol):
    """Reads photos of one kind with one profile."""

    def read(self, photo: str, data: bytes) -> tuple[dict[str, Any], list[str], Callable[[], np.ndarray]]:
        """The public JSON object, lines for people, and what draws the reading. Raises PhotoError."""

    def questions(self, line: dict[str, Any], data: bytes) -> list[dict[str, Any]]:
        """What a person should look at: `at`, `read`, `confidence`, `choices` (none: a number is typed), `crop`
        ((h, w, 3) BGR)."""


def read_photo(job: Job, task: Task) -> Read:
    """Read one photo in a process of its own."""
    return read_one(_reader(job), task, words(job.language))


def read_one(reader: PhotoReader, task: Task, say: Words) -> Read:
    """Read one photo; what is wrong with it is part of the answer. Raises OSError where it cannot be drawn."""
    content = ""
    try:
        data = photo_bytes(task.path)
        content = content_of(data)
        answer, lines, drawn = reader.read(task.photo, data)
    except (PhotoError, OSError) as error:
        none = PhotoError("batch.no-photos", kinds=PHOTOS) if is_folder_or_pattern(task.path) else None
        return unread(task.photo, none or error, say, content)
    if task.draw:
        save_picture(Path(task.draw), drawn())
    return Read(answer, lines, content)


def unread(photo: str, error: Message | PhotoError | OSError, say: Words, content: str = "") -> Read:
    """What is said of a photo that could not be read."""
    told = say.say("photo.no-file", reason=why(error)) if isinstance(error, OSError) else say.told(error)
    return Read({"photo": photo, "error": told}, [], content)


def ask_about(job: Job, task: Task) -> list[dict[str, Any]]:
    """What a person should look at on a photo that was read, each with its crop as a JPEG's bytes."""
    questions = _reader(job).questions(task.line, photo_bytes(task.path))
    return [{**one, "crop": cv2.imencode(".jpg", one["crop"])[1].tobytes()} for one in questions]


def guarded(run: Callable[[Job, Task], Out], job: Job, task: Task) -> Out | Message:
    """What a task gives; an error becomes a message, since not every error can be sent."""
    try:
        return run(job, task)
    except OSError as error:
        return Message("file.of", {"file": error.filename or task.path, "why": why(error)})
    except Exception as error:
        return unforeseen(error)


def unforeseen(error: Exception) -> Message:
    """What nobody foresaw, and where in the program it arose."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(at.filename).name}:{at.lineno}"
    return Message("batch.failed", {"error": f"{type(error).__name__}: {error}", "place": place})


def content_of(data: bytes) -> str:
    """The hash by which a photo is known again, whatever its name."""
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=2)
def _reader(job: Job) -> PhotoReader:
    """Load the profile, and keep OpenCV to one thread: there is a process for every core."""
    cv2.setNumThreads(1)
    made: PhotoReader = importlib.import_module(f"companion.cli.batch.{job.kind}_photos").photo_reader(
        job.profile, job.language
    )
    return made


def end_with_parent() -> None:
    """Let the parent alone decide about an interrupt, and end where it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
