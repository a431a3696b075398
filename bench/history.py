"""How long a new table waits for the history of those that are kept: seconds until it has its first settled state.

python -m bench.history [--tables 5] [--states 2000]
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from companion.cases import journal
from companion.cases.journal import Journal
from companion.cases.store import Store

BYTES = 7200
"""Of a settled state, as a full table of Twelve Seekers has them."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--states", type=int, default=2000)
    args = parser.parse_args()
    journal.MOST_TABLES = args.tables
    with tempfile.TemporaryDirectory() as folder:
        fill(Store(Path(folder)), args.tables, args.states)
        began = time.perf_counter()
        store = Store(Path(folder))
        opened = time.perf_counter()
        table = Journal.begin(store, "new", {"profile": {}})
        started = time.perf_counter()
        table.settled(0.0, None, {"A": 0}, {})
        done = time.perf_counter()
    print(f"{args.tables} tables of {args.states} states: folder open after {opened - began:.3f} s, ", end="")
    print(f"table started after {started - began:.3f} s, first state kept after {done - began:.3f} s")


def fill(store: Store, tables: int, states: int) -> None:
    """Tables that were followed for a long time."""
    state = {"game": "twelve-seekers", "rule": 1, "goes_on": True, "players": [{"name": "A"}, {"name": "B"}]}
    body = json.dumps({"state": state, "tiles": "x" * BYTES})
    for number in range(tables):
        table = Journal.begin(store, f"table {number}", {"profile": {}})
        rows = [(table.table, n, 0.0, None, '{"A": 0}', 0, body) for n in range(states)]
        with store.transaction() as db:
            db.executemany("INSERT INTO settled VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


if __name__ == "__main__":
    main()
