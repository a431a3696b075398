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
        if len(before) == len(mine) == len(theirs):
            return [merged(was, now, there) for was, now, there in zip(before, mine, theirs, strict=True)]
        return _pieces(before, mine, theirs)
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


def _pieces(before: list[Any], mine: list[Any], theirs: list[Any]) -> list[Any]:
    """Lists that grew or shrank: what went here goes there, what came here comes in at its place, or in for what
    went."""
    gone = _without(before, mine)
    out = _without(theirs, gone)
    changed_there = len(gone) - (len(theirs) - len(out))
    for one in _without(mine, before)[changed_there:]:
        out.insert(mine.index(one), one)
    return out


def _without(pieces: list[Any], others: list[Any]) -> list[Any]:
    left, kept = list(others), []
    for one in pieces:
        if one in left:
            left.remove(one)
        else:
            kept.append(one)
    return kept
