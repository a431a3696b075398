"""Which role a request needs: looking is for all who are in, changing for players, and the host's work for the host."""

from companion.web.running.devices import Role

SAFE = {"GET", "HEAD", "OPTIONS"}
OF_GUESTS = {"pages.switch", "pairing.exchange", "dispute.score", "dispute.read", "dispute.link"}
"""Endpoints that change nothing for others, though they are posted to."""
OF_THE_HOST = {
    "phone.network",
    "phone.code",
    "phone.devices",
    "phone.forget",
    "camera_push.code",
    "live_home.start",
    "live_home.preview",
    "live.again",
    "live.new_game",
    "live.stop",
    "live_corrections.zones",
    "live_home.take_profile",
    "live_colors.save",
    "decks.bring",
    "sheet_camera.start",
    "sheet_camera.demo",
    "live_colors.page",
}
"""Endpoints beside every DELETE that only the host may use."""
OF_PLAYERS = {"enroll.new", "enroll.page", "decks.page", "camera.page", "camera_push.film"}
"""Pages on which there is nothing to look at: all that can be done there changes something."""


def needed(endpoint: str | None, method: str) -> Role:
    """The least role that may ask this."""
    if endpoint in OF_THE_HOST or method == "DELETE":
        return Role.HOST
    looks = endpoint in OF_GUESTS or (method in SAFE and endpoint not in OF_PLAYERS)
    return Role.GUEST if looks else Role.PLAYER
