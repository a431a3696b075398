"""Color cards that lie face down: every hand that a player may have."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.sheets import SHEETS


def hands(state: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any], tuple[str, ...]]]:
    """Each hand that a player may have: who, the player's part of the state with it, the cards that are not known.

    There is one card of each color, and what another player is known to have is nobody else's.
    """
    sheet = SHEETS.get(state.get("rule", 0))
    if sheet is None or not sheet.kind.cards:
        return
    known = [[card for card in row.get("color_cards", ()) if card in COLORS] for row in state["players"]]
    for i, row in enumerate(state["players"]):
        others = {card for k, cards in enumerate(known) if k != i for card in cards}
        free = [color for color in COLORS if color not in known[i] and color not in others]
        left = sheet.kind.cards - len(known[i])
        for more in combinations(free, left) if left > 0 else ():
            yield i, {**row, "color_cards": [*known[i], *more]}, more
