// The page of a play: photos of sheets in, readings corrected, points out.
import { breakdownCard, notesCard, plain, rankingBar, winners } from "../../breakdown/breakdown.js";
import { finishCard } from "../../breakdown/finish.js";
import { logCard } from "../../breakdown/game_log.js";
import { linesOf, litPlaces, missingPlaces } from "../../breakdown/highlight.js";
import { outcomeOf } from "../../breakdown/outcome.js";
import { readingsCard } from "../../breakdown/readings.js";
import { drawPaper } from "../../case/paper.js";
import { misreadLink, shareCard } from "../../case/share.js";
import { undoButtons, undoKeys } from "../../case/undo.js";
import { piecesAt, placesOf } from "../../evidence/places.js";
import { drawSheet, flatFrame, onPicture, photoFrame } from "../../evidence/sheet.js";
import { post } from "../../lib/api.js";
import { data, html, icon, may, redraw, say } from "../../lib/dom.js";
import { News } from "../../lib/news.js";
import { colorField, namesList, renamed } from "../../lib/player_fields.js";
import { colorsOf, know } from "../../lib/players.js";
import { whenFree } from "../../lib/redraw_gate.js";
import { inSight } from "../../lib/strip.js";
import { toast } from "../../lib/toast.js";
import { segments } from "../../lib/widgets.js";
import { cardPieces } from "./card_pieces.js";
import { cellBar } from "./cell_bar.js";
import { cornersEditor } from "./corners.js";
import { Edits } from "./edits.js";
import { entriesCard } from "./entries.js";
import { Following } from "./following.js";
import { comparable, lettersDialog } from "./letters.js";
import { nextPlayer, photoPlaces } from "./places.js";
import { lettersAsked, questionDialog, questions } from "./questions.js";
import { sheetOf } from "./sheet_edits.js";
import { hasTouch, photoButton, takeDropsAndPastes, Uploads } from "./uploads.js";

const root = document.getElementById("play");
const wide = matchMedia("(min-width: 900px)");
const NEXT = { ".": "o", o: "#", "#": "." };
/** So many cells in which two stages' photos contradict each other, or that are doubtful, are no accident. */
const CROWD = 12;
const GAP = 10; // CSS pixels between the map and what slides under it
const TABS = ["points", "cards", "escape", "photo"];
const OF_PLAYERS = ["cards", "escape"];
const UNLIT = { line: null, note: null, move: null, cell: null, corners: null, cornersProblem: null };

const page = {
  ...UNLIT,
  player: null,
  stage: "end",
  tab: "points",
  pane: "flat",
  draws: false,
  marks: true,
  focus: [0, 0],
  round: null,
  goalStart: null,
  working: false,
  link: null,
  message: null,
  totals: null,
};
const table = new Edits(data("view"), () => whenFree(render));
const LAST = `look ${table.view.id}`;
[page.player, page.stage] = JSON.parse(sessionStorage.getItem(LAST) ?? "null") ?? [page.player, page.stage];
const paper = html`<div class="case-paper"></div>`;
const said = html`<p class="only-read" role="status"></p>`;
const shown = html`<div class="play"></div>`;
const uploads = new Uploads({
  kept: table.address,
  address: (item) =>
    `${table.address}/photos?stage=${item.stage}&player=${playerFor(item)}${item.onceMore ? "&once_more=1" : ""}`,
  done: (item, answer) => {
    // Who is answering a question or showing corners is not led elsewhere.
    if (!page.corners && !document.querySelector("dialog[open]")) {
      Object.assign(page, UNLIT, { player: answer.player, stage: item.stage });
    }
    table.take(answer.view);
  },
  changed: () => whenFree(render),
});
const following = new Following(table);
const history = {
  undo: () => table.say({ kind: "undo" }),
  redo: () => table.say({ kind: "redo" }),
  get undoes() {
    return table.view.steps.undo;
  },
  get redoes() {
    return table.view.steps.redo;
  },
};

const current = () => table.view.players.find((player) => player.id === page.player) ?? table.view.players[0] ?? null;
/** The players who have a sheet, in the order of the state. */
const seated = () => table.view.players.filter(({ sheets }) => sheets.end.known || sheets.first.known);
const seatOf = (player) => seated().indexOf(player);

const colors = () => colorsOf(table.view.players.map(({ name }) => name));

/** The outcome of those who have a sheet, in the colors that they have among all. */
function seatedOutcome() {
  const { case: view, players } = table.view;
  const all = colors();
  const own = seated().map((player) => all[players.indexOf(player)]);
  return { ...outcomeOf(view, { doubts: view.doubts }), colors: own };
}

/** The outcome with everybody in it: who has no sheet yet has no points. */
function outcome() {
  const { case: view, players } = table.view;
  if (!view.state) return { ...outcomeOf({ state: { players } }), current: false };
  const known = seatedOutcome();
  const seats = players.map(seatOf);
  const scores = seats.map((seat) => known.scores[seat] ?? null);
  return {
    ...known,
    names: players.map(({ name }) => name),
    colors: colors(),
    scores,
    spans: seats.map((seat) => known.spans[seat] ?? null),
  };
}

/** Who a photo belongs to: the player it was taken for, else the first who has none for this stage, else a new one. */
function playerFor(item) {
  if (item.player === "new" || table.view.players.some(({ id }) => id === item.player)) return item.player;
  return nextPlayer(table.view.players, item.stage)?.id ?? "new";
}

function addPhotos(files, player = null, stage = page.stage) {
  uploads.add(files, { stage, player });
}

/** A closer photo of the sheet as it lies there: both are held against each other. */
function addCloser(files, player) {
  uploads.add(files, { stage: page.stage, player: player.id, onceMore: true });
}

/** Give a photo to another place; what lies there changes places with it. */
function movePhoto(from, to) {
  const joins = to.player === "new" ? someone() : null;
  const player = joins?.player ?? to.player;
  Object.assign(page, UNLIT, { player, stage: to.stage });
  const kind = joins ? { kind: "photo-to-new-player", name: joins.name } : { kind: "move-photo" };
  table.say({ ...kind, ...from, to: player, to_stage: to.stage }).then(() => {
    const name = table.view.players.find(({ id }) => id === player)?.name;
    if (!table.problem && name) toast(say("photo.moved", { name, stage: say(`stage.${to.stage}`) }));
  });
}

function dropPhoto(from) {
  table.say({ kind: "drop-photo", ...from }).then(() => table.problem || toast(say("photo.gone")));
}

function show(change) {
  Object.assign(page, change);
  render();
}

function render() {
  know(table.view.people);
  const player = current();
  if (player && !table.waiting.length) page.player = player.id;
  sessionStorage.setItem(LAST, JSON.stringify([page.player, page.stage]));
  root.dataset.tab = page.tab;
  const how = {
    add: addPhotos,
    move: movePhoto,
    drop: dropPhoto,
    look: (id, stage) => show({ ...UNLIT, player: id, stage }),
  };
  const photos = photoPlaces(table.view, { player, stage: page.stage, ...how });
  const draw = () =>
    redraw(
      shown,
      top(),
      table.view.case.problem && alert(table.view.case.problem.message),
      uploads.items.length > 0 && html`<div class="stack uploads">${uploads.list()}</div>`,
      player && todo(player),
      player ? body(player, photos) : empty(photos),
      player && tabs(player),
    );
  inSight(() => root.querySelector(".ranking"), ".rank.on", draw);
  announce();
}

/** Say the totals when they have changed, for those who do not see it. */
function announce() {
  const totals = outcome()
    .scores.filter(Boolean)
    .map(({ name, total }) => `${name}: ${plain(total)}`)
    .join(say("list.comma"));
  if (page.totals !== null && page.totals !== totals) said.textContent = totals;
  if (page.totals !== totals) page.link = null;
  page.totals = totals;
}

const alert = (...words) => html`<div class="message" role="alert">${icon("warn")}<div>${words}</div></div>`;

function top() {
  const { players } = table.view;
  const choose = (i) => show({ ...UNLIT, player: players[i].id, goalStart: null });
  const chosen = players.indexOf(current());
  const bar = () =>
    rankingBar(outcome(), {
      chosen,
      choose,
      add: may("player") && addPlayer,
      keyOf: (i) => players[i].id,
      names: players.map(({ name }) => name),
    });
  const unsaved =
    table.waiting.length > 0 && html`<p class="small">${say("play.unsaved", { n: table.waiting.length })}</p>`;
  const message = table.problem?.message ?? page.message;
  return html`
    <div class="top">
      <h1 class="only-read">${say("play.title")}</h1>
      ${players.length > 0 && bar()}
      ${message && alert(html`<p>${message}</p>`, unsaved)}
    </div>`;
}

const empty = (photos) => html`
  <section class="card empty">
    <h2>${say("play.empty")}</h2>
    <p>${say("play.empty-about")}</p>
    ${photos}
    <p class="quiet small">${say("play.drop")}</p>
    ${history.undoes && html`<div class="steps" data-for="player">${undoButtons(history)}</div>`}
    ${movingPicture()}${following.card()}
    <button class="button plain" data-for="player" data-key="by-hand-first" onclick=${addPlayer}>${icon("hand")}${say("play.no-photo")}</button>
  </section>`;

function body(player, photos) {
  const i = seatOf(player);
  const { case: view } = table.view;
  const at = page.line?.[0] === i ? page.line[1] : null;
  const card = () => {
    const own = { ...seatedOutcome(), waiting: view.so_far?.waiting ?? [] };
    const counted = page.cell && linesOf(own.scores, cellPlaces(player, page.cell));
    const stays = player.so_far && html`<p class="small"><span class="tag warn">${say("points.so-far")}</span></p>`;
    const wins = own.current && isOver() && html`<p class="small winners">${winners(own.answer)}</p>`;
    return breakdownCard(own, i, { light: lightLine, lit: at, counted, foot: [stays, wins] });
  };
  const problems = view.problems.map(({ message }) => ({ message, shown: false }));
  const entries = entriesCard(table.view, player, {
    goalStart: page.goalStart,
    startGoal: (goalStart) => show({ goalStart }),
    tell: (edit, now) => table.say(edit, now),
    firstPhoto: () => chooseStage("first"),
    joined: joined(i),
  });
  const log = logCard(table.view.game, {
    running: true,
    settle: ({ n = null, question, choice }) =>
      table.say(question ? { kind: "which-move", question, choice } : { kind: "no-move", n }),
    file: `/in-the-ruin/plays/${table.view.id}/game.jsonl`,
    go: (move) => lightMove(move.n),
    place: ({ n }) => (n === page.move ? "on" : ""),
    more: table.view.game && pieces(),
  });
  const misread = `/in-the-ruin/plays/${table.view.id}/${player.id}/${page.stage}.zip`;
  const more = [player.sheets[page.stage].read && player.sheets[page.stage].photo && misreadLink(misread)];
  const share = { complain: (message) => show({ message }), again: render, more };
  return html`
    <div class="body">
      ${sheetColumn(player)}
      <div class="side" data-of="points">
        ${isOver() && finish()}
        ${following.on && log}
        ${view.state && i >= 0 && card()}
        ${view.state && notesCard(outcomeOf(view), { chosen: page.note, light: lightNote, problems })}
        ${view.state && readingsCard(outcomeOf(view), table.view.questions ?? [], may("player") && takeReading)}
      </div>
      <div class="below">
        ${!following.on && log}
        ${entries}
        <div class="stack" data-of="photo">
          ${photos}${following.card()}${playerCard(player)}
          ${view.state && shareCard(page, { state: view.state, ...share })}
        </div>
      </div>
    </div>`;
}

/** The pieces of the round that was turned to (until the next one is due), else of the lit move's, else of the next. */
function pieces() {
  const { pieces: known, moves } = table.view.game;
  const turned = page.round?.due === known.due ? page.round.shown : null;
  const round = turned ?? moves.find(({ n }) => n === page.move)?.round ?? known.due;
  const turn = (shown) => show({ round: { shown, due: known.due } });
  const tell = (piece) => {
    turn(round);
    table.say({ kind: "piece", round, piece }, () => (known.told[round] = piece));
  };
  const last = Math.max(known.due, ...moves.map((move) => move.round));
  return cardPieces(known, round, { last, turn, tell });
}

/** Whether everything is there that the game asks of each player, and no open question can move a point. */
function isOver() {
  const { case: view } = table.view;
  return view.answer?.winners.length > 0 && !view.doubts.some(matters);
}

function finish() {
  const again = async () => {
    const { play } = await post("/api/in-the-ruin/plays", { sheet: table.view.sheet.file, players: table.view.id });
    location.assign(`/in-the-ruin/plays/${play}`);
  };
  const how = { game: "in-the-ruin", name: say("play.name"), begun: table.view.started * 1000, id: table.view.id };
  const next = html`<button class="button main-action" data-for="player" data-key="new-game" onclick=${() => again().catch(({ message }) => show({ message }))}>${say("finish.new")}</button>`;
  return finishCard(seatedOutcome(), { ...how, next });
}

/** Whether points hang on the answer to a doubt. */
const matters = ({ points = null }) => points !== null && points[0] !== points[1];

/** Whether no answer to a question can change a point. */
const isIdle = ({ points = null }) => points !== null && points[0] === points[1];

/** Another reading of the rulebook, as scoring's state says it. */
function takeReading(edit) {
  const { state } = table.view.case;
  const next = structuredClone(state);
  edit(next);
  const [before, after] = [state.house_rules ?? {}, next.house_rules ?? {}];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] !== after[name]) table.say({ kind: "house-rule", name, reading: after[name] ?? null });
  }
}

/** The goal cards, by their place, that a player's sheet joins. */
function joined(i) {
  const lines = table.view.case.answer?.players[i]?.lines ?? [];
  const of = (line) => line.because.map((place) => /\/goals\/(\d+)/.exec(place)?.[1]).filter(Boolean);
  return new Set(
    lines
      .filter(({ key }) => key === "ruin.route.joined")
      .flatMap(of)
      .map(Number),
  );
}

function tabs(player) {
  const { players } = table.view;
  const open = { cards: !player.goals_known, escape: players.some(({ escaped_known: known }) => !known) };
  const next = { photo: nextPlayer(players, page.stage, player)?.name };
  const tab = (name) => html`
    <button class="tab ${page.tab === name && "on"}" data-for=${OF_PLAYERS.includes(name) && "player"} aria-pressed=${page.tab === name} data-key="tab-${name}"
      onclick=${() => chooseTab(name)}>${say(`tab.${name}`)}${next[name] && html`<small>${next[name]}</small>`}${open[name] && html`<span class="dot"></span>`}</button>`;
  return html`<nav class="tabs" aria-label=${say("tab.title")}>${TABS.map(tab)}</nav>`;
}

/** Show a tab, right below the map that stays in sight, or beside it. */
function chooseTab(tab) {
  show({ tab });
  const visible = [...root.querySelectorAll(`[data-of~="${tab}"], [data-of~="${tab}"] > *`)];
  const first = visible.find((element) => element.getBoundingClientRect().height > 0);
  const map = root.querySelector(".map")?.getBoundingClientRect();
  const place = first?.getBoundingClientRect();
  const under = map && place?.left < map.right; // held sideways a phone shows it beside the map
  const top = root.querySelector(".top");
  const stays = getComputedStyle(top).position === "sticky";
  const below = (stays ? top.getBoundingClientRect().height : 0) + (under ? map.height : 0);
  if (place && innerHeight > below) scrollBy(0, place.top - below - GAP);
}

// The sheet

function sheetColumn(player) {
  const sheet = player.sheets[page.stage];
  return html`
    <div class="sheets">
      <div class="sheet-head">${stageSwitch(player)}<div class="steps" data-for="player">${undoButtons(history)}</div>${!page.corners && sheet.known && doubtBars(player, sheet)}</div>
      ${failedMessage(player, sheet)}
      ${page.corners ? cornersPane(player) : sheet.known ? panes(player, sheet) : !sheet.failed && noSheet(player)}
    </div>`;
}

function stageSwitch(player) {
  const there = html`<span class="dot" role="img" aria-label=${say("stage.there")}></span>`;
  const words = (stage) => [say(`stage.${stage}`), player.sheets[stage].known && there.cloneNode()];
  const stages = ["first", "end"].map((stage) => [stage, words(stage)]);
  return segments(say("stage.title"), stages, page.stage, chooseStage, "stage");
}

function chooseStage(stage) {
  show({ ...UNLIT, stage });
  root.querySelector(".segments")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

function noSheet(player) {
  const byHand = () => {
    page.draws = true;
    table.say({ kind: "by-hand", player: player.id, stage: page.stage });
  };
  return html`
    <section class="card empty">
      <h2>${say("sheet.none", { name: player.name })}</h2>
      <p>${say(page.stage === "first" ? "sheet.none-first" : "sheet.none-end")}</p>
      <div class="row" data-for="player">
        ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera-player" }, (files) => addPhotos(files, player.id))}
        ${photoButton({ label: say("photo.file"), id: "file-player" }, (files) => addPhotos(files, player.id))}
        <button class="button plain" data-key="by-hand" onclick=${byHand}>${icon("hand")}${say("sheet.by-hand")}</button>
      </div>
    </section>`;
}

function failedMessage(player, { failed, known }) {
  if (!failed || page.corners) return null;
  const forget = () => {
    player.sheets[page.stage].failed = null;
  };
  const dismiss = () =>
    table.say({ kind: known ? "dismiss" : "by-hand", player: player.id, stage: page.stage }, forget);
  const other = table.view.players.length > 1 && !Object.values(player.sheets).some((sheet) => sheet.known);
  const leave = () => table.say({ kind: "remove-player", player: player.id });
  return html`
    <div class="message failed" role="alert">
      <img class="thumb big" src="/photos/${failed.photo}.jpg" alt=${say("photo.failed")}>
      <div>
        <p><strong>${failed.message}</strong></p>
        ${known && html`<p class="small">${say("photo.kept")}</p>`}
        <div class="row" data-for="player">
          ${photoButton({ label: say("photo.again"), camera: true, main: true, id: "camera-again" }, (files) => addPhotos(files, player.id))}
          ${photoButton({ label: say("photo.other"), id: "file-again" }, (files) => addPhotos(files, player.id))}
          <button class="button" data-key="show-corners" onclick=${() => openCorners(failed.photo, failed.size, null)}>${say("photo.corners")}</button>
          <button class="button plain" data-key="dismiss" onclick=${dismiss}>${say(known ? "dismiss" : "sheet.by-hand")}</button>
          ${other && html`<button class="button plain danger" data-key="leave" onclick=${leave}>${say("player.remove")}</button>`}
        </div>
      </div>
    </div>`;
}

function openCorners(photo, size, lattice) {
  const last = lattice ? lattice.length - 1 : 0;
  const inset = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => [size[0] * x, size[1] * y]); // biome-ignore format: a table
  const found = lattice && [lattice[0][0], lattice[0][last], lattice[last][last], lattice[last][0]];
  show({ ...UNLIT, corners: { photo, size, corners: found || inset } });
  root.querySelector(".corners-pane")?.scrollIntoView({ block: "start" });
}

function cornersPane(player) {
  const { photo, size, corners } = page.corners;
  const moved = (points) => {
    page.corners.corners = points;
  };
  const read = async () => {
    show({ working: true });
    try {
      const where = { player: player.id, stage: page.stage, photo, corners: page.corners.corners };
      const view = await post(`${table.address}/corners`, where);
      Object.assign(page, UNLIT);
      table.take(view);
    } catch (error) {
      page.cornersProblem = error.message;
    }
    show({ working: false });
  };
  const working = page.working ? html`<span class="spinner"></span>` : icon("check");
  return html`
    <section class="card stack corners-pane">
      <h2>${say("corners.title")}</h2>
      <p>${say("corners.how")}</p>
      <div class="corners">${cornersEditor(photo, size, corners, moved)}</div>
      ${page.cornersProblem && alert(page.cornersProblem)}
      <div class="row">
        <button class="button main-action" data-key="corners-read" disabled=${page.working} onclick=${read}>${working}${say("corners.read")}</button>
        <button class="button plain" data-key="corners-cancel" onclick=${() => show(UNLIT)}>${say("cancel")}</button>
      </div>
    </section>`;
}

function panes(player, sheet) {
  const both = wide.matches && sheet.photo;
  const look = lookOf(player);
  const { sheet: profile } = table.view;
  const label = say("view.label", { name: player.name });
  const photo = () =>
    html`<figure class="view photo"><figcaption class="small quiet">${say("view.photo")}</figcaption>${drawSheet(photoFrame(sheet), profile, sheet, look)}</figure>`;
  const flat = () =>
    html`<figure class="view flat"><figcaption class="small quiet">${say(sheet.photo ? "view.flat" : "view.by-hand")}</figcaption>${drawSheet(flatFrame(profile, sheet, wide.matches), profile, sheet, { ...look, main: true, label })}</figure>`;
  const seesPhoto = sheet.photo && page.pane === "photo";
  const bar = cellBar(table.view.sheet, sheetOf(table, player, page.stage), page.cell, countsFor(player));
  return html`
    <div class="panes">
      ${movingPicture()}
      <div class="map">
        <div class="views ${both && "both"}">${(both || seesPhoto) && photo()}${(both || !seesPhoto) && flat()}</div>
        ${page.cell && bar}
      </div>
      ${!page.cell && bar}
      ${tools(player, sheet, both)}
    </div>`;
}

function tools(player, sheet, both) {
  const retake = (files) => addPhotos(files, player.id);
  const letters = sheet.flat && comparable(table.view.sheet, sheet, lettersAsked(player, page.stage)).length > 0;
  const pane = page.pane === "flat" ? "photo" : "flat";
  const button = (key, words, act, pressed) =>
    html`<button class="button plain" data-key=${key} aria-pressed=${pressed ?? null} onclick=${act}>${words}</button>`;
  return html`
    <div class="tools row">
      ${!both && sheet.photo && button("pane", say(`view.${pane}`), () => show({ pane }))}
      ${sheet.photo && button("marks", say(page.marks ? "view.hide" : "view.show"), () => show({ marks: !page.marks }), page.marks)}
      <div class="row" data-for="player">
        ${button("draw", say("tool.draw"), () => show({ draws: !page.draws, cell: null }), page.draws)}
        ${letters && button("letters", say("letters.open"), () => compareLetters(player))}
        ${sheet.photo && button("grid-wrong", say("photo.grid-wrong"), () => openCorners(sheet.photo, sheet.size, sheet.lattice))}
        ${sheet.photo && photoButton({ label: say("photo.retake"), id: "retake" }, retake)}
      </div>
    </div>`;
}

function doubtBars(player, sheet) {
  const open = questions(table.view, player, page.stage, seatOf(player));
  const asked = open.filter((question) => !isIdle(question));
  const idle = open.length - asked.length;
  const weighty = asked.filter(matters).length;
  const many = open.filter(({ letter }) => !letter).length > CROWD;
  const apart = player.disagree[page.stage].length > CROWD;
  const grid = ["grid-maybe", say("photo.grid-wrong"), () => openCorners(sheet.photo, sheet.size, sheet.lattice)];
  const count = [
    say("check.count", { n: asked.length }),
    weighty > 0 && html`<small>${say("check.weighty", { n: weighty })}</small>`,
  ];
  return [
    apart && bar(say("check.two-sheets")),
    many && !apart && sheet.photo && bar(say("check.grid"), grid),
    asked.length > 0 &&
      bar(count, sheet.flat && ["check", say("check.start"), () => check(player)], sheet.photo && closer(player)),
    idle > 0 &&
      sheet.flat &&
      html`<button class="button plain idle" data-for="player" data-key="check-idle" onclick=${() => check(player, true)}>${say("check.idle", { n: idle })}</button>`,
    sheet.letters_hard &&
      bar(say("letters.hard"), ["letters-hard", say("letters.compare"), () => compareLetters(player)]),
  ];
}

const closer = (player) => html`
  <div data-for="player" title=${say("photo.closer-about")}>${photoButton({ label: say("photo.closer"), camera: hasTouch(), id: "closer" }, (files) => addCloser(files, player))}</div>`;

function bar(words, action, more = null) {
  const button = ([key, label, act]) =>
    html`<button class="button" data-for="player" data-key=${key} onclick=${act}>${label}</button>`;
  return html`<div class="doubt-bar">${icon("warn")}<span>${words}</span>${action && button(action)}${more}</div>`;
}

/** Ask what can change the points; `all`: what cannot, too. */
function check(player, all = false) {
  const at = sheetOf(table, player, page.stage);
  const { stage } = page;
  questionDialog({
    profile: table.view.sheet,
    sheet: at.sheet,
    total: () => table.view.case.answer?.players[seatOf(at.player())],
    open: () => questions(table.view, at.player(), stage, seatOf(at.player())).filter((one) => all || !isIdle(one)),
    answer: ({ row, col, letter }, value) =>
      letter ? at.setLetters([[letter, row, col, value]]) : at.setCell(row, col, value),
    closed: () => whenFree(() => back("check")),
  });
}

function compareLetters(player) {
  const at = sheetOf(table, player, page.stage);
  const { stage } = page;
  const asked = () => lettersAsked(at.player(), stage);
  const how = { asked, answer: at.setLetters, closed: () => whenFree(() => back("letters")) };
  lettersDialog({ profile: table.view.sheet, sheet: at.sheet, ...how });
}

/** Where the keyboard goes on when a dialog has closed whose button may be gone. */
function back(key) {
  const lost = document.activeElement === document.body || !document.activeElement;
  if (lost) (root.querySelector(`[data-key="${key}"]`) ?? root.querySelector('[data-key="letters"]'))?.focus();
}

function lookOf(player, stage = page.stage) {
  const { case: view, sheet: profile } = table.view;
  const known = outcomeOf(view);
  const sheet = player.sheets[stage];
  const seat = seatOf(player);
  const places = litNow(known);
  const line = page.line && known.scores[page.line[0]]?.lines[page.line[1]];
  const walled = stage === "end" ? player.walled_over.map((letter) => profile.letters[letter]) : [];
  const id = (row, col) => `${seat}.${stage}.${row}.${col}`;
  return {
    id,
    lit: piecesAt(view, places),
    missing: piecesAt(view, missingPlaces(known, page.line)),
    chosen: page.cell && stage === page.stage && player === current() ? id(...page.cell) : null,
    fresh: following.on ? sheet.changed : [],
    way: line?.key === "ruin.route.joined",
    litTracks: ["gems", "penalties"].filter((track) => places.includes(`/players/${seat}/${track}`)),
    ticks: stage === "end" || !player.sheets.end.known ? player.ticks : sheet.ticks,
    disagree: [...player.disagree[stage], ...walled],
    marks: page.marks,
    focus: page.focus,
    onTap: (row, col) => tap(player, row, col),
    onOver: (cell) => over(cell),
    onEnter: page.draws ? null : (row, col) => toKeys(row, col),
    onFocus: (row, col) => {
      show({ focus: [row, col], cell: [row, col] });
      root.querySelector(`[data-key="cell-${row},${col}"]`)?.focus();
    },
  };
}

/** Every followed sheet lies on the moving picture; lines light cells of all players, and a tap there chooses one. */
function movingPicture() {
  const followed = following.on ? seated().filter(({ sheets }) => sheets.end.lattice) : [];
  const onOne = (player) => [table.view.sheet, player.sheets.end, { ...lookOf(player, "end"), marks: false }];
  return following.picture(followed.length ? onPicture(followed.map(onOne)) : null, (piece) => {
    const player = seated()[piece?.split(".")[0]];
    if (player) show({ ...UNLIT, player: player.id, stage: "end" });
  });
}

/** A tap looks; where drawing was chosen it changes the cell. */
function tap(player, row, col) {
  const { map } = player.sheets[page.stage];
  const again = !page.draws && page.cell?.join() === `${row},${col}`;
  Object.assign(page, { focus: [row, col], line: null, note: null, cell: again ? null : [row, col] });
  if (page.draws) sheetOf(table, player, page.stage).setCell(row, col, NEXT[map[row][col]]);
  else render();
}

/** From the keyboard: on to the keys that change the cell. */
function toKeys(row, col) {
  show({ focus: [row, col], cell: [row, col], line: null, note: null });
  root.querySelector(".cell-key.on")?.focus();
}

let overCell = null;
function over(cell) {
  if (`${cell}` === `${overCell}`) return;
  overCell = cell;
  const counted = cell ? linesOf(outcomeOf(table.view.case).scores, cellPlaces(current(), cell)) : new Set();
  for (const line of root.querySelectorAll(".points .line"))
    line.classList.toggle("counted", counted.has(line.dataset.line));
}

const cellPlaces = (player, [row, col]) => placesOf(table.view.case, `${seatOf(player)}.${page.stage}.${row}.${col}`);

/** The labels of the lines that count the chosen cell. */
function countsFor(player) {
  if (!page.cell || !table.view.case.state) return [];
  const { scores } = outcomeOf(table.view.case);
  const keys = [...linesOf(scores, cellPlaces(player, page.cell))].map((key) => key.split("-"));
  return keys.map(([i, l]) => scores[i].lines[l].label);
}

// Lines

function lightLine(i, l) {
  const off = page.line?.[0] === i && page.line[1] === l;
  Object.assign(page, UNLIT, { line: off ? null : [i, l] });
  showLit();
}

function lightNote(note) {
  Object.assign(page, UNLIT, { note: page.note === note ? null : note });
  showLit();
}

/** Light what a move drew. */
function lightMove(n) {
  Object.assign(page, UNLIT, { move: page.move === n ? null : n, round: null });
  const seat = /^\/players\/(\d+)\//.exec(litNow(outcomeOf(table.view.case))[0])?.[1];
  if (seat !== undefined) page.player = seated()[seat]?.id ?? page.player;
  showLit();
}

/** The places that stand lit: of a line or note, or of a move. */
const litNow = (known) =>
  page.move === null
    ? litPlaces(known, page.line, page.note)
    : (table.view.game?.moves.find(({ n }) => n === page.move)?.now ?? []);

/** Show the stage whose sheet has what is lit. */
function showLit() {
  const known = outcomeOf(table.view.case);
  const places = [...litNow(known), ...missingPlaces(known, page.line)];
  const pieces = [...piecesAt(table.view.case, places)].map((piece) => piece.split("."));
  const own = pieces.filter(([i]) => Number(i) === seatOf(current()));
  if (own.length && !own.some(([, stage]) => stage === page.stage)) page.stage = own[0][1];
  render();
}

// Beside the sheet

function todo(player) {
  const things = [];
  for (const stage of ["first", "end"].filter((one) => one !== page.stage)) {
    const n = questions(table.view, player, stage, seatOf(player)).filter((one) => !isIdle(one)).length;
    const words = { n, stage: say(`stage.${stage}`) };
    if (n) things.push([say("todo.doubtful", words), () => chooseStage(stage)]);
    else if (player.sheets[stage].letters_hard) things.push([say("todo.letters", words), () => chooseStage(stage)]);
  }
  if (!player.goals_known) things.push([say("todo.goals"), () => go("cards", "goals")]);
  if (table.view.players.some(({ escaped_known: known }) => !known))
    things.push([say("todo.escape"), () => go("escape", "escape")]);
  const noFirst = !player.sheets.first.known && player.first_square === null;
  if (noFirst) things.push([say("todo.first"), () => go("escape", "first")]);
  if (!player.sheets.end.known) things.push([say("stage.end"), () => chooseStage("end")]);
  if (isOver()) things.push([say("finish.title"), () => chooseTab("points")]);
  const chip = ([words, act], i) =>
    html`<button class="todo-chip ${isOver() && "done"}" data-key="todo-${i}" onclick=${act}>${words}</button>`;
  return html`
    <section class="todo" aria-label=${say("todo.title")}>
      ${table.view.demo && html`<p class="small demo-words">${say("demo.words")}</p>`}
      <div class="todo-row" data-for="player">
        <p class="small quiet">${things.length && !isOver() ? say("todo.title") : say("todo.done")}</p>
        ${things.map(chip)}
      </div>
    </section>`;
}

function go(tab, id) {
  chooseTab(tab);
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "center", behavior: "smooth" });
  place?.querySelector("button, input")?.focus({ preventScroll: true });
}

function playerCard(player) {
  const rename = ({ target }) => {
    const name = target.value.trim();
    if (!name || name === player.name) return;
    renamed(player.name, name).catch(({ message }) => show({ message }));
    table.say({ kind: "rename", player: player.id, name });
  };
  const remove = () => {
    if (confirm(say("player.remove-sure", { name: player.name })))
      table.say({ kind: "remove-player", player: player.id });
  };
  const { players } = table.view;
  const names = players.map(({ name }) => name);
  const how = { failed: ({ message }) => show({ message }), done: render };
  const color = colorField(names, players.indexOf(player), how);
  return html`
    <section class="card player" data-for="player">
      <label>
        <span class="small quiet">${say("player.label")}</span>
        ${namesList(table.view.people)}
        <input class="field" type="text" maxlength="40" list="people" data-key="name" value=${player.name} onchange=${rename}>
      </label>
      <div class="row">${color}<button class="button plain danger" data-key="remove" onclick=${remove}>${say("player.remove")}</button></div>
    </section>`;
}

function addPlayer() {
  Object.assign(page, UNLIT, { player: newPlayer(), goalStart: null });
  render();
}

/** A new player joins; the id. */
function newPlayer() {
  const joins = someone();
  table.say({ kind: "add-player", ...joins });
  return joins.player;
}

/** An id and a name for a player who joins. */
function someone() {
  const names = new Set(table.view.players.map((player) => player.name));
  let number = 1;
  while (names.has(say("player.name", { number }))) number++;
  const player = crypto.getRandomValues(new Uint32Array(2)).join("").slice(0, 16);
  return { player, name: say("player.name", { number }) };
}

function drawPrint() {
  const { case: view, sheet: profile } = table.view;
  if (!view.state) return;
  const plainLook = { id: () => "", lit: new Set(), missing: new Set(), marks: true };
  const map = (sheet) => drawSheet(flatFrame(profile, sheet, false), profile, sheet, plainLook);
  const picture = (i) =>
    html`<div class="picture-maps">${["first", "end"]
      .map((stage) => seated()[i].sheets[stage])
      .filter(({ known }) => known)
      .map(map)}</div>`;
  drawPaper(paper, seatedOutcome(), { name: say("play.title"), picture, link: page.link });
}

root.replaceChildren(shown, said, paper);
if (may("player")) {
  takeDropsAndPastes((files) =>
    addPhotos(files, files.length === 1 && current() && !current().sheets[page.stage].known ? current().id : null),
  );
  undoKeys(history);
}
let own = table.view.steps;
new News(table.address, data("heard"), (event, view) => {
  if (event === "steps") own = view;
  else if (event === "all") table.take({ steps: own, ...view });
  else show({ message: say("play.gone") });
});
wide.addEventListener("change", render);
addEventListener("beforeprint", drawPrint);
render();
