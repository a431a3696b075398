"""Random legal table states of Twelve Seekers."""

from random import Random
from typing import Any

from scoring.twelve_seekers.bonuses import PAYING
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import ADVANCED
from scoring.twelve_seekers.sheets import SHEETS
from scoring.twelve_seekers.table import GOLD, OF_A_COLOR

State = dict[str, Any]

LINE_RULES = tuple(rule for rule, sheet in SHEETS.items() if sheet.kind.collects == "line")
COUNT_RULES = tuple(rule for rule, sheet in SHEETS.items() if sheet.kind.collects == "gems")


def sample(rng: Random, rule: int | None = None) -> State:
    """A game under a rule sheet, some choices made, most left open."""
    rule = rule or rng.randint(1, len(SHEETS))
    bag = [color for color in COLORS for _ in range(OF_A_COLOR)] + ["rainbow"] + ["gold"] * GOLD
    rng.shuffle(bag)
    cards = rng.sample(COLORS, 4)
    players = []
    for i in range(2):
        taken = [bag.pop() for _ in range(rng.randint(0, 19))]
        gems = [gem for gem in taken if gem != "gold"]
        player: State = {"name": "AB"[i]}
        if "gold" in taken or rng.random() < 0.3:
            player["gold"] = taken.count("gold")
        if rule in LINE_RULES:
            player["line"] = sorted(gems, key=lambda gem: (rng.random() < 0.3, gem)) if rng.random() < 0.5 else gems
        elif rule in COUNT_RULES:
            player["gems"] = {gem: gems.count(gem) for gem in {*gems}}
        else:
            cut = rng.randint(0, len(gems))
            for key, part in (("valid", gems[:cut]), ("invalid", gems[cut:])):
                player[key] = {gem: part.count(gem) for gem in {*part}}
        if rng.random() < 0.8:
            player["seekers"] = [rng.choice([rng.randint(1, 5), rng.choice([*ADVANCED])]) for _ in range(6)]
        if rng.random() < 0.4:
            player["bonuses"] = [_bonus(rng) for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.4:
            player["chips"] = rng.randint(-4, 8)
        if rule in (14, 15, 16, 17):
            player["color_cards"] = cards[:1] if rule == 15 else cards[2 * i : 2 * i + 2]
        if rng.random() < 0.4:
            player["choices"] = _choices(rng, rule, player, gems)
        players.append(player)
    return {"game": "twelve-seekers", "rule": rule, "players": players}


def _bonus(rng: Random) -> State:
    seeker = rng.choice(PAYING)
    bag = [color for color in COLORS for _ in range(3)] + ["rainbow", "gold", "gold"]
    bonus: State = {"seeker": seeker, "gems": rng.sample(bag, ADVANCED[seeker])}
    if seeker == "first-of-kind":
        bonus["held"] = rng.sample([*COLORS, "rainbow", "gold"], rng.randint(0, 5))
    return bonus


def _choices(rng: Random, rule: int, player: State, gems: list[str]) -> State:
    choices: State = {}
    if rule < 19 and rng.random() < 0.6:
        choices["rainbow"] = rng.choice(COLORS)
    if rule == 6 and rng.random() < 0.6:
        choices["number"] = rng.randint(1, 8)
    held = {gem for gem in gems if gem != "rainbow"}
    if "rainbow" in gems and "rainbow" in choices:
        held.add(choices["rainbow"])
    if rule == 13 and len(held) > 1 and rng.random() < 0.6:
        choices["plus"], choices["minus"] = rng.sample(sorted(held), 2)
        if rng.random() < 0.5:
            del choices[rng.choice(["plus", "minus"])]
    if rule == 14 and rng.random() < 0.6:
        choices[rng.choice(["plus", "minus"])] = rng.choice(player["color_cards"])
    if rule == 15 and rng.random() < 0.6:
        choices["plus"] = rng.sample([color for color in COLORS if color not in player["color_cards"]], 2)
    return choices
