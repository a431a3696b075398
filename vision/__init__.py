"""Pixels to components: photographs in, what lies on the table out.

Pictures are BGR uint8 arrays (H, W, 3); what is found is a frozen value that knows
where in the photo it was seen and how sure the reading is. Nothing here knows a game's
rules, a language or the web.

OpenCV reads its limit on decoded pixels from the environment when it is first imported,
so the limit is set here, before any module of this package can import it.
"""

import os

MAX_PIXELS = 60_000_000
"""Largest photo that is decoded, in pixels: 48-megapixel phones fit, picture bombs do not."""

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
