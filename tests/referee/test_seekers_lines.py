"""Twelve Seekers: what one turn is called in the log, each key of its line; lawful turns and breaches side by side."""

import json
from collections import Counter

import pytest
from standing_log import standing_moves

from referee import follow

ROW = [
    "red", "blue", "gold", "green", "red", "yellow", "purple", "rainbow", "yellow", "green", "blue", "red", "purple",
    "yellow", "blue", "purple", "red", "green", "gold", "yellow", "blue",
]  # fmt: skip
FIELD = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
COUNTS, LINE, PLACES, THROW, SWAPS = 3, 8, 20, 11, 18


def state(rule, row=ROW, mio=(), ken=(), field=FIELD, **more):
    """Mio's and Ken's things: a line, counts, or two places, by the sheet; their gold; their seekers."""
    left, rows = [*field], []
    for name, side in (("Mio", dict(mio)), ("Ken", dict(ken))):
        if rule in (LINE, SWAPS):
            zones = {"line": side.get("line", [])}
        elif rule in (PLACES, 19):
            zones = {key: dict(Counter(side.get(key, ()))) for key in ("valid", "invalid")}
        else:
            zones = {"gems": dict(Counter(side.get("gems", ())))}
        rows.append({"name": name, **zones, "gold": side.get("gold", 0), "seekers": side.get("seekers", [])})
        for card in side.get("seekers", ()):
            left.remove(card)
    table = {"game": "twelve-seekers", "rule": rule, "order_cards": [1], "dungeon": list(row), "seekers_left": left}
    return {**table, **more, "players": rows}


OF_ANY_LINE = {
    "line", "n", "time", "look", "turn", "round", "who", "by", "sure", "legal", "breaks", "nearest", "slip", "state",
}  # fmt: skip
"""Keys that say nothing of the turn itself, or are looked at elsewhere."""
ADVANCED = [1, 1, 2, 2, 3, 3, 4, 5, "steal-one", "give-one", "both-ends-one", "two-kinds"]
# name: sheet, row after Mio's turn, Mio then, what the line says of the turn, breaches
CASES = {
    "two to the counts": (COUNTS, ROW[2:], {"gems": ROW[:2], "seekers": [2]}, {
        "seeker": 2, "what": ["red", "blue"], "from": "dungeon.left",
    }, []),
    "from the right, gold aside": (COUNTS, ROW[:-3], {"gems": ["yellow", "blue"], "gold": 1, "seekers": [3]}, {
        "seeker": 3, "what": ["gold", "yellow", "blue"], "from": "dungeon.right",
    }, []),
    "one too many": (COUNTS, ROW[2:], {"gems": ROW[:2], "seekers": [1]}, {
        "seeker": 1, "what": ["red", "blue"], "from": "dungeon.left",
    }, ["T7"]),
    "one of each end": (COUNTS, ROW[1:-1], {"gems": ["red", "blue"], "seekers": [2]}, {
        "seeker": 2, "what": ["red", "blue"], "from": "dungeon.both",
    }, ["T7"]),
    "from the middle": (COUNTS, [*ROW[:4], *ROW[6:]], {"gems": ROW[4:6], "seekers": [2]}, {
        "seeker": 2, "what": ["red", "yellow"], "from": "dungeon.4",
    }, ["T7"]),
    "two cards": (COUNTS, ROW[2:], {"gems": ["red", "blue"], "seekers": [3, 2]}, {
        "seeker": [3, 2], "what": ["red", "blue"], "from": "dungeon.left",
    }, ["T4"]),
    "a line, in its order": (LINE, ROW[5:], {"line": ["red", "blue", "green", "red"], "gold": 1, "seekers": [5]}, {
        "seeker": 5, "what": ROW[:5], "from": "dungeon.left", "to": {"end": "right", "turned": False},
    }, []),
    "a line, mixed": (LINE, ROW[5:], {"line": ["blue", "red", "red", "green"], "gold": 1, "seekers": [5]}, {
        "seeker": 5, "what": ROW[:5], "from": "dungeon.left", "to": {"end": "right", "turned": "?"},
    }, ["T9"]),
    "a line of one gem too many": (LINE, ROW[2:], {"line": ["blue", "red"], "seekers": [1]}, {
        "seeker": 1, "what": ["red", "blue"], "from": "dungeon.left", "to": {"end": "right", "turned": True},
    }, ["T7"]),
    "the color of the turn": (PLACES, ROW[:-1], {"valid": ["blue"], "seekers": [1]}, {
        "seeker": 1, "what": ["blue"], "from": "dungeon.right", "color": "blue",
        "to": {"valid": ["blue"], "invalid": []},
    }, []),
    "another color": (PLACES, ROW[:-1], {"invalid": ["blue"], "seekers": [1]}, {
        "seeker": 1, "what": ["blue"], "from": "dungeon.right", "color": "?",
        "to": {"valid": [], "invalid": ["blue"]},
    }, []),
    "two colors": (PLACES, ROW[:-2], {"valid": ["blue", "yellow"], "seekers": [2]}, {
        "seeker": 2, "what": ["yellow", "blue"], "from": "dungeon.right",
        "to": {"valid": ["yellow", "blue"], "invalid": []},
    }, ["T10"]),
    "a gem of the color in the other place": (
        PLACES, ROW[5:], {"valid": ["red"], "invalid": ["red", "blue", "green"], "gold": 1, "seekers": [5]},
        {
            "seeker": 5, "what": ROW[:5], "from": "dungeon.left",
            "to": {"valid": ["red"], "invalid": ["red", "green", "blue"]},
        }, ["T10"],
    ),
    "one out": (THROW, ROW[2:], {"gems": ["red"], "seekers": [2]}, {
        "seeker": 2, "what": ["red", "blue"], "from": "dungeon.left", "thrown": ["blue"],
    }, []),
    "none out": (THROW, ROW[2:], {"gems": ["red", "blue"], "seekers": [2]}, {
        "seeker": 2, "what": ["red", "blue"], "from": "dungeon.left",
    }, ["T12"]),
    "one of the most out": (THROW, ROW[5:], {"gems": ["red", "green", "blue"], "gold": 1, "seekers": [5]}, {
        "seeker": 5, "what": ROW[:5], "from": "dungeon.left", "thrown": ["red"],
    }, ["T12"]),
    "swapped once": (SWAPS, ROW[5:], {"line": ["red", "blue", "red", "green"], "gold": 1, "seekers": [5]}, {
        "seeker": 5, "what": ROW[:5], "from": "dungeon.left", "to": {"end": "right", "turned": "?"},
    }, ["T13"]),
    "swapped as often as it may": (SWAPS, ROW[3:], {"line": ["blue", "red"], "gold": 1, "seekers": [3]}, {
        "seeker": 3, "what": ROW[:3], "from": "dungeon.left", "to": {"end": "right", "turned": "?"}, "swaps": 1,
    }, []),
    "both ends": (COUNTS, ROW[1:-1], {"gems": ["red", "blue"], "seekers": ["both-ends-one"]}, {
        "seeker": "both-ends-one", "what": ["red", "blue"], "from": "dungeon.both",
    }, []),
    "two kinds": (COUNTS, ROW[:-4], {"gems": ["green", "yellow", "blue"], "gold": 1, "seekers": ["two-kinds"]}, {
        "seeker": "two-kinds", "what": ["green", "gold", "yellow", "blue"], "from": "dungeon.right", "bonus": 0,
    }, []),
    "given": (
        COUNTS, ROW[:-3], {"gems": ["yellow"], "gold": 1, "seekers": ["give-one"]},
        {"seeker": "give-one", "what": ["gold", "yellow", "blue"], "from": "dungeon.right", "gave": "blue"}, [],
    ),
    "not given": (
        COUNTS, ROW[:-3], {"gems": ["yellow", "blue"], "gold": 1, "seekers": ["give-one"]},
        {"seeker": "give-one", "what": ["gold", "yellow", "blue"], "from": "dungeon.right"}, ["T14"],
    ),
}  # fmt: skip


def told(rule, *states, header=None):
    head = {"game": "twelve-seekers", "rule": rule, "players": ["Mio", "Ken"], "start": "Mio", **(header or {})}
    out = follow([{"header": head}, *({"time": i, "state": one} for i, one in enumerate(states))])
    log = standing_moves(out)
    return out, log


@pytest.mark.parametrize("name", CASES)
def test_a_turn_is_called_what_it_is(name):
    rule, row, mio, expected, breaks = CASES[name]
    advanced = any(isinstance(card, str) for card in mio["seekers"])
    field = ADVANCED if advanced else FIELD
    given = [expected["gave"]] if "gave" in expected else []
    kens = {"line": [], "gems": given, "seekers": []}
    next_, rest = row[-1], row[:-1]
    where = {"gold": 1} if next_ == "gold" else {"line": [next_], "gems": [*given, next_], "invalid": [next_]}
    if rule == THROW and next_ != "gold":
        where = {"gems": given}
    before = state(rule, field=field)
    after = state(rule, row, mio, kens, field)
    later = state(rule, rest, mio, {**kens, **where, "seekers": [1]}, field)
    mode = {"mode": "advanced"} if advanced else {}
    out, log = told(rule, before, after, later, later, later, header=mode)
    assert [one["who"] for one in log] == ["Mio", "Ken"]
    said = log[0]
    assert said["breaks"] == breaks
    assert {key: said[key] for key in said.keys() - OF_ANY_LINE} == {"move": "take", "to": "Mio", **expected}
    assert (said["turn"], said["round"], said["look"], said["legal"]) == (1, 1, 1, not breaks)
    assert [(one["who"], one["breaks"]) for one in out if one["line"] == "slip"] == [("Mio", breaks)] * bool(breaks)


BAD = {
    "/dungeon": {"dungeon": "red"},
    "/dungeon/1": {"dungeon": ["red", "pink"]},
    "/seekers_left": {"seekers_left": 4},
    "/seekers_left/0": {"seekers_left": [9]},
    "/players": {"players": "Mio"},
    "/players/0": {"players": [3]},
    "/players/1/name": {"players": [{"name": "Mio"}, {"name": "Zoe"}]},
    "/players/0/gems": {"players": [{"name": "Mio", "gems": 3}]},
    "/players/0/gems/pink": {"players": [{"name": "Mio", "gems": {"pink": 1}}]},
    "/players/0/gems/red": {"players": [{"name": "Mio", "gems": {"red": -1}}]},
    "/players/0/gold": {"players": [{"name": "Mio", "gold": "one"}]},
    "/players/0/seekers": {"players": [{"name": "Mio", "seekers": 3}]},
    "/players/0/seekers/0": {"players": [{"name": "Mio", "seekers": ["six"]}]},
    "/thrown/pink": {"thrown": {"pink": 1}},
}


@pytest.mark.parametrize("place", BAD)
def test_a_look_that_is_none_is_named_by_its_place(place):
    before, after = state(COUNTS), state(COUNTS, ROW[2:], {"gems": ROW[:2], "seekers": [2]})
    out, log = told(COUNTS, before, {**json.loads(json.dumps(before)), **BAD[place]}, after)
    assert [one["error"].place for one in out if "error" in one] == [place]
    assert [one["who"] for one in log] == ["Mio"]
