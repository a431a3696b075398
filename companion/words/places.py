"""The places of a table state in words: `/players/0/line/2` is "3rd gem of A".

A line of a score points at what it counted by JSON pointers. Here they are put together as a person would name them:
neighbors as a range, cells of a map as rectangles, all cards of a set as that set. What a field holds its sentence
tells by its gaps (`{colors}`, `{cells}`, `{letter}`, `{at}`); a field of sets has a sentence for their `cards`, too.
"""

from collections.abc import Iterable, Iterator, Sequence

from companion.words.words import Words

SET = 3
"""Cards of a set."""


def in_words(pointers: Iterable[str], names: Sequence[str], words: Words) -> str:
    """The places that these pointers name, in order; `names` are the players'. Each is named once."""
    by_field: dict[tuple[str, ...], list[list[str]]] = {}
    for pointer in dict.fromkeys(pointers):
        steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
        head = 3 if steps[0] == "players" else 1
        by_field.setdefault(tuple(steps[:head]), []).append(steps[head:])
    said = [text for field, rest in by_field.items() for text in _field(field, rest, names, words)]
    return words.term("place.comma").join(dict.fromkeys(said))


def _field(field: tuple[str, ...], rest: list[list[str]], names: Sequence[str], words: Words) -> Iterator[str]:
    """The words for some places in one field: `rest` are the further steps of each, none for the whole field."""
    if field[0] == "players" and len(field) == 1:
        yield words.term("place.players")
        return
    name = names[int(field[1])] if field[0] == "players" else ""
    place = f"place.{field[-1] if len(field) != 2 else 'player'}"
    inner = [steps for steps in rest if steps]
    if len(inner) < len(rest):
        whole = f"{place}.all"
        yield words.say(whole if whole in words else place, name=name)
    if not inner:
        return
    holds = {gap for _, gap, _ in words.gaps(place)}
    if "colors" in holds:
        yield words.say(place, name=name, colors=[steps[0] for steps in inner])
    elif "cells" in holds:
        cells = words.term("list.comma").join(_cells([(int(r), int(c)) for r, c in inner], words))
        yield words.say(place, name=name, cells=cells)
    elif "letter" in holds:
        yield from (words.say(place, letter=steps[0]) for steps in inner)
    elif f"{place}.cards" in words:
        yield from _sets(place, inner, name, words)
    elif inner[0][0].isdecimal():
        at = _numbers([int(steps[0]) for steps in inner], words)
        yield words.say(place, name=name, at=at)
    else:
        yield words.say(place, name=name)


def _sets(field: str, inner: list[list[str]], name: str, words: Words) -> Iterator[str]:
    """Sets of three: the set where all its cards are meant, else its cards."""
    whole: list[int] = []
    by_set: dict[int, list[int]] = {}
    for number, *card in inner:
        by_set.setdefault(int(number), []).extend(map(int, card))
    for place, cards in by_set.items():
        if len(cards) in (0, SET):
            whole.append(place)
        else:
            one, at = _numbers([place], words), _numbers(cards, words)
            yield words.say(f"{field}.cards", name=name, set=one, at=at)
    if whole:
        yield words.say(field, name=name, set=_numbers(whole, words))


def _numbers(places: list[int], words: Words) -> str:
    """Places counted from 0 as ordinal numbers, neighbors as a range."""
    said = []
    for first, last in _ranges(places):
        if first == last:
            said.append(words.say("place.nth", at=first + 1))
        else:
            said.append(words.say("place.nths", first=first + 1, last=last + 1))
    return words.term("list.comma").join(said)


def _ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Runs of neighboring numbers, as first and last."""
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def _cells(cells: list[tuple[int, int]], words: Words) -> Iterator[str]:
    """Cells, counted from 0, as rectangles: the columns of each row, and rows that have the same columns together."""
    by_row: dict[int, list[int]] = {}
    for row, column in sorted(set(cells)):
        by_row.setdefault(row, []).append(column)
    found: list[list[int]] = []
    for row, columns in by_row.items():
        for left, right in _ranges(columns):
            above = next((one for one in found if one[1:] == [row - 1, left, right]), None)
            if above:
                above[1] = row
            else:
                found.append([row, row, left, right])
    for first, last, left, right in found:
        rows, across = (_lines("rows", first, last, words), _lines("columns", left, right, words))
        yield words.say("place.cells", rows=rows, columns=across)


def _lines(key: str, first: int, last: int, words: Words) -> str:
    """Rows or columns from first to last, both counted from 0."""
    span = f"{first + 1}" if first == last else words.say("place.range", first=first + 1, last=last + 1)
    return words.say(f"place.{key}", n=last - first + 1, range=span)
