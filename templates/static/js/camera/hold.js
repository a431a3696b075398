// Held over one sheet after the other: each photo is taken by itself once the sheet is seen well and lies still.
import { get, newId, post, send } from "../lib/api.js";
import { button, html, redraw, say, svg } from "../lib/dom.js";
import { alarm } from "../lib/widgets.js";
import { allowed, Lens } from "./device.js";

const [WIDE, HIGH] = [1920, 1440];
const PROBE = { side: 640, quality: 0.7 };
const PHOTO = { side: 1920, quality: 0.9 };
const EVERY = 340;
const SHOTS = 3;
/** Shares of the picture: what a sheet that lies still moves at most between two looks; and one that was exchanged at least. */
const [STILL, ELSEWHERE] = [0.012, 0.15];
/** Troubles with which a photo can mostly be read: after so many looks it is taken all the same. */
const [MILD, PATIENCE] = [["shadow", "tilt"], 10];
/** Cells that two photos of one sheet may be read differently. */
const ALIKE = 3;

const root = document.getElementById("hold");
const game = `/api/in-the-ruin/plays/${root.dataset.play}`;
const lens = new Lens();
const frame = svg`<svg aria-hidden="true"></svg>`;
const seen = html`<div class="seen" hidden></div>`;
seen.append(lens.video, frame);
const place = html`<div class="stack"></div>`;
redraw(root, seen, place);

const page = { run: 0, state: "off", problem: null, message: null, players: [], taken: 0, ends: false };

async function start() {
  const run = ++page.run;
  show({ problem: null, state: "opening" });
  try {
    await know(await get(game));
    page.ends = waiting().length > 0;
    if (!(await lens.open(null, { width: WIDE, height: HIGH }))) return;
  } catch (error) {
    lens.close();
    show({ state: "off", problem: error.message });
    return;
  }
  navigator.wakeLock?.request("screen").catch(() => {});
  loop(run);
}

function stop(state = "off") {
  page.run++;
  lens.close();
  show({ state, message: null });
}

const know = ({ players }) => Object.assign(page, { players });
const waiting = () => page.players.filter(({ sheets }) => !sheets.end.known);
const next = () => waiting()[0] ?? null;

async function loop(run) {
  let last = null;
  let past = null; // where the sheet lay whose photo was taken; it has to go first
  let mild = 0;
  while (run === page.run) {
    const began = performance.now();
    try {
      const { grid, trouble } = await look();
      if (run !== page.run) return;
      const moved = (from) =>
        from && grid ? Math.max(...grid.flatMap((p, i) => p.map((v, k) => Math.abs(v - from[i][k])))) : 1;
      if (moved(past) > ELSEWHERE) past = null;
      mild = MILD.includes(trouble) && !past ? mild + 1 : 0;
      const lies = moved(last) > STILL ? "still" : "good";
      const state = past ? "next" : trouble && mild <= PATIENCE ? trouble : lies;
      draw(grid, state);
      show({ state, problem: null });
      last = grid;
      if (state === "good") {
        await take(run);
        [past, last, mild] = [grid, null, 0];
        if (run === page.run && page.ends && !next()) stop("done");
      }
    } catch (error) {
      if (run !== page.run) return;
      show({ problem: error.message });
    }
    await new Promise((done) => setTimeout(done, Math.max(20, EVERY - (performance.now() - began))));
  }
}

async function look() {
  const picture = document.hidden ? null : await lens.picture(PROBE);
  return picture ? send(`${game}/aim`, picture) : { grid: null, trouble: "none" };
}

/** Of a few photos the sharpest is sent: the one of most bytes. */
async function take(run) {
  const shots = [];
  for (let n = 0; n < SHOTS; n++) {
    shots.push(await lens.picture(PHOTO));
    await new Promise((done) => setTimeout(done, 70));
  }
  const best = shots.filter(Boolean).sort((a, b) => b.size - a.size)[0];
  if (!best || run !== page.run) return;
  show({ state: "reading", message: null });
  const whose = next()?.id ?? "new";
  const { player, view } = await send(`${game}/photos?player=${whose}&stage=end&once=${newId()}`, best);
  know(view);
  const { name, sheets } = page.players.find(({ id }) => id === player);
  const twin = page.players.find((other) => other.id !== player && isAlike(other.sheets.end.map, sheets.end));
  if (twin) {
    const edit = whose === "new" ? { kind: "remove-player" } : { kind: "drop-photo", stage: "end" };
    know(await post(`${game}/edits`, { ...edit, player }));
    page.message = say("hold.again", { name: twin.name });
  } else if (sheets.end.known) {
    page.taken++;
    page.message = say("hold.taken", { name });
  } else page.message = sheets.end.failed?.message ?? null;
}

function isAlike(rows, sheet) {
  if (!sheet.known) return false;
  const cells = sheet.map.join("");
  return [...rows.join("")].filter((cell, i) => cell !== cells[i]).length <= ALIKE && /[o#]/.test(cells);
}

function draw(grid, state) {
  const { videoWidth: width, videoHeight: height } = lens.video;
  frame.setAttribute("viewBox", `0 0 ${width} ${height}`); // the video fits into its place in the same way
  const points = grid?.map(([x, y]) => `${x * width},${y * height}`).join(" ");
  redraw(frame, points && svg`<polygon class="found ${state === "good" && "good"}" points=${points}/>`);
}

function show(change) {
  Object.assign(page, change);
  const on = Boolean(lens.stream);
  seen.hidden = !on;
  seen.classList.toggle("flash", page.state === "good" || page.state === "reading");
  const whose = next()?.name ?? say("hold.new");
  redraw(
    place,
    page.problem && alarm(page.problem),
    page.message && html`<p class="status" role="status">${page.message}</p>`,
    page.state !== "off" &&
      html`<p class="guide-words" role="status" data-state=${page.state} data-taken=${page.taken}>${say(`hold.${page.state}`, { name: whose })}</p>`,
    html`<div class="row">${
      on
        ? button("go", say("hold.stop"), () => stop(), { sign: "close" })
        : button("go", say("hold.start"), start, { kind: "main-action", sign: "camera", disabled: !allowed })
    }</div>`,
    !allowed && html`<p>${say("camera.insecure")}${" "}<a href="/camera/phone">${say("camera.insecure-lead")}</a></p>`,
  );
}

addEventListener("pagehide", () => lens.close());
show({});
if (allowed) start();
