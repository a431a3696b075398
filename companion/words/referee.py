"""The referee's log in words, one sentence a line, English and Japanese."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from companion.words.places import in_words
from companion.words.template import number
from companion.words.words import words

UNKNOWN = "?"
CELLS = {".": "js.cell.blank", "o": "js.cell.passage", "#": "js.cell.wall"}
"""What a cell of a map shows, by its sign."""


class Log:
    """Everything that the referee's lines say, in one language."""

    def __init__(self, language: str, names: Mapping[str, str] | None = None, ids: bool = False) -> None:
        """`names`: what people call the players, by the names that the lines have; `ids`: rules have theirs too."""
        self._words, self._names, self._ids = words(language), names or {}, ids
        self._seats: list[str] = list(self._names.values())

    def sentence(self, line: Mapping[str, Any]) -> str:
        """The sentence of a line, empty where the line says nothing to people."""
        say = getattr(self, f"_{line['line']}", None)
        return str(say(line)) if say is not None else ""

    # Lines

    def _header(self, line: Mapping[str, Any]) -> str:
        rule = self._say("header.rule", n=line["rule"]) if line.get("rule") is not None else ""
        players = self._join(line["players"])
        self._seats = self._seats or list(line["players"])
        return self._say("header", game=self._say(f"game.{line['game']}"), rule=rule, players=players)

    def _move(self, line: Mapping[str, Any]) -> str:
        text = self._say("move", n=line["n"], who=self._who(line["who"]), did=self._did(line))
        if line.get("breaks"):
            text += self._say("move.breaks", rules=self._rules(line["breaks"]))
        if line.get("by") == "assumed":
            text += self._say("move.assumed")
        return text

    def _slip(self, line: Mapping[str, Any]) -> str:
        if line["who"] is None:
            return self._say("slip.nobody", rules=self._rules(line["breaks"]))
        return self._say("slip", who=self._who(line["who"]), rules=self._rules(line["breaks"]))

    def _mended(self, line: Mapping[str, Any]) -> str:
        return self._say("mended", slip=line["slip"])

    def _corrected(self, line: Mapping[str, Any]) -> str:
        return self.corrected([line])[0]

    def corrected(self, lines: Iterable[Mapping[str, Any]]) -> list[str]:
        """What was read otherwise than it is, in one sentence for all pieces of a look that are alike."""
        alike: dict[tuple[Any, ...], list[str]] = {}
        for line in lines:
            said = self._piece(line["read"]), self._piece(line["is"]), self._rules(line["because"])
            alike.setdefault((line["look"], *said), []).append(line["at"])
        return [
            self._say("corrected", look=look, at=self._at(at), read=read, true=true, rules=rules)
            for (look, read, true, rules), at in alike.items()
        ]

    def _replaced(self, line: Mapping[str, Any]) -> str:
        return self._say("replaced", n=line["from"])

    def _undone(self, line: Mapping[str, Any]) -> str:
        return self._say("undone", n=line["n"])

    def _question(self, line: Mapping[str, Any]) -> str:
        choices = self._say("question.or").join(
            self._say("question.choice", key=choice["key"], did=self.choice(choice)) for choice in line["choices"]
        )
        return self._say("question", id=line["id"], choices=choices)

    def choice(self, choice: Mapping[str, Any]) -> str:
        """One explanation of a question."""
        move = choice["move"]
        return self._say("move.short", who=self._who(move.get("who")), did=self._did(move))

    def legal(self, lines: Iterable[Mapping[str, Any]]) -> list[str]:
        """The turns that may be taken and the points that they would give, each once, laid where it gives the most."""
        found = list(lines)
        several = len({line["who"] for line in found}) > 1
        ways: dict[str, list[Mapping[str, Any]]] = {}
        for line in found:
            did = self._did({**line, "swaps": 0})  # swaps only where they are worth more
            did = self._say("move.short", who=self._who(line["who"]), did=did) if several else did
            ways.setdefault(did, []).append(line)
        return [self._worth(did, same) for did, same in ways.items()]

    def house(self, name: str, value: object) -> str:
        """How the house reads what the rulebook is silent on."""
        said = "on" if value is True else "off" if value is False else value
        key = f"house.{name}" if isinstance(said, int) else f"house.{name}.{said}"
        return self._say(key, n=value)

    def _worth(self, did: str, ways: list[Mapping[str, Any]]) -> str:
        best = max(ways, key=lambda line: (line["points"] or 0, -(line.get("swaps") or 0)))
        to, points = best.get("to"), best["points"]
        if any(line["points"] != points for line in ways) and isinstance(to, dict) and "end" in to:
            did += self._say(f"legal.{to['end']}-turned" if to.get("turned") is True else f"legal.{to['end']}")
        if best.get("swaps"):
            did += self._say("did.swaps", n=best["swaps"])
        return did if points is None else self._say("legal", did=did, points=number(points, "+d") if points else "±0")

    def _look(self, line: Mapping[str, Any]) -> str:
        if "error" in line:
            return self._say("look.error", error=line["error"])
        return self._join(self.owed(one) for one in line["owed"])

    def owed(self, one: Mapping[str, Any]) -> str:
        """What somebody still has to do before the turn is over."""
        return self._say("look.owed", who=self._who(one["who"]), rules=self._rules([one["rule"]]))

    def _end(self, line: Mapping[str, Any]) -> str:
        answer = line.get("answer") or {}
        if line["state"] is None:
            return ""
        if "error" in answer:
            return self._say("end.error", error=answer["error"])
        totals = self._join(
            self._say("end.total", name=player["name"], total=UNKNOWN if player["total"] is None else player["total"])
            for player in answer.get("players", ())
        )
        return self._say("end.over" if line["over"] else "end.open", totals=totals)

    # What was done

    def _did(self, move: Mapping[str, Any]) -> str:
        kind = move["move"]
        make = self._did_way if "way" in move else getattr(self, f"_did_{kind}", None)
        return str(make(move)) if make is not None else self._say(f"did.{kind}", what=self._pieces(move.get("what")))

    def _did_way(self, move: Mapping[str, Any]) -> str:
        return self._say(f"did.way.{move['way']}", what=self._pieces(move.get("what")))

    def _did_take(self, move: Mapping[str, Any]) -> str:
        seeker = move["seeker"]
        cards = seeker if isinstance(seeker, list) else [seeker]
        place = str(move.get("from", UNKNOWN)).removeprefix("dungeon.")
        where = self._say(f"from.{place}") if place in ("left", "right", "both") else self._say("from.middle")
        text = self._say(
            "did.take",
            seeker=self._join(self._seeker(card) for card in cards),
            what=self._pieces(move["what"]),
            where=where,
        )
        if move.get("swaps"):
            text += self._say("did.swaps", n=move["swaps"])
        text += self._further(move)
        for key in ("stole", "gave"):
            if move.get(key):
                text += self._say(f"did.{key}", what=self._piece(move[key]))
        if move.get("swapped"):
            mine, theirs = move["swapped"]
            text += self._say("did.swapped", mine=self._piece(mine), theirs=self._piece(theirs))
        if move.get("bonus"):
            text += self._say("did.bonus", n=move["bonus"])
        return text

    def _did_tokens(self, move: Mapping[str, Any]) -> str:
        return self._say("did.tokens", what=self._pieces(move["what"])) + self._further(move)

    def _did_buy(self, move: Mapping[str, Any]) -> str:
        paid = [color for color, n in move["paid"].items() for _ in range(n)]
        what = self._pieces(paid) if paid else self._say("nothing")
        key = "did.buy" if move.get("from") == "market" else "did.buy-kept"
        return self._say(key, card=self._card(move["card"]), what=what) + self._further(move)

    def _did_keep(self, move: Mapping[str, Any]) -> str:
        key = "did.keep-gold" if move.get("gold") else "did.keep"
        return self._say(key, card=self._card(move["card"])) + self._further(move)

    def _further(self, move: Mapping[str, Any]) -> str:
        """What went back or was thrown out then, and whether a noble came."""
        gone = [key for key in ("returned", "thrown") if move.get(key)]
        text = "".join(self._say(f"did.{key}", what=self._pieces(move[key])) for key in gone)
        return text + (self._say("did.noble") if move.get("noble") else "")

    def _did_turn(self, move: Mapping[str, Any]) -> str:
        if move.get("laid") == UNKNOWN and move.get("sets"):
            return self._say("did.turn-sets", what=self._pieces(card for one in move["sets"] for card in one))
        if "drew" in move:
            return self._say("did.turn-igna", what=self._pieces([move["laid"]] if move.get("laid") else []))
        took = self._piece(move.get("took", UNKNOWN))
        if move.get("discarded") == UNKNOWN and not move.get("ready") and not move.get("opened"):
            return self._say("did.turn-takes", took=took)
        if move.get("opened"):
            return self._say("did.turn-opened", took=took, what=self._pieces(move["opened"]))
        key = "did.turn-ready" if move.get("ready") else "did.turn"
        return self._say(key, took=took, what=self._piece(move.get("discarded", UNKNOWN)))

    def _did_write(self, move: Mapping[str, Any]) -> str:
        cells = move.get("cells", ())
        text = self._say(f"did.write-{move.get('action', UNKNOWN)}" if cells else "did.write-none", n=len(cells))
        return text + (self._say("did.claimed", letter=move["claimed"]) if move.get("claimed") else "")

    def _did_edit(self, move: Mapping[str, Any]) -> str:
        what = move.get("what")
        return self._say("did.edit", what=self._pieces(what)) if what else self._say("did.edit-unknown")

    def _did_cards(self, move: Mapping[str, Any]) -> str:
        return self._say("did.cards", off=self._join(move["off"]), row=self._join(move["row"]))

    # Words

    def _say(self, key: str, /, **values: Any) -> str:
        return self._words.say(key, **values)

    def _term(self, key: str, other: str) -> str:
        return self._words.term(key) if key in self._words else other

    def _join(self, parts: Iterable[Any]) -> str:
        return self._say("list.comma").join(str(part) for part in parts)

    def _rules(self, rules: Iterable[str]) -> str:
        said = {rule: self._term(f"rule.{rule}", "") for rule in rules}
        return self._join(self._say("rule", id=rule, text=text) if self._ids else text for rule, text in said.items())

    def _who(self, who: str | None) -> str:
        return self._say("nobody") if who is None else self._names.get(who, who)

    def _at(self, pointers: list[str]) -> str:
        """Places in words, where the players' names are known."""
        return in_words(pointers, self._seats, self._words) if self._seats else self._join(pointers)

    def _piece(self, piece: Any) -> str:
        if isinstance(piece, dict):
            return self._card(piece)
        if piece in CELLS:
            return self._words.term(CELLS[piece])
        return self._term(f"color.{piece}", self._say("unknown") if piece == UNKNOWN else str(piece))

    def _pieces(self, pieces: Any) -> str:
        counts = Counter(self._piece(piece) for piece in pieces or ())
        if not counts:
            return self._say("nothing")
        return self._join(self._say("pieces", n=n, piece=piece) if n > 1 else piece for piece, n in counts.items())

    def _seeker(self, card: Any) -> str:
        return str(card) if isinstance(card, int) else self._term(f"seeker.{card}", str(card))

    def _card(self, card: Any) -> str:
        if not isinstance(card, dict) or "bonus" not in card:
            return self._say("unknown-card")
        return self._say("card", color=self._piece(card["bonus"]), points=card.get("points", 0))
