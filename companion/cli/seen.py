"""Print a table's reading as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from companion.words.text import one_line
from companion.words.words import Words, words
from vision.table.reading import Card, Problem, TableReading


def seen_lines(language: str, reading: TableReading, problems: Iterable[Problem]) -> list[str]:
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
