"""What was read from a photo, as JSON and as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from companion.words.text import one_line
from companion.words.words import Words, words

if TYPE_CHECKING:
    from common.messages import Message
    from companion.reading.pipeline import AnySheet, SeenSheet
    from vision.sheet.profile import SheetProfile
    from vision.table.reading import Card, TableReading


def photo_answer(path: str, sheets: Sequence[AnySheet], profile: SheetProfile, said: Words) -> dict[str, Any]:
    """A photo's public JSON object, in the file's pixels: of its first sheet that was read; where it shows several, all
    of them are in `sheets`."""
    from companion.reading.pipeline import SeenSheet  # noqa: PLC0415

    every = [
        _sheet_answer(path, one, profile)
        if isinstance(one, SeenSheet)
        else {"photo": path, "grid": _corners(one), "error": said.told(one.error)}
        for one in sheets
    ]
    first = next(one for one in every if "error" not in one)
    listed = [{key: value for key, value in one.items() if key != "photo"} for one in every]
    return {**first, "sheets": listed} if len(every) > 1 else first


def _corners(sheet: AnySheet) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in sheet.grid]


def _sheet_answer(path: str, seen: SeenSheet, profile: SheetProfile) -> dict[str, Any]:
    from companion.cases.sheet import matters, read_marks, sheet_player, sheet_state  # noqa: PLC0415

    reading = seen.reading
    state = sheet_state(profile.letters, [sheet_player(path, read_marks(reading), ticks=reading.ticks)])
    return {**reading.to_json(path), "grid": _corners(seen), "matters": matters(reading, state)}


def photo_lines(path: str, answer: dict[str, Any], said: Words) -> list[str]:
    """What was read from a photo, sheet by sheet, `?` behind what is doubtful."""
    sheets = answer.get("sheets", [answer])
    names = [path] if len(sheets) == 1 else [said.say("sheet.nth", file=path, n=k + 1) for k in range(len(sheets))]
    return [
        said.say("file.of", file=name, why=one["error"]) if "error" in one else _sheet_lines(name, one, said)
        for name, one in zip(names, sheets, strict=True)
    ]


def _sheet_lines(path: str, answer: dict[str, Any], said: Words) -> str:
    doubtful = {tuple(c) for c in answer["doubtful"]}
    lines = [path]
    for r, row in enumerate(answer["map"]):
        lines.append("  " + "".join(f"{kind}{'?' if (r, c) in doubtful else ' '}" for c, kind in enumerate(row)))
    ticks = "  ".join(f"{k} {v}" for k, v in answer["ticks"].items())
    found = {"destinations": " ".join(answer["destinations"]) or "-", "gates": answer["gates"] or "-"}
    lines.append(f"  {said.say('sheet.found', **found, ticks=ticks)}")
    return "\n".join(lines)


def seen_lines(language: str, reading: TableReading, problems: Iterable[Message]) -> list[str]:
    """The tiles row by row (`?`: doubtful), the cards, and what a person should know."""
    say = words(language)
    rows: dict[tuple[str | None, int], list[str]] = {}
    for tile in reading.tiles:
        rows.setdefault((tile.zone, tile.row or 0), []).append(say.term(f"color.{tile.color}") + "?" * tile.doubtful)
    lines = []
    for (zone, _), colors in rows.items():
        name = say.area(zone)
        lines.append(f"  {name}: {' '.join(colors)}")
    cards = [_card(say, card) for card in reading.cards]
    if cards:
        lines.append("  " + say.say("watch.cards", cards=cards))
    return lines + [f"  ! {one_line(say.told(p))}" for p in problems]


def _card(say: Words, card: Card) -> str:
    if card.card is None:
        return say.say("watch.unknown-card", marker=card.name)
    if card.marker is None:
        return card.name + "?" * card.doubtful
    return " ".join(str(value) for value in card.card.values())
