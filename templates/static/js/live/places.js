// Which pieces in the picture stand for which places of the state, and which lines counted them.
import { touches } from "../dispute/light.js";

/** Whether a person is asked about a tile. What lies outside every area counts for nobody, unless it touches one. */
export const asked = (tile) => tile.doubtful && (tile.zone !== null || tile.doubt === "tile.border");

/** Pieces (indices: tiles, then cards) that stand for these places. */
export function piecesOf(settled, places) {
  const found = new Set();
  for (const [place, pieces] of Object.entries(settled.places)) {
    if (places.some((other) => touches(place, other))) for (const piece of pieces) found.add(piece);
  }
  return found;
}

/** The places that a piece stands for. */
export function placesOf(settled, piece) {
  return Object.keys(settled.places).filter((place) => settled.places[place].includes(piece));
}

/** The lines, as `player-line`, that counted a piece. */
export function linesOfPiece(settled, piece) {
  const places = placesOf(settled, piece);
  const found = new Set();
  settled.answer?.players.forEach((player, p) =>
    player.lines.forEach((line, l) => {
      if ([...line.because, ...(line.gap ?? [])].some((other) => places.some((place) => touches(place, other))))
        found.add(`${p}-${l}`);
    }),
  );
  return found;
}
