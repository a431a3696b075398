"""Access control of every request: host, origin, pairing cookie, and security headers of the answer.

On loopback the host names are the door. Opened to the local network, every request also
needs the cookie that a pairing link was exchanged for; only the pairing page, its
statics and the exchange itself answer without it.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, request
from itsdangerous import BadData, URLSafeTimedSerializer

from companion.web.problems import answer

OPEN = {"pairing.page", "pairing.exchange", "pages.public"}
"""Endpoints that answer without the cookie."""
SAFE = {"GET", "HEAD", "OPTIONS"}
HEADER = "X-Companion"
COOKIE_DAYS = 30
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def init_app(app: Flask, hosts: set[str], lan: bool) -> None:
    """Put the door in. `hosts` are the names and addresses, without port, that the companion answers to."""
    app.config["TRUSTED_HOSTS"] = sorted(hosts)
    app.config["LAN"] = lan

    @app.before_request
    def check() -> Response | None:
        if not host_known(request, hosts):
            return answer("problem.host", 400)
        if not origin_known(request):
            return answer("problem.origin", 403)
        if request.method not in SAFE and HEADER not in request.headers:
            return answer("problem.origin", 403)
        if lan and request.endpoint not in OPEN and not paired(request):
            return answer("problem.door", 403)
        return None

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = "geolocation=(), microphone=(), camera=(self)"
        if request.endpoint not in {"pages.public", "pages.asset", "pages.editor", "pages.words", "photos.file"}:
            response.headers["Cache-Control"] = "no-store"
        return response


def host_known(request: Request, hosts: set[str]) -> bool:
    """Whether the request is for one of our own names: a foreign name here is DNS rebinding."""
    try:
        address = urlsplit(f"//{request.headers.get('Host', '')}")
        return address.hostname in hosts and (address.port is None or address.port > 0)
    except ValueError:  # a port that is none
        return False


def origin_known(request: Request) -> bool:
    """Whether the page that asks, where the browser names it, is one of ours."""
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if origin is not None and origin != f"{request.scheme}://{request.headers.get('Host', '')}":
        return False
    if site in (None, "same-origin", "none"):
        return True
    # A link from elsewhere may open a page; nothing else may come from another site.
    return request.method in SAFE and request.headers.get("Sec-Fetch-Mode") == "navigate"


def cookie_name(request: Request) -> str:
    """Cookies know no ports: two companions on one machine must not take each other's."""
    host = urlsplit("//" + request.headers["Host"])
    return f"companion-{host.port or 80}"


def paired(request: Request) -> bool:
    """Whether the request carries a cookie that this companion signed."""
    value = request.cookies.get(cookie_name(request), "")
    try:
        _signer().loads(value, max_age=COOKIE_DAYS * 86400)
    except BadData:
        return False
    return True


def let_in(response: Response, device: str) -> None:
    """Give the device of this request its cookie."""
    response.set_cookie(
        cookie_name(request),
        _signer().dumps(device),
        max_age=COOKIE_DAYS * 86400,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
    )


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="paired device")
