// A sentence that is shown for a moment, and read out.
import { html } from "./dom.js";

const SHOWN = 4000; // milliseconds
const place = html`<p class="toast" role="status"></p>`;
let hiding = null;

/** Say it, in place of what was said before. */
export function toast(words) {
  if (!place.isConnected) document.body.append(place);
  place.textContent = words;
  place.classList.add("on");
  clearTimeout(hiding);
  hiding = setTimeout(() => place.classList.remove("on"), SHOWN);
}
