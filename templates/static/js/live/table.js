// The live table: the picture with the reading, everyone's points, what people add, and how it went.
import { gem } from "../dispute/art.js";
import { plain } from "../dispute/breakdown.js";
import { get, post } from "../lib/api.js";
import { data, html, icon, redraw, say } from "../lib/dom.js";
import { Entries, isAsked } from "./entries.js";
import { chart, clock, slider } from "./history.js";
import { News } from "./news.js";
import { center, Picture, tileWords } from "./picture.js";
import { asked, linesOfPiece, piecesOf } from "./places.js";
import { board, playerCard } from "./scores.js";
import { Zones } from "./zones.js";

const given = data("given");
const { default: game } = await import(`/games/${given.game}/editor.js`);

const MOVED = 6000;
const WAIT_TO_SAY = 700;
const WAIT_TO_ASK = 800;
const GONE = "live.problem.no-table";
const root = document.getElementById("live");
const now = { ...given.view };
const view = {
  line: null,
  piece: null,
  note: null,
  at: null,
  old: null,
  moved: {},
  offline: false,
  running: given.running,
  trouble: null,
  late: null,
};
const parts = Object.fromEntries(
  ["banner", "picture", "tile", "lacks", "board", "notes", "players", "history", "bar", "said"].map((name) => [
    name,
    html`<div class="live-${name}"></div>`,
  ]),
);
parts.said.setAttribute("role", "status");
parts.said.classList.add("only-read");

const terms = (key) => given.terms[key] ?? key.slice(key.indexOf(".") + 1);
const settled = () => (view.at === null ? now.table.settled : view.old);
const typed = () => now.table.entries;

/** A zone's name: a player's own name, where people gave one. */
function names(zone) {
  const [player, part] = zone.split(".");
  const i = settled()?.players.indexOf(player) ?? -1;
  const name = (i >= 0 && settled().state.players[i]?.name) || say(`area.${player}`).replace(/^area\./, "");
  return part ? say("area.part", { name, part: say(`part.${part}`).replace(/^part\./, "") }) : name;
}

const picture = new Picture(given.table, { touched: touch });
const entries = new Entries(given, game, {
  settled: () => now.table.settled,
  entries: typed,
  send: enter,
  changed: () => {
    drawScores();
    if (entries.dialog.open) entries.draw();
  },
});
const zones = new Zones(picture, {
  areas: given.areas,
  size: () => now.table.settled?.size ?? frameSize(),
  names,
  save: saveZones,
  done: () => draw(),
});

function frameSize() {
  const { naturalWidth, naturalHeight } = picture.img;
  return naturalWidth ? [naturalWidth, naturalHeight] : [1280, 720];
}

// News

function told(what, body) {
  const shownNew = now.status.new;
  if (view.gone) return;
  if (what === "gone") return forgotten();
  if (what === "all") {
    Object.assign(now, body);
    if (body.status.phase === "stopped") view.running = false; // the companion was started anew
  } else if (what === "status") now.status = body;
  else if (what === "row") {
    const at = now.rows.findIndex((row) => row.number === body.number);
    if (at < 0) now.rows.push(body);
    else now.rows[at] = body;
  } else if (what === "end") {
    view.running = false;
    now.status = { ...now.status, phase: "stopped", words: say("live.stopped"), why: "", new: false };
    setTimeout(stillKept, WAIT_TO_ASK);
  }
  if (what === "table") take(body);
  if (what === "status") {
    if (shownNew !== now.status.new) drawScores();
    return drawStatus();
  }
  if (what === "row") return drawHistory();
  draw();
}

/** Another table: say how the points moved. */
function take(table) {
  const before = Object.fromEntries(
    (now.table.settled?.answer?.players ?? []).map((player) => [player.name, player.total]),
  );
  const was = now.table.settled;
  now.table = table;
  const after = table.settled?.answer?.players ?? [];
  const anew = table.settled?.first && !was?.first;
  const moved = anew
    ? {}
    : Object.fromEntries(
        after
          .filter(({ name, total }) => name in before && before[name] !== total)
          .map(({ name, total }) => [name, total - before[name]]),
      );
  if (Object.keys(moved).length) {
    view.moved = moved;
    clearTimeout(view.fading);
    view.fading = setTimeout(() => {
      view.moved = {};
      drawScores();
    }, MOVED);
    parts.said.textContent = say("live.now", {
      totals: after.map(({ name, total }) => `${name} ${plain(total)}`).join(", "),
    });
  }
  if (view.at === null) keepInView(was, table.settled);
  if (view.note && !table.settled?.problems.some(({ words }) => words === view.note)) view.note = null;
  if (entries.dialog.open) entries.draw();
}

/** What was touched on the table before is found again on this one, or is let go: piece, line, outline of no tile. */
function keepInView(was, is) {
  if (view.piece !== null) view.piece = was && is ? again(was, is, view.piece) : null;
  if (view.restore && !is?.gone.some((points) => apart(center(points), view.restore) < 1)) view.restore = null;
  if (view.line) {
    const [p, l] = view.line;
    const touched = was?.answer?.players[p]?.lines[l];
    const at = touched ? (is?.answer?.players[p]?.lines ?? []).findIndex(({ label }) => label === touched.label) : -1;
    view.line = at < 0 ? null : [p, at];
  }
}

/** A piece of one table on another: a tile by where it lies, a card by its words; null where it is gone. */
function again(was, is, piece) {
  const tile = was.tiles[piece];
  const card = was.cards[piece - was.tiles.length];
  const size = tile ? apart(...tile.polygon) : 0;
  const at = tile
    ? is.tiles.findIndex(({ polygon }) => apart(center(polygon), center(tile.polygon)) < size / 2)
    : is.cards.findIndex(({ words }) => words === card?.words);
  return at < 0 ? null : tile ? at : is.tiles.length + at;
}

const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

// What people do

async function attempt(work) {
  try {
    const table = await work();
    view.trouble = null;
    entries.complain(null);
    if (table?.settled !== undefined) {
      take(table);
      draw();
    }
    return true;
  } catch (error) {
    if (error.key === GONE) forgotten();
    view.trouble = error.message;
    entries.complain(error.message);
    drawStatus();
    return false;
  }
}

/** A table that is not followed may be forgotten meanwhile, in another window. */
async function stillKept() {
  try {
    await get(`/api/live/${given.table}`);
  } catch (error) {
    if (error.key === GONE) forgotten();
  }
}

function forgotten() {
  view.gone = true;
  view.running = false;
  entries.dialog.close();
  picture.look(null);
  setBig(false);
  root.replaceChildren(html`
    <section class="card stack gone-table" role="alert">
      <h1>${say("live.forgotten")}</h1>
      <p>${say("live.forgotten-about")}</p>
      <p><a class="button main-action" href="/live/">${say("live.forgotten-home")}</a></p>
    </section>`);
}

function enter(change) {
  return attempt(() => post(`/api/live/${given.table}/entries`, change));
}

function sayTile(at, color) {
  view.piece = null;
  return attempt(() => post(`/api/live/${given.table}/tile`, { at, color }));
}

function saveZones(polygons) {
  return attempt(() => post(`/api/live/${given.table}/zones`, { zones: polygons }));
}

function touch(piece, gone) {
  if (gone && view.at === null) {
    view.restore = gone.dataset.gone.split(",").map(Number);
    view.piece = null;
  } else {
    view.restore = null;
    view.piece = piece === view.piece ? null : piece;
  }
  Object.assign(view, { line: null, note: null });
  draw();
}

/** Light the tiles that a note is about. */
function lightNote({ words }) {
  Object.assign(view, { line: null, piece: null, restore: null, note: view.note === words ? null : words });
  draw();
  if (view.note) picture.root.scrollIntoView({ behavior: "smooth", block: "nearest" });
}

function light(p, l) {
  view.line = view.line && view.line[0] === p && view.line[1] === l ? null : [p, l];
  Object.assign(view, { piece: null, note: null });
  draw();
}

async function lookBack(number) {
  if (number === null) {
    Object.assign(view, { at: null, old: null, line: null, piece: null, note: null });
    return draw();
  }
  view.at = number;
  view.old ??= now.table.settled;
  drawHistory();
  await attempt(async () => {
    const old = await get(`/api/live/${given.table}/rows/${number}`);
    if (view.at === number) Object.assign(view, { old, line: null, piece: null, note: null });
  });
  draw();
}

// Drawing

function draw() {
  drawStatus();
  drawPicture();
  drawScores();
  drawHistory();
  drawBar();
}

function drawStatus() {
  const { status } = now;
  root.dataset.phase = view.at !== null ? "past" : status.phase;
  root.toggleAttribute("data-new", Boolean(status.new) && view.at === null);
  const waiting = status.phase === "waiting";
  const scored = !now.table.settled?.problem;
  const text =
    status.phase === "resting" && !scored
      ? say("live.rests")
      : status.why && status.phase !== "resting"
        ? status.why
        : status.words;
  const doubtful = view.at === null && !status.new ? (now.table.settled?.tiles ?? []).filter(asked).length : 0;
  const messages = [];
  if (view.at !== null) {
    const row = now.rows.find(({ number }) => number === view.at);
    messages.push(
      banner(
        "past",
        row ? say("live.looking-back", { time: clock(row) }) : "",
        html`
      <button class="button" data-key="back-to-now" onclick=${() => lookBack(null)}>${say("live.to-now")}</button>`,
      ),
    );
  } else if (view.offline) messages.push(banner("lost", say("live.offline")));
  else if (status.phase === "lost")
    messages.push(
      banner(
        "lost",
        html`<strong>${status.words}</strong>`,
        html`<span>${status.why}</span>`,
        now.table.settled?.answer && html`<span>${say("live.stays")}</span>`,
      ),
    );
  else if (status.phase === "stopped" || status.phase === "ended" || status.phase === "broken")
    messages.push(
      banner(
        status.phase === "broken" ? "lost" : "calm",
        `${status.words} ${status.why}`,
        given.demo || status.phase !== "stopped" || !view.running
          ? html`
    <button class="button" data-key="again" onclick=${followAgain}>${say("live.again")}</button>`
          : null,
      ),
    );
  else
    messages.push(
      banner(
        waiting ? "waiting" : status.phase,
        html`<span class="pulse" aria-hidden="true"></span>`,
        html`<span>${text}</span>`,
      ),
    );
  const asking = view.piece !== null && now.table.settled?.tiles[view.piece]?.doubtful;
  if (doubtful && !zones.on && !asking)
    messages.push(html`
    <button class="doubts" data-key="doubts" onclick=${nextDoubt}>
      ${icon("warn")}
      <span>${say("live.doubt", { n: doubtful })}</span>
      <span class="doubts-go">${say("live.check")}</span>
    </button>`);
  if (view.trouble)
    messages.push(html`
    <p class="message" role="alert">
      ${icon("warn")}
      <span>${view.trouble}</span>
      <button class="button plain" aria-label=${say("live.close")}
          onclick=${() => {
            view.trouble = null;
            drawStatus();
          }}>
        ${icon("close")}
      </button>
    </p>`);
  redraw(parts.banner, messages);
}

function banner(kind, ...children) {
  return html`<div class="banner ${kind}" role=${kind === "lost" ? "alert" : "status"}>${children}</div>`;
}

function nextDoubt() {
  const tiles = now.table.settled?.tiles ?? [];
  const order = tiles.map((_, i) => (i + (view.piece ?? -1) + 1) % tiles.length);
  const next = order.find((i) => asked(tiles[i]));
  if (next === undefined) return;
  Object.assign(view, { piece: next, line: null, restore: null, note: null });
  draw();
  parts.tile.querySelector("button")?.focus({ preventScroll: true });
}

function drawPicture() {
  const shown = settled();
  const kept = view.at === null ? null : view.old?.photo;
  picture.look(view.at !== null ? (kept ? `/photos/${kept}.jpg` : null) : view.running ? "live" : lastPhoto());
  const line = view.line && shown?.answer?.players[view.line[0]]?.lines[view.line[1]];
  const note = view.note && shown?.problems.find(({ words }) => words === view.note);
  const lit = line && shown ? piecesOf(shown, line.because) : new Set(note?.tiles ?? []);
  const missing = line?.gap && shown ? piecesOf(shown, line.gap) : new Set();
  picture.root.classList.toggle("line-on", lit.size > 0);
  picture.draw(shown, { lit, missing, chosen: view.piece, names, terms });
  redraw(
    parts.tile,
    zones.on
      ? [zones.bar]
      : [tileBar(shown), line && lit.size === 0 && html`<p class="tile-bar quiet">${say("live.no-tiles")}</p>`],
  );
}

function lastPhoto() {
  const photo = now.rows.at(-1)?.photo;
  return photo ? `/photos/${photo}.jpg` : null;
}

/** What is known of the chosen tile, and what it may be instead. */
function tileBar(shown) {
  if (view.restore && view.at === null) {
    const at = view.restore;
    return html`
      <section class="tile-bar" aria-label=${say("live.tile")}>
        <p>${say("live.gone-words")}</p>
        ${choices(null, at, shown)}
      </section>`;
  }
  if (view.piece === null || !shown) return null;
  const tile = shown.tiles[view.piece];
  if (!tile)
    return html`
    <section class="tile-bar" aria-label=${say("live.card")}>
      <p>${shown.cards[view.piece - shown.tiles.length]?.words ?? ""}</p>
    </section>`;
  const words = html`
    <p>
      ${
        tile.doubtful
          ? html`
        <strong class="ask">
          ${tile.doubt === "tile.border" ? say("live.border", { tile: tileWords(tile, names, terms) }) : say("live.which")}
        </strong>`
          : html`<strong>${tileWords(tile, names, terms)}</strong>`
      }
      ${" "}
      <span class="quiet small">
        ${tile.said ? say("live.said") : tile.doubtful ? tile.why || say("live.sure", { n: Math.round(tile.confidence * 100), color: terms(`color.${tile.color}`) }) : say("live.sure", { n: Math.round(tile.confidence * 100), color: terms(`color.${tile.color}`) })}
      </span>
    </p>`;
  return html`
    <section class="tile-bar ${tile.doubtful && "doubt"}" aria-label=${say("live.tile")}>
      ${words}
      ${view.at === null && view.running && choices(tile, center(tile.polygon), shown)}
    </section>`;
}

function choices(tile, at) {
  const key = (color, art, words) => html`
    <button class="color-key ${tile?.color === color && "on"}" aria-label=${words} title=${words}
        data-key="tile-${color ?? "none"}"
        onclick=${async () => {
          view.restore = null;
          if (await sayTile(at, color)) moreDoubts(tile);
        }}>
      ${art}
    </button>`;
  return html`
    <div class="color-keys">
      ${given.colors.map((color) => key(color, gem(color), terms(`color.${color}`)))}
      ${tile && key(null, icon("close"), say("live.no-tile-long"))}
    </div>`;
}

/** Whoever answered one question is asked the next. */
function moreDoubts(tile) {
  if (tile?.doubtful && now.table.settled?.tiles.some(asked)) nextDoubt();
}

function drawScores() {
  const shown = settled();
  redraw(parts.lacks, lacks(shown));
  if (!shown) {
    redraw(parts.board, html`<p class="tally-empty quiet">${say("live.nothing-seen")}</p>`);
    redraw(parts.players);
    return redraw(parts.notes);
  }
  redraw(
    parts.board,
    board(shown, view.at === null ? view.moved : {}, {
      jump: (p) => document.getElementById(`player-${p}`)?.scrollIntoView({ behavior: "smooth", block: "nearest" }),
    }),
  );
  const counted = view.piece !== null ? linesOfPiece(shown, view.piece) : new Set();
  const lit = view.line ? view.line.join("-") : null;
  const used = (player) =>
    say("live.chosen", {
      choices: Object.entries(player.choices)
        .map(
          ([name, value]) =>
            `${terms(`choice.${name}`)} ${[value]
              .flat()
              .map((one) => (typeof one === "number" ? one : terms(`color.${one}`)))
              .join(" + ")}`,
        )
        .join(", "),
    });
  redraw(
    parts.players,
    shown.state.players.map((_, p) =>
      playerCard(shown, p, {
        lit,
        counted,
        light,
        note: used,
        past: view.at !== null || !view.running,
        chips: counter(shown, p),
        more: () => entries.show(p),
      }),
    ),
  );
  redraw(parts.notes, notes(shown));
}

/** The one thing that is typed most, such as chips. */
function counter(shown, p) {
  const key = given.typed.counter;
  if (!key) return null;
  const n = (entries.ahead ?? shown.state).players[p]?.[key] ?? 0;
  const what = say(`live.count.${key}`);
  const step = (by, words) => html`
    <button class="button step" aria-label=${say(words, { name: shown.state.players[p].name })}
        data-key="${key}-${p}-${by}" onclick=${() => entries.count(p, by)}>
      ${icon(by < 0 ? "minus" : "plus")}
    </button>`;
  return html`
    <div class="chip-count" role="group" aria-label=${what}>
      <span class="small">${what}</span>
      ${step(-1, `live.count.${key}-less`)}
      <output>${`${n}`.replace("-", "−")}</output>
      ${step(1, `live.count.${key}-more`)}
    </div>`;
}

/** Why there are no points yet, and what to do about it. */
function lacks(shown) {
  if (!shown?.problem || zones.on) return null;
  const here = view.running && view.at === null;
  const ask = (words, key, act) => html`
    <div class="message lack" role="status">
      ${icon("warn")}
      <strong>${words}</strong>
      ${here && html`<button class="button main-action" data-key=${key[0]} onclick=${act}>${say(key[1])}</button>`}
    </div>`;
  if (!shown.players.length) return ask(say("live.no-areas"), ["draw-areas", "live.draw-areas"], startZones);
  const { asked } = given.typed;
  if (isAsked(given.typed, shown.state))
    return ask(say(`live.ask.${asked}`), ["choose-rule", `live.ask.${asked}-choose`], () => entries.show(null));
  return html`
    <p class="message">
      ${icon("warn")}
      <div><strong>${say("live.no-score")}</strong><span>${shown.problem.message}</span></div>
    </p>`;
}

function notes(shown) {
  const rows = [];
  for (const one of now.status.new && view.at === null ? [] : shown.problems) {
    const [mark, words] = [icon("warn"), html`<span>${one.words}</span>`];
    rows.push(
      one.tiles.length
        ? html`
      <button class="note warn note-tiles ${view.note === one.words && "on"}"
          aria-pressed=${view.note === one.words} data-key="note-${one.words}" onclick=${() => lightNote(one)}>
        ${mark}
        ${words}
        <span class="note-show">${say("live.show")}</span>
      </button>`
        : html`<p class="note warn">${mark}${words}</p>`,
    );
  }
  for (const words of shown.answer?.notes ?? []) rows.push(html`<p class="note">${words}</p>`);
  return rows;
}

function drawHistory() {
  const players = (settled() ?? now.table.settled)?.players ?? [];
  const name = (zone) => now.table.settled?.state.players[now.table.settled.players.indexOf(zone)]?.name ?? zone;
  redraw(
    parts.history,
    html`
    <section class="card history" aria-label=${say("live.history")}>
      <h2>${say("live.history")}</h2>
      ${now.rows.length > 0 && chart(now.rows, players, name, view.at, lookBack)}
      ${slider(now.rows, view.at, lookBack)}
    </section>`,
  );
}

function drawBar() {
  const rule = settled()?.state.rule;
  const number = view.at === null ? "" : `?row=${view.at}`;
  redraw(
    parts.bar,
    html`
      <div class="row">
        ${rule !== undefined && !view.running && html`<span class="rule">${say("live.rule", { n: rule })}</span>`}
        ${
          rule !== undefined &&
          view.running &&
          html`
          <button class="button rule" data-key="table-entries" onclick=${() => entries.show(null)}>
            ${say("live.rule", { n: rule })}
            <span class="wide-only quiet">${terms(`sheet.${rule}`)}</span>
          </button>`
        }
        ${
          rule === undefined &&
          view.running &&
          now.table.settled &&
          html`
          <button class="button" data-key="table-entries" onclick=${() => entries.show(null)}>
            ${say("live.table-entries")}
          </button>`
        }
        ${settled() && html`<a class="button" href="/live/${given.table}/case${number}" data-key="case">${say("live.case")}</a>`}
        ${view.running && view.at === null && html`<button class="button" data-key="zones" onclick=${() => startZones()}>${say("live.zones")}</button>`}
        ${
          view.running &&
          given.colors.length > 0 &&
          Object.values(now.table.profile ?? {}).some(({ markers }) => markers) &&
          html`
          <a class="button" href="/live/${given.table}/colors" data-key="colors">${say("live.colors")}</a>`
        }
        ${view.running && html`<button class="button danger" data-key="stop" onclick=${stop}>${say("live.stop")}</button>`}
      </div>`,
  );
}

function startZones() {
  if (zones.on) return parts.tile.scrollIntoView({ block: "nearest" });
  Object.assign(view, { piece: null, line: null, note: null });
  zones.begin(now.table.profile ?? {});
  draw();
  parts.tile.scrollIntoView({ block: "nearest" });
}

async function stop() {
  await attempt(() => post(`/api/live/${given.table}/stop`));
}

async function followAgain() {
  if (await attempt(() => post(`/api/live/${given.table}/again`))) location.reload();
}

// From a chair

const big = document.getElementById("big");
function setBig(on) {
  document.documentElement.classList.toggle("from-a-chair", on);
  big.setAttribute("aria-pressed", on ? "true" : "false");
}
big.addEventListener("click", async () => {
  const on = !document.documentElement.classList.contains("from-a-chair");
  setBig(on);
  try {
    if (on) await document.documentElement.requestFullscreen?.();
    else if (document.fullscreenElement) await document.exitFullscreen();
  } catch {
    // a browser without full screen still shows big letters
  }
});
document.addEventListener("fullscreenchange", () => !document.fullscreenElement && setBig(false));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || entries.dialog.open) return;
  if (document.documentElement.classList.contains("from-a-chair")) setBig(false);
  Object.assign(view, { line: null, piece: null, restore: null, note: null });
  draw();
});
document.addEventListener("visibilitychange", () => !document.hidden && !view.running && !view.gone && stillKept());

root.replaceChildren(
  html`<div class="live-left">${parts.banner}<div class="stage">${picture.root}</div>${parts.tile}</div>`,
  html`<div class="live-right">${parts.lacks}${parts.board}${parts.players}${parts.notes}</div>`,
  html`<div class="live-below">${parts.history}${parts.bar}</div>`,
  parts.said,
);
parts.picture = picture.root;
picture.img.addEventListener("load", () => !now.table.settled && picture.shape(...frameSize()));
if (view.running) {
  new News(given.table, given.id, told, (open) => {
    clearTimeout(view.late);
    if (open === !view.offline) return;
    view.late = setTimeout(
      () => {
        view.offline = !open;
        drawStatus();
      },
      open ? 0 : WAIT_TO_SAY,
    );
  });
}
draw();
if (view.running && given.zones === 0) startZones();
