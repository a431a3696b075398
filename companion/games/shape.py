"""Whether a JSON value has the shape of a table state: what a person may lay out, though it may not score yet.

A shape is a type (`int`, `str`, `bool`, `NULL`), a list with the shape of its items, an object with the shapes of
its known keys (`ANY_KEY` for keys that are not known beforehand), or a tuple of shapes, one of which must do (the
last one says what was expected). `ANYTHING` leaves a value to scoring, which checks it.
"""

from collections.abc import Iterable
from typing import Any, Final

from scoring.errors import StateError
from scoring.fields import NO_LIMIT, known, number, pointer

Shape = Any
NULL: Final = type(None)
ANY_KEY: Final = ""
ANYTHING: Final = object
EXPECTED: Final = {
    NULL: "nothing",
    int: "whole",
    str: "text",
    bool: "flag",
    list: "list",
    dict: "object",
}
TABLE: Final[Shape] = {"game": str, "house_rules": {ANY_KEY: str}}
"""What the states of all games share."""


def middle(keys: Iterable[str]) -> Shape:
    """What lies in the middle of the table, for the referee: it counts nothing."""
    return dict.fromkeys(keys, ANYTHING)


def fit(value: object, shape: Shape, place: str = "") -> None:
    """Nothing if the value has the shape. Raises StateError at the first place that has not."""
    if shape is ANYTHING:
        return
    if isinstance(shape, tuple):
        _fit_one(value, shape, place)
    elif isinstance(shape, dict):
        _fit_object(_typed(value, dict, place), shape, place)
    elif isinstance(shape, list):
        for i, item in enumerate(_typed(value, list, place)):
            fit(item, shape[0], pointer(place, i))
    elif shape is int:
        number(_typed(value, int, place), place, -NO_LIMIT, NO_LIMIT)
    else:
        _typed(value, shape, place)


def _typed(value: object, kind: type, place: str) -> Any:
    if type(value) is not kind:
        raise StateError(place, EXPECTED[kind], value)
    return value


def _fit_object(value: dict[str, Any], shape: dict[str, Shape], place: str) -> None:
    if ANY_KEY not in shape:
        known(value, frozenset(shape), place)
    for key, item in value.items():
        fit(item, shape.get(key, shape.get(ANY_KEY)), pointer(place, key))


def _fit_one(value: object, shapes: tuple[Shape, ...], place: str) -> None:
    for shape in shapes[:-1]:
        try:
            return fit(value, shape, place)
        except StateError:
            continue
    fit(value, shapes[-1], place)
