// The live table: the picture with the reading, everyone's points, what people add, and how it went.
import { breakdownCard, notesCard, plain, rankingBar } from "../../breakdown/breakdown.js";
import { finishCard } from "../../breakdown/finish.js";
import { logCard } from "../../breakdown/game_log.js";
import { linesOf, litPlaces, missingPlaces } from "../../breakdown/highlight.js";
import { movedBetween, outcomeOf } from "../../breakdown/outcome.js";
import { smallPicture } from "../../case/editor_context.js";
import { drawPaper } from "../../case/paper.js";
import { misreadLink, shareCard } from "../../case/share.js";
import { undoButtons, undoKeys } from "../../case/undo.js";
import { Overlay } from "../../evidence/overlay.js";
import { piecesAt, placesOf } from "../../evidence/places.js";
import { get, post } from "../../lib/api.js";
import { data, html, icon, may, redraw, say } from "../../lib/dom.js";
import { heldInPlace } from "../../lib/hold_place.js";
import { News } from "../../lib/news.js";
import { know } from "../../lib/players.js";
import { whenFree } from "../../lib/redraw_gate.js";
import { Unsent } from "../../lib/unsent.js";
import { Voice } from "../../lib/voice.js";
import { hasTouch, photoButton, takeDropsAndPastes, Uploads } from "../photo/uploads.js";
import { Entries } from "./entries.js";
import { Film, movesAt, placesOn, rowOf } from "./film.js";
import { setBig } from "./from_a_chair.js";
import { chart, slider } from "./history.js";
import { keepInView } from "./in_view.js";
import { lacks } from "./lacks.js";
import { asked, cardOf, PieceBar, tileOf } from "./piece_bar.js";
import { statusBanner } from "./status_banner.js";
import { Zones } from "./zones.js";

const given = data("given");
const { default: game } = await import(`/games/${given.game}/editor.js`);

const MOVED = 6000;
const WAIT_TO_SAY = 700;
const WAIT_TO_ASK = 800;
const GONE = "live.problem.no-table";
const NOTHING = { line: null, piece: null, restore: null, note: null, move: null };
const root = document.getElementById("live");
const now = { ...given.view };
know(now.table.people);
const view = {
  ...NOTHING,
  at: null,
  old: null,
  moved: {},
  offline: false,
  running: given.running,
  trouble: null,
  late: null,
  link: null,
};
const PARTS = [
  "banner",
  "uploads",
  "picture",
  "film",
  "tile",
  "lacks",
  "board",
  "notes",
  "players",
  "log",
  "history",
  "bar",
  "share",
  "said",
];
const parts = Object.fromEntries(PARTS.map((name) => [name, html`<div class="live-${name}"></div>`]));
const paper = html`<div class="case-paper"></div>`;
parts.said.setAttribute("role", "status");
parts.said.classList.add("only-read");
const voice = new Voice();
const steps = {
  undo: () => attempt(() => post(`/api/live/${given.table}/undo`)),
  redo: () => attempt(() => post(`/api/live/${given.table}/redo`)),
  get undoes() {
    return now.table.undo;
  },
  get redoes() {
    return now.table.redo;
  },
};

const terms = (key) => given.terms[key] ?? key.slice(key.indexOf(".") + 1);
const settled = () => (view.at === null ? now.table.settled : view.old);
const typed = () => now.table.entries;
const outcomeIn = (table, moved = {}) => outcomeOf(table.case, { moved, doubts: table.case.doubts });

/** What is asked now, what matters most first. */
const questions = () => {
  const table = view.at === null && !now.status.new ? now.table.settled : null;
  return (table?.case.doubts ?? []).filter(({ piece }) => asked(tileOf(table, piece) ?? cardOf(table, piece)));
};

/** Photos of the table, where it is photographed and not filmed. */
const uploads = new Uploads({
  kept: given.table,
  address: () => `/api/live/${given.table}/photos`,
  done: (_, all) => {
    told("all", all);
    askForAreas();
  },
  changed: () => whenFree(drawUploads),
});

function drawUploads() {
  const add = (files) => uploads.add(files);
  const camera = () => photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera" }, add);
  const touch = hasTouch();
  const file = () => photoButton({ label: say("photo.files"), multiple: true, main: !touch, id: "files" }, add);
  const takes = given.photos && view.running;
  redraw(parts.uploads, takes && html`<div class="row" data-for="player">${camera()}${file()}</div>`, uploads.list());
}

/** A zone's name: a player's own name, where people gave one. */
function names(zone) {
  const [player, part] = zone.split(".");
  if (zone === "dungeon") return say("area.dungeon");
  const i = settled()?.players.indexOf(player) ?? -1;
  const name = (i >= 0 && settled().state.players[i]?.name) || say(`area.${player}`).replace(/^area\./, "");
  return part ? say("area.part", { name, part: say(`part.${part}`).replace(/^part\./, "") }) : name;
}

const MOVING = { moving: `/live/${given.table}/picture.mjpg`, still: `/live/${given.table}/frame.jpg` };
const picture = new Overlay({ moving: MOVING, touched: touch });
const chosen = new PieceBar(given, {
  terms,
  names,
  answer: async (at, what, goOn) => {
    view.restore = null;
    if ((await sayPiece(at, what)) && goOn && questions().length) nextDoubt();
  },
});
const entries = new Entries(given, game, {
  settled: () => now.table.settled,
  entries: typed,
  people: () => now.table.people,
  send: enter,
  changed: () => {
    drawScores();
    if (entries.dialog.open) entries.draw();
  },
});
const film = new Film({
  rows: () => now.rows,
  at: () => view.at,
  first: () => now.rows.findLast(({ first }, i) => first || i === 0)?.number ?? null,
  go: (number) => lookBack(number),
  drawn: () => drawFilm(),
});
const zones = new Zones(picture, {
  areas: given.areas,
  size: () => now.table.settled?.size ?? frameSize(),
  names,
  save: saveZones,
  propose: async (n) => {
    try {
      return (await get(`/api/live/${given.table}/areas?players=${n}`)).areas;
    } catch (error) {
      complain(error.message);
    }
  },
  done: () => {
    draw();
    scrollTo(0, 0); // where the areas were drawn there is nothing left to see
  },
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
    know(now.table.people);
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
    if (shownNew !== now.status.new) whenFree(drawScores);
    return whenFree(drawStatus);
  }
  whenFree(what === "row" ? drawHistory : draw);
}

/** Another table: say how the points moved. */
function take(table) {
  const was = now.table.settled;
  now.table = table;
  know(table.people);
  view.link = null;
  const anew = table.settled?.first && !was?.first;
  const after = table.settled && outcomeIn(table.settled);
  const moved = anew || !was || !after ? {} : movedBetween(outcomeIn(was), after);
  if (Object.values(moved).some(Boolean)) {
    view.moved = moved;
    clearTimeout(view.fading);
    view.fading = setTimeout(() => {
      view.moved = {};
      drawScores();
    }, MOVED);
    const totals = after.scores.filter(Boolean).map(({ name, total }) => `${name} ${plain(total)}`);
    parts.said.textContent = say("live.now", { totals: totals.join(", ") });
    voice.tell(after.scores, moved, was.number === table.settled.number);
  }
  if (view.at === null) keepInView(view, was, table.settled);
  if (entries.dialog.open) entries.draw();
}

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

const unsent = new Unsent(
  `entries ${given.table}`,
  (change) => post(`/api/live/${given.table}/entries`, change),
  () => attempt(() => unsent.flush()),
);

function enter(change) {
  return attempt(() => unsent.say(change));
}

/** Say what the piece at a point is: a tile's color, or a card's number in the game's list (null: there is none). */
async function sayPiece(at, said) {
  const row = view.at;
  view.piece = null;
  const done = await attempt(() =>
    post(`/api/live/${given.table}/tile`, { at, ...(row === null ? {} : { row }), ...said }),
  );
  if (row !== null && row === view.at) await lookBack(row);
  return done;
}

/** Keep areas: polygons as they are drawn, markers as they were. */
function saveZones(areas, white) {
  const zones = Object.fromEntries(
    Object.entries(areas).map(([name, { polygon }]) => [name, polygon ? { polygon } : "markers"]),
  );
  return attempt(() => post(`/api/live/${given.table}/zones`, { zones, white }));
}

function touch(piece, gone) {
  const restore = gone && view.at === null ? gone.dataset.gone.split(",").map(Number) : null;
  Object.assign(view, NOTHING, { restore, piece: restore || piece === view.piece ? null : piece });
  draw();
}

/** Light the pieces that a note is about. */
function lightNote(note) {
  Object.assign(view, NOTHING, { note: view.note === note ? null : note });
  draw();
  if (view.note) picture.root.scrollIntoView({ behavior: "smooth", block: "nearest" });
}

function light(p, l) {
  const off = view.line?.[0] === p && view.line?.[1] === l;
  Object.assign(view, NOTHING, { line: off ? null : [p, l] });
  draw();
}

/** Show a move on the table: what it moved stands lit there, and on the states before and after. */
async function showMove(move) {
  if (film.on) film.stop();
  const off = view.move === move.n;
  Object.assign(view, NOTHING, { move: off ? null : move.n });
  if (off) return draw();
  const row = rowOf(now.rows, move);
  await lookBack(row === now.rows.at(-1)?.number ? null : row);
  picture.root.scrollIntoView({ behavior: "smooth", block: "nearest" });
}

async function lookBack(number) {
  const kept = { ...NOTHING, move: film.on ? null : view.move };
  if (number === null) {
    Object.assign(view, kept, { at: null, old: null, link: null });
    return draw();
  }
  view.at = number;
  view.old ??= now.table.settled;
  drawHistory();
  await attempt(async () => {
    const old = await get(`/api/live/${given.table}/rows/${number}`);
    if (view.at === number) Object.assign(view, kept, { old, link: null });
  });
  draw();
}

// Drawing

function draw() {
  drawUploads();
  drawStatus();
  drawPicture();
  drawScores();
  drawHistory();
  drawFilm();
  drawBar();
}

/** The log that belongs to the state that is shown: that of an earlier game comes with it. */
const shownGame = () => view.old?.game ?? now.table.game;

/** The film's strip and the log: both say what was done. */
function drawFilm() {
  const { rows } = now;
  const number = view.at ?? rows.at(-1)?.number;
  const game = shownGame();
  const here = movesAt(game, rows, number);
  const chosen = (move) => (view.move === null ? view.at !== null && here.includes(move) : view.move === move.n);
  const place = (move) => (chosen(move) ? "on" : view.at !== null && rowOf(rows, move) > view.at ? "later" : "");
  const shown = view.move === null ? here : game.moves.filter(chosen);
  const strip = rows.length > 1 && (view.at !== null || film.on || view.move !== null || !view.running);
  redraw(parts.film, strip && film.strip(shown.map(({ words }) => words)));
  redraw(
    parts.log,
    logCard(game, {
      running: view.running && view.at === null,
      settle: (body) => attempt(() => post(`/api/live/${given.table}/move`, body)),
      file: `/live/${given.table}/game.jsonl${view.old?.game ? `?row=${number}` : ""}`,
      go: showMove,
      place,
    }),
  );
  parts.log.querySelector(".on")?.scrollIntoView?.({ block: "nearest", container: "nearest" });
}

/** The places of the pieces that moved: of the move that was chosen, else of those that a state of before shows first. */
function movedPlaces() {
  const number = view.at ?? now.rows.at(-1)?.number;
  const game = shownGame();
  if (view.move !== null) {
    const move = game?.moves.find(({ n }) => n === view.move);
    return move ? placesOn(game, now.rows, number, move) : [];
  }
  return view.at === null ? [] : movesAt(game, now.rows, number).flatMap(({ after }) => after);
}

function drawStatus() {
  const { status } = now;
  root.dataset.phase = view.at !== null ? "past" : status.phase;
  root.toggleAttribute("data-new", Boolean(status.new) && view.at === null);
  const doubtful = questions().length;
  const asking = view.piece !== null && questions().some(({ piece }) => piece === view.piece);
  const close = () => {
    view.trouble = null;
    drawStatus();
  };
  const doubts = () => html`
    <button class="doubts" data-for="player" data-key="doubts" onclick=${nextDoubt}>
      ${icon("warn")}
      <span>${say("live.doubt", { n: doubtful })}</span>
      <span class="doubts-go">${say("live.check")}</span>
    </button>`;
  const trouble = () => html`
    <p class="message" role="alert">
      ${icon("warn")}<span>${view.trouble}</span>
      <button class="button plain" aria-label=${say("live.close")} onclick=${close}>${icon("close")}</button>
    </p>`;
  redraw(
    parts.banner,
    statusBanner({ given, now, view, back: () => lookBack(null), again: followAgain }),
    doubtful > 0 && !zones.on && !asking && doubts(),
    view.trouble && trouble(),
  );
}

/** Show the next question: after the one that is shown, else the one that matters most. */
function nextDoubt() {
  const open = questions().map(({ piece }) => piece);
  if (!open.length) return;
  Object.assign(view, NOTHING, { piece: open[(open.indexOf(view.piece) + 1) % open.length] });
  draw();
  parts.tile.querySelector("button")?.focus({ preventScroll: true });
  parts.tile.scrollIntoView({ block: "nearest" });
}

function drawPicture() {
  const shown = settled();
  const kept = view.at === null ? now.rows.at(-1)?.photo : view.old?.photo;
  const photo = kept ? `/photos/${kept}.jpg` : null;
  picture.look(view.at === null && view.running && !given.photos ? "live" : photo);
  const outcome = shown && outcomeIn(shown);
  const problem = view.note?.startsWith("problem-") && shown?.case.problems[view.note.slice(8)];
  const pieces = (places) => (shown ? piecesAt(shown.case, places) : new Set());
  const lit = problem
    ? new Set(problem.pieces)
    : outcome
      ? pieces(view.line || view.note ? litPlaces(outcome, view.line, view.note) : movedPlaces())
      : new Set();
  const missing = outcome ? pieces(missingPlaces(outcome, view.line)) : new Set();
  picture.root.classList.toggle("line-on", lit.size > 0);
  picture.draw(shown && seen(shown), { lit, missing, chosen: view.piece });
  const nothing = view.line && lit.size === 0 && html`<p class="tile-bar quiet">${say("live.no-tiles")}</p>`;
  redraw(parts.tile, zones.on ? zones.bar : [pieceBar(shown), nothing]);
}

/** A table at rest as the overlay draws it. */
function seen(table) {
  const { size, pieces } = table.case.evidence[0];
  const zoneNames = Object.entries(table.zones);
  const piece = (one) => {
    const tile = tileOf(table, one.id);
    if (!tile)
      return {
        ...one,
        class: `card-mark ${cardOf(table, one.id).card ? "" : "unknown"}`,
        asked: asked(cardOf(table, one.id)),
      };
    const own = `tile color-${tile.color} ${tile.zone ? "" : "outside"}`;
    return { ...one, class: own, label: chosen.words(tile), asked: asked(tile) };
  };
  const { colors } = outcomeIn(table);
  const colorOf = (name) => colors[table.players.indexOf(name.split(".")[0])];
  const zone = ([name, polygon]) => ({ name: names(name), polygon, color: colorOf(name) });
  const more = table === now.table.settled ? Object.entries(proposed()) : [];
  const drawn = more.map(([name, { polygon }]) => ({ name: `${names(name)}?`, polygon, proposed: true }));
  return { size, pieces: pieces.map(piece), zones: [...zoneNames.map(zone), ...drawn], gone: table.gone };
}

/** What is known of the chosen tile or card, and what it may be instead; what a piece was that is gone. */
function pieceBar(shown) {
  if (view.restore && view.at === null) return chosen.gone(view.restore);
  if (view.piece === null || !shown) return null;
  const image = shown.photo ?? now.rows.find(({ number }) => number === shown.number)?.photo;
  const address = image ? `/photos/${image}.jpg` : `${MOVING.still}?${shown.number}`;
  return chosen.of(shown, view.piece, address, view.running);
}

function drawScores() {
  const shown = settled();
  const offered = proposed();
  const refuse = () => {
    view.refused = Object.keys(offered).join();
    draw();
  };
  redraw(
    parts.lacks,
    lacks(shown, {
      given,
      names,
      offered,
      live: view.running && view.at === null,
      begun: Boolean(now.table.game?.moves.length),
      drawing: zones.on,
      take: () => saveZones({ ...now.table.profile, ...offered }),
      change: startZones,
      refuse,
      ask: () => entries.show(null),
    }),
  );
  if (!shown) {
    redraw(parts.board, html`<p class="tally-empty quiet">${say("live.nothing-seen")}</p>`);
    redraw(parts.players);
    return redraw(parts.notes);
  }
  const outcome = outcomeIn(shown, view.at === null ? view.moved : {});
  const jump = (p) => document.getElementById(`player-${p}`)?.scrollIntoView({ behavior: "smooth", block: "nearest" });
  const counted = view.piece === null ? null : linesOf(outcome.scores, placesOf(shown.case, view.piece));
  const card = (_, p) => {
    const lit = view.line?.[0] === p ? view.line[1] : null;
    return breakdownCard(outcome, p, { only: false, light, lit, counted, foot: playerFoot(shown, outcome, p) });
  };
  const problems = (now.status.new && view.at === null ? [] : shown.case.problems).map(({ message, pieces }) => ({
    message,
    shown: pieces.length > 0,
  }));
  heldInPlace(".player-foot", () => {
    redraw(parts.board, rankingBar(outcome, { choose: jump }));
    redraw(parts.players, shown.state.players.map(card));
  });
  redraw(parts.notes, finish(outcome, shown), notesCard(outcome, { chosen: view.note, light: lightNote, problems }));
}

/** The end of the game, once somebody has won and no open question can change it. */
function finish(outcome, shown) {
  const sure = outcome.current && outcome.answer.winners.length > 0 && !outcome.spans.some(Boolean);
  if (!sure) return null;
  const how = { game: given.game, name: given.name, begun: shown.at * 1000, id: given.table };
  return finishCard(outcome, { ...how, next: view.running && view.at === null && newGameButton() });
}

const newGameButton = () =>
  html`<button class="button" data-for="host" data-key="new-game" onclick=${newGame}>${say("finish.new")}</button>`;

async function newGame() {
  if (!confirm(say("live.new-game-sure"))) return;
  Object.assign(view, NOTHING);
  await attempt(() => post(`/api/live/${given.table}/new-game`));
  draw();
}

function playerFoot(shown, outcome, p) {
  const used = Object.entries(outcome.scores[p]?.choices ?? {});
  const value = (one) => (typeof one === "number" ? one : terms(`color.${one}`));
  const words = ([name, values]) => `${terms(`choice.${name}`)} ${[values].flat().map(value).join(" + ")}`;
  const past = view.at !== null || !view.running;
  const more = html`<button class="button more" data-key="more-${p}" onclick=${() => entries.show(p)}>${icon("hand")}${say("live.more")}</button>`;
  return [
    used.length > 0 &&
      html`<p class="small quiet choice-used">${say("live.chosen", { choices: used.map(words).join(", ") })}</p>`,
    !past && html`<div class="player-foot" data-for="player">${counter(shown, p)}${more}</div>`,
  ];
}

/** The one thing that is typed most, such as chips. */
function counter(shown, p) {
  const key = given.typed.counter;
  if (!key) return null;
  const row = (entries.ahead ?? shown.state).players[p] ?? {};
  const what = say(`live.count.${key}`);
  const step = (by, words) => html`
    <button class="button step" aria-label=${say(words, { name: row.name })} data-key="${key}-${p}-${by}"
      onclick=${() => entries.count(p, by)}>${icon(by < 0 ? "minus" : "plus")}</button>`;
  return html`
    <div class="chip-count" role="group" aria-label=${what}>
      <span class="small">${what}</span>
      ${step(-1, `live.count.${key}-less`)}<output>${plain(row[key] ?? 0)}</output>${step(1, `live.count.${key}-more`)}
    </div>`;
}

/** Areas that are proposed from where cards lie, for the host to take, to change or to refuse. */
function proposed() {
  const offered = view.running && view.at === null && !zones.on && may("host") && now.table.proposed;
  return offered && Object.keys(offered).join() !== view.refused ? offered : {};
}

function drawHistory() {
  const table = settled() ?? now.table.settled;
  const name = (zone) => {
    const { players = [], state } = now.table.settled ?? {};
    return state?.players[players.indexOf(zone)]?.name ?? zone;
  };
  redraw(
    parts.history,
    html`
    <section class="card history" aria-label=${say("live.history")}>
      <h2>${say("live.history")}</h2>
      ${now.rows.length > 0 && chart(now.rows, table?.players ?? [], name, view.at, lookBack)}
      ${slider(now.rows, view.at, lookBack)}
      ${now.rows.length > 1 && playButton()}
    </section>`,
  );
}

const playButton = () => html`
  <button class="button" data-key="play" onclick=${play}>${icon(film.on ? "pause" : "play")}${say(film.on ? "live.pause" : "live.play")}</button>`;

function play() {
  film.toggle();
  drawHistory();
  picture.root.scrollIntoView({ behavior: "smooth", block: "nearest" });
}

function drawBar() {
  const rule = settled()?.state.rule;
  const { running } = view;
  const words = rule === undefined ? say("live.table-entries") : say("live.rule", { n: rule });
  const long = rule !== undefined && html`<span class="wide-only quiet">${terms(`sheet.${rule}`)}</span>`;
  const button = (of, key, act, ...children) =>
    html`<button class="button" data-for=${of} data-key=${key} onclick=${act}>${children}</button>`;
  const learns = running && given.learns && Object.values(now.table.profile ?? {}).some(({ markers }) => markers);
  redraw(
    parts.bar,
    html`
    <div class="row">
      ${rule !== undefined && !running && html`<span class="rule">${words}</span>`}
      ${running && now.table.settled && button("player", "table-entries", () => entries.show(null), html`<span class="rule">${words}</span>`, long)}
      ${running && view.at === null && may("player") && undoButtons(steps)}
      ${running && view.at === null && button("host", "zones", () => startZones(), say("live.zones"))}
      ${learns && html`<a class="button" data-for="host" href="/live/${given.table}/colors" data-key="colors">${say("live.colors")}</a>`}
      ${running && view.at === null && now.table.settled?.state.goes_on && button("player", "over", () => enter({ table: { goes_on: false } }), say("live.over"))}
      ${running && view.at === null && now.table.settled && newGameButton()}
      ${running && html`<button class="button danger" data-for="host" data-key="stop" onclick=${stop}>${say("live.stop")}</button>`}
    </div>`,
  );
  const shown = settled();
  const photo = now.rows.find(({ number }) => number === shown?.number)?.photo;
  const misread = photo && misreadLink(`/live/${given.table}/misread.zip?row=${shown.number}`);
  const how = { complain, again: drawBar, more: [voice.button(drawBar), misread] };
  redraw(parts.share, shown && shareCard(view, { state: shown.state, row: view.at, ...how }));
}

function complain(message) {
  view.trouble = message;
  drawStatus();
}

function drawPrint() {
  const shown = settled();
  if (!shown) return;
  const picture = (i) => smallPicture(game, given, shown.state, i);
  drawPaper(paper, outcomeIn(shown), { name: given.name, picture, link: view.link });
}

function startZones() {
  if (zones.on) return parts.tile.scrollIntoView({ block: "nearest" });
  const offered = proposed();
  Object.assign(view, NOTHING);
  zones.begin(now.table.profile ?? {}, offered, now.table.white);
  draw();
  parts.tile.scrollIntoView({ block: "nearest" });
}

/** Where no areas are known they are drawn first, once there is a picture; cards known by their faces show them later. */
function askForAreas() {
  if (given.faces || Object.keys(proposed()).length) return;
  const there = !given.photos || (now.table.settled && !Object.keys(now.table.settled.zones).length);
  if (view.running && given.zones === 0 && may("host") && there) startZones();
}

async function stop() {
  await attempt(() => post(`/api/live/${given.table}/stop`));
}

async function followAgain() {
  if (await attempt(() => post(`/api/live/${given.table}/again`))) location.reload();
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || entries.dialog.open) return;
  setBig(false);
  Object.assign(view, NOTHING);
  draw();
});
document.addEventListener("visibilitychange", () => !document.hidden && !view.running && !view.gone && stillKept());

root.replaceChildren(
  html`<div class="live-left"><h1 class="only-read">${given.name}</h1>${parts.banner}${parts.uploads}<div class="stage">${picture.root}</div>${parts.film}${parts.tile}</div>`,
  html`<div class="live-right">${parts.lacks}${parts.board}${parts.players}${parts.notes}</div>`,
  html`<div class="live-below">${parts.log}${parts.history}${parts.bar}${parts.share}</div>`,
  parts.said,
  paper,
);
if (may("player")) undoKeys(steps);
if (given.photos && may("player")) takeDropsAndPastes((files) => uploads.add(files));
addEventListener("beforeprint", drawPrint);
picture.img.addEventListener("load", () => !now.table.settled && picture.shape(...frameSize()));
if (view.running) {
  new News(`/api/live/${given.table}`, given.id, told, (open) => {
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
askForAreas();
