"""The rulebooks read a second time, line by line: what each line may claim, with nothing of `scoring/` imported.

`disagreements(state, answer)` compares a whole answer (JSON) with the state. Totals, winners and leaders are those of
`oracle.judge`; lines are reckoned here from the state and the choices that the answer says it used; notes are those of
`NOTES`, each there where its condition holds and nowhere else.
"""

from collections import Counter
from itertools import groupby, pairwise

import oracle

GEMS = [*oracle.COLORS, "rainbow"]


def disagreements(state, answer):
    """What an answer says otherwise than this reading, as sentences; empty where they agree."""
    totals, winners, leading = oracle.judge(state)
    found = []
    for said, read, what in (
        ([player["total"] for player in answer["players"]], totals, "totals"),
        (set(answer["winners"]), winners, "winners"),
        (set(answer["leading"]), leading, "leading"),
    ):
        if said != read:
            found.append(f"{what}: {said}, here {read}")
    for i, player in enumerate(answer["players"]):
        read = LINES[state["game"]](state, i, player)
        said = Counter((line["points"], tuple(sorted(line["because"]))) for line in player["lines"])
        if isinstance(read, list):
            wanted = Counter((points, tuple(sorted(because))) for points, because in read)
            found += [f"{player['name']}: {one} is not in both" for one in (said - wanted) + (wanted - said)]
        else:
            found += [f"{player['name']}: {one}" for one in read]
    keys = {note["key"] for note in answer["note_details"]}
    for key, holds in NOTES[state["game"]].items():
        if holds(state, answer) != (key in keys):
            found.append(f"note {key}: {key in keys}, here {key not in keys}")
    return found


# Twelve Seekers


def seekers(state, i, player):
    """Rule sheets: colors with gems, or runs of two and more and single ones that pay; then gold, bonuses, chips."""
    given, rule, at = state["players"][i], state["rule"], f"/players/{i}"
    lines = []
    if oracle.cards_open(state, given):
        lines.append((None, [f"{at}/color_cards" if given.get("color_cards") else at]))
        known = [card for card in given.get("color_cards", []) if card in oracle.COLORS]
        few = len(given.get("color_cards", [])) <= {15: 1}.get(rule, 2)
        if known and few and "line" in given and "rainbow" not in given["line"]:
            lines += [line for color, line in seeker_runs(state, given, at, {}) if color in known]
    elif rule >= 19:
        lines.append((sum(given["valid"].values()), held(given["valid"], f"{at}/valid")))
    elif "line" in given:
        lines += [line for _, line in seeker_runs(state, given, at, player["choices"])]
    else:
        lines += seeker_colors(state, given, at, player["choices"])
    if given.get("gold"):
        lines.append((given["gold"], [f"{at}/gold"]))
    if rule >= 19 and any(given.get("gems", {}).values()):
        lines.append((0, held(given["gems"], f"{at}/gems")))
    for n, turn in enumerate(given.get("bonuses", [])):
        lines.append((oracle.bonus(turn), [f"{at}/bonuses/{n}/{key}" for key in turn]))
    if given.get("chips"):
        lines.append((given["chips"], [f"{at}/chips"]))
    return lines


def held(counts, at):
    return [f"{at}/{gem}" for gem in GEMS if counts.get(gem)]


def seeker_runs(state, given, at, choices):
    """`(color, (points, places))` of each run that a player would ask about."""
    rule, cards = state["rule"], given.get("color_cards", [])
    line = [choices["rainbow"] if gem == "rainbow" else gem for gem in given["line"]]
    start = 0
    for color, same in groupby(line):
        n = len(list(same))
        points = oracle.seeker_points({**state, "house_rules": {}}, [color] * n, [c for c in cards if c == color], {})[
            0
        ]
        if rule in (16, 17) and color not in cards:
            points = 0
        if n > 1 or points:
            yield color, (points, [f"{at}/line/{k}" for k in range(start, start + n)])
        start += n


def seeker_colors(state, given, at, choices):  # noqa: PLR0911
    rule, gems = state["rule"], given["gems"]
    count = {color: gems.get(color, 0) for color in oracle.COLORS}
    rainbow = choices.get("rainbow") if gems.get("rainbow") else None
    if rainbow:
        count[rainbow] += 1

    def where(color):
        real = [f"{at}/gems/{color}"] if gems.get(color) else []
        return real + ([f"{at}/gems/rainbow"] if color == rainbow else [])

    colors = [color for color in oracle.COLORS if count[color]]
    if rule in (11, 12):
        sign = 1 if rule == 11 else -1
        return [
            (4 * len(colors) if rule == 11 else -len(colors), held(gems, f"{at}/gems")),
            (-sign * sum(count.values()), held(gems, f"{at}/gems")),
        ]
    if rule in (13, 14):
        if "plus" not in choices:
            return []
        plus, minus = choices["plus"], choices["minus"]
        return [(2 * count[plus], where(plus)), (-2 * count[minus], where(minus))]
    if rule == 15:
        minus = given["color_cards"][0]
        return [*((count[plus], where(plus)) for plus in choices["plus"]), (-2 * count[minus], where(minus))]
    if rule == 1:
        ranked = sorted(colors, key=lambda color: -count[color])
        worth = {color: count[color] * sign for color, sign in zip(ranked, (1, 1, -1), strict=False)}
        return [(worth.get(color, 0), where(color)) for color in colors]
    if rule == 6:
        return [(4 if count[color] == choices["number"] else 0, where(color)) for color in colors]
    return [(oracle.seeker_points(state, [color] * count[color], [], {})[0], where(color)) for color in colors]


# In the Ruin: of equal rectangles and ways any may be shown, so that each is checked for what it claims


def ruin(state, i, player):
    given, at = state["players"][i], f"/players/{i}"
    letters = {name: tuple(cell) for name, cell in state["letters"].items()}
    lines = {}
    for line in player["lines"]:
        lines.setdefault(line["key"], []).append(line)
    yield from ruin_squares(given, at, letters, lines)
    if "map" not in given:
        yield from [f"{key} at half-time" for key in lines if not key.startswith("ruin.square")]
        return
    grid = oracle.cells(given["map"])
    goals = [line for key in ("joined", "open", "walled") for line in lines.get(f"ruin.route.{key}", [])]
    for n, (one, other) in enumerate(given.get("goals", [])):
        (line,) = [line for line in goals if line["because"][0] == f"{at}/goals/{n}"]
        yield from ruin_route(grid, letters[one], letters[other], line, f"{at}/map")
    if len(goals) != len(given.get("goals", [])):
        yield "not one line a goal card"
    rounds = [p.get("escaped") for p in state["players"] if "map" in p]
    for key, points in (
        ("ruin.gems", 10 * given.get("gems", 0)),
        ("ruin.penalties", -10 * given.get("penalties", 0)),
        ("ruin.escape", oracle.honor(rounds, given["escaped"])),
    ):
        said = [line["points"] for name, of in lines.items() if name.startswith(key) for line in of]
        if said != [points]:
            yield f"{key}: {said}, here {points}"
    charged = [line["points"] for line in lines.get("ruin.blocks.charged", [])]
    sets = oracle.block_sets({cell for cell, mark in grid.items() if mark == "o"}, False)
    if charged != ([-20] * sets if state.get("charge_blocks") else []):
        yield f"2 × 2: {charged}, here {sets} sets"


def ruin_squares(given, at, letters, lines):
    known = given.get("first_destinations", given.get("destinations", []))
    for key, rows, destinations, field in (
        ("ruin.square.first", "first_square" not in given and given.get("first_map"), known, "first_map"),
        ("ruin.square.second", given.get("map"), given.get("destinations", []), "map"),
    ):
        said = lines.get(key, [])
        if len(said) != bool(rows):
            yield f"{key}: {len(said)} lines"
        for line in said if rows else []:
            grid = oracle.cells(rows)
            cells = [tuple(map(int, place.split("/")[-2:])) for place in line["because"]]
            if line["points"] != oracle.square(grid, [letters[name] for name in destinations]):
                yield f"{key}: {line['points']}"
            filled = all(
                grid[c] == "o" or (grid[c] == "#" and c not in [letters[d] for d in destinations]) for c in cells
            )
            size = [len({cell[axis] for cell in cells}) for axis in (0, 1)]
            if not filled or size[0] * size[1] != len(cells) or len(cells) != line["points"]:
                yield f"{key}: its cells are no filled rectangle"
            if any(not place.startswith(f"{at}/{field}/") for place in line["because"]):
                yield f"{key}: points elsewhere"
    written = [line["points"] for line in lines.get("ruin.square.written", [])]
    if written != ([given["first_square"]] if "first_square" in given else []):
        yield f"written square: {written}"


def ruin_route(grid, start, end, line, at):
    passages = {cell for cell, mark in grid.items() if mark == "o"}
    together = end in oracle.joined(passages, start)
    if line["points"] != 15 * together:
        yield f"goal {line['values']}: {line['points']}"
    cells = [tuple(map(int, place.split("/")[-2:])) for place in line["because"] if place.startswith(f"{at}/")]
    if together:
        steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(cells)]
        if not set(cells) <= passages or {cells[0], cells[-1]} != {start, end} or set(steps) - {1}:
            yield f"goal {line['values']}: no way of passages side by side"
        return
    gap = {tuple(map(int, place.split("/")[-2:])) for place in line.get("gap", [])}
    if end not in oracle.joined(passages | gap, start):
        yield f"goal {line['values']}: the gap does not join it"
    if any(end in oracle.joined(passages | gap - {cell}, start) for cell in gap):
        yield f"goal {line['values']}: the gap has a cell too many"
    blank = {cell for cell, mark in grid.items() if mark == "."}
    without_walls = {start, end} <= passages | blank and end in oracle.joined(passages | blank, start)
    if ("walled" in line["key"]) == without_walls:
        yield f"goal {line['values']}: walled or not"


# Human Angel Demon


def demon(state, i, player):
    """Points before; for a goal opened sets, red cards, bonus checks; the discarder's loss; three sets of Items."""
    given, at = state["players"][i], f"/players/{i}"
    lines = [(given.get("points", 0), [f"{at}/points"] if "points" in given else [])]
    winner = next((p for p in state["players"] if p["name"] == state["winner"]), None)
    scores = winner is not None and oracle.demon_may_score(state, winner)
    if scores and given is winner:
        lines += demon_goal(state, given, at)
    if scores and state.get("advanced") and given["name"] == state.get("discarder"):
        w = state["players"].index(winner)
        hand = [f"/players/{w}/hand/{n}" for n, card in enumerate(winner["hand"]) if card == winner["winning_card"]]
        lost = min(given.get("points", 0), oracle.demon_points(state, winner))
        lines.append((-lost, ["/discarder", *hand[:1], f"/players/{w}/winning_card", "/winner"]))
    if state.get("advanced"):
        lines += demon_items(state, given, at)
    return lines


def demon_goal(state, given, at):
    opened = [(k, cards, is_set(cards)) for k, cards in enumerate(given.get("open", []))]
    lines = [(int(good), [f"{at}/open/{k}/{n}" for n in range(3)]) for k, cards, good in opened]
    cards = [(f"{at}/open/{k}/{n}", card) for k, three, good in opened if good for n, card in enumerate(three)]
    sets = [[(f"{at}/open/{k}/{n}", card) for n, card in enumerate(three)] for k, three, good in opened if good]
    hand = [(f"{at}/hand/{n}", card) for n, card in enumerate(given["hand"])]
    if state.get("advanced"):
        way = sorted(oracle.demon_ways([card[:2] for _, card in hand]))[0]
        left = list(hand)
        for titles in way:
            part = []
            for title in titles:
                part.append(next(one for one in left if one[1][:2] == title))
                left.remove(part[-1])
            sets.append(part)
    for place, card in [*cards, *hand]:
        if "r" in card and not state.get("advanced"):
            lines.append((1, [place]))
        elif "r" in card:
            lines.append(demon_condition(place, card, sets, [s for s in sets if "/open/" in s[0][0]], state))
    for n, check in enumerate(state.get("bonus", [])):
        same = [place for place, card in [*cards, *hand] if card[:2] == check[:2]]
        lines.append((len(same), [f"/bonus/{n}", *same]))
        if not same:
            break
    return lines


def is_set(cards):
    return oracle.demon_set(sorted(card[:2] for card in cards))


def demon_condition(place, card, sets, opened, state):
    """A red card's points and the cards that decide: all that meet it, or those of the first set that breaks it."""
    if card[0] == "I":
        return (0 if int(card[1]) in state.get("item_win", []) else 1), [place]

    def edge(card):
        return card[0] == "I" or card[1] in "17"

    everything = [one for part in sets for one in part]
    if card[1] in "35":
        met, shown, pays = len(opened) >= 3, [one for part in opened for one in part], 2
    elif card[1] in "17":
        bad = [part for part in sets if not any(edge(c) for _, c in part)]
        met, pays = not bad, 2
        shown = [one for one in everything if edge(one[1])] if met else bad[0]
    else:
        pays = 5 if card[1] == "4" else 2
        breaks = (lambda c: c[0] not in ("I", card[0])) if card[1] == "4" else edge
        bad = [[one for one in part if breaks(one[1])] for part in sets if any(breaks(c) for _, c in part)]
        met = not bad
        shown = everything if met else bad[0]
    return pays * met, list(dict.fromkeys([place, *(p for p, _ in shown)]))


def demon_items(state, given, at):
    sets = [(k, s) for k, s in enumerate(given.get("open", [])) if all(c[0] == "I" for c in s) and is_set(s)]
    if len(sets) < 3:
        return []
    places = [(f"{at}/open/{k}/{n}", card) for k, three in sets for n, card in enumerate(three)]
    hand = [(f"{at}/hand/{n}", card) for n, card in enumerate(given.get("hand", []))]
    win = state.get("item_win") or [1, 2, 3, 4]
    red = [one for one in [*places, *hand] if one[1][0] == "I" and "r" in one[1] and int(one[1][1]) in win]
    return [(0, list(dict.fromkeys(place for place, _ in [*places, *red])))]


# Splendor, Igna


def splendor(state, i, player):
    given, at = state["players"][i], f"/players/{i}"
    cards = [(card.get("points", 0), f"{at}/cards/{n}") for n, card in enumerate(given.get("cards", []))]
    lines = [(points, [place]) for points, place in cards if points]
    if plain := [place for points, place in cards if not points]:
        lines.append((0, plain))
    nobles = given.get("nobles", 0)
    if isinstance(nobles, list):
        return lines + [(3, [f"{at}/nobles/{n}"]) for n in range(len(nobles))]
    return lines + ([(3 * nobles, [f"{at}/nobles"])] if nobles else [])


def igna(state, i, player):
    worth, lines = state.get("points"), []
    sets = state["players"][i].get("sets", [])
    for k, cards in enumerate(sets):
        where = [f"/players/{i}/sets/{k}/{n}" for n in range(3)]
        kind = oracle.igna_kind(cards)
        lines.append((0 if kind is None else None if worth is None else worth.get(kind), where))
        for n, card in enumerate(oracle.igna_cards(cards)):
            if kind and card.get("bonus"):
                lines.append((None if worth is None else worth.get("bonus", 0), [where[n]]))
    if worth is None and not any(map(oracle.igna_kind, sets)):
        lines.append((None, []))
    return lines


LINES = {
    "twelve-seekers": seekers, "in-the-ruin": ruin, "human-angel-demon": demon, "splendor": splendor, "igna": igna,
}  # fmt: skip


# Notes


def anyone(condition):
    """Whether it holds for some player: the condition takes the state, the player's row and what was answered of it."""
    return lambda state, answer: any(
        condition(state, row, said) for row, said in zip(state["players"], answer["players"], strict=True)
    )


def paid_runs(state, row, said):
    """Color and length of every run, the rainbow counted as what it took; none where its color is not known."""
    rainbow = said["choices"].get("rainbow")
    line = [rainbow if gem == "rainbow" else gem for gem in row.get("line", [])]
    return [] if None in line else [(color, len(list(same))) for color, same in groupby(line)]


def runs_of(rules, long_enough):
    return anyone(
        lambda state, row, said: (
            state["rule"] in rules
            and said["total"] is not None
            and any(
                long_enough(state["rule"], color, n) and (state["rule"] < 16 or color in row["color_cards"])
                for color, n in paid_runs(state, row, said)
            )
        )
    )


def counts(row):
    return row.get("gems") or row.get("valid") or {}


def plus_twice(state, row, said):
    runs = [c for c, n in paid_runs(state, row, said) if n > 1 and c in row.get("color_cards", [])]
    return state["rule"] in (16, 17) and said["total"] is not None and len(set(runs)) < len(runs)


def box_powers(state, answer):
    laid = {1: 2, 2: 3, 3: 3, 4: 2, 5: 2}
    taken = [c if isinstance(c, int) else oracle.power(c) for p in state["players"] for c in p.get("seekers", [])]
    return any(taken.count(power) > most for power, most in laid.items())


def tied(state, answer):
    """Names with the most points, where there are several and the game is over."""
    if answer["leading"]:
        return []
    totals = {p["name"]: p["total"] for p in answer["players"]}
    if None in totals.values():
        return []
    top = [name for name, total in totals.items() if total == max(totals.values())]
    return top if len(top) > 1 else []


def entrance_blank(state, row, said):
    return "map" in row and row["map"][5][5] != "o"


def changed_later(state, row, said):
    if "first_map" not in row or "map" not in row:
        return False
    return any(a not in (".", b) for first, last in zip(row["first_map"], row["map"], strict=True)
               for a, b in zip(first, last, strict=True))  # fmt: skip


def blocks(state, row, said):
    passages = {cell for cell, mark in oracle.cells(row.get("map", [])).items() if mark == "o"}
    return not state.get("charge_blocks") and oracle.block_sets(passages, True) > 0


def together(state, answer):
    rounds = [p["escaped"] for p in state["players"] if "map" in p and p["escaped"] is not None]
    return len(set(rounds)) < len(rounds)


def noble_unmet(state, row, said):
    have = Counter(card["bonus"] for card in row.get("cards", []))
    nobles = row.get("nobles", 0)
    return isinstance(nobles, list) and any(n > have[color] for noble in nobles for color, n in noble.items())


def end_of_splendor(state, answer, over):
    return max(p["total"] for p in answer["players"]) >= 15 and bool(state.get("round_over")) is over


def claimed(state):
    return next((p for p in state["players"] if p["name"] == state["winner"]), None)


def bonus_ends_open(state, answer):
    """Every check that was turned over has met a card of the goal: one more may be turned over."""
    winner = claimed(state)
    if not winner or not state.get("bonus") or not oracle.demon_may_score(state, winner):
        return False
    sets = [card for three in winner.get("open", []) if is_set(three) for card in three]
    titles = {card[:2] for card in [*sets, *winner["hand"]]}
    return all(check[:2] in titles for check in state["bonus"])


def floor(state, answer):
    winner = claimed(state)
    if not winner or not state.get("advanced") or state["won_by"] != "discard":
        return False
    loser = next(p for p in state["players"] if p["name"] == state["discarder"])
    return oracle.demon_may_score(state, winner) and loser.get("points", 0) < oracle.demon_points(state, winner)


def over(state):
    return max(sum(oracle.igna_kind(s) is not None for s in p.get("sets", [])) for p in state["players"]) >= 4


NOTES = {
    "twelve-seekers": {
        "seekers.rainbow-alone": anyone(
            lambda state, row, said: (
                said["total"] is not None
                and "rainbow" in said["choices"]
                and (row["line"] if "line" in row else [c for c, n in row["gems"].items() if n]).count(
                    said["choices"]["rainbow"]
                )
                == 0
            )
        ),
        "seekers.gold": anyone(lambda state, row, said: state["rule"] in (11, 12) and row.get("gold", 0) > 0),
        "seekers.singles": runs_of((9,), lambda rule, color, n: n == 1),
        "seekers.run-once": runs_of(
            (8,), lambda rule, color, n: n >= {"red": 4, "yellow": 6, "green": 8}.get(color, 99)
        ),
        "seekers.run-of-six": runs_of((9,), lambda rule, color, n: n == 6),
        "seekers.run-whole": runs_of(
            (9, 10, 17), lambda rule, color, n: n > {9: 3, 10: 2, 17: 3}[rule] and (rule, n) != (9, 6)
        ),
        "seekers.plus-runs": anyone(plus_twice),
        "seekers.no-pair": anyone(
            lambda state, row, said: state["rule"] == 13 and "plus" not in said["choices"]
        ),
        "seekers.rainbow-invalid": anyone(lambda state, row, said: row.get("invalid", {}).get("rainbow", 0) > 0),
        "seekers.neither": anyone(
            lambda state, row, said: state["rule"] >= 19 and sum(row.get("gems", {}).values()) > 0
        ),
        "seekers.chips-many": anyone(lambda state, row, said: abs(row.get("chips", 0)) > 20 + 2 * 10),
        "seekers.stack": anyone(lambda state, row, said: len(row.get("seekers", [])) > 6),
        "seekers.powers": box_powers,
        "seekers.bonus-stranger": anyone(
            lambda state, row, said: (
                bool(row.get("seekers"))
                and any(turn["seeker"] not in row["seekers"] for turn in row.get("bonuses", []))
            )
        ),
    },
    "in-the-ruin": {
        "ruin.entrance": anyone(entrance_blank),
        "ruin.first.later": anyone(changed_later),
        "ruin.blocks": anyone(blocks),
        "ruin.first.none": anyone(lambda state, row, said: "first_map" not in row and "first_square" not in row),
        "ruin.goals-many": anyone(lambda state, row, said: len(row.get("goals", [])) > 5),
        "ruin.ticks-beside.gems": anyone(lambda state, row, said: "map" in row and row.get("gems", 0) > 10),
        "ruin.ticks-beside.penalties": anyone(lambda state, row, said: "map" in row and row.get("penalties", 0) > 10),
        "ruin.escape.together": together,
        "ruin.goals-twice": anyone(
            lambda state, row, said: len({frozenset(g) for g in row.get("goals", [])}) < len(row.get("goals", []))
        ),
        "ruin.tie": lambda state, answer: bool(tied(state, answer)) and len(answer["winners"]) == 1,
        "ruin.tie.shared": lambda state, answer: bool(tied(state, answer)) and len(answer["winners"]) > 1,
        "ruin.goes-on": lambda state, answer: bool(state.get("goes_on")),
    },
    "human-angel-demon": {
        "had.no-goal": lambda state, answer: (
            claimed(state) is not None
            and len(claimed(state)["hand"]) == 8
            and not oracle.demon_ways([c[:2] for c in claimed(state)["hand"]])
        ),
        "had.hand-size": lambda state, answer: claimed(state) is not None and len(claimed(state)["hand"]) != 8,
        "had.no-open": lambda state, answer: (
            claimed(state) is not None
            and "open" in claimed(state)
            and bool(oracle.demon_ways(h[:8]) if len(h := [c[:2] for c in claimed(state)["hand"]]) == 8 else False)
            and not any(map(is_set, claimed(state)["open"]))
        ),
        "had.open-unknown": lambda state, answer: claimed(state) is not None and "open" not in claimed(state),
        "had.no-set": anyone(lambda state, row, said: not all(map(is_set, row.get("open", [])))),
        "had.bonus-more": bonus_ends_open,
        "had.floor": floor,
        "had.over-before": anyone(
            lambda state, row, said: row.get("points", 0) >= {2: 24, 3: 18, 4: 12}.get(len(state["players"]), 10**9)
        ),
        "had.players": lambda state, answer: len(state["players"]) not in (2, 3, 4),
    },
    "splendor": {
        "splendor.tokens-back": anyone(lambda state, row, said: sum(row.get("tokens", {}).values()) > 10),
        "splendor.kept-back": anyone(
            lambda state, row, said: (len(row["kept"]) if "kept" in row else row.get("reserved", 0)) > 3
        ),
        "splendor.noble-unmet": anyone(noble_unmet),
        "splendor.round": lambda state, answer: end_of_splendor(state, answer, False),
        "splendor.goes-on": lambda state, answer: max(p["total"] for p in answer["players"]) < 15,
    },
    "igna": {
        "igna.no-points": lambda state, answer: "points" not in state,
        "igna.no-set": anyone(lambda state, row, said: not all(map(oracle.igna_kind, row.get("sets", [])))),
        "igna.sets-many": anyone(
            lambda state, row, said: sum(map(bool, map(oracle.igna_kind, row.get("sets", [])))) > 4
        ),
        "igna.goes-on": lambda state, answer: not over(state),
        "igna.no-bonus": lambda state, answer: (
            "points" in state
            and "bonus" not in state["points"]
            and any(
                card.get("bonus")
                for p in state["players"] for s in p.get("sets", []) if oracle.igna_kind(s)
                for card in oracle.igna_cards(s)
            )
        ),
        "igna.unknown-kind": lambda state, answer: (
            "points" in state
            and any(
                oracle.igna_kind(s) not in (None, *state["points"])
                for p in state["players"] for s in p.get("sets", [])
            )
        ),
    },
}  # fmt: skip
