// The server's drawing of a QR code.
import { html, redraw } from "./dom.js";

/** @param {string} svg the drawing's text. @param {string} label what it is, for who does not see it. */
export function qrPicture(svg, label) {
  const picture = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  return picture;
}

/** Show a code that lets a device in, with its link, which may be `open` to this device too, and how long it holds. */
export function showCode(place, { qr, link }, { label, holds, open = false }) {
  const picture = qrPicture(qr, label);
  picture.setAttribute("class", "qr");
  const written = open ? html`<a href=${link}>${link}</a>` : html`<code>${link}</code>`;
  redraw(place, picture, html`<p class="small quiet">${written}</p>`, html`<p class="small">${holds}</p>`);
}
