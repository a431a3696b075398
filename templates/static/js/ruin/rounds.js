// The round of escape, as keys: most escape early; later rounds are typed.
import { h, say } from "../lib/dom.js";

const KEYS = 15;
const LAST = 99;

/** Keys for "never", the usual rounds, and a field for later ones. `round`: what is entered; undefined while nothing is. */
export function roundKeys({ round, never, set, name = (n) => `${n}` }) {
  const key = (value, text, label, extra = "") => h("button", { type: "button", class: `key ${extra} ${round === value ? "on" : ""}`, "data-key": value === null ? "never" : `round-${value}`, "aria-pressed": round === value ? "true" : "false", "aria-label": label, onclick: () => set(value) }, text);
  const late = h("input", { class: "field", type: "number", inputmode: "numeric", min: 1, max: LAST, "data-key": "round-late", value: round > KEYS ? round : "", onchange: (event) => event.target.value && event.target.checkValidity() && set(Number(event.target.value)) });
  return [
    key(null, never, null, "wide"),
    Array.from({ length: KEYS }, (_, i) => key(i + 1, `${i + 1}`, name(i + 1))),
    h("label", { class: `late ${round > KEYS ? "on" : ""}` }, h("span", { class: "small quiet" }, say("escape.later")), late),
  ];
}
