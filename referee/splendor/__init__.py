"""Splendor: tokens, purchases, kept cards, nobles, the last round (S1 to S10 of the referee's rules)."""

from referee.splendor.rules import Splendor

__all__ = ["RULES", "Splendor"]
RULES = Splendor
