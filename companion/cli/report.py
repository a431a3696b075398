"""Print a breakdown as text for a terminal."""

from collections.abc import Iterator

from companion.words.places import in_words
from companion.words.text import one_line
from companion.words.words import Words
from scoring.breakdown import Breakdown, Line, Note, PlayerScore, Ruling

MOST_ALTERNATIVES = 8


def report(breakdown: Breakdown, words: Words, explain: bool = False) -> str:
    """Every player's lines and total, the winners, the notes; with `explain` also reasons and what else could be."""
    return "\n".join(one_line(row).rstrip() for row in _rows(breakdown, words, explain))


def _rows(breakdown: Breakdown, words: Words, explain: bool) -> Iterator[str]:
    names = [player.name for player in breakdown.players]
    yield words.term(f"game.{breakdown.game}")
    for player in breakdown.players:
        yield ""
        yield from _player(player, names, words, explain)
    yield ""
    if breakdown.winners:
        yield words.say("report.winners", names=breakdown.winners, n=len(breakdown.winners))
    else:
        yield words.term("report.no-winner")
    if breakdown.leading:
        yield words.say("report.leading", names=breakdown.leading)
    for note in breakdown.notes:
        yield f"* {words.note(note)}"
        if explain and note.source:
            yield from _reasons(note, names, words, indent=2)
    if explain:
        for ruling in breakdown.rulings:
            yield from _ruling(ruling, names, breakdown, words)


def _player(player: PlayerScore, names: list[str], words: Words, explain: bool) -> Iterator[str]:
    yield f"{_points(player.total):>5}  {player.name}"
    for line in player.lines:
        yield f"{_signed(line.points):>5}    {words.line(line)}"
        if explain:
            yield from _reasons(line, names, words, indent=11)
            if line.gap:
                yield f"{'':>11}{words.say('report.gap', places=in_words(line.gap, names, words))}"
    if player.choices:
        yield f"{'':>9}{words.say('report.choices', choices=words.choices(player.choices))}"
    if explain:
        for other in player.alternatives[:MOST_ALTERNATIVES]:
            yield f"{'':>9}{_points(other.total):>5}  {words.choices(other.choices)}"
        if (more := len(player.alternatives) - MOST_ALTERNATIVES) > 0:
            yield f"{'':>9}{words.say('report.more', n=more)}"


def _reasons(said: Line | Note, names: list[str], words: Words, indent: int) -> Iterator[str]:
    yield f"{'':>{indent}}{words.say('report.source', **words.source(said.source))}"
    if said.because:
        yield f"{'':>{indent}}{words.say('report.because', places=in_words(said.because, names, words))}"


def _ruling(ruling: Ruling, names: list[str], taken: Breakdown, words: Words) -> Iterator[str]:
    yield ""
    yield f"? {words.question(ruling.question)}"
    yield f"  {words.basis(ruling.grade, ruling.source)}"
    yield f"  {words.say('report.taken', text=words.reading(ruling.question, ruling.taken))}"
    yield f"  {words.say('report.other', text=words.reading(ruling.question, ruling.other))}"
    totals = tuple(f"{name} {_points(total)}" for name, total in zip(names, ruling.totals, strict=True))
    yield f"  {words.say('report.totals', totals=totals)}"
    if ruling.winners != taken.winners:
        then = words.say("report.winners-then", names=ruling.winners)
        yield f"  {then if ruling.winners else words.term('report.nobody-then')}"
    if ruling.leading != taken.leading and ruling.leading:
        yield f"  {words.say('report.leading-then', names=ruling.leading)}"


def _points(points: int | None) -> str:
    return "?" if points is None else str(points)


def _signed(points: int | None) -> str:
    return "?" if points is None else f"{points:+}" if points else "0"
