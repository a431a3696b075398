from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import demo_sheets as demo
import pytest
from acting import Page
from fake_eyes import FakeEyes, jpeg
from fake_table import FakeTable
from flask import Flask

from companion.web import create_app
from companion.web.services import services_of


@pytest.fixture(scope="session")
def eyes() -> FakeEyes:
    return FakeEyes()


@pytest.fixture(scope="session")
def photos() -> list[bytes]:
    """The demo's filled sheets, as JPEG."""
    return [jpeg(demo.filled_photo(player=player)[0]) for player in range(2)]


@pytest.fixture
def table() -> FakeTable:
    """The table that a test lays."""
    return FakeTable()


@pytest.fixture
def app(tmp_path: Path, eyes: FakeEyes, table: FakeTable | None) -> Iterator[Flask]:
    app = create_app(tmp_path / "data", eyes=eyes, table_eyes=table)
    yield app
    services_of(app).tables.stop()


@pytest.fixture
def page(app: Flask) -> Iterator[Page]:
    with app.test_client() as client:
        yield Page(client)
