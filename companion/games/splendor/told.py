"""What a turn of Splendor was, in words."""

from companion.games.told import Line, Speaker, Told, given_up


def _did(move: Line, words: Speaker) -> str | None:
    text = _action(move, words)
    if text is None:
        return None
    return text + given_up(move, words) + (words.say("did.noble") if move.get("noble") else "")


def _action(move: Line, words: Speaker) -> str | None:
    match move["move"]:
        case "tokens":
            return words.say("did.tokens", what=words.pieces(move["what"]))
        case "keep":
            return words.say("did.keep-gold" if move.get("gold") else "did.keep", card=words.piece(move["card"]))
        case "buy":
            paid = [color for color, n in move["paid"].items() for _ in range(n)]
            key = "did.buy" if move.get("from") == "market" else "did.buy-kept"
            return words.say(key, card=words.piece(move["card"]), what=words.pieces(paid))
    return None


def _card(card: Line, words: Speaker) -> str | None:
    if "bonus" not in card:
        return None
    return words.say("card", color=words.piece(card["bonus"]), points=card.get("points", 0))


TOLD = Told(_did, _card)
