// The server's drawing of a QR code.

/** @param {string} svg the drawing's text. @param {string} label what it is, for who does not see it. */
export function qrPicture(svg, label) {
  const picture = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  return picture;
}
