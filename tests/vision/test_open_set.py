"""The open set of photographs: this computer reads on it what docs/figures.md says, with room for processors."""

from bench.figures import FIGURES, OPEN, SPEED, different, furthest, kept, measured, section, truth

ROOM = 0.1
"""Of a count: another processor's whole numbers fall otherwise on cells and cards that are doubtful anyway."""
MOST_BYTES = 6_000_000


def test_the_figures_of_the_docs_are_those_of_this_computer():
    here, there = measured(), kept(FIGURES.read_text(encoding="utf-8"))
    assert here.keys() == there.keys()
    assert furthest(here, there) <= ROOM, different(here, there)


def test_the_set_is_small_and_every_photo_has_its_truth():
    told = truth()
    photos = {told["cards"]["deck"], "deck.npz", "truth.json", "README.md"}
    for one in told["prints"]:
        photos |= {one["blank"], *(sheet["photo"] for sheet in one["sheets"])}
    photos |= {one["photo"] for one in (*told["tables"], *told["cards"]["tables"])}
    assert {file.name for file in OPEN.iterdir()} == photos
    assert sum(file.stat().st_size for file in OPEN.iterdir()) < MOST_BYTES
    assert [len(one["sheets"]) for one in told["prints"]] == [4, 3, 3]
    assert (len(told["tables"]), len(told["cards"]["tables"])) == (5, 5)


def test_what_differs_is_said_with_how_far_it_is():
    here = {"cells": "98 of 100; 3", "read": "10 of 10", SPEED: "1; 2; 3"}
    there = kept(section({"cells": "95 of 100; 3", "read": "10 of 10", SPEED: "9; 9; 9"}))
    assert different(here, there) == ["cells"]
    assert furthest(here, there) == 0.03
    assert furthest(there, there) == 0
