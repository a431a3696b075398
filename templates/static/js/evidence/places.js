// Where places of a state were seen: `places` of a case view names the pieces of each place.
import { touches } from "../breakdown/highlight.js";

/**
 * The ids of the pieces that stand for these places. A sheet's map names its picture only: the cell below such a place is
 * the piece `<picture>.<row>.<col>`, a row below it all its cells.
 * @param {{places: Object<string, string[]>}} view @param {string[]} wanted JSON pointers into the state.
 * @returns {Set<string>}
 */
export function piecesAt({ places }, wanted) {
  const found = new Set();
  for (const one of wanted) {
    const above = Object.keys(places).filter((place) => one.startsWith(`${place}/`));
    const longest = above.sort((a, b) => b.length - a.length)[0];
    const at = Object.keys(places).filter((place) => place === one || (touches(one, place) && place.startsWith(one)));
    if (at.length) for (const place of at) for (const piece of places[place]) found.add(piece);
    else if (longest) for (const piece of within(places[longest], one.slice(longest.length + 1))) found.add(piece);
  }
  return found;
}

/** The places that a piece stands for. */
export function placesOf({ places }, piece) {
  const [, picture, row, col] = /^(.*)\.(\d+)\.(\d+)$/.exec(piece) ?? [];
  const of = (place) =>
    places[place].includes(piece) ? [place] : places[place].includes(picture) ? [`${place}/${row}/${col}`] : [];
  return Object.keys(places).flatMap(of);
}

const COLS = 11;

function within(pictures, rest) {
  const path = rest.split("/");
  const cells = path.length > 1 ? [path.join(".")] : Array.from({ length: COLS }, (_, col) => `${path[0]}.${col}`);
  return pictures.flatMap((picture) => cells.map((cell) => `${picture}.${cell}`));
}
