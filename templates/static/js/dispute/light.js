// Which pieces a line counted, and which lines counted a piece: places of the state, as JSON pointers.

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

/** The lines (as [player, line]) that counted the piece at a place. */
export function linesOf(players, place) {
  if (!place) return [];
  return players.flatMap((player, p) =>
    (player?.lines ?? []).flatMap((line, l) =>
      [...line.because, ...(line.gap ?? [])].some((other) => touches(place, other)) ? [[p, l]] : [],
    ),
  );
}
