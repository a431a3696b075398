"""`cards enroll`, and `table read` with the deck, as a person runs them."""

from __future__ import annotations

import json

import cv2
import pytest

from companion.cli.main import main
from training.synth.cards import SIZE_MM, face, grid, lay, table

FACES = {"sun": face(1), "moon": face(2), "star": face(4)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("cards")
    cv2.imwrite(str(path / "deck-1.jpg"), grid(list(FACES.values()), 3))
    photo = table()
    for i, drawn in enumerate(FACES.values()):
        lay(photo, drawn, (250 + 300 * i, 450), 1.7, 0.6 * i)
    cv2.imwrite(str(path / "table.jpg"), photo)
    cv2.imwrite(str(path / "bare.jpg"), table())
    cards = [{"id": name, "kind": "title", "points": i} for i, name in enumerate(FACES)]
    laid = {"photo": "deck-1.jpg", "rows": 1, "cols": 3, "cards": cards}
    (path / "order.json").write_text(json.dumps({"deck": "drawn", "size_mm": list(SIZE_MM), "photos": [laid]}))
    (path / "profile.json").write_text(json.dumps({"name": "evening", "zones": {}, "decks": ["deck.json"]}))
    return path


def run(folder, capsys, *words):
    status = main([w.format(folder) for w in words])
    out = capsys.readouterr()
    return status, out.out, out.err


def test_a_deck_is_learnt_and_known_again(folder, capsys):
    status, _, err = run(folder, capsys, "table", "read", "{}/table.jpg", "--table", "{}/profile.json")
    assert status == 2
    assert "Table profile, decks: expected the file of an enrolled deck, got deck.json" in err
    status, out, _ = run(
        folder, capsys, "cards", "enroll", "{}/deck-1.jpg", "--order", "{}/order.json", "--out", "{}/deck.json"
    )
    assert (status, out) == (0, f"{folder}/deck.json: 3 cards from 1 photo\n")
    status, out, _ = run(folder, capsys, "table", "read", "{}/table.jpg", "--table", "{}/profile.json", "--json",
                         "--annotate", "{}/drawn")  # fmt: skip
    cards = sorted(json.loads(out)["cards"], key=lambda card: card["polygon"][0])
    assert status == 0
    assert sorted(card["card"]["id"] for card in cards) == sorted(FACES)
    for card in cards:
        assert (card["marker"], card["deck"], card["zone"], card["doubtful"]) == (None, "drawn", None, False)
        assert card["confidence"] > 0.95
        assert card["card"]["kind"] == "title"
    status, out, _ = run(folder, capsys, "table", "read", "{}/table.jpg", "--table", "{}/profile.json", "--lang", "en")
    assert all(name in out for name in FACES)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("{}/bare.jpg", "--order", "{}/order.json"), 1, "Deck deck-1.jpg, cards: expected 3 cards in 1 row of 3"),
        (("{}/none.jpg", "--order", "{}/order.json"), 2, "none.jpg"),
        (("{}/order.json", "--order", "{}/order.json"), 1, "This is not a photo"),
        (("{}/deck-1.jpg", "--order", "{}/profile.json"), 2, "deck: expected text that is not empty, got null"),
        (("{}/deck-1.jpg", "--order", "{}/deck-1.jpg"), 2, "Order of cards, the whole file: expected JSON"),
    ],
)
def test_what_cannot_be_learnt_is_said_in_one_line(folder, capsys, words, status, said):
    got, out, err = run(folder, capsys, "cards", "enroll", *words, "--out", "{}/other.json")
    assert (got, out) == (status, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (folder / "other.json").exists()
