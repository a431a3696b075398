// A shape of a drawing that is moved: with finger, pen or mouse, or with the arrow keys.

const FAR = 10; // steps of an arrow key with Shift
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** Which way an arrow key goes; nothing for another key. */
export const arrow = ({ key }) => ARROWS[key];

/** Put a shape that is drawn around 0, 0 at a point. @param {Element} shape @param {number[]} point */
export const putAt = (shape, [x, y]) => shape.setAttribute("transform", `translate(${x} ${y})`);

/** Where a pointer is, in the units of a drawing. */
export function pointIn(drawing, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());
  return [x, y];
}

/**
 * Let a shape be moved.
 * @param {SVGGraphicsElement} shape
 * @param {{move: (way: number[]) => any, put?: () => void, step?: number, hold?: (on: boolean) => void, free?: () => boolean}} how `move([x, y])` moves it so far in the drawing's units, and may return how far it went; `put()` hears
 *   that it was let go; `step`: how far an arrow key goes, 0 for not at all; `hold(on)` hears that a pointer has it;
 *   `free()`: whether it may be taken.
 */
export function handle(shape, { move, put = () => {}, step = 0, hold = () => {}, free = () => true }) {
  let at = null;
  let moved = false;
  const by = (way) => {
    moved = true;
    return move(way) ?? way;
  };
  const release = () => {
    at = null;
    hold(false);
    if (moved) put();
    moved = false;
  };
  shape.addEventListener("pointerdown", (event) => {
    if (!free()) return;
    at = pointIn(shape.ownerSVGElement, event);
    shape.setPointerCapture(event.pointerId);
    event.preventDefault();
    hold(true);
  });
  shape.addEventListener("pointermove", (event) => {
    if (!at) return;
    const to = pointIn(shape.ownerSVGElement, event);
    const went = by([to[0] - at[0], to[1] - at[1]]);
    at = [at[0] + went[0], at[1] + went[1]];
  });
  for (const end of ["pointerup", "pointercancel"]) shape.addEventListener(end, () => at && release());
  if (!step) return;
  shape.addEventListener("keydown", (event) => {
    const way = arrow(event);
    if (!way) return;
    event.preventDefault();
    by(way.map((one) => one * step * (event.shiftKey ? FAR : 1)));
  });
  shape.addEventListener("keyup", (event) => arrow(event) && release());
}
