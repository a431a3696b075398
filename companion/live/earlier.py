"""Correct an earlier settled state: its kept record, its table state and its line for the referee are made anew."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from common.messages import Message
from companion.cases.game_log import Line, doubtful_places, followable, look_line, said_places, value_at
from companion.cases.table import Entries, TableState
from companion.cases.table_evidence import READ, record
from companion.live.corrections import Corrections
from companion.live.settle_detector import card_at, tile_at
from companion.reading.tables import read_state
from companion.record import Said
from vision.table.profile import TableProfile
from vision.table.reading import SAID, Card, TableReading, Tile

Kept = Mapping[str, Any]
OF_THE_STATE: Final = (*SAID, "table.", "scale.", "card.unfit")
"""How the keys of problems begin that are found anew with the state."""


def said_earlier(kept: Kept, said: Sequence[Said], profile: TableProfile, entries: Entries) -> dict[str, Any] | None:
    """The record of a state in which a person says what pieces are; None: one is not there.

    Args:
        kept: the record.
        said: what they say.
        profile: the table's.
        entries: what people typed since the game began; what was typed later does not count in this state.
    """
    reading = reading_of(kept)
    words = Corrections()
    for at, is_, card in said:
        if (index := (card_at if card else tile_at)(reading, at)) is None:
            return None
        words.say(reading, index, is_)
    corrected, now = words.apply(reading)
    marks = [one["said"] for one in (*kept["tiles"], *kept["cards"])]
    old = {id(piece) for piece, mark in zip((*reading.tiles, *reading.cards), marks, strict=True) if mark}
    all_said = {i for i, piece in enumerate((*corrected.tiles, *corrected.cards)) if i in now or id(piece) in old}
    table = read_state(corrected, profile, _then(kept, entries), frozenset(kept.get("kinds", ())))
    gone = [*(np.array(polygon) - 0.5 for polygon in kept["gone"]), *words.gone]
    made = record(tuple(kept["size"]), corrected, frozenset(all_said), gone, table)
    return _looked(kept, made, table)


def look_again(kept: Kept, profile: TableProfile, entries: Entries) -> tuple[TableState, Line]:
    """The state that a record's pieces make under the rule that is typed now, and its look."""
    reading, then = reading_of(kept), _then(kept, entries)
    rule = {key: entries.table[key] for key in ("rule",) if key in entries.table}
    entries = Entries({**{key: value for key, value in then.table.items() if key != "rule"}, **rule}, then.players)
    table = read_state(reading, profile, entries, frozenset(kept.get("kinds", ())))
    said = [i for i, one in enumerate((*kept["tiles"], *kept["cards"])) if one["said"]]
    at = next((line["time"] for line in kept["looks"] if "state" in line), None)
    look = look_line(table.state, table.zones, at)
    places = {"doubtful": doubtful_places(reading, table), "said": said_places(table, said, entries)}
    return table, {**look, **places}


def typed_earlier(kept: Kept, state: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a state that a person typed; what it says as it was seen keeps its pieces."""
    before, places = kept["state"], kept["places"].items()
    stays = {place: pieces for place, pieces in places if value_at(state, place) == value_at(before, place)}
    made = {**kept, "state": state, "places": stays}
    return _looked(kept, made, TableState(dict(state), {}, tuple(kept["players"])))


def _looked(kept: Kept, made: dict[str, Any], table: TableState) -> dict[str, Any]:
    """The record with the look that it now is. What people said of moves in this state counts no more."""
    at = next((line["time"] for line in kept["looks"] if "state" in line), None)
    look = {**look_line(table.state, table.zones, at), "by": "person"}
    if "scale" in kept:
        made = {**made, "scale": kept["scale"], READ: kept.get(READ, {key: kept[key] for key in ("tiles", "cards")})}
    return {**made, "looks": [look] if followable(table.state) else [], "begins": kept["begins"]}


def reading_of(kept: Kept) -> TableReading:
    """The reading of a record."""

    def points(polygon: list[list[float]]) -> np.ndarray:
        return np.array(polygon, np.float64).reshape(-1, 2) - 0.5

    tiles = []
    for one in kept["tiles"]:
        polygon = points(one["polygon"])
        place = one["zone"], one.get("row"), one.get("col")
        doubt = one["doubtful"], one["doubt"], tuple(one["borders"])
        tiles.append(Tile(one["color"], *place, polygon.mean(0), polygon, one["confidence"], *doubt))
    cards = []
    for one in kept["cards"]:
        face = one.get("deck"), one.get("confidence", 1.0), one.get("doubtful", False), tuple(one.get("nearest", ()))
        cards.append(Card(one["marker"], one["card"], one["zone"], points(one["polygon"]), *face))
    problems = [Message(key, values) for key, values in kept["problems"] if not key.startswith(OF_THE_STATE)]
    zones = {name: points(polygon) for name, polygon in kept["zones"].items()}
    return TableReading(tuple(tiles), tuple(cards), zones, tuple(problems))


def _then(kept: Kept, entries: Entries) -> Entries:
    """Of what people typed, what counted in this state."""
    state = kept["state"]
    rows = dict(zip(kept["players"], state["players"], strict=True))
    of_players = {
        zone: {key: rows[zone][key] for key in values if key in rows[zone]}
        for zone, values in entries.players.items()
        if zone in rows
    }
    return Entries({key: state[key] for key in entries.table if key in state}, of_players)
