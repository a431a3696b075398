// Who plays: a name has a color and a sign, chosen once and kept from one evening to the next.
import { html } from "./dom.js";

export const SIGNS = ["●", "■", "▲", "◆", "★", "✚", "⬟", "⬢"];
const chosen = new Map();

/** What the companion knows of everybody: `name`, and the `color` that was chosen, or null. */
export function know(people) {
  chosen.clear();
  for (const { name, color } of people) if (color !== null) chosen.set(name, color);
}

/** The color that was chosen for a name; undefined: none was. */
export const chosenColor = (name) => chosen.get(name);

/** Take this color for a name; null: any. */
export const choose = (name, color) => (color === null ? chosen.delete(name) : chosen.set(name, color));

/** The color of each of these players: the chosen one, for others that of their seat, or the first that is free. */
export function colorsOf(names) {
  const taken = new Set();
  const own = names.map((name) => {
    const color = chosen.get(name);
    if (color === undefined || taken.has(color)) return null;
    taken.add(color);
    return color;
  });
  return own.map((color, seat) => {
    if (color !== null) return color;
    const free = taken.has(seat) ? SIGNS.findIndex((_, i) => !taken.has(i)) : seat;
    taken.add(free);
    return Math.max(0, free);
  });
}

/** The sign of a color: neither is needed alone. */
export const sign = (color) =>
  html`<span class="player-sign player-${color}" aria-hidden="true">${SIGNS[color]}</span>`;
