// Where games were played, as this device was told: a place holds from the game on of which it was said.
import { html, say } from "../lib/dom.js";

const KEPT = "places";
const MOST = 50;
const LONGEST = 60;

/** @returns {[number, string][]} from when, in milliseconds, and where, in the order of time. */
const said = () => JSON.parse(localStorage.getItem(KEPT) ?? "[]");

/** Where a game was played that began then, in milliseconds; "" where nobody has said it. */
export const placeOf = (begun) => said().findLast(([from]) => from <= begun)?.[1] ?? "";

function keep(begun, place) {
  const all = [...said().filter(([from]) => from !== begun), [begun, place]].sort(([a], [b]) => a - b);
  localStorage.setItem(KEPT, JSON.stringify(all.slice(-MOST)));
}

/** The field for it, folded; `changed` is called when another place has been typed. */
export function placeField(begun, changed) {
  const words = () => (placeOf(begun) ? say("finish.where-said", { place: placeOf(begun) }) : say("finish.where"));
  const typed = ({ target }) => {
    keep(begun, target.value.trim());
    target.closest(".where").querySelector("summary").textContent = words();
    changed();
  };
  const opened = ({ target }) => {
    isOpen = target.open;
  };
  return html`
    <details class="where" open=${isOpen} ontoggle=${opened}>
      <summary class="button plain" data-key="where">${words()}</summary>
      <label class="stack small">${say("finish.where-about")}
        <input class="field" type="text" autocomplete="off" data-key="place" maxlength=${LONGEST} value=${placeOf(begun)} oninput=${typed}>
      </label>
    </details>`;
}
let isOpen = false;
