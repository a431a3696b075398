"""What was drawn in a round of In the Ruin, in words."""

from companion.games.told import UNKNOWN, Line, Speaker, Told


def _did(move: Line, words: Speaker) -> str | None:
    if move["move"] == "cards":
        return words.say("did.cards", off=words.join(move["off"]), row=words.join(move["row"]))
    if move["move"] != "write":
        return None
    cells = move.get("cells", ())
    text = words.say(f"did.write-{move.get('action', UNKNOWN)}" if cells else "did.write-none", n=len(cells))
    return text + (words.say("did.claimed", letter=move["claimed"]) if move.get("claimed") else "")


TOLD = Told(_did, pieces={".": "js.cell.blank", "o": "js.cell.passage", "#": "js.cell.wall"})
