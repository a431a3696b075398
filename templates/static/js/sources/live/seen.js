// What was seen on a table at rest, as the overlay draws it: tiles, cards, areas, what a person said is nothing.
import { colorsOf } from "../../lib/players.js";
import { outcomeIn } from "./live_table.js";
import { asked, isTile } from "./piece_bar.js";
import { seatName } from "./set_up.js";

/** @param {import("./live_table.js").LiveTable} live @param {object} table the state. @param words of a tile. */
export function seen(live, table, words) {
  const { size, pieces } = table.case.evidence[0];
  const { colors } = outcomeIn(table);
  const piece = (one) => {
    if (!isTile(one)) return { ...one, class: `card-mark ${one.known ? "" : "unknown"}`, asked: asked(one) };
    const own = `tile color-${one.color} ${one.zone ? "" : "outside"}`;
    return { ...one, class: own, label: words(one), asked: asked(one) };
  };
  const zone = ([name, polygon]) => {
    const color = colors[table.players.indexOf(name.split(".")[0])];
    return { name: live.nameOf(name), polygon, color };
  };
  const proposed = table === live.table.settled ? Object.entries(live.proposed) : [];
  const seats = proposed.map(([name]) => name).filter((name) => /^[A-D]$/.test(name));
  const seatColors = colorsOf(seats.map((name) => seatName(live, name)));
  const more = proposed.map(([name, { polygon }]) => {
    const color = seatColors[seats.indexOf(name)];
    return { name: live.seats?.[name] || `${live.nameOf(name)}?`, polygon, color, proposed: true };
  });
  return {
    size,
    pieces: pieces.map(piece),
    zones: [...Object.entries(table.zones).map(zone), ...more],
    gone: table.gone,
  };
}
