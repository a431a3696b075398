"""The five advanced seekers that may pay 2 VP in their turn. Rulebook: advanced seekers (上級シーカー).

While gems are taken, gold and the rainbow are kinds of their own.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scoring.breakdown import Line, Value
from scoring.errors import StateError
from scoring.fields import an_object, known, required, word, words_of
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import ADVANCED

PAYS: Final = 2
KINDS_PAID: Final = {"pair": 1, "all-different": 3, "two-kinds": 2}
"""So many kinds must be among the gems, no more and no fewer."""
PAYING: Final = ("first-of-kind", "pair", "all-different", "two-kinds", "four-kinds")
FIELDS: Final = frozenset(("seeker", "gems", "held"))
KINDS: Final = (*COLORS, "rainbow", "gold")
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
    kinds = len(set(bonus.gems))
    paid = _pays(bonus, kinds)
    values: dict[str, Value] = {"seeker": bonus.seeker, "kinds": bonus.gems, "n": kinds}
    because: tuple[str, ...] = (f"{bonus.place}/seeker", f"{bonus.place}/gems")
    if bonus.seeker == "first-of-kind":
        because = (*because, f"{bonus.place}/held")
    key = f"seekers.bonus.{bonus.seeker}" if paid else f"seekers.no-bonus.{bonus.seeker}"
    return Line(key, PAYS if paid else 0, because, values, "twelve-seekers/advanced")


def _pays(bonus: Bonus, kinds: int) -> bool:
    if bonus.seeker == "first-of-kind":
        return bonus.gems[0] == "rainbow" or bonus.gems[0] not in bonus.held
    if bonus.seeker == "four-kinds":
        return kinds >= 4
    return kinds == KINDS_PAID[bonus.seeker]
