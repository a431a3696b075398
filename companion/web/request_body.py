"""Read what a request brings: the one place where a body is taken, never more of it than is allowed."""

from flask import request

from companion.web.problems import Problem

MAX_UPLOAD = 32 * 1024 * 1024
"""Bytes of a request at most: a 48-megapixel JPEG fits."""
MEGA = 1024 * 1024
FIELD = "photo"
"""The field of a form that brings files."""


def body(most: int, otherwise: Problem | None = None) -> bytes:
    """The request's body, of so many bytes at most, whether or not its length was announced.

    Raises Problem where there is more: `otherwise`, where that is given.
    """
    data = request.stream.read(most + 1)
    if len(data) > most:
        raise otherwise or Problem("js.too-big", 413, most=most // MEGA)
    return data


def brought_files() -> list[bytes]:
    """The files that this request brings: the fields `photo` of a form, or its body. Raises Problem."""
    if request.mimetype == "multipart/form-data":
        return [file.read() for file in request.files.getlist(FIELD)] or [b""]
    return [body(MAX_UPLOAD)]


def brought_file() -> bytes:
    """The one file that this request brings. Raises Problem."""
    brought = brought_files()
    if len(brought) != 1:
        raise Problem("problem.one-photo", 400)
    return brought[0]
