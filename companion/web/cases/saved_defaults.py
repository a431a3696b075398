"""What a game's cases take from the data folder: saved sheets, and what is the same in every game of the box."""

import json
from pathlib import Path
from typing import Any

from flask import current_app

from companion.cases.evaluate import problem
from companion.cases.store import write
from companion.demo import SHEET
from companion.games.entry import Game, Saved
from companion.games.in_the_ruin import COLS, ROWS
from companion.web.answers import found
from companion.web.language import language
from companion.web.problems import Problem
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet, sheet_list
from scoring import StateError
from vision.sheet.profile import SheetProfile


def kept(game: Game) -> dict[str, Any]:
    """What the page of a game starts from."""
    if game.table is None:
        sheets = [load_sheet(row["file"]) for row in sheet_list() if not row["broken"]]
        saved = [{"name": s.name, "letters": s.letters} for s in sheets if (s.rows, s.cols) == (ROWS, COLS)]
        return {"sheets": saved, "demo": SheetProfile.load(SHEET).letters}
    return {} if game.saved is None else {game.saved.key: _load(game.saved)}


def keep(game: Game, value: object) -> None:
    """Keep what is entered once for all cases. Raises Problem where the game has no such thing, or for bad values."""
    saved = found(game.saved)
    try:
        write(_file(saved), json.dumps(saved.check(value)).encode())
    except StateError as error:
        raise Problem("dispute.problem.saved", message=problem(error, None, language())["message"]) from None


def _load(saved: Saved) -> Any:
    """What was kept; None where nobody has entered it, or the file is broken."""
    try:
        return saved.check(json.loads(_file(saved).read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        current_app.logger.error("%s cannot be read", _file(saved), exc_info=error)
        return None


def _file(saved: Saved) -> Path:
    return services().store.folder / saved.file
