"""The page: a Flask app over the data folder, vision and scoring."""

from companion.web.app import create_app

__all__ = ["create_app"]
