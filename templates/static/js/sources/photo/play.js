// The page of a play: photos of sheets in, readings corrected, points out.
import { breakdownCard, notesCard, plain, rankingBar, winners } from "../../breakdown/breakdown.js";
import { finishCard } from "../../breakdown/finish.js";
import { dueCard, logCard } from "../../breakdown/game_log.js";
import { linesOf } from "../../breakdown/highlight.js";
import { readingsCard } from "../../breakdown/readings.js";
import { drawPaper } from "../../case/paper.js";
import { misreadLink, shareCard } from "../../case/share.js";
import { undoButtons, undoKeys } from "../../case/undo.js";
import { drawSheet, flatFrame } from "../../evidence/sheet.js";
import { post } from "../../lib/api.js";
import { button, data, html, icon, may, redraw, say } from "../../lib/dom.js";
import { Edits } from "../../lib/edits.js";
import { cheer } from "../../lib/fanfare.js";
import { News } from "../../lib/news.js";
import { know } from "../../lib/players.js";
import { whenTold } from "../../lib/redraw_gate.js";
import { inSight } from "../../lib/strip.js";
import { alarm, fold } from "../../lib/widgets.js";
import { cardPieces } from "./card_pieces.js";
import { entriesCard } from "./entries.js";
import { Following } from "./following.js";
import { Photos } from "./photos.js";
import { photoMenus, photoPlaces } from "./places.js";
import { PlayView, UNLIT } from "./play_view.js";
import { addPlayer, playerCard } from "./player_card.js";
import { sheetColumn } from "./sheet_column.js";
import { movingPicture, wide } from "./sheet_panes.js";
import { stepsInResult, tabs, todo, topicOf } from "./todo.js";
import { hasTouch, takeDropsAndPastes } from "./uploads.js";

const root = document.getElementById("play");
const paper = html`<div class="case-paper"></div>`;
const said = html`<p class="only-read" role="status"></p>`;
const shown = html`<div class="play"></div>`;
const address = `/api/in-the-ruin/plays/${data("view").id}`;
const table = new Edits(data("view"), () => whenTold(render), { address });
const play = new PlayView(table, render);
const photos = new Photos(play);
const following = new Following(table);
let totals = null;
let over = null;
/** When the last thing was there, in milliseconds, where this page saw it. */
let ended = null;

function render() {
  know(table.view.people);
  const player = play.current;
  play.keep();
  if (over === false && play.isOver) opened();
  over = play.isOver;
  root.dataset.tab = play.tab;
  root.dataset.topic = player ? topicOf(play, player) : "";
  root.toggleAttribute("data-many", play.players.length > 2);
  root.toggleAttribute("data-folded", play.isFolded);
  root.toggleAttribute("data-unsent", table.waiting.length > 0);
  const how = {
    player,
    stage: play.stage,
    add: (...more) => photos.add(...more),
    move: (from, to) => photos.move(from, to),
    drop: (from) => photos.drop(from),
    look: (id, stage) => play.show({ ...UNLIT, player: id, stage }),
  };
  const menus = photoMenus(table.view, how);
  const places = photoPlaces(table.view, how, wide.matches && menus);
  const draw = () =>
    redraw(
      shown,
      top(),
      play.case.problem && alarm(play.case.problem.message),
      player && todo(play, player),
      player ? body(player, places, menus) : empty(places),
      player && tabs(play, player),
    );
  inSight(() => root.querySelector(".ranking"), ".rank.on", draw);
  announce();
}

/** The last thing is there: the result opens by itself. */
function opened() {
  ended = Date.now();
  Object.assign(play, { tab: "points", unfolded: false });
  scrollTo({ top: 0 });
  cheer();
}

/** Say the totals when they have changed, for those who do not see it. */
function announce() {
  const now = play.outcome.scores
    .filter(Boolean)
    .map(({ name, total }) => `${name}: ${plain(total)}`)
    .join(say("list.comma"));
  if (totals !== null && totals !== now) said.textContent = now;
  if (totals !== now) play.link = null;
  totals = now;
}

const join = () => addPlayer(play);

function top() {
  const { players } = play;
  const bar = () =>
    rankingBar(play.outcome, {
      chosen: players.indexOf(play.current),
      choose: (i) => play.show({ ...UNLIT, player: players[i].id, goalStart: null }),
      add: may("player") && join,
      keyOf: (i) => players[i].id,
      names: players.map(({ name }) => name),
    });
  const n = table.waiting.length;
  const message = table.problem?.message ?? play.message;
  const told = photos.uploads.items.some((item) => item.message === message); // the photos that wait say the same
  return html`
    <div class="top">
      <h1 class="only-read">${say("play.title")}</h1>
      ${players.length > 0 && bar()}
      ${message && (n > 0 || !told) && alarm([!told && html`<p>${message}</p>`, n > 0 && html`<p class="small">${say("play.unsaved", { n })}</p>`])}
      ${photos.uploads.items.length > 0 && html`<div class="stack uploads">${photos.uploads.list()}</div>`}
    </div>`;
}

const empty = (places) => html`
  <section class="card empty">
    <h2>${say("play.empty")}</h2>
    <p>${say("play.empty-about")}</p>
    ${places}
    ${!hasTouch() && html`<p class="quiet small">${say("play.drop")}</p>`}
    ${play.undoes && html`<div class="steps" data-for="player">${undoButtons(play)}</div>`}
    ${movingPicture(play, following)}${following.card()}
    ${button("by-hand-first", say("play.no-photo"), join, { kind: "plain", sign: "hand", of: "player" })}
  </section>`;

/** A card that a phone folds, so that its screen is one. */
const folded = (key, title, card, open = false) =>
  !card || wide.matches ? card : html`<div class="card folding">${fold(title, key, open, card)}</div>`;

function body(player, places, menus) {
  const { case: view } = play;
  const i = play.seatOf(player);
  const problems = view.problems.map(({ message }) => ({ message, shown: false }));
  const light = (note) => play.light("note", note);
  const entries = entriesCard(table.view, player, {
    goalStart: play.goalStart,
    startGoal: (goalStart) => play.show({ goalStart }),
    tell: (edit, now) => table.say(edit, now),
    firstPhoto: () => play.chooseStage("first", "photo"),
    joined: joined(i),
  });
  const log = gameLog();
  const readings = view.state && readingsCard(play.scored, table.view.questions ?? [], may("player") && takeReading);
  const shared = view.state && folded("share", say("dispute.share"), share(player));
  return html`
    <div class="body">
      ${sheetColumn(play, player, photos, movingPicture(play, following))}
      <div class="side" data-of="points">
        ${play.isOver && [finish(), shared]}
        ${following.on && [dueCard(table.view.game, { running: true }), log]}
        ${view.state && i >= 0 && (play.isOver ? folded("points", say("play.lines", player), points(player, i)) : points(player, i))}
        ${view.state && folded("notes", notesTitle(problems), notesCard(play.scored, { chosen: play.note, light, problems }))}
        ${view.state && folded("readings", say("dispute.readings"), readings)}
        ${!play.isOver && !wide.matches && shared}
      </div>
      <div class="below">
        ${!following.on && html`<div data-of="points">${dueCard(table.view.game, { running: true })}${log}</div>`}
        ${entries}
        <div class="stack" data-of="photo">
          ${places}
          <div class="photo-folds">
            ${folded("player", player.name, html`<div>${!wide.matches && menus}${playerCard(play, player)}</div>`)}${following.card()}
          </div>
        </div>
        ${!play.isOver && wide.matches && shared}
      </div>
    </div>`;
}

/** Folded notes: whether something is wrong with what was seen, and how many there are. */
const notesTitle = (problems) => [
  problems.length > 0 && icon("warn"),
  html`<span>${say("notes.title")} <span class="quiet">${problems.length + (play.scored.current ? play.scored.notes.length : 0)}</span></span>`,
];

/** On a phone the map is folded where the result stands. */
const mapButton = () =>
  html`<span class="unfold">${button("unfold", say(play.isFolded ? "play.unfold" : "play.fold"), () => play.show({ ...UNLIT, unfolded: play.isFolded }))}</span>`;

function points(player, i) {
  const own = { ...play.scored, waiting: play.case.so_far?.waiting ?? [] };
  const stays = player.so_far && html`<p class="small"><span class="tag warn">${say("points.so-far")}</span></p>`;
  const wins = own.current && play.isOver && html`<p class="small winners">${winners(own.answer)}</p>`;
  return breakdownCard(own, i, {
    light: (seat, line) => play.light("line", [seat, line]),
    lit: play.line?.[0] === i ? play.line[1] : null,
    counted: play.cell && linesOf(own.scores, play.cellPlaces(play.cell)),
    foot: [stays, wins],
  });
}

const gameLog = () =>
  logCard(table.view.game, {
    running: true,
    settle: ({ n = null, question, choice }) =>
      table.say(question ? { kind: "which-move", question, choice } : { kind: "no-move", n }),
    file: `/in-the-ruin/plays/${table.view.id}/game.jsonl`,
    go: (move) => play.light("move", move.n),
    place: ({ n }) => (n === play.move ? "on" : ""),
    more: table.view.game && pieces(),
  });

/** The pieces of the round that was turned to (until the next one is due), else of the lit move's, else of the next. */
function pieces() {
  const { pieces: known, moves } = table.view.game;
  const turned = play.round?.due === known.due ? play.round.shown : null;
  const round = turned ?? moves.find(({ n }) => n === play.move)?.round ?? known.due;
  const turn = (shown) => play.show({ round: { shown, due: known.due } });
  const tell = (piece) => {
    turn(round);
    table.say({ kind: "piece", round, piece }, () => (known.told[round] = piece));
  };
  const last = Math.max(known.due, ...moves.map((move) => move.round));
  return cardPieces(known, round, { last, turn, tell });
}

/** The goal cards, by their place, that a player's sheet joins. */
function joined(i) {
  const lines = play.case.answer?.players[i]?.lines.filter(({ key }) => key === "ruin.route.joined") ?? [];
  const cards = lines.flatMap(({ because }) => because.map((place) => /\/goals\/(\d+)/.exec(place)?.[1]));
  return new Set(cards.filter(Boolean).map(Number));
}

function finish() {
  const again = async () => {
    const how = { sheet: table.view.sheet.file, players: table.view.id };
    location.assign(`/in-the-ruin/plays/${(await post("/api/in-the-ruin/plays", how)).play}`);
  };
  const begin = () => again().catch((error) => play.complain(error));
  const next = button("new-game", say("finish.new"), begin, { kind: "main-action", of: "player" });
  const { started, id } = table.view;
  return finishCard(play.scored, {
    game: "in-the-ruin",
    name: say("play.name"),
    begun: started * 1000,
    ended,
    id,
    next: [
      next,
      mapButton(),
      stepsInResult(play) && html`<span class="steps" data-for="player">${undoButtons(play)}</span>`,
    ],
  });
}

/** Another reading of the rulebook, as scoring's state says it. */
function takeReading(edit) {
  const next = structuredClone(play.case.state);
  edit(next);
  const [before, after] = [play.case.state.house_rules ?? {}, next.house_rules ?? {}];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] !== after[name]) table.say({ kind: "house-rule", name, reading: after[name] ?? null });
  }
}

function share(player) {
  const { read, photo } = player.sheets[play.stage];
  const misread = `/in-the-ruin/plays/${table.view.id}/${player.id}/${play.stage}.zip`;
  const complain = (message) => play.show({ message });
  return shareCard(play, {
    state: play.case.state,
    complain,
    again: render,
    more: [read && photo && misreadLink(misread)],
  });
}

function drawPrint() {
  if (!play.case.state) return;
  const { sheet: profile } = table.view;
  const look = { id: () => "", lit: new Set(), missing: new Set(), marks: true };
  const map = (sheet) => sheet.known && drawSheet(flatFrame(profile, sheet, false), profile, sheet, look);
  const picture = (i) => {
    const { first, end } = play.seated[i].sheets;
    return html`<div class="picture-maps">${[first, end].map(map)}</div>`;
  };
  drawPaper(paper, play.scored, { name: say("play.title"), picture, link: play.link, problems: play.case.problems });
}

root.replaceChildren(shown, said, paper);
if (may("player")) {
  takeDropsAndPastes((files) => {
    const { current, stage } = play;
    photos.add(files, files.length === 1 && current && !current.sheets[stage].known ? current.id : null);
  });
  undoKeys(play);
}
let own = table.view.steps;
const hear = (event, view) => {
  if (event === "steps") own = view;
  else if (event === "all") table.hear({ ...view, steps: view.steps ?? own });
  else play.show({ message: say("play.gone") });
};
new News(table.address, data("heard"), hear, (open) => following.line(open));
wide.addEventListener("change", render);
addEventListener("beforeprint", drawPrint);
render();
