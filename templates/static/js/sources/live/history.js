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
const MOST_NAMED = 4;

/** Clock time of a row. */
export const clock = (row) =>
  new Date(row.at * 1000).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  });

/** The chart: points by settled state, a line a player. `at` is the row that is looked at (null: the last). */
export function chart(rows, players, names, at, choose) {
  const WIDTH = NARROW.matches ? 380 : 640;
  const zones = players.length ? players : Object.keys(rows.at(-1)?.totals ?? {});
  const values = rows
    .flatMap((row) => zones.map((zone) => row.totals[zone]))
    .filter((v) => v !== null && v !== undefined);
  const low = Math.min(0, ...values);
  const high = Math.max(5, ...values);
  const x = (i) => LEFT + (rows.length < 2 ? 0 : (i / (rows.length - 1)) * (WIDTH - LEFT - RIGHT));
  const y = (v) => TOP + (1 - (v - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const step = niceStep(high - low);
  const grid = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
    grid.push(
      svg`<line class=${v === 0 ? "axis" : "grid"} x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(v)} y2=${y(v)}/>`,
      svg`
      <text class="tick" x=${LEFT - 7} y=${y(v)} text-anchor="end" dominant-baseline="central">
        ${minus(v)}
      </text>`,
    );
  }
  let game = 0;
  const games = rows.map((row, i) => (game += row.first && i ? 1 : 0));
  const breaks = rows.flatMap((row, i) => {
    if (!row.first || !i) return [];
    const at = (x(i - 1) + x(i)) / 2;
    const beside =
      at > (LEFT + WIDTH - RIGHT) / 2 ? { x: at - 5, "text-anchor": "end" } : { x: at + 5, "text-anchor": "start" };
    return [
      svg`<line class="break" x1=${at} x2=${at} y1=${TOP - 8} y2=${HEIGHT - BOTTOM}/>`,
      game < MOST_NAMED && svg`<text class="tick" ${beside} y=${HEIGHT - BOTTOM + 14}>${say("live.new-game")}</text>`,
    ];
  });
  const ends = spread(zones.map((zone) => y(rows.at(-1)?.totals[zone] ?? 0)));
  const colors = colorsOf(zones.map(names));
  const lines = zones.map((zone, p) => {
    const known = rows
      .map((row, i) => [x(i), row.totals[zone], games[i]])
      .filter(([, v]) => v !== null && v !== undefined)
      .map(([a, v, game]) => [a, y(v), game]);
    if (!known.length) return null;
    const steps = known
      .map(([a, b, game], i) =>
        game === known[i - 1]?.[2] ? `H${a.toFixed(1)}V${b.toFixed(1)}` : `M${a.toFixed(1)} ${b.toFixed(1)}`,
      )
      .join("");
    const dots = known.length <= MOST_DOTS ? known.map(([a, b]) => svg`<circle cx=${a} cy=${b} r="2.6"/>`) : [];
    return svg`
      <g class="curve player-${colors[p]}">
        <path d=${steps}/>
        ${dots}
        <text x=${WIDTH - RIGHT + 8} y=${ends[p]} dominant-baseline="central">
          ${names(zone)} ${minus(rows.at(-1).totals[zone] ?? "?")}
        </text>
      </g>`;
  });
  const now = at === null ? rows.length - 1 : rows.findIndex((row) => row.number === at);
  const cursor = rows.length
    ? svg`
    <line class="cursor" x1=${x(now)} x2=${x(now)} y1=${TOP - 6} y2=${HEIGHT - BOTTOM + 6}/>`
    : null;
  const drawing = svg`
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" class="chart" role="img" aria-label=${chartWords(rows, zones, names)}>
      ${grid}
      ${breaks}
      ${lines}
      ${cursor}
    </svg>`;
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const part = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    const i = Math.round(Math.min(1, Math.max(0, part)) * (rows.length - 1));
    choose(i === rows.length - 1 ? null : rows[i].number);
  });
  return drawing;
}

/** The slider with its buttons. */
export function slider(rows, at, choose) {
  const now = at === null ? rows.length - 1 : rows.findIndex((row) => row.number === at);
  const to = (i) => choose(i >= rows.length - 1 ? null : rows[Math.max(0, i)].number);
  return html`
    <div class="slider">
      ${stepButton("earlier", say("live.earlier"), "‹", () => to(now - 1), now <= 0)}
      <input type="range" min="0" max=${Math.max(0, rows.length - 1)} value="${now}"
          aria-label=${say("live.history")} data-key="slider" disabled=${rows.length < 2}
          aria-valuetext=${rows[now] ? clock(rows[now]) : ""} oninput=${(event) => to(Number(event.target.value))}>
      ${stepButton("later", say("live.later"), "›", () => to(now + 1), now >= rows.length - 1)}
      <output class="small quiet">
        ${rows.length ? say("live.state-of", { n: now + 1, all: rows.length, time: clock(rows[now]) }) : say("live.no-history")}
      </output>
    </div>`;
}

function chartWords(rows, zones, names) {
  return say("live.chart", {
    players: zones.map((zone) => `${names(zone)} ${rows.at(-1)?.totals[zone] ?? "?"}`).join(", "),
  });
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
