// What was chosen on the table as it was, found again on the table as it is now.
import { center } from "../../evidence/pieces.js";
import { isTile, pieceOf, piecesOf } from "./piece_bar.js";

/**
 * What a person looks at, changed in place: what was touched on the table before is found again on this one, or is let
 * go: piece, line, note, outline of no tile.
 */
export function keepInView(view, was, is) {
  if (view.piece !== null) view.piece = was && is ? again(was, is, view.piece) : null;
  if (view.restore && !is?.gone.some((points) => apart(center(points), view.restore) < 1)) view.restore = null;
  if (view.note) view.note = was && is ? sameNote(was.case, is.case, view.note) : null;
  if (!view.line) return;
  const [p, l] = view.line;
  const touched = was?.case.answer?.players[p]?.lines[l];
  const lines = is?.case.answer?.players[p]?.lines ?? [];
  const at = touched ? lines.findIndex(({ label }) => label === touched.label) : -1;
  view.line = at < 0 ? null : [p, at];
}

function sameNote(was, is, note) {
  const [kind, i] = note.split("-");
  const list = (one) => (kind === "note" ? (one.answer?.notes ?? []) : one.problems.map(({ message }) => message));
  const at = list(is).indexOf(list(was)[i]);
  return at < 0 ? null : `${kind}-${at}`;
}

/** A piece of one table on another: a tile by where it lies, a card by its words; null where it is gone. */
function again(was, is, piece) {
  const one = pieceOf(was, piece);
  if (!one) return null;
  const size = apart(...one.polygon);
  const near = (other) => apart(center(other.polygon), center(one.polygon)) < size / 2;
  const same = (other) => isTile(other) === isTile(one) && (isTile(one) ? near(other) : other.label === one.label);
  return piecesOf(is).find(same)?.id ?? null;
}

const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
