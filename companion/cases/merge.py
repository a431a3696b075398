"""Put together what two devices changed of one JSON value: what each changed counts, down to a single card."""

from collections.abc import Mapping
from typing import Any

NOTHING = object()
"""Stands for a field that is not there."""


def merged(before: Any, mine: Any, theirs: Any) -> Any:
    """`theirs` with all that `mine` has otherwise than `before`, from which both began; where both changed the same,
    `mine`."""
    if mine == before:
        return theirs
    if theirs == before:
        return mine
    values: tuple[Any, ...] = (before, mine, theirs)
    if all(isinstance(one, list) for one in values):
        return _rows(before, mine, theirs)
    return _fields(before, mine, theirs) if all(isinstance(one, Mapping) for one in values) else mine


def _fields(before: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(theirs)
    for key in dict.fromkeys((*before, *mine)):
        was, now = before.get(key, NOTHING), mine.get(key, NOTHING)
        if was == now:
            continue
        if theirs.get(key, NOTHING) == was:
            out.pop(key, None)
            out |= {} if now is NOTHING else {key: now}
            continue
        empty: Any = [] if isinstance(now if was is NOTHING else was, list) else {}
        out[key] = merged(empty if was is NOTHING else was, empty if now is NOTHING else now, theirs.get(key, NOTHING))
        if out[key] is NOTHING or (now is NOTHING and out[key] in ([], {})):
            del out[key]
    return out


def _rows(before: list[Any], mine: list[Any], theirs: list[Any]) -> list[Any]:
    """Lists, row by row. What one changed and the other took away stays; whoever put rows in another order is followed;
    new ones come in behind the one that they stand behind."""
    names = [_names(one) for one in (before, mine, theirs)]
    if all(names):
        here, there = (_origins(names[0], of, of) for of in names[1:])
    elif len(before) == len(mine) == len(theirs):
        here, there = [*range(len(before))], [*range(len(before))]
    else:
        here = _origins(before, mine, [("mine", i) for i in range(len(mine))])
        there = _origins(before, theirs, [("theirs", i) for i in range(len(theirs))])
    kept = [row for row in here if isinstance(row, int)]
    order, other = (there, here) if kept == sorted(kept) else (here, there)
    laid = [*order]
    for i, row in enumerate(other):
        if row not in laid:
            laid.insert(laid.index(other[i - 1]) + 1 if i else 0, row)
    was = dict(enumerate(before))
    now, then = dict(zip(here, mine, strict=True)), dict(zip(there, theirs, strict=True))
    out = [_row(*(of.get(row, NOTHING) for of in (was, now, then))) for row in laid]
    return [row for row in out if row is not NOTHING]


def _names(rows: list[Any]) -> list[str]:
    """The names that tell rows apart; nothing where there are none."""
    names = [row["name"] for row in rows if isinstance(row, Mapping) and isinstance(row.get("name"), str)]
    return names if len(set(names)) == len(rows) else []


def _origins(before: list[Any], after: list[Any], new: list[Any]) -> list[Any]:
    """Which row of `before` each one was, by its number; else its name in `new`. A row that stands where another stood
    was that one."""
    left, out = [*range(len(before))], []
    for one in after:
        out.append(next((n for n in left if before[n] == one), None))
        left = [n for n in left if n != out[-1]]
    for i, found in enumerate(out):
        if found is None:
            last = out[i - 1] if i else -1
            here = last + 1 if isinstance(last, int) else None
            out[i] = here if here in left else new[i]
            left = [n for n in left if n != here]
    return out


def _row(was: Any, now: Any, there: Any) -> Any:
    if now is NOTHING or there is NOTHING:
        one = there if now is NOTHING else now
        return NOTHING if one == was else one
    return merged({} if was is NOTHING else was, now, there)
