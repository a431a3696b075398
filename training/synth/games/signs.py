"""What makes two lines of a log the same move (contract of the referee)."""

import json
from collections import Counter
from typing import Any


def sign(line: dict[str, Any]) -> Any:  # noqa: PLR0911 -- a kind each
    """What two moves agree in when they are the same (contract/referee.md)."""
    who, move = line["who"], line["move"]
    if move == "take":
        return who, move, str(line["seeker"]), tuple(sorted(line["what"]))
    if move == "tokens":
        net = Counter(line["what"])
        net.subtract(line.get("returned", ()))
        return who, move, tuple(sorted((color, n) for color, n in net.items() if n))
    if move == "buy":
        paid = tuple(sorted((color, n) for color, n in line["paid"].items() if n))
        return who, move, json.dumps(line["card"], sort_keys=True), paid
    if move == "keep":
        return who, move, json.dumps(line["card"], sort_keys=True)
    if move == "write":
        return who, move, tuple(sorted((tuple(c), mark) for c, mark in zip(line["cells"], line["what"], strict=True)))
    if move == "cards":
        return who, move, tuple(line["row"])
    if move == "get":
        return who, move, tuple(line["what"])
    if move == "turn" and "sets" in line:
        return who, move, line["laid"], tuple(sorted(tuple(sorted(one)) for one in line["sets"]))
    if move == "turn":
        return who, move, line["took"], tuple(sorted(line.get("opened", [line.get("discarded")])))
    return who, move
