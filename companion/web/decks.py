"""Decks on the page: cards are photographed, named from the game's own list, kept, sent elsewhere, brought back."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, jsonify, render_template, request

from calibration.deck_check import not_told_apart
from calibration.deck_print import same_corners
from calibration.decks import cut_off, cut_out, find_cards, made_alike
from common.json_file import write_json
from common.whole_file import write_whole
from companion.cases.store import free_name, new_id
from companion.games import GAMES, table_games
from companion.games.entry import CARD_MM, Card, Game
from companion.reading import pictures
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.answers import as_file, found
from companion.web.deck_names import LEAST_FAMILY, fitting, propose, without
from companion.web.language import request_words, say
from companion.web.photos import turn
from companion.web.problems import Problem
from companion.web.request_body import brought_file, brought_files
from companion.web.request_json import json_body
from companion.web.services import services
from vision.cards.deck import Deck, Face, compared
from vision.decoder import OUTSIDE
from vision.foreign import ForeignError

bp = Blueprint("decks", __name__)
MOST_CARDS = 250
CROP_HEIGHT = 220
"""Pixels of a card's picture on the page."""


@bp.get("/decks/")
@for_players
def page() -> str:
    """The decks that are kept, and a new one."""
    games = [game for game in table_games() if game.deck]
    files = services().store.deck_files
    kept = [{"game": slug, "name": path.stem, **_told(path)} for slug in GAMES for path in files(slug)]
    draft_id = request.args.get("draft")
    given = None if draft_id is None else _view(draft_id, _draft(draft_id))
    orders = {game.slug: _order(game) for game in games}
    chosen = given["game"] if given else request.args.get("game", games[0].slug)
    size = given["size"] if given else CARD_MM
    titles = {(one["game"], one["name"]): one["title"] for one in kept}
    news = {key: titles.get((chosen, request.args.get(key, ""))) for key in ("learnt", "brought")}
    news["strange"] = request.args.get("strange", 0, int)
    lists = {"games": games, "kept": kept, "orders": orders}
    return render_template("decks.html", **lists, given=given, chosen=chosen, size=size, usual=list(CARD_MM), **news)


@bp.post("/api/decks/photo")
@for_players
def photo() -> Response:
    """A photo of one card or several: they join the draft, or the first of them takes a card's place (`instead`).

    `others`, `cut`: how many outlines were not taken, and how many cards are cut off, on the photos that came with it.
    """
    draft_id = request.args.get("draft") or new_id()
    usual = request.args.get("wide", CARD_MM[0], float), request.args.get("high", CARD_MM[1], float)
    if not all(10 <= side <= 400 for side in usual):
        raise Problem("decks.problem.size")
    game = _game(request.args.get("game"))
    new: dict[str, Any] = {"game": game.slug, "cards": []}
    draft = _draft(draft_id) if "draft" in request.args else new
    data = brought_file()
    with turn():
        image = pictures.shrink(services().eyes.load(data).image)
        found_there, others = find_cards(image, [usual, *game.sizes.values()])
        cut = cut_off(image, found_there)
        if not found_there:
            raise Problem("decks.problem.none", 422)
        kept = services().store.save_photo(pictures.jpeg(image, 95))
        if "draft" in request.args:
            draft = _draft(draft_id)  # with what others said while the photo was read
        cards = [
            {"photo": kept, "quad": one.corners.tolist(), "size": one.size_mm, "row": one.row, "kind": None}
            for one in found_there
        ]
        instead = request.args.get("instead", None, int)
        if instead is not None and 0 <= instead < len(draft["cards"]):
            draft["cards"][instead] |= {key: cards[0][key] for key in ("photo", "quad", "size")}
        else:
            room = MOST_CARDS - len(draft["cards"])
            rows = 1 + max((card.get("row", 0) for card in draft["cards"]), default=-1)
            draft["cards"] += [{**card, "row": card["row"] + rows} for card in cards[:room]]
        _compare(draft)
        propose(draft, _game(draft["game"]))
    draft |= {"others": request.args.get("others", 0, int) + others, "size": usual, "unsure": []}
    draft["cut"] = request.args.get("cut", 0, int) + cut
    services().store.save_draft(draft_id, draft)
    return jsonify(_view(draft_id, draft))


@bp.post("/api/decks/drafts/<draft_id>")
@for_players
def correct(draft_id: str) -> Response:
    """What a person says of card `n`: which of the game's list it is (`kind`, null: the back), or `drop`; or that the
    deck is another `game`'s, by whose list its cards are named then. `row`: the cards after it in its row follow it;
    `picture`: it is of that card's row, and so are all that show its picture.
    Cards after it of which nobody said anything are named anew, on from there."""
    draft, body = _draft(draft_id), json_body()
    n, kind = body.get("n"), body.get("kind")
    known = range(len(_game(draft["game"]).deck))
    if "game" in body:
        game = _game(str(body["game"]))
        draft["game"] = game.slug
        for card in draft["cards"]:
            card |= {"said": False, "picture": None}
    elif type(n) is not int or not 0 <= n < len(draft["cards"]) or (kind is not None and kind not in known):
        raise Problem("problem.request")
    elif body.get("drop") is True:
        del draft["cards"][n]
        for key in ("alike", "unsure"):
            pairs = draft.get(key, [])
            draft[key] = [[i if i is None else i - (i > n) for i in pair] for pair in pairs if n not in pair]
        draft["families"] = [without(one, n) for one in draft.get("families", ())]
    elif body.get("picture") is True:
        draft["cards"][n] |= {"picture": kind, "said": False}
    else:
        draft["cards"][n] |= {"kind": kind, "said": True}
        if body.get("row") is True:
            for card in draft["cards"][n + 1 :]:
                if card.get("row", 0) == draft["cards"][n].get("row", 0):
                    card |= {"kind": kind, "said": kind is None}
    propose(draft, _game(draft["game"]))
    services().store.save_draft(draft_id, draft)
    return jsonify(_view(draft_id, draft))


@bp.post("/api/decks/drafts/<draft_id>/save")
@for_players
def save(draft_id: str) -> Response:
    """Learn the deck and keep it: in the place of what was learnt from this draft before. Of cards that look and count
    the same one is kept. `unsure`: the cards that it does not know for certain, each with what it takes them for."""
    draft, game = _draft(draft_id), _game(_draft(draft_id)["game"])
    if not draft["cards"]:
        raise Problem("decks.problem.none", 422)
    title = str(json_body().get("name") or draft.get("title") or game.slug)
    with turn():
        faces = _faces(draft)
        twice = {max(a, b) for a, b in draft["alike"] if _entry(draft, a) == _entry(draft, b)}
        faces = [face for i, face in enumerate(faces) if i not in twice]
        before = draft.get("deck") in [path.stem for path in services().store.deck_files(game.slug)]
        name = draft["deck"] if before else _free(game, title)
        deck = Deck.learnt(title, faces[0].size_mm, faces)
        deck.save(_folder(game.slug) / f"{name}.json")
        services().tables.decks_changed(game.slug)
        unsure = [[_place(deck, i) for i in pair] for pair in not_told_apart(deck)]
    draft = _draft(draft_id) | {"unsure": unsure, "deck": name, "title": title}  # with what others said meanwhile
    services().store.save_draft(draft_id, draft)
    return jsonify({"deck": name, "cards": len(faces), "unsure": unsure})


def _place(deck: Deck, face: int | None) -> int | None:
    """The place in its draft of a deck's face."""
    return None if face is None else int(deck.faces[face].entry["id"]) - 1


@bp.get("/decks/drafts/<draft_id>/<int:n>.jpg")
@for_guests
def crop(draft_id: str, n: int) -> Response:
    """A card of a draft as it was cut out."""
    (card,) = found(_draft(draft_id)["cards"][n : n + 1])
    face = _cut(card, _photo(card["photo"]))
    wide = round(CROP_HEIGHT * face.shape[1] / face.shape[0])
    shown = cv2.resize(face, (wide, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return Response(pictures.jpeg(shown), mimetype="image/jpeg")


@bp.get("/decks/<slug>/<name>.zip")
@for_guests
def export(slug: str, name: str) -> Response:
    """A deck as one file, to be brought to another computer."""
    path = _kept(slug, name)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in (path, path.with_suffix(".npz")):
            archive.write(file, file.name)
    return as_file(packed.getvalue(), "application/zip", f"{name}.zip")


@bp.post("/api/decks/<slug>/import")
@for_hosts
def bring(slug: str) -> Response:
    """Take in a deck that was exported, or the two files that `cards enroll` writes: for this game, or for the one that
    knows its kinds of cards. `strange`: how many of its cards are none of the game's."""
    game = _game(slug)
    try:
        text, packed = OUTSIDE.deck(_as_one(brought_files()))
    except ForeignError as error:
        raise Problem("decks.problem.file", 422, why=error) from None
    data = json.loads(text)
    cards = [card for card in data["cards"] if not card.get("back")]
    kinds = {card["kind"] for card in cards if "kind" in card}
    game = next((one for one in (game, *table_games()) if kinds <= {card["kind"] for card in one.deck}), game)
    strange = sum(game.number_of(card) is None for card in cards)
    name = _free(game, data["deck"])
    path = _folder(game.slug) / f"{name}.json"
    write_whole(path.with_suffix(".npz"), packed)
    write_json(path, {**data, "pictures": f"{name}.npz"})
    services().tables.decks_changed(game.slug)
    return jsonify({"deck": name, "cards": len(data["cards"]), "game": game.slug, "strange": strange})


def _as_one(files: list[bytes]) -> bytes:
    """A deck's archive: as it came, or made of the two files that were brought. Raises Problem."""
    if len(files) == 1 and _part(files[0]) is None:
        return files[0]
    parts = {_part(file): file for file in files}
    if len(files) != 2 or parts.keys() != {".json", ".npz"}:
        raise Problem("decks.problem.both", 422)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for ending, file in parts.items():
            archive.writestr(f"deck{ending}", file)
    return packed.getvalue()


def _part(file: bytes) -> str | None:
    """Which of a deck's two files this is, by its ending; None where it is neither."""
    if file.lstrip()[:1] == b"{":
        return ".json"
    return ".npz" if file[:4] == b"PK\x03\x04" and b".npy" in file[:64] else None


@bp.delete("/api/decks/<slug>/<name>")
@for_hosts
def forget(slug: str, name: str) -> Response:
    path = _kept(slug, name)
    if any(str(path) in session.profile.decks for session in services().tables.open):
        raise Problem("decks.problem.in-use", 409)
    for file in (path, path.with_suffix(".npz")):
        file.unlink(missing_ok=True)
    return jsonify({})


def _game(slug: str | None) -> Game:
    game = GAMES.get(slug or "")
    if game is None or not game.deck:
        raise Problem("problem.request")
    return game


def _folder(slug: str) -> Path:
    folder = services().store.decks / slug
    folder.mkdir(exist_ok=True)
    return folder


def _told(path: Path) -> dict[str, Any]:
    """What a deck is called, and how many cards it has; None where its file cannot be used."""
    try:
        deck = json.loads(path.read_text("utf-8"))
        return {"title": deck["deck"], "cards": len(deck["cards"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {"title": path.stem, "cards": None}


def _kept(slug: str, name: str) -> Path:
    return found(next((path for path in services().store.deck_files(_game(slug).slug) if path.stem == name), None))


def _free(game: Game, title: str) -> str:
    return free_name(title, [path.stem for path in services().store.deck_files(game.slug)], game.slug)


def _draft(draft_id: str) -> dict[str, Any]:
    draft = found(services().store.draft(draft_id))
    found("cards" in draft)
    return draft


def _cut(card: dict[str, Any], photo: np.ndarray) -> np.ndarray:
    return cut_out(photo, np.array(card["quad"]), card["size"])


def _photo(name: str) -> np.ndarray:
    """A kept photo: the companion wrote the file itself."""
    picture = cv2.imread(str(services().store.photos / f"{name}.jpg"))
    if picture is None:
        raise Problem("problem.not-found", 404)
    return picture


def _order(game: Game) -> list[dict[str, Any]]:
    """The order in which a deck is laid, as the page draws it: row by row."""
    said = request_words()
    out = []
    for name, row in game.card_rows():
        laid = [game.laid(game.deck[i]) for i in row if game.laid]
        cards = [{"sign": one.sign, "colors": one.colors} for one in laid]
        out.append({"name": said.told(name), "kinds": row, "cards": cards, "size": game.size_of(game.deck[row[0]])})
    return out


def _entry(draft: dict[str, Any], n: int) -> Card:
    kind = draft["cards"][n]["kind"]
    return {"back": True} if kind is None else _game(draft["game"]).deck[kind]


def _faces(draft: dict[str, Any]) -> list[Face]:
    photos = {name: _photo(name) for name in {card["photo"] for card in draft["cards"]}}
    faces = [
        Face({"id": str(i + 1), **_entry(draft, i)}, tuple(card["size"]), _cut(card, photos[card["photo"]]))
        for i, card in enumerate(draft["cards"])
    ]
    return made_alike(faces, [(photos[card["photo"]], np.array(card["quad"])) for card in draft["cards"]])


def _compare(draft: dict[str, Any]) -> None:
    """Note which cards of a draft look the same, which show one picture, and which of these the same in a corner."""
    faces = _faces(draft)
    alike, pictures = compared(faces)
    draft["alike"] = [[int(a) - 1, int(b) - 1] for a, b in alike]
    draft["families"] = [
        {"cards": cards, "corners": same_corners([faces[i].picture for i in cards])}
        for cards in pictures
        if len(cards) >= LEAST_FAMILY
    ]


def _view(draft_id: str, draft: dict[str, Any]) -> dict[str, Any]:
    """A draft as the page shows it. Cards that look and count the same need no word."""
    game = _game(draft["game"])
    names = [game.card_words(card, say) for card in game.deck]
    return {
        "id": draft_id,
        "game": game.slug,
        "size": draft.get("size", CARD_MM),
        "names": names,
        "cards": [{"kind": card["kind"], "row": card.get("row", 0),
                   "said": bool(card.get("said")) or card.get("picture") is not None,
                   "key": f"{card['photo']}-{card['quad'][0][0]:.0f}-{card['quad'][0][1]:.0f}"}
                  for card in draft["cards"]],
        "fits": [list(kinds) for kinds in (fitting(game, card["size"]) for card in draft["cards"])],
        "families": [one["cards"] for one in draft.get("families", ())],
        "others": draft.get("others", 0),
        "cut": draft.get("cut", 0),
        "alike": [pair for pair in draft["alike"] if _entry(draft, pair[0]) != _entry(draft, pair[1])],
        "unsure": draft.get("unsure", []),
        "saved": draft.get("deck"),
    }  # fmt: skip
