"""What a turn of Igna was, in words."""

from companion.games.told import UNKNOWN, Line, Speaker, Told


def _did(move: Line, words: Speaker) -> str | None:
    if "way" in move:
        return words.say(f"did.way.{move['way']}", what=words.pieces(move.get("what")))
    if move["move"] != "turn":
        return None
    if move.get("laid") == UNKNOWN and move.get("sets"):
        return words.say("did.turn-sets", what=words.pieces(card for one in move["sets"] for card in one))
    return words.say("did.turn-igna", what=words.pieces([move["laid"]] if move.get("laid") else []))


TOLD = Told(_did)
