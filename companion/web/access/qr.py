"""QR codes: as SVG for the page, as half blocks for the terminal."""

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

QUIET = 4
"""Light modules around the code."""


def modules(text: str) -> list[list[bool]]:
    """The code's modules, True where dark, with the quiet zone."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    code.make(fit=True)
    return [[bool(dark) for dark in row] for row in code.get_matrix()]


def svg(text: str) -> str:
    """An SVG drawing: one path, dark on white whatever the page's colors."""
    rows = modules(text)
    size = len(rows)
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{path}"/></svg>'
    )


def terminal(text: str) -> str:
    """Two modules a character, light blocks on the terminal's ground (most are dark)."""
    rows = modules(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[a, b] for a, b in zip(upper, lower, strict=True)) for upper, lower in pairs)
