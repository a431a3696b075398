"""Map sheets by a second generator, for reporting only.

No network was trained on its sheets and nobody who wrote the reader has looked at them: it knows nothing of
`training/synth`, and nothing there may use it. `bench.prints --generator strangers` reads them.
"""

from bench.strangers.hands import Filled
from bench.strangers.photos import Photo, blank_photo, filled_photo
from bench.strangers.press import Page
from bench.strangers.prints import random_page

__all__ = ["Filled", "Page", "Photo", "blank_photo", "filled_photo", "random_page"]
