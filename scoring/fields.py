"""Taking the fields of a state, each checked for its type and range. All raise StateError.

`place` is always the JSON pointer of the object that holds the field; pointers are put together only
when something is wrong, because most states are right and many are scored.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from unicodedata import normalize

from scoring.errors import MISSING, StateError

State = Mapping[str, Any]
UNKNOWN: Final = "?"
"""Stands for what is not known."""
NO_LIMIT: Final = 10**9
"""Where a game names no bound: more is no number of anything on a table."""
BOUND: Final = "10^9"
"""`NO_LIMIT` in words."""
INVISIBLE: Final = "\u200b\u200c\u200d\u2060\ufeff"
"""Characters without width."""
FEW: Final = 50
"""Lists of no more members come again and again."""


def pointer(place: str, key: str | int) -> str:
    """The JSON pointer (RFC 6901) of a key below a place."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"


def members(place: str, n: int) -> tuple[str, ...]:
    """The JSON pointers of the first `n` members of a list."""
    return _members(place, n) if n <= FEW else tuple([f"{place}/{i}" for i in range(n)])


@lru_cache(maxsize=10_000)
def _members(place: str, n: int) -> tuple[str, ...]:
    return tuple([f"{place}/{i}" for i in range(n)])


def an_object(value: object, place: str) -> State:
    """The value, which must be a JSON object."""
    if type(value) is not dict:
        raise StateError(place, "object", value)
    return value


def known(fields: State, names: frozenset[str], place: str) -> None:
    """No key but those that are known here."""
    if not names.issuperset(fields):
        wrong = next(key for key in fields if key not in names)
        raise StateError(pointer(place, str(wrong)), "known-key", wrong, {"names": tuple(sorted(names))})


def required(fields: State, key: str, place: str) -> Any:
    """A field that must be there."""
    if key not in fields:
        raise StateError(pointer(place, key), "field", MISSING)
    return fields[key]


def number(value: object, place: str, least: int, most: int = NO_LIMIT) -> int:
    """A whole number within bounds, both included; `true` and `3.0` are none."""
    if type(value) is not int or not least <= value <= most:
        if most == NO_LIMIT and type(value) is int and value > most:
            raise StateError(place, "number-at-most", value, {"most": BOUND})
        if most == NO_LIMIT:
            raise StateError(place, "number", value, {"least": least})
        raise StateError(place, "number-between", value, {"least": least, "most": most})
    return value


def count(fields: State, key: str, place: str, most: int = NO_LIMIT) -> int:
    """A count; 0 where it is left out."""
    value = fields.get(key, 0)
    if type(value) is not int or not 0 <= value <= most:
        return number(value, pointer(place, key), 0, most)
    return value


def flag(fields: State, key: str, place: str) -> bool:
    """A flag; false where it is left out."""
    value = fields.get(key, False)
    if type(value) is not bool:
        raise StateError(pointer(place, key), "flag", value)
    return value


def items(fields: State, key: str, place: str) -> Sequence[Any]:
    """A list; empty where it is left out."""
    value = fields.get(key, ())
    if key in fields and type(value) is not list:
        raise StateError(pointer(place, key), "list", value)
    return value  # type: ignore[no-any-return]


def one_of(value: object, words: Collection[str], place: str) -> str:
    """One of some words."""
    if type(value) is str and value in words:
        return value
    raise StateError(place, "one-of", value, {"words": tuple(words)})


def word(fields: State, key: str, words: Collection[str], place: str) -> str:
    """A field that must be there and be one of some words."""
    value = fields.get(key)
    if type(value) is not str or value not in words:
        return one_of(required(fields, key, place), words, pointer(place, key))
    return value


def words_of(fields: State, key: str, words: Collection[str], place: str) -> tuple[str, ...]:
    """A list of some of these words; empty where it is left out."""
    found = items(fields, key, place)
    for i, value in enumerate(found):
        if type(value) is not str or value not in words:
            one_of(value, words, f"{pointer(place, key)}/{i}")
    return tuple(found)


def several_of(fields: State, key: str, words: Collection[str], place: str) -> tuple[str, ...]:
    """A list of some of these words, each at most once; empty where it is left out."""
    found = words_of(fields, key, words, place)
    if len(set(found)) < len(found):
        i = next(i for i, value in enumerate(found) if value in found[:i])
        raise StateError(f"{pointer(place, key)}/{i}", "not-twice", found[i])
    return found


def text(fields: State, key: str, place: str) -> str:
    """A text that is not blank; it must be there."""
    value = fields.get(key)
    if type(value) is not str or not value.strip():
        raise StateError(pointer(place, key), "text", required(fields, key, place))
    return value


def plain(name: str) -> str:
    """What a name is compared by: composed (NFC), without white space around it."""
    return name.strip() if name.isascii() else normalize("NFC", name).strip().strip(INVISIBLE).strip()


def same_name(value: object, names: Collection[str]) -> object:
    """That of the names which is the same as the value; the value where none is."""
    if value in names or type(value) is not str:
        return value
    return next((name for name in names if plain(name) == plain(value)), value)


def _name(row: State, place: str) -> str:
    """A player's name, as it is compared."""
    name = text(row, "name", place)
    if not (compared := plain(name)):
        raise StateError(pointer(place, "name"), "text", name)
    return compared


def players(state: State, names: frozenset[str]) -> list[State]:
    """The players' objects, in order: at least one, known keys only, each with a name of its own."""
    rows = required(state, "players", "")
    if type(rows) is not list or not rows:
        raise StateError("/players", "players", rows)
    seen: set[str] = set()
    for i, row in enumerate(rows):
        place = f"/players/{i}"
        known(an_object(row, place), names, place)
        name = _name(row, place)
        if name in seen:
            raise StateError(pointer(place, "name"), "own-name", row["name"])
        seen.add(name)
    return rows


def count_or_unknown(fields: State, key: str, place: str, most: int = NO_LIMIT, least: int = 0) -> None:
    """A whole number, or `"?"`."""
    if key in fields and fields[key] != UNKNOWN:
        number(fields[key], pointer(place, key), least, most)


def counts(fields: State, key: str, place: str, box: Mapping[str, int]) -> Mapping[str, int]:
    """Pieces by kind, each no more than the box holds; empty where it is left out."""
    given = an_object(fields.get(key, {}), pointer(place, key))
    known(given, frozenset(box), pointer(place, key))
    for kind, n in given.items():
        number(n, f"{place}/{key}/{kind}", 0, box[kind])
    return given


def several(fields: State, key: str, place: str, words: Collection[Any]) -> None:
    """A list of some of these values, `"?"` where one is not known."""
    for i, value in enumerate(items(fields, key, place)):
        if type(value) not in (int, str) or (value not in words and value != UNKNOWN):
            raise StateError(f"{place}/{key}/{i}", "one-of", value, {"words": tuple(map(str, words))})


def each(fields: State, key: str, place: str, check: Callable[[object, str], object]) -> None:
    """A list whose members are checked one by one; `"?"` is one that is not known."""
    for i, value in enumerate(items(fields, key, place)):
        if value != UNKNOWN:
            check(value, f"{place}/{key}/{i}")
