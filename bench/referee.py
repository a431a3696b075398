"""How well and how fast the referee follows generated games.

    python -m bench.referee [--games 200] [--seed 15] [--only seekers-line] [--list]

Games are random and fixed by a seed: legal ones and ones with slips, pieces read wrongly (with and without a flag),
halves of turns, several turns between two looks, lines that are no looks. Figures, over all games of a kind:

matched   moves of the final log that are the moves that happened, one to one, in parts of those
spurious  further moves in that log, in parts of the moves
slips     slips told with the right rule, in parts of those made
false     slips told that were none, a game (legal games)
fixed     pieces read wrongly that were corrected, in parts of those
totals    games whose players' totals are exact
standing  lines of the log that were none of the moves and stood for more than three looks of that player, a game
asked     questions a game
speed     games a second of one core's own time
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, pairwise
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from referee import Game
from scoring import StateError, score_state
from scoring.human_angel_demon.sets import CODES
from training.synth.games import angels, camera, igna, ruin
from training.synth.games import seekers as seekers_game
from training.synth.games import splendor as splendor_game

LATE = 3


class Case(NamedTuple):
    """A game: the input, the moves in order, the slips made, wrong readings, each look's number of turns, totals.

    `unclear`: what a referee may say instead of a move, as no look tells which card it took, and the move.
    """

    shot: camera.Shot
    moves: list[Any]
    slips: list[tuple[str, str]]
    totals: list[Any] | None
    unclear: Mapping[Any, Any] = MappingProxyType({})


def seekers(rng: Random, rules: tuple[int, ...], mode: str, slips: float) -> Case:
    """A game of Twelve Seekers."""
    game = seekers_game.Game(rng, rng.choice(rules), mode, slips)
    steps = [
        camera.Step(n, rests, game.state(table), rests and (n, i) in game.must)
        for i, (n, rests, table) in enumerate(game.steps)
    ]
    shot = camera.film(rng, game.header(), steps, camera.seeker_pieces, camera.swap_seeker_piece, camera.SEEKER_GEMS)
    moves = [(t["who"], "take", str(t["seeker"]), tuple(sorted(t["what"]))) for t in game.turns]
    totals = [player.total for player in score_state(game.final(), explain=False).players]
    return Case(shot, moves, game.told, totals)


def splendor(rng: Random, slips: float) -> Case:
    """A game of Splendor."""
    game = splendor_game.Game(rng, rng.randint(2, 4), slips)
    steps = [camera.Step(n, rests, game.state(table), must) for n, rests, must, table in game.steps]
    shot = camera.film(rng, game.header(), steps, camera.token_pieces, camera.swap_token, camera.TOKENS)
    shown = [card for step in shot.steps for card in step.state["market"]]
    pairs = list(_kept_together(game, shot))
    for turn in game.turns:
        if turn["move"] == "keep" and turn["card"] not in shown:
            turn["card"] = {"level": turn["card"]["level"]}  # it came and was kept between two looks
    moves = [sign(turn) for turn in game.turns]
    totals = [game.points(p) for p in range(len(game.names))]
    unclear = {(*moves[n][:2], moves[m][2]): moves[n] for pair in pairs for n, m in (pair, pair[::-1])}
    return Case(shot, moves, game.told, totals, unclear)


def _kept_together(game: splendor_game.Game, shot: camera.Shot) -> Iterable[tuple[int, int]]:
    """Turns of two players who each kept a card of one level, gone from the market in one look: whose is which?

    It shows where one of them is bought.
    """
    bought = [turn["card"] for turn in game.turns if turn["move"] == "buy"]
    first: dict[int, int] = {}  # of each such turn, the first look without its card
    for n, turn in enumerate(game.turns):
        if turn["move"] == "keep" and turn["card"] not in bought:
            lay = [k for k, step in enumerate(shot.steps) if turn["card"] in step.state["market"]]
            first[n] = lay[-1] + 1 if lay else next(k for k, step in enumerate(shot.steps) if step.turns > n)
    for n, m in combinations(first, 2):
        one, other = game.turns[n], game.turns[m]
        if first[n] == first[m] and one["who"] != other["who"] and one["card"]["level"] == other["card"]["level"]:
            yield n, m


def angels_demons(rng: Random, slips: float) -> Case:
    """A short game of Human Angel Demon; a card of the market that every look shows wrongly is what they show."""
    game = angels.Game(rng, rng.randint(2, 4), slips)
    steps = [camera.Step(*step[:2], step[3], step[2]) for step in game.steps]
    shot = camera.film(rng, game.header(), steps, angels.pieces, camera.swap_card, list(CODES))
    numbers = {id(step): i for i, step in enumerate(steps)}
    looks = [numbers[id(step)] for step in shot.steps]
    moves = list(game.turns)
    for before, after in pairwise(looks):
        for n in _not_known(game, moves, before, after):
            moves[n] = (*moves[n][:2], "?", moves[n][3])
    shown = [step.state["market"] for step in shot.steps]
    states = [line["state"] for line in shot.lines if isinstance(line, dict) and "state" in line]
    wrong = []
    unclear: dict[Any, Any] = {}
    for k, at, card in shot.wrong:
        near = [k - 1] * (k > 0) + [k + 1] * (k + 1 < len(shown))
        if not at.startswith("/market") or any(
            shown[one].count(card) >= shown[k].count(card)
            and not any(one == other and card == true for other, _, true in shot.wrong)
            for one in near
        ):
            wrong.append((k, at, card))
            continue
        n = next((n for step, n, took in game.takes if step > looks[k] and took == card), -1)
        if n >= 0 and moves[n][2] == card:
            truly = moves[n]
            moves[n] = (*moves[n][:2], states[k]["market"][int(at.rsplit("/", 1)[1])], moves[n][3])
            unclear[truly] = moves[n]  # what was done with it, or the card beside it, may tell
    read_wrongly = {(k, card) for k, at, card in shot.wrong if at.startswith("/market")}
    for step, n, card in game.takes:
        some = [k for k, look in enumerate(looks) if look < step and card in shown[k]]
        some = [k for k in some if all(card in row for row in shown[k : some[-1] + 1])]
        if n >= 0 and some and 2 * sum((k, card) in read_wrongly for k in some) >= len(some):
            unclear[*moves[n][:2], "?", moves[n][3]] = moves[n]  # as many looks show it wrongly as rightly
    for k, at, card in shot.wrong:
        if k + 1 < len(looks) and at.startswith("/market") and not any(card in row for row in shown[k - 1 : k]):
            # the first look of it, and another one is gone in the next: which of the two it is, nobody knows
            some = [n for step, n, _ in game.takes if looks[k] < step <= looks[k + 1] and n >= 0]
            unclear.update({(*moves[n][:2], "?", moves[n][3]): moves[n] for n in some})
        seen_next: list[str] = next(
            (shown[one] for one in range(k + 1, len(shown)) if isinstance(states[one], dict)), []
        )
        if at.startswith("/market") and k and seen_next.count(card) < shown[k].count(card):
            # it was read wrongly when it lay there last: which of those taken now and then it is, nobody knows
            later = next((n for step, n, took in game.takes if step > looks[k] and took == card), -1)
            some = [n for step, n, _ in game.takes if looks[k - 1] < step <= looks[k]]
            unclear.update({(*moves[n][:2], "?", moves[n][3]): moves[n] for n in (later, *some) if n >= 0})
    unclear = {said: move for said, move in unclear.items() if said not in moves}
    return Case(shot._replace(wrong=wrong), moves, game.told, None, unclear)


def _not_known(game: angels.Game, moves: list[Any], before: int, after: int) -> list[int]:
    """Turns of which no look and nothing that was done says which of the cards gone from the market they took."""
    takes = [(n, card) for step, n, card in game.takes if before < step <= after]
    lay = Counter(game.steps[before][3]["market"])
    hidden = []
    for n, card in takes:
        if not lay[card]:
            hidden.append((n, card))  # it was dealt and taken between two looks
        lay[card] -= 1
    ready = {side["name"]: side["ready"] for side in game.steps[before][3]["players"]}
    known = [
        (n, card)
        for n, card in takes
        if n >= 0
        and card in moves[n][3]
        and (len(moves[n][3]) > 1 or ready[moves[n][0]])
        and not any(other in moves[n][3] for m, other in takes if m != n and other != card)
    ]
    later = {card for n, card in known if n >= game.steps[after][0]}  # what was done with it is not seen yet
    open_ = [one for one in takes if one not in hidden and one not in known]
    if len(later | {card for _, card in open_}) > 1:
        hidden += open_
    return [n for n, _ in hidden if n >= 0]


def ruins(rng: Random, look: str, slips: float) -> Case:
    """A game of In the Ruin, alone or with others."""
    game = ruin.Game(rng, rng.choice((1, 2, 2, 3, 4)), look, slips)
    halves, skips = (0.25, 0.15) if look == "table" else (0.0, 0.1)
    shot = camera.film(rng, game.header(), game.steps, ruin.pieces, ruin.swap, list(".o#"), halves=halves, skips=skips)
    if look == "table":
        return Case(shot, game.turns, game.told, totals_of(game.steps[-1].state))
    shot, lines, unclear = ruin.known_by(game, shot)
    last = {
        p: step.state["players"][p]
        for step in shot.steps
        for p in range(len(game.names))
        if len(step.state["players"][p]) > 1
    }
    state = {**game.steps[-1].state, "players": [{**last[p], "escaped": None} for p in sorted(last)]}
    return Case(shot, lines, game.told, totals_of(state) if len(last) == len(game.names) else None, unclear)


def ignas(rng: Random, by_camera: bool, slips: float) -> Case:
    """A game of Igna."""
    game = igna.Game(rng, rng.randint(2, 4), by_camera, slips)
    shot = camera.film(rng, game.header(), game.steps, igna.pieces, camera.swap_card, igna.TREASURES)
    shot = shot._replace(wrong=[one for one in shot.wrong if one[1] != "/nothing"])
    if by_camera:
        shot, lines, unclear = igna.known_by(game, shot)
        return Case(shot, lines, game.told, totals_of(game.steps[-1].state), unclear)
    shown = {id(step) for step in shot.steps}
    for n, (who, move, *_) in enumerate(game.turns):
        if move == "get" and id(game.steps[game.offers[n]]) not in shown:
            game.turns[n] = (who, move, ("?",))  # laid and taken between two looks: which of the three is not seen
    numbers = {id(step): i for i, step in enumerate(game.steps)}
    first = {step.turns: numbers[id(step)] for step in reversed(shot.steps)}
    for before, after in pairwise(sorted(first)):
        lies = game.stays and first[after] < game.offers.get(after, len(game.steps))  # the last treasure is in sight
        for n in range(before, after - 1 - lies):
            _whose(game, n)
    unclear = {(*turn[:2], ("?",)): turn for turn in _laid_wrongly(game, shot)}
    unclear = {said: turn for said, turn in unclear.items() if said not in game.turns}
    return Case(shot, game.turns, game.told, totals_of(game.steps[-1].state), unclear)


def _laid_wrongly(game: igna.Game, shot: camera.Shot) -> Iterable[Any]:
    """Turns that got a treasure that no look read rightly where it was laid, nor its odds: which of three was it?"""
    looks = [line for line in shot.lines if isinstance(line, dict) and "state" in line]
    wrong = {k for k, at, true in shot.wrong if at == "/laid" and true not in looks[k].get("odds", {}).get(at, {})}
    for n, turn in enumerate(game.turns):
        laid = [k for k, step in enumerate(shot.steps) if step.turns == n and step.state["laid"] is not None]
        if turn[1] == "get" and laid and wrong.issuperset(laid):
            yield turn


def _whose(game: igna.Game, n: int) -> None:
    """A treasure that another player got, then one that nobody wanted, between two looks: which of the two was whose
    no look tells. They count as if the first had been the one that stayed.
    """
    (got, _, treasure, *_), (who, *turn) = game.turns[n : n + 2]
    robbed = game.robbed.get(n)
    if robbed is not None and treasure == ("?",) and n + 1 in game.rested and got not in (robbed, who):
        game.turns[n : n + 2] = [(robbed, *turn), game.turns[n]]
        game.rested.add(n)
        game.robbed[n + 1] = who


def totals_of(state: dict[str, Any]) -> Any:
    """The players' totals, or what stands for them where a state that is allowed to lie there has no score."""
    try:
        return [player.total for player in score_state(state, explain=False).players]
    except StateError as error:
        if state["game"] == "splendor":  # a noble that is not met has no score, and the game has a total
            return [sum(card["points"] for card in p["cards"]) + 3 * len(p["nobles"]) for p in state["players"]]
        return [p["sets"] for p in state["players"]] if state["game"] == "igna" else str(error)


KINDS: dict[str, Callable[[Random], Case]] = {
    "seekers-line": lambda rng: seekers(rng, (7, 8, 9, 10), "basic", 0.0),
    "seekers-count": lambda rng: seekers(rng, (1, 2, 3, 4, 5, 6), "basic", 0.0),
    "seekers-throw": lambda rng: seekers(rng, (11, 12, 13), "basic", 0.0),
    "seekers-place": lambda rng: seekers(rng, (19, 20), "basic", 0.0),
    "seekers-swaps": lambda rng: seekers(rng, (18,), "basic", 0.0),
    "seekers-advanced": lambda rng: seekers(rng, (1, 2, 7, 8, 11, 18, 19, 20), "advanced", 0.0),
    "seekers-chaos": lambda rng: seekers(rng, (1, 2, 7, 8, 11, 18, 19, 20), "chaos", 0.0),
    "splendor": lambda rng: splendor(rng, 0.0),
    "splendor-slips": lambda rng: splendor(rng, 0.06),
    "angels": lambda rng: angels_demons(rng, 0.0),
    "angels-slips": lambda rng: angels_demons(rng, 0.1),
    "ruin": lambda rng: ruins(rng, "table", 0.0),
    "ruin-photos": lambda rng: ruins(rng, "photo", 0.0),
    "ruin-cards": lambda rng: ruins(rng, "card", 0.0),
    "ruin-slips": lambda rng: ruins(rng, "table", 0.08),
    "ruin-photos-slips": lambda rng: ruins(rng, "photo", 0.08),
    "ruin-cards-slips": lambda rng: ruins(rng, "card", 0.08),
    "igna": lambda rng: ignas(rng, False, 0.0),
    "igna-camera": lambda rng: ignas(rng, True, 0.0),
    "igna-slips": lambda rng: ignas(rng, False, 0.1),
    "igna-camera-slips": lambda rng: ignas(rng, True, 0.1),
    "seekers-slips": lambda rng: seekers(rng, (1, 2, 5, 7, 8, 9, 12, 19, 20), "basic", 0.12),
    "seekers-advanced-slips": lambda rng: seekers(rng, (1, 2, 7, 8, 12, 18, 20), "advanced", 0.12),
}


def sign(line: dict[str, Any]) -> Any:  # noqa: PLR0911 -- a kind each
    """What two moves agree in when they are the same (contract/referee.md)."""
    who, move = line["who"], line["move"]
    if move == "take":
        return who, move, str(line["seeker"]), tuple(sorted(line["what"]))
    if move == "tokens":
        net = Counter(line["what"])
        net.subtract(line.get("returned", ()))
        return who, move, tuple(sorted((color, n) for color, n in net.items() if n))
    if move == "buy":
        paid = tuple(sorted((color, n) for color, n in line["paid"].items() if n))
        return who, move, json.dumps(line["card"], sort_keys=True), paid
    if move == "keep":
        return who, move, json.dumps(line["card"], sort_keys=True)
    if move == "write":
        return who, move, tuple(sorted((tuple(c), mark) for c, mark in zip(line["cells"], line["what"], strict=True)))
    if move == "cards":
        return who, move, tuple(line["row"])
    if move == "get":
        return who, move, tuple(line["what"])
    if move == "turn" and "sets" in line:
        return who, move, line["laid"], tuple(sorted(tuple(sorted(one)) for one in line["sets"]))
    if move == "turn":
        return who, move, line["took"], tuple(sorted(line.get("opened", [line.get("discarded")])))
    return who, move


def judge(case: Case, figures: Counter[str], show: str | None) -> None:  # noqa: PLR0915 -- many figures
    """Play a case, add to the figures."""
    began = time.process_time()
    game = Game()
    log: list[Any] = []
    history: list[list[Any]] = []
    told: list[tuple[str, str]] = []
    corrected: set[tuple[int, str, Any]] = set()
    questions = 0
    out: list[dict[str, Any]] = []
    for line in case.shot.lines:
        out = game.take(line)
        for one in out:
            json.dumps(one, default=str)
        questions += _apply(out, log, told, corrected)
        if isinstance(line, dict) and "state" in line:
            history.append(log.copy())
    out = game.end()
    figures["seconds"] += time.process_time() - began  # type: ignore[assignment]
    questions += _apply(out, log, told, corrected)
    log, *history = ([case.unclear.get(move, move) for move in so_far] for so_far in (log, *history))
    history = [_either_way(so_far, case) for so_far in history]
    got = _either_way(log.copy(), case)
    hits = len(got) - len(_unmatched(got, case.moves))
    slips, right = Counter(told), Counter(case.slips)
    read_wrongly, corrected = _net(case.shot.wrong), _net(corrected)
    wrong = [at for at in read_wrongly if at not in corrected]
    end = out[-1]
    totals = totals_of(end["state"])
    standing = _standing(history, case)
    figures["games"] += 1
    figures["moves"] += len(case.moves)
    figures["hits"] += hits
    figures["spurious"] += len(got) - hits
    figures["slips"] += sum(right.values())
    figures["told"] += sum((slips & right).values())
    figures["false"] += sum((slips - right).values())
    figures["wrong"] += len(read_wrongly)
    figures["fixed"] += len(read_wrongly) - len(wrong)
    figures["overfixed"] += len(corrected - read_wrongly)
    figures["totals"] += case.totals in (None, totals)
    figures["standing"] += standing
    figures["asked"] += questions
    if show is not None:
        bad = []
        if hits < len(case.moves) or len(got) > hits:
            missing = [move for move in case.moves if move not in got]
            more = [move for move in got if move not in case.moves]
            bad.append(f"moves: missing {missing} more {more}")
        if slips != right:
            bad.append(f"slips: not told {right - slips}, false {slips - right}")
        if wrong or corrected - read_wrongly:
            bad.append(f"not fixed {wrong}, overfixed {corrected - read_wrongly}")
        if case.totals not in (None, totals):
            bad.append(f"totals {totals} for {case.totals}")
        if standing:
            bad.append(f"standing {standing}")
        if questions:
            bad.append(f"questions {questions}")
        if bad:
            print(f"{show}: " + "\n    ".join(bad))


def _apply(out: list[dict[str, Any]], log: list[Any], told: list[Any], corrected: set[Any]) -> int:
    asked = 0
    for line in out:
        kind = line["line"]
        if kind == "replaced":
            del log[line["from"] - 1 :]
        elif kind == "move":
            log.append(sign(line))
        elif kind == "slip":
            told.append((line["who"], line["breaks"][0]))
        elif kind == "corrected":
            corrected.add((line["look"], line["at"], line["is"]))
        asked += kind == "question"
    return asked


def _net(found: Iterable[tuple[int, str, Any]]) -> set[tuple[int, str, Any]]:
    """Wrong readings of a look; where pieces are only counted, blue for red and red for green are blue for green."""
    counted: dict[tuple[int, str], dict[str, Any]] = {}
    net = set()
    for look, at, true in found:
        place, read = at.rsplit("/", 1)
        if read.isdigit():
            net.add((look, at, true))
        else:
            counted.setdefault((look, place), {})[read] = true
    for (look, place), ways in counted.items():
        for read in [one for one in ways if one not in ways.values()] or list(ways):
            true = ways[read]
            while true in ways and true != read:
                true = ways[true]
            net.add((look, f"{place}/{read}", true))
    return net


def _either_way(got: list[Any], case: Case) -> list[Any]:
    """The log; turns of one player that no look separates stand in either order, as do those of one round for all."""
    seen = sorted({step.turns for step in case.shot.steps})
    for first, last in pairwise(seen):
        turns, lines = case.moves[first:last], got[first:last]
        i = 1 if turns[0][1] in ("write", "cards") else 0
        if [move[i] for move in turns] == [line[i] for line in lines] and Counter(turns) == Counter(lines):
            got[first:last] = turns
    return got


def _standing(history: list[list[Any]], case: Case) -> int:
    """Lines of the log, wherever they stand, that were none of the moves in more than three looks running.

    Only looks that show anything of the line's player tell better: where each has a photo of one's own, those.
    """
    age: Counter[tuple[Any, int]] = Counter()
    late = 0
    looks = [line["state"] for line in case.shot.lines if isinstance(line, dict) and "state" in line]
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


def report(name: str, f: Counter[str]) -> str:
    """The figures in one line."""
    games = f["games"]
    parts = {
        "matched": f["hits"] / f["moves"],
        "spurious": f["spurious"] / f["moves"],
        "slips": f["told"] / f["slips"] if f["slips"] else 1.0,
        "false": f["false"] / games,
        "fixed": f["fixed"] / f["wrong"] if f["wrong"] else 1.0,
        "overfixed": f["overfixed"] / games,
        "totals": f["totals"] / games,
        "standing": f["standing"] / games,
        "asked": f["asked"] / games,
        "speed": games / f["seconds"],
    }
    return f"{name:24}" + "  ".join(f"{key} {value:.3f}" for key, value in parts.items())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="games of each kind")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--only", help="one kind of game")
    parser.add_argument("--list", action="store_true", help="say what went wrong in which game")
    args = parser.parse_args()
    for name, make in KINDS.items():
        if args.only not in (None, name):
            continue
        figures: Counter[str] = Counter()
        for i in range(args.games):
            case = make(Random(f"{args.seed} {name} {i}"))
            judge(case, figures, f"{name} {i}" if args.list else None)
        print(report(name, figures), flush=True)


if __name__ == "__main__":
    main()
