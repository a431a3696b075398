"""Recorded games: the looks of a part of a game of each kind, misreads and slips among them, and what has to come out.

`python -m tests.referee.test_games SEED` records one of each kind that has none. The moves are those that happened, the
slips are some of those that were made; a part that the referee did not follow rightly when it was recorded is left out.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from referee import Game
from training.synth.games.camera import is_look
from training.synth.games.cases import KINDS, known
from training.synth.games.signs import sign

GAMES = Path(__file__).parent / "games"
LOOKS = {"ruin-books": 16, "splendor": 9, "other": 16, "ruin": 9, "igna": 16}


def followed(lines):
    game, log, slips = Game(), [], []
    for out in (*(game.take(line) for line in lines), game.end()):
        for line in out:
            if line["line"] == "replaced":
                del log[line["from"] - 1 :]
            elif line["line"] == "move":
                log.append([sign(line), line["breaks"]])
            elif line["line"] == "slip":
                slips.append([line["who"], line["breaks"][0]])
    return log, slips


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_game_is_followed(path):
    *lines, expected = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    log, slips = followed(lines)
    assert json.loads(json.dumps([move for move, _ in log])) == expected["moves"]
    assert slips == expected["slips"]
    assert [breaks[0] for _, breaks in log if breaks] == expected["broken"]


def test_every_kind_of_game_is_recorded():
    assert {path.stem.rsplit("-", 1)[0] for path in GAMES.glob("*.jsonl")} == set(KINDS)


def recorded(kind, seed):
    """The lines of a part of a game, and the truth of it; None where the referee does not follow it rightly."""
    case = KINDS[kind](Random(f"{seed} {kind}"))
    most = next((n for name, n in LOOKS.items() if kind.startswith(name)), 13)
    lines, n = [], 0
    for line in case.shot.lines:
        lines.append(line)
        if is_look(line):
            n += 1
        if n == most:
            break
    done = case.shot.steps[n - 1].turns
    if not case.shot.steps[n - 1].rests:
        return None
    log, slips = followed(lines)
    moves = json.loads(json.dumps([move for move, _ in log]))
    made = Counter((who, rule) for who, rules in case.slips for rule in rules)
    if known([move for move, _ in log], case) != case.moves[:done] or not all(made[tuple(slip)] for slip in slips):
        return None
    if ("slips" in kind) != bool(slips):
        return None
    broken = [breaks[0] for _, breaks in log if breaks]
    return [*lines, {"moves": moves, "slips": slips, "broken": broken}]


if __name__ == "__main__":
    for name in KINDS:
        if list(GAMES.glob(f"{name}-[0-9]*.jsonl")):
            continue
        for number in range(40):
            found = recorded(name, f"{sys.argv[1]} {number}")
            if found is not None:
                text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in found)
                (GAMES / f"{name}-1.jsonl").write_text(text, encoding="utf-8")
                break
        print(name, found is not None)
