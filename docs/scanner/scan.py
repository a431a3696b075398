"""A bar code reader that types, as a source: each line that it types is a card, each player's name says whose it is.

python docs/scanner/scan.py igna A B   < what the reader types: `A`, then codes as `red 3` (`red 3 bonus`)
"""

import sys
from collections.abc import Iterable, Iterator

from common.messages import Message
from companion.cases.evaluate import evaluate
from companion.cases.table import Entries, table_state
from companion.record import CARD, Observation, Piece
from vision.table.profile import TableProfile, Zone

HELP_CARD = {"same": 7, "run": 5, "mixed": 3, "bonus": 1}
"""What nobody scans is typed: the values of the sets."""


def scanned(lines: Iterable[str], players: Iterable[str]) -> Iterator[Piece]:
    """The cards, in the order in which they were scanned."""
    zone, known = None, set(players)
    for n, line in enumerate(line.strip() for line in lines):
        if line in known:
            zone = line
        elif line:
            color, number, *bonus = line.split()
            card = {"kind": "treasure", "color": color, "number": int(number), **({"bonus": True} if bonus else {})}
            yield Piece(f"p{n}", CARD, Message("card", {"card": card, "marker": None}), said=True, what=card, zone=zone)


def main(game: str, *players: str) -> None:
    observation = Observation(tuple(scanned(sys.stdin, players)), zones=dict.fromkeys(players, ()))
    profile = TableProfile("scanned", game, zones={player: Zone(polygon=()) for player in players})
    found = evaluate(table_state(observation, profile, Entries({"points": HELP_CARD})).state, "en")
    for player in found.get("answer", {}).get("players", ()):
        print(player["name"], player["total"])
    print(found.get("problem", {}).get("message", ""))


if __name__ == "__main__":
    main(*sys.argv[1:])
