"""Sheet profiles in the data folder."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from common.file_kind import marked
from companion.cases.store import SHEET_NAME, SHEET_PICTURES, SheetNameError, free_name, write
from companion.games.in_the_ruin import COLS, ROWS
from companion.web.language import saved_files
from companion.web.problems import Problem
from companion.web.services import services
from vision.sheet.profile import ProfileError, SheetProfile


def load_sheet(name: str) -> SheetProfile:
    """A saved profile. Raises Problem where it is gone or broken."""
    try:
        return _load(name)
    except FileNotFoundError:
        raise Problem("problem.sheet-gone", 409, name=name) from None
    except (ProfileError, SheetNameError) as error:
        raise Problem("problem.sheet-broken", 409, name=name, reason=error) from None


def sheet_list() -> list[dict[str, Any]]:
    """Saved profiles for the page, newest first; a broken one says so."""

    def shown(file: str) -> dict[str, Any]:
        profile = _load(file)
        return {"name": profile.name, "letters": len(profile.letters)}

    rows = saved_files(services().store.sheet_names(), shown)
    return [{**row, "deletable": SHEET_NAME.fullmatch(row["file"]) is not None} for row in rows]


def free_title(title: str, file: str | None = None) -> str:
    """A sheet's name that no other saved sheet has: the title, else with a number; `file` is the sheet's own."""
    taken = other_titles(file)
    return title if title not in taken else next(n for i in range(2, 10_000) if (n := f"{title} {i}") not in taken)


def other_titles(file: str | None = None) -> list[str]:
    """The names of the saved sheets, but for the one in this file."""
    return [str(row["name"]) for row in sheet_list() if row["file"] != file]


def save_sheet(profile: SheetProfile, made: Mapping[str, bytes], file: str | None = None) -> tuple[str, dict[str, str]]:
    """Keep a profile with pictures of its `blank` sheet and whole `page` (PNG); those that it names already stay.

    A title that another sheet has gets a number. Returns the name it is kept by, `file` where one is to be replaced,
    and the names of the pictures that were kept.
    """
    store = services().store
    profile = replace(profile, name=free_title(profile.name, file))
    name = file or free_name(profile.name, store.sheet_names(), "sheet")
    path = store.sheet_file(name)
    files = {kind: f"{name}{SHEET_PICTURES[kind]}" for kind in made}
    for kind, png in made.items():
        write(path.with_name(files[kind]), png)
    write(path, json.dumps(marked("sheet", {**profile.to_json(), **files}), ensure_ascii=False).encode())
    return name, files


def _load(name: str) -> SheetProfile:
    profile = SheetProfile.load(services().store.sheet_file(name))
    if (profile.rows, profile.cols) != (ROWS, COLS):
        got = f"{profile.rows} × {profile.cols}"
        raise ProfileError("rows, cols", "profile.size", got, rows=ROWS, cols=COLS)
    return profile
