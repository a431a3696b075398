"""Which role a request needs: each view says it, and a page with a view that does not say it does not start.

Looking is for all who are in, changing for players, and the host's work for the host.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask

from companion.web.running.devices import Role

SAFE = {"GET", "HEAD", "OPTIONS"}
SAID = "least_role"
"""Where a view carries its role."""
View = TypeVar("View", bound=Callable[..., Any])


def _needs(role: Role) -> Callable[[View], View]:
    def said(view: View) -> View:
        setattr(view, SAID, role)
        return view

    return said


for_guests = _needs(Role.GUEST)
"""For all who are in: it changes nothing for others."""
for_players = _needs(Role.PLAYER)
for_hosts = _needs(Role.HOST)


def check(app: Flask) -> None:
    """Raises ValueError where a view does not say which role it needs."""
    silent = sorted(name for name, view in app.view_functions.items() if not hasattr(view, SAID))
    if silent:
        raise ValueError(f"expected a role for each view, got none for {', '.join(silent)}")


def needed(app: Flask, endpoint: str | None) -> Role:
    """The least role that may ask this; for an address that is none, any."""
    view = app.view_functions.get(endpoint or "")
    return Role.GUEST if view is None else getattr(view, SAID)
