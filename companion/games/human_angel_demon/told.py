"""What a turn of Human Angel Demon was, in words."""

from companion.games.told import UNKNOWN, Line, Speaker, Told


def _did(move: Line, words: Speaker) -> str | None:
    if move["move"] != "turn":
        return None
    took = words.piece(move.get("took", UNKNOWN))
    if move.get("discarded") == UNKNOWN and not move.get("ready") and not move.get("opened"):
        return words.say("did.turn-takes", took=took)
    if move.get("opened"):
        return words.say("did.turn-opened", took=took, what=words.pieces(move["opened"]))
    key = "did.turn-ready" if move.get("ready") else "did.turn"
    return words.say(key, took=took, what=words.piece(move.get("discarded", UNKNOWN)))


TOLD = Told(_did)
