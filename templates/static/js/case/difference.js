// What two states have otherwise.

/** Where two states differ first: `[player or null, field]`; null where they are the same. */
export function difference(one, other) {
  const field = (a, b) => [...new Set([...Object.keys(a), ...Object.keys(b)])].find((key) => !same(a[key], b[key]));
  const { players: rows, ...table } = one;
  const { players: others, ...otherTable } = other;
  if (rows.length !== others.length) return [null, "players"];
  const player = rows.findIndex((row, i) => !same(row, others[i]));
  const key = player < 0 ? field(table, otherTable) : field(rows[player], others[player]);
  return key === undefined ? null : [player < 0 ? null : player, key];
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
