"""Human Angel Demon: market, discards, opened sets, gains, goals (H1 to H14 of the referee's rules)."""

from referee.human_angel_demon.rules import HumanAngelDemon

__all__ = ["RULES", "HumanAngelDemon"]
RULES = HumanAngelDemon
