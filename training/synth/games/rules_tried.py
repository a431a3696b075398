"""Which rules of the referee's documentation no look can show, and why, and which ones are not judged yet."""

import re
from pathlib import Path

DOC = Path(__file__).resolve().parents[3] / "docs" / "referee.md"
UNSEEN = {
    "T1": "a tile that is missing from the first look on is one out of sight; too many are misread (T3)",
    "T2": "the cards laid out are taken as they lie; a wrong one is corrected",
    "T3": "a reading that cannot be, never somebody's slip",
    "T8": "gems that are taken and laid nowhere are in a hand; laid before another, T11 or T14",
    "T15": "the chips follow from T14 and are counted by the program",
    "T16": "the field holds a card for each turn: without one nobody can take a turn",
    "T17": "it follows from T7 and T14, which are told at their own turns",
    "S1": "the set-up is taken as it lies",
    "H1": "hands and the deal are hidden",
    "H9": "how many cards the deck holds is not in sight",
    "H11": "the cards of the bonus checks count as they are shown, in whichever order they came",
    "H12": "it follows from what is shown and is counted by the program",
    "H13": "the match goes on for as long as people deal",
    "H14": "it is counted by the program, nobody lays anything",
    "R1": "the set-up is taken as it lies",
    "R2": "a mark that is gone or another one was read wrongly: sheets are never erased",
    "R15": "the game goes on for as long as people write",
    "I1": "the set-up is taken as it lies",
    "I8": "which card is played, and on whom, is not in sight",
}
UNTOLD: tuple[str, ...] = ()
"""Rules that the referee follows or knows, and whose breach it does not tell yet."""


def rules() -> list[str]:
    """The ids in the documentation's table, in its order."""
    return re.findall(r"^\| ([A-Z]\d+) \|", DOC.read_text(encoding="utf-8"), re.MULTILINE)
