"""Who plays here: names, each with the color that was chosen for it, kept from one evening to the next."""

from typing import Final

from companion.cases.store import Store

COLORS: Final = 8
"""Colors to choose from, by number from 0; each has a sign of its own on the page."""
MOST_PEOPLE: Final = 200
"""Names kept at most: the oldest go."""
MOST_NAME: Final = 40


class People:
    """The people of a data folder. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.run("CREATE TABLE IF NOT EXISTS people (name TEXT PRIMARY KEY, color INTEGER)")

    def met(self, *names: str) -> None:
        """Keep these names; a color that was chosen stays."""
        self._keep("INSERT OR IGNORE INTO people VALUES (?, ?)", [(name, None) for name in names])

    def choose(self, name: str, color: int | None) -> None:
        """From now on this is the color of whoever has this name; None: any."""
        kept = "INSERT INTO people VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET color = excluded.color"
        self._keep(kept, [(name, color)])

    def _keep(self, statement: str, rows: list[tuple[str, int | None]]) -> None:
        with self._store.transaction() as db:
            db.executemany(statement, rows)
            newest = "SELECT rowid FROM people ORDER BY rowid DESC LIMIT ?"
            db.execute(f"DELETE FROM people WHERE rowid NOT IN ({newest})", (MOST_PEOPLE,))

    def forget(self, name: str) -> None:
        """Forget a name and its color."""
        self._store.run("DELETE FROM people WHERE name = ?", name)
        self._store.wipe()

    def colors(self) -> dict[str, int | None]:
        """The chosen color of each name (None: none was chosen), the newest name first."""
        return dict(self._store.run("SELECT name, color FROM people ORDER BY rowid DESC"))
