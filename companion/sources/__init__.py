"""Where frames come from: cameras, streams, films, photos, a phone that pushes, the demo table.

`open_source` is the way in; `frame` says what every source offers.
"""

import companion.sources.opencv_log  # noqa: F401 - first, before OpenCV is loaded

# isort: split

from companion.sources.frame import ENDED, LOST, OPENING, RUNNING, Frame, Source, SourceError, SourceState
from companion.sources.opening import open_source
from companion.sources.push import PushSource

__all__ = [
    "ENDED", "LOST", "OPENING", "RUNNING", "Frame", "PushSource", "Source", "SourceError", "SourceState", "open_source",
]  # fmt: skip
