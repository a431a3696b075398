// The dispute page: a case laid out piece by piece, its answer beside it. Each game's pieces are a module in games/.
import { breakdownCard, notesCard, plain, rankingBar, winners } from "../../breakdown/breakdown.js";
import { finishCard, headline } from "../../breakdown/finish.js";
import { linesOf, litPlaces, mark, missingPlaces } from "../../breakdown/highlight.js";
import { choicesCard, readingsCard } from "../../breakdown/readings.js";
import { Case, unwritten } from "../../case/case.js";
import { editorContext, smallPicture } from "../../case/editor_context.js";
import { Keeper } from "../../case/keeper.js";
import { drawPaper } from "../../case/paper.js";
import { acceptDrops, shareCard } from "../../case/share.js";
import { redrawUndo, undoKeys } from "../../case/undo.js";
import { newId } from "../../lib/api.js";
import { button, data, html, icon, redraw, redrawInPlace, say } from "../../lib/dom.js";
import { draggable } from "../../lib/drag.js";
import { cheer } from "../../lib/fanfare.js";
import { namesList } from "../../lib/player_fields.js";
import { know } from "../../lib/players.js";
import { whenFree } from "../../lib/redraw_gate.js";
import { inSight } from "../../lib/strip.js";
import { alarm } from "../../lib/widgets.js";
import { emptyCase, join, playerCard } from "./players.js";

const given = { ...data("given"), opened: Date.now() };
know(given.people);
const { default: game } = await import(`/games/${given.game}/editor.js`);

const MOST_PLAYERS = 8;
const SIGHT = 40;
const view = { player: 0, line: null, note: null, piece: null, message: given.message, link: null, played: false };
/** Whether the game has a winner, and whether the result stands on top: nothing is entered below it any more. */
Object.assign(view, { over: false, onTop: false, opened: Boolean(given.there) });
const root = document.getElementById("case");
const PARTS = ["top", "messages", "editor", "answer", "share", "peek", "paper"];
const parts = Object.fromEntries(PARTS.map((name) => [name, html`<div class="case-${name}"></div>`]));
const said = html`<p class="only-read" role="status"></p>`;

const context = editorContext(given, {
  get state() {
    return table.state;
  },
  get at() {
    return view.player;
  },
  get chosen() {
    return view.piece;
  },
  /** The places that stand lit: of a line, or of a note. */
  get lit() {
    return litPlaces(table.outcome, view.line, view.note);
  },
  line: () => (view.line ? table.outcome.scores[view.line[0]]?.lines[view.line[1]] : null),
  change: (edit, options) =>
    table.change((state) => {
      const before = structuredClone(state);
      edit(state);
      game.settle?.(before, state, context);
    }, options),
  choose: (place) => {
    Object.assign(view, { piece: place, line: null, note: null });
    drawAll();
    parts.editor.querySelector(".actions")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  },
  turn: choosePlayer,
  redraw: () => drawEditor(),
  complain: (message) => complain(message),
});

await game.begin?.(context);
const before = unwritten(given.game) ?? given.state;
const table = new Case(
  before ? { ...before, players: before.players ?? [] } : emptyCase(game, context, ["A", "B"]),
  told,
  new Keeper({ match: given.match, there: given.there, failed: (message) => complain(message) }),
);
const history = {
  known: () => table.keeper.known(),
  undo: () => table.undo(),
  redo: () => table.redo(),
  get undoes() {
    return changeWords(table.steps.undo);
  },
  get redoes() {
    return changeWords(table.steps.redo);
  },
};

const desk = { table, game, context, history, choose: choosePlayer, draw: drawAll, complain };

/** What a step changes, in words: `Aki: opened sets`; undefined where there is none. */
function changeWords(step) {
  if (!step) return undefined;
  const [player, field] = step;
  const what = given.fields?.[field] ?? say(`undo.${field === "players" ? "players" : "entry"}`);
  return player === null ? what : say("undo.of", { name: table.state.players[player]?.name, what });
}

function told(what) {
  if (what === "steps") return whenFree(drawSteps);
  if (what === "state") {
    view.player = Math.min(view.player, Math.max(0, table.state.players.length - 1));
    Object.assign(view, { line: null, note: null, link: null, message: null });
    whenFree(drawShare);
  }
  if (what !== "state") whenFree(drawAnswer);
  if (what !== "answer" && !game.stroke?.()) whenFree(drawEditor);
}

function start() {
  root.replaceChildren(
    parts.top,
    parts.messages,
    html`
    <div class="desk">
      <div class="desk-left">${parts.editor}</div>
      <div class="desk-right">${parts.answer}${parts.share}</div>
    </div>`,
    parts.peek,
    parts.paper,
    said,
    namesList(given.people),
  );
  parts.editor.addEventListener("click", chooseTapped);
  parts.editor.addEventListener("keydown", (event) => game.key?.(context, event));
  parts.editor.addEventListener("pointerover", hover);
  parts.editor.addEventListener("pointerleave", hover);
  draggable(parts.editor, (source, zone, index) => game.drop?.(context, source, zone, index));
  undoKeys(history);
  addEventListener("beforeprint", drawPrint);
  addEventListener("scroll", () => requestAnimationFrame(watchSight), { passive: true });
  acceptDrops(load, refuse);
  drawAll();
  drawShare();
}

// Pieces and lines

function chooseTapped(event) {
  const place = event.target.closest("[data-place]");
  if (!place) return;
  const again = place.dataset.tap === "choose" && view.piece === place.dataset.place;
  context.choose(again ? null : place.dataset.place);
}

function hover(event) {
  if (event.pointerType !== "mouse") return;
  const place = event.type === "pointerover" ? event.target.closest?.("[data-place]")?.dataset.place : null;
  countedLines(place ?? view.piece);
}

function light() {
  lightIn(parts.editor);
  const { problem } = table.outcome;
  const asked = problem?.places ?? [problem?.place].filter(Boolean);
  for (const part of [parts.editor, parts.answer]) mark(part, "asked", asked);
  watchSight();
}

function lightIn(part) {
  mark(part, "lit", context.lit);
  mark(part, "missing", missingPlaces(table.outcome, view.line));
}

/** Whether lit pieces have to be shown in small: the line that was touched can be seen, but none of its pieces. */
function watchSight() {
  const above = parts.top.getBoundingClientRect().bottom;
  const seen = (element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && bottom > above && top < innerHeight - SIGHT;
  };
  const line = parts.answer.querySelector(".line.on");
  const pieces = [...parts.editor.querySelectorAll(".lit, .missing")];
  root.classList.toggle("peeking", line !== null && seen(line) && !pieces.some(seen));
}

function countedLines(place) {
  const counted = linesOf(table.outcome.scores, place ? [place] : []);
  for (const line of parts.answer.querySelectorAll("[data-line]")) {
    line.classList.toggle("counted", counted.has(line.dataset.line));
  }
}

function lightLine(player, line) {
  const off = view.line?.[0] === player && view.line?.[1] === line;
  Object.assign(view, { line: off ? null : [player, line], note: null, piece: null, player });
  game.show?.(context);
  drawAll();
  showPieces();
}

function lightNote(note) {
  Object.assign(view, { note: view.note === note ? null : note, line: null, piece: null });
  const player = /^\/players\/(\d+)/.exec(context.lit[0] ?? "")?.[1];
  if (player) view.player = Number(player);
  drawAll();
  showPieces();
}

function showPieces() {
  parts.answer.querySelector(".pieces-below")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

// Drawing

function drawEditor() {
  const { players } = table.state;
  const title = html`<h2 class="only-read">${given.name}</h2>`;
  redrawInPlace(parts.editor, title, game.table?.(context), players.length > 0 && playerCard(desk));
  drawTop();
  light();
  drawPeek();
}

/** What can be taken back has changed. */
function drawSteps() {
  redrawUndo(parts.editor, history);
  if (isPlayed() !== view.played) drawAnswer();
}

/** Whether anything was entered, or was there when the page was opened. */
function isPlayed() {
  return Boolean(table.steps.undo ?? given.state);
}

function drawAll() {
  drawEditor();
  drawAnswer();
}

function drawTop() {
  const add = table.state.players.length < MOST_PLAYERS && addPlayer;
  const before = (i) => game.before?.(table.state, i);
  const bar = rankingBar(table.outcome, { chosen: view.player, choose: choosePlayer, add, before });
  const draw = () => redraw(parts.top, html`<h1 class="only-read">${given.name}</h1>`, bar, wonBelow());
  inSight(() => parts.top.querySelector(".ranking"), ".rank.on", draw);
}

/** Who has won, in sight while the result stands below all that is entered. */
function wonBelow() {
  const { answer, current } = table.outcome;
  if (!view.over || view.onTop || !current) return null;
  const go = () => parts.answer.querySelector(".finish")?.scrollIntoView({ block: "center", behavior: "smooth" });
  return html`
    <button class="won-below" data-key="to-result" onclick=${go}>
      <span class="crown" aria-hidden="true"></span><span>${headline(answer)}</span>
    </button>`;
}

function drawAnswer() {
  const { outcome, trouble } = table;
  const i = view.player;
  const result = finish();
  if (outcome.current) view.opened &&= view.over;
  // Somebody said so, or it was over when it was opened: nothing more is entered.
  view.onTop = outcome.current && (table.state.goes_on === false || view.opened);
  const { onTop } = view;
  drawTop();
  redraw(
    parts.messages,
    view.message && alarm(view.message, () => complain(null)),
    trouble && offline(trouble),
    table.keeper.gone && deleted(),
    last(),
    onTop && result,
  );
  redrawInPlace(
    parts.answer,
    unfinished(),
    breakdownCard(outcome, i, {
      light: lightLine,
      lit: view.line?.[0] === i ? view.line[1] : null,
      pieces: piecesBelow,
      foot: outcome.current && html`<p class="small winners">${winners(outcome.answer)}</p>`,
    }),
    choicesCard(outcome, i, { term: context.term, order: context.box.colors ?? [], change: context.edit }),
    readingsCard(outcome, given.questions, context.change),
    notesCard(outcome, { chosen: view.note, light: lightNote, pieces: piecesBelow }),
    !onTop && result,
  );
  countedLines(view.piece);
  light();
  if (game.lights && view.line) drawEditor();
  else drawPeek();
  const totals = outcome.scores.filter(Boolean).map((player) => `${player.name}: ${plain(player.total)}`);
  const { problem } = outcome;
  const spoken = problem ? `${say("dispute.unfinished")} ${problem.message}` : totals.join(say("list.comma"));
  if (said.textContent !== spoken) said.textContent = spoken;
}

/** The end of the game, or of a short game of its match: the result, and what comes next. */
function finish() {
  const { outcome, state } = table;
  view.played = isPlayed();
  const settled = outcome.current && view.played;
  const over = settled && outcome.answer.winners.length > 0;
  view.over = over;
  const next = outcome.current && !over && game.next?.(state, outcome.answer);
  const main = (key, words, act) => button(key, say(words), act, { kind: "main-action" });
  const end = () =>
    table.change((game) => {
      game.goes_on = false;
      given.ended = Date.now();
      cheer();
      scrollTo({ top: 0, behavior: "smooth" });
    });
  if (!over && !next) return settled && state.goes_on && html`<p class="row">${main("over", "finish.over", end)}</p>`;
  const begun = given.begun ? given.begun * 1000 : given.opened;
  const ended = given.ended ?? null;
  const how = { game: given.game, name: given.name, begun, ended, id: table.keeper.id, over };
  const { next: there, match, id } = table.keeper;
  const [key, words] = next ? ["next-short-game", "finish.next"] : ["new-game", there ? "finish.begun" : "finish.new"];
  const go = () => html`<a class="button main-action" data-key=${key} href=${there}>${say(words)}</a>`;
  if (there) return finishCard(outcome, { ...how, next: go() });
  const names = state.players.map(({ name }) => name);
  const anew = () => ({ ...emptyCase(game, context, names), ...game.stays?.(state) });
  const act = main(key, words, () => (next ? begin(next, match ?? id ?? newId()) : begin(anew())));
  return finishCard(outcome, { ...how, next: act });
}

function begin(state, match = null) {
  Object.assign(given, { last: null, begun: null, opened: Date.now(), ended: null });
  table.begin(state, match);
  view.player = 0;
  scrollTo(0, 0);
  drawAll();
}

/** What was tapped last at this game: to go on with, or to begin anew with its players. It stays: nothing moves away. */
function last() {
  if (!given.last) return null;
  const { address, date, players } = given.last;
  const names = players.filter(Boolean).join(say("list.comma"));
  const again = () => begin(emptyCase(game, context, players));
  return html`
    <div class="message calm last-case">
      <div>
        <p>${say("dispute.last", { names, date })}</p>
        <div class="row">
          <a class="button" href=${address} data-key="go-on">${say("dispute.go-on")}</a>
          ${button("same-players", say("dispute.same-players"), again, { kind: "plain" })}
        </div>
      </div>
    </div>`;
}

const offline = (text) => alarm([html`<p>${text}</p>`, html`<p class="small">${say("dispute.kept-here")}</p>`]);

/** It stays on this page as it is; who wants it kept says so. */
function deleted() {
  const again = button("keep-again", say("dispute.keep-again"), () => table.keeper.again(), { of: "player" });
  return alarm([html`<p>${say("dispute.deleted")}</p>`, again]);
}

function unfinished() {
  const { problem } = table.outcome;
  const words = problem && html`<p><strong>${say("dispute.unfinished")}</strong> ${problem.message}</p>`;
  return problem && html`<div class="message calm unfinished"><div>${words}</div></div>`;
}

function drawShare() {
  const how = { load, complain: refuse, again: drawShare, fresh: `/dispute/${given.game}` };
  redraw(parts.share, shareCard(view, { state: table.state, code: () => table.writeAddress(), ...how }));
}

function litPicture() {
  const lit = { lit: context.lit, line: context.line() };
  return html`<div class="peek-pieces">${smallPicture(game, given, table.state, view.player, lit)}</div>`;
}

const toEditor = () => parts.editor.scrollIntoView({ behavior: "smooth" });

/** On a phone, the lit pieces in small right below the line that was touched: there they cover nothing. */
function piecesBelow() {
  const below = html`
    <button class="pieces-below" data-key="pieces-below" aria-label=${say("dispute.peek-show")} onclick=${toEditor}>
      ${litPicture()}
    </button>`;
  lightIn(below);
  return below;
}

/** On a wide page, the same in a corner while the editor is out of sight. */
function drawPeek() {
  const shown = view.line !== null || view.note !== null;
  const close = () => context.choose(null);
  const peek = () => html`
    <aside class="peek" aria-label=${say("dispute.peek")}>
      <button class="peek-sheet" data-key="peek" aria-label=${say("dispute.peek-show")} onclick=${toEditor}>${litPicture()}</button>
      <button class="peek-close" data-key="peek-close" aria-label=${say("dismiss")} onclick=${close}>${icon("close")}</button>
    </aside>`;
  redraw(parts.peek, shown && peek());
  if (shown) lightIn(parts.peek);
}

function drawPrint() {
  const picture = (i) => smallPicture(game, given, table.state, i);
  const { link } = view;
  drawPaper(parts.paper, table.outcome, { name: given.name, picture, setup: game.setup?.(context), link });
}

function addPlayer() {
  table.change((state) => join(game, context, state));
  choosePlayer(table.state.players.length - 1);
}

function choosePlayer(i) {
  Object.assign(view, { player: i, line: null, note: null, piece: null });
  drawAll();
}

// Files, messages, keys

/** A file is another case: what this one has stays as it is, on all devices. */
function load({ address }) {
  location.assign(address);
}

function complain(message) {
  view.message = message;
  drawAnswer();
}

/** What was asked for here was refused: the words stand at the top, and who asked may be far below. */
function refuse(message) {
  complain(message);
  parts.messages.scrollIntoView({ block: "center", behavior: "smooth" });
}

start();
