"""Random legal table states of In the Ruin."""

from random import Random
from typing import Any

State = dict[str, Any]
HALF_TIME = 0.1
"""How often a sheet with a first map has no other one yet."""


def sample(rng: Random) -> State:
    """One to four sheets, some of them at half-time."""
    cells = [[r, c] for r in range(11) for c in range(11) if (r, c) != (5, 5)]
    letters = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWX", rng.sample(cells, 24), strict=True))
    players = []
    for i in range(rng.randint(1, 4)):
        weights = [rng.random() + 0.1 for _ in range(3)]
        rows = [rng.choices(".o#", weights, k=11) for _ in range(11)]
        rows[5][5] = "o"
        player: State = {
            "name": "ABCD"[i],
            "map": ["".join(row) for row in rows],
            "escaped": rng.choice([None, *range(8, 12)]),
            "destinations": rng.sample([*letters], rng.randint(0, 6)),
            "gems": rng.randint(0, 9),
            "penalties": rng.randint(0, 4),
            "goals": [rng.sample([*letters], 2) for _ in range(rng.randint(0, 6))],
        }
        kind = rng.random()
        if kind < 0.5:
            player["first_square"] = rng.randint(0, 40)
        if kind > 0.3:
            blank = rng.random()
            earlier = [["." if rng.random() < blank else cell for cell in row] for row in rows]
            player["first_map"] = ["".join(row) for row in earlier]
            if rng.random() < 0.5:
                player["first_destinations"] = rng.sample([*letters], rng.randint(0, 6))
            if rng.random() < HALF_TIME:
                del player["map"], player["escaped"]
        players.append(player)
    charged = rng.random() < 0.3
    goes_on = any("map" not in player for player in players)
    return {
        "game": "in-the-ruin", "letters": letters, "players": players, "charge_blocks": charged, "goes_on": goes_on,
    }  # fmt: skip
