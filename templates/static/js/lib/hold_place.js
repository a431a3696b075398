// A key that was just pressed stays under the finger, whatever grows or goes above it.
const LONG = 3000;
/** @type {{key?: string, at: number}} */
let pressed = { at: -LONG };

addEventListener("pointerdown", (event) => {
  const target = /** @type {any} */ (event.target); // an element, or the document
  pressed = { key: target.closest?.("[data-key]")?.dataset.key, at: performance.now() };
});

/** Draw; the page scrolls along where that moves the key pressed last, if it lies within `where`. */
export function heldInPlace(where, draw) {
  const recent = pressed.key && performance.now() - pressed.at < LONG;
  const top = () =>
    recent && document.querySelector(`${where} [data-key="${pressed.key}"]`)?.getBoundingClientRect().top;
  const before = top();
  draw();
  const after = top();
  if (Number.isFinite(before) && Number.isFinite(after)) scrollBy(0, after - before);
}
