"""The places of a state in words."""

import re

import pytest

from companion.words.catalog import catalog
from companion.words.places import in_words
from companion.words.words import words

A = "/players/0"
B = "/players/1"
PLACES = [
    ([f"{A}/line/2"], "3rd gem of A", "Aの宝石列の3番目"),
    ([f"{B}/line/0", f"{B}/line/1", f"{B}/line/2"], "1st to 3rd gem of B", "Bの宝石列の1～3番目"),
    ([f"{A}/line/10", f"{A}/line/12"], "11th, 13th gem of A", "Aの宝石列の11番目、13番目"),
    ([f"{A}/gems/red", f"{A}/gems/rainbow"], "gems of A: red, rainbow", "Aの宝石：赤、虹"),
    ([f"{A}/valid/red", f"{A}/gold"], "valid place of A: red; gold of A", "Aの有効置き場：赤／Aの黄金"),
    ([f"{A}/invalid/rainbow"], "invalid place of A: rainbow", "Aの無効置き場：虹"),
    ([f"{A}/chips", f"{A}/seekers"], "score chips of A; seekers of A", "Aの得失点チップ／Aのシーカーカード"),
    ([f"{A}/bonuses/1/seeker", f"{A}/bonuses/1/gems"], "2nd bonus of A", "Aのボーナス（2番目）"),
    ([f"{A}/bonuses"], "bonuses of A", "Aのボーナス"),
    ([f"{A}/color_cards", f"{A}/choices/rainbow"], "color cards of A; choices of A", "Aの色指定カード／Aの選択"),
    ([A, "/players"], "A; the players", "A／プレイヤー"),
    # cells as rectangles, counted from 1
    (
        [f"{A}/map/{r}/{c}" for r in (2, 3) for c in (4, 5, 6)],
        "map of A: rows 3–4 columns 5–7",
        "Aのマップ 3～4行5～7列",
    ),
    ([f"{A}/map/0/0"], "map of A: row 1 column 1", "Aのマップ 1行1列"),
    (
        [f"{B}/first_map/{cell}" for cell in ("0/0", "0/1", "1/1", "2/1", "4/1")],
        "first map of B: row 1 columns 1–2, rows 2–3 column 2, row 5 column 2",
        "Bの前半のマップ 1行1～2列、2～3行2列、5行2列",
    ),
    (
        [f"{A}/first_square", f"{A}/gems"],
        "first square bonus of A; gem track of A",
        "Aの前半のスクエアボーナス／Aの宝石トラック",
    ),
    ([f"{A}/penalties", f"{A}/escaped"], "penalty track of A; escape of A", "Aのペナルティトラック／Aの脱出"),
    ([f"{A}/goals/0", "/letters/K"], "1st goal card of A; letter K", "Aの目標カード（1番目）／座標K"),
    ([f"{A}/goals"], "goal cards of A", "Aの目標カード"),
    ([f"{A}/destinations"], "destinations of A", "Aの目的地"),
    ([f"{A}/first_destinations"], "first destinations of A", "Aの前半の目的地"),
    ([f"{A}/open/1/{i}" for i in range(3)], "2nd opened set of A", "Aのオープンした2番目のセット"),
    (
        [f"{A}/open/0/2", f"{A}/open/1/0", f"{A}/open/1/1"],
        "3rd card of the 1st opened set of A; 1st to 2nd card of the 2nd opened set of A",
        "Aのオープンした1番目のセットの3番目のカード／Aのオープンした2番目のセットの1～2番目のカード",
    ),
    (
        [f"{A}/hand/7", f"{B}/discards/0"],
        "8th card in the hand of A; 1st discard of B",
        "Aの手札の8番目／Bの捨札の1番目",
    ),
    ([f"{A}/hand"], "hand of A", "Aの手札"),
    ([f"{A}/winning_card", "/winner"], "winning card of A; who reached the goal", "Aのゴールしたカード／ゴールした人"),
    (["/start"], "who began the first short game", "最初のショート・ゲームの先手"),
    (["/discarder", "/short_game"], "who discarded; number of the short game", "捨札をした人／ショート・ゲームの回数"),
    (
        [f"{A}/points", "/bonus/0"],
        "earlier points of A; 1st bonus check",
        "Aのそれまでの点数／1番目のボーナス・チェック",
    ),
    (["/bonus"], "bonus checks", "ボーナス・チェック"),
    ([f"{A}/cards/0", f"{A}/cards/1"], "1st to 2nd card of A", "Aのカードの1～2番目"),
    ([f"{A}/cards", f"{A}/nobles"], "cards of A; nobles of A", "Aのカード／Aの貴族カード"),
    (
        [f"{A}/nobles/2", f"{A}/tokens/gold"],
        "3rd noble of A; tokens of A: gold",
        "Aの貴族カードの3番目／Aのトークン：黄金",
    ),
    ([f"{A}/sets/3/{i}" for i in range(3)], "4th set of A", "Aの4番目のセット"),
    ([f"{A}/sets/0/1"], "2nd card of the 1st set of A", "Aの1番目のセットの2番目のカード"),
    ([f"{A}/sets"], "sets of A", "Aのセット"),
    (
        ["/dungeon/2", "/thrown/red"],
        "3rd gem of the row; gems out of the game",
        "列の3番目の宝石／ゲームから除外した宝石",
    ),
    (
        ["/market/0", "/laid"],
        "1st card of the market; the treasure offered",
        "マーケットの1番目のカード／場に出された財宝",
    ),
    ([f"{A}/kept/1"], "2nd kept card of A", "Aの2番目のキープしたカード"),
    ([f"{A}/open", f"{A}/ready"], "opened sets of A; ready of A", "Aのオープンしたセット／Aのレディ"),
    (
        [f"{A}/reserved", "/nobles_left/0"],
        "kept cards of A; 1st noble that is left",
        "Aのキープしたカード／残っている貴族カードの1番目",
    ),
    (["/supply", "/seekers_left"], "supply of tokens; field of seekers", "トークン置き場／シーカーの場"),
]


@pytest.mark.parametrize(("pointers", "english", "japanese"), PLACES)
def test_places(pointers, english, japanese):
    assert in_words(pointers, ["A", "B"], words("en")) == english
    assert in_words(pointers, ["A", "B"], words("ja")) == japanese


def test_every_kind_of_place_is_here():
    """No words for places that nobody names."""
    said = " ".join(english for _, english, _ in PLACES)
    for key, text in catalog("en").items():
        if key.startswith("place."):
            plain = max(re.split(r"\{[^}]*\}", text), key=len).strip()
            assert plain in said, key
