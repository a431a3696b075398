// Two devices change one case: what each changed counts, field by field; where both changed the same, the one that merges.

/** `theirs` with all that `mine` has otherwise than `before`, which both began from. */
export function merged(before, mine, theirs) {
  if (same(mine, before)) return theirs;
  const [rows, own, others] = [before, mine, theirs].map(({ players }) => players);
  const seats = rows.length === own.length && rows.length === others.length;
  const players = seats ? others.map((row, i) => fields(rows[i], own[i], row)) : same(own, rows) ? others : own;
  return { ...fields(before, mine, theirs), players };
}

function fields(before, mine, theirs) {
  const out = { ...theirs };
  for (const key of new Set([...Object.keys(before), ...Object.keys(mine)])) {
    if (same(mine[key], before[key])) continue;
    if (key in mine) out[key] = mine[key];
    else delete out[key];
  }
  return out;
}

/** Whether two values of JSON are the same, in whatever order their fields stand. */
export function same(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && same(one[key], other[key]))
  );
}
