"""Access control of every request: host, origin, pairing cookie, role, and security headers of the answer.

On loopback the host names are the door. Opened to the local network, every request also
needs the cookie that a pairing link was exchanged for; only the pairing page, its
statics and the exchange itself answer without it. What a device may do is its role.
"""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, request
from itsdangerous import BadData, URLSafeSerializer

from companion.log import HOST
from companion.web.access.roles import SAFE, needed
from companion.web.problems import answer
from companion.web.running.devices import DAYS, Device, Role
from companion.web.services import services

OPEN = {"pairing.page", "pairing.exchange", "pages.public"}
"""Endpoints that answer without the cookie."""
HERE = frozenset({"127.0.0.1", "::1"})
HEADER = "X-Companion"
KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
"""Devices that browsers say they run on."""
PARTS = {"pages.asset", "pages.editor", "pages.words"}
"""Endpoints of a page's styles and modules: no browser runs them as a page; nothing is said of them as of one."""
LEAST_BODY = 4096
"""Bytes of a body that a device may send which was not let in yet."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def init_app(app: Flask) -> None:
    """Check every request of the app, and protect every answer."""

    @app.before_request
    def check() -> Response | None:
        if not host_known(request, services().network.reach.hosts):
            return answer("problem.host", 400)
        if not origin_known(request):
            return answer("problem.origin", 403)
        if request.method not in SAFE and HEADER not in request.headers:
            return answer("problem.origin", 403)
        return None if (refusal := refused(role())) is None else answer(*refusal)

    app.jinja_env.globals.update(role=role, Role=Role)

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if request.endpoint not in PARTS or response.mimetype not in ("text/css", "text/javascript"):
            response.headers["Content-Security-Policy"] = POLICY
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["X-Frame-Options"] = "DENY"
            response.headers["Permissions-Policy"] = "geolocation=(), microphone=(), camera=(self)"
        if request.endpoint not in {"pages.public", "photos.file", *PARTS}:
            response.headers["Cache-Control"] = "no-store"
        return response


def host_known(request: Request, hosts: Collection[str]) -> bool:
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


def refused(mine: Role | None) -> tuple[str, int] | None:
    """Why this role may not ask what is asked, and the status; None where it may."""
    if mine is None:
        large = (request.content_length or 0) > LEAST_BODY or "Transfer-Encoding" in request.headers
        return ("problem.door", 403) if request.endpoint not in OPEN else ("problem.request", 413) if large else None
    least = needed(current_app, request.endpoint)
    if mine >= least:
        return None
    return "problem.host-only" if least == Role.HOST else "problem.guest", 403


def clicked() -> bool:
    """Whether a page of ours led to this one: only then may it begin something by itself."""
    return request.headers.get("Sec-Fetch-Site") == "same-origin"


def here() -> bool:
    """Whether the person sits at this computer: only then may its files be named."""
    return request.remote_addr in HERE


def role() -> Role | None:
    """What who asks may do; None where it was not let in. Who sits at this computer is the host."""
    if not services().network.reach.lan:
        return Role.HOST if here() else None
    device = paired()
    return None if device is None else Role.HOST if here() else device.may


def cookie_name(request: Request) -> str:
    """Cookies know no ports: two companions on one machine must not take each other's."""
    host = urlsplit("//" + request.headers["Host"])
    return f"companion-{host.port or 80}"


def asking() -> str:
    """The device that asks, by its id: undoing belongs to who did it."""
    device = paired()
    return device.id if device else HOST


def paired() -> Device | None:
    """The device whose cookie the request carries; None where we did not sign it, or the device was shut out."""
    try:
        device = _signer().loads(request.cookies.get(cookie_name(request), ""))
    except BadData:
        return None
    return services().devices.get(device)


def stays() -> Callable[[], bool]:
    """Tells later whether who asks now is still let in."""
    device, local, devices, network = paired(), here(), services().devices, services().network
    if not network.reach.lan:
        return lambda: True  # it began on this computer, before anybody else could come
    return lambda: (device is not None and devices.get(device.id) is not None) if network.reach.lan else local


def let_in(response: Response, role: Role) -> None:
    """Give the device of this request its cookie."""
    agent = request.headers.get("User-Agent", "")
    device = services().devices.add(role, next((kind for kind in KINDS if kind in agent), "?"))
    response.set_cookie(
        cookie_name(request),
        _signer().dumps(device.id),
        max_age=DAYS * 86400,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
    )


def _signer() -> URLSafeSerializer:
    """Signs for this scheme alone: a cookie that was overheard on the plain page opens no secure one."""
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"paired device, {request.scheme}")
