// The tracks of a blank sheet: rows of boxes that are dragged into place, counted, and told apart.
import { button, html, say, svg } from "../../lib/dom.js";
import { handle, putAt } from "../../lib/handle.js";
import { stepper } from "../../lib/widgets.js";

const MOST_BOXES = 30;
export const TRACKS = ["gems", "penalties"];

/** A track's boxes on the flattened sheet, where `at` lays grid units; its first and last can be dragged, the ones between follow. */
export function boxes(draft, track, at, tell) {
  const list = draft.tracks[track] ?? [];
  if (!list.length) return [];
  const { cell } = draft.flat;
  const drawn = list.map(
    ([, , w, h]) => svg`<rect width=${w * cell} height=${h * cell} class="box ${track}" stroke-width=${cell * 0.05}/>`,
  );
  const place = (now) => {
    for (const [i, [x, y]] of now.entries()) putAt(drawn[i], at(x, y));
  };
  place(list);
  const [nx, ny] = at(list[0][0], list[0][1] - 0.2);
  const name = svg`
    <text x=${nx} y=${ny} class="track-name ${track}" font-size=${cell * 0.36} stroke-width=${cell * 0.1}>
      ${say(`ticks.${track}`)}
    </text>`;
  const handles = [...new Set([0, list.length - 1])].map((end) => {
    const middle = ([x, y, w, h]) => at(x + w / 2, y + h / 2);
    const circle = svg`
      <circle r=${cell * 0.3} class="box-handle" fill-opacity="0.6" stroke-width=${cell * 0.04}
          tabindex="0" role="slider" aria-valuenow="0"
          aria-label=${say(end ? "track.last" : "track.first", { track: say(`ticks.${track}`) })}
          data-key="box-${track}-${end}"/>`;
    let moved = list[end];
    let next = list;
    const move = (by) => {
      moved = moved.map((value, k) => (k < 2 ? value + by[k] / cell : value));
      next = end ? spread(list[0], moved, list.length) : spread(moved, list.at(-1), list.length);
      putAt(circle, middle(moved));
      place(next);
    };
    putAt(circle, middle(moved));
    const put = () => tell({ tracks: { ...draft.tracks, [track]: next } });
    handle(circle, { move, put, step: cell * 0.05 });
    return circle;
  });
  return [...drawn, name, ...handles];
}

/** `count` equal boxes from the first to the last. */
function spread(first, last, count) {
  return Array.from({ length: count }, (_, i) => {
    const t = count > 1 ? i / (count - 1) : 0;
    return [0, 1, 2, 3].map((k) => Math.round((first[k] + (last[k] - first[k]) * t) * 1e4) / 1e4);
  });
}

/** How many boxes each track has, and that they are each other's. */
export function trackRows(draft, tell) {
  const row = (track) => {
    const list = draft.tracks[track] ?? [];
    const count = (n) => {
      const pitch = list.length > 1 ? [0, 1].map((k) => (list.at(-1)[k] - list[0][k]) / (list.length - 1)) : [0.6, 0];
      const first = list[0] ?? [0, track === "gems" ? -1.2 : -2, 0.5, 0.5];
      const last = [first[0] + pitch[0] * (n - 1), first[1] + pitch[1] * (n - 1), first[2], first[3]];
      const tracks = { ...draft.tracks, [track]: spread(first, last, n) };
      if (!n) delete tracks[track];
      tell({ tracks });
    };
    const label = say("sheet.track", { track: say(`ticks.${track}`) });
    return stepper({ label, value: list.length, most: MOST_BOXES, key: track, set: count });
  };
  const other = TRACKS.map((track, i) => [track, draft.tracks[TRACKS[1 - i]]]);
  const swap = () => tell({ tracks: Object.fromEntries(other.filter(([, list]) => list)) });
  return html`
    <div class="stack">
      ${TRACKS.map(row)}
      <div class="row">
        ${button("swap", say("sheet.swap"), swap)}
      </div>
    </div>`;
}
