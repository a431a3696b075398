// The live table: the picture with the reading, everyone's points, what people add, and how it went.
import { plain } from "../../breakdown/breakdown.js";
import { headline } from "../../breakdown/finish.js";
import { dueCard } from "../../breakdown/game_log.js";
import { smallPicture } from "../../case/editor_context.js";
import { drawPaper } from "../../case/paper.js";
import { misreadLink, shareCard } from "../../case/share.js";
import { undoKeys } from "../../case/undo.js";
import { Overlay } from "../../evidence/overlay.js";
import { center } from "../../evidence/pieces.js";
import { begin, get, newId, post } from "../../lib/api.js";
import { data, html, may, redraw, say } from "../../lib/dom.js";
import { cheer } from "../../lib/fanfare.js";
import { News } from "../../lib/news.js";
import { know } from "../../lib/players.js";
import { whenFree, whenTold } from "../../lib/redraw_gate.js";
import { Unsent } from "../../lib/unsent.js";
import { Voice } from "../../lib/voice.js";
import { alarm } from "../../lib/widgets.js";
import { hasTouch, photoButton, takeDropsAndPastes, Uploads } from "../photo/uploads.js";
import { Entries } from "./entries.js";
import { forgottenCard, saysForgotten } from "./forgotten.js";
import { setBig } from "./from_a_chair.js";
import { keepInView } from "./in_view.js";
import { lacks } from "./lacks.js";
import { LiveTable, outcomeIn } from "./live_table.js";
import { PieceBar } from "./piece_bar.js";
import { drawScores, isOver } from "./scores.js";
import { seen } from "./seen.js";
import { doubtsButton, statusBanner } from "./status_banner.js";
import { Timeline } from "./timeline.js";
import { newGameButton, toolbar } from "./toolbar.js";
import { Zones } from "./zones.js";

const given = data("given");
const { default: game } = await import(`/games/${given.game}/editor.js`);

const MOVED = 6000;
const WAIT_TO_SAY = 700;
const API = `/api/live/${given.table}`;
const MOVING = { moving: `/live/${given.table}/picture.mjpg`, still: `/live/${given.table}/frame.jpg` };
const root = document.getElementById("live");
const live = new LiveTable(given);
know(live.table.people);
const PARTS = "end banner uploads picture film tile lacks board due notes players log history bar share said".split(
  " ",
);
const parts = Object.fromEntries(PARTS.map((name) => [name, html`<div class="live-${name}"></div>`]));
const paper = html`<div class="case-paper"></div>`;
parts.said.setAttribute("role", "status");
parts.said.classList.add("only-read");
const voice = new Voice();
const steps = {
  undo: () => ask("undo"),
  redo: () => ask("redo"),
  get undoes() {
    return live.table.undo;
  },
  get redoes() {
    return live.table.redo;
  },
};

/** Photos of the table, where it is photographed and not filmed. */
const uploads = new Uploads({
  kept: given.table,
  address: () => `${API}/photos`,
  done: (_, all) => told("all", all),
  changed: () => whenFree(drawUploads),
});
const unsent = new Unsent(
  `entries ${given.table}`,
  (change) => post(`${API}/entries`, change),
  async () => (await attempt(() => unsent.flush())) && entries.arrived(),
);
const enter = (change) => attempt(() => unsent.say({ ...change, once: newId() }));
const picture = new Overlay({ moving: MOVING, touched: touch });
const saySo = async (said, goOn) => {
  live.restore = null;
  if ((await sayPieces(said)) && goOn && live.questions.length) nextDoubt();
};
const pieceBar = new PieceBar(live, saySo, (zone) => {
  live.apart.add(zone);
  draw();
});
const entries = new Entries(live, game, {
  send: enter,
  waits: () => unsent.waiting.length > 0,
  changed: () => {
    drawPoints();
    whenTold(drawEntries);
  },
});
const drawEntries = () => entries.dialog.open && entries.draw();
const toPicture = () => picture.root.scrollIntoView({ behavior: "smooth", block: "nearest" });
const timeline = new Timeline(live, parts, { lookBack, settle: (body) => ask("move", body), draw, toPicture });
const zones = new Zones(picture, live, {
  ask,
  complain,
  done: () => {
    draw();
    scrollTo(0, 0); // where the areas were drawn there is nothing left to see
  },
});

// News

/** What this device can take back, told before each table. */
let own = {};
function told(what, body) {
  const wasNew = live.status.new;
  if (live.gone) return;
  if (what === "gone") return forgotten();
  if (what === "all" && !live.running) {
    if (body.status.phase !== "stopped") location.reload(); // it is followed again
    return;
  }
  if (what === "steps") {
    own = body;
    return;
  }
  if (what === "table") take({ ...own, ...body });
  else live.hear(what, what === "all" ? { ...body, table: { ...own, ...body.table } } : body);
  if (what !== "status") return whenFree(what === "row" ? drawRow : draw);
  if (wasNew !== live.status.new) whenFree(drawPoints);
  whenFree(drawStatus);
}

/** Another table: say how the points moved. */
function take(table) {
  const was = live.table.settled;
  const { moved, scores } = live.take(table);
  const ends = was && table.settled && !isOver(outcomeIn(was)) && isOver(outcomeIn(table.settled));
  if (live.at === null && ends)
    whenFree(() => {
      scrollTo({ top: 0, behavior: "smooth" }); // the result opens by itself
      cheer();
    });
  const differs = Object.values(moved).some(Boolean);
  if (differs) {
    live.moved = moved;
    clearTimeout(live.fading);
    live.fading = setTimeout(() => {
      live.moved = {};
      drawPoints();
    }, MOVED);
    const totals = scores.filter(Boolean).map(({ name, total }) => `${name} ${plain(total)}`);
    parts.said.textContent = say("live.now", { totals: totals.join(", ") });
  }
  const ended = ends ? headline(outcomeIn(table.settled).answer) : null;
  if (differs || ends) voice.tell(scores, moved, was.number === table.settled.number, ended);
  if (live.at === null) keepInView(live, was, table.settled);
  whenTold(drawEntries);
}

// What people do

async function attempt(work) {
  try {
    const table = await work();
    live.trouble = null;
    live.behind = unsent.waiting.length > 0;
    entries.complain(null);
    if (table?.settled !== undefined) {
      take(table);
      draw();
    }
    return true;
  } catch (error) {
    if (saysForgotten(error)) forgotten();
    live.behind = unsent.waiting.length > 0;
    complain(error.message);
    if (live.behind) drawPoints();
    entries.complain(error.message);
    return false;
  }
}

/** Ask the companion to do something with the table; whether it did. */
function ask(what, body) {
  return attempt(() => post(`${API}/${what}`, body));
}

function complain(message) {
  live.trouble = message;
  drawStatus();
}

function forgotten() {
  Object.assign(live, { gone: true, running: false });
  entries.dialog.close();
  picture.look(null);
  setBig(false);
  root.replaceChildren(forgottenCard());
}

/** Say what pieces are, each `at` a point: a tile's `color`, or a `card`'s number in the game's list (null: there is none). */
async function sayPieces(pieces) {
  const row = live.at;
  live.piece = null;
  const done = await ask("pieces", { ...(row === null ? {} : { row }), pieces });
  if (row !== null && row === live.at) await lookBack(row);
  return done;
}

function touch(piece, gone) {
  const restore = gone && live.at === null ? gone.dataset.gone.split(",").map(Number) : null;
  live.choose({ restore, piece: restore || piece === live.piece ? null : piece });
  draw();
  parts.tile.scrollIntoView({ block: "nearest" });
}

/** Light the pieces that a note is about. */
function lightNote(note) {
  live.toggle("note", note);
  draw();
  if (live.note) toPicture();
}

function light(p, l) {
  live.toggle("line", [p, l]);
  draw();
}

async function lookBack(number) {
  const move = timeline.film.on ? null : live.move;
  const show = (change) => {
    live.choose({ move });
    Object.assign(live, { link: null }, change);
  };
  if (number === null) {
    show({ at: null, old: null });
    return draw();
  }
  live.at = number;
  live.old ??= live.table.settled;
  timeline.drawHistory();
  await attempt(async () => {
    const old = await get(`${API}/rows/${number}`);
    if (live.at === number) show({ old });
  });
  draw();
}

/** The next short game of the match, where the one on the table is counted and the match goes on. */
function nextOfMatch() {
  const { current, answer, state } = live.isNow && live.shown ? live.outcome : {};
  return current && !answer.winners.length ? game.next?.(state, answer) : null;
}

async function newGame() {
  const next = nextOfMatch();
  const over = live.shown && isOver(live.outcome); // what is over is kept in any case: nobody has to be asked
  if (!over && !confirm(say(next ? "live.next-sure" : "live.new-game-sure"))) return;
  const zones = live.table.settled?.players;
  live.choose();
  if ((await ask("new-game")) && next) {
    const { game: _, players, ...table } = next;
    await enter({ table, players: Object.fromEntries(players.map(({ points }, p) => [zones[p], { points }])) });
  }
  draw();
}

function startZones() {
  if (!zones.on) {
    live.choose();
    zones.begin();
    draw();
  }
  picture.root.scrollIntoView({ block: "start" }); // areas are drawn on it
}

async function followAgain() {
  if (await attempt(() => begin(`${API}/again`))) location.reload();
}

/** Show the next question: after the one that is shown, else the one that matters most. */
function nextDoubt() {
  const open = live.questions.map(({ piece }) => piece);
  if (!open.length) return;
  live.choose({ piece: open[(open.indexOf(live.piece) + 1) % open.length] });
  draw();
  parts.tile.querySelector("button")?.focus({ preventScroll: true });
  parts.tile.scrollIntoView({ block: "nearest" });
}

// Drawing

function draw() {
  drawUploads();
  drawStatus();
  drawPicture();
  drawPoints();
  timeline.drawHistory();
  timeline.drawFilm();
  drawBar();
}

function drawUploads() {
  const add = (files) => uploads.add(files);
  const camera = () => photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera" }, add);
  const file = () => photoButton({ label: say("photo.files"), multiple: true, main: !hasTouch(), id: "files" }, add);
  const takes = given.photos && live.running;
  redraw(parts.uploads, takes && html`<div class="row" data-for="player">${camera()}${file()}</div>`, uploads.list());
}

function drawStatus() {
  const { status, questions } = live;
  root.dataset.phase = live.at !== null ? "past" : status.phase;
  root.toggleAttribute("data-new", Boolean(status.new) && live.at === null);
  const asking = live.piece !== null && questions.some(({ piece }) => piece === live.piece);
  redraw(
    parts.banner,
    statusBanner(live, { to: lookBack, again: followAgain, count: () => ask("move", { as_it_lies: true }) }),
    questions.length > 0 && !zones.on && !asking && doubtsButton(questions.length, nextDoubt),
    trouble(),
  );
}

/** What went wrong, and what waits on the device therefore: without a line one message says so, not two. */
function trouble() {
  if (!live.trouble) return null;
  const n = unsent.waiting.length;
  if (!n) return alarm(live.trouble, () => complain(null));
  return alarm([!live.offline && html`<p>${live.trouble}</p>`, html`<p>${say("play.unsaved", { n })}</p>`]);
}

/** A row more, and where the table is photographed, with its photo. */
function drawRow() {
  timeline.drawHistory();
  drawPicture();
}

function drawPicture() {
  const { shown, lit, missing } = live;
  const kept = live.at === null ? live.rows.at(-1)?.photo : live.old?.photo;
  picture.look(live.isNow && !given.photos ? "live" : kept ? `/photos/${kept}.jpg` : null);
  picture.root.classList.toggle("line-on", lit.size > 0);
  const words = (tile) => pieceBar.words(tile);
  picture.draw(shown && seen(live, shown, words), { lit, missing, chosen: live.piece });
  const nothing = live.line && lit.size === 0 && html`<p class="tile-bar quiet">${say("live.no-tiles")}</p>`;
  redraw(parts.tile, zones.on ? zones.bar : [chosenPiece(shown), nothing]);
}

/** What is known of the chosen tile or card, and what it may be instead; what a piece was that is gone. */
function chosenPiece(shown) {
  if (live.restore && live.at === null) return pieceBar.gone(live.restore);
  if (live.piece === null || !shown) return null;
  return pieceBar.of(shown, live.piece, pictureOf(shown), live.running);
}

/** The picture of a state. */
function pictureOf(shown) {
  const image = shown.photo ?? live.photoOf(shown.number);
  return image ? `/photos/${image}.jpg` : `${MOVING.still}?${shown.number}`;
}

/** What a table still lacks, and the points. */
function drawPoints() {
  const on = {
    take: async (players) => {
      const saved = await zones.save({ ...live.table.profile, ...live.proposed });
      return saved && (!Object.keys(players).length || enter({ players }));
    },
    sit: (seats) => ask("seats", seats),
    name: (zone, name) => {
      live.seats = { ...live.seats, [zone]: name };
      drawPicture();
    },
    complain,
    draw,
    picture: pictureOf,
    look: (piece) => {
      live.choose({ piece });
      draw();
      parts.tile.scrollIntoView({ block: "nearest" });
    },
    right: (cards) =>
      sayPieces(cards.map(({ label, polygon }) => ({ at: center(polygon), card: given.cards.indexOf(label) }))),
    change: startZones,
    refuse: () => {
      live.refused = Object.keys(live.proposed).join();
      draw();
    },
    ask: () => entries.show(null),
    secrets: (state) => game.secrets?.(state, { box: given.box, term: (key) => live.term(key) }) ?? [],
    tell: (player, key, value) => enter({ players: { [live.shown.players[player]]: { [key]: value } } }),
  };
  const settle = (body) => ask("move", body);
  redraw(parts.lacks, lacks(live, on));
  redraw(parts.due, dueCard(live.game, { running: live.isNow && !live.drawing, settle }));
  drawScores(parts, live, { light, lightNote, entries, again: () => newGameButton(newGame, null, "main-action") });
}

/** What can be done with the whole table, and how it is handed on. */
function drawBar() {
  const over = () => enter({ table: { goes_on: false } });
  const on = {
    steps,
    entries: () => entries.show(null),
    zones: startZones,
    over,
    newGame,
    next: nextOfMatch(),
    stop: () => ask("stop"),
  };
  redraw(parts.bar, toolbar(live, on));
  const { shown } = live;
  const photo = live.photoOf(shown?.number);
  const misread = photo && misreadLink(`/live/${given.table}/misread.zip?row=${shown.number}`);
  const how = { complain, again: drawBar, more: [voice.button(drawBar), misread] };
  redraw(parts.share, shown && shareCard(live, { state: shown.case.state, row: live.at, ...how }));
}

function drawPrint() {
  const { shown, link } = live;
  if (!shown) return;
  const small = (i) => smallPicture(game, given, shown.case.state, i);
  drawPaper(paper, outcomeIn(shown), { name: given.name, picture: small, link, problems: shown.case.problems });
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || entries.dialog.open) return;
  setBig(false);
  live.choose();
  draw();
});

root.replaceChildren(
  parts.end,
  html`<div class="live-left"><h1 class="only-read">${given.name}</h1>${parts.banner}${parts.uploads}<div class="stage">${picture.root}</div>${parts.film}${parts.tile}</div>`,
  html`<div class="live-right">${parts.lacks}${parts.board}${parts.due}${parts.players}${parts.notes}</div>`,
  html`<div class="live-below">${parts.log}${parts.history}${parts.bar}${parts.share}</div>`,
  parts.said,
  paper,
);
if (may("player")) undoKeys(steps);
if (given.photos && may("player")) takeDropsAndPastes((files) => uploads.add(files));
addEventListener("beforeprint", drawPrint);
picture.img.addEventListener("load", () => {
  if (!live.table.settled) picture.shape(...picture.size);
  if (zones.on && !zones.placed) zones.draw();
});
draw();
// Photos end at no time: their table is there again, and shows its last photo until then.
if (given.photos && !given.id && may("player")) await attempt(() => post(`${API}/open`));
new News(API, given.id, told, (open) => {
  clearTimeout(live.late);
  if (open === !live.offline) return;
  const tell = () => {
    live.offline = !open;
    drawStatus();
  };
  live.late = setTimeout(tell, open ? 0 : WAIT_TO_SAY);
});
// A row of an earlier game is asked for by the address.
const row = Number(new URLSearchParams(location.search).get("row") ?? Number.NaN);
const begunSince = !live.table.settled || live.rows.some(({ number, first }) => first && number > row);
if (begunSince && live.rows.some(({ number }) => number === row)) lookBack(row);
