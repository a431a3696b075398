// Outlines that a person drags on a picture.

/** Whether an outline goes round once without crossing itself or bending inwards, its corners so far apart at least. */
export function isSound(points, apart) {
  const turns = points.map(([x, y], i) => {
    const [a, b] = [1, 2].map((k) => points[(i + k) % points.length]);
    return Math.sign((a[0] - x) * (b[1] - a[1]) - (a[1] - y) * (b[0] - a[0]));
  });
  const near = points.some((one, i) =>
    points.some((other, k) => k > i && Math.hypot(one[0] - other[0], one[1] - other[1]) < apart),
  );
  return !near && turns.every((turn) => turn !== 0 && turn === turns[0]);
}

const ROUNDS = 40;

/**
 * Where the handles of an outline's corners lie, so that none covers another: at the corners, and as far outside as a finger
 * needs that is so wide.
 */
export function heldAt(points, finger, size) {
  const held = points.map((point) => [...point]);
  const pairs = held.flatMap((one, i) => held.slice(i + 1).map((other) => [one, other]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [one, other] of pairs) {
      const way = [0, 1].map((k) => other[k] - one[k]);
      const far = Math.hypot(...way) || 1;
      const by = Math.max(0, finger - far) / 2;
      for (const k of [0, 1]) {
        one[k] = Math.min(size[k], Math.max(0, one[k] - (way[k] / far) * by));
        other[k] = Math.min(size[k], Math.max(0, other[k] + (way[k] / far) * by));
      }
    }
  return held;
}
