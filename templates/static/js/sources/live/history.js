// How the points went: a chart of every settled state, and a slider through them.
import { html, minus, say, svg } from "../../lib/dom.js";
import { colorsOf } from "../../lib/players.js";
import { stepButton } from "../../lib/widgets.js";

const NARROW = matchMedia("(max-width: 899px)");
const HEIGHT = 190;
const LEFT = 34;
const RIGHT = 66;
const TOP = 12;
const BOTTOM = 22;
const MOST_DOTS = 60;
const MOST_NAMED = 3;

/** Clock time of a row. */
export const clock = (row) =>
  new Date(row.at * 1000).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  });

/** The chart of a table (see live_table.js): points by settled state, a line a player; a tap chooses a row. */
export function chart(live, players, names, choose) {
  const { index, rows } = live;
  const width = NARROW.matches ? 380 : 640;
  const [right, bottom] = [width - RIGHT, HEIGHT - BOTTOM];
  const zones = players.length ? players : Object.keys(rows.at(-1).totals);
  const values = rows.flatMap(({ totals }) => zones.map((zone) => totals[zone])).filter(isKnown);
  const low = Math.min(0, ...values);
  const high = Math.max(5, ...values);
  const x = (i) => LEFT + (rows.length < 2 ? 0 : (i / (rows.length - 1)) * (right - LEFT));
  const y = (v) => TOP + (1 - (v - low) / (high - low)) * (bottom - TOP);
  const step = niceStep(high - low);
  const first = Math.ceil(low / step);
  const steps = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
  const grid = (v) => svg`
    <g>
      <line class=${v === 0 ? "axis" : "grid"} x1=${LEFT} x2=${right} y1=${y(v)} y2=${y(v)}/>
      <text class="tick" x=${LEFT - 7} y=${y(v)} text-anchor="end" dominant-baseline="central">${minus(v)}</text>
    </g>`;
  const begins = [...rows.keys()].filter((i) => i && rows[i].first);
  const begin = (i, n) => {
    const at = (x(i - 1) + x(i)) / 2;
    const beside =
      at > (LEFT + right) / 2 ? { x: at - 5, "text-anchor": "end" } : { x: at + 5, "text-anchor": "start" };
    return svg`
      <g>
        <line class="break" x1=${at} x2=${at} y1=${TOP - 8} y2=${bottom}/>
        ${n < MOST_NAMED && svg`<text class="tick" ${beside} y=${bottom + 14}>${say("live.new-game")}</text>`}
      </g>`;
  };
  const last = (zone) => rows.at(-1).totals[zone];
  const ends = spread(zones.map((zone) => y(last(zone) ?? 0)));
  const colors = colorsOf(zones.map(names));
  const curve = (zone, p) => {
    const known = [...rows.keys()].filter((i) => isKnown(rows[i].totals[zone]));
    if (!known.length) return null;
    const at = (i) => [x(i).toFixed(1), y(rows[i].totals[zone]).toFixed(1)];
    const goesOn = (i, k) => k > 0 && !begins.some((one) => one <= i && one > known[k - 1]);
    const way = known.map((i, k) => (goesOn(i, k) ? `H${at(i)[0]}V${at(i)[1]}` : `M${at(i).join(" ")}`));
    const dot = (i) => svg`<circle cx=${at(i)[0]} cy=${at(i)[1]} r="2.6"/>`;
    return svg`
      <g class="curve player-${colors[p]}">
        <path d=${way.join("")}/>
        ${known.length <= MOST_DOTS && known.map(dot)}
        <text x=${right + 8} y=${ends[p]} dominant-baseline="central">${names(zone)} ${minus(last(zone) ?? "?")}</text>
      </g>`;
  };
  const words = say("live.chart", { players: zones.map((zone) => `${names(zone)} ${last(zone) ?? "?"}`).join(", ") });
  const tap = ({ clientX, currentTarget }) => {
    const box = currentTarget.getBoundingClientRect();
    const part = (((clientX - box.left) / box.width) * width - LEFT) / (right - LEFT);
    choose(live.numberAt(Math.round(part * (rows.length - 1))));
  };
  return svg`
    <svg viewBox="0 0 ${width} ${HEIGHT}" class="chart" role="img" aria-label=${words} onclick=${tap}>
      ${steps.map(grid)}
      ${begins.map(begin)}
      ${zones.map(curve)}
      <line class="cursor" x1=${x(index)} x2=${x(index)} y1=${TOP - 6} y2=${bottom + 6}/>
    </svg>`;
}

const isKnown = (value) => value !== null && value !== undefined;

/** The slider through a table's rows, with its buttons. */
export function slider(live, choose) {
  const { index, rows } = live;
  const to = (i) => choose(live.numberAt(i));
  const row = rows[index];
  return html`
    <div class="slider">
      ${stepButton("earlier", say("live.earlier"), "‹", () => to(index - 1), index <= 0)}
      <input type="range" min="0" max=${Math.max(0, rows.length - 1)} value="${index}"
          aria-label=${say("live.history")} data-key="slider" disabled=${rows.length < 2}
          aria-valuetext=${row ? clock(row) : ""} oninput=${(event) => to(Number(event.target.value))}>
      ${stepButton("later", say("live.later"), "›", () => to(index + 1), index >= rows.length - 1)}
      <output class="small quiet">
        ${row ? say("live.state-of", { n: index + 1, all: rows.length, time: clock(row) }) : say("live.no-history")}
      </output>
    </div>`;
}

function niceStep(range) {
  const rough = range / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= rough) ?? 1;
}

/** Labels that would cover one another are pushed apart. */
function spread(ys) {
  const order = ys.map((y, i) => [y, i]).sort((a, b) => a[0] - b[0]);
  const out = [...ys];
  let last = -Infinity;
  for (const [y, i] of order) {
    out[i] = Math.max(y, last + 15);
    last = out[i];
  }
  const over = Math.max(0, last - (HEIGHT - 8));
  return out.map((y) => y - over);
}
