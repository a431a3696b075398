"""Sheet profiles in the data folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from companion.cases.store import SHEET_NAME, SHEET_PICTURES, SheetNameError, write
from companion.games.in_the_ruin import COLS, ROWS
from companion.web.language import unusable
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
    out: list[dict[str, Any]] = []
    for name in services().store.sheet_names():
        try:
            profile = _load(name)
        except (ProfileError, SheetNameError, OSError) as error:
            out.append({"file": name, "name": name, "broken": unusable(error)})
        else:
            out.append({"file": name, "name": profile.name, "letters": len(profile.letters), "broken": None})
        out[-1]["deletable"] = SHEET_NAME.fullmatch(name) is not None
    return out


def save_sheet(profile: SheetProfile, made: Mapping[str, bytes], file: str | None = None) -> tuple[str, dict[str, str]]:
    """Keep a profile with pictures of its `blank` sheet and whole `page` (PNG); those that it names already stay.

    Returns the name it is kept by, `file` where one is to be replaced, and the names of the pictures that were kept.
    """
    store = services().store
    name = file or _free_name(profile.name)
    path = store.sheet_file(name)
    files = {kind: f"{name}{SHEET_PICTURES[kind]}" for kind in made}
    for kind, png in made.items():
        write(path.with_name(files[kind]), png)
    write(path, json.dumps({**profile.to_json(), **files}, ensure_ascii=False).encode())
    return name, files


def _load(name: str) -> SheetProfile:
    profile = SheetProfile.load(services().store.sheet_file(name))
    if (profile.rows, profile.cols) != (ROWS, COLS):
        got = f"{profile.rows} × {profile.cols}"
        raise ProfileError("rows, cols", "profile.size", got, rows=ROWS, cols=COLS)
    return profile


def _free_name(title: str) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:32] or "sheet"
    taken = set(services().store.sheet_names())
    return stem if stem not in taken else next(n for i in range(2, 10_000) if (n := f"{stem}-{i}") not in taken)
