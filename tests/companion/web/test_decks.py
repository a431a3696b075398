"""A deck on the page: photographed, named from the game's list, put right, kept, exported, brought back, used."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from acting import SENT_BY_THE_PAGE
from fake_eyes import jpeg
from flask import Flask

from calibration.decks import find_cards
from companion.games import GAMES, table_games
from companion.web import decks
from companion.web.services import services_of
from training.synth.cards import SIZE_MM, face, grid, lay, table
from vision.cards.deck import Deck, Face
from vision.cards.find import CardFinder
from vision.foreign import ForeignError
from vision.table.profile import TableProfile

WHITE, BLUE = 0, 8
"""Places in Splendor's list: a white card of level 1 without points, and a blue one."""
ASKED = f"game=splendor&wide={SIZE_MM[0]:g}&high={SIZE_MM[1]:g}"
SUN, MOON, STAR = (face(number) for number in (1, 2, 4))


@pytest.fixture(scope="module", autouse=True)
def looked_at_once():
    """Cards of a picture that several tests send are looked for in the first of them: that takes seconds."""
    found = {}

    def find(photo, sizes):
        key = photo.tobytes(), tuple(sizes)
        if key not in found:
            found[key] = find_cards(photo, sizes)
        cards, others = found[key]
        return [one._replace(corners=one.corners.copy()) for one in cards], others

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decks, "find_cards", find)
        yield


def sent(page, faces, more=""):
    answer = page.send(f"/api/decks/photo?{ASKED}{more}", jpeg(grid(faces, 3, 2.6)))
    assert answer.status_code == 200, answer.json
    return answer.json


def kinds(draft):
    return [card["kind"] for card in draft["cards"]]


@pytest.fixture
def draft(page):
    return sent(page, [SUN, MOON, SUN, STAR])


def test_the_cards_of_a_photo_are_shown_by_the_games_names_row_by_row(page, draft):
    assert kinds(draft) == [0, 1, 2, 3]
    assert draft["names"][0].startswith("Level 1")
    for n, drawn in enumerate((SUN, MOON, SUN, STAR)):
        got = page.client.get(f"/decks/drafts/{draft['id']}/{n}.jpg").data
        assert got[:2] == b"\xff\xd8"
        assert same_picture(got, drawn)


def same_picture(shown, drawn):
    got = cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR)
    want = cv2.resize(drawn, got.shape[1::-1], interpolation=cv2.INTER_AREA)
    return abs(got[12:-12, 12:-12].astype(float) - want[12:-12, 12:-12]).mean() < 25


def test_outlines_that_are_no_card_of_the_size_are_counted_and_not_taken(page):
    photo = table()
    for card, x in ((SUN, 250), (face(4, size_mm=(50, 50)), 600), (MOON, 950)):
        lay(photo, card, (x, 450), 3.4)
    asked = ASKED.replace("splendor", "igna")  # which has no square cards
    seen = page.send(f"/api/decks/photo?{asked}", jpeg(photo)).json
    assert (len(seen["cards"]), seen["others"]) == (2, 1)
    assert '"others":1' in page.get(f"/decks/?draft={seen['id']}").text  # as long as no other photos come
    more = [page.send(f"/api/decks/photo?{asked}&draft={seen['id']}&others={n}", jpeg(photo)).json for n in (1, 0)]
    assert [one["others"] for one in more] == [2, 1]
    assert sent(page, [SUN, MOON])["others"] == 0


def test_square_cards_beside_the_others_are_nobles(page):
    photo = table()
    for card, x in ((SUN, 250), (face(4, size_mm=(60, 60)), 600), (MOON, 950)):
        lay(photo, card, (x, 450), 3.4)
    seen = page.send(f"/api/decks/photo?{ASKED}", jpeg(photo)).json
    assert ([seen["names"][kind].split()[0] for kind in kinds(seen)], seen["others"]) == (
        ["Level", "Noble:", "Level"],
        0,
    )


def test_a_row_put_right_names_its_cards_and_those_after_it(page):
    draft = page.send(f"/api/decks/photo?{ASKED}", jpeg(grid([SUN, MOON, STAR, *map(face, range(6, 12))], 3, 2.2))).json
    assert [card["row"] for card in draft["cards"]] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    page.post(f"/api/decks/drafts/{draft['id']}", {"n": 4, "kind": 3})
    put_right = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 3, "kind": BLUE, "row": True}).json
    assert kinds(put_right) == [0, 1, 2, *range(BLUE, BLUE + 6)]
    backs = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 6, "kind": None, "row": True}).json
    assert kinds(backs) == [0, 1, 2, BLUE, BLUE + 1, BLUE + 2, None, None, None]


def test_the_order_to_lay_them_in_names_each_card_once(page):
    for game in table_games():
        cards = [i for _, row in game.card_rows() for i in row]
        assert len(cards) == len(set(cards))
        if game.deck:
            assert {repr(game.deck[i]) for i in cards} == {repr(card) for card in game.deck}


def test_cards_that_the_photo_cuts_off_are_counted(page):
    photo = grid([SUN, MOON, STAR, *map(face, range(6, 9))], 3, 2.6)
    whole = page.send(f"/api/decks/photo?{ASKED}", jpeg(photo)).json
    assert (len(whole["cards"]), whole["cut"]) == (6, 0)
    cut = page.send(f"/api/decks/photo?{ASKED}", jpeg(photo[:, : round(0.84 * photo.shape[1])])).json
    assert (len(cut["cards"]), cut["cut"]) == (4, 2)
    assert '"cut":2' in page.get(f"/decks/?draft={cut['id']}").text


def test_what_is_printed_on_a_card_is_not_taken_for_cards(page):
    photo, card = table(), np.full((450, 300, 3), 160, np.uint8)
    for top in (40, 170, 300):
        card[top : top + 110, 20:100] = 10
    lay(photo, card, (600, 450), 10, 0.1)
    assert len(page.send(f"/api/decks/photo?{ASKED}", jpeg(photo)).json["cards"]) == 1


def test_outlines_with_hardly_an_edge_are_still_answered():
    photo, card = table(), np.full((450, 300, 3), (105, 120, 92), np.uint8)
    for top in (40, 170, 300):
        card[top : top + 110, 20:100] = 250
    lay(photo, card, (600, 450), 6, 0.1)
    assert all(np.isfinite(card.corners).all() for card in find_cards(photo, [SIZE_MM])[0])


def test_cards_that_cannot_be_told_apart_are_said_where_they_count_differently(page, draft):
    assert draft["alike"] == []  # the first eight white cards of level 1 count the same
    other = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 2, "kind": BLUE}).json
    assert other["alike"] == [[0, 2]]
    dropped = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 0, "drop": True}).json
    assert (kinds(dropped), dropped["alike"]) == ([0, BLUE, BLUE + 1], [])


def test_a_name_put_right_shifts_those_after_it_of_which_nobody_said_anything(page, draft):
    put_right = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 3, "kind": 50}).json
    assert kinds(put_right) == [0, 1, 2, 50]
    put_right = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 1, "kind": BLUE}).json
    assert kinds(put_right) == [0, BLUE, BLUE + 1, 50]
    assert kinds(sent(page, [face(6)], f"&draft={draft['id']}")) == [0, BLUE, BLUE + 1, 50, 51]
    back = page.post(f"/api/decks/drafts/{draft['id']}", {"n": 1, "kind": None}).json
    assert kinds(back) == [0, None, 1, 50, 51]


@pytest.mark.parametrize("game", ["human-angel-demon", "igna"])
def test_where_copies_look_the_same_each_card_is_proposed_once(page, draft, game):
    named = page.post(f"/api/decks/drafts/{draft['id']}", {"game": game}).json
    names = [named["names"][kind] for kind in kinds(named)]
    assert len(set(names)) == 4
    assert kinds(named) == GAMES[game].card_rows()[0][1][:4]


def test_photographed_under_another_games_name_a_deck_is_that_games_with_one_choice(page, draft):
    other = page.post(f"/api/decks/drafts/{draft['id']}", {"game": "igna"}).json
    assert other["game"] == "igna"
    assert other["names"] != draft["names"]
    assert page.post(f"/api/decks/drafts/{draft['id']}", {"game": "in-the-ruin"}).status_code == 400
    page_of_it = page.get(f"/decks/?draft={draft['id']}").get_data(as_text=True)
    assert 'value="igna" selected' in page_of_it


def test_the_page_of_a_game_leads_to_the_decks_of_that_game(page):
    assert "/decks/?game=splendor" in page.get("/live/?game=splendor&way=photo").get_data(as_text=True)


def test_a_card_is_taken_again_and_one_after_the_other_joins(page, draft):
    again = sent(page, [face(6)], f"&draft={draft['id']}&instead=0")
    assert kinds(again) == [0, 1, 2, 3]
    assert same_picture(page.client.get(f"/decks/drafts/{draft['id']}/0.jpg").data, face(6))
    assert kinds(sent(page, [face(7)], f"&draft={draft['id']}")) == [0, 1, 2, 3, 4]


def test_a_saved_deck_is_known_on_every_table_of_its_game_and_can_be_moved(page, app: Flask, draft, monkeypatch):
    page.post(f"/api/decks/drafts/{draft['id']}", {"n": 3, "kind": None})
    saved = page.post(f"/api/decks/drafts/{draft['id']}/save", {"name": "Our box"}).json
    assert saved == {"deck": "our-box", "cards": 3, "unsure": []}  # the sun looks and counts the same twice
    assert "<strong>Our box</strong>" in page.get("/decks/").get_data(as_text=True)
    path = services_of(app).store.decks / "splendor" / "our-box.json"
    entries = [card.entry for card in Deck.load(path).faces]
    assert [entry.get("kind") for entry in entries] == ["development", "development", None]
    assert entries[-1]["back"] is True
    photo = table()
    lay(photo, MOON, (400, 450), 1.7, 0.5)
    lay(photo, SUN, (800, 450), 1.7, 2.0)
    found = CardFinder([Deck.load(path)]).find(photo)
    assert {card.entry["bonus"] for card in found} == {"white"}
    assert "our-box" in page.client.get("/decks/").get_data(as_text=True)
    packed = page.client.get("/decks/splendor/our-box.zip").data
    for chosen in ("splendor", "igna"):  # the deck's own cards say whose it is
        again = page.send(f"/api/decks/{chosen}/import", packed).json
        assert (again["cards"], again["game"], again["strange"]) == (3, "splendor", 0)
    page.client.delete(f"/api/decks/splendor/{again['deck']}", headers=SENT_BY_THE_PAGE)
    assert page.client.delete("/api/decks/splendor/our-box", headers=SENT_BY_THE_PAGE).status_code == 200
    assert [one.stem for one in services_of(app).store.deck_files("splendor")] == ["our-box-2"]
    with monkeypatch.context() as elsewhere:  # opened in the decoder's process, and nowhere else

        def too_costly(data):
            raise ForeignError("foreign.too-costly")

        elsewhere.setattr(decks.OUTSIDE, "deck", too_costly)
        refused = page.send("/api/decks/splendor/import", packed)
        assert (refused.status_code, refused.json["error"]["key"]) == (422, "decks.problem.file")
    refused = page.send("/api/decks/splendor/import", b"no deck")
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "decks.problem.file")


def test_a_table_of_the_game_knows_the_kept_decks(app: Flask, page, draft):
    page.post(f"/api/decks/drafts/{draft['id']}/save", {"name": "box"})
    tables = services_of(app).tables
    profile = tables.with_decks(TableProfile.from_json({"name": "t", "game": "splendor", "zones": {}}))
    assert [Path(deck).stem for deck in profile.decks] == ["box"]
    assert tables.with_decks(TableProfile.from_json({"name": "t", "game": "igna", "zones": {}})).decks == ()


def test_a_damaged_deck_is_named_and_can_be_deleted(app: Flask, page, draft):
    saved = page.post(f"/api/decks/drafts/{draft['id']}/save", {"name": "sun"}).json["deck"]
    (file,) = services_of(app).store.deck_files("splendor")
    file.write_text('{"cards"')
    assert "damaged" in page.get("/decks/").get_data(as_text=True)
    assert page.client.delete(f"/api/decks/splendor/{saved}", headers=SENT_BY_THE_PAGE).status_code == 200
    assert "damaged" not in page.get("/decks/").get_data(as_text=True)


def test_a_deck_in_use_stays(app: Flask, page, draft, monkeypatch):
    page.post(f"/api/decks/drafts/{draft['id']}/save", {"name": "box"})
    tables = services_of(app).tables
    profile = tables.with_decks(TableProfile.from_json({"name": "t", "game": "splendor", "zones": {}}))
    monkeypatch.setattr(tables, "filmed", SimpleNamespace(profile=profile, running=True, stop=lambda: None))
    refused = page.client.delete("/api/decks/splendor/box", headers=SENT_BY_THE_PAGE)
    assert (refused.status_code, refused.json["error"]["key"]) == (409, "decks.problem.in-use")
    assert len(services_of(app).store.deck_files("splendor")) == 1


@pytest.mark.parametrize(
    ("address", "key"),
    [
        (f"/api/decks/photo?{ASKED}", "decks.problem.none"),
        ("/api/decks/photo?game=splendor&wide=2&high=88", "decks.problem.size"),
        ("/api/decks/photo?game=in-the-ruin", "problem.request"),
        (f"/api/decks/photo?{ASKED}&draft=0123456789abcdef", "problem.not-found"),
    ],
)
def test_what_cannot_be_taken_is_said(page, address, key):
    assert page.send(address, jpeg(table())).json["error"]["key"] == key


def test_a_decks_draft_is_no_sheets(page, draft):
    assert page.get(f"/in-the-ruin/sheets/drafts/{draft['id']}").status_code == 404
    assert page.post(f"/api/in-the-ruin/sheets/drafts/{draft['id']}/save", {}).status_code == 404


def test_a_deck_that_does_not_tell_its_cards_apart_says_which_and_is_learnt_again_in_its_place(page, app: Flask, draft):
    page.post(f"/api/decks/drafts/{draft['id']}", {"n": 2, "kind": BLUE})
    first = page.post(f"/api/decks/drafts/{draft['id']}/save", {"name": "box"}).json
    assert (first["deck"], first["unsure"]) == ("box", [[0, 2]])
    assert services_of(app).store.drafts_of("box") == {}  # a sheet of that name has other drafts
    assert page.get(f"/decks/?draft={draft['id']}").status_code == 200
    sent(page, [face(6)], f"&draft={draft['id']}&instead=2")
    again = page.post(f"/api/decks/drafts/{draft['id']}/save", {}).json
    assert (again["deck"], again["cards"], again["unsure"]) == ("box", 4, [])
    assert len(services_of(app).store.deck_files("splendor")) == 1


def brought(page, files):
    data = {"photo": [(BytesIO(one), f"{i}") for i, one in enumerate(files)]}
    return page.client.post("/api/decks/igna/import", data=data, headers=SENT_BY_THE_PAGE)


def test_the_two_files_that_the_command_writes_are_brought_together(page, tmp_path):
    entry = {"id": "1", "kind": "treasure", "color": "red", "number": 1, "bonus": False}
    faces = [Face(entry, SIZE_MM, SUN), Face({"id": "2", "level": 7}, SIZE_MM, MOON)]
    Deck.learnt("treasure", SIZE_MM, faces).save(tmp_path / "deck.json")
    files = [(tmp_path / f"deck.{ending}").read_bytes() for ending in ("npz", "json")]
    answer = brought(page, files).json
    assert answer == {"deck": "treasure", "cards": 2, "game": "igna", "strange": 1}
    for wrong in (files[:1], files[1:], [files[0], files[0]], [*files, files[0]]):
        refused = brought(page, wrong)
        assert (refused.status_code, refused.json["error"]["key"]) == (422, "decks.problem.both")
    packed = page.client.get("/decks/igna/treasure.zip").data
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        archive.extractall(tmp_path / "back")
    assert [face.entry["id"] for face in Deck.load(tmp_path / "back" / "treasure.json").faces] == ["1", "2"]


def test_an_open_table_of_the_game_hears_of_a_new_deck(app: Flask, page, draft, monkeypatch):
    heard = []
    tables = services_of(app).tables
    profile = tables.with_decks(TableProfile.from_json({"name": "t", "game": "splendor", "zones": {}}))
    hear = lambda new: heard.append(new.decks)  # noqa: E731
    open_ = SimpleNamespace(profile=profile, running=True, stop=lambda: None, take_profile=hear)
    monkeypatch.setattr(tables, "filmed", open_)
    page.post(f"/api/decks/drafts/{draft['id']}/save", {"name": "box"})
    assert [[Path(deck).stem for deck in decks] for decks in heard] == [["box"]]
    tables.decks_changed("igna")
    assert len(heard) == 1
