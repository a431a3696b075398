"""Igna: treasures offered, sets opened, tokens, rests (I1 to I10 of the referee's rules)."""

from referee.igna.rules import Igna

__all__ = ["RULES", "Igna"]
RULES = Igna
