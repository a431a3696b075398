"""Laws that hold for every table state."""

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import StateError, score_state
from scoring.games import NAMES
from scoring.samples import any_state
from scoring.twelve_seekers import samples
from scoring.twelve_seekers.choices import gems_with
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.sheets import SHEETS
from scoring.twelve_seekers.table import read

states = st.integers(0, 2**64).map(lambda seed: any_state(Random(seed)))
seeker_states = st.integers(0, 2**64).map(lambda seed: samples.sample(Random(seed)))
laws = settings(max_examples=80)


def totals(breakdown):
    return {player.name: player.total for player in breakdown.players}


def at(state, place):
    """What a pointer points at; a cell of a map is one further step into its row."""
    for step in place.split("/")[1:]:
        state = state[int(step)] if isinstance(state, (list, str)) else state[step]
    return state


@laws
@given(states)
def test_lines_sum_to_the_total_and_point_into_the_state(state):
    for player in score_state(state).players:
        points = [line.points for line in player.lines]
        assert player.total == (None if None in points else sum(points))
        for line in player.lines:
            for place in (*line.because, *line.gap):
                at(state, place)


@laws
@given(states)
def test_whoever_wins_does_not_lead_and_notes_point_into_the_state(state):
    breakdown = score_state(state)
    assert not (breakdown.winners and breakdown.leading)
    assert {*breakdown.winners, *breakdown.leading} <= {player.name for player in breakdown.players}
    for note in breakdown.notes:
        for place in note.because:
            at(state, place)


@laws
@given(states)
def test_explaining_changes_nothing(state):
    plain, explained = score_state(state, explain=False), score_state(state)
    assert totals(plain) == totals(explained)
    assert (plain.winners, plain.leading) == (explained.winners, explained.leading)
    assert plain.notes == explained.notes


@laws
@given(states, st.randoms())
def test_players_in_another_order_score_the_same(state, random):
    other = deepcopy(state)
    random.shuffle(other["players"])
    one, two = score_state(state), score_state(other)
    assert totals(one) == totals(two)
    assert set(one.winners) == set(two.winners)


@laws
@given(states)
def test_renamed_players_score_the_same(state):
    new = {player["name"]: f"{player['name']} 改" for player in state["players"]}
    other = deepcopy(state)
    for player in other["players"]:
        player["name"] = new[player["name"]]
    for key in ("winner", "discarder"):
        if other.get(key):
            other[key] = new[other[key]]
    one, two = score_state(state), score_state(other)
    assert [p.total for p in one.players] == [p.total for p in two.players]
    assert [new[name] for name in one.winners] == list(two.winners)


@laws
@given(seeker_states)
def test_an_open_choice_is_never_worse_and_alternatives_hold_the_made_one(state):
    freed = deepcopy(state)
    for player in freed["players"]:
        player.pop("choices", None)
    for made, free in zip(score_state(state).players, score_state(freed).players, strict=True):
        assert free.total >= made.total
        assert not free.alternatives or free.alternatives[0].total == free.total
        if made.choices and made.alternatives == free.alternatives:
            legal = [dict(other.choices) for other in made.alternatives if other.total == made.total]
            if set(made.choices) == set(free.choices):  # else a rainbow that left no two colors
                assert any(_alike(made.choices, other) for other in legal)


def _alike(one, other):
    return all(sorted([*one[key]]) == sorted([*other[key]]) if key == "plus" else one[key] == other[key] for key in one)


@laws
@given(seeker_states)
def test_every_alternative_can_be_made(state):
    for i, player in enumerate(score_state(state).players):
        for other in player.alternatives[:: max(1, len(player.alternatives) // 4)]:
            made = deepcopy(state)
            made["players"][i]["choices"] = {k: list(v) if type(v) is tuple else v for k, v in other.choices.items()}
            assert score_state(made, explain=False).players[i].total == other.total


@laws
@given(st.sampled_from([1, 2, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]), st.integers(0), st.randoms())
def test_swapped_colors_change_nothing_where_all_colors_are_alike(rule, seed, random):
    state = samples.sample(Random(seed), rule)
    shuffled = random.sample(COLORS, 5)
    new = dict(zip(COLORS, shuffled, strict=True))
    assert totals(score_state(state)) == totals(score_state(_recolored(state, new)))


@pytest.mark.parametrize("rule", [3, 4, 8])
def test_swapped_colors_in_state_and_table_alike_change_nothing(rule):
    """Under the rules that tell colors apart, the color's table goes with the color."""
    kind = SHEETS[rule].kind
    order = [3, 0, 4, 1, 2]
    swapped = type(kind)(tuple(kind.tables[order.index(color)] for color in range(5)))
    new = {COLORS[color]: COLORS[order[color]] for color in range(5)}
    for seed in range(200):
        state = samples.sample(Random(seed), rule)
        for one, two in zip(read(state).players, read(_recolored(state, new)).players, strict=True):
            assert kind.points(gems_with(kind, one, None), [()]) == swapped.points(gems_with(kind, two, None), [()])


def _recolored(value, new):
    if isinstance(value, dict):
        return {new.get(key, key): _recolored(inner, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_recolored(inner, new) for inner in value]
    return new.get(value, value) if isinstance(value, str) else value


@laws
@given(st.sampled_from([*SHEETS]), st.integers(0))
def test_points_are_the_sum_of_their_parts(rule, seed):
    kind = SHEETS[rule].kind
    for player in read(samples.sample(Random(seed), rule)).players:
        gems = gems_with(kind, player, None if kind.collects == "line" else 2 if player.counts[5] else None)
        extras = kind.extras(gems, player.cards if kind.cards else ())
        sums = [sum(part[0] for part in kind.parts(gems, extra)) for extra in extras]
        assert kind.points(gems, extras) == sums


@laws
@given(states)
def test_rulings_say_what_the_house_rule_gives(state):
    breakdown = score_state(state)
    for ruling in breakdown.rulings:
        other = score_state({**state, "house_rules": {ruling.question: ruling.other}})
        assert tuple(player.total for player in other.players) == ruling.totals
        assert (other.winners, other.leading) == (ruling.winners, ruling.leading)


names = st.sampled_from(
    ["game", "rule", "players", "name", "gems", "line", "map", "escaped", "winner", "hand", "open", "cards", "sets",
     "points", "choices", "color_cards", "letters", "goals", "house_rules", "bonuses", "seekers", "nobles", "tokens"]
)  # fmt: skip
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 130)
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([*NAMES, "red", "rainbow", "A", "H1", "red3", "." * 11])
)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names | st.text(max_size=3), inner, max_size=5)
)


def _answered(state):
    try:
        assert score_state(state).players
    except StateError as refused:
        return str(refused)
    return ""


@laws
@given(anything)
def test_any_json_gives_an_answer_or_a_clear_error(state):
    _answered(state)


@settings(max_examples=250)
@given(states, st.randoms(), anything)
def test_a_damaged_state_gives_an_answer_or_a_clear_error(state, random, value):
    """One field somewhere is replaced, added or taken away."""
    inside = state = deepcopy(state)
    while True:
        key = random.choice([*inside]) if isinstance(inside, dict) else random.randrange(len(inside))
        if not isinstance(inside[key], (dict, list)) or not inside[key] or random.random() < 0.2:
            break
        inside = inside[key]
    if random.random() < 0.3 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = value
    _answered(state)
