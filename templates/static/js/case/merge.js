// Two devices change one case: what each changed counts, down to a single card; where both changed the same, the one that
// merges.

/** `theirs` with all that `mine` has otherwise than `before`, which both began from. */
export function merged(before, mine, theirs) {
  if (same(mine, before)) return theirs;
  const all = [before, mine, theirs];
  if (all.every(Array.isArray)) {
    const fixed = all.every(({ length }) => length === before.length);
    return fixed ? theirs.map((one, i) => merged(before[i], mine[i], one)) : pieces(before, mine, theirs);
  }
  return all.every((one) => one && typeof one === "object" && !Array.isArray(one))
    ? fields(before, mine, theirs)
    : mine;
}

function fields(before, mine, theirs) {
  const out = { ...theirs };
  for (const key of new Set([...Object.keys(before), ...Object.keys(mine)])) {
    if (same(mine[key], before[key])) continue;
    const nothing = Array.isArray(before[key] ?? mine[key]) ? [] : {};
    out[key] = merged(before[key] ?? nothing, mine[key] ?? nothing, theirs[key]);
    if (!(key in mine) && Object.keys(out[key] ?? nothing).length === 0) delete out[key];
  }
  return out;
}

/** Lists that grew or shrank: what went here goes there, what came here comes in at its place, or in for what went. */
function pieces(before, mine, theirs) {
  const without = (list, others) => {
    const left = [...others];
    return list.filter((one) => {
      const at = left.findIndex((other) => same(one, other));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const gone = without(before, mine);
  const out = without(theirs, gone);
  const changedThere = gone.length - (theirs.length - out.length);
  for (const one of without(mine, before).slice(changedThere)) out.splice(mine.indexOf(one), 0, one);
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
