"""What can be wrong with a photo, as a key and values; the words stand in the catalogs."""


class PhotoError(ValueError):
    """A photo that cannot be read, and why.

    `key` names the reason (a row of `REASONS`), `values` fill the gaps of its sentence.
    `str(error)` is the English sentence; other languages take `key` and `values` to
    their own catalog.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(REASONS[key].format(**values))


REASONS = {
    "photo.no-file": "the file cannot be read: {reason}",
    "photo.empty": "the file is empty: expected a photo (JPEG, PNG, WebP or HEIC)",
    "photo.no-image": "this is not a photo: expected JPEG, PNG, WebP or HEIC, got {got}",
    "photo.truncated": "the photo is incomplete (the upload or the copy was cut off): send it again",
    "photo.scans": "the JPEG is made of {scans} scans, at most {most} are read: save it as an ordinary JPEG",
    "photo.too-large": "the picture is too large: {width} × {height} pixels, at most {most} megapixels are read",
    "photo.too-heavy": "the file is too large: at most {most} MB",
    "photo.too-small": "the picture is too small: {width} × {height} pixels; "
    "take the photo closer or at a higher resolution",
    "photo.heic": "HEIC photos need the package pillow-heif: install it, or send a JPEG",
    "photo.dark": "the photo is too dark to read: turn on a light",
    "photo.bright": "the photo is overexposed: nothing but white is left of it",
    "photo.flat": "there is nothing in the photo: one even color",
    "sheet.no-grid": "no grid of {rows} × {cols} cells was found: photograph the whole sheet from above",
    "sheet.blurred": "too blurred to read: hold the phone still and let it focus",
    "sheet.cut-top": "the grid's upper edge is cut off: move back until the whole grid is in the picture",
    "sheet.cut-right": "the grid's right edge is cut off: move back until the whole grid is in the picture",
    "sheet.cut-bottom": "the grid's lower edge is cut off: move back until the whole grid is in the picture",
    "sheet.cut-left": "the grid's left edge is cut off: move back until the whole grid is in the picture",
    "sheet.other": "this looks like another sheet: its print does not match the profile {name!r}",
    "sheet.unseen": "the print of the sheet {name!r} is not seen in this photo: "
    "photograph the whole sheet, sharp and in good light",
    "sheet.too-small": "the grid is too small in the photo ({cell:.0f} pixels a cell): go closer",
}
