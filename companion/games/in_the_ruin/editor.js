// In the Ruin: the map drawn with a finger, letters from a sheet or placed, tracks, escape, goal cards.
import { h, icon, say } from "/static/js/lib/dom.js";
import { roundKeys } from "/static/js/ruin/rounds.js";
import { drawSheet, flatFrame } from "/static/js/ruin/sheet.js";
import { thing } from "/static/js/dispute/art.js";
import { actions, numberField, part, segments, stepper } from "/static/js/dispute/widgets.js";

const TOOLS = ["o", "#", ".", "destination", "letter", "look"];
const NAMES = { o: "passage", "#": "wall", ".": "blank", destination: "destination", letter: "letter", look: "look" };
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const FIRST = { map: "first_map", destinations: "first_destinations" };
const END = { map: "map", destinations: "destinations" };

const view = { tool: "o", stage: "end", letter: "A", goal: null, focus: [0, 0] };
let stroke = null;

const fields = () => (view.stage === "first" ? FIRST : END);
/** A map as every game begins it: a passage at the entrance, in the middle. */
const blank = (size) => {
  const half = ".".repeat((size - 1) / 2);
  return Array.from({ length: size }, (_, row) => (row === half.length ? `${half}o${half}` : ".".repeat(size)));
};
const lettersOf = (desk) => desk.state.letters ?? {};

export default {
  lights: true,

  start: (desk) => ({ game: "in-the-ruin", letters: structuredClone(desk.kept.sheets[0]?.letters ?? desk.kept.demo), players: [] }),

  newPlayer: (state, desk) => ({ map: blank(desk.box.size), escaped: null }),

  stroke: () => stroke !== null,

  show(desk) {
    const line = desk.line();
    if (line) view.stage = line.because.some((place) => place.includes("/first_map")) ? "first" : "end";
  },

  player(desk) {
    return h("div", { class: "ruin-columns" }, mapPart(desk), h("div", { class: "ruin-side" }, tracksPart(desk), escapePart(desk), goalsPart(desk)));
  },

  picture(desk) {
    const maps = [["map", "destinations"], ...(desk.player.first_map ? [["first_map", "first_destinations"]] : [])];
    const { gems = 0, penalties = 0, escaped, goals = [] } = desk.player;
    return h(
      "div",
      { class: "picture ruin-picture" },
      h("div", { class: "picture-maps" }, maps.reverse().map(([map, destinations]) => drawing(desk, desk.player[map], desk.player[destinations], `${desk.place}/${map}`, { marks: true, onTap: () => {} }))),
      h("p", { class: "small" }, [desk.say("gems-n", { n: gems }), desk.say("penalties-n", { n: penalties }), escaped ? desk.say("escaped-n", { n: escaped }) : desk.say("never"), goals.length && goals.map((goal) => goal.join("–")).join(" ")].filter(Boolean).join(" · ")),
    );
  },
};

// The map

function drawing(desk, rows, destinations, place, look) {
  const size = desk.box.size;
  const map = Array.from({ length: size }, (_, r) => Array.from({ length: size }, (_, c) => rows?.[r]?.[c] ?? "."));
  const known = Object.entries(lettersOf(desk)).filter(([, cell]) => cell.length === 2);
  const cells = (places) => places.filter((one) => one.startsWith(`${place}/`)).map((one) => one.slice(place.length + 1).split("/").map(Number)).filter((cell) => cell.length === 2);
  const onLetters = desk.lit.filter((one) => one.startsWith("/letters/")).map((one) => lettersOf(desk)[one.slice(9)]).filter(Boolean);
  const line = desk.line();
  const lit = cells(desk.lit);
  return drawSheet(flatFrame({}, {}, false), { letters: Object.fromEntries(known), tracks: {} }, { map, destinations: destinations ?? [], doubtful: [], said: [], gates: [] }, { lit: [...lit, ...(lit.length ? onLetters : [])], gap: cells(line?.gap ?? []), path: line?.key === "ruin.route.joined" ? lit : null, marks: true, ...look });
}

function mapPart(desk) {
  const { map, destinations } = fields();
  const rows = desk.player[map];
  const choose = (stage) => {
    view.stage = stage;
    desk.redraw();
  };
  return h(
    "section",
    { class: "part map-part" },
    h("div", { class: "row" }, segments(desk.say("stage"), [["first", say("stage.first")], ["end", say("stage.end")]], view.stage, choose, "stage")),
    view.stage === "first" && !rows ? noFirst(desk) : mapEditor(desk, rows, desk.player[destinations]),
    view.stage === "first" && writtenSquare(desk),
  );
}

function mapEditor(desk, rows, destinations) {
  const { map } = fields();
  const board = h("div", { class: `board tool-${NAMES[view.tool]}` });
  const focusCell = (row, col) => board.querySelector(`[data-key="cell-${row},${col}"]`)?.focus();
  const draw = () =>
    board.replaceChildren(
      drawing(desk, desk.player[map], desk.player[fields().destinations], `${desk.place}/${map}`, {
        main: true,
        label: desk.say("map-of", { name: desk.player.name }),
        focus: view.focus,
        onTap: (row, col) => {
          view.focus = [row, col];
          use(desk, row, col);
        },
        onFocus: (row, col) => {
          view.focus = [row, col];
          draw();
          focusCell(row, col);
        },
      }),
    );
  listen(desk, board, draw);
  draw();
  return [
    h("div", { class: "tools" }, segments(say("tool.title"), TOOLS.map((tool) => [tool, [sample(tool), h("span", {}, desk.say(NAMES[tool]))]]), view.tool, (tool) => { view.tool = tool; desk.redraw(); }, "tool")),
    board,
    view.tool === "letter" && lettersPart(desk),
    h("p", { class: "small quiet" }, desk.say(`${NAMES[view.tool]}-how`)),
    view.tool !== "letter" && !desk.kept.sheets.length && same(lettersOf(desk), desk.kept.demo) && h("p", { class: "small quiet" }, desk.say("letters-demo")),
  ];
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function sample(tool) {
  return h("span", { class: `sample sample-${NAMES[tool]}`, "aria-hidden": "true" }, tool === "letter" ? "A" : "");
}

/** A finger that draws: each cell that it enters takes the tool's mark. A tap on a cell that has it already wipes it. */
function listen(desk, board, draw) {
  const cellAt = (event) => {
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".target");
    return target && board.contains(target) ? [Number(target.dataset.row), Number(target.dataset.col)] : null;
  };
  board.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (!cell || event.button !== 0 || !event.isPrimary) return;
    if (!["o", "#", "."].includes(view.tool)) return;
    const tapped = markAt(desk, ...cell) === view.tool ? cell : null;
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
    desk.redraw();
  };
  board.addEventListener("pointerup", (event) => {
    const cell = stroke ? stroke.tapped : cellAt(event);
    if (cell) use(desk, ...cell);
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
    setMark(desk, ...cell, view.tool, stroke.name);
    draw();
  }
}

const markAt = (desk, row, col) => desk.player[fields().map]?.[row]?.[col] ?? ".";

function setMark(desk, row, col, mark, name) {
  const { map } = fields();
  desk.edit(
    (player) => {
      const rows = Array.from({ length: desk.box.size }, (_, r) => [...(player[map]?.[r] ?? "").padEnd(desk.box.size, ".")]);
      rows[row][col] = mark;
      player[map] = rows.map((cells) => cells.join(""));
    },
    { stroke: name },
  );
}

/** What the tool does to one cell. */
function use(desk, row, col) {
  const letter = Object.entries(lettersOf(desk)).find(([, cell]) => cell[0] === row && cell[1] === col)?.[0];
  if (view.tool === "look") desk.choose(`${desk.place}/${fields().map}/${row}/${col}`);
  else if (view.tool === "destination") letter && toggleDestination(desk, letter);
  else if (view.tool === "letter") placeLetter(desk, row, col, letter);
  else setMark(desk, row, col, markAt(desk, row, col) === view.tool ? "." : view.tool, null);
}

function toggleDestination(desk, letter) {
  const { destinations } = fields();
  desk.edit((player) => {
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

function placeLetter(desk, row, col, there) {
  desk.change((state) => {
    const letters = { ...state.letters };
    if (there) delete letters[there];
    if (there !== view.letter) letters[view.letter] = [row, col];
    state.letters = letters;
    forgetLost(state);
  });
  const free = LETTERS.find((letter) => !(letter in lettersOf(desk)));
  if (there !== view.letter && free) view.letter = free;
  desk.redraw();
}

function lettersPart(desk) {
  const take = (letters) =>
    desk.change((state) => {
      state.letters = structuredClone(letters);
      forgetLost(state);
    });
  const sheets = [...desk.kept.sheets, { name: desk.say("demo"), letters: desk.kept.demo }];
  return h(
    "div",
    { class: "letters-part" },
    h("div", { class: "keys", role: "group", "aria-label": desk.say("letter") }, LETTERS.map((letter) => h("button", { type: "button", class: `key ${view.letter === letter ? "on" : ""} ${letter in lettersOf(desk) ? "placed" : ""}`, "aria-pressed": view.letter === letter ? "true" : "false", "data-key": `letter-${letter}`, onclick: () => { view.letter = letter; desk.redraw(); } }, letter))),
    h("div", { class: "row" }, sheets.map((sheet, i) => h("button", { type: "button", class: "button", "data-key": `sheet-${i}`, onclick: () => take(sheet.letters) }, desk.say("take-letters", { name: sheet.name }))), h("button", { type: "button", class: "button plain", "data-key": "no-letters", onclick: () => take({}) }, desk.say("no-letters"))),
  );
}

function noFirst(desk) {
  const copy = () => desk.edit((player) => Object.assign(player, { first_map: [...player.map], ...(player.destinations ? { first_destinations: [...player.destinations] } : {}) }));
  return h("div", { class: "no-first" }, h("p", {}, desk.say("no-first")), h("div", { class: "row" }, h("button", { type: "button", class: "button", "data-key": "first-copy", onclick: copy }, desk.say("first-copy")), h("button", { type: "button", class: "button", "data-key": "first-blank", onclick: () => desk.edit((player) => (player.first_map = blank(desk.box.size))) }, desk.say("first-blank"))));
}

function writtenSquare(desk) {
  const { first_map: map, first_square: square } = desk.player;
  const set = (cells) =>
    desk.edit(
      (player) => {
        if (cells === undefined) delete player.first_square;
        else player.first_square = cells;
      },
      { stroke: "first-square" },
    );
  const field = numberField({ label: desk.say("first-square"), value: square, most: desk.box.size ** 2, key: "first-square", kind: "written-label", place: `${desk.place}/first_square`, set });
  return h("div", { class: "row written" }, field, map && h("button", { type: "button", class: "button plain danger", "data-key": "first-forget", onclick: () => desk.edit((player) => { delete player.first_map; delete player.first_destinations; }) }, desk.say("first-forget")));
}

// Beside the map

function tracksPart(desk) {
  const track = (field, art) => stepper({ label: desk.say(field), value: desk.player[field] ?? 0, most: 99, key: field, art: thing(art), place: `${desk.place}/${field}`, set: (n) => desk.edit((player) => (player[field] = n)) });
  return part(desk.say("tracks"), h("div", { class: "count-rows" }, track("gems", "tick"), track("penalties", "skull")));
}

function escapePart(desk) {
  const { escaped = null } = desk.player;
  const set = (round) => desk.edit((player) => (player.escaped = round));
  return part(desk.say("escape"), h("div", { class: "keys", role: "group", "aria-label": desk.say("escape"), "data-place": `${desk.place}/escaped` }, roundKeys({ round: escaped, never: desk.say("never"), name: (n) => desk.say("escaped-n", { n }), set })));
}

function goalsPart(desk) {
  const goals = desk.player.goals ?? [];
  const place = (i) => `${desk.place}/goals/${i}`;
  const tap = (letter) => {
    const start = view.goal;
    view.goal = start === null ? letter : null;
    if (start === null || start === letter) desk.redraw();
    else desk.edit((player) => (player.goals = [...goals, [start, letter].sort()]));
  };
  const remove = (i) => {
    desk.edit((player) => player.goals.splice(i, 1));
    desk.choose(null);
  };
  const chosen = goals.findIndex((_, i) => place(i) === desk.chosen);
  return part(
    desk.say("goals"),
    goals.length > 0 && h("div", { class: "chips" }, goals.map((goal, i) => h("button", { type: "button", class: `goal-card ${i === chosen ? "chosen" : ""}`, "data-place": place(i), "data-tap": "choose", "data-key": place(i), "aria-label": desk.say("goal", { from: goal[0], to: goal[1] }) }, goal.join("–")))),
    chosen >= 0 && actions(goals[chosen].join("–"), [[say("dispute.remove"), icon("close"), () => remove(chosen), "remove"]]),
    h("p", { class: "small quiet" }, view.goal === null ? desk.say("goals-how") : desk.say("goals-to", { letter: view.goal })),
    h("div", { class: "keys", role: "group", "aria-label": desk.say("goals") }, Object.keys(lettersOf(desk)).sort().map((letter) => h("button", { type: "button", class: `key ${view.goal === letter ? "on" : ""}`, "data-key": `goal-${letter}`, onclick: () => tap(letter) }, letter))),
  );
}
