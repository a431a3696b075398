// A strip that scrolls sideways and is drawn anew: it stays where it was, with the chosen one in sight.

/** Draw with `draw()`; `strip()` finds the strip before and after, `chosen` selects the chosen one in it. */
export function inSight(strip, chosen, draw) {
  const along = strip()?.scrollLeft ?? 0;
  draw();
  const now = strip();
  const one = now?.querySelector(chosen);
  if (!one) return;
  const start = one.offsetLeft - now.offsetLeft;
  now.scrollLeft = Math.min(Math.max(along, start + one.offsetWidth - now.clientWidth), start);
}
