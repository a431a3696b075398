"""The 29 seeker cards. Rulebook: contents, chaos rule, advanced seekers (上級シーカー)."""

from typing import Final

BASIC: Final = {1: 2, 2: 3, 3: 3, 4: 2, 5: 2}
"""How many basic seekers there are of each power (as many as the chaos rule lays out): 12 cards."""

ADVANCED: Final = {
    "steal-one": 1,  # take 1, then 1 gem from the opponent (never gold or the rainbow)
    "first-of-kind": 1,  # take 1; +2 if it is the first of its kind
    "three-return-two": 1,  # take 3, put any 2 of one's own back at the same end
    "pair": 2,  # take 2; +2 if they are of one kind
    "steal-same": 2,  # take 2, then 1 of a kind just taken from the opponent
    "anywhere": 2,  # take 2 neighbors from anywhere in the dungeon
    "both-ends-one": 2,  # take 1 from each end
    "five-return-two": 3,  # take 5, put 2 of them back at the same end
    "all-different": 3,  # take 3; +2 if all are of different kinds
    "swap-one": 3,  # take 3, then swap one of one's own for one in the dungeon
    "give-one": 3,  # take 3, then give one of one's own to the opponent
    "two-kinds": 4,  # take 4; +2 if they are of exactly two kinds
    "five-return-one": 4,  # take 5, put 1 of them back at the same end
    "both-ends-two": 4,  # take 2 from each end
    "five-give-one": 5,  # take 5, give 1 of them to the opponent
    "five-give-most": 5,  # take 5, then give one of the kind one has most of
    "four-kinds": 5,  # take 5; +2 if they are of four kinds or more
}
"""The 17 advanced seekers, one card each, and their powers."""


STACK: Final = 6
"""So many seekers each player takes in a game."""
ALL_POWERS: Final = sum(power * n for power, n in BASIC.items())
"""The powers of the twelve seekers of a game together: an advanced one takes the place of a basic one of its power."""
GAMES: Final = ((STACK, 0), (4, 2), (0, STACK))
"""Basic and advanced seekers of each player in the basic, the advanced and the chaos game."""

POWER: Final[dict[int | str, int]] = dict([*((power, power) for power in BASIC), *ADVANCED.items()])
"""The power of each seeker card: a basic one is its power, an advanced one has a name."""
