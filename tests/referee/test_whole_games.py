"""Whole games of each kind, misreads and slips among them, the table cleared in the end: all that the referee says.

Kept are games in which all of it agreed with what had happened: each move, each slip and whose it was, each misread
piece, nothing beside them, and the totals. `python -m tests.referee.test_whole_games SEED` records them anew, where the
referee says something in another way.
"""

import json
import lzma
import sys
import time
from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from referee import Game
from training.synth.games.cases import KINDS

KEPT = Path(__file__).parent / "whole_games"
EACH, OF_SEEKERS = 4, 6
"""Games of a kind; those of Twelve Seekers take a tenth of a second."""
SECONDS = 1.5
"""Of the processor, for a whole game: longer ones are left out."""
LOOKED_AT = 25.0
"""Seconds of the processor in which the games of a kind are chosen."""


def said_of(lines):
    """What the referee says of each line and in the end, but for how sure it is, which processors round differently."""
    game = Game()
    said = [*(game.take(line) for line in lines), game.end()]
    return _without_sure(json.loads(json.dumps(said, default=str)))


def _without_sure(value):
    if isinstance(value, dict):
        return {key: _without_sure(one) for key, one in value.items() if key != "sure"}
    return [_without_sure(one) for one in value] if isinstance(value, list) else value


def games():
    """Each game that is kept: its file, and its number there."""
    for path in sorted(KEPT.glob("*.xz")):
        kind = path.name.removesuffix(".jsonl.xz")
        for n in range(OF_SEEKERS if "seekers" in kind else EACH):
            yield pytest.param(path, n, id=f"{kind}-{n}")


@lru_cache(maxsize=1)
def unpacked(path):
    """The lines of a file, each of them a game; they are tried one after the other."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


@pytest.mark.parametrize(("path", "n"), list(games()))
def test_a_whole_game_is_told_as_it_was(path, n):
    game = json.loads(unpacked(path)[n])
    for look, (now, kept) in enumerate(zip(said_of(game["lines"]), game["said"], strict=True)):
        assert now == kept, f"line {look} of what was seen"


def test_every_kind_of_game_is_kept():
    assert {path.name.removesuffix(".jsonl.xz") for path in KEPT.glob("*.xz")} == set(KINDS)


def recorded(kind, seed):
    """A game's lines and what is said of them; None where that is not what happened, or took too long."""
    from bench.referee import cleared, judge  # noqa: PLC0415 - for recording alone

    case, figures = KINDS[kind](Random(seed)), Counter()
    judge(case, figures, None)
    agreed = ("hits", "moves"), ("told", "slips"), ("said", "slips"), ("fixed", "wrong"), ("totals", "scored")
    if any(figures[one] != figures[other] for one, other in agreed):
        return None
    if any(figures[name] for name in ("spurious", "false", "overfixed", "standing")) or figures["seconds"] > SECONDS:
        return None
    lines = [*case.shot.lines, *(cleared(Random(len(case.shot.lines)), case.shot.steps[-1].state) * case.clearing)]
    return {"lines": lines, "said": said_of(lines)}


def shown_by(value, at=""):
    """What is told of in a game: each word that is no name, number or piece, and where it stands."""
    if isinstance(value, dict):
        return {
            one for key, part in value.items() if key not in ("state", "move") for one in shown_by(part, f"{at}/{key}")
        }
    if isinstance(value, list):
        return {one for part in value for one in shown_by(part, at)}
    return {(at, value if isinstance(value, bool) or at.endswith(RULES) else value is None)}


RULES = ("/line", "/breaks", "/because", "/rule", "/special", "/from", "/what")


def chosen(found, most):
    """So many games: each the one that shows the most that those before it did not, then the one that says the most."""
    kept, shown = [], set()
    left = [(shown_by(one["said"]), len(json.dumps(one["said"])), one) for one in found]
    while left and len(kept) < most:
        best = max(left, key=lambda one: (len(one[0] - shown), one[1]))
        left.remove(best)
        shown |= best[0]
        kept.append(best[2])
    return kept


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name in sys.argv[2:] or KINDS:
        most = OF_SEEKERS if "seekers" in name else EACH
        found, began = [], time.process_time()
        for number in range(400):
            if len(found) == 3 * most or (len(found) >= most and time.process_time() - began > LOOKED_AT):
                break
            one = recorded(name, f"{sys.argv[1]} {name} {number}")
            found += [one] * (one is not None)
        best = chosen(found, most)
        text = "".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in best)
        with lzma.open(KEPT / f"{name}.jsonl.xz", "wt", encoding="utf-8", preset=9) as out:
            out.write(text)
        print(name, len(best), "of", len(found), "of", number, flush=True)
