"""What the page's modules do, without a browser."""

from __future__ import annotations

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

GAME = "/api/in-the-ruin"
SENT_BY_THE_PAGE = {"X-Companion": "1"}


class Page:
    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, address: str, **more: object) -> TestResponse:
        return self.client.get(address, **more)

    def post(self, address: str, body: object = None, **more: object) -> TestResponse:
        return self.client.post(address, json=body if body is not None else {}, headers=SENT_BY_THE_PAGE, **more)

    def send(self, address: str, photo: bytes) -> TestResponse:
        return self.client.post(address, data=photo, headers=SENT_BY_THE_PAGE)

    def enroll_demo(self) -> str:
        draft = self.post(f"{GAME}/sheets/photo?demo=1").json["id"]
        return self.post(f"{GAME}/sheets/drafts/{draft}/save").json["sheet"]

    def start(self) -> str:
        return self.post(f"{GAME}/plays", {"sheet": self.enroll_demo()}).json["play"]

    def photograph(self, play: str, photo: bytes, player: str = "new", stage: str = "end") -> TestResponse:
        return self.send(f"{GAME}/plays/{play}/photos?player={player}&stage={stage}", photo)

    def tell(self, play: str, **edit: object) -> TestResponse:
        return self.post(f"{GAME}/plays/{play}/edits", edit)

    def view(self, play: str) -> dict:
        return self.get(f"{GAME}/plays/{play}").json


def scores(view: dict) -> dict[str, dict]:
    """The answer's part of each scored player of a play, by the player's id."""
    ids = {player["name"]: player["id"] for player in view["players"]}
    return {ids[player["name"]]: player for player in view["case"].get("answer", {"players": []})["players"]}
