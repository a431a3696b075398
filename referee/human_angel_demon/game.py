"""A game of Human Angel Demon: what a look is read as, the lines of its log.

A card keeps its number from when it is first seen; what it is, all looks that show it say together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from referee.human_angel_demon.cards import is_set, may_be_same
from referee.human_angel_demon.tables import (
    KEPT,
    NO_TAKE,
    UNSEEN,
    Done,
    Reading,
    ReadSide,
    Table,
    card_codes,
    cards_at,
    may_have_taken,
)
from referee.looks import UNKNOWN, Fix, Look, list_at, player_rows
from referee.turns import Renewal, Rules, Turn, first_of, house_of
from scoring.human_angel_demon.sets import CODES, goal_forms

GOAL: Final = 8
"""Cards of a hand that goals (H10)."""
LATER: Final = frozenset(("H4", "H8"))
"""Breaches that are told when a further look shows the same."""
PLACES: Final = ("discards", "open")
HANG: Final = frozenset(("H2", "H3", "H6", "H7", "H10"))
"""Rules that nobody judges while no look has shown these places of all players."""


class HumanAngelDemonGame(Rules):
    """The cards of a game between given players, and the lines of its log."""

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.first = first_of(header)
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.short: object = 1
        self.unseen = {(p, place) for p in range(len(self.names)) for place in PLACES}
        """Places that no look has shown."""

    def begins(self, short_game: int) -> int | None:
        """H1: who begins a short game; None where nobody said who began the match."""
        return None if self.first is None else (self.first + short_game - 1) % len(self.names)

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        winner = state.get("winner")
        sides: list[ReadSide | None] = [None] * len(self.names)
        for p, at, row in player_rows(state, self.names):
            opened = list_at(row, "open", at)
            sides[p] = ReadSide(
                at,
                cards_at(row, "discards", at),
                None
                if opened is None
                else tuple(card_codes(cards, f"{at}/open/{n}") for n, cards in enumerate(opened)),
                row.get("ready") if type(row.get("ready")) is bool else None,
                cards_at(row, "hand", at),
                row["hand_size"] if type(row.get("hand_size")) is int else None,
            )
            self.unseen -= {(p, place) for place in PLACES if getattr(sides[p], place) is not None}
            new = state.get("short_game", self.short) != self.short
            before = {} if new else self.players.get(self.names[p], {})
            more = {key: row[key] for key in ("points", "hand", "hand_size", "winning_card") if row.get(key)}
            self.players[self.names[p]] = {**before, **more}
        self.short = short = state.get("short_game", 1)
        extra = {key: state[key] for key in KEPT if key in state}
        same = winner in (None, self.extra.get("winner"))  # who has won is said once
        self.extra = {**self.extra, **extra} if same else extra
        return Reading(
            cards_at(state, "market", ""),
            tuple(sides),
            short if type(short) is int else 1,
            self.names.index(winner) if winner in self.names else None,
            state,
        )

    # Lines of the log

    def turn(self, table: Table, done: Done, after: Table) -> Turn:  # noqa: PLR0912 -- what a line may hold
        """The line of the log for what a player did, with what the cards of `table` are believed to be."""
        name, codes = self.names[done.player], table.codes
        opened = [codes(ids) for ids in done.opened]
        laid = codes(done.discarded)
        breaks = {*done.breaks}
        if not all(is_set(tuple(one)) for one in opened):
            breaks.add("H4")
        if done.number in table.mended:
            breaks.discard("H8")
        took, faced, apart = self._took(table, done, opened, laid), False, None
        fields: dict[str, Any]
        if done.kind == "gain":
            what = codes((done.gained,))
            fields = {"what": what, "from": self.names[done.giver or 0], "opened": opened[0]}
        else:
            fields = {"what": [took], "took": took, "from": "market"}
            if done.gained != UNSEEN or done.giver is not None:
                fields["from"] = self.names[done.giver or 0]
        if done.kind == "goal":
            fields.update(won_by=done.won[0], hand=list(done.won[1]) or UNKNOWN, bonus=list(done.won[2]))
        elif done.kind == "turn":
            if opened:
                fields["opened"] = opened[0]
            if len(opened) > 1:
                fields["also"] = [{"what": card, "from": name, "to": name} for one in opened[1:] for card in one]
            if done.discarded:
                fields["discarded"] = laid[0]
            if len(laid) > 1:
                fields["also"] = [{"what": card, "from": "hand", "to": name} for card in laid[1:]]
            if done.was_ready and len(laid) == 1:
                apart = self._apart(table, done)
                faced = apart is None
                if faced:
                    breaks.add("H5")
        if done.ready:
            fields["ready"] = True
        if done.dealt:
            fields["dealt"] = codes(done.dealt)
        told = tuple(sorted(breaks, key=lambda rule: (rule == "H8", int(rule[1:]))))
        gain = done.kind == "gain"
        pieces = tuple(sorted(card for one in opened for card in one)) or tuple(laid)
        sign = (done.kind, done.player, took, pieces, done.giver)
        return Turn(
            name,
            done.kind,
            fields,
            told,
            after,
            replace(done, sign=sign, apart=apart or 0.0),
            done.number,
            0 if gain else max(done.number - 1, 0) // len(self.names) + 1,
            not told,
            LATER.isdisjoint(told) and not faced,
            done.kind == "turn" and not opened and not laid,
        )

    @staticmethod
    def _apart(table: Table, done: Done) -> float | None:
        """H5: what it costs that what was discarded is what was taken, whichever card that was and whatever may be
        misread; None where that is less likely than a slip.
        """
        laid, took = table.cards[done.discarded[0]], may_have_taken(table, done)
        cards = [table.cards[card] for card in took]
        if not cards or any(card.guessed or card.code == UNKNOWN for card in (laid, *cards)):
            return 0.0
        open_ = len(cards) > 1 or any(card.unsure() for card in (laid, *cards))
        ways = [0.0 if card.code == laid.code else may_be_same(card, laid) if open_ else None for card in cards]
        return min((cost for cost in ways if cost is not None), default=None)

    def _took(self, table: Table, done: Done, opened: list[list[str]], laid: list[str]) -> str:
        """What a turn took, as the log says it."""
        if done.gained != UNSEEN:
            return table.cards[done.gained].code
        if done.take == NO_TAKE:
            return UNKNOWN
        card = table.cards[table.takes[done.take]]
        used = {card for one in opened for card in one} | ({*laid} if done.was_ready else set())
        return card.code if card.code in used else card.told()

    def again(self, turn: Turn, table: Table, changed: set[int]) -> Turn:
        """A turn as it is seen now that some cards or takes are believed to be others."""
        done = turn.same
        if not isinstance(done, Done):
            return turn
        took = table.takes[done.take] if done.take != NO_TAKE else UNSEEN
        mine = {took, done.gained, *done.discarded, *done.dealt, *(card for one in done.opened for card in one)}
        mine.update(may_have_taken(table, done) if done.was_ready else ())
        if changed.isdisjoint(mine) and -done.take - 2 not in changed and -1000 - done.number not in changed:
            return turn
        return self.judged(self.turn(table, done, turn.table))

    def judged(self, turn: Turn) -> Turn:
        """A turn without the breaches that hang on places which no look has shown."""
        return turn.without(HANG) if self.unseen else turn

    def renewal(self, before: Table, table: Table) -> Renewal | None:
        """What a table that has been seen once more changes in what was told of earlier looks."""
        pairs = enumerate(zip(before.cards, table.cards, strict=False))
        cards = [n for n, (one, now) in pairs if one is not now and (one.code, one.told()) != (now.code, now.told())]
        changed = {*cards}
        takes = enumerate(zip(before.takes, table.takes, strict=False))
        changed |= {-n - 2 for n, (one, now) in takes if one != now}
        changed |= {-1000 - n for n in table.mended - before.mended}
        if not changed:
            return None
        wrong = tuple(one for card in cards for one in table.cards[card].wrong())
        judged = {(look.number, at) for card in cards for look, at, _ in table.cards[card].seen}
        return Renewal(lambda turn: self.again(turn, table, changed), wrong, judged, _apart)

    # Goals

    def against(self, table: Table, p: int, read: Reading) -> bool:
        """H10: whether the rules forbid a goal that is claimed."""
        side, shown, state = table.sides[p], read.sides[p], read.state
        by_discard = state.get("won_by") == "discard"
        if not side.open or (by_discard and not side.ready):
            return True
        hand = shown.hand if shown is not None else None
        if hand is None or UNKNOWN in hand or len(hand) < GOAL:
            return False
        titles = [CODES[card][0] for card in hand]
        if len(hand) > GOAL or not goal_forms(titles):
            return True
        row: Mapping[str, Any] = next((one for one in state.get("players", ()) if one.get("name") == self.names[p]), {})
        won = row.get("winning_card")
        if not by_discard or not state.get("advanced") or won not in CODES or CODES[won][0] not in titles:
            return False
        titles.remove(CODES[won][0])
        own = {CODES[code][0] for code in table.codes(side.discards) if code in CODES}
        return any(goal_forms([*titles, one]) for one in own)

    # The rest of what the tracker asks

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """What was laid stays as it is: H3 for discards, H2 for the market, H8 for cards that exist only so often."""
        rule = "H3" if "/discards/" in fix.at else "H2" if fix.at.startswith("/market") else "H8"
        return [rule], []

    def scored(self, table: Table) -> dict[str, Any]:
        """The last table, without discards that no look has shown: they score nothing."""
        state = self.state(table)
        for player in state["players"]:
            player["discards"] = [code for code in player["discards"] if code != UNKNOWN]
        return state

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        table = table.in_the_box()
        players = [
            {
                "name": name,
                **self.players.get(name, {}),
                "open": [table.codes(cards) for cards in side.open],
                "discards": table.codes(side.discards),
                "ready": side.ready,
            }
            for name, side in zip(self.names, table.sides, strict=True)
        ]
        state = {"game": "human-angel-demon", "short_game": table.short_game, "market": table.codes(table.market)}
        extra = self.extra if table.winner is not None else {}
        return {"winner": None, **state, "players": players, **extra}


def _apart(turn: Turn) -> float:
    """What it costs that cards of a turn are the same, though they were read otherwise."""
    return turn.same.apart if isinstance(turn.same, Done) else 0.0
