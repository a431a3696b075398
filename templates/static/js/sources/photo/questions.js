// What the reading is not sure of, one after the other: a cell or a letter close up, and its answers.
import { amount, stake } from "../../breakdown/stake.js";
import { closeUp } from "../../evidence/overlay.js";
import { square } from "../../evidence/pieces.js";
import { describe } from "../../evidence/sheet.js";
import { button, html, icon, redraw, say } from "../../lib/dom.js";
import { CELLS, glyph } from "./cell_bar.js";
import { letterChoices, letterGlyph, letterPictures, letterValue } from "./letters.js";

/** The letters of a sheet that a person is asked about. */
export const lettersAsked = (player, stage) => [
  ...(player?.sheets[stage].doubtful_letters ?? []),
  ...(stage === "end" ? (player?.walled_over ?? []) : []),
];

/**
 * What is to be asked of a sheet, what can change most points first: {key, row, col, points}, and letter, walled, other as
 * the dialog takes them; of a track whose number of ticks is in doubt {key, track, counts, boxes, points}; of cells that
 * are asked about together {key, kinds, cells, points}, but for those whose `key` is in `apart`. Letters that are to be
 * compared anyway are not asked one by one. `seat`: the player's place in the state.
 */
export function questions(view, player, stage, seat, apart = new Set()) {
  if (!player) return [];
  const sheet = player.sheets[stage];
  const others = player.sheets[stage === "end" ? "first" : "end"].map;
  const against = new Set(player.disagree[stage].map((cell) => cell.join()));
  const known = new Map((view.case.doubts ?? []).map(({ piece, points }) => [piece, { points }]));
  const of = (key) => known.get(`${seat}.${stage}.${key}`);
  const unique = new Map([...sheet.doubtful, ...player.disagree[stage]].map((cell) => [cell.join(), cell])).values();
  const together = Object.entries(sheet.alike)
    .map(([kinds, among]) => {
      const each = [`alike.${kinds}`, ...among.map((cell) => cell.join("."))].map((one) => of(one)?.points);
      const points = each.some((one) => one) ? spanning(each.filter((one) => one)) : null;
      return { key: `alike-${kinds}`, kinds, cells: among, points };
    })
    .filter(({ key }) => !apart.has(key));
  const within = new Set(together.flatMap((one) => one.cells.map((cell) => cell.join())));
  const cells = [...unique]
    .filter((cell) => !within.has(cell.join()) || against.has(cell.join()))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const letters = lettersAsked(player, stage).map((letter) => [letter, ...view.sheet.letters[letter]]);
  const asked = [
    ...together,
    ...cells.map(([row, col]) => {
      const key = `${row},${col}`;
      return { key, row, col, other: against.has(key) ? others[row][col] : null, ...of(`${row}.${col}`) };
    }),
    ...letters
      .map(([letter, row, col]) => ({
        key: letter,
        row,
        col,
        letter,
        walled: sheet.map[row][col] === "#",
        ...of(letter),
      }))
      .filter(({ walled }) => walled || !sheet.letters_hard),
    ...Object.entries(sheet.doubtful_ticks)
      .filter(([track]) => of(track))
      .map(([track, counts]) => ({ key: track, track, counts, boxes: view.sheet.tracks[track], ...of(track) })),
  ];
  return asked.sort((a, b) => weight(b) - weight(a) || Number(Boolean(a.letter)) - Number(Boolean(b.letter)));
}

/** By how many points the answer to a question can move a total, at most. */
export const weight = ({ points }) => (points ? Math.max(...points.map(Math.abs)) : 0);

/** From the least to the most that any of these moves a total by. */
const spanning = (each) => [Math.min(...each.map(([low]) => low)), Math.max(...each.map(([, high]) => high))];

/** So many cells that are doubtful, or contradict the other stage's photo, are no accident. */
const CROWD = 12;

/**
 * What all that is asked of a sheet may come from: "two-sheets" where the stages' photos seem to show two players' sheets,
 * "grid" where its corners lie off the print, "by-corners" where they still do though a person showed them; null where
 * nothing is common to it. `open`: what is asked.
 */
export function causeOf(player, stage, open) {
  const { troubles, photo, by_corners: shown } = player.sheets[stage];
  if (player.disagree[stage].length > CROWD) return "two-sheets";
  const cells = open.map(
    ({ row, letter, cells: together }) => together?.length ?? Number(row !== undefined && !letter),
  );
  if (!photo || cells.reduce((sum, n) => sum + n, 0) <= CROWD) return null;
  if (shown) return "by-corners";
  return troubles.includes("grid") ? "grid" : null;
}

/** The first of the questions in a list, each with its picture and what hangs on it; `ask(key)` begins with one. */
export function questionList(sheet, open, ask) {
  const row = (one) => html`
    <li><button class="question-row" data-key="ask-${one.key}" onclick=${() => ask(one.key)}>
      ${one.track ? trackCloseUp(sheet, one.boxes, false) : cellCloseUp(sheet, ...(one.cells?.[0] ?? [one.row, one.col]), false)}
      <span>${asking(sheet, one)}</span>
      <strong>${amount(one.points)}</strong>
    </button></li>`;
  return html`<ul class="question-list">${open.slice(0, LISTED).map(row)}</ul>`;
}

const LISTED = 3;

function asking(sheet, one) {
  if (one.track) return say(`check.ticks.${one.track}`);
  if (one.kinds) return say("check.alike", { n: one.cells.length, ...between(one.kinds) });
  if (one.letter) return say(one.walled ? "check.walled" : "check.letter", one);
  const what = say(`cell.${CELLS[sheet.map[one.row][one.col]]}`);
  return say("check.cell", { row: one.row + 1, col: one.col + 1, what });
}

/** The two kinds that cells may be, in words. */
const between = ([one, other]) => ({ one: say(`cell.${CELLS[one]}`), other: say(`cell.${CELLS[other]}`) });

/**
 * Ask one question after the other. `open()` gives those that are open; `sheet()` the sheet as it stands, or nothing where
 * it is gone; `total()` the player's part of the answer; `answer(question, value)` takes one; `split(question)` asks about
 * cells one by one from then on; `closed()` comes last. `first`: the key of the one to begin with.
 */
export function questionDialog({ profile, sheet, total, open, answer, split, closed, first = null }) {
  const dialog = html`<dialog class="check-dialog" aria-label=${say("check.title")}></dialog>`;
  const letters = Object.fromEntries(Object.entries(profile.letters).map(([letter, cell]) => [cell.join(), letter]));
  const past = new Set();
  const taken = new Map(); // of cells that are asked about together: what a tap says of one
  let now = null;
  let counted = [1, 1];
  const step = () => {
    if (now) past.add(now.key);
    taken.clear();
    const left = sheet() ? open().filter(({ key }) => !past.has(key)) : [];
    now = (!now && left.find(({ key }) => key === first)) || left[0] || null;
    counted = [past.size + 1, past.size + left.length];
    if (now) draw(...counted);
    else dialog.close();
  };
  const choose = (value) => {
    if (sheet()) answer(now, value);
    step();
  };
  const choice = (value, on, name, picture, words) => html`
    <button class="answer ${on && "on"}" data-key="answer-${name}" onclick=${() => choose(value)}>${picture}<span>${words}</span></button>`;
  const words = (letter, row, col, value = sheet().map[row][col]) =>
    describe(row, col, letter, value, false, false, false, false);
  function cellQuestion({ row, col, other }) {
    const read = sheet().map[row][col];
    const answers = Object.entries(CELLS).map(([value, name]) =>
      choice(value, read === value, name, glyph(value), say(`cell.${name}`)),
    );
    return [
      cellCloseUp(sheet(), row, col),
      html`<p class="quiet small">${words(letters[`${row},${col}`], row, col)}</p>`,
      other && html`<p class="small">${say("check.other", { what: say(`cell.${CELLS[other]}`) })}</p>`,
      html`<div class="answers">${answers}</div>`,
    ];
  }
  function alikeQuestion({ kinds, cells }) {
    const shown = ([row, col]) => taken.get(`${row},${col}`) ?? sheet().map[row][col];
    const as = (value) => cells.map((cell) => [...cell, value ?? shown(cell)]);
    const kindsShown = new Set(cells.map(shown));
    const all = [...kinds].map((value) => {
      const words = say(`check.all.${CELLS[value]}`);
      return choice(as(value), kindsShown.size === 1 && kindsShown.has(value), CELLS[value], glyph(value), words);
    });
    const mixed = kindsShown.size > 1 && choice(as(), true, "as-shown", icon("check"), say("check.as-shown"));
    const flip = (cell) => {
      const [one, other] = kinds;
      taken.set(cell.join(), shown(cell) === one ? other : one);
      draw(...counted);
    };
    const apart = () => {
      split(now);
      step();
    };
    const picture = (cell) => html`
      <button class="alike-cell" data-key="alike-${cell.join()}" onclick=${() => flip(cell)}
        aria-label=${words(letters[cell.join()], ...cell, shown(cell))}>${cellCloseUp(sheet(), ...cell)}${glyph(shown(cell))}</button>`;
    return [
      html`<div class="alike">${cells.map(picture)}</div>`,
      html`<p class="quiet small">${say("check.alike-about")}</p>`,
      html`<div class="answers">${all}${mixed}</div>`,
      button("one-by-one", say("check.one-by-one"), apart, { kind: "plain" }),
    ];
  }
  function letterQuestion({ row, col, letter, walled }) {
    const is = letterValue(sheet(), letter, [row, col]);
    const label = (value) => say(walled ? `letters.walled-${value}` : `letters.${value}`);
    const answers = letterChoices(sheet(), [row, col]).map((value) =>
      choice(value, is === value, value, letterGlyph(value), label(value)),
    );
    const about = walled
      ? say("letters.walled-about", { letter })
      : profile.prints
        ? say("letters.beside")
        : words(letter, row, col);
    return [
      letterPictures(profile, sheet(), letter),
      html`<p class="quiet small">${about}</p>`,
      html`<div class="answers">${answers}</div>`,
    ];
  }
  function ticksQuestion({ track, counts, boxes }) {
    const read = sheet().ticks[track];
    const answers = counts.map((n) => choice(n, read === n, n, null, n));
    return [trackCloseUp(sheet(), boxes), html`<div class="answers">${answers}</div>`];
  }
  const question = () =>
    now.track
      ? ticksQuestion(now)
      : now.kinds
        ? alikeQuestion(now)
        : now.letter
          ? letterQuestion(now)
          : cellQuestion(now);
  function draw(number, count) {
    const asked = now.letter || now.track || now.kinds ? asking(sheet(), now) : say("check.what");
    redraw(
      dialog,
      html`<div class="check-head"><h2>${asked}</h2><span class="quiet">${number} / ${count}</span></div>`,
      question(),
      stake(now.points, total()),
      html`
        <div class="row check-foot">
          ${button("later", say("check.later"), step, { kind: "plain" })}
          ${button("close", say("check.close"), () => dialog.close(), { kind: "plain" })}
        </div>`,
    );
    // Enter keeps the reading.
    dialog.querySelector(".answer.on")?.focus();
  }
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  step();
}

function cellCloseUp({ flat }, row, col, whitened = true) {
  const [x, y] = [flat.origin[0] + col * flat.cell, flat.origin[1] + row * flat.cell];
  return closeUp(`/photos/${flat.image}.jpg`, flat.size, square(x, y, flat.cell), 2.4, whitened);
}

function trackCloseUp({ flat }, boxes, whitened = true) {
  const along = (k, end) => boxes.map((box) => flat.origin[k] + (box[k] + (end ? box[k + 2] : 0)) * flat.cell);
  const [left, top] = [0, 1].map((k) => Math.min(...along(k, false)));
  const [right, bottom] = [0, 1].map((k) => Math.max(...along(k, true)));
  const outline = [[left, top], [right, top], [right, bottom], [left, bottom]]; // biome-ignore format: a square
  return closeUp(`/photos/${flat.image}.jpg`, flat.size, outline, 1.1, whitened);
}
