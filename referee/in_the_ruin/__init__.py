"""In the Ruin: what is drawn, walked and declared (R1 to R16 of the referee's rules)."""

from referee.in_the_ruin.rules import InTheRuin

__all__ = ["RULES", "InTheRuin"]
RULES = InTheRuin
