// The dispute page: a case laid out piece by piece, its answer beside it. Each game's pieces are a module in games/.
import { data, html, icon, redraw, say } from "../lib/dom.js";
import { inSight } from "../lib/strip.js";
import { breakdownCard, notesCard, plain, rankingBar } from "./breakdown.js";
import { Case, unwritten } from "./case.js";
import { draggable } from "./drag.js";
import { whenFree } from "./finger.js";
import { linesOf, mark } from "./light.js";
import { fitPaper, paper } from "./paper.js";
import { choicesCard, readingsCard } from "./readings.js";
import { acceptDrops, shareCard } from "./share.js";

const given = data("given");
const { default: game } = await import(`/games/${given.game}/editor.js`);

const MOST_PLAYERS = 8;
const SIGHT = 40;
const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const view = { player: 0, line: null, note: null, piece: null, message: given.message, link: null };
const root = document.getElementById("case");
const parts = Object.fromEntries(
  ["top", "messages", "editor", "answer", "share", "peek", "foot", "paper"].map((name) => [
    name,
    html`<div class="case-${name}"></div>`,
  ]),
);
const said = html`<p class="only-read" role="status"></p>`;

/** What a game's module works with. */
const desk = {
  box: given.box,
  kept: given.kept,
  term: (key) => given.terms[key] ?? key.slice(key.indexOf(".") + 1),
  say: (key, values) => say(`dispute.${given.game}.${key}`, values),
  get state() {
    return table.state;
  },
  get player() {
    return table.state.players[view.player] ?? {};
  },
  get at() {
    return view.player;
  },
  get place() {
    return `/players/${view.player}`;
  },
  get chosen() {
    return view.piece;
  },
  /** The places that stand lit: of a line, or of a note. */
  get lit() {
    return litPlaces();
  },
  line: () => (view.line ? table.scores[view.line[0]]?.lines[view.line[1]] : null),
  change: (edit, options) => table.change(edit, options),
  /** Change the player who is shown. */
  edit: (edit, options) => table.change((state) => edit(state.players[view.player], state), options),
  choose: (place) => {
    Object.assign(view, { piece: place, line: null, note: null });
    drawEditor();
    drawAnswer();
  },
  redraw: () => drawEditor(),
  complain: (message) => complain(message),
};

game.begin?.(desk);
const before = unwritten(given.game) ?? given.state;
const table = new Case(before ? { ...before, players: before.players ?? [] } : withPlayers(game.start(desk), 2), told);

function told(what) {
  if (what === "state") {
    view.player = Math.min(view.player, Math.max(0, table.state.players.length - 1));
    Object.assign(view, { line: null, note: null, link: null, message: null });
    if (!game.stroke?.()) whenFree(drawEditor);
    whenFree(drawShare);
  } else {
    whenFree(drawAnswer);
  }
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
    parts.foot,
    parts.peek,
    parts.paper,
    said,
  );
  parts.editor.addEventListener("click", chooseTapped);
  parts.editor.addEventListener("keydown", (event) => game.key?.(desk, event));
  parts.editor.addEventListener("pointerover", hover);
  parts.editor.addEventListener("pointerleave", hover);
  draggable(parts.editor, {
    dropped: (source, zone, index) => game.drop?.(desk, source, zone, index),
    moving: () => {},
  });
  addEventListener("keydown", undoKeys);
  addEventListener("beforeprint", drawPaper);
  addEventListener("scroll", () => requestAnimationFrame(watchSight), { passive: true });
  acceptDrops(document.body, load, complain);
  drawEditor();
  drawAnswer();
  drawShare();
}

// Pieces and lines

function chooseTapped(event) {
  const place = event.target.closest("[data-place]");
  if (!place) return;
  const again = place.dataset.tap === "choose" && view.piece === place.dataset.place;
  desk.choose(again ? null : place.dataset.place);
}

function hover(event) {
  if (event.pointerType !== "mouse") return;
  const place = event.type === "pointerover" ? event.target.closest?.("[data-place]")?.dataset.place : null;
  countedLines(place ?? view.piece);
}

function litPlaces() {
  if (view.line) {
    const line = desk.line();
    return line ? line.because : [];
  }
  if (view.note !== null) return table.answer?.note_details[view.note]?.because ?? [];
  return [];
}

function light() {
  mark(parts.editor, "lit", litPlaces());
  mark(parts.editor, "missing", desk.line()?.gap ?? []);
  for (const part of [parts.editor, parts.answer])
    mark(part, "asked", table.problem?.place ? [table.problem.place] : []);
  watchSight();
}

/** Whether lit pieces have to be shown in small: the line that was touched can be seen, but none of its pieces. */
function watchSight() {
  const above = parts.top.getBoundingClientRect().bottom;
  const seen = (element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && bottom > above && top < innerHeight - SIGHT;
  };
  const line = parts.answer.querySelector(".line.on");
  const pieces = [...parts.editor.querySelectorAll(".lit, .missing, .gap")];
  root.classList.toggle("peeking", line !== null && seen(line) && !pieces.some(seen));
}

function countedLines(place) {
  const counted = new Set(linesOf(table.scores, place).map(([p, l]) => `${p}-${l}`));
  for (const line of parts.answer.querySelectorAll("[data-line]"))
    line.classList.toggle("counted", counted.has(line.dataset.line));
}

function lightLine(player, line) {
  const off = view.line?.[0] === player && view.line?.[1] === line;
  Object.assign(view, { line: off ? null : [player, line], note: null, piece: null, player });
  game.show?.(desk);
  drawEditor();
  drawAnswer();
  showPieces();
}

function lightNote(note) {
  const player = /^\/players\/(\d+)/.exec(table.answer.note_details[note].because[0] ?? "")?.[1];
  Object.assign(view, {
    note: view.note === note ? null : note,
    line: null,
    piece: null,
    player: player ? Number(player) : view.player,
  });
  drawEditor();
  drawAnswer();
  showPieces();
}

function showPieces() {
  parts.answer.querySelector(".pieces-below")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

// Drawing

function drawEditor() {
  const { players } = table.state;
  redraw(parts.editor, game.table?.(desk), players.length > 0 && playerCard());
  drawTop();
  light();
  drawPeek();
}

function drawTop() {
  inSight(
    () => parts.top.querySelector(".ranking"),
    ".rank.on",
    () =>
      redraw(
        parts.top,
        html`<h1 class="only-read">${given.name}</h1>`,
        rankingBar(table, view, { choose: choosePlayer, add: table.state.players.length < MOST_PLAYERS && addPlayer }),
      ),
  );
}

function drawAnswer() {
  const { message } = view;
  drawTop();
  redraw(
    parts.messages,
    message &&
      html`
      <div class="message" role="alert">
        ${icon("warn")}
        <div>${message}</div>
        <button class="button plain" data-key="message-close" onclick=${() => complain(null)}>
          ${say("dismiss")}
        </button>
      </div>`,
    table.trouble &&
      html`
      <div class="message" role="alert">
        ${icon("warn")}
        <div><p>${table.trouble}</p><p class="small">${say("dispute.kept-here")}</p></div>
      </div>`,
  );
  redraw(
    parts.answer,
    unfinished(),
    breakdownCard(table, view, { light: lightLine, pieces: piecesBelow }),
    choicesCard(
      {
        state: table.state,
        current: table.scores[view.player]?.how !== "stale",
        answer: { players: table.scores.filter(Boolean) },
      },
      view,
      { terms: desk.term, order: desk.box.colors ?? [], change: desk.edit },
    ),
    readingsCard(table, given.questions, { change: desk.change }),
    notesCard(table, view, { light: lightNote, pieces: piecesBelow }),
  );
  redraw(parts.foot, unfinished());
  countedLines(view.piece);
  light();
  if (game.lights && view.line) drawEditor();
  else drawPeek();
  const spoken = table.problem
    ? `${say("dispute.unfinished")} ${table.problem.message}`
    : table.scores
        .filter(Boolean)
        .map((player) => `${player.name}: ${plain(player.total)}`)
        .join(say("list.comma"));
  if (said.textContent !== spoken) said.textContent = spoken;
}

function unfinished() {
  return (
    table.problem &&
    html`
    <div class="message calm unfinished">
      <div><p><strong>${say("dispute.unfinished")}</strong>${" "}${table.problem.message}</p></div>
    </div>`
  );
}

function playerCard() {
  const i = view.player;
  const name = table.state.players[i].name ?? "";
  return html`
    <section class="card player-card" aria-label=${name}>
      <div class="player-head">
        <label class="name-field">
          <span class="only-read">${say("dispute.name")}</span>
          <input class="field" value=${name} maxlength="30" autocomplete="off" data-key="name"
              oninput=${(event) => rename(i, event.target)} onchange=${() => nameLeft(i)}>
        </label>
        <div class="row">
          ${undoButton("undo", "undo", table.canUndo, () => table.undo())}
          ${undoButton("redo", "redo", table.canRedo, () => table.redo())}
          ${
            table.state.players.length > 1 &&
            html`
            <button class="button plain danger" data-key="remove"
                aria-label=${say("dispute.remove-player", { name })}
                title=${say("dispute.remove-player", { name })} onclick=${() => removePlayer(i)}>
              ${icon("close")}
            </button>`
          }
        </div>
      </div>
      ${game.player(desk)}
    </section>`;
}

function undoButton(words, key, can, act) {
  return html`
    <button class="button plain ${key}" data-key=${key} disabled=${!can} aria-label=${say(`dispute.${words}`)}
        title=${say(`dispute.${words}`)} onclick=${act}>
      ${icon("undo")}
    </button>`;
}

function drawShare() {
  redraw(
    parts.share,
    shareCard(table, view, {
      game: given.game,
      load,
      complain,
      again: drawShare,
      print: printCase,
      fresh: `/dispute/${given.game}`,
    }),
  );
}

const litPicture = () => html`
  <div class="peek-pieces">
    ${game.picture({ ...desk, state: table.state, player: desk.player, place: desk.place, lit: litPlaces(), line: desk.line, box: desk.box })}
  </div>`;

/** On a phone, the lit pieces in small right below the line that was touched: there they cover nothing. */
function piecesBelow() {
  const below = html`
    <button class="pieces-below" data-key="pieces-below" aria-label=${say("dispute.peek-show")}
        onclick=${() => parts.editor.scrollIntoView({ behavior: "smooth" })}>
      ${litPicture()}
    </button>`;
  mark(below, "lit", litPlaces());
  mark(below, "missing", desk.line()?.gap ?? []);
  return below;
}

/** On a wide page, the same in a corner while the editor is out of sight. */
function drawPeek() {
  const shown = view.line !== null || view.note !== null;
  const picture = shown && litPicture();
  redraw(
    parts.peek,
    shown &&
      html`
        <aside class="peek" aria-label=${say("dispute.peek")}>
          <button class="peek-sheet" data-key="peek" aria-label=${say("dispute.peek-show")}
              onclick=${() => parts.editor.scrollIntoView({ behavior: "smooth" })}>
            ${picture}
          </button>
          <button class="peek-close" data-key="peek-close" aria-label=${say("dismiss")}
              onclick=${() => desk.choose(null)}>
            ${icon("close")}
          </button>
        </aside>`,
  );
  if (shown) mark(parts.peek, "lit", litPlaces());
  if (shown) mark(parts.peek, "missing", desk.line()?.gap ?? []);
}

function drawPaper() {
  redraw(
    parts.paper,
    paper(table, view, {
      name: given.name,
      picture: (i) =>
        game.picture({
          box: desk.box,
          term: desk.term,
          say: desk.say,
          state: table.state,
          player: table.state.players[i],
          place: `/players/${i}`,
          at: i,
          lit: [],
          line: () => null,
        }),
      setup: game.setup?.(desk),
    }),
  );
  fitPaper(parts.paper.firstElementChild);
}

async function printCase(link) {
  view.link = link;
  drawPaper();
  print();
}

// Players

function withPlayers(state, count) {
  while (state.players.length < count) addTo(state);
  return state;
}

function addTo(state) {
  const names = new Set(state.players.map((player) => player.name));
  const name =
    [...NAMES].find((letter) => !names.has(letter)) ?? say("dispute.player", { n: state.players.length + 1 });
  state.players.push({ name, ...game.newPlayer(state, desk) });
}

function addPlayer() {
  table.change(addTo);
  choosePlayer(table.state.players.length - 1);
}

function choosePlayer(i) {
  Object.assign(view, { player: i, line: null, note: null, piece: null });
  drawEditor();
  drawAnswer();
}

/** What is typed becomes the name once no other player has it: who goaled, and whose discard it was, go by the name. */
function rename(i, { value: name }) {
  if (isTaken(i, name)) return;
  table.change(
    (state) => {
      const before = state.players[i].name;
      state.players[i].name = name;
      game.renamed?.(state, before, name);
    },
    { stroke: `name-${i}` },
  );
}

const isTaken = (i, name) => table.state.players.some((player, other) => other !== i && player.name === name);

function nameLeft(i) {
  const field = parts.editor.querySelector('[data-key="name"]');
  if (!field || !isTaken(i, field.value)) return;
  complain(say("dispute.name-taken", { name: field.value }));
  field.value = table.state.players[i].name;
}

function removePlayer(i) {
  table.change((state) => {
    const [gone] = state.players.splice(i, 1);
    game.renamed?.(state, gone.name, null);
  });
  choosePlayer(Math.max(0, i - 1));
}

// Files, messages, keys

function load({ state, address }) {
  if (state.game !== given.game) location.assign(address);
  else table.load({ ...state, players: state.players ?? [] });
  complain(null);
}

function complain(message) {
  view.message = message;
  drawAnswer();
}

function undoKeys(event) {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
  event.preventDefault();
  if (event.shiftKey) table.redo();
  else table.undo();
}

start();
