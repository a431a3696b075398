"""How well and how fast the referee follows generated games.

    python -m bench.referee [--games 40] [--seeds 5] [--only seekers-line] [--list] [--rules]

Games are random, new at every run unless `--seed` says otherwise, and the figure is that of the worst seed. Legal games
and ones with slips, pieces read wrongly (with and without a flag), halves of turns, several turns between two looks,
lines that are no looks; at the end the table is cleared. The kinds `other-` were written by another hand from the
rules' text (`training/synth/games/laid_out.py`). Figures, over all games of a kind:

matched   moves of the final log that are the moves that happened, one to one, in parts of those
spurious  further moves in that log, in parts of the moves
slips     slips told of who made them with the right rule (of nobody where no look shows whose), in parts of those made
false     slips told that were none, a game
accused   slips told that name somebody who made none, in parts of all that were told
fixed     pieces read wrongly that were corrected, in parts of those
overfixed pieces "corrected" that were read rightly, a game
totals    games whose players' totals are told exactly, of those that can be scored (0 if none); refused ones are wrong
standing  lines of the log that were none of the moves and stood for more than three looks of that player, a game
edits     changes by nobody in the final log, in parts of the moves
eased     moves that are expected with a "?", since no look tells more, in parts of the moves
asked     questions a game
speed     games a second of one core's own time
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from random import Random, SystemRandom
from typing import Any

from referee import Game
from training.synth.games.camera import is_look
from training.synth.games.cases import KINDS, Case, known, totals_of
from training.synth.games.laid_out import cleared
from training.synth.games.rules_tried import UNSEEN, UNTOLD, rules
from training.synth.games.signs import sign

LATE = 3
MORE_IS_WORSE = ("spurious", "false", "accused", "overfixed", "standing", "edits", "eased", "asked")


def judge(case: Case, figures: Counter[str], show: str | None) -> None:  # noqa: PLR0915 -- many figures
    """Play a case, add to the figures."""
    began = time.process_time()
    game = Game()
    log: list[Any] = []
    history: list[list[Any]] = []
    told: list[tuple[str | None, tuple[str, ...]]] = []
    corrected: set[tuple[int, str, Any]] = set()
    questions = 0
    out: list[dict[str, Any]] = []
    lines = case.shot.lines
    if case.clearing:
        lines = [*lines, *cleared(Random(len(lines)), case.shot.steps[-1].state)]
    for line in lines:
        if isinstance(line, dict) and "look" in line:
            corrected = {one for one in corrected if one[0] != line["look"]}  # a person said what lay there
        out = game.take(line)
        questions += _apply(out, log, told, corrected)
        if is_look(line):
            history.append(log.copy())
    out = game.end()
    figures["seconds"] += time.process_time() - began  # type: ignore[assignment]
    questions += _apply(out, log, told, corrected)
    log = known(log, case)
    history = [_either_way(known(so_far, case, False), case) for so_far in history]
    got = _either_way(log.copy(), case)
    hits = len(got) - len(_unmatched(got, case.moves))
    missed, false, accused = _slips(told, case, figures)
    read_wrongly, corrected = _net(case.shot.wrong), _net(corrected)
    wrong = [at for at in read_wrongly if at not in corrected]
    totals = totals_of(out[-1]["state"])
    standing = _standing(history, case, lines)
    figures["games"] += 1
    figures["moves"] += len(case.moves)
    figures["hits"] += hits
    figures["spurious"] += len(got) - hits
    figures["edits"] += sum(one[1] == "edit" for one in got)
    figures["eased"] += case.eased
    figures["slips"] += len(case.slips)
    figures.update(f"hidden {rule}" for rule in case.hidden)
    figures["told"] += len(case.slips) - len(missed)
    figures["said"] += len(told)
    figures["false"] += len(false)
    figures["accused"] += len(accused)
    figures["wrong"] += len(read_wrongly)
    figures["fixed"] += len(read_wrongly) - len(wrong)
    figures["overfixed"] += len(corrected - read_wrongly)
    figures["scored"] += case.totals is not None
    figures["totals"] += totals is not None and case.totals == totals
    figures["standing"] += standing
    figures["asked"] += questions
    if show is not None:
        bad = []
        if hits < len(case.moves) or len(got) > hits:
            missing = [move for move in case.moves if move not in got]
            more = [move for move in got if move not in case.moves]
            bad.append(f"moves: missing {missing} more {more}")
        if missed or false:
            bad.append(f"slips: not told {missed}, false {false}, of them accused {accused}")
        if wrong or corrected - read_wrongly:
            bad.append(f"not fixed {wrong}, overfixed {corrected - read_wrongly}")
        if case.totals is not None and case.totals != totals:
            bad.append(f"totals {totals} for {case.totals}")
        if standing:
            bad.append(f"standing {standing}")
        if questions:
            bad.append(f"questions {questions}")
        if bad:
            print(f"{show}: " + "\n    ".join(bad))


def _slips(told: list[Any], case: Case, figures: Counter[str]) -> tuple[list[Any], list[Any], list[Any]]:
    """Slips made and not told with their rule, slips told that were none, and those of them that name the innocent."""
    left = [(who, rules[0]) for who, rules in told]
    further = [(who, rule) for who, rules in told for rule in rules[1:]]
    missed = []
    for i, (who, allowed) in enumerate(case.slips):
        right = next((one for one in left if one[0] == who and one[1] in allowed), None)
        if right is None and i in case.unseen:
            right = next((one for one in left if one[0] is None and one[1] in allowed), None)
            figures[f"nobody {allowed[0]}"] += right is not None
        figures[f"made {allowed[0]}"] += 1
        if right is None:
            missed.append((who, allowed))
        else:
            left.remove(right)
            figures[f"told {allowed[0]}"] += 1
    for who, allowed in missed.copy():  # of two slips in one turn one line tells both
        right = next((one for one in further if one[0] == who and one[1] in allowed), None)
        if right is not None:
            further.remove(right)
            missed.remove((who, allowed))
            figures[f"told {allowed[0]}"] += 1
    false, guilty = [], [who for who, _ in missed]
    unnamed = [rules for _, rules in missed]
    for one in left:
        if one[0] in guilty:
            guilty.remove(one[0])  # of who made a slip, but with another rule
        elif one[0] is not None or not unnamed:
            false.append(one)
        else:
            unnamed.pop()  # told of nobody, since the looks do not show whose it was: not told, and not false
    return missed, false, [one for one in false if one[0] is not None]


def _apply(out: list[dict[str, Any]], log: list[Any], told: list[Any], corrected: set[Any]) -> int:
    asked = 0
    for line in out:
        kind = line["line"]
        if kind == "replaced":
            del log[line["from"] - 1 :]
        elif kind == "undone":
            del log[line["n"] - 1 :]
        elif kind == "move":
            log.append(sign(line))
        elif kind == "slip":
            told.append((line["who"], tuple(line["breaks"])))
        elif kind == "corrected":
            corrected.add((line["look"], line["at"], json.dumps(line["is"])))
        asked += kind == "question"
    return asked


def _said(true: Any) -> str:
    return true if isinstance(true, str) and true.startswith('"') else json.dumps(true)


def _net(found: Iterable[tuple[int, str, Any]]) -> set[tuple[int, str, Any]]:
    """Wrong readings of a look. Where pieces are only counted, no look tells which of two is which: counts count."""
    counted: dict[tuple[int, str], tuple[Counter[str], Counter[str]]] = {}
    net = set()
    for look, at, true in found:
        place, read = at.rsplit("/", 1)
        said = _said(true)
        if read.isdigit():
            net.add((look, at, said))
        else:
            over, under = counted.setdefault((look, place), (Counter(), Counter()))
            over[read] += 1
            under[said.strip('"')] += 1
    for (look, place), (over, under) in counted.items():
        pairs = zip(sorted((over - under).elements()), sorted((under - over).elements()), strict=True)
        net |= {(look, f"{place}/{read}", json.dumps(true)) for read, true in pairs}
    return net


def _either_way(got: list[Any], case: Case) -> list[Any]:
    """The log; turns of one player that no look separates stand in either order, as do those of one round for all,
    and turns of several where nothing says whose was the first.
    """
    seen = sorted({step.turns for step in case.shot.steps})
    for first, last in pairwise(seen):
        turns, lines = case.moves[first:last], got[first:last]
        i = 1 if turns[0][1] in ("write", "cards") else 0
        ordered = case.in_turn and [move[i] for move in turns] != [line[i] for line in lines]
        if not ordered and Counter(turns) == Counter(lines):
            got[first:last] = turns
    return got


def _standing(history: list[list[Any]], case: Case, lines: list[Any]) -> int:
    """Lines of the log, wherever they stand, that were none of the moves in more than three looks running.

    Only looks that show anything of the line's player tell better: where each has a photo of one's own, those.
    """
    age: Counter[tuple[Any, int]] = Counter()
    late = 0
    looks = [line["state"] for line in lines if is_look(line)]
    for log, look in zip(history, looks, strict=True):
        more: Counter[Any] = Counter()
        shown = _shown(look)
        now = set()
        for move in _unmatched(log, case.moves):
            more[move] += 1
            now.add((move, more[move]))
        for one in now:
            if one[0][0] is None or one[0][0] in shown:
                age[one] += 1
                late += age[one] == LATE + 1
        for one in list(age):
            if one not in now:
                del age[one]
    return late


def _shown(state: Any) -> set[str]:
    """The players of whom a look shows more than the name."""
    rows = state.get("players") if isinstance(state, dict) else None
    return {row["name"] for row in rows or () if len(row) > 1}


def _unmatched(log: list[Any], moves: list[Any]) -> list[Any]:
    """What is left of the log when its moves are matched to those that happened, one to one in order."""
    same = 0
    while same < min(len(log), len(moves)) and log[same] == moves[same]:
        same += 1
    log, moves = log[same:], moves[same:]
    rows = [[0] * (len(moves) + 1)]
    for one in log:
        row = [0]
        for j, other in enumerate(moves):
            row.append(rows[-1][j] + 1 if one == other else max(row[j], rows[-1][j + 1]))
        rows.append(row)
    left, j = [], len(moves)
    for i in range(len(log), 0, -1):
        while j and rows[i][j] == rows[i][j - 1]:
            j -= 1
        if rows[i][j] == rows[i - 1][j]:
            left.append(log[i - 1])
        else:
            j -= 1
    return left


def figures_of(f: Counter[str]) -> dict[str, float]:
    """The figures of some games, by name."""
    games = f["games"]
    return {
        "matched": f["hits"] / f["moves"],
        "spurious": f["spurious"] / f["moves"],
        "slips": f["told"] / f["slips"] if f["slips"] else 1.0,
        "false": f["false"] / games,
        "accused": f["accused"] / f["said"] if f["said"] else 0.0,
        "fixed": f["fixed"] / f["wrong"] if f["wrong"] else 1.0,
        "overfixed": f["overfixed"] / games,
        "totals": f["totals"] / f["scored"] if f["scored"] else 0.0,
        "standing": f["standing"] / games,
        "edits": f["edits"] / f["moves"],
        "eased": f["eased"] / f["moves"],
        "asked": f["asked"] / games,
        "speed": games / f["seconds"],
    }


def worst(seeds: list[Counter[str]]) -> dict[str, float]:
    """Each figure of the seed in which it is worst."""
    each = [figures_of(one) for one in seeds]
    return {name: (max if name in MORE_IS_WORSE else min)(one[name] for one in each) for name in each[0]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games of each kind and seed")
    parser.add_argument("--seeds", type=int, default=5, help="seeds of which the worst counts")
    parser.add_argument("--seed", type=int, help="the first of them; else new ones")
    parser.add_argument("--only", help="kinds of games whose name begins so")
    parser.add_argument("--list", action="store_true", help="say what went wrong in which game")
    parser.add_argument("--rules", action="store_true", help="say of each rule how many of its slips were told")
    args = parser.parse_args()
    first = SystemRandom().randrange(10**6) if args.seed is None else args.seed
    print(f"seeds {first} to {first + args.seeds - 1}, {args.games} games of a kind each, the worst seed counts")
    everything: Counter[str] = Counter()
    for name, make in KINDS.items():
        if not name.startswith(args.only or ""):
            continue
        seeds: list[Counter[str]] = []
        for seed in range(first, first + args.seeds):
            seeds.append(Counter())
            for i in range(args.games):
                case = make(Random(f"{seed} {name} {i}"))
                judge(case, seeds[-1], f"{name} {seed} {i}" if args.list else None)
            everything += seeds[-1]
        print(f"{name:26}" + "  ".join(f"{key} {value:.3f}" for key, value in worst(seeds).items()), flush=True)
    said, accused = everything["said"], everything["accused"]
    if said:
        print(f"of all {said} slips told, {accused} name somebody who made none: {accused / said:.3f}")
    if args.rules:
        for rule in rules():
            made = everything[f"made {rule}"]
            why = (
                "never told: the referee does not judge it" if rule in UNTOLD else "not measured: no such slip was made"
            )
            why = f"no look shows it: {UNSEEN[rule]}" if rule in UNSEEN else why
            nobody = everything[f"nobody {rule}"]
            open_ = f", {nobody} of nobody: no look shows whose" if nobody else ""
            hidden = everything[f"hidden {rule}"]
            open_ += f"; {hidden} more that no look shows" if hidden else ""
            print(f"{rule:5}" + (f"{everything[f'told {rule}']} of {made} told{open_}" if made else why))


if __name__ == "__main__":
    main()
