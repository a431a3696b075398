"""Igna with hands and tokens counted: what Igna cards may have done, and what is somebody's slip, and whose."""

import pytest
from standing_log import standing_moves

from referee import follow

NAMES = ("Aya", "Ben", "Emi", "Dan")


def look(time, laid, gone, cards, *sides):
    """A look: the treasure offered, treasures put away, so many Igna cards played, each one's (tokens, hand)."""
    players = [
        {"name": name, "sets": [], "tokens": tokens, "hand_size": hand}
        for name, (tokens, hand) in zip(NAMES, sides, strict=False)
    ]
    state = {"game": "igna", "laid": laid, "players": players}
    return {"time": time, "state": {**state, "discard_treasure": gone, "discard_igna": ["?"] * cards}}


ALL = (3, 6), (3, 6), (3, 6)
OUT_OF_TURN = [
    look(0, None, [], 0, *ALL, (3, 6)),
    look(1, "red5", [], 2, *ALL, (3, 6)),  # whoever it was drew two, laid one and played two for another
    look(2, "blue2", ["red5"], 2, (3, 6), (3, 6), (4, 7), (3, 6)),
    look(3, "green1", ["red5", "blue2"], 2, (3, 6), (3, 6), (4, 7), (4, 7)),
    look(4, "blue5", ["red5", "blue2", "green1"], 2, (4, 7), (3, 6), (4, 7), (4, 7)),
]


@pytest.mark.parametrize(
    ("looks", "slips", "log"),
    [
        pytest.param(
            [
                look(0, None, [], 0, *ALL),
                look(1, "blue1", [], 2, *ALL),
                look(2, "red2", ["blue1"], 2, (3, 6), (4, 9), (3, 6)),
                look(3, "green4", ["blue1", "red2"], 2, (3, 6), (4, 9), (4, 7)),
                look(4, "blue5", ["blue1", "red2", "green4"], 2, (4, 7), (4, 9), (4, 7)),
            ],
            [("Ben", ["I2"])],
            [("Aya", "blue1"), ("Ben", "red2"), ("Emi", "green4"), ("Aya", "blue5")],
            id="one drew twice after another's Igna cards had been seen to do nothing to the hand",
        ),
        pytest.param(
            [
                look(0, None, [], 0, *ALL),
                look(1, "blue1", [], 2, (3, 6), (3, 8), (3, 6)),
                look(2, "red2", ["blue1"], 2, (3, 6), (4, 7), (3, 6)),
                look(3, "green4", ["blue1", "red2"], 2, (3, 6), (4, 7), (4, 7)),
            ],
            [],
            [("Aya", "blue1"), ("Ben", "red2"), ("Emi", "green4")],
            id="the next player has drawn already",
        ),
        pytest.param(
            OUT_OF_TURN,
            [(None, ["I2"])],
            [None, ("Emi", "blue2"), ("Dan", "green1"), ("Aya", "blue5")],
            id="one of two came out of turn: the first one, or the one after",
        ),
    ],
)
def test_whose_slip_it_was(looks, slips, log):
    lines = list(
        follow(
            [
                {
                    "header": {
                        "game": "igna",
                        "players": list(NAMES[: len(looks[0]["state"]["players"])]),
                        "start": "Aya",
                    }
                },
                *looks,
            ]
        )
    )
    assert [(line["who"], line["breaks"]) for line in lines if line["line"] == "slip"] == slips
    told = [(line["who"], line["laid"]) for line in standing_moves(lines)]
    assert len(told) == len(log)
    assert all(now == kept for now, kept in zip(told, log, strict=True) if kept is not None)
