"""The referee's log in words, one sentence a line. What a turn was each game says: see `companion.games.told`."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from companion.games import GAMES
from companion.games.told import UNKNOWN, Told
from companion.words.places import in_words
from companion.words.template import number
from companion.words.words import words


class Log:
    """Everything that the referee's lines say, in one language."""

    def __init__(
        self, language: str, game: str | None = None, names: Mapping[str, str] | None = None, ids: bool = False
    ) -> None:
        """`game`: that of the lines, None where a header says it; `names`: what people call the players, by the names
        that the lines have; `ids`: rules have theirs too."""
        self._told = _told(game)
        self._words, self._names, self._ids = words(language), names or {}, ids
        self._seats: list[str] = list(self._names.values())

    def sentence(self, line: Mapping[str, Any]) -> str:
        """The sentence of a line, empty where the line says nothing to people."""
        say = getattr(self, f"_{line['line']}", None)
        return str(say(line)) if say is not None else ""

    # Lines

    def _header(self, line: Mapping[str, Any]) -> str:
        rule = self.say("header.rule", n=line["rule"]) if line.get("rule") is not None else ""
        players = self.join(line["players"])
        self._seats = self._seats or list(line["players"])
        self._told = _told(line["game"])
        return self.say("header", game=self.say(f"game.{line['game']}"), rule=rule, players=players)

    def _move(self, line: Mapping[str, Any]) -> str:
        text = self.say("move", n=line["n"], who=self._who(line["who"]), did=self._did(line))
        if line.get("breaks"):
            text += self.say("move.breaks", rules=self._rules(line["breaks"]))
        if line.get("by") == "assumed":
            text += self.say("move.assumed")
        return text

    def _slip(self, line: Mapping[str, Any]) -> str:
        if line["who"] is None:
            return self.say("slip.nobody", rules=self._rules(line["breaks"]))
        return self.say("slip", who=self._who(line["who"]), rules=self._rules(line["breaks"]))

    def _mended(self, line: Mapping[str, Any]) -> str:
        return self.say("mended", slip=line["slip"])

    def _corrected(self, line: Mapping[str, Any]) -> str:
        return self.corrected([line])[0]

    def corrected(self, lines: Iterable[Mapping[str, Any]]) -> list[str]:
        """What was read otherwise than it is, in one sentence for all pieces of a look that are alike."""
        alike: dict[tuple[Any, ...], list[str]] = {}
        for line in lines:
            said = self.piece(line["read"]), self.piece(line["is"]), self._rules(line["because"])
            alike.setdefault((line["look"], *said), []).append(line["at"])
        return [
            self.say("corrected", look=look, at=self._at(at), read=read, true=true, rules=rules)
            for (look, read, true, rules), at in alike.items()
        ]

    def _replaced(self, line: Mapping[str, Any]) -> str:
        return self.say("replaced", n=line["from"])

    def _undone(self, line: Mapping[str, Any]) -> str:
        return self.say("undone", n=line["n"])

    def _question(self, line: Mapping[str, Any]) -> str:
        choices = self.say("question.or").join(
            self.say("question.choice", key=choice["key"], did=self.choice(choice)) for choice in line["choices"]
        )
        return self.say("question", id=line["id"], choices=choices)

    def choice(self, choice: Mapping[str, Any]) -> str:
        """One explanation of a question."""
        move = choice["move"]
        return self.say("move.short", who=self._who(move.get("who")), did=self._did(move))

    def legal(self, lines: Iterable[Mapping[str, Any]]) -> list[str]:
        """The turns that may be taken and the points that they would give, each once, laid where it gives the most."""
        found = list(lines)
        several = len({line["who"] for line in found}) > 1
        ways: dict[str, list[Mapping[str, Any]]] = {}
        for line in found:
            did = self._did({key: value for key, value in line.items() if key not in self._told.apart})
            did = self.say("move.short", who=self._who(line["who"]), did=did) if several else did
            ways.setdefault(did, []).append(line)
        return [self._worth(did, same) for did, same in ways.items()]

    def house(self, name: str, value: object) -> str:
        """How the house reads what the rulebook is silent on."""
        said = "on" if value is True else "off" if value is False else value
        key = f"house.{name}" if isinstance(said, int) else f"house.{name}.{said}"
        return self.say(key, n=value)

    def _worth(self, did: str, ways: list[Mapping[str, Any]]) -> str:
        best = max(ways, key=lambda line: (line["points"] or 0, *(-(line.get(key) or 0) for key in self._told.apart)))
        did, points = did + self._told.way(best, ways, self), best["points"]
        return did if points is None else self.say("legal", did=did, points=number(points, "+d") if points else "±0")

    def _look(self, line: Mapping[str, Any]) -> str:
        if "error" in line:
            return self.say("look.error", error=line["error"])
        return self.join(self.owed(one) for one in line["owed"])

    def owed(self, one: Mapping[str, Any]) -> str:
        """What somebody still has to do before the turn is over."""
        return self.say("look.owed", who=self._who(one["who"]), rules=self._rules([one["rule"]]))

    def _end(self, line: Mapping[str, Any]) -> str:
        answer = line.get("answer") or {}
        if line["state"] is None:
            return ""
        if "error" in answer:
            return self.say("end.error", error=answer["error"])
        totals = self.join(
            self.say("end.total", name=player["name"], total=UNKNOWN if player["total"] is None else player["total"])
            for player in answer.get("players", ())
        )
        return self.say("end.over" if line["over"] else "end.open", totals=totals)

    # What was done

    def _did(self, move: Mapping[str, Any]) -> str:
        kind = move["move"]
        own = self._told.did(move, self)
        if own is None and kind == "edit":
            what = move.get("what")
            own = self.say("did.edit", what=self.pieces(what)) if what else self.say("did.edit-unknown")
        return self.say(f"did.{kind}", what=self.pieces(move.get("what"))) if own is None else own

    # Words

    def say(self, key: str, /, **values: Any) -> str:
        """A sentence of the catalogs."""
        return self._words.say(key, **values)

    def term(self, key: str, other: str) -> str:
        """A word of the catalogs, `other` where they have none."""
        return self._words.term(key) if key in self._words else other

    def join(self, parts: Iterable[Any]) -> str:
        """Things one after the other."""
        return self.say("list.comma").join(str(part) for part in parts)

    def _rules(self, rules: Iterable[str]) -> str:
        said = {rule: self.term(f"rule.{rule}", "") for rule in rules}
        return self.join(self.say("rule", id=rule, text=text) if self._ids else text for rule, text in said.items())

    def _who(self, who: str | None) -> str:
        return self.say("nobody") if who is None else self._names.get(who, who)

    def _at(self, pointers: list[str]) -> str:
        """Places in words, where the players' names are known."""
        return in_words(pointers, self._seats, self._words) if self._seats else self.join(pointers)

    def piece(self, piece: Any) -> str:
        """A piece: its color, or what the game calls it."""
        if isinstance(piece, dict):
            return self._told.card(piece, self) or self.say("unknown-card")
        if piece in self._told.pieces:
            return self._words.term(self._told.pieces[piece])
        return self.term(f"color.{piece}", self.say("unknown") if piece == UNKNOWN else str(piece))

    def pieces(self, pieces: Any) -> str:
        """Several pieces, alike ones counted."""
        counts = Counter(self.piece(piece) for piece in pieces or ())
        if not counts:
            return self.say("nothing")
        return self.join(self.say("pieces", n=n, piece=piece) if n > 1 else piece for piece, n in counts.items())


def _told(slug: str | None) -> Told:
    game = GAMES.get(slug or "")
    return Told() if game is None else game.told
