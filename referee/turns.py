"""The interface between the tracker and a game's rules: legal turns, and explanations by turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, Protocol

from referee.looks import UNKNOWN, Fit, Fix, Look


def house_of(header: Mapping[str, Any], switches: Mapping[str, Any]) -> dict[str, Any]:
    """A game's switches, each as the header says or as usual; a value of another kind counts as the usual one."""
    given = header.get("house")
    said = given if isinstance(given, dict) else {}
    return {name: said[name] if type(said.get(name)) is type(usual) else usual for name, usual in switches.items()}


def first_of(header: Mapping[str, Any]) -> int | None:
    """Which of the players begins; None where the header does not say."""
    names, start = header["players"], header.get("start")
    return names.index(start) if start in names else None


class Turn(NamedTuple):
    """One line of the log to be. `fields` are the keys that depend on the game, `table` is what lies there after it.

    `same` is what two moves agree in when they are the same move, `number` and `round` count the game's turns. `plain`:
    a rule that it breaks may be told at once, and not only when a further look shows the same. `faint`: nothing shows
    it but pieces that are gone. `named`: it is known whose it was; else a rule that it breaks is told of nobody.
    `broke`: who broke the rules, where that is not who moved.
    """

    who: str | None
    move: str
    fields: Mapping[str, Any]
    breaks: tuple[str, ...]
    table: Any
    same: Any
    number: int
    round: int
    legal: Any = True
    plain: bool = True
    faint: bool = False
    named: bool = True
    broke: str | None = None

    @property
    def culprit(self) -> str | None:
        """Who broke the rules that the turn breaks."""
        return self.who if self.broke is None else self.broke

    def without(self, rules: AbstractSet[str]) -> Turn:
        """The turn without breaches of these rules, which nobody can judge."""
        breaks = tuple(rule for rule in self.breaks if rule not in rules)
        return self if breaks == self.breaks else self._replace(breaks=breaks, legal=UNKNOWN)


class Renewal(NamedTuple):
    """A look shows that earlier ones were read wrongly: the turns anew (or none), the wrong readings, all judged."""

    turn: Callable[[Turn], Turn | None]
    wrong: tuple[tuple[Look, Fix], ...]
    judged: AbstractSet[tuple[int, str]]
    odd: Callable[[Turn], float] = lambda _: 0.0
    """What it costs to believe in a turn, besides the rules that it breaks."""
    right: AbstractSet[tuple[int, str, Any]] = frozenset()
    """Readings that were right after all: looks, places, what they show."""

    def after(self, other: Renewal | None) -> Renewal:
        """Both, the other one first."""
        if other is None:
            return self
        first = other.turn

        def turn(before: Turn) -> Turn | None:
            now = first(before)
            return None if now is None else self.turn(now)

        def odd(before: Turn) -> float:
            return other.odd(before) + self.odd(before)

        return Renewal(
            turn, (*other.wrong, *self.wrong), {*other.judged, *self.judged}, odd, {*other.right, *self.right}
        )


class Owed(NamedTuple):
    """What is still to come in a turn: whose, what, by which rule.

    `guessed`: nothing of theirs has changed yet; it is their turn.
    """

    who: str | None
    what: str
    rule: str
    guessed: bool = False

    def written(self) -> dict[str, Any]:
        """The form in which a look's closing line says it."""
        return {"who": self.who, "what": self.what, "rule": self.rule}


class Explanation(NamedTuple):
    """How a look came about: some whole turns, then perhaps a part of one.

    `owed` is what that part still lacks, `lying` is the table if the part were all of the turn, None where pieces
    are in a hand. `table`: nobody moved, but something was laid out that an earlier turn owed. `lent` is what of the
    cost the look that shows the whole turn asks for again: a breach of the part.
    """

    cost: float
    turns: tuple[Turn, ...]
    fixes: tuple[Fix, ...] = ()
    owed: tuple[Owed, ...] = ()
    held: bool = False
    lying: Any = None
    table: Any = None
    lent: float = 0.0
    renewal: Renewal | None = None


class Start(NamedTuple):
    """A table as the first look may show it."""

    cost: float
    table: Any
    fixes: tuple[Fix, ...] = ()


class Rules(Protocol):
    """One game between given players: what is legal, what a move does, what a look may show."""

    names: Sequence[str]
    house: dict[str, Any]
    """The game's switches."""
    first: int | None = None
    """Which player begins, where that is known."""
    amends: bool = False
    """Whether a turn that was whole as it lay may turn out to have been a part of one."""
    lasting: bool = False
    """Whether what is done cannot be undone: what has gone in the next look was read wrongly, not put right."""
    in_parts: float = 0.0
    """What it costs that a turn that breaks a rule was seen before, half done and lawful."""
    hides: bool = False
    """Whether a turn leaves so little behind that one slip may be another player's: then it is weighed against that."""
    counted: bool = False
    """Whether pieces are only counted: what was read wrongly in the midst of a turn is known when it is whole."""

    hands: Mapping[str, int] = {}
    """Places that are emptied when the table is cleared, the middle's and each player's, by their keys in the form of
    the looks; and how many pieces of each may be in a hand, or gone by the rules, in the midst of the game."""

    together: bool = False
    """Whether all have their turns at the same time: what one owes waits while others move."""

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        start = UNKNOWN if self.first is None else self.names[self.first]
        return {"rule": None, "start": start, "order": None, "mode": None, "house": self.house}

    def read(self, look: Look) -> Any:
        """The look's state in the game's own form. Raises StateError where it is none."""
        ...

    def as_read(self, look: Look) -> Mapping[str, Any]:
        """The look's state, as `state` would write it."""
        return look.state

    def start(self, look: Look) -> Iterable[Start]:
        """What may lie there when the first look shows this."""
        ...

    def explain(self, table: Any, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows; `wide`: breaches that are dear to find, too."""
        ...

    def finish(self, table: Any, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        ...

    def key(self, table: Any) -> Any:
        """What two tables have in common that lie alike, with the same turn to come."""
        ...

    def alike(self, one: Turn, other: Turn) -> Turn | None:
        """The likelier of two ways to see a turn; or with what nobody can know left open; None: they are told apart."""
        return None

    def left_open(self, turns: list[Turn], others: list[list[Turn]]) -> list[Turn]:
        """The turns of a story as they are told, without what those of others (as many each), as likely, deny."""
        return turns

    def agree(self, told: Turn, turn: Turn) -> bool:
        """Whether a turn is the one that was told, as far as it was."""
        return bool(told.same == turn.same and told.breaks == turn.breaks)

    def goes_on(self, lay: Turn, turn: Turn) -> bool:
        """Whether a turn may be more of what was a whole lawful one when it was seen."""
        return True

    def still_lies(self, slip: Turn, turns: Sequence[Turn], look: Look) -> bool:
        """Whether what a slip did still lies so in a look that shows the next turns: then nobody put it right."""
        return False

    def part_of(self, before: Any, turn: Turn, look: Look) -> bool:
        """Whether a look may show a part of this turn at all; where it may not, what it shows was put back."""
        return True

    def between(self, before: Any, turn: Turn, look: Look) -> Fit | None:
        """How well a look shows a part of this turn; None: as was found then."""
        return None

    def nearest(self, before: Any, turn: Turn) -> list[dict[str, Any]]:
        """The legal moves that would have changed the fewest pieces; none where it is not known what was possible."""
        return []

    def legal(self, table: Any) -> Iterable[Turn]:
        """The turns that the player whose turn it is may take, as far as they can be seen; without what chance adds."""
        ...

    def because(self, table: Any, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """The rules by which a reading cannot be, and pointers of the pieces that prove it."""
        ...

    def state(self, table: Any) -> dict[str, Any]:
        """The table in the form of the looks."""
        ...

    def scored(self, table: Any) -> dict[str, Any]:
        """The last table in the form of the looks, as it is scored."""
        return self.state(table)

    def expected(self, table: Any) -> int | None:
        """The player whose turn it is while the game goes on; None where it may be several players'."""
        return None

    def turn_of(self, table: Any) -> str | None:
        """Whose turn it is; None where the game is over, or where it is not known."""
        player = None if self.over(table) else self.expected(table)
        return None if player is None else self.names[player]

    def over(self, table: Any) -> bool:
        """Whether the rules say that the game is over."""
        ...

    def seen_again(self, table: Any, look: Look) -> tuple[Any, Renewal | None]:
        """The table with what a look tells of things that lay there before, and what that changes of earlier turns."""
        return table, None

    def cleared_next(self, table: Any) -> bool:
        """Whether the next thing to do is to clear the table."""
        return self.over(table)
