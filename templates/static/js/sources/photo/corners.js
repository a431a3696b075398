// Four corners on a photo, to be dragged; a loupe shows what lies under the finger.
import { center } from "../../evidence/pieces.js";
import { say, svg } from "../../lib/dom.js";
import { handle } from "../../lib/handle.js";

const NAMES = ["top-left", "top-right", "bottom-right", "bottom-left"];

/**
 * @param {string} photo the kept photo's name. @param {[number, number]} size its width and height.
 * @param {number[][]} corners where they lie at first: the sheet's top left, top right, bottom right, bottom left.
 * @param {(corners: number[][]) => void} onMoved called when a corner has been put down.
 */
export function cornersEditor(photo, size, corners, onMoved) {
  const points = corners.map((point) => [...point]);
  const unit = Math.max(...size) / 100;
  const href = `/photos/${photo}.jpg`;
  const halo = svg`<path class="frame-halo" stroke-width=${unit * 0.8}/>`;
  const frame = svg`<path class="frame" stroke-width=${unit * 0.35}/>`;
  const loupe = svg`
    <svg class="loupe" width=${unit * 26} height=${unit * 26} visibility="hidden">
      <image href=${href} width=${size[0]} height=${size[1]}/>
      <circle class="handle-dot"/>
    </svg>`;
  const edge = svg`
    <rect class="loupe-edge" width=${unit * 26} height=${unit * 26} stroke-width=${unit * 0.6} visibility="hidden"/>`;
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
      ${frame}
      ${handles}
      ${loupe}
      ${edge}
    </svg>`;
  let held = null;

  function draw() {
    const way = `M${points.map((p) => p.join(" ")).join("L")}Z`;
    halo.setAttribute("d", way);
    frame.setAttribute("d", way);
    const middle = center(points);
    handles.forEach((group, i) => {
      const [x, y] = points[i];
      const away = Math.hypot(x - middle[0], y - middle[1]) || 1;
      const [handle, dot, name] = group.children;
      for (const circle of [handle, dot]) {
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
      }
      name.setAttribute("x", x - ((x - middle[0]) / away) * unit * 7);
      name.setAttribute("y", y - ((y - middle[1]) / away) * unit * 7);
      handle.setAttribute("aria-valuetext", `${Math.round(x)}, ${Math.round(y)}`);
    });
    for (const part of [loupe, edge]) part.setAttribute("visibility", held === null ? "hidden" : "visible");
    if (held === null) return;
    const [x, y] = points[held];
    const side = unit * 8;
    loupe.setAttribute("viewBox", `${x - side / 2} ${y - side / 2} ${side} ${side}`);
    const dot = loupe.lastElementChild;
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
    dot.setAttribute("r", side / 40);
    // The loupe stands in the far half, clear of the finger.
    const left = x > size[0] / 2 ? unit : size[0] - unit * 27;
    for (const part of [loupe, edge]) {
      part.setAttribute("x", left);
      part.setAttribute("y", unit);
    }
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
