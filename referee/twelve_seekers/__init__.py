"""Twelve Seekers: basic, advanced and chaos game under all twenty rule sheets (T1 to T17 of the referee's rules)."""

from referee.twelve_seekers.rules import Seekers

__all__ = ["RULES", "Seekers"]
RULES = Seekers
