// In the Ruin: the map drawn with a finger, letters from a sheet or placed, tracks, escape, goal cards.

import { same } from "/static/js/case/difference.js";
import { drawSheet, flatFrame } from "/static/js/evidence/sheet.js";
import { thing } from "/static/js/lib/art.js";
import { button, html, say } from "/static/js/lib/dom.js";
import { escapeOrder } from "/static/js/lib/escape_order.js";
import { playerRow } from "/static/js/lib/laid_pieces.js";
import { numberField } from "/static/js/lib/number_field.js";
import { keys, part, playerStepper, segments } from "/static/js/lib/widgets.js";

const TOOLS = ["o", "#", ".", "destination", "letter", "look"];
const NAMES = { o: "passage", "#": "wall", ".": "blank", destination: "destination", letter: "letter", look: "look" };
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const FIRST = { map: "first_map", destinations: "first_destinations" };
const END = { map: "map", destinations: "destinations" };

const view = { of: null, tool: "o", stage: "end", letter: "A", goal: null, focus: [0, 0] };
let stroke = null;

const fields = () => (view.stage === "first" ? FIRST : END);
/** A map as every game begins it: a passage at the entrance, in the middle. */
const blank = (size) => {
  const half = ".".repeat((size - 1) / 2);
  return Array.from({ length: size }, (_, row) => (row === half.length ? `${half}o${half}` : ".".repeat(size)));
};
const lettersOf = (context) => context.state.letters ?? {};

export default {
  lights: true,

  start: (context) => ({
    game: "in-the-ruin",
    letters: structuredClone(context.kept.sheets[0]?.letters ?? context.kept.demo),
    players: [],
    goes_on: true,
  }),

  newPlayer: (_, context) => ({ map: blank(context.box.size), escaped: null }),

  stroke: () => stroke !== null,

  show(context) {
    const line = context.line();
    if (line) view.stage = line.because.some((place) => place.includes("/first_map")) ? "first" : "end";
  },

  player(context) {
    const { place, player } = context;
    if (view.of !== place && player.first_map && !player.map) view.stage = "first";
    view.of = place;
    return html`
      <div class="ruin-columns">
        ${mapPart(context)}
        <div class="ruin-side">${tracksPart(context)}${escapePart(context)}${goalsPart(context)}</div>
      </div>`;
  },

  picture(context) {
    const maps = [END, FIRST].filter(({ map }) => context.player[map]).map(Object.values);
    const { gems = 0, penalties = 0, escaped, goals = [] } = context.player;
    const words = [
      context.say("gems-n", { n: gems }),
      context.say("penalties-n", { n: penalties }),
      context.say(escaped ? "escaped" : "never"),
      goals.map((goal) => goal.join("–")).join(" "),
    ];
    return html`
      <div class="ruin-picture">
        <div class="picture-maps">
          ${maps.reverse().map(([map, destinations]) => drawing(context, context.player[map], context.player[destinations], `${context.place}/${map}`, {}))}
        </div>
        <p class="small">${words.filter(Boolean).join(" · ")}</p>
      </div>`;
  },
};

// The map

/** All rows of a map, whole, whatever was written of them. */
const filled = ({ box: { size } }, rows) => Array.from({ length: size }, (_, r) => (rows?.[r] ?? "").padEnd(size, "."));

function drawing(context, rows, destinations, place, look) {
  const map = filled(context, rows);
  const known = Object.entries(lettersOf(context)).filter(([, cell]) => cell.length === 2);
  const id = (row, col) => `${place}/${row}/${col}`;
  const lit = context.lit.filter((one) => one.startsWith(`${place}/`));
  const onLetters = context.lit
    .filter((one) => one.startsWith("/letters/"))
    .map((one) => lettersOf(context)[one.slice(9)]);
  const line = context.line();
  return drawSheet(
    flatFrame({}, {}, false),
    { letters: Object.fromEntries(known), tracks: {} },
    { map, destinations: destinations ?? [], doubtful: [], said: [], gates: [] },
    {
      id,
      lit: new Set([...lit, ...(lit.length ? onLetters.filter(Boolean).map((cell) => id(...cell)) : [])]),
      missing: new Set(line?.gap),
      way: line?.key === "ruin.route.joined",
      ...look,
    },
  );
}

function mapPart(context) {
  const { map } = fields();
  const rows = context.player[map];
  const stages = ["first", "end"].map((stage) => [stage, say(`stage.${stage}`)]);
  return html`
    <section class="part map-part">
      <div class="row">
        ${segments(context.say("stage"), stages, view.stage, (stage) => context.show(view, { stage }), "stage")}
      </div>
      ${rows ? mapEditor(context) : noMap(context)}
      ${view.stage === "first" && writtenSquare(context)}
    </section>`;
}

function mapEditor(context) {
  const { map } = fields();
  const board = html`<div class="board tool-${NAMES[view.tool]}"></div>`;
  const draw = () =>
    board.replaceChildren(
      drawing(context, context.player[map], context.player[fields().destinations], `${context.place}/${map}`, {
        main: true,
        label: context.say("map-of", { name: context.player.name }),
        focus: view.focus,
        onTap: (row, col) => {
          view.focus = [row, col];
          use(context, row, col);
        },
        onFocus: (row, col) => (view.focus = [row, col]),
      }),
    );
  listen(context, board, draw);
  draw();
  const tools = TOOLS.map((tool) => [tool, [sample(tool), html`<span>${context.say(NAMES[tool])}</span>`]]);
  const take = (tool) => context.show(view, { tool });
  return [
    html`<div class="tools">${segments(say("tool.title"), tools, view.tool, take, "tool")}</div>`,
    board,
    view.tool === "letter" && lettersPart(context),
    html`<p class="small quiet">${context.say(`${NAMES[view.tool]}-how`)}</p>`,
    view.tool !== "letter" && areDemo(context) && html`<p class="small quiet">${context.say("letters-demo")}</p>`,
  ];
}

/** Whether the letters are those of the demo's sheet, since no other one is known. */
const areDemo = (context) => !context.kept.sheets.length && same(lettersOf(context), context.kept.demo);

function sample(tool) {
  return html`<span class="sample sample-${NAMES[tool]}" aria-hidden="true">${tool === "letter" ? "A" : ""}</span>`;
}

/** A finger that draws: each cell that it enters takes the tool's mark. A tap on a cell that has it already wipes it. */
function listen(context, board, draw) {
  const cellAt = (event) => {
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-row]");
    return target && board.contains(target) ? [Number(target.dataset.row), Number(target.dataset.col)] : null;
  };
  board.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (!cell || event.button !== 0 || !event.isPrimary) return;
    if (!["o", "#", "."].includes(view.tool)) return;
    const tapped = markAt(context, ...cell) === view.tool ? cell : null;
    stroke = { name: `stroke-${performance.now()}`, last: null, tapped };
    board.setPointerCapture(event.pointerId);
    enter(cell);
    event.preventDefault();
  });
  board.addEventListener("pointermove", (event) => {
    if (!stroke || !event.isPrimary) return;
    for (const one of event.getCoalescedEvents?.() ?? [event]) {
      const cell = cellAt(one);
      if (cell) enter(cell);
    }
  });
  const end = () => {
    if (!stroke) return;
    stroke = null;
    context.redraw();
  };
  board.addEventListener("pointerup", (event) => {
    const cell = stroke ? stroke.tapped : cellAt(event);
    if (cell) use(context, ...cell);
    end();
  });
  board.addEventListener("pointercancel", end);
  // What finger and mouse do is done by now; the click that follows is left to keyboards and screen readers.
  board.addEventListener("click", (event) => event.detail > 0 && event.stopPropagation(), { capture: true });
  function enter(cell) {
    const key = cell.join();
    if (stroke.last === key) return;
    if (stroke.last !== null) stroke.tapped = null;
    stroke.last = key;
    view.focus = cell;
    setMark(context, ...cell, view.tool, stroke.name);
    draw();
  }
}

const markAt = (context, row, col) => context.player[fields().map]?.[row]?.[col] ?? ".";

function setMark(context, row, col, mark, name) {
  const { map } = fields();
  context.edit(
    (player) => {
      const rows = filled(context, player[map]).map((cells) => [...cells]);
      rows[row][col] = mark;
      player[map] = rows.map((cells) => cells.join(""));
    },
    { stroke: name },
  );
}

/** What the tool does to one cell. */
function use(context, row, col) {
  const letter = Object.entries(lettersOf(context)).find(([, cell]) => cell[0] === row && cell[1] === col)?.[0];
  if (view.tool === "look") context.choose(`${context.place}/${fields().map}/${row}/${col}`);
  else if (view.tool === "destination") letter && toggleDestination(context, letter);
  else if (view.tool === "letter") placeLetter(context, row, col, letter);
  else setMark(context, row, col, markAt(context, row, col) === view.tool ? "." : view.tool, null);
}

function toggleDestination(context, letter) {
  const { destinations } = fields();
  context.edit((player) => {
    const held = player[destinations] ?? [];
    player[destinations] = held.includes(letter) ? held.filter((one) => one !== letter) : [...held, letter].sort();
    if (!player[destinations].length) delete player[destinations];
  });
}

/** What the players marked goes with its letter. */
function forgetLost(state) {
  const held = (letter) => letter in state.letters;
  for (const player of state.players) {
    for (const field of [END.destinations, FIRST.destinations, "goals"]) {
      if (Array.isArray(player[field])) player[field] = player[field].filter((one) => [one].flat().every(held));
    }
  }
}

function placeLetter(context, row, col, there) {
  context.change((state) => {
    const letters = { ...state.letters };
    if (there) delete letters[there];
    if (there !== view.letter) letters[view.letter] = [row, col];
    state.letters = letters;
    forgetLost(state);
  });
  const free = LETTERS.find((letter) => !(letter in lettersOf(context)));
  context.show(view, there !== view.letter && free ? { letter: free } : {});
}

function lettersPart(context) {
  const take = (letters) =>
    context.change((state) => {
      state.letters = structuredClone(letters);
      forgetLost(state);
    });
  const option = (letter) => [letter, letter, null, letter in lettersOf(context) && "placed"];
  const sheets = [...context.kept.sheets, { name: context.say("demo"), letters: context.kept.demo }];
  const of = ({ name, letters }, i) => button(`sheet-${i}`, context.say("take-letters", { name }), () => take(letters));
  return html`
    <div class="letters-part">
      ${keys(context.say("letter"), LETTERS.map(option), view.letter, (letter) => context.show(view, { letter }), "letter")}
      <div class="row">
        ${sheets.map(of)}
        ${button("no-letters", context.say("no-letters"), () => take({}), { kind: "plain" })}
      </div>
    </div>`;
}

/** The way to a map that is not there: from the other stage's, or from nothing. With the end's map its escape counts. */
function noMap(context) {
  const there = fields();
  const other = view.stage === "first" ? END : FIRST;
  const begin = (map, marked) =>
    context.edit((player) => {
      player[there.map] = map;
      if (marked) player[there.destinations] = [...marked];
      player.escaped ??= null;
    });
  const { [other.map]: rows, [other.destinations]: marked } = context.player;
  const { stage } = view;
  const from = (words, map, found) =>
    button(`${stage}-${words}`, context.say(`${stage}-${words}`), () => begin(map, found));
  return html`
    <div class="no-first">
      <p>${context.say(`no-${stage}`)}</p>
      <div class="row">
        ${rows && from("copy", [...rows], marked)}
        ${from("blank", blank(context.box.size))}
      </div>
    </div>`;
}

function writtenSquare(context) {
  const { first_map: map, first_square: square } = context.player;
  const set = (cells) =>
    context.edit(
      (player) => {
        if (cells === undefined) delete player.first_square;
        else player.first_square = cells;
      },
      { stroke: "first-square" },
    );
  const field = numberField({
    label: context.say("first-square"),
    value: square,
    most: context.box.size ** 2,
    key: "first-square",
    kind: "written-label",
    place: `${context.place}/first_square`,
    set,
  });
  const forget = () =>
    context.edit((player) => {
      delete player.first_map;
      delete player.first_destinations;
    });
  const away = () => button("first-forget", context.say("first-forget"), forget, { kind: "plain danger" });
  return html`<div class="row written">${field}${map && away()}</div>`;
}

// Beside the map

function tracksPart(context) {
  const track = (field, art) => playerStepper(context, field, { most: 99, art: thing(art) });
  return part(
    context.say("tracks"),
    html`<div class="count-rows">${track("gems", "tick")}${track("penalties", "skull")}</div>`,
  );
}

function escapePart(context) {
  const { players } = context.state;
  const row = ({ name, escaped }, i) => ({ key: `${i}`, name, round: escaped, place: `/players/${i}/escaped` });
  const set = (changes) =>
    context.change((state) => {
      for (const [i, round] of changes) state.players[i].escaped = round;
    });
  return part(say("escape.title"), escapeOrder(players.map(row), set));
}

function goalsPart(context) {
  const goals = context.player.goals ?? [];
  const tap = (letter) => {
    const start = view.goal;
    context.show(view, { goal: start === null ? letter : null });
    if (start !== null && start !== letter)
      context.edit((player) => (player.goals = [...goals, [start, letter].sort()]));
  };
  const { laid, bar } = playerRow(context, "goals", {
    words: ([from, to]) => context.say("goal", { from, to }),
    art: (goal) => goal.join("–"),
    extra: "goal-card",
  });
  const letters = Object.keys(lettersOf(context)).sort();
  const options = letters.map((letter) => [letter, letter]);
  const how = view.goal === null ? context.say("goals-how") : context.say("goals-to", { letter: view.goal });
  return part(
    context.say("goals"),
    html`<p class="small quiet">${how}</p>`,
    keys(context.say("goals"), options, view.goal, tap, "goal"),
    goals.length > 0 && html`<div class="chips">${laid}</div>`,
    bar,
  );
}
