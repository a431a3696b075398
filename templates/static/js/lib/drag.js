// Dragging pieces with finger, pen or mouse: from what carries `data-drag` into what carries `data-zone`.
import { html } from "./dom.js";

const START = 8;

/**
 * Let pieces below `root` be dragged.
 * `dropped(source, zone, index)` hears of it: `zone` is null where the piece was let go outside, `index` the
 * place among the zone's `data-index` pieces before which it came down.
 */
export function draggable(root, dropped) {
  let held = null;

  root.addEventListener("pointerdown", (event) => {
    const piece = event.target.closest("[data-drag]");
    const { clientX: x, clientY: y, pointerId: id } = event;
    if (piece && event.button === 0 && event.isPrimary) held = { piece, x, y, id, ghost: null };
  });
  root.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) < START) return;
    if (!held.ghost) begin();
    held.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -65%)`;
    const { zone, index } = under(event.clientX, event.clientY);
    for (const other of root.querySelectorAll(".gap-before, .gap-after, .over"))
      other.classList.remove("gap-before", "gap-after", "over");
    if (!zone) return;
    zone.classList.add("over");
    const pieces = [...zone.querySelectorAll("[data-index]")];
    if (pieces[index]) pieces[index].classList.add("gap-before");
    else pieces.at(-1)?.classList.add("gap-after");
  });
  for (const name of ["pointerup", "pointercancel"]) {
    root.addEventListener(name, (event) => {
      if (!held || event.pointerId !== held.id) return;
      const { ghost, piece } = held;
      held = null;
      if (!ghost) return;
      ghost.remove();
      root.classList.remove("dragging");
      swallowClick();
      const { zone, index } = under(event.clientX, event.clientY);
      if (name === "pointerup") dropped(piece.dataset.drag, zone?.dataset.zone ?? null, index);
    });
  }

  function begin() {
    held.ghost = html`<div class="ghost" aria-hidden="true">${held.piece.querySelector("svg").cloneNode(true)}</div>`;
    document.body.append(held.ghost);
    root.setPointerCapture(held.id);
    root.classList.add("dragging");
  }

  function under(x, y) {
    const zone = document
      .elementsFromPoint(x, y)
      .map((element) => element.closest("[data-zone]"))
      .find(Boolean);
    if (!zone) return { zone: null, index: -1 };
    const boxes = [...zone.querySelectorAll("[data-index]")].map((piece) => piece.getBoundingClientRect());
    const index = boxes.findIndex((box) => y < box.top || (y < box.bottom && x < box.left + box.width / 2));
    return { zone, index: index < 0 ? boxes.length : index };
  }

  function swallowClick() {
    const swallow = (event) => event.stopImmediatePropagation();
    root.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => root.removeEventListener("click", swallow, { capture: true }));
  }
}
