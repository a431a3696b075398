// Which pieces a line counted, and which lines counted a piece: by places of the state, as JSON pointers.

const PLAYER = /^\/players\/\d+$/;

/** Whether two places are one, or one lies within the other. A whole player is nobody's piece. */
export function touches(one, other) {
  if (PLAYER.test(one) || PLAYER.test(other)) return false;
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Set or take the class of every piece below `root` that lies at one of the places. */
export function mark(root, name, places) {
  const exact = new Set(places);
  for (const piece of root.querySelectorAll("[data-place]")) {
    const place = piece.dataset.place;
    piece.classList.toggle(name, exact.has(place) || places.some((other) => touches(place, other)));
  }
}

/** The lines, as `player-line`, that counted what lies at one of the places. */
export function linesOf(scores, places) {
  const counts = (line) =>
    [...line.because, ...(line.gap ?? [])].some((one) => places.some((other) => touches(one, other)));
  const found = scores.flatMap((score, i) =>
    (score?.lines ?? []).map((line, l) => (counts(line) ? `${i}-${l}` : null)),
  );
  return new Set(found.filter(Boolean));
}

/** The places that stand lit: of a line ([player, line]), or of a note (`note-0`). */
export function litPlaces({ scores, notes }, line, note) {
  if (line) return scores[line[0]]?.lines[line[1]]?.because ?? [];
  return (note?.startsWith("note-") && notes[Number(note.slice(5))]?.because) || [];
}

/** What a line would need and what is not there. */
export const missingPlaces = ({ scores }, line) => (line && scores[line[0]]?.lines[line[1]]?.gap) || [];
