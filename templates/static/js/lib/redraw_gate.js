// Nothing is drawn anew under a finger: a tap that began on a button must end on it, and its click comes after that.

const CLICK_WITHIN = 80;
const waiting = new Set();
const untold = new Set();
let held = false;
let taps = 0;

/** Draw now, or as soon as no finger is down and its click has been heard. */
export function whenFree(draw) {
  if (held) waiting.add(draw);
  else draw();
}

function release() {
  held = false;
  const draws = [...waiting];
  waiting.clear();
  for (const draw of draws) draw();
}

function releaseAfter(time) {
  const tap = taps;
  setTimeout(() => tap === taps && release(), time);
}

addEventListener(
  "pointerdown",
  () => {
    held = true;
    taps += 1;
  },
  { capture: true },
);
addEventListener("pointerup", () => releaseAfter(CLICK_WITHIN), { capture: true });
addEventListener("pointercancel", () => releaseAfter(0), { capture: true });
addEventListener("click", () => releaseAfter(0), { capture: true });
addEventListener("blur", release);
// A mouse that was let go outside the window is seen when it comes back.
addEventListener(
  "pointermove",
  (event) => held && event.pointerType === "mouse" && event.buttons === 0 && releaseAfter(CLICK_WITHIN),
);

/** The same, and not while somebody types into a field that tells what it holds when it is left (`data-told="left"`). */
export function whenTold(draw) {
  const field = document.activeElement;
  if (field?.dataset.told === "left" && field.value !== field.defaultValue) untold.add(draw);
  else whenFree(draw);
}

function drawUntold() {
  const draws = [...untold];
  untold.clear();
  for (const draw of draws) whenFree(draw);
}

addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.dataset.told !== "left") return;
  target.defaultValue = target.value;
  drawUntold();
});
addEventListener("focusout", drawUntold);
