"""The recorded demo: photos of a sheet, a filmed game and their profiles, drawn by training/record_demo.py."""

from pathlib import Path

FOLDER = Path(__file__).parent
BLANK = FOLDER / "sheet-blank.jpg"
FILLED = (FOLDER / "sheet-1.jpg", FOLDER / "sheet-2.jpg")
"""The same sheet as each player left it."""
SHEET = FOLDER / "sheet.json"
FILM = FOLDER / "table.mp4"
TABLE = FOLDER / "table.json"
MAPS_FILM = FOLDER / "maps.mp4"
"""Two players draw their maps."""
MAPS = FOLDER / "maps.json"
