// The round of escape, as keys: most escape early; later rounds are typed.

import { html, say } from "./dom.js";
import { numberField } from "./widgets.js";

const KEYS = 15;
const LAST = 99;

/** Keys for "never", the usual rounds, and a field for later ones. `round`: what is entered; undefined while nothing is. */
export function roundKeys({ round, never, set, name = (n) => `${n}` }) {
  const key = (value, text, label, extra = "") => html`
    <button class="key ${extra} ${round === value && "on"}"
        data-key=${value === null ? "never" : `round-${value}`} aria-pressed=${round === value}
        aria-label=${label} onclick=${() => set(value)}>
      ${text}
    </button>`;
  const late = numberField({
    label: say("escape.later"),
    value: round > KEYS ? round : undefined,
    set,
    least: 1,
    most: LAST,
    key: "round-late",
    kind: `late ${round > KEYS ? "on" : ""}`,
    optional: !(round > KEYS),
    settled: (n) => n > KEYS,
  });
  return [
    key(null, never, null, "wide"),
    Array.from({ length: KEYS }, (_, i) => key(i + 1, `${i + 1}`, name(i + 1))),
    late,
  ];
}
