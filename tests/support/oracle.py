"""A second scorer, slow and plain, for totals and winners only: no table, no helper is shared with `scoring/`."""

from itertools import combinations, groupby, product
from unicodedata import normalize

COLORS = ["red", "yellow", "green", "blue", "purple"]
POWERS = {
    1: ["steal-one", "first-of-kind", "three-return-two"],
    2: ["pair", "steal-same", "anywhere", "both-ends-one"],
    3: ["five-return-two", "all-different", "swap-one", "give-one"],
    4: ["two-kinds", "five-return-one", "both-ends-two"],
    5: ["five-give-one", "five-give-most", "four-kinds"],
}


def judge(state):
    """Totals in order, the set of winners, and of those who are ahead in a game that goes on."""
    return {
        "twelve-seekers": seekers,
        "in-the-ruin": ruin,
        "human-angel-demon": demon,
        "splendor": splendor,
        "igna": igna,
    }[state["game"]](state)


def read_as(state, question, reading):
    return state.get("house_rules", {}).get(question) == reading


def seekers(state):
    totals = [None if cards_open(state, player) else seeker_total(state, player) for player in state["players"]]
    if None in totals:
        return totals, set(), set()
    top = [p for p, total in zip(state["players"], totals, strict=True) if total == max(totals)]
    stacks = [[c if isinstance(c, int) else power(c) for c in p.get("seekers", [])] for p in state["players"]]
    if any(len(stack) < 6 for p, stack in zip(state["players"], stacks, strict=True) if "seekers" in p):
        return totals, set(), {p["name"] for p in top}
    if len(top) > 1:
        if len(stacks) == len(top) == 2 and [] in stacks:
            stacks = [stack or rest_of(stacks[1 - i]) for i, stack in enumerate(stacks)]
        powers = [sum(stack) for stack in stacks]
        if 0 in powers:
            return totals, set(), set()
        top = [p for p, n in zip(state["players"], powers, strict=True) if p in top and n == min(powers)]
    return totals, {p["name"] for p in top}, set()


def cards_open(state, player):
    """Whether color cards lie face down or were not typed, or there are more than are dealt."""
    dealt = {14: 2, 15: 1, 16: 2, 17: 2}.get(state["rule"], 0)
    shown = player.get("color_cards", [])
    return dealt and (len(shown) != dealt or "?" in shown)


def rest_of(stack):
    """The seekers of a game that the other player has not taken; none where no game lays that stack out."""
    rest = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
    for card in stack:
        if card not in rest:
            return []
        rest.remove(card)
    return rest if len(rest) == 6 else []


def power(name):
    return next(n for n, names in POWERS.items() if name in names)


def seeker_total(state, player):
    rule = state["rule"]
    made = player.get("choices", {})
    rest = player.get("gold", 0) + player.get("chips", 0) + sum(map(bonus, player.get("bonuses", [])))
    if rule >= 19:
        return rest + sum(player["valid"].values())
    gems = player["line"] if "line" in player else [c for c, n in player["gems"].items() for _ in range(n)]
    rainbows = [made["rainbow"]] if "rainbow" in made and "rainbow" in gems else COLORS
    best = None
    for rainbow in rainbows:
        colored = [rainbow if gem == "rainbow" else gem for gem in gems]
        for points in seeker_points(state, colored, player.get("color_cards", []), made):
            best = points if best is None else max(best, points)
    return rest + best


def seeker_points(state, gems, cards, made):  # noqa: PLR0911, PLR0912
    rule = state["rule"]
    count = {color: gems.count(color) for color in COLORS}
    runs = [(color, len(list(same))) for color, same in groupby(gems)]
    if rule == 1:
        one, two, three, *_ = sorted(count.values())[::-1]
        return [one + two - three]
    if rule == 2:
        return [sum({0: 0, 1: 2, 2: 4}[n % 3] for n in count.values())]
    if rule == 3:
        return [sum({"red": 2, "yellow": 2, "green": 1, "blue": -1, "purple": -2}[gem] for gem in gems)]
    if rule == 4:
        purple = 5 if count["purple"] >= 5 else -count["purple"]
        threes = 5 * (count["red"] // 3) - 3 * (count["blue"] // 3)
        return [threes + 3 * (count["yellow"] // 2) + count["green"] + purple]
    if rule == 5:
        return [sum(5 if n >= 5 else -n for n in count.values())]
    if rule == 6:
        numbers = [made["number"]] if "number" in made else range(1, 9)
        return [4 * sum(n == number for n in count.values()) for number in numbers]
    if rule in (7, 18):
        return [sum([0, 0, 1, 2, 4, 6, 9, 12, 12][n] for _, n in runs)]
    if rule == 8:
        return [sum(map(rule_8, runs))]
    if rule == 9:
        free = 1 if read_as(state, "rule-9-singles", "free") else 0
        return [sum(6 if n == 3 else 0 if n == free else -n for _, n in runs)]
    if rule == 10:
        return [2 * sum(n == 2 for _, n in runs)]
    if rule in (11, 12):
        points = 4 * len(set(gems)) - len(gems) if rule == 11 else len(gems) - len(set(gems))
        return [points]
    if rule in (13, 14):
        choosable = [c for c in COLORS if count[c]] if rule == 13 else cards
        pairs = [(p, m) for p, m in product(choosable, repeat=2) if p != m]
        if not pairs and "plus" not in made and "minus" not in made:
            return [0]
        pairs = [(p, m) for p, m in pairs if made.get("plus", p) == p and made.get("minus", m) == m]
        return [2 * count[p] - 2 * count[m] for p, m in pairs]
    if rule == 15:
        pairs = [made["plus"]] if "plus" in made else combinations([c for c in COLORS if c != cards[0]], 2)
        return [count[a] + count[b] - 2 * count[cards[0]] for a, b in pairs]
    pays = [0, 0, 2, 4, 6, 8, 10, 13, 13] if rule == 16 else [0, 0] + [3] * 7
    paid = [[pays[n] for color, n in runs if color == card] for card in cards]
    if read_as(state, "plus-runs", "once-a-color"):
        return [sum(max(of_a_color, default=0) for of_a_color in paid)]
    return [sum(map(sum, paid))]


def rule_8(run):
    color, n = run
    if color == "blue":
        return -3 if n == 1 else n
    if color == "purple":
        return 2 if n == 1 else -n
    needs, pays = {"red": (2, 2), "yellow": (3, 4), "green": (4, 6)}[color]
    return pays if n >= needs else 0


def bonus(turn):
    kinds = len(set(turn["gems"]))
    match turn["seeker"]:
        case "first-of-kind":
            paid = turn["gems"] == ["rainbow"] or turn["gems"][0] not in turn["held"]
        case "pair":
            paid = kinds == 1
        case "all-different":
            paid = kinds == 3
        case "two-kinds":
            paid = kinds == 2
        case "four-kinds":
            paid = kinds in (4, 5)
    return 2 * paid


def ruin(state):
    letters = {name: tuple(cell) for name, cell in state["letters"].items()}
    totals, circles = [], []
    rounds = [p.get("escaped") for p in state["players"] if "map" in p]
    for p in state["players"]:
        grid = cells(p["map" if "map" in p else "first_map"])
        total = square(grid, [letters[name] for name in p.get("destinations", [])]) if "map" in p else 0
        if "first_square" in p:
            total += p["first_square"]
        elif "first_map" in p:
            known = p.get("first_destinations", p.get("destinations", []))
            total += square(cells(p["first_map"]), [letters[name] for name in known])
        passages = {cell for cell, mark in grid.items() if mark == "o"}
        circles.append(len(passages))
        if "map" not in p:
            totals.append(total)
            continue
        total += 10 * p.get("gems", 0) - 10 * p.get("penalties", 0)
        total += sum(15 for a, b in p.get("goals", []) if letters[b] in joined(passages, letters[a]))
        total += honor(rounds, p["escaped"])
        if state.get("charge_blocks"):
            total -= 20 * block_sets(passages, read_as(state, "sharing-blocks", "each"))
        totals.append(total)
    keys = list(zip(totals, circles, strict=True))
    best = {p["name"] for p, key in zip(state["players"], keys, strict=True) if key == max(keys)}
    return (totals, set(), best) if state.get("goes_on") else (totals, best, set())


def cells(rows):
    return {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}


def square(grid, destinations):
    """By the number of filled cells above and left of each corner; every rectangle is tried."""
    good = {cell for cell, mark in grid.items() if mark == "o" or (mark == "#" and cell not in destinations)}
    below = {(r, c): sum((i, j) in good for i in range(r) for j in range(c)) for r in range(12) for c in range(12)}
    best = 0
    for (top, bottom), (left, right) in product(combinations(range(12), 2), repeat=2):
        area = (bottom - top) * (right - left)
        if area > best:
            held = below[bottom, right] - below[top, right] - below[bottom, left] + below[top, left]
            best = area if held == area else best
    return best


def joined(passages, start):
    reached, fresh = set(), {start} & passages
    while fresh:
        reached |= fresh
        steps = {(r + dr, c + dc) for r, c in fresh for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        fresh = (steps & passages) - reached
    return reached


def honor(rounds, mine):
    if mine is None:
        return -20
    place = 1 + sum(other is not None and other < mine for other in rounds)
    if rounds.count(mine) > 1:
        place += 1
    return {1: 30, 2: 10}.get(place, 0)


def block_sets(passages, each):
    blocks = [
        {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}
        for r in range(10)
        for c in range(10)
        if {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} <= passages
    ]
    sets = []
    if each:
        return len(blocks)
    for block in blocks:
        touching = [other for other in sets if other & block]
        sets = [other for other in sets if not other & block] + [block.union(*touching)]
    return len(sets)


def demon(state):
    names = [p["name"] for p in state["players"]]
    totals = [p.get("points", 0) for p in state["players"]]
    i = names.index(state["winner"]) if state["winner"] else None
    if i is not None and demon_may_score(state, state["players"][i]):
        won = demon_points(state, state["players"][i])
        totals[i] += won
        if state["won_by"] == "discard" and state.get("advanced"):
            loser = names.index(state["discarder"])
            totals[loser] = max(0, totals[loser] - won)
    if state.get("advanced"):
        in_sets = read_as(state, "instant-win", "red-in-sets")
        instant = {p["name"] for p in state["players"] if demon_instant(p, state.get("item_win"), in_sets)}
        if instant:
            return totals, instant, set()
    n = len(names)
    over = state.get("short_game", 0) >= {2: 6, 3: 6, 4: 8}[n] or max(totals) >= {2: 24, 3: 18, 4: 12}[n]
    return totals, {name for name, total in zip(names, totals, strict=True) if over and total == max(totals)}, set()


def demon_instant(player, item_win, in_sets):
    sets = [cards for cards in player.get("open", []) if cards[0][0] == "I" and demon_set(sorted(c[:2] for c in cards))]
    shown = sets if in_sets else [*sets, player.get("hand", [])]
    red = [card for cards in shown for card in cards if card[0] == "I" and "r" in card]
    return len(sets) >= 3 and any(item_win is None or int(card[1]) in item_win for card in red)


def demon_points(state, winner):
    sets = [three for three in winner.get("open", []) if demon_set(sorted(card[:2] for card in three))]
    cards = [card for three in sets for card in three] + winner["hand"]
    points = len(sets)
    if state.get("advanced"):
        ways = demon_ways([card[:2] for card in winner["hand"]])
        opened = [[card[:2] for card in three] for three in sets]
        items = state.get("item_win", [])
        points += max(sum(demon_red(c, opened + way, len(opened), items) for c in cards if "r" in c) for way in ways)
    else:
        points += sum("r" in card for card in cards)
    for check in state.get("bonus", []):
        same = sum(card[:2] == check[:2] for card in cards)
        points += same
        if not same:
            break
    return points


def demon_may_score(state, winner):
    """Eight cards that are a goal; what the rules say against it counts under the house rule only."""
    hand = [card[:2] for card in winner["hand"]]
    if len(hand) != 8 or not demon_ways(hand):
        return False
    if not read_as(state, "forbidden-goal", "nobody"):
        return True
    sets = [three for three in winner.get("open", []) if demon_set(sorted(card[:2] for card in three))]
    by_discard = state["won_by"] == "discard"
    if (not sets and "open" in winner) or (by_discard and not winner.get("ready")):
        return False
    wins = winner["winning_card"] if by_discard else ""
    if not state.get("advanced") or wins not in winner["hand"]:
        return True
    hand.remove(wins[:2])
    return not any(demon_ways([*hand, card[:2]]) for card in winner.get("discards", []))


def demon_ways(hand):
    """Every pair, every three of the six left: whatever is a goal form."""
    ways = []
    for pair in combinations(range(8), 2):
        six = [i for i in range(8) if i not in pair]
        for three in combinations(six, 3):
            sets = [three, [i for i in six if i not in three]]
            titles = [sorted(hand[i] for i in part) for part in sets]
            if hand[pair[0]] == hand[pair[1]] and all(map(demon_set, titles)):
                ways.append([*titles, [hand[i] for i in pair]])
    return ways


def demon_set(titles):
    numbers = [int(title[1]) for title in titles]
    one_attribute = len({title[0] for title in titles}) == 1
    run = titles[0][0] != "I" and numbers == list(range(numbers[0], numbers[0] + 3))
    return one_attribute and (len(set(numbers)) == 1 or run)


def demon_red(card, sets, opened, item_win):
    if card[0] == "I":
        return 0 if int(card[1]) in item_win else 1
    edges = [[title[0] == "I" or title[1] in "17" for title in titles] for titles in sets]
    match card[1]:
        case "1" | "7":
            return 2 * all(any(edge) for edge in edges)
        case "2" | "6":
            return 2 * (not any(any(edge) for edge in edges))
        case "3" | "5":
            return 2 * (opened >= 3)
    return 5 * all(title[0] in ("I", card[0]) for titles in sets for title in titles)


def splendor(state):
    totals, keys = [], []
    for p in state["players"]:
        nobles = p.get("nobles", 0)
        cards = p.get("cards", [])
        totals.append(
            sum(card.get("points", 0) for card in cards) + 3 * (nobles if nobles in range(99) else len(nobles))
        )
        more = (nobles if nobles in range(99) else len(nobles)) if read_as(state, "fewest-cards", "with-nobles") else 0
        keys.append((totals[-1], -len(cards) - more))
    ahead = {p["name"] for p, key in zip(state["players"], keys, strict=True) if key == max(keys)}
    if max(totals) < 15:
        return totals, set(), set()
    return (totals, ahead, set()) if state.get("round_over") else (totals, set(), ahead)


def igna(state):
    worth = state.get("points")
    totals = [igna_total(worth, p.get("sets", [])) for p in state["players"]]
    sets = [sum(igna_kind(cards) is not None for cards in p.get("sets", [])) for p in state["players"]]
    if None in totals or max(sets) < 4:
        return totals, set(), set()
    winners = {p["name"] for p, total in zip(state["players"], totals, strict=True) if total == max(totals)}
    return totals, winners, set()


SAME_COLOR = {"赤": "red", "青": "blue"}


def igna_cards(cards):
    full = []
    for c in cards:
        one = c if isinstance(c, dict) else {
            "color": c.rstrip("*0123456789"), "number": c.rstrip("*")[-1], "bonus": c[-1] == "*",
        }  # fmt: skip
        color = normalize("NFKC", one["color"]).lower()
        full.append({**one, "color": SAME_COLOR.get(color, color), "number": int(one["number"])})
    return full


def igna_kind(cards):
    full = igna_cards(cards)
    colors, numbers = {c["color"] for c in full}, sorted(c["number"] for c in full)
    if len(set(numbers)) == 1:
        return {1: "same", 3: "mixed"}.get(len(colors))
    return "run" if len(colors) == 1 and numbers == list(range(numbers[0], numbers[0] + 3)) else None


def igna_total(worth, sets):
    if worth is None:
        return None
    total = 0
    for cards in sets:
        kind = igna_kind(cards)
        if kind is None:
            continue
        if kind not in worth:
            return None
        total += worth[kind] + worth.get("bonus", 0) * sum(c.get("bonus", False) for c in igna_cards(cards))
    return total
