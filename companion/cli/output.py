"""Standard output for all commands, with its own error, so that a full disk is not blamed on an input file."""

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


class Output(io.FileIO):
    """A file descriptor to write to, None where there is none. It fails once; what comes after that is swallowed."""

    def __init__(self, number: int | None) -> None:
        super().__init__(os.open(os.devnull, os.O_WRONLY) if number is None else number, "w", closefd=False)
        self.there, self.failed = number is not None, False

    def write(self, data: Buffer, /) -> int:  # type: ignore[override]
        if self.failed:
            return len(data)
        try:
            if not self.there:
                raise OSError(errno.EBADF, "it is closed")
            if (written := super().write(data)) is None:  # a pipe that does not wait, and is full
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            return written
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
