"""Standard output for all commands, with its own error, so that a full disk is not blamed on an input file."""

from __future__ import annotations

import errno
import io
import os
import sys

Buffer = bytes | bytearray | memoryview


class OutputFailedError(Exception):
    """The output cannot be written: a full disk, a closed stream, a reader who went away. No `OSError` on purpose."""

    def __init__(self, error: OSError) -> None:
        self.error = error
        super().__init__(error.strerror or str(error))

    @property
    def reader_gone(self) -> bool:
        """Whether the other end of a pipe went away, which is no mistake of anybody's."""
        return isinstance(self.error, BrokenPipeError)


class Output(io.RawIOBase):
    """A file descriptor to write to, None where there is none. It fails once; what comes after that is swallowed."""

    def __init__(self, number: int | None) -> None:
        self.number = number
        self.failed = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self.number is None:
            raise io.UnsupportedOperation("fileno")
        return self.number

    def isatty(self) -> bool:
        return self.number is not None and os.isatty(self.number)

    def write(self, data: Buffer, /) -> int:  # type: ignore[override]
        if self.failed:
            return len(data)
        try:
            if self.number is None:
                raise OSError(errno.EBADF, "it is closed")
            return os.write(self.number, data)
        except OSError as error:
            self.failed = True
            raise OutputFailedError(error) from error


def prepare(needed: bool) -> None:
    """UTF-8 for what commands print, whatever the terminal; a failing standard output raises `OutputFailedError`.

    One that is closed from the start fails only where it is `needed`.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 -- it stays open; `print` would else take standard output
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout is None:
        sys.stdout = _text(Output(None), False) if needed else open(os.devnull, "w")  # noqa: SIM115
    elif isinstance(sys.stdout, io.TextIOWrapper):
        raw = getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
        if isinstance(raw, io.FileIO):
            sys.stdout.flush()
            at_once = sys.stdout.line_buffering or raw is sys.stdout.buffer  # a terminal, or `python -u`
            sys.stdout = _text(Output(raw.fileno()), at_once)


def _text(raw: Output, at_once: bool) -> io.TextIOWrapper:
    buffer = io.BufferedWriter(raw)  # type: ignore[type-var]
    return io.TextIOWrapper(buffer, "utf-8", "backslashreplace", line_buffering=at_once)
