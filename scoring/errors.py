"""The one error that a table state can cause."""

from collections.abc import Mapping

from scoring.breakdown import NOTHING, Value


class StateError(ValueError):
    """A table state that cannot be scored: where, what was expected there, what came.

    `place` is a JSON pointer into the state ("" is the whole of it). `expected` is a message key
    of the catalogs (`expected.<expected>`), `values` fill its gaps, `got` is the value found, as it came.
    """

    def __init__(self, place: str, expected: str, got: object, values: Mapping[str, Value] = NOTHING) -> None:
        self.place, self.expected, self.got, self.values = place, expected, got, values
        super().__init__(place, expected, got, values)

    def __str__(self) -> str:
        gaps = ", ".join(f"{name} {value}" for name, value in self.values.items())
        return f"{self.place or '/'}: expected {self.expected}{f' ({gaps})' if gaps else ''}, got {self.got!r:.60}"


class Missing:
    """What stands in `StateError.got` where there was nothing."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()
