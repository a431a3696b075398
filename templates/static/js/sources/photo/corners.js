// Four corners on a photo, to be dragged; a loupe shows what lies under the finger.
import { say, svg } from "../../lib/dom.js";

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
            data-key="corner-${i}" data-corner=${i} aria-label=${say(`corner.${name}`)} aria-valuetext=""
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
  let moved = false;

  function draw() {
    const way = `M${points.map((p) => p.join(" ")).join("L")}Z`;
    halo.setAttribute("d", way);
    frame.setAttribute("d", way);
    const middle = [0, 1].map((i) => points.reduce((sum, p) => sum + p[i], 0) / 4);
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
  function put(i, x, y) {
    points[i] = [
      Math.round(Math.min(Math.max(x, 0), size[0]) * 10) / 10,
      Math.round(Math.min(Math.max(y, 0), size[1]) * 10) / 10,
    ];
    moved = true;
    draw();
  }
  function release() {
    held = null;
    draw();
    if (moved) onMoved(points.map((point) => [...point]));
    moved = false;
  }
  drawing.addEventListener("pointerdown", (event) => {
    const corner = event.target.dataset?.corner;
    if (corner === undefined) return;
    held = Number(corner);
    drawing.setPointerCapture(event.pointerId);
    draw();
  });
  drawing.addEventListener("pointermove", (event) => {
    if (held === null) return;
    const box = drawing.getBoundingClientRect();
    put(held, ((event.clientX - box.left) / box.width) * size[0], ((event.clientY - box.top) / box.height) * size[1]);
  });
  for (const end of ["pointerup", "pointercancel"]) drawing.addEventListener(end, () => held !== null && release());
  drawing.addEventListener("keydown", (event) => {
    const corner = event.target.dataset?.corner;
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (corner === undefined || !step) return;
    const far = event.shiftKey ? 10 : 1;
    put(Number(corner), points[corner][0] + step[0] * far, points[corner][1] + step[1] * far);
    event.preventDefault();
  });
  drawing.addEventListener("keyup", (event) => event.key.startsWith("Arrow") && moved && release());
  draw();
  return drawing;
}
