"""A photo that came to a play is read by the pipeline and kept; the play's other photos are judged again beside it."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from companion.cases.store import write
from companion.demo import FILLED, SHEET
from companion.games.in_the_ruin.play import Play, Sheet
from companion.reading import pictures
from companion.reading.pipeline import (
    KEEPING,
    READING,
    AnySheet,
    Eyes,
    SeenSheet,
    UnseenSheet,
    first_seen,
    judged_together,
    see_all,
    see_sheet,
)
from companion.web.services import services
from vision.errors import PhotoError
from vision.photo import Photo
from vision.sheet.diagnose import is_bare
from vision.sheet.packed import packed, unpacked
from vision.sheet.page import known_page
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import SheetReading
from vision.sheet.registration import printed_page

Made = tuple[dict[str, Any], SheetReading | None]
"""The edit that a sheet's photo gives, and its reading; None where it could not be read."""


NO_SHEET = ("sheet.no-grid", "sheet.unseen", "photo.bright", "photo.flat")
"""Why a page is none of the sheets."""


@lru_cache(maxsize=16)
def expecting(eyes: Eyes, profile: SheetProfile) -> Future[None]:
    """Load what reading takes (decoder, networks, the enrolled page) while nobody waits for it: a photo of this sheet
    is about to come. Done once, what all sheets take for the first of them."""

    def load() -> None:
        known_page(profile)
        printed_page(profile)
        _load_networks(eyes)

    return READING.submit(load)


@lru_cache(maxsize=1)
def _load_networks(eyes: Eyes) -> None:
    """Read the demo's sheet, for which all of them are loaded."""
    with suppress(PhotoError):
        see_sheet(FILLED[0].read_bytes(), SheetProfile.load(SHEET), eyes=eyes)


def read_file(play_id: str, data: bytes, profile: SheetProfile) -> tuple[list[Made], list[int]]:
    """Read a photo, or the pages of a file like so many photos: what each sheet gives, those that were read first.

    Of several pages, a bare one (a scanner's cover) gives nothing; one that shows no grid (a printed cover, or a title
    alone) gives nothing beside others that were read: its number, from 1, is returned. Raises PhotoError where it is no
    photo.
    """
    pages = dict(enumerate(services().eyes.pages(data), 1))
    if len(pages) > 1:
        shown = {n: page for n, page in pages.items() if not is_bare(services().eyes.load(page).image)}
        pages = shown or {1: pages[1]}
    made = {n: _read_photo(play_id, page, profile) for n, page in pages.items()}
    covers = [n for n, ((edit, reading), *_) in made.items() if reading is None and edit["key"] in NO_SHEET]
    if len(covers) == len(made):
        covers = []
    for n in covers:
        services().store.drop_photo(made.pop(n)[0][0]["photo"])
    return sorted((one for page in made.values() for one in page), key=lambda one: one[1] is None), covers


def _read_photo(play_id: str, data: bytes, profile: SheetProfile) -> list[Made]:
    """Read a photo, and keep it meanwhile: what each of its sheets gives.

    The first one has the whole photo, each of the others the part around it. A photo that shows no sheet is kept too:
    a person may show the corners. Raises PhotoError where it is no photo at all.
    """
    store = services().store
    opened: list[Photo] = []
    keeping: list[Future[tuple[str, list[int], float]]] = []

    def keep(photo: Photo) -> None:
        opened.append(photo)
        keeping.append(KEEPING.submit(lambda: pictures.keep(store, photo.image)))

    try:
        sheets = see_all(data, profile, services().eyes, keep)
    except PhotoError as error:
        if not keeping:
            raise
        kept, size, _ = keeping[0].result()
        return [({"kind": "failed", **error.to_json(), "photo": kept, "size": size}, None)]
    kept, size, scale = keeping[0].result()
    first = first_seen(sheets)
    made: list[Made] = [(_edit(play_id, profile, first, kept, size, scale), first.reading)]
    others = [one for one in sheets if one is not first]
    for one in sorted(others, key=lambda one: isinstance(one, UnseenSheet)):
        made.append(_part(play_id, opened[0].image, one, profile))
    return made


def _part(play_id: str, image: np.ndarray, sheet: AnySheet, profile: SheetProfile) -> Made:
    """What one of several sheets in a photo gives, with the part of the photo around it."""
    lattice = sheet.lattice if isinstance(sheet, UnseenSheet) else sheet.reading.lattice
    picture, corner = pictures.around(image, lattice, profile)
    kept, size, scale = pictures.keep(services().store, picture)
    if isinstance(sheet, UnseenSheet):
        return {"kind": "failed", **sheet.error.to_json(), "photo": kept, "size": size}, None
    there = replace(sheet, reading=replace(sheet.reading, lattice=lattice - corner))
    return _edit(play_id, profile, there, kept, size, scale), sheet.reading


def read_corners(
    play_id: str, kept: str, profile: SheetProfile, grid: np.ndarray
) -> tuple[dict[str, Any], SheetReading]:
    """Read a kept photo by its grid's corners, which a person showed. Raises PhotoError."""
    sizes: list[list[int]] = []
    data = (services().store.photos / f"{kept}.jpg").read_bytes()
    seen = see_sheet(data, profile, grid, services().eyes, lambda photo: sizes.append(list(photo.image.shape[1::-1])))
    edit = _edit(play_id, profile, seen, kept, sizes[0], 1.0)
    return {**edit, "reading": {**edit["reading"], "by_corners": True}}, seen.reading


def _edit(
    play_id: str, profile: SheetProfile, seen: SeenSheet, kept: str, size: list[int], scale: float
) -> dict[str, Any]:
    """A reading as an edit; what its letters are judged again by lies beside its photo."""
    reading = pictures.kept_reading(seen.reading, scale, profile, pictures.view_name(kept, play_id))
    if (letters := packed(seen.reading)) is not None:
        write(services().store.letters_file(kept), letters)
    return {"kind": "read", "reading": reading, "photo": kept, "size": size}


def judged_beside(
    play: Play, made: dict[str, Any], reading: SheetReading, place: tuple[str, str], profile: SheetProfile
) -> list[dict[str, Any]]:
    """The edit `made` with its letters judged beside those of the play's other photos, then what changes on these.

    `place`: the player and stage that the photo is for; what it takes the place of does not count.
    """
    others = [
        (player, stage, sheet, there) for player, stage, sheet, there in _others(play) if (player, stage) != place
    ]
    now, *again = judged_together([reading, *(there for *_, there in others)], profile)
    edits = [{**made, "reading": {**made["reading"], **now.letters_json()}}]
    for (player, stage, sheet, _), judged in zip(others, again, strict=True):
        new, known = judged.letters_json(), sheet.reading or {}
        if any(known.get(key) != value for key, value in new.items()):
            edits.append(
                {"kind": "judged-again", "player": player, "stage": stage, "photo": sheet.photo, "reading": new}
            )
    return edits


def _others(play: Play) -> Iterator[tuple[str, str, Sheet, SheetReading]]:
    """The sheets of a play whose letters can be judged again: player, stage, sheet, what was kept of its photo."""
    for player in play.players:
        for stage, sheet in player.sheets.items():
            file = services().store.letters_file(sheet.photo) if sheet.photo and sheet.reading else None
            if file and file.is_file() and (reading := unpacked(file.read_bytes())):
                yield player.id, stage, sheet, reading
