"""After a failed search for a grid: a second one, then why the photo cannot be read, in the words that help most."""

from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.errors import PhotoError
from vision.sheet.flatten import cell_pixels
from vision.sheet.grid import Grid, Search, refined, rough_grid
from vision.sheet.grid_candidates import line_mask


@dataclass(frozen=True)
class DiagnoseSettings:
    """From where on a photo is too dark, too bright, flat, blurred or small."""

    dark: int = 28  # grey level: what is darker all over shows nothing
    bright: int = 247  # grey level: what is brighter all over shows nothing
    flat: float = 4.0  # grey levels: what varies less all over shows nothing
    sharp: float = 0.018
    """Contrast of the sharpest edges between neighboring pixels, in parts of the photo's own range of brightness."""
    nearby: float = 20.0  # pixels around each over which contrast is made even
    noise: float = 2.0  # gray levels that are no contrast
    least_cell: float = 9.0  # pixels a cell below which circles and letters look alike
    bare: float = 0.0005  # share of a page that print or pencil covers, below which nothing stands on it
    slack: float = 0.3  # cells by which an edge of the grid may lie outside the photo


SETTINGS = DiagnoseSettings()
AGAIN = Search(sides=(800,), contrasts=(0.045, 0.09), least=0.5)
"""The second search, in even contrast: what it finds is believed only where more of it is seen than at first."""
SMALL = replace(AGAIN, sides=(1600,))
"""For a grid that is small in the photo: in a larger picture, its contrast as it is, believed as `AGAIN` is."""


def find_readable(image: np.ndarray, rows: int, cols: int) -> np.ndarray:
    """The grid's lattice in a photo, BGR or gray, (rows + 1, cols + 1, 2), as `find_grid` finds it.

    Raises PhotoError with the reason that helps most: no grid, too blurred, an edge cut off, too far away, …
    """
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    try:
        rough = rough_grid(gray, rows, cols)
    except PhotoError as error:
        rough = find_again(gray, rows, cols, error)
    lattice = refined(gray, rough).lattice
    check_readable(lattice, image.shape)
    return lattice


def find_again(gray: np.ndarray, rows: int, cols: int, error: PhotoError) -> Grid:
    """The grid in a gray photo, (H, W) uint8, in which `rough_grid` found none: one in haze or beside a lamp's glare,
    with the contrast made even; or a small one.

    Raises PhotoError with the reason that helps most, as far as it is known then: `error` if nothing else is wrong.
    """
    with suppress(PhotoError):
        return rough_grid(even_contrast(gray), rows, cols, AGAIN)
    with suppress(PhotoError):
        return rough_grid(gray, rows, cols, SMALL)
    raise explain(gray, error)


def even_contrast(gray: np.ndarray) -> np.ndarray:
    """A gray photo, uint8, with the same brightness and the same contrast everywhere."""
    seen = gray.astype(np.float32)
    light = cv2.GaussianBlur(seen, (0, 0), SETTINGS.nearby)
    contrast = np.sqrt(cv2.GaussianBlur((seen - light) ** 2, (0, 0), SETTINGS.nearby) + SETTINGS.noise**2)
    return np.clip(140 + 45 * (seen - light) / contrast, 0, 255).astype(np.uint8)


def check_readable(lattice: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raises PhotoError where a grid leaves the photo of that shape, or is too small in it."""
    if error := cut_edge(lattice, shape):
        raise error
    cell = cell_pixels(lattice)
    if cell < SETTINGS.least_cell:
        raise PhotoError("sheet.too-small", cell=round(cell))


def explain(image: np.ndarray, error: PhotoError) -> PhotoError:
    """The likeliest reason that no grid was found in a photo, BGR or gray: `error` if nothing else is wrong."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, 1000 / max(gray.shape))
    gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if unlit := wrong_light(gray):
        return unlit
    low, high = np.percentile(gray, (2, 98))
    soft = cv2.GaussianBlur(gray, (3, 3), 0)
    edges = np.abs(cv2.Laplacian(soft, cv2.CV_32F))
    if np.percentile(edges, 99) / (high - low) < SETTINGS.sharp * 4:
        return PhotoError("sheet.blurred")
    return error


def wrong_light(gray: np.ndarray) -> PhotoError | None:
    """Whether a gray picture is too dark, too bright or too even to show anything."""
    low, high = np.percentile(gray, (2, 98))
    if high < SETTINGS.dark:
        return PhotoError("photo.dark")
    if low > SETTINGS.bright:
        return PhotoError("photo.bright")
    return PhotoError("photo.flat") if high - low < SETTINGS.flat else None


def is_bare(image: np.ndarray) -> bool:
    """Whether next to nothing stands on a page, (H, W, 3) BGR."""
    scale = min(1.0, 800 / max(image.shape))
    gray = cv2.cvtColor(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return float((line_mask(gray, AGAIN.contrasts[-1]) > 0).mean()) < SETTINGS.bare


def cut_edge(lattice: np.ndarray, shape: tuple[int, ...]) -> PhotoError | None:
    """Which edge of the grid lies outside the photo, by more than `SETTINGS.slack` cells, if one does.

    `lattice` (rows + 1, cols + 1, 2) pixels, `shape` the photo's.
    """
    points = lattice.reshape(-1, 2)
    cell = float(np.sqrt(np.prod(np.ptp(points, axis=0)) / ((lattice.shape[0] - 1) * (lattice.shape[1] - 1))))
    beyond = {
        "sheet.cut-top": -points[:, 1].min(),
        "sheet.cut-left": -points[:, 0].min(),
        "sheet.cut-bottom": points[:, 1].max() - shape[0],
        "sheet.cut-right": points[:, 0].max() - shape[1],
    }
    worst = max(beyond, key=lambda key: beyond[key])
    return PhotoError(worst) if beyond[worst] > SETTINGS.slack * cell else None
