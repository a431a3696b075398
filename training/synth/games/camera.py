"""A camera that sometimes errs: the steps of a game made into the lines that the referee reads."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

State = dict[str, Any]

SEEKER_GEMS = ["red", "yellow", "green", "blue", "purple", "gold"]
TOKENS = ["white", "blue", "green", "red", "black", "gold"]


MISREADS, FLAGGED, NOISE = 0.3, 0.8, 0.02
"""Pieces read wrongly in a look, on average; shares of them that are flagged, and of looks with a line that is none."""


MIDDLES, ONE_KIND = 0.25, 0.3
"""Shares of what is covered: something of the middle, one kind of thing only of a player's."""


def is_look(line: Any) -> bool:
    """Whether a line of the input is a look: numbered like one, and no person's word on an earlier one."""
    return isinstance(line, dict) and "state" in line and "look" not in line


class Step(NamedTuple):
    """A moment of the game: how many turns are done, whether nothing is in a hand, whether it must be seen."""

    turns: int
    rests: bool
    state: State
    must: bool = False


class Shot(NamedTuple):
    """The lines for the referee, the step of each look, and the readings that were wrong: (look, pointer, truth)."""

    lines: list[Any]
    steps: list[Step]
    wrong: list[tuple[int, str, str]]


def film(
    rng: Random,
    header: State,
    steps: list[Step],
    pieces: Callable[[State], list[tuple[str, str]]],
    swap: Callable[[State, str, str, str], str | None],
    colors: list[str],
    skips: float = 0.15,
    halves: float = 0.25,
) -> Shot:
    """Photograph the steps: some left out, some pieces read wrongly, some lines that are no looks."""
    lines: list[Any] = [{"header": header}]
    seen: list[Step] = []
    wrong: list[tuple[int, str, str]] = []
    time = 5.0
    for i, step in enumerate(steps):
        ends = i in (0, len(steps) - 1)
        near = any(one.must for one in steps[max(i - 1, 0) : i + 2])
        if not (ends or step.must or rng.random() < (1 - skips * (not near) if step.rests else halves)):
            continue
        state = deepcopy(step.state)
        doubtful: list[str] = []
        odds: dict[str, Any] = {}
        n = sum(rng.random() < MISREADS / 2 for _ in range(2))
        for _ in range(n):
            at, true = rng.choice(pieces(state))
            read = rng.choice([color for color in colors if color != true])
            if at in doubtful or any(at == one for look, one, _ in wrong if look == len(seen)):
                continue
            told = rng.random() < FLAGGED
            shown = at
            if rng.random() < 0.8 or not told:
                shown = swap(state, at, true, read) or at
                wrong.append((len(seen), shown, true))
                first, other = read, true
            else:
                first, other = true, read
            if told:
                doubtful.append(shown)
                if rng.random() < 0.7:
                    p = round(rng.uniform(0.51, 0.85), 2)
                    odds[shown] = {first: p, other: round(1 - p, 2)}
        line: dict[str, Any] = {"time": round(time, 1), "state": state, "doubtful": sorted(doubtful)}
        if odds:
            line["odds"] = odds
        lines.append(line)
        seen.append(step)
        time += rng.uniform(1, 12)
        if rng.random() < NOISE:
            lines.append(rng.choice([7, "tea", {"time": time}, {"time": time, "state": 3}, {"remark": "phone"}]))
            if is_look(lines[-1]):
                seen.append(step)  # it is numbered like a look
    return Shot(lines, seen, wrong)


MIDDLE = ("dungeon", "seekers_left", "market", "supply", "nobles", "laid")


def cover(rng: Random, shot: Shot, share: float) -> None:
    """Leave out what lies before one player, or something of the middle, in this share of the looks between the first
    and the last: an arm lay over it. What must be seen stays in sight.
    """
    looks = [line for line in shot.lines if is_look(line)]
    for k, line in enumerate(looks[1:-1], 1):
        state = line["state"]
        if shot.steps[k].must or not isinstance(state, dict) or rng.random() > share:
            continue
        p = rng.randrange(len(state["players"]))
        row, at = state["players"][p], f"/players/{p}"
        keys = [key for key in row if key != "name"]
        middle = [key for key in MIDDLE if key in state]
        if middle and rng.random() < MIDDLES:
            row, at, keys = state, "", [rng.choice(middle)]
        elif keys and rng.random() < ONE_KIND:
            keys = [rng.choice(keys)]
        _leave_out(shot, k, line, row, at, keys)


def hide(shot: Shot, middle: Sequence[str] = (), players: Sequence[str] = ()) -> None:
    """Leave out of every look what no camera sees at this table: of the middle, and of what each player has."""
    looks = [line for line in shot.lines if is_look(line)]
    for k, line in enumerate(looks):
        if isinstance(line["state"], dict):
            _leave_out(shot, k, line, line["state"], "", middle)
            for p, row in enumerate(line["state"]["players"]):
                _leave_out(shot, k, line, row, f"/players/{p}", players)


def _leave_out(shot: Shot, k: int, line: State, row: State, at: str, keys: Sequence[str]) -> None:
    """Take some keys, and all that is said of what lies there, out of the k-th look."""
    for key in keys:
        row.pop(key, None)
    gone = tuple(f"{at}/{key}/" for key in keys)
    line["doubtful"] = [one for one in line.get("doubtful", ()) if not f"{one}/".startswith(gone)]
    if "odds" in line:
        line["odds"] = {one: odds for one, odds in line["odds"].items() if not f"{one}/".startswith(gone)}
    shot.wrong[:] = [one for one in shot.wrong if one[0] != k or not f"{one[1]}/".startswith(gone)]


TYPED, LOOKED_AT, LATER = 0.15, 0.7, 0.3
"""Shares: of looks that people type, of those with doubtful or wrong pieces that they look at, of these long after."""


def put_right(rng: Random, shot: Shot) -> Shot:
    """People have their say: some looks are typed, in others what is doubtful or wrong is said as it is, in the look
    itself, in one more of the same table, or some looks later, as a state typed for the look of then.
    """
    lines: list[Any] = []
    steps: list[Step] = []
    wrong: list[tuple[int, str, str]] = []
    later: list[tuple[int, State]] = []
    k = -1
    for line in shot.lines:
        if not is_look(line):
            lines.append(line)
            continue
        k, n = k + 1, len(steps)
        step = shot.steps[k]
        here = [(at, true) for look, at, true in shot.wrong if look == k]
        true = {"time": line["time"], "state": deepcopy(step.state)}
        said = sorted({*(line.get("doubtful") or ()), *(_where(at, is_) for at, is_ in here)})
        looked_at = isinstance(line["state"], dict) and said and rng.random() < LOOKED_AT
        if isinstance(line["state"], dict) and rng.random() < TYPED:
            lines.append({**true, "by": "person"})
        elif looked_at and rng.random() < LATER:
            lines.append(line)
            later.append((n, true))
        elif looked_at and rng.random() < 0.5:
            lines.append({**true, "doubtful": [], "said": said})
        else:
            lines.append(line)
            wrong += [(n, at, is_) for at, is_ in here]
            if looked_at:
                lines.append({**true, "doubtful": [], "said": said})
                steps.append(step)
        steps.append(step)
        if later and rng.random() < 0.5:
            look, typed = later.pop()
            lines.append({**typed, "by": "person", "look": look})
    for look, typed in later:
        lines.append({**typed, "by": "person", "look": look})
    return Shot(lines, steps, wrong)


def _where(at: str, true: str) -> str:
    """Where a piece that was read wrongly lies in truth: one of which only the number is seen, with its own kind."""
    place, read = at.rsplit("/", 1)
    return at if read.isdigit() else f"{place}/{true}"


def seeker_pieces(state: State) -> list[tuple[str, str]]:
    """Pointers and colors of the gems of a Twelve Seekers state."""
    found = [(f"/dungeon/{i}", gem) for i, gem in enumerate(state["dungeon"])]
    for p, player in enumerate(state["players"]):
        found += [(f"/players/{p}/line/{i}", gem) for i, gem in enumerate(player.get("line", ()))]
        for key in ("gems", "valid", "invalid"):
            found += [(f"/players/{p}/{key}/{gem}", gem) for gem, n in player.get(key, {}).items() for _ in range(n)]
    return [(at, gem) for at, gem in found if gem != "rainbow"]


def swap_seeker_piece(state: State, at: str, true: str, read: str) -> str | None:
    """Read one gem as another color; returns the pointer at which it is read."""
    parts = at.split("/")[1:]
    if parts[0] == "dungeon":
        state["dungeon"][int(parts[1])] = read
        return at
    player = state["players"][int(parts[1])]
    if parts[2] == "line":
        i = int(parts[3])
        if read == "gold":
            player["line"].pop(i)
            player["gold"] += 1
            return f"/players/{parts[1]}/gold"
        player["line"][i] = read
        return at
    counts = player[parts[2]]
    counts[true] -= 1
    if not counts[true]:
        del counts[true]
    if read == "gold":
        player["gold"] += 1
        return f"/players/{parts[1]}/gold"
    counts[read] = counts.get(read, 0) + 1
    return f"/players/{parts[1]}/{parts[2]}/{read}"


def token_pieces(state: State) -> list[tuple[str, str]]:
    """Pointers and colors of the tokens of a Splendor state."""
    found = [(f"/supply/{color}", color) for color, n in state["supply"].items() for _ in range(n)]
    for p, player in enumerate(state["players"]):
        found += [(f"/players/{p}/tokens/{color}", color) for color, n in player["tokens"].items() for _ in range(n)]
    return found


def swap_token(state: State, at: str, true: str, read: str) -> str:
    """Read one token as another color; returns the pointer at which it is read."""
    parts = at.split("/")[1:]
    counts = state["supply"] if parts[0] == "supply" else state["players"][int(parts[1])]["tokens"]
    counts[true] -= 1
    if not counts[true] and parts[0] != "supply":
        del counts[true]
    counts[read] = counts.get(read, 0) + 1
    return at[: -len(true)] + read


def swap_card(state: State, at: str, true: str, read: str) -> str:
    """Read the card at a pointer as another one."""
    place: Any = state
    *path, last = at.split("/")[1:]
    for part in path:
        place = place[int(part) if part.isdigit() else part]
    place[int(last) if last.isdigit() else last] = read
    return at
