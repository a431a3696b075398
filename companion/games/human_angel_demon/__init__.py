"""Human Angel Demon: a hundred cards, of which each title comes three times in black and once in red."""

from collections.abc import Iterator

from common.messages import Message
from companion.games.entry import Card, Game, Laid, Say, Start, TableRules, Typed
from companion.games.human_angel_demon import table
from companion.games.human_angel_demon.due import due
from companion.games.human_angel_demon.told import TOLD
from companion.games.shape import NULL, TABLE, middle
from scoring.human_angel_demon.middle import CARDS_GAME, CARDS_PLAYER
from scoring.human_angel_demon.score import ENOUGH, SHORT_GAMES
from scoring.human_angel_demon.sets import ATTRIBUTES, BLACK, RED
from scoring.human_angel_demon.table import HAND, PICTURES

PLAYER = {
    "name": str, "points": int, "open": [[str]], "hand": [str], "discards": [str], "ready": bool, "winning_card": str,
    **middle(CARDS_PLAYER),
}  # fmt: skip
SHAPE = {
    **TABLE, **middle(CARDS_GAME),
    "advanced": bool, "winner": (NULL, str), "won_by": (NULL, str), "discarder": (NULL, str),
    "short_game": int, "start": str, "bonus": [str], "item_win": [int], "players": [PLAYER],
}  # fmt: skip
BOX = {"attributes": ATTRIBUTES, "black": BLACK, "red": RED, "hand": HAND, "pictures": PICTURES}


def _deck() -> Iterator[Card]:
    for attribute, last in ATTRIBUTES.items():
        for title in range(1, last + 1):
            for red in (*[False] * BLACK, *[True] * RED):
                yield {"kind": "card", "card": f"{attribute}{title}{'r' * red}"}


def _laid(card: Card) -> Laid:
    red = card["card"].endswith("r")
    name = "laid.human-angel-demon.red" if red else "laid.human-angel-demon.black"
    row = Message(name, {"attribute": Message(f"attribute.{card['card'][0]}")})
    return Laid(row, card["card"][1], ("red" if red else "black",))


def _label(slug: str, card: Card, say: Say) -> str:
    attribute, title, red = card["card"][0], card["card"][1], card["card"].endswith("r")
    return say(f"{slug}.card.{'red' if red else 'black'}", attribute=say(f"attribute.{attribute}"), title=title)


GAME = Game(
    "human-angel-demon",
    SHAPE,
    BOX,
    table=TableRules(table.state, table.player, table.CARDS),
    deck=tuple(_deck()),
    laid=_laid,
    copies=True,
    zones={"bonus": 16, "A.discards": 20, "B.discards": 24, "C.discards": 28, "D.discards": 32, "market": 246},
    seats=("A", "B", "C", "D", "bonus"),
    terms=("attribute.", "set."),
    label=_label,
    middle="market",
    followed=frozenset({"market"}),
    start=Start((2, 3, 4), lambda n: {"market": n + 1, "games": SHORT_GAMES[n], "mark": ENOUGH[n]}),
    typed=Typed(asked="winner", stays=("advanced", "item_win")),
    grows=("card",),
    groups=(((3, "open"), (3, "open")), ((8, "hand"),)),
    contradictions=("had.no-set", "had.no-goal"),
    rows={
        "before": ("had.before",),
        "open": ("had.",),
        "red": ("had.red", "had.condition.", "had.no-condition."),
        "bonus": ("had.bonus", "had.no-bonus"),
        "loss": ("had.loss",),
    },
    due=due,
    told=TOLD,
)
