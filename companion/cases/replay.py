"""A kept game judged anew: the log that its settled states make, and what each of them comes to."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.cases.evaluate import totals
from companion.cases.game_log import Followed, GameLog, Line
from companion.cases.journal import Journal
from companion.cases.moved import carried
from companion.cases.table import TableState

Kept = Mapping[str, Any]


class Judged(NamedTuple):
    """A settled state as the whole game shows it: its record, what the referee made of it, points by player's zone."""

    kept: dict[str, Any]
    game: Followed | None
    totals: Mapping[str, int | None]


def rows_of_game(journal: Journal, number: int | None = None) -> dict[int, dict[str, Any]]:
    """The records of the game to which a settled state belongs (None: the last game), by number.

    States that older versions kept have no looks, and belong to none.
    """
    found: dict[int, dict[str, Any]] = {}
    for row in journal.rows():
        kept = journal.whole(row.number)
        if kept is None or "looks" not in kept:
            continue
        if (kept["begins"] or row.first) and found:
            if number is not None and row.number > number:
                break
            found = {}
        found[row.number] = kept
    return found if number is None or number in found else {}


def judged(rows: Mapping[int, Kept]) -> tuple[GameLog, dict[int, Judged]]:
    """The log that the records of one game make, and what each comes to with those before it, by number."""
    log, found = GameLog((), quiet=True), {}
    for number, kept in rows.items():
        log.zones = log.zones or tuple(kept["players"])
        log.begin_row()
        seen: Mapping[str, Any] = kept["state"]
        game = None
        for line in kept["looks"]:
            if "state" in line:
                seen = _named(line["state"], kept["state"])
            game = log.take(seen, line)
        state = dict(seen if game is None else game.state)
        places = carried(kept["places"], kept["state"], state)
        whole = {**kept, "state": state, "places": places, **log.kept(), "game": None if game is None else game.kept()}
        found[number] = Judged(whole, game, dict(zip(kept["players"], totals(state), strict=True)))
    log.quiet = False
    return log, found


def under_rule(
    rows: Mapping[int, Kept], rule: object, again: Callable[[Kept], tuple[TableState, Line]]
) -> Mapping[int, Kept]:
    """The records of a game as it is under another rule: what was said of moves under each rule is kept for it.

    Args:
        rows: the records.
        rule: the rule.
        again: the state and the look of a record under it, made anew from the pieces that were seen.
    """
    found = {}
    for number, kept in rows.items():
        looks, others, made = kept["looks"], dict(kept.get("other_rules", {})), dict[str, Any]()
        was = next((line["state"].get("rule") for line in looks if "state" in line), rule)
        if was != rule:
            table, look = again(kept)
            others[str(was)] = looks
            headers = [line for line in looks if "header" in line]
            looks = others.pop(str(rule), None) or [*headers, look]
            places = {at: list(seen) for at, seen in table.places.items()}
            made = {"state": table.state, "places": places, "looks": looks, "other_rules": others}
        found[number] = {**kept, **made}
    return found


def log_of(journal: Journal, number: int | None = None) -> GameLog:
    """The log of a game in a table's history: that of a settled state, or the last one."""
    return judged(rows_of_game(journal, number))[0]


def _named(state: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """A look's state by people's names."""
    pairs = zip(state["players"], kept["players"], strict=True)
    return {**state, "players": [{**row, "name": own["name"]} for row, own in pairs]}
