// Four corners on a photo, to be dragged; a loupe shows what lies under the finger, and the grid bends as it was read.
import { across, follow, rim } from "../../evidence/lattice.js";
import { center, text } from "../../evidence/pieces.js";
import { say, svg } from "../../lib/dom.js";
import { handle, putAt } from "../../lib/handle.js";

const NAMES = ["top-left", "top-right", "bottom-right", "bottom-left"];

/**
 * @param {string} photo the kept photo's name. @param {[number, number]} size its width and height.
 * @param {number[][]} corners where they lie at first: the sheet's top left, top right, bottom right, bottom left.
 * @param {(corners: number[][]) => void} onMoved called when a corner has been put down. @param {number[][][] | null}
 *   lattice the crossings of the grid's lines as they were read, row by row: a folded sheet's are not straight.
 */
export function cornersEditor(photo, size, corners, onMoved, lattice = null) {
  const points = corners.map((point) => [...point]);
  const grid = lattice ?? [
    [corners[0], corners[1]],
    [corners[3], corners[2]],
  ];
  const unit = Math.max(...size) / 100;
  const href = `/photos/${photo}.jpg`;
  const side = unit * 8; // of what the loupe shows
  const halo = svg`<polygon class="frame-halo" stroke-width=${unit * 0.8}/>`;
  const frame = svg`<polygon class="frame" stroke-width=${unit * 0.35}/>`;
  const lines = svg`<path class="grid-lines" stroke-width=${unit * 0.2}/>`;
  const dot = svg`<circle class="handle-dot" r=${side / 40}/>`;
  const loupe = svg`
    <svg class="loupe" y=${unit} width=${unit * 26} height=${unit * 26}>
      <image href=${href} width=${size[0]} height=${size[1]}/>
      ${dot}
    </svg>`;
  const edge = svg`
    <rect class="loupe-edge" y=${unit} width=${unit * 26} height=${unit * 26} stroke-width=${unit * 0.6}/>`;
  const handles = NAMES.map(
    (name, i) =>
      svg`
      <g>
        <circle class="handle" r=${unit * 4.2} stroke-width=${unit * 0.5} tabindex="0" role="slider"
            data-key="corner-${i}" aria-label=${say(`corner.${name}`)} aria-valuetext=""
            aria-valuenow="0"/>
        <circle class="handle-dot" r=${unit * 0.7}/>
        <text class="handle-name" font-size=${unit * 3} stroke-width=${unit * 0.6} text-anchor="middle"
            dominant-baseline="central">
          ${i + 1}
        </text>
      </g>`,
  );
  const drawing = svg`
    <svg viewBox="0 0 ${size[0]} ${size[1]}">
      <image href=${href} width=${size[0]} height=${size[1]}/>
      ${halo}
      ${lines}
      ${frame}
      ${handles}
      ${loupe}
      ${edge}
    </svg>`;
  let held = null;

  function draw() {
    const bent = follow(grid, corners, points);
    for (const line of [halo, frame]) line.setAttribute("points", text(rim(bent)));
    const within = [...bent.slice(1, -1), ...across(bent).slice(1, -1)];
    lines.setAttribute("d", within.map((line) => `M${text(line)}`).join(""));
    const middle = center(points);
    handles.forEach((group, i) => {
      const inward = middle.map((value, k) => value - points[i][k]);
      const far = Math.hypot(...inward) || 1;
      putAt(group, points[i]);
      putAt(
        group.lastElementChild,
        inward.map((value) => (value / far) * unit * 7),
      );
      group.firstElementChild.setAttribute("aria-valuetext", points[i].map(Math.round).join(", "));
    });
    for (const part of [loupe, edge]) part.setAttribute("visibility", held === null ? "hidden" : "visible");
    if (held === null) return;
    const [x, y] = points[held];
    loupe.setAttribute("viewBox", `${x - side / 2} ${y - side / 2} ${side} ${side}`);
    putAt(dot, points[held]);
    // The loupe stands in the far half, clear of the finger.
    for (const part of [loupe, edge]) part.setAttribute("x", x > size[0] / 2 ? unit : size[0] - unit * 27);
  }
  const within = (value, most) => Math.round(Math.min(Math.max(value, 0), most) * 10) / 10;
  handles.forEach((group, i) => {
    handle(group.firstElementChild, {
      move: (by) => {
        const before = points[i];
        points[i] = before.map((value, k) => within(value + by[k], size[k]));
        draw();
        return points[i].map((value, k) => value - before[k]);
      },
      put: () => onMoved(points.map((point) => [...point])),
      step: 1,
      hold: (on) => {
        held = on ? i : null;
        draw();
      },
    });
  });
  draw();
  return drawing;
}
