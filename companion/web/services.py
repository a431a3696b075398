"""What the pages work with, typed: the data folder, the readers of photos and tables, the table that is followed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask, current_app

from companion.cases.evenings import Evenings
from companion.cases.results import Results
from companion.cases.store import Store
from companion.web.running.devices import Devices
from companion.web.running.eyes import Eyes, Turn
from companion.web.running.live_maps import LiveMaps
from companion.web.running.live_tables import LiveTables
from companion.web.running.network import Network
from companion.web.running.pairing import Pairing
from companion.web.running.play_news import PlayNews

KEY = "companion"
"""Where a Flask app carries its services."""


@dataclass(frozen=True)
class Services:
    """One app's services."""

    store: Store  # the data folder
    eyes: Eyes  # decodes and reads photos
    turn: Turn  # whose photo is decoded and read now
    pushes: Turn  # likewise of the pictures that phones send as a camera
    tables: LiveTables  # the tables that are filmed and photographed, and those that were
    evenings: Evenings  # the games that were tapped
    results: Results  # how all games ended
    news: PlayNews  # who looks at a play hears of its changes
    maps: LiveMaps  # the play whose sheets are followed by a camera
    pairing: Pairing  # the codes that other devices are paired with
    network: Network  # opens the page to other devices
    devices: Devices  # those that were let in
    static: Path  # the folder of scripts and styles

    def everybody(self) -> list[dict[str, Any]]:
        """Who plays here, the latest first: `name`, and the `color` that was chosen, or None."""
        colors = self.tables.people.colors()
        names = dict.fromkeys((*self.evenings.names(), *colors))
        return [{"name": name, "color": colors.get(name)} for name in names]


def services_of(app: Flask) -> Services:
    found: Services = app.extensions[KEY]
    return found


def services() -> Services:
    """The services of the app that answers this request."""
    return services_of(current_app)
