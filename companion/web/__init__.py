"""The page: a Flask app over the data folder, vision and scoring."""

import vision  # noqa: F401 - first of all: it sets OpenCV's limit on pixels, which must stand before cv2 is imported
from companion.web.app import create_app

__all__ = ["create_app"]
