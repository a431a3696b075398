// The page of a play: photos in, readings corrected, points out.
import { post } from "../lib/api.js";
import { data, html, icon, redraw, say } from "../lib/dom.js";
import { inSight } from "../lib/strip.js";
import { checkDialog, glyph } from "./check.js";
import { cornersEditor } from "./corners.js";
import { entriesCard } from "./entries.js";
import { comparable, lettersDialog, letterValue } from "./letters.js";
import { notesCard, pointsCard, rankingBar } from "./points.js";
import { drawSheet, flatFrame, photoFrame } from "./sheet.js";
import { Table } from "./table.js";
import { photoButton, takeDropsAndPastes, Uploads } from "./uploads.js";

const root = document.getElementById("play");
const wide = matchMedia("(min-width: 900px)");
const NEXT = { ".": "o", o: "#", "#": "." };
/** Cells in which two stages' photos contradict each other before they seem to show two sheets. */
const TWO_SHEETS = 12;
const TOOLS = ["cell", "gate", "destination", "look"];

const page = {
  player: null,
  stage: "end",
  pane: "flat",
  tool: "cell",
  marks: true,
  line: null,
  note: null,
  cell: null,
  tip: null,
  focus: [0, 0],
  goalStart: null,
  corners: null,
  cornersProblem: null,
  working: false,
};
const table = new Table(data("view"), render);
const LAST = `look ${table.view.id}`;
[page.player, page.stage] = JSON.parse(sessionStorage.getItem(LAST) ?? "null") ?? [page.player, page.stage];
const uploads = new Uploads({
  address: (item) => `${table.address}/photos?stage=${item.stage}&player=${playerFor(item)}`,
  done: (item, answer) => {
    // Who is answering a question or showing corners is not led elsewhere.
    if (!page.corners && !document.querySelector("dialog[open]")) {
      Object.assign(page, { player: answer.player, stage: item.stage });
      unlight();
    }
    table.take(answer.view);
  },
  changed: render,
});

const current = () => table.view.players.find((player) => player.id === page.player) ?? table.view.players[0] ?? null;

/** Who a photo belongs to: the player it was taken for, else the first who has none for this stage, else a new one. */
function playerFor(item) {
  if (item.player && table.view.players.some((player) => player.id === item.player)) return item.player;
  return (
    table.view.players.find((player) => !player.sheets[item.stage].known && !player.sheets[item.stage].failed)?.id ??
    "new"
  );
}

function addPhotos(files, player = null) {
  uploads.add(files, { stage: page.stage, player });
}

function unlight() {
  Object.assign(page, { line: null, note: null, cell: null, tip: null, corners: null, cornersProblem: null });
}

function render() {
  const player = current();
  if (player) page.player = player.id;
  sessionStorage.setItem(LAST, JSON.stringify([page.player, page.stage]));
  inSight(
    () => root.querySelector(".ranking"),
    ".rank.on",
    () =>
      redraw(
        root,
        top(),
        problems(),
        uploads.items.length > 0 && html`<div class="stack uploads">${uploads.list()}</div>`,
        player && todo(player),
        player ? body(player) : empty(),
        photoBar(player),
      ),
  );
  watchSight();
}

function top() {
  return html`
    <div class="top">
      <h1 class="only-read">${say("play.title")}</h1>
      ${
        table.view.players.length > 0 &&
        rankingBar(table.view, {
          current: current()?.id,
          choose: (id) => {
            page.player = id;
            unlight();
            page.goalStart = null;
            render();
          },
          add: addPlayer,
        })
      }
      ${
        table.problem &&
        html`
        <div class="message" role="alert">
          ${icon("warn")}
          <div>
            <p>${table.problem.message}</p>
            ${table.waiting.length > 0 && html`<p class="small">${say("play.unsaved", { n: table.waiting.length })}</p>`}
          </div>
        </div>`
      }
    </div>`;
}

function problems() {
  return (
    table.view.problem &&
    html`
    <div class="message" role="alert">${icon("warn")}<div><p>${table.view.problem}</p></div></div>`
  );
}

function empty() {
  return html`
    <section class="card empty">
      <h2>${say("play.empty")}</h2>
      <p>${say("play.empty-about")}</p>
      <p class="quiet small">${say("play.drop")}</p>
      <button class="button plain" data-key="by-hand-first" onclick=${addPlayer}>
        ${icon("hand")}
        ${say("play.no-photo")}
      </button>
    </section>`;
}

function body(player) {
  return html`
    <div class="body">
      ${sheetColumn(player)}
      <div class="side">
        ${pointsCard(player, { lit: page.line, counted: countedLines(player), light: lightLine })}
        ${notesCard(table.view, player, { litNote: page.note, light: lightNote, charge: (on) => table.say({ kind: "charge-blocks", on }, () => (table.view.charge_blocks = on)) })}
      </div>
      <div class="below">
        ${entriesCard(table.view, player, {
          goalStart: page.goalStart,
          startGoal: (letter) => {
            page.goalStart = letter;
            render();
          },
          tell: (edit, now) => table.say(edit, now),
          firstPhoto: () => chooseStage("first"),
        })}
        ${playerCard(player)}
      </div>
      ${peek(player)}
    </div>`;
}

/** On a phone, the lit sheet in small while the big one is out of sight. */
function peek(player) {
  const sheet = player.sheets[page.stage];
  if (wide.matches || !sheet.known || (page.line === null && page.note === null)) return null;
  const close = () => {
    unlight();
    render();
  };
  return html`
    <aside class="peek" aria-label=${say("peek.title")}>
      <button class="peek-sheet" data-key="peek" aria-label=${say("peek.show")}
          onclick=${() => root.querySelector(".sheets")?.scrollIntoView({ behavior: "smooth" })}>
        ${drawSheet(flatFrame(table.view.sheet, sheet, false), table.view.sheet, sheet, { ...lookOf(player, sheet), onTap: () => {}, onOver: null })}
      </button>
      <button class="peek-close" data-key="peek-close" aria-label=${say("dismiss")} onclick=${close}>
        ${icon("close")}
      </button>
    </aside>`;
}

// The sheet

function sheetColumn(player) {
  const sheet = player.sheets[page.stage];
  return html`
    <div class="sheets">
      <div class="sheet-head">${stageSwitch(player)}${!page.corners && sheet.known && doubtBar(player, sheet)}</div>
      ${failedMessage(player, sheet)}
      ${page.corners ? cornersPane(player) : sheet.known ? panes(player, sheet) : !sheet.failed && noSheet(player)}
    </div>`;
}

function stageSwitch(player) {
  return html`
    <div class="segments" role="group" aria-label=${say("stage.title")}>
      ${["first", "end"].map(
        (stage) =>
          html`
        <button class="segment ${page.stage === stage && "on"}" aria-pressed=${page.stage === stage}
            data-key="stage-${stage}" onclick=${() => chooseStage(stage)}>
          ${say(`stage.${stage}`)}
          ${player.sheets[stage].known && html`<span class="dot" role="img" aria-label=${say("stage.there")}></span>`}
        </button>`,
      )}
    </div>`;
}

function chooseStage(stage) {
  page.stage = stage;
  unlight();
  render();
  root.querySelector(".segments")?.scrollIntoView({ block: "start", behavior: "smooth" });
}

function noSheet(player) {
  return html`
    <section class="card empty">
      <h2>${say("sheet.none", { name: player.name })}</h2>
      <p>${say(page.stage === "first" ? "sheet.none-first" : "sheet.none-end")}</p>
      <div class="row">
        ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera-player" }, (files) => addPhotos(files, player.id))}
        ${photoButton({ label: say("photo.file"), id: "file-player" }, (files) => addPhotos(files, player.id))}
        <button class="button plain" data-key="by-hand"
            onclick=${() => table.say({ kind: "by-hand", player: player.id, stage: page.stage })}>
          ${icon("hand")}
          ${say("sheet.by-hand")}
        </button>
      </div>
    </section>`;
}

function failedMessage(player, sheet) {
  if (!sheet.failed || page.corners) return null;
  return html`
    <div class="message failed" role="alert">
      <img class="thumb big" src="/photos/${sheet.failed.photo}.jpg" alt=${say("photo.failed")}>
      <div>
        <p><strong>${sheet.failed.message}</strong></p>
        ${sheet.known && html`<p class="small">${say("photo.kept")}</p>`}
        <div class="row">
          ${photoButton({ label: say("photo.again"), camera: true, main: true, id: "camera-again" }, (files) => addPhotos(files, player.id))}
          ${photoButton({ label: say("photo.other"), id: "file-again" }, (files) => addPhotos(files, player.id))}
          <button class="button" data-key="show-corners"
              onclick=${() => openCorners(sheet.failed.photo, sheet.failed.size, null)}>
            ${say("photo.corners")}
          </button>
          <button class="button plain" data-key="dismiss"
              onclick=${() => table.say({ kind: sheet.known ? "dismiss" : "by-hand", player: player.id, stage: page.stage }, () => (sheet.failed = null))}>
            ${say(sheet.known ? "dismiss" : "sheet.by-hand")}
          </button>
        </div>
      </div>
    </div>`;
}

function openCorners(photo, size, lattice) {
  const [w, h_] = size;
  const last = lattice ? lattice.length - 1 : 0;
  const corners = lattice
    ? [lattice[0][0], lattice[0][last], lattice[last][last], lattice[last][0]]
    : [
        [w * 0.2, h_ * 0.2],
        [w * 0.8, h_ * 0.2],
        [w * 0.8, h_ * 0.8],
        [w * 0.2, h_ * 0.8],
      ];
  page.corners = { photo, size, corners };
  page.cornersProblem = null;
  render();
  root.querySelector(".corners-pane")?.scrollIntoView({ block: "start" });
}

function cornersPane(player) {
  const { photo, size } = page.corners;
  const send = async () => {
    page.working = true;
    render();
    try {
      const view = await post(`${table.address}/corners`, {
        player: player.id,
        stage: page.stage,
        photo,
        corners: page.corners.corners,
      });
      unlight();
      table.take(view);
    } catch (error) {
      page.cornersProblem = error.message;
    }
    page.working = false;
    render();
  };
  return html`
    <section class="card stack corners-pane">
      <h2>${say("corners.title")}</h2>
      <p>${say("corners.how")}</p>
      <div class="corners">
        ${cornersEditor(photo, size, page.corners.corners, (corners) => (page.corners.corners = corners))}
      </div>
      ${page.cornersProblem && html`<div class="message" role="alert">${icon("warn")}<div>${page.cornersProblem}</div></div>`}
      <div class="row">
        <button class="button main-action" data-key="corners-read" disabled=${page.working} onclick=${send}>
          ${page.working ? html`<span class="spinner"></span>` : icon("check")}
          ${say("corners.read")}
        </button>
        <button class="button plain" data-key="corners-cancel" onclick=${() => {
          unlight();
          render();
        }}>
          ${say("cancel")}
        </button>
      </div>
    </section>`;
}

function panes(player, sheet) {
  const both = wide.matches && sheet.photo;
  const show = (pane) => both || !sheet.photo || page.pane === pane;
  const look = lookOf(player, sheet);
  return html`
    <div class="panes">
      <div class="views ${both && "both"}">
        ${
          both &&
          html`
          <figure class="view photo">
            <figcaption class="small quiet">${say("view.photo")}</figcaption>
            ${drawSheet(photoFrame(sheet), table.view.sheet, sheet, look)}
          </figure>`
        }
        ${
          show("flat") &&
          html`
          <figure class="view flat">
            <figcaption class="small quiet">${say(sheet.photo ? "view.flat" : "view.by-hand")}</figcaption>
            ${drawSheet(flatFrame(table.view.sheet, sheet, wide.matches), table.view.sheet, sheet, { ...look, main: true, label: say("view.label", { name: player.name }) })}
          </figure>`
        }
        ${
          !both &&
          sheet.photo &&
          page.pane === "photo" &&
          html`
          <figure class="view photo">${drawSheet(photoFrame(sheet), table.view.sheet, sheet, look)}</figure>`
        }
      </div>
      ${tools(player, sheet, both)}
      <p class="small quiet cell-words" role="status">
        ${page.tip ?? (page.cell ? cellWords(player) : say(`tool.${page.tool}-about`))}
      </p>
    </div>`;
}

function tools(player, sheet, both) {
  return html`
    <div class="tools">
      <div class="segments" role="group" aria-label=${say("tool.title")}>
        ${TOOLS.map(
          (tool) => html`
          <button class="segment ${page.tool === tool && "on"}" aria-pressed=${page.tool === tool}
              data-key="tool-${tool}" onclick=${() => {
                Object.assign(page, { tool, tip: null });
                render();
              }}>
            ${tool === "cell" && html`<span class="glyphs">${[".", "o", "#"].map(glyph)}</span>`}
            ${say(`tool.${tool}`)}
          </button>`,
        )}
      </div>
      <div class="row">
        ${
          !both &&
          sheet.photo &&
          html`
          <button class="button" data-key="pane"
              onclick=${() => {
                page.pane = page.pane === "flat" ? "photo" : "flat";
                render();
              }}>
            ${say(page.pane === "flat" ? "view.photo" : "view.flat")}
          </button>`
        }
        ${
          sheet.photo &&
          html`
          <button class="button plain" aria-pressed=${page.marks} data-key="marks"
              onclick=${() => {
                page.marks = !page.marks;
                render();
              }}>
            ${say(page.marks ? "view.hide" : "view.show")}
          </button>`
        }
        ${
          sheet.flat &&
          comparable(table.view.sheet, sheet, lettersAsked(player, page.stage)).length > 0 &&
          html`
          <button class="button plain" data-key="letters" onclick=${() => compareLetters(player)}>
            ${say("letters.open")}
          </button>`
        }
        <button class="button plain" data-key="undo" onclick=${() => table.say({ kind: "undo" })}>
          ${icon("undo")}
          ${say("undo")}
        </button>
        ${sheet.photo && photoButton({ label: say("photo.retake"), id: "retake" }, (files) => addPhotos(files, player.id))}
        ${
          sheet.photo &&
          html`
          <button class="button plain" data-key="grid-wrong"
              onclick=${() => openCorners(sheet.photo, sheet.size, sheet.lattice)}>
            ${say("photo.grid-wrong")}
          </button>`
        }
      </div>
    </div>`;
}

/** A player's sheet as it stands, and what is done to it: kept by player and stage, whatever the page shows meanwhile. */
function sheetOf(player, stage) {
  const id = player.id;
  const there = () => table.view.players.find((one) => one.id === id) ?? null;
  const sheet = () => there()?.sheets[stage] ?? null;
  return {
    sheet,
    open: () => questions(there(), stage),
    asked: () => lettersAsked(there(), stage),
    setCell: (row, col, value) =>
      table.say({ kind: "cell", player: id, stage, row, col, value }, () => {
        const line = sheet().map[row];
        sheet().map[row] = line.slice(0, col) + value + line.slice(col + 1);
        sheet().doubtful = sheet().doubtful.filter((cell) => cell.join() !== `${row},${col}`);
        sheet().said = [...sheet().said, [row, col]];
        there().disagree[stage] = there().disagree[stage].filter((cell) => cell.join() !== `${row},${col}`);
      }),
    setLetters: (letters) =>
      table.say({ kind: "letters", player: id, stage, letters }, () => {
        const now = sheet();
        for (const [letter, row, col, value] of letters) {
          now.destinations = now.destinations
            .filter((other) => other !== letter)
            .concat(value === "traced" ? [letter] : []);
          now.gates = now.gates
            .filter((cell) => cell.join() !== `${row},${col}`)
            .concat(value === "gate" ? [[row, col]] : []);
          now.doubtful_letters = now.doubtful_letters.filter((other) => other !== letter);
          there().walled_over = there().walled_over.filter((other) => other !== letter);
        }
        if (letters.length > 1) now.letters_hard = false;
      }),
  };
}

function doubtBar(player, sheet) {
  const count = questions(player, page.stage).length;
  return [
    player.disagree[page.stage].length > TWO_SHEETS && bar(say("check.two-sheets")),
    count > 0 &&
      bar(say("check.count", { n: count }), sheet.flat && ["check", say("check.start"), () => check(player)]),
    sheet.letters_hard &&
      bar(say("letters.hard"), ["letters-hard", say("letters.compare"), () => compareLetters(player)]),
  ];
}

function bar(words, action) {
  return html`
    <div class="doubt-bar">
      ${icon("warn")}
      <span>${words}</span>
      ${action && html`<button class="button" data-key=${action[0]} onclick=${action[2]}>${action[1]}</button>`}
    </div>`;
}

function check(player) {
  const at = sheetOf(player, page.stage);
  checkDialog({
    profile: table.view.sheet,
    sheet: at.sheet,
    open: at.open,
    answer: ({ row, col, letter }, value) =>
      letter ? at.setLetters([[letter, row, col, value]]) : at.setCell(row, col, value),
    closed: () => back("check"),
  });
}

function compareLetters(player) {
  const { sheet, asked, setLetters } = sheetOf(player, page.stage);
  lettersDialog({ profile: table.view.sheet, sheet, asked, answer: setLetters, closed: () => back("letters") });
}

/** Where the keyboard goes on when a dialog has closed whose button may be gone. */
function back(key) {
  const lost = document.activeElement === document.body || !document.activeElement;
  if (lost) (root.querySelector(`[data-key="${key}"]`) ?? root.querySelector('[data-key="letters"]'))?.focus();
}

const lettersAsked = (player, stage) => [
  ...(player?.sheets[stage].doubtful_letters ?? []),
  ...(stage === "end" ? (player?.walled_over ?? []) : []),
];

/**
 * What is to be asked, cells first: {key, row, col}, and letter, walled, other as the dialog takes them. Letters that are
 * to be compared anyway are not asked one by one.
 */
function questions(player, stage) {
  if (!player) return [];
  const sheet = player.sheets[stage];
  const others = player.sheets[stage === "end" ? "first" : "end"].map;
  const against = new Set(player.disagree[stage].map((cell) => cell.join()));
  const cells = [
    ...new Map([...sheet.doubtful, ...player.disagree[stage]].map((cell) => [cell.join(), cell])).values(),
  ].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [
    ...cells.map(([row, col]) => ({
      key: `${row},${col}`,
      row,
      col,
      other: against.has(`${row},${col}`) ? others[row][col] : null,
    })),
    ...lettersAsked(player, stage)
      .map((letter) => [letter, ...table.view.sheet.letters[letter]])
      .map(([letter, row, col]) => ({ key: letter, row, col, letter, walled: sheet.map[row][col] === "#" }))
      .filter(({ walled }) => walled || !sheet.letters_hard),
  ];
}

function lookOf(player, sheet) {
  const marks =
    page.line !== null
      ? player.lines[page.line]?.marks
      : page.note !== null
        ? table.view.notes[page.note]?.marks
        : null;
  const here = (cells) =>
    (cells ?? []).filter(([id, stage]) => id === player.id && stage === page.stage).map(([, , row, col]) => [row, col]);
  const line = page.line !== null ? player.lines[page.line] : null;
  return {
    lit: here(marks?.cells),
    gap: here(line?.gap),
    path: line?.key === "ruin.route.joined" ? here(marks.cells) : null,
    litTracks: (marks?.fields ?? []).filter(([id]) => id === player.id).map(([, field]) => field),
    ticks: page.stage === "end" || !player.sheets.end.known ? player.ticks : sheet.ticks,
    disagree: [
      ...player.disagree[page.stage],
      ...(page.stage === "end" ? player.walled_over.map((letter) => table.view.sheet.letters[letter]) : []),
    ],
    marks: page.marks,
    focus: page.focus,
    onTap: (row, col) => tap(player, row, col),
    onOver: (cell) => over(cell),
    onFocus: (row, col) => {
      page.focus = [row, col];
      page.cell = [row, col];
      render();
      root.querySelector(`[data-key="cell-${row},${col}"]`)?.focus();
    },
  };
}

function tap(player, row, col) {
  const sheet = player.sheets[page.stage];
  const at = sheetOf(player, page.stage);
  Object.assign(page, { focus: [row, col], cell: [row, col], tip: null });
  const letter = Object.entries(table.view.sheet.letters).find(([, cell]) => cell.join() === `${row},${col}`)?.[0];
  const turned = (value) => (letterValue(sheet, letter, [row, col]) === value ? "plain" : value);
  const nameless = Object.keys(table.view.sheet.letters).length === 0;
  if (page.tool === "cell") at.setCell(row, col, NEXT[sheet.map[row][col]]);
  else if (page.tool === "gate" && sheet.map[row][col] === "o" && nameless) {
    const on = !sheet.gates.some((cell) => cell.join() === `${row},${col}`);
    table.say(
      { kind: "gate", player: player.id, stage: page.stage, row, col, on },
      () =>
        (sheet.gates = on
          ? [...sheet.gates, [row, col]]
          : sheet.gates.filter((cell) => cell.join() !== `${row},${col}`)),
    );
  } else if (page.tool === "gate" && sheet.map[row][col] === "o" && letter)
    at.setLetters([[letter, row, col, turned("gate")]]);
  else if (page.tool === "destination" && letter) at.setLetters([[letter, row, col, turned("traced")]]);
  else {
    if (page.tool !== "look") page.tip = say(`tool.${page.tool}-not`);
    render();
  }
}

let overCell = null;
function over(cell) {
  if (`${cell}` === `${overCell}`) return;
  overCell = cell;
  const player = current();
  const counted = cell ? linesOf(player, cell) : [];
  root.querySelectorAll(".points .line").forEach((line, i) => line.classList.toggle("counted", counted.includes(i)));
}

const countedLines = (player) => (page.cell ? linesOf(player, page.cell) : []);

function linesOf(player, [row, col]) {
  return player.lines.flatMap((line, i) =>
    line.marks.cells.some(([id, stage, r, c]) => id === player.id && stage === page.stage && r === row && c === col)
      ? [i]
      : [],
  );
}

function cellWords(player) {
  const [row, col] = page.cell;
  const counted = linesOf(player, page.cell).map((i) => player.lines[i].label);
  const place = say("cell.place", { row: row + 1, col: col + 1 });
  return counted.length
    ? say("cell.counts", { place, lines: counted.join(say("semicolon")) })
    : say("cell.counts-not", { place });
}

// Lines

function lightLine(i) {
  const player = current();
  page.line = i;
  page.note = null;
  page.cell = null;
  const cells = i === null ? [] : [...player.lines[i].marks.cells, ...player.lines[i].gap];
  showStageOf(player, cells);
  render();
}

function lightNote(i) {
  page.note = i;
  page.line = null;
  page.cell = null;
  if (i !== null) showStageOf(current(), table.view.notes[i].marks.cells);
  render();
}

function showStageOf(player, cells) {
  const own = cells.filter(([id]) => id === player.id);
  if (own.length && !own.some(([, stage]) => stage === page.stage)) page.stage = own[0][1];
}

// Beside the sheet

function todo(player) {
  const things = [];
  const stageOf = (stage) => player.sheets[stage];
  for (const stage of ["first", "end"]) {
    const n = questions(player, stage).length;
    if (stage === page.stage) continue;
    if (n) things.push([say("todo.doubtful", { n, stage: say(`stage.${stage}`) }), () => chooseStage(stage)]);
    else if (stageOf(stage).letters_hard)
      things.push([say("todo.letters", { stage: say(`stage.${stage}`) }), () => chooseStage(stage)]);
  }
  if (!player.goals_known) things.push([say("todo.goals"), () => go("goals")]);
  if (!player.escaped_known) things.push([say("todo.escape"), () => go("escape")]);
  if (!stageOf("first").known && player.first_square === null) things.push([say("todo.first"), () => go("first")]);
  if (!things.length && !table.view.demo) return null;
  return html`
    <section class="todo" aria-label=${say("todo.title")}>
      ${table.view.demo && html`<p class="small demo-words">${say("demo.words")}</p>`}
      ${things.length > 0 && html`<p class="small quiet">${say("todo.title")}</p>`}
      ${things.map(([words, act], i) => html`<button class="todo-chip" data-key="todo-${i}" onclick=${act}>${words}</button>`)}
    </section>`;
}

function go(id) {
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "center", behavior: "smooth" });
  place?.querySelector("button, input")?.focus({ preventScroll: true });
}

function playerCard(player) {
  return html`
    <section class="card player">
      <label>
        <span class="small quiet">${say("player.label")}</span>
        <input class="field" type="text" maxlength="40" data-key="name" value=${player.name}
            onchange=${(event) => event.target.value.trim() && event.target.value.trim() !== player.name && table.say({ kind: "rename", player: player.id, name: event.target.value.trim() })}>
      </label>
      <div class="row">
        ${
          table.view.state &&
          html`
          <a class="button plain" download="in-the-ruin.json"
              href="data:application/json,${encodeURIComponent(JSON.stringify(table.view.state))}">
            ${say("state.download")}
          </a>`
        }
        <button class="button plain danger" data-key="remove"
            onclick=${() => confirm(say("player.remove-sure", { name: player.name })) && table.say({ kind: "remove-player", player: player.id })}>
          ${say("player.remove")}
        </button>
      </div>
    </section>`;
}

function addPlayer() {
  const names = new Set(table.view.players.map((player) => player.name));
  let number = 1;
  while (names.has(say("player.name", { number }))) number++;
  const id = crypto.getRandomValues(new Uint32Array(2)).join("").slice(0, 16);
  page.player = id;
  unlight();
  table.say({ kind: "add-player", player: id, name: say("player.name", { number }) });
}

function photoBar(player) {
  const missing = table.view.players.filter((one) => !one.sheets[page.stage].known).length;
  return html`
    <div class="photo-bar">
      ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera" }, (files) => addPhotos(files, targetOf(player)))}
      ${photoButton({ label: say("photo.files"), multiple: true, main: !document.documentElement.classList.contains("touch"), id: "files" }, (files) => addPhotos(files, files.length === 1 ? targetOf(player) : null))}
      <p class="small quiet">
        ${say(missing || !player ? "photo.next-missing" : "photo.next", { name: player?.name ?? "", stage: say(`stage.${page.stage}`) })}
      </p>
    </div>`;
}

/** One photo is for the player who is shown, unless there already is one and someone else has none. */
function targetOf(player) {
  return player && !player.sheets[page.stage].known ? player.id : null;
}

/** The small sheet hides while the big one is in sight. */
const sight = new IntersectionObserver(([entry]) => root.classList.toggle("in-view", entry.intersectionRatio > 0.6), {
  threshold: [0, 0.6, 1],
});
function watchSight() {
  sight.disconnect();
  const views = root.querySelector(".views");
  if (views) sight.observe(views);
}

takeDropsAndPastes((files) => addPhotos(files, files.length === 1 ? targetOf(current()) : null));
wide.addEventListener("change", render);
render();
