"""Open photos and decks that came from outside in a process of its own, bounded in memory and seconds.

Decoders are where a file made by an enemy does harm. Here the worst that it does is to end the process, which the
next file starts anew. The process answers with lines of JSON, with bytes, and with pixels in memory that both hold:
never with pickled objects.
"""

import ctypes
import json
import math
import multiprocessing
import os
import signal
import sys
import threading
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from common.messages import InputError
from vision.errors import PhotoError
from vision.foreign import ForeignError
from vision.pages import MOST_PAGES, is_paged, pages
from vision.photo import LARGEST_PART, Photo, open_part, open_photo

MEMORY = 1024
"""Megabytes that decoding one photo may take, where the system can limit it: 60 megapixels of HEIC need 830."""
SECONDS = 20.0
"""A photo may take to be decoded, on a busy computer too: 60 megapixels take three on an idle one."""
STARTING = 60.0
"""Seconds in which the process is to be ready: it loads the decoders first."""
READY = b"ready"
WHOLE = LARGEST_PART * 3
"""Bytes of a decoded photo or of a part, at most: `open_photo` halves what is larger."""
PHOTO, PART, DECK, PAGES = "photo", "part", "deck", "pages"
"""What the process is asked for."""
MOST_SAID = 64 * 1024
"""Bytes of the line that it answers with."""
MOST_BYTES = 96 * 1024 * 1024
"""Bytes of each file that it makes anew."""
SPAWN = multiprocessing.get_context("spawn")
"""A forked process would take along the locks of threads that do not exist in it."""


class Decoder:
    """Opens files in its process, one at a time, from any thread. The process starts with the first one."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._seconds, self._memory = seconds, memory
        self._turn = threading.Lock()
        self._line: Connection | None = None
        self.process: Any = None
        self._room: Any = None

    def open(self, data: bytes) -> Photo:
        """As `vision.photo.open_photo`. Raises PhotoError, also where the photo takes too much memory or time."""
        image, scale = self._pixels(data, {"task": PHOTO})
        return Photo(image, scale, partial(self.part, data))

    def part(self, data: bytes, scale: int, box: tuple[int, int, int, int]) -> np.ndarray:
        """As `vision.photo.open_part`. Raises PhotoError, also where the photo takes too much memory or time."""
        return self._pixels(data, {"task": PART, "scale": scale, "box": box})[0]

    def pages(self, data: bytes) -> list[bytes]:
        """As `vision.pages.pages`. Raises PhotoError, also where the file takes too much memory or time."""
        if not is_paged(data):
            return [data]
        said = self._asked(data, {"task": PAGES}, self._died())
        if "key" in said:
            raise PhotoError(said["key"], **said["values"])
        made: list[bytes] = said["pages"]
        return made

    def deck(self, data: bytes) -> tuple[bytes, bytes]:
        """As `vision.cards.deck.made_anew`. Raises ForeignError, also where the deck takes too much memory or time."""
        said = self._asked(data, {"task": DECK}, ForeignError("foreign.too-costly"))
        if "key" in said:
            raise ForeignError(said["key"], **said["values"])
        text, pictures = said["deck"]
        return text, pictures

    def close(self) -> None:
        """End the process; the next file starts another."""
        if self._line is not None:
            self._line.close()
            self.process.kill()
            self.process.join()
            self._line = None

    def _pixels(self, data: bytes, what: dict[str, Any]) -> tuple[np.ndarray, int]:
        """The pixels that were asked for, and how much smaller than in the file. Raises PhotoError."""
        said = self._asked(data, what, self._died())
        if "key" in said:
            raise PhotoError(said["key"], **said["values"])
        return said["image"], said["scale"]

    def _died(self) -> PhotoError:
        return PhotoError("photo.too-costly", seconds=round(self._seconds), megabytes=self._memory)

    def _asked(self, data: bytes, what: dict[str, Any], died: InputError) -> dict[str, Any]:
        """What the process says to a file, with its pixels or bytes. Raises `died` where it cannot."""
        with self._turn:
            try:
                line = self._started()
                line.send_bytes(json.dumps(what).encode())
                line.send_bytes(data)
                if not line.poll(self._seconds):
                    raise TimeoutError
                said: dict[str, Any] = json.loads(line.recv_bytes(MOST_SAID))
                if "image" in said:
                    said["image"] = pixels(self._room, said["image"]).copy()
                if "deck" in said:
                    said["deck"] = [line.recv_bytes(MOST_BYTES) for _ in range(2)]
                if "pages" in said:
                    said["pages"] = [line.recv_bytes(MOST_BYTES) for _ in range(min(said["pages"], MOST_PAGES))]
            except (OSError, EOFError):
                self.close()
                raise died from None
            if what["task"] == DECK:
                self.close()  # a process keeps what memory it took, and the next file's would come on top
            return said

    def _started(self) -> Connection:
        if self._line is not None and self.process.is_alive():
            return self._line
        self.close()
        self._room = self._room or SPAWN.RawArray(ctypes.c_ubyte, WHOLE)
        self._line, its = SPAWN.Pipe()
        self.process = SPAWN.Process(target=serve, args=(its, self._room, self._memory), name="decoder", daemon=True)
        self.process.start()
        its.close()
        if not self._line.poll(STARTING) or self._line.recv_bytes() != READY:
            raise TimeoutError
        return self._line


def pixels(room: Any, shape: list[int] | tuple[int, ...]) -> np.ndarray:
    """An array in the memory that both processes hold."""
    return np.frombuffer(room, np.uint8, math.prod(shape)).reshape(shape)


def serve(line: Connection, room: Any, memory: int) -> None:
    """Open the photos that come along a line until it is closed, into `room`; `memory` are megabytes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the program that holds the line's other end
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what decoders mutter of broken photos is for nobody's terminal
    limit(memory)
    line.send_bytes(READY)
    with suppress(OSError, EOFError):
        while True:
            _answer(line, room, json.loads(line.recv_bytes()))


def _answer(line: Connection, room: Any, what: dict[str, Any]) -> None:
    more: tuple[bytes, ...] = ()
    try:
        if what["task"] == DECK:
            from vision.cards.deck import made_anew  # noqa: PLC0415 - most photos are of no deck

            more = made_anew(line.recv_bytes())
            said: dict[str, Any] = {"deck": len(more)}
        elif what["task"] == PAGES:
            more = tuple(pages(line.recv_bytes()))
            said = {"pages": len(more)}
        else:
            whole, data = what["task"] == PHOTO, line.recv_bytes()
            photo = open_photo(data) if whole else Photo(open_part(data, what["scale"], what["box"]), what["scale"])
            pixels(room, photo.image.shape)[:] = photo.image
            said = {"image": photo.image.shape, "scale": photo.scale}
    except InputError as error:
        said, more = error.to_json(), ()
    for part in (json.dumps(said).encode(), *more):
        line.send_bytes(part)


def limit(megabytes: int) -> None:
    """Let this process take so much memory more than it has now. Only Linux keeps such a promise."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - not on every system

        held = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
        most = held + megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


OUTSIDE = Decoder()
"""Opens the files of everybody who sends one to this program."""
