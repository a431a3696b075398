"""Open the source that a person named: camera number, address, file, folder or demo."""

from pathlib import Path

from companion.camera_address import names_a_host
from companion.demo import FILM, MAPS_FILM
from companion.sources.camera import camera
from companion.sources.files import PhotoFolder, VideoFile
from companion.sources.frame import Source, SourceError
from companion.sources.realtime import Paced
from companion.sources.stream import stream

DEMO = "demo"
"""What every demo is called."""
DEMOS = {DEMO: (0, FILM), "demo-maps": (1, MAPS_FILM)}
"""How often each demo is played on a page (0: for ever), and its film."""
SCHEMES = ("http", "https", "rtsp")
MOST_CAMERAS = 64
LONGEST = 2000


def open_source(spec: str, paced: bool = False, files: bool = True) -> Source:
    """A source, not yet started.

    Args:
        spec: a camera's number, an address, a video file, a folder of photos, `demo` or `demo-maps`.
        paced: films and photos run as fast as a camera would, for a page; else each frame comes when asked for.
        files: whether files of this computer may be opened; not for who asks from elsewhere.

    Raises SourceError where it cannot be one.
    """
    said = spec.strip()
    if not said or len(said) > LONGEST or not said.isprintable():
        raise SourceError("source.unknown", got=repr(spec[:60]))
    if said.isascii() and said.isdigit() and int(said[:4]) < MOST_CAMERAS:
        return camera(int(said))
    if said in DEMOS:
        loops, film = DEMOS[said]
        return Paced(VideoFile(film, DEMO, loops)) if paced else VideoFile(film, DEMO)
    if "://" in said or said.partition(":")[0].lower() in (*SCHEMES, "file", "data", "ftp", "javascript"):
        return _stream(said)
    if not files:
        raise SourceError("source.unknown", got=said)
    path = Path(said).expanduser()
    if path.is_dir():
        source: Source = PhotoFolder(path)
    elif path.exists():
        source = VideoFile(path)
    elif path.suffix or len(path.parts) > 1:
        raise SourceError("source.missing", got=said)
    else:
        raise SourceError("source.unknown", got=said)
    return Paced(source) if paced else source


def _stream(address: str) -> Source:
    scheme = address.partition(":")[0].lower()
    if scheme not in SCHEMES:
        raise SourceError("source.scheme", got=address, scheme=scheme)
    if not names_a_host(address):
        raise SourceError("source.address", got=address)
    return stream(address)
