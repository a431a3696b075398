"""Read what a request brings: the one place where a body is taken, never more of it than is allowed."""

from io import BytesIO

from flask import request

from companion.web.problems import Problem

MAX_UPLOAD = 32 * 1024 * 1024
"""Bytes of a request at most: a 48-megapixel JPEG fits."""
MEGA = 1024 * 1024
PART = 256 * 1024
"""Bytes that are read at once."""
FIELD = "photo"
"""The field of a form that brings files."""


def body(most: int, otherwise: Problem | None = None) -> bytes:
    """The request's body, of so many bytes at most, whether or not its length was announced.

    Raises Problem where there is more: `otherwise`, where that is given.
    """
    announced = request.content_length
    wanted = most + 1 if announced is None else min(announced, most + 1)
    data = BytesIO()  # read at once, a body would be held three times
    while data.tell() < wanted and (part := request.stream.read(min(PART, wanted - data.tell()))):
        data.write(part)
    if data.tell() > most:
        raise otherwise or Problem("js.too-big", 413, most=most // MEGA)
    return data.getvalue()


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
