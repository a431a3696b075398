"""Names for the photographed cards of a deck: proposed from the order in which they lie and from what they show.

A draft's `cards` are as they were photographed, each with `kind`, its place in the game's list (None: a back), `said`
where a person named it, `picture` where a person named its row of the list. `families`: the cards that show one
picture, with the groups that show the same print in each corner.
"""

from collections.abc import Sequence
from typing import Any

from calibration.deck_print import CORNERS
from companion.games.entry import Game

LEAST_FAMILY = 3
"""Cards of one picture that are a row of the game's list, at least: two may be a card in two colors."""
ALL = 0.9
"""Share of a deck from which all of it is there."""
Family = tuple[int, ...]
"""Places in a draft of the cards that show one picture."""


def propose(draft: dict[str, Any], game: Game) -> None:
    """Name the cards of which nobody said anything.

    Cards of one picture are a row of the game's list, each other card is the one after that before it, row by row as
    they are asked for: without those that are there already, and of its size.
    """
    cards = draft["cards"]
    rows = [row for _, row in game.card_rows()]
    asked = [kind for row in rows for kind in row]
    row_of = {kind: r for r, row in enumerate(rows) for kind in row}
    families = {i: tuple(one["cards"]) for one in draft.get("families", ()) for i in one["cards"]}
    where = _rows_said(cards, families, row_of)
    taken = {card["kind"] for card in cards if card.get("said") and card["kind"] is not None}
    before = -1
    for i, card in enumerate(cards):
        order = [*asked[before + 1 :], *asked[: before + 1]]
        free = [kind for kind in order if kind not in taken and _fits(game, kind, card["size"])]
        family = families.get(i)
        if not card.get("said"):
            if family and family not in where and free:
                where[family] = _row_for(family, row_of[free[0]], rows, where, len(cards) >= ALL * len(asked))
            r = where.get(family) if family else None
            row = [] if r is None else rows[r]
            card["kind"] = next((kind for kind in row if kind in free), free[0] if free else None)
        if card["kind"] is not None:
            before = asked.index(card["kind"]) if card["kind"] in asked else before
            taken.add(card["kind"])
    _by_print(draft, game, {family: rows[r] for family, r in where.items() if r is not None})


def _rows_said(
    cards: Sequence[dict[str, Any]], families: dict[int, Family], row_of: dict[int, int]
) -> dict[Family, int | None]:
    """The rows of the game's list that people named by a card of their picture."""
    out: dict[Family, int | None] = {}
    for said in ("picture", "kind"):
        for i, card in enumerate(cards):
            kind = card.get(said)
            if i in families and kind in row_of and (said == "picture" or card.get("said")):
                out.setdefault(families[i], row_of[kind])
    return out


def _row_for(
    family: Family, first: int, rows: Sequence[list[int]], where: dict[Family, int | None], complete: bool
) -> int | None:
    """The row of the game's list that a picture's cards fill: one of so many cards, else the next with room."""
    full = dict.fromkeys(range(len(rows)), 0)
    for other, r in where.items():
        if r is not None:
            full[r] += len(other)
    order = [*range(first, len(rows)), *range(first)]
    room = [r for r in order if full[r] + len(family) <= len(rows[r])]
    exact = [r for r in room if not full[r] and len(rows[r]) == len(family)]
    return next(iter([*exact, *room] if complete or (exact and exact[0] == first) else room), None)


def _by_print(draft: dict[str, Any], game: Game, rows: dict[Family, list[int]]) -> None:
    """Give the cards of one picture that count the same to those that show the same in a corner: in the corner in which
    most rows of the game's list are parted as the list parts them."""
    groups = {tuple(one["cards"]): one["corners"] for one in draft.get("families", ())}
    said = {i: card["kind"] for i, card in enumerate(draft["cards"]) if card.get("said")}
    found = [
        [made for family, row in rows.items() if (made := _parted(family, groups[family][corner], row, game, said))]
        for corner in range(len(CORNERS))
    ]
    for made in max(found, key=len, default=[]):
        for i, kind in made.items():
            draft["cards"][i]["kind"] = kind


def _parted(
    family: Family, group_of: Sequence[int], row: Sequence[int], game: Game, said: dict[int, int | None]
) -> dict[int, int]:
    """Which of a row's cards those of a picture are of which nobody `said` so, where print parts them into as many
    groups as count differently, none too large; nothing where it does not."""
    worth: dict[str, list[int]] = {}
    for kind in row:
        worth.setdefault(repr(game.deck[kind]), []).append(kind)
    groups: dict[int, list[int]] = {}
    for i, group in zip(family, group_of, strict=True):
        groups.setdefault(group, []).append(i)
    known: dict[int, str] = {}
    for group, cards in groups.items():
        for one in (said[i] for i in cards if i in said):
            known[group] = "" if one is None else repr(game.deck[one])
    left = sorted((group for group in groups if group not in known), key=lambda group: len(groups[group]))
    values = sorted((value for value in worth if value not in known.values()), key=lambda value: len(worth[value]))
    if len(groups) < 2 or len(left) != len(values) or not {*known.values()} <= worth.keys():
        return {}
    known |= dict(zip(left, values, strict=True))
    if any(len(cards) > len(worth[known[group]]) for group, cards in groups.items()):
        return {}
    out: dict[int, int] = {}
    for group, cards in groups.items():
        free = [kind for kind in worth[known[group]] if kind not in said.values()]
        out |= dict(zip((i for i in cards if i not in said), free, strict=False))
    return out


def without(family: dict[str, Any], n: int) -> dict[str, Any]:
    """A picture's cards without card `n` of a draft, which is gone."""
    left = [k for k, i in enumerate(family["cards"]) if i != n]
    cards = [family["cards"][k] - (family["cards"][k] > n) for k in left]
    return {"cards": cards, "corners": [[groups[k] for k in left] for groups in family["corners"]]}


def fitting(game: Game, size: Sequence[float]) -> list[int]:
    """The cards of a game's list that are of a size."""
    return [kind for _, row in game.card_rows() for kind in row if _fits(game, kind, size)]


def _fits(game: Game, kind: int, size: Sequence[float]) -> bool:
    """Whether a card of the game's list may be of a size: others than the usual one the game names."""
    own = game.sizes.get(game.deck[kind]["kind"])
    return tuple(size) == own if own else tuple(size) not in game.sizes.values()
