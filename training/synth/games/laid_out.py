"""Games written down from the rules' text alone, and a camera with habits of its own, to hold the referee out.

Nothing here looks at how the referee explains what it sees. A game is a list of moments; the camera keeps some of them,
misreads pieces, hides a place, sees the same table twice, and goes on looking while the table is cleared.
"""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

State = dict[str, Any]


class Moment(NamedTuple):
    """The table after so many turns. `rests`: nobody is in the midst of a turn. `must`: a slip would not show else."""

    turns: int
    rests: bool
    state: State
    must: bool = False


class Habits(NamedTuple):
    """How the camera errs: pieces misread a look, how often that is flagged, moments seen, gaps, looks repeated."""

    misread: float = 0.25
    flagged: float = 0.75
    halves: float = 0.3
    gaps: float = 0.1
    again: float = 0.15
    hidden: float = 0.03


CALM = Habits(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Every table at rest, read rightly."""


class Film(NamedTuple):
    """The lines for the referee, the number of turns done in each look, wrong readings (look, pointer, truth)."""

    lines: list[Any]
    turns: list[int]
    wrong: list[tuple[int, str, Any]]
    cleared: int
    """The first look in which the table is being cleared."""
    seen: list[int]
    """Which moment each look shows."""


class Game:
    """A game that was played: moments, moves as they are to be told, slips as (who, rules that may be named)."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.moments: list[Moment] = []
        self.moves: list[dict[str, Any]] = []
        self.slips: list[tuple[str, tuple[str, ...]]] = []
        self.injected: list[str] = []
        """The kind of each slip, for the table of what was tried."""

    def header(self) -> State:
        """What no camera sees."""
        raise NotImplementedError

    def pieces(self, state: State) -> list[tuple[str, Any]]:
        """Pointers and names of the pieces that a camera may misread."""
        raise NotImplementedError

    def misread(self, state: State, at: str, true: Any) -> tuple[str, Any] | None:
        """Read one piece wrongly; its pointer then, and what was read."""
        raise NotImplementedError

    def hide(self, state: State) -> None:
        """A hand lies over something."""

    def clear(self, state: State) -> list[Callable[[State], None]]:
        """The steps in which the table is cleared, in any order."""
        raise NotImplementedError


def filmed(game: Game, habits: Habits) -> Film:
    """Photograph a game, then the clearing of its table."""
    rng = game.rng
    lines: list[Any] = [{"header": game.header()}]
    turns: list[int] = []
    seen: list[int] = []
    wrong: list[tuple[int, str, Any]] = []
    time, gap = 3.0, 0
    last = len(game.moments) - 1
    for i, moment in enumerate(game.moments):
        near = any(one.must for one in game.moments[max(i - 1, 0) : i + 2])
        if gap and not (near or i in (0, last)):
            gap -= moment.rests
            continue
        if not moment.rests and not moment.must and rng.random() >= habits.halves:
            continue
        if moment.rests and rng.random() < habits.gaps:
            gap = rng.randint(1, 2)
        for _ in range(1 + (rng.random() < habits.again)):
            time += rng.uniform(0.5, 9)
            hide = rng.random() < habits.hidden and not near and i not in (0, last)
            lines.append(_look(game, moment.state, habits, time, len(turns), wrong, hide))
            turns.append(moment.turns)
            seen.append(i)
    cleared = len(turns)
    state = deepcopy(game.moments[-1].state)
    steps = game.clear(state)
    rng.shuffle(steps)
    while steps:
        for step in [steps.pop() for _ in range(min(rng.randint(1, 4), len(steps)))]:
            step(state)
        time += rng.uniform(0.5, 9)
        lines.append({"time": round(time, 1), "state": deepcopy(state), "doubtful": []})
        turns.append(game.moments[-1].turns)
        seen.append(last)
    return Film(lines, turns, wrong, cleared, seen)


KEPT_WHEN_CLEARED = (
    "game",
    "rule",
    "rule_sheet",
    "points",
    "letters",
    "short_game",
    "round",
    "stage",
    "house_rules",
    "winner",
    "won_by",
    "bonus",
    "name",
)
"""What no piece on the table shows."""


def cleared(rng: Random, state: State) -> list[State]:
    """Looks in which any table is cleared, place by place in any order."""
    now = deepcopy(state)
    places = [(now, key) for key in now if key not in (*KEPT_WHEN_CLEARED, "players")]
    for player in now["players"]:  # of a sheet all goes together
        places += [(player, key) for key in (("pawn", "map") if "map" in player else player) if key in player]
    places = [(here, key) for here, key in places if key not in KEPT_WHEN_CLEARED]
    rng.shuffle(places)
    lines: list[State] = []
    while places:
        for here, key in [places.pop() for _ in range(min(rng.randint(2, 6), len(places)))]:
            value = here.get(key)
            if key == "map":
                for one in [one for one in here if one != "name"]:
                    del here[one]  # the sheet is taken away
            elif key == "pawn":
                here[key] = None
            elif key == "deck" or isinstance(value, str):
                del here[key]
            elif isinstance(value, bool):
                here[key] = False
            elif value is not None:
                here[key] = type(value)()
        lines.append({"time": 10_000.0 + len(lines), "state": deepcopy(now), "doubtful": []})
    return lines


def _look(game: Game, state: State, habits: Habits, time: float, n: int, wrong: list[Any], hide: bool) -> State:
    rng, state = game.rng, deepcopy(state)
    doubtful: list[str] = []
    odds: dict[str, Any] = {}
    if hide:
        game.hide(state)
    for _ in range(sum(rng.random() < habits.misread / 3 for _ in range(3))):
        pieces = game.pieces(state)
        if not pieces:
            break
        at, true = rng.choice(pieces)
        if any(at == one for look, one, _ in wrong if look == n):
            continue
        flagged = rng.random() < habits.flagged
        if flagged and rng.random() < 0.25:
            doubtful.append(at)  # doubtful, and right
            continue
        read = game.misread(state, at, true)
        if read is None:
            continue
        place, name = read
        wrong.append((n, place, true))
        if flagged:
            doubtful.append(place)
            if isinstance(true, str) and rng.random() < 0.6:
                p = round(rng.uniform(0.5, 0.9), 2)
                odds[place] = {name: p, true: round(1 - p, 2)}
    line: State = {"time": round(time, 1), "state": state, "doubtful": sorted(set(doubtful))}
    return {**line, "odds": odds} if odds else line
