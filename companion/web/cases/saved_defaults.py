"""What a game's cases take from the data folder: saved sheets, and help cards that were entered once."""

from __future__ import annotations

import json
from typing import Any

from flask import current_app

from companion.cases.store import write
from companion.demo import SHEET
from companion.games.in_the_ruin import COLS, ROWS
from companion.web.problems import Problem
from companion.web.services import services
from companion.web.sheets.profiles import load_sheet, sheet_list
from scoring import StateError
from scoring.fields import an_object, count, known
from scoring.igna import POINTS_KEYS
from vision.sheet.profile import SheetProfile

MOST_POINTS = 99


def kept(game: str) -> dict[str, Any]:
    """What the page of a game starts from."""
    if game == "igna":
        return {"points": help_card()}
    if game == "in-the-ruin":
        sheets = [load_sheet(row["file"]) for row in sheet_list() if not row["broken"]]
        saved = [{"name": s.name, "letters": s.letters} for s in sheets if (s.rows, s.cols) == (ROWS, COLS)]
        return {"sheets": saved, "demo": SheetProfile.load(SHEET).letters}
    return {}


def help_card() -> dict[str, int] | None:
    """The values of Igna's help card; None where nobody has entered them, or the file is broken."""
    try:
        return checked(json.loads(_file().read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        current_app.logger.error("%s cannot be read", _file(), exc_info=error)
        return None


def keep_help_card(values: object) -> None:
    """Keep the values of Igna's help card. Raises Problem for anything else."""
    try:
        write(_file(), json.dumps(checked(values)).encode())
    except StateError:
        raise Problem("dispute.problem.help-card", most=MOST_POINTS) from None


def checked(values: object) -> dict[str, int]:
    """The values, each a count. Raises StateError (a ValueError)."""
    fields = an_object(values, "")
    known(fields, POINTS_KEYS, "")
    return {key: count(fields, key, "", MOST_POINTS) for key in fields}


def _file() -> Any:
    return services().store.folder / "igna-help-card.json"
