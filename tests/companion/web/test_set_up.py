"""What lies on the table before the first turn: by game and number of players, in both languages."""

import re

import pytest
from acting import Page

from companion.games import GAMES


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [
        ("splendor", 2, ["3 nobles", "4 tokens of each color, and 5 gold"]),
        ("splendor", 3, ["4 nobles", "5 tokens"]),
        ("splendor", 4, ["5 nobles", "7 tokens"]),
        ("splendor", 9, ["3 nobles"]),  # what cannot be is asked for two
        ("human-angel-demon", 3, ["gets 7", "4 cards open as the market", "6 short games", "18 points"]),
        ("in-the-ruin", 3, ["4 goal cards", "up to 6 destinations"]),
        ("in-the-ruin", 1, ["4 exploration cards: two pieces all as ○", "The mark is 300 points"]),
        ("twelve-seekers", 2, ["39 gems", "12 basic seekers"]),
        ("igna", 2, ["4 treasures and 1 Igna card", "2 magic tokens"]),
    ],
)
def test_what_lies_there_depends_on_how_many_play(page: Page, game: str, players: int, said: list[str]) -> None:
    shown = page.get(f"/set-up/{game}?players={players}").text
    assert [words for words in said if words not in shown] == []


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", GAMES)
def test_each_way_into_a_game_leads_to_its_set_up(page: Page, game: str, language: str) -> None:
    page.post("/api/language", {"language": language})
    assert f'href="/set-up/{game}"' in page.get(f"/dispute/{game}").text
    for players in GAMES[game].start.players:
        steps = re.findall(r"<li>(.+?)</li>", page.get(f"/set-up/{game}?players={players}").text)
        assert len(steps) >= 3
        assert not any("{" in step or "set-up." in step for step in steps)


def test_a_game_without_one_has_no_such_page(page: Page) -> None:
    assert page.get("/set-up/chess").status_code == 404
