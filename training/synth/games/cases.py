"""The kinds of games that the referee's bench plays, each as a case: the input, and what has to come out."""

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from operator import ne
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring import StateError, score_state
from scoring.human_angel_demon.sets import CODES
from training.synth.games import angels, camera, igna, laid_out, ruin
from training.synth.games import other_angels as angels_by_another
from training.synth.games import other_seekers as by_another
from training.synth.games import other_splendor as splendor_by_another
from training.synth.games import seekers as seekers_game
from training.synth.games import splendor as splendor_game
from training.synth.games.signs import sign


class Case(NamedTuple):
    """A game: the input, the moves in order, the slips made, wrong readings, each look's number of turns, totals.

    A slip has the player who made it and the rules of which one has to be named. `unclear`: what a referee may say
    instead of a move, as no look tells which card it took, and the move; `eased`: moves that are expected with a "?".
    `clearing`: the table is cleared in the end. `alike`: as `unclear`, by the numbers of the moves that it may be;
    `not_yet`: the same while the game goes on, as only a later look tells. `in_turn`: what is seen says whose turn it
    is. `unseen`: slips, counted from 0, of which no look shows whose they are: to tell them of nobody is right.
    `hidden`: the rules of slips that no look can show at all, which are not among `slips`.
    """

    shot: camera.Shot
    moves: list[Any]
    slips: list[tuple[str, tuple[str, ...]]]
    totals: list[Any] | None
    unclear: Mapping[Any, Any] = MappingProxyType({})
    eased: int = 0
    clearing: bool = True
    alike: Mapping[Any, list[int]] = MappingProxyType({})
    not_yet: Mapping[Any, list[int]] = MappingProxyType({})
    in_turn: bool = True
    unseen: tuple[int, ...] = ()
    hidden: tuple[str, ...] = ()


def known(log: list[Any], case: Case, over: bool = True) -> list[Any]:
    """The log, when the game is `over` or so far, with the moves that happened where it may say "?"; the nearest ones
    where several are alike.
    """
    log = [case.unclear.get(move, move) for move in log]
    for i, said in enumerate(log):
        open_ = case.alike.get(said, ()) if over else (*case.alike.get(said, ()), *case.not_yet.get(said, ()))
        if open_:
            log[i] = case.moves[min(open_, key=lambda n: abs(n - i))]
    return log


def _slips(told: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    return [(who, (rule,)) for who, rule in told]


def seekers(rng: Random, rules: tuple[int, ...], mode: str, slips: float, *, cards_seen: bool = True) -> Case:
    """A game of Twelve Seekers. `cards_seen`: the camera knows the cards; else two turns of one player, of which the
    gems would tell one, are seen one by one, and a turn is known by how many gems it took.
    """
    game = seekers_game.Game(rng, rng.choice(rules), mode, slips, cards_seen=cards_seen)
    twice = {n for n in range(1, len(game.turns)) if game.turns[n - 1]["who"] == game.turns[n]["who"]}
    steps = [
        camera.Step(n, rests, game.state(table), rests and ((n, i) in game.must or (n in twice and not cards_seen)))
        for i, (n, rests, table) in enumerate(game.steps)
    ]
    if not cards_seen:
        for turn in game.turns:
            turn["seeker"] = len(turn["what"])
    shot = camera.film(rng, game.header(), steps, camera.seeker_pieces, camera.swap_seeker_piece, camera.SEEKER_GEMS)
    moves = [(t["who"], "take", str(t["seeker"]), tuple(sorted(t["what"]))) for t in game.turns]
    return Case(shot, moves, _slips(game.told), totals_of(game.final()), in_turn=cards_seen)


def splendor(rng: Random, slips: float) -> Case:
    """A game of Splendor."""
    game = splendor_game.Game(rng, rng.randint(2, 4), slips)
    steps = [camera.Step(n, rests, game.state(table), must) for n, rests, must, table in game.steps]
    shot = camera.film(rng, game.header(), steps, camera.token_pieces, camera.swap_token, camera.TOKENS)
    shown = [card for step in shot.steps for card in step.state["market"]]
    pairs = list(_kept_together(game.turns, shot))
    for turn in game.turns:
        if turn["move"] == "keep" and turn["card"] not in shown:
            turn["card"] = {"level": turn["card"]["level"]}  # it came and was kept between two looks
    moves = [sign(turn) for turn in game.turns]
    totals = [game.points(p) for p in range(len(game.names))]
    return _by_backs(Case(shot, moves, _slips(game.told), totals), pairs)


def _by_backs(case: Case, pairs: list[tuple[int, int, bool]]) -> Case:
    """The case with what a referee may say of cards that were kept together: the one or the other, or a back."""
    moves = case.moves
    unclear = {
        (*moves[n][:2], moves[m][2]): moves[n] for *pair, told in pairs if not told for n, m in (pair, pair[::-1])
    }
    alike: dict[Any, list[int]] = {}
    not_yet: dict[Any, list[int]] = {}
    for *pair, told in pairs:
        for n in pair:
            by_back = (*moves[n][:2], json.dumps({"level": json.loads(moves[n][2])["level"]}))
            same = [k for k, move in enumerate(moves) if move == by_back]
            (not_yet if told else alike).setdefault(by_back, same).append(n)
    return case._replace(unclear=unclear, alike=alike, not_yet=not_yet)


def _kept_together(turns: list[Any], shot: camera.Shot) -> Iterable[tuple[int, int, bool]]:
    """Turns of two players who each kept a card of one level, gone from the market in one look: whose is which?

    It shows where one of them is bought: with each pair, whether that is so.
    """
    bought = [turn["card"] for turn in turns if turn["move"] == "buy"]
    first: dict[int, int] = {}  # of each such turn, the first look without its card
    for n, turn in enumerate(turns):
        if turn["move"] == "keep":
            lay = [k for k, step in enumerate(shot.steps) if turn["card"] in step.state["market"]]
            first[n] = lay[-1] + 1 if lay else next(k for k, step in enumerate(shot.steps) if step.turns > n)
    for n, m in combinations(first, 2):
        one, other = turns[n], turns[m]
        if first[n] == first[m] and one["who"] != other["who"] and one["card"]["level"] == other["card"]["level"]:
            yield n, m, one["card"] in bought or other["card"] in bought


def angels_demons(rng: Random, slips: float) -> Case:
    """Short games of Human Angel Demon; which card was taken is "?" where no look shows it."""
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
    states = [line["state"] for line in shot.lines if camera.is_look(line)]
    unclear: dict[Any, Any] = {}
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
    unclear.update(zip(game.turns, moves, strict=True))  # what it was is right, however it was found
    unclear = {said: move for said, move in unclear.items() if said not in moves}
    eased = sum(move not in game.turns for move in moves)
    totals = totals_of({"winner": None, **game.steps[-1][3]})  # nobody's, where the deck was used up
    dealt_unseen = {
        n for step, n, card in game.takes if card not in shown[max(k for k, at in enumerate(looks) if at < step)]
    }
    slips_made, hidden = _shown_slips(_slips(game.told), game.told_in, dealt_unseen)
    return Case(shot, moves, slips_made, totals, unclear, eased, hidden=hidden)


def _shown_slips(
    made: list[Any], moves: Sequence[int], dealt_unseen: Container[int]
) -> tuple[list[Any], tuple[str, ...]]:
    """The slips, each made in a move, without those of H5 that no look can show, as what was taken was dealt and taken
    between two looks; and the rules of these.
    """
    shown = [one for one, n in zip(made, moves, strict=True) if one[1][0] != "H5" or n not in dealt_unseen]
    return shown, ("H5",) * (len(made) - len(shown))


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


def ruins(rng: Random, look: str, slips: float, books: float = 0.0) -> Case:
    """A game of In the Ruin, alone or with others."""
    game = ruin.Game(rng, rng.choice((1, 2, 2, 3, 4)), look, slips, books=books)
    halves, skips = (0.25, 0.15) if look == "table" else (0.0, 0.1)
    shot = camera.film(rng, game.header(), game.steps, ruin.pieces, ruin.swap, list(".o#"), halves=halves, skips=skips)
    if look == "table":
        return Case(shot, game.turns, _slips(game.told), totals_of(game.steps[-1].state))
    shot, lines, unclear = ruin.known_by(game, shot)
    last = {
        p: step.state["players"][p]
        for step in shot.steps
        for p in range(len(game.names))
        if len(step.state["players"][p]) > 1
    }
    state = {**game.steps[-1].state, "players": [{**last[p], "escaped": None} for p in sorted(last)]}
    totals = totals_of(state) if len(last) == len(game.names) else None
    return Case(shot, lines, _slips(game.told), totals, unclear, clearing=False)


def ignas(rng: Random, by_camera: bool, slips: float, books: float = 0.0) -> Case:
    """A game of Igna."""
    game = igna.Game(rng, rng.randint(2, 4), by_camera, slips, books)
    shot = camera.film(rng, game.header(), game.steps, igna.pieces, camera.swap_card, igna.TREASURES)
    shot = shot._replace(wrong=[one for one in shot.wrong if one[1] != "/nothing"])
    if by_camera:
        once = tuple(_seen_once(game, shot))
        shot, lines, unclear = igna.known_by(game, shot)
        return Case(shot, lines, _slips(game.told), totals_of(game.steps[-1].state), unclear, unseen=once)
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
    unseen = (*_of_nobody(game, shot), *_seen_once(game, shot))
    return Case(shot, game.turns, _slips(game.told), totals_of(game.steps[-1].state), unclear, unseen=unseen)


def _seen_once(game: igna.Game, shot: camera.Shot) -> Iterator[int]:
    """Sets that are none (I5), by their slips' numbers, of which there is one look: a card may be read wrongly."""
    looks = [step for step in shot.steps if isinstance(step.state, dict)]
    for i, ((_, rule), turn) in enumerate(zip(game.told, game.told_in, strict=True)):
        if rule == "I5" and sum(step.turns > turn for step in looks) <= 1:
            yield i


def _of_nobody(game: igna.Game, shot: camera.Shot) -> Iterator[int]:
    """Turns out of order (I2) of which no look shows whose they were, by their slips' numbers: that turn, or the one
    before it, left what its player has as it was in every look, and the player who was left out may have had it.
    """
    looks = [step for step in shot.steps if isinstance(step.state, dict)]
    for i, ((_, rule), turn) in enumerate(zip(game.told, game.told_in, strict=True)):
        mover = game.movers[turn]
        if rule != "I2" or not turn or (game.movers[turn - 1] + 1) % len(game.names) == mover:
            continue
        left_out = game.state_before(turn)["players"][(mover - 1) % len(game.names)]["hand_size"]
        for n in (turn - 1, turn):
            p = game.movers[n]
            before = max(k for k, step in enumerate(looks) if step.turns <= n)
            after = next((k for k, step in enumerate(looks) if step.turns > n), len(looks) - 1)
            rows = [step.state["players"][p] for step in looks[min(before, after) : after + 1]]
            hand = game.state_before(n)["players"][p]["hand_size"]
            if all(row == rows[0] for row in rows) and igna.drawn(hand) == igna.drawn(left_out):
                yield i
                break


def _laid_wrongly(game: igna.Game, shot: camera.Shot) -> Iterable[Any]:
    """Turns that got a treasure that no look read rightly where it was laid, nor its odds: which of three was it?"""
    looks = [line for line in shot.lines if camera.is_look(line)]
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


def covered(case: Case, rng: Random) -> Case:
    """The game where an arm lies over something in every fifth look."""
    camera.cover(rng, case.shot, 0.2)
    return case


def put_right(case: Case, rng: Random) -> Case:
    """The game where people type some looks, and say of others what lies there: what one look showed is shown again."""
    return case._replace(shot=camera.put_right(rng, case.shot), unseen=())


def midway(case: Case, rng: Random) -> Case:
    """The game that had been going on for a quarter of its looks, or for half of them, when the first one was taken."""
    shot = case.shot
    at = [i for i, line in enumerate(shot.lines) if camera.is_look(line)]
    first = int(len(at) * rng.uniform(0.25, 0.5))
    while not shot.steps[first].rests or not isinstance(shot.lines[at[first]]["state"], dict):
        first += 1
    done = shot.steps[first].turns
    steps = [step._replace(turns=step.turns - done) for step in shot.steps[first:]]
    wrong = [(look - first, place, true) for look, place, true in shot.wrong if look >= first]
    alike, not_yet = (
        {move: later for move, ns in ways.items() if (later := [n - done for n in ns if n >= done])}
        for ways in (case.alike, case.not_yet)
    )
    lines = [*shot.lines[:1], *shot.lines[at[first] :]]
    return case._replace(shot=camera.Shot(lines, steps, wrong), moves=case.moves[done:], alike=alike, not_yet=not_yet)


def cards_in_hand(case: Case) -> Case:
    """Splendor whose players hold what they keep in their hands: of a blind card nobody knows more."""
    camera.hide(case.shot, players=("kept", "reserved"))
    moves = [_blind(move) for move in case.moves]
    return case._replace(moves=moves, eased=sum(map(ne, moves, case.moves)))


def _blind(move: Any) -> Any:
    """A card that was kept from the deck has not even a level where its back is in a hand."""
    known = move[1] != "keep" or "price" in json.loads(move[2])
    return move if known else (*move[:2], json.dumps({"level": "?"}))


def bank_aside(case: Case) -> Case:
    """The game of Splendor whose supply of tokens lies beside the picture."""
    camera.hide(case.shot, middle=("supply",))
    return case


def totals_of(state: Any) -> list[int | None] | None:
    """The players' totals as they are told (`end.answer`); None where the table is refused, which is never right."""
    try:
        return [player.total for player in score_state(json.loads(json.dumps(state)), explain=False).players]
    except StateError:
        return None


def other_seekers(rng: Random, modes: tuple[str, ...], slips: float, habits: laid_out.Habits) -> Case:
    """A game of Twelve Seekers by another hand, under any sheet."""
    game = by_another.Seekers(rng, rng.randint(1, 20), rng.choice(modes), slips)
    return _filmed(game, habits, totals_of(game.final()))


def other_splendor(rng: Random, slips: float, habits: laid_out.Habits) -> Case:
    """A game of Splendor by another hand; a kept card that no look showed in the market is known by its back."""
    game = splendor_by_another.Splendor(rng, slips)
    if len(game.names) == TWO:
        habits = habits._replace(gaps=0.0)  # of two turns of one player no look tells which tokens came in which
    case = _filmed(game, habits, [game.points(p) for p in range(len(game.names))])
    shown = [card for line in case.shot.lines[1:] for card in line["state"].get("market", ())]
    for i, move in enumerate(game.moves):
        if move["move"] == "keep" and move["card"] not in shown:
            case.moves[i] = sign({**move, "card": {"level": move["card"]["level"]}})
    return _by_backs(case, list(_kept_together(game.moves, case.shot)))


def other_angels(rng: Random, slips: float, habits: laid_out.Habits) -> Case:
    """Human Angel Demon by another hand. Where no look tells which card was taken, the log may say "?"."""
    game = angels_by_another.Angels(rng, slips)
    if len(game.names) == TWO:
        habits = habits._replace(gaps=habits.gaps / 2)
    film = laid_out.filmed(game, habits)
    moves, told = [sign(move) for move in game.moves], game.slips
    if game.injected and game.injected[-1] == "idle" and moves[-1][3:] == (None,):
        moves, told = moves[:-1], told[:-1]  # nobody moved after it: the deck may have been used up (H9)
    pairs = zip(film.turns, film.lines[1:], strict=True)
    steps = [camera.Step(min(n, len(moves)), True, line["state"]) for n, line in pairs]
    alike: dict[Any, list[int]] = {}
    open_ = _takes_not_known(game, film, moves)
    for n, move in enumerate(moves[:-1]):
        if move[1] == "turn" and moves[n + 1][1] in ("gain", "goal") and n + 1 not in film.turns:
            open_.add(n)  # what was discarded went before any look
            game.alternatives.setdefault(n, []).append(["?"])
    for n in {*open_, *game.alternatives}:
        took = [card for _, m, card in game.takes if m == n] if n in game.alternatives else []
        for laid in (moves[n][3:], *((tuple(sorted(way)),) for way in game.alternatives.get(n, ()))):
            for card in ("?", *moves[n][2:3], *took):
                alike.setdefault((*moves[n][:2], card, *laid), []).append(n)
    for n, move in enumerate(moves):
        if move in alike:
            alike[move].append(n)
    totals = totals_of(game.moments[-1].state) if game.slips else game.totals()
    shot = camera.Shot(film.lines, steps, film.wrong)
    swaps = [
        n
        for n, one in zip(game.slipped_in, told, strict=False)
        if one[1] == ("H5",) and moves[n][1] == "turn" and len(moves[n][3] or ()) == 1
    ]
    dealt_unseen = {n for n in swaps if not _lay_there(game, film, n)}
    told, hidden = _shown_slips(told, game.slipped_in[: len(told)], dealt_unseen)
    return Case(shot, moves, told, totals, eased=len(open_), clearing=False, alike=alike, hidden=hidden)


def _lay_there(game: angels_by_another.Angels, film: laid_out.Film, move: int) -> bool:
    """Whether the last look before a move shows the card that it took from the market."""
    at, card = next((at, card) for at, n, card in game.takes if n == move)
    shown = [k for k, line in enumerate(film.lines[1 : film.cleared + 1]) if "market" in line["state"]]
    before = max(film.seen[k] for k in shown if film.seen[k] < at)
    return card in game.moments[before].state["market"]


def _takes_not_known(game: angels_by_another.Angels, film: laid_out.Film, moves: list[Any]) -> set[int]:
    """Turns of which no look tells which card they took: several went from the market in one look, or none showed it
    more often rightly than wrongly.
    """
    shown = [k for k, line in enumerate(film.lines[1 : film.cleared + 1]) if "market" in line["state"]]
    true = [game.moments[film.seen[k]].state["market"] for k in shown]
    open_: set[int] = set()
    for i, k in enumerate(shown):
        before = film.seen[shown[i - 1]] if i else 0
        takes = [(n, card) for at, n, card in game.takes if before < at <= film.seen[k]]
        lay = Counter(true[i - 1]) if i else Counter[str]()
        alike = len({card for _, card in takes}) == 1
        ready = {side["name"]: side["ready"] for side in game.moments[before].state["players"]}
        for n, card in takes:
            if n >= len(moves) or moves[n][1] != "turn":
                continue
            who, laid = moves[n][0], moves[n][3]
            told = card in laid and (len(laid) > 1 or ready[who])
            other = any(one in laid for _, one in takes if one != card)
            first = next((j for j in range(i - 1, -1, -1) if card not in true[j]), -1) + 1
            wrong = sum(
                (shown[j], card) in {(look, was) for look, at, was in film.wrong if at.startswith("/market")}
                for j in range(first, i)
            )
            if not lay[card] or (not alike and (not told or other)) or 2 * wrong >= i - first:
                open_.add(n)
            lay[card] -= 1
    last = film.seen[shown[-1]]
    open_ |= {n for at, n, _ in game.takes if at > last and n < len(moves) and moves[n][1] == "turn"}
    return open_


def _filmed(game: Any, habits: laid_out.Habits, totals: list[Any] | None) -> Case:
    """A game by another hand, photographed: its table is cleared there."""
    film = laid_out.filmed(game, habits)
    steps = [camera.Step(n, True, line["state"]) for n, line in zip(film.turns, film.lines[1:], strict=True)]
    shot = camera.Shot(film.lines, steps, film.wrong)
    moves = [sign(move) for move in game.moves]
    return Case(shot, moves, game.slips, totals, clearing=False)


TWO = 2
GEMS_ALONE = (1, 2, 5, 7, 8, 9, 11, 12, 13, 18, 19, 20)
"""Sheets of the games whose cards nobody printed or photographed."""
ALL_MODES = ("basic", "advanced", "chaos")

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
    "ruin-books-slips": lambda rng: ruins(rng, "table", 0.0, 0.8),
    "ruin-photos-slips": lambda rng: ruins(rng, "photo", 0.08),
    "ruin-cards-slips": lambda rng: ruins(rng, "card", 0.08),
    "igna": lambda rng: ignas(rng, False, 0.0),
    "igna-camera": lambda rng: ignas(rng, True, 0.0),
    "igna-slips": lambda rng: ignas(rng, False, 0.1),
    "igna-books-slips": lambda rng: ignas(rng, False, 0.0, 0.15),
    "igna-camera-slips": lambda rng: ignas(rng, True, 0.1),
    "seekers-gems": lambda rng: seekers(rng, GEMS_ALONE, "basic", 0.0, cards_seen=False),
    "seekers-gems-slips": lambda rng: seekers(rng, GEMS_ALONE, "basic", 0.12, cards_seen=False),
    "seekers-slips": lambda rng: seekers(rng, (1, 2, 5, 7, 8, 9, 12, 19, 20), "basic", 0.12),
    "seekers-advanced-slips": lambda rng: seekers(rng, (1, 2, 7, 8, 12, 18, 20), "advanced", 0.12),
    "seekers-covered": lambda rng: covered(seekers(rng, (1, 7, 12, 18, 19, 20), "advanced", 0.0), rng),
    "splendor-covered": lambda rng: covered(splendor(rng, 0.0), rng),
    "angels-covered": lambda rng: covered(angels_demons(rng, 0.0), rng),
    "ruin-covered": lambda rng: covered(ruins(rng, "table", 0.0), rng),
    "igna-covered": lambda rng: covered(ignas(rng, False, 0.0), rng),
    "seekers-words-slips": lambda rng: put_right(seekers(rng, (1, 7, 12, 18, 19, 20), "advanced", 0.12), rng),
    "splendor-words-slips": lambda rng: put_right(splendor(rng, 0.06), rng),
    "angels-words-slips": lambda rng: put_right(angels_demons(rng, 0.1), rng),
    "ruin-words-slips": lambda rng: put_right(ruins(rng, "table", 0.08), rng),
    "igna-words-slips": lambda rng: put_right(ignas(rng, False, 0.1), rng),
    "seekers-midway": lambda rng: midway(seekers(rng, (1, 3, 7, 9, 12, 18, 19, 20), "basic", 0.0), rng),
    "splendor-midway": lambda rng: midway(splendor(rng, 0.0), rng),
    "angels-midway": lambda rng: midway(angels_demons(rng, 0.0), rng),
    "ruin-midway": lambda rng: midway(ruins(rng, "table", 0.0), rng),
    "igna-midway": lambda rng: midway(ignas(rng, False, 0.0), rng),
    "splendor-hands": lambda rng: cards_in_hand(splendor(rng, 0.0)),
    "splendor-hands-slips": lambda rng: cards_in_hand(splendor(rng, 0.06)),
    "splendor-bank": lambda rng: bank_aside(splendor(rng, 0.0)),
    "splendor-bank-slips": lambda rng: bank_aside(splendor(rng, 0.06)),
    "other-angels": lambda rng: other_angels(rng, 0.0, laid_out.Habits()),
    "other-angels-slips": lambda rng: other_angels(rng, 0.06, laid_out.Habits()),
    "other-angels-sure-slips": lambda rng: other_angels(rng, 0.12, laid_out.CALM),
    "other-seekers": lambda rng: other_seekers(rng, ALL_MODES, 0.0, laid_out.Habits()),
    "other-seekers-slips": lambda rng: other_seekers(rng, ALL_MODES, 0.12, laid_out.Habits()),
    "other-seekers-sure-slips": lambda rng: other_seekers(rng, ("advanced", "chaos"), 0.25, laid_out.CALM),
    "other-splendor": lambda rng: other_splendor(rng, 0.0, laid_out.Habits()),
    "other-splendor-slips": lambda rng: other_splendor(rng, 0.05, laid_out.Habits()),
    "other-splendor-sure-slips": lambda rng: other_splendor(rng, 0.15, laid_out.CALM),
}
