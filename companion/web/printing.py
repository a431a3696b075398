"""The prints on the page: what to print is chosen, the PDF and the matching table profile come as files."""

import json

from flask import Blueprint, Response, render_template, request

from common.file_kind import marked
from companion.games import FIRST, GAMES, table_games
from companion.printing.paper import PAPERS, RULER_MM
from companion.printing.sets import KINDS, Order, make, profile
from companion.web.access.roles import for_guests
from companion.web.answers import as_file, found
from companion.web.language import language
from companion.web.problems import Problem

bp = Blueprint("printing", __name__)

SHEETS = ("1x1", "2x1", "1x2", "2x2")


@bp.get("/print")
@for_guests
def page() -> str:
    """Choose what to print."""
    return render_template("print.html", kinds=KINDS, games=table_games(), papers=list(PAPERS), sheets=SHEETS)


@bp.get("/print/pages.pdf")
@for_guests
def pdf() -> Response:
    order = _order()
    data, _ = make(order)
    return as_file(found(data), "application/pdf", f"{'-'.join(order.what)}-{order.paper}.pdf")


@bp.get("/print/table.json")
@for_guests
def table() -> Response:
    """The table profile that goes with it."""
    order = _order()
    made = profile(order)
    data = json.dumps(marked("table", made.to_json()), ensure_ascii=False).encode()
    return as_file(data, "application/json", f"{made.name}.json")


def _order() -> Order:
    """What the address asks for. Raises Problem."""
    asked = request.args
    kind, slug, paper = asked.get("what", "all"), asked.get("game", FIRST), asked.get("paper", "A4")
    chosen, sheets, ruler = tuple(asked.getlist("zone")), asked.get("sheets", ""), asked.get("ruler", f"{RULER_MM:g}")
    game = GAMES.get(slug)
    known = kind in KINDS and game in table_games() and paper in PAPERS and sheets in ("", *SHEETS)
    if game is None or not known or len(set(chosen)) < len(chosen) or set(chosen) - set(game.mats):
        raise Problem("problem.request")
    try:
        length = float(ruler.replace(",", "."))
    except ValueError:
        length = 0.0
    if not 50 <= length <= 200:
        raise Problem("print.problem.ruler")
    across, _, down = sheets.partition("x")
    joined = (int(across), int(down)) if sheets else None
    return Order(kind, game, paper, chosen, joined, language(), length)
