"""The five advanced seekers that may pay 2 VP in their turn. Rulebook: advanced seekers (上級シーカー).

While gems are taken, gold and the rainbow are kinds of their own.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from scoring.breakdown import Line, Value
from scoring.errors import StateError
from scoring.fields import an_object, known, required, word, words_of
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import ADVANCED

PAYS: Final = 2
KINDS_PAID: Final[dict[int | str, int]] = {"pair": 1, "all-different": 3, "two-kinds": 2}
"""So many kinds must be among the gems, no more and no fewer."""
PAYING: Final = ("first-of-kind", "pair", "all-different", "two-kinds", "four-kinds")
FIELDS: Final = frozenset(("seeker", "gems", "held"))
KINDS: Final = dict.fromkeys((*COLORS, "rainbow", "gold"))
"""Keys only: words are looked up more quickly in a dict than in a tuple."""
IN_THE_BOX: Final = (("rainbow", 1), ("gold", 3))


class Bonus(NamedTuple):
    """A turn of a paying seeker: the kinds of the gems taken, and the kinds held before (for `first-of-kind`)."""

    place: str
    seeker: str
    gems: tuple[str, ...]
    held: tuple[str, ...]


def read(value: object, place: str) -> Bonus:
    """Check one entry of `bonuses`. Raises StateError."""
    fields = an_object(value, place)
    known(fields, FIELDS, place)
    seeker = word(fields, "seeker", PAYING, place)
    required(fields, "gems", place)
    gems = words_of(fields, "gems", KINDS, place)
    if len(gems) != ADVANCED[seeker]:
        raise StateError(f"{place}/gems", "bonus-gems", list(gems), {"seeker": seeker, "n": ADVANCED[seeker]})
    for kind, most in IN_THE_BOX:
        if gems.count(kind) > most:
            raise StateError(f"{place}/gems", "in-the-box", list(gems), {"most": most, "kind": kind})
    if seeker == "first-of-kind":
        required(fields, "held", place)
        return Bonus(place, seeker, gems, words_of(fields, "held", KINDS, place))
    if "held" in fields:
        raise StateError(f"{place}/held", "held-only-there", fields["held"], {"seeker": "first-of-kind"})
    return Bonus(place, seeker, gems, ())


def line(bonus: Bonus) -> Line:
    """The line of a paying seeker's turn: 2 or 0, with the reason."""
    place, seeker, gems, held = bonus
    return _line(place, seeker, gems, _pays(seeker, gems, held))


def _pays(seeker: str, gems: tuple[str, ...], held: tuple[str, ...]) -> bool:
    if seeker == "first-of-kind":
        return gems[0] == "rainbow" or gems[0] not in held
    kinds = len(set(gems))
    return kinds >= 4 if seeker == "four-kinds" else kinds == KINDS_PAID[seeker]


@lru_cache(maxsize=10_000)
def _line(place: str, seeker: str, gems: tuple[str, ...], paid: bool) -> Line:
    """A line that is given again where the same comes again."""
    values: dict[str, Value] = {"seeker": seeker, "kinds": gems, "n": len(set(gems))}
    because: tuple[str, ...] = (f"{place}/seeker", f"{place}/gems")
    if seeker == "first-of-kind":
        because = (*because, f"{place}/held")
    key = f"seekers.bonus.{seeker}" if paid else f"seekers.no-bonus.{seeker}"
    return Line(key, PAYS if paid else 0, because, values, "twelve-seekers/advanced")
