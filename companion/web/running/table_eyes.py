"""Cameras and vision as the live page uses them, behind one interface that tests can replace."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.colors import find_row, learn_palette
from companion.demo import TABLE
from companion.live.settle_detector import Follower
from companion.reading.tables import table_reader
from companion.sources import PushSource, Source, open_source
from companion.sources.photos import PhotoSource
from vision.table.markers import find_markers
from vision.table.palette import Palette
from vision.table.profile import TableProfile
from vision.table.reading import TableReading

PHONE = "phone"
"""A device that films through the page."""
PHOTOS = "photos"
"""Photos that people bring to the page."""


class EachAlone:
    """Reads photos that may be taken from anywhere: nothing is taken from the photos before."""

    def __init__(self, profile: TableProfile) -> None:
        self._reader = table_reader(profile)

    def read(self, image: np.ndarray) -> TableReading:
        """As TableReader.read, thoroughly."""
        self._reader.forget()
        return self._reader.read(image, thorough=True)


class TableEyes:
    """Where frames come from, and who reads them."""

    def source(self, spec: str, files: bool) -> Source:
        """A source, not yet started; `files` allows files of this computer. Raises SourceError."""
        if spec == PHONE:
            return PushSource()
        if spec == PHOTOS:
            return PhotoSource()
        return open_source(spec, paced=True, files=files)

    def follower(self, profile: TableProfile) -> Follower:
        """A follower that detects when this table is at rest, and reads it."""
        return Follower(table_reader(profile))

    def photo_follower(self, profile: TableProfile) -> Follower:
        """What reads photos of this table, each for itself and thoroughly."""
        return Follower(EachAlone(profile))

    def shows(self, profile: TableProfile, image: np.ndarray) -> bool:
        """Whether a photo may be of this table: where all its areas have markers, one of them is seen."""
        if not profile.zones or any(zone.markers is None for zone in profile.zones.values()):
            return True
        gray, own = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), profile.zone_markers
        return any(
            own & find_markers(gray, profile.dictionary, own, thorough).outlines.keys() for thorough in (False, True)
        )

    def row(self, image: np.ndarray, profile: TableProfile, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Pictures and centers of a row of tiles. Raises ColorsError."""
        return find_row(image, profile, count)

    def palette(self, images: Sequence[np.ndarray], profile: TableProfile, order: Sequence[str]) -> Palette:
        """The palette that such rows teach. Raises ColorsError."""
        return learn_palette(images, profile, order)

    def demo_profile(self) -> TableProfile:
        """The table that the demo plays on."""
        return TableProfile.load(TABLE)
