"""Colors, letters and cards that a state writes another way: `Red`, full-width letters.

A state is read as it is first; only one that cannot be read so is written anew by these rules. What an answer points at
is then led back to the state as it came.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final
from unicodedata import normalize

from scoring.breakdown import Breakdown
from scoring.errors import StateError
from scoring.fields import State, pointer

Spell = Callable[[str], str]
AS_WRITTEN: Final = frozenset(("name", "winner", "discarder", "house_rules", "map", "first_map"))
"""Fields whose texts are no words of a game."""
COLORS: Final = frozenset(("red", "yellow", "green", "blue", "purple", "white", "black", "rainbow", "gold"))
CARD: Final = re.compile(r"([hadi])([1-7])(r?)", re.IGNORECASE)


@lru_cache(maxsize=1000)
def color(written: str) -> str:
    """The color that a word names, in any case, width and with any space around it; else the word as it is."""
    folded = normalize("NFKC", written).casefold().strip()
    return folded if folded in COLORS else written


def letter(written: str) -> str:
    """The capital letter that a single letter is; else the text as it is."""
    folded = normalize("NFKC", written).strip().upper()
    return folded if len(folded) == 1 and folded.isalpha() else written


def card(written: str) -> str:
    """The code of a card of Human Angel Demon; else the text as it is."""
    found = CARD.fullmatch(normalize("NFKC", written).strip())
    return f"{found[1].upper()}{found[2]}{found[3].lower()}" if found else written


SPELL: Final[Mapping[str, Spell]] = {
    "twelve-seekers": color,
    "in-the-ruin": letter,
    "human-angel-demon": card,
    "splendor": color,
}


class Respelled:
    """A state whose words are written as its game writes them. Raises StateError where two keys become one."""

    def __init__(self, state: State, spell: Spell) -> None:
        self._spell = spell
        self._keys: dict[str, str] = {}
        """Pointers to keys that were written otherwise, as they are in the state that came."""
        self.changed = False
        self.state: State = {
            key: value if key == "game" else self._written(value, "/" + key, key) for key, value in state.items()
        }

    def _written(self, value: Any, place: str, field: str) -> Any:
        if field in AS_WRITTEN:
            return value
        if type(value) is str:
            spelled = self._spell(value)
            self.changed = self.changed or spelled != value
            return spelled
        if type(value) is list:
            return [self._written(one, f"{place}/{i}", "") for i, one in enumerate(value)]
        if type(value) is not dict:
            return value
        written: dict[str, Any] = {}
        for key, one in value.items():
            new = self._spell(key)
            if new in written:
                raise StateError(self.back(pointer(place, key)), "key-once", key)
            if new != key:
                self.changed = True
                self._keys[pointer(place, new)] = pointer(place, key)
            written[new] = self._written(one, pointer(place, new), key)
        return written

    def back(self, place: str) -> str:
        """A pointer into this state, as one into the state that came."""
        for new, came in self._keys.items():
            if place == new or place.startswith(new + "/"):
                return came + place[len(new) :]
        return place

    def answered(self, breakdown: Breakdown) -> Breakdown:
        """An answer that points into the state that came."""
        if not self._keys:
            return breakdown

        players = []
        for player in breakdown.players:
            lines = tuple(line._replace(because=self._led(line.because)) for line in player.lines)
            players.append(player._replace(lines=lines))
        notes = tuple(note._replace(because=self._led(note.because)) for note in breakdown.notes)
        return breakdown._replace(players=tuple(players), notes=notes)

    def _led(self, places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(self.back, places))
