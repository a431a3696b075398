// How a piece that was seen is drawn: a tile, a card, a cell of a sheet.
import { svg } from "../lib/dom.js";

export const text = (points) => points.map((p) => p.join(",")).join(" ");

/** The points of such a text. */
export const pointsOf = (words) => words.split(" ").map((point) => point.split(",").map(Number));

/** The corners of a square of this size. */
export const square = (x, y, side) => pointsOf("0,0 1,0 1,1 0,1").map(([u, v]) => [x + u * side, y + v * side]);

/** The middle of a polygon. */
export const center = (points) => [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);

/**
 * One piece that was seen: a tile, a card, a cell of a sheet.
 * @param {{id: string, polygon: number[][], label?: string, class: string, asked: boolean, said: boolean, marks?: Node[],
 *   badge?: number[], keys?: object}} piece `marks` are drawn on it; `badge` is where the question mark
 *   stands, and its radius; `keys` the attributes by which it is reached, a button's if it says nothing.
 */
export function pieceShape({ id, polygon, label, asked, said, class: own, marks, badge, keys }, look, unit) {
  const chosen = look.chosen === id;
  const [x, y, radius] = badge ?? [...center(polygon), 9 * unit];
  const question = () => [
    svg`<circle class="mark-ground" cx=${x} cy=${y} r=${radius}/>`,
    svg`<text class="mark" x=${x} y=${y} font-size=${radius * 1.55} text-anchor="middle" dominant-baseline="central">?</text>`,
  ];
  const states = { doubtful: asked, said, lit: look.lit.has(id), missing: look.missing.has(id), chosen };
  const how = Object.keys(states).filter((state) => states[state]);
  const button = { tabindex: 0, role: "button", "aria-label": label, "aria-pressed": chosen };
  return svg`
    <g class="piece-shape ${own} ${how.join(" ")}" data-piece=${id} ${keys ?? button}>
      <polygon class="halo" points=${text(polygon)}/>
      <polygon class="shape" points=${text(polygon)}/>
      ${marks}
      ${asked && question()}
    </g>`;
}
