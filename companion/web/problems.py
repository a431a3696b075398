"""Error answers in the page's language: JSON below /api, a small page elsewhere."""

import errno
import sqlite3
import tempfile
from pathlib import Path

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from common.messages import InputError
from companion.cases.store import StoreFull
from companion.web.language import say

BY_STATUS = {
    400: "problem.request",
    403: "problem.door",
    404: "problem.not-found",
    405: "problem.request",
    413: "js.too-big",
    429: "problem.too-often",
    503: "problem.busy",
}


UNFIT = 422
"""The status for what a person gave and that does not fit."""


class Problem(InputError):
    """Something to tell the person, with its HTTP status."""

    def __init__(self, key: str, status: int = 400, /, **values: object) -> None:
        self.status = status
        super().__init__(key, **values)


def answer(key: str, status: int, **values: object) -> Response:
    """The answer that says it: JSON below /api, else a page."""
    sentence = say(key, **values)
    if request.path.startswith("/api/"):
        response = jsonify({"error": {"key": key, "message": sentence}})
    else:
        response = Response(render_template("problem.html", message=sentence, status=status))
    response.status_code = status
    return response


def init_app(app: Flask, folder: Path) -> None:
    """Answer every error of the app in words. `folder` is the data folder."""

    @app.errorhandler(InputError)
    def problem(error: InputError) -> Response:
        return answer(error.key, error.status if isinstance(error, Problem) else UNFIT, **error.values)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response | HTTPException:
        status = error.code or 500
        if status < 400:
            return error
        key = BY_STATUS.get(status, "problem.request" if status < 500 else "problem.inside")
        response = answer(key, status, most=app.config["MAX_CONTENT_LENGTH"] >> 20)
        if status == 405 and (allowed := error.get_response().headers.get("Allow")):
            response.headers["Allow"] = allowed
        return response

    @app.errorhandler(StoreFull)
    def full(error: StoreFull) -> Response:
        return answer("problem.full", 507)

    @app.errorhandler(sqlite3.Error)
    @app.errorhandler(OSError)
    def disk(error: Exception) -> Response:
        current_app.logger.error("could not read or write the data folder", exc_info=error)
        key, status = unkept(error, folder)
        return answer(key, status, folder=str(folder))

    @app.errorhandler(Exception)
    def inside(error: Exception) -> Response:
        current_app.logger.error(
            "an error of the companion itself: %s %s", request.method, request.path, exc_info=error
        )
        return answer("problem.inside", 500)


def unkept(error: Exception, folder: Path) -> tuple[str, int]:
    """Why the data folder did not take something, and the status for it."""
    if getattr(error, "sqlite_errorname", "").startswith("SQLITE_IOERR"):  # SQLite does not say why: try it
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(4096))
        except OSError as found:
            error = found
    number, name = getattr(error, "errno", None), getattr(error, "sqlite_errorname", "")
    if number in (errno.ENOSPC, errno.EDQUOT) or name.startswith("SQLITE_FULL"):
        return "problem.disk-full", 507
    if number in (errno.EROFS, errno.EACCES, errno.EPERM) or name.startswith("SQLITE_READONLY"):
        return "problem.read-only", 507
    return "problem.disk", 500
