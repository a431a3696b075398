// What the reading is not sure of, one after the other: a cell or a letter close up, and its answers.
import { h, redraw, s, say } from "../lib/dom.js";
import { letterChoices, letterGlyph, letterPictures, letterValue } from "./letters.js";
import { describe } from "./sheet.js";

const CELLS = { ".": "blank", o: "passage", "#": "wall" };

/**
 * Ask about each of a list. `open()` gives what is still open: {row, col, letter}, the letter only where the letter is
 * asked about; `answer(question, value)` takes one.
 */
export function checkDialog({ profile, sheet, open, answer }) {
  const dialog = h("dialog", { class: "check-dialog", "aria-label": say("check.title") });
  const letters = Object.fromEntries(Object.entries(profile.letters).map(([letter, cell]) => [cell.join(), letter]));
  const all = open();
  let at = 0;
  const step = (by) => {
    at += by;
    if (at >= all.length || at < 0) dialog.close();
    else draw();
  };
  const choose = (value) => {
    answer(all[at], value);
    step(1);
  };
  const choice = (value, now, name, picture, words) => h("button", { type: "button", class: `answer ${now === value ? "on" : ""}`, "data-key": `answer-${name}`, onclick: () => choose(value) }, picture, h("span", {}, words));
  function cellQuestion(row, col) {
    const now = sheet().map[row][col];
    return [
      closeUp(sheet(), row, col),
      h("p", { class: "quiet small" }, describe(row, col, letters[`${row},${col}`], now, false, false, false, false)),
      h("div", { class: "answers" }, Object.entries(CELLS).map(([value, name]) => choice(value, now, name, glyph(value), say(`cell.${name}`)))),
    ];
  }
  function letterQuestion(row, col, letter) {
    const now = letterValue(sheet(), letter, [row, col]);
    return [
      letterPictures(profile, sheet(), letter),
      h("p", { class: "quiet small" }, profile.prints ? say("letters.beside") : describe(row, col, letter, sheet().map[row][col], false, false, false, false)),
      h("div", { class: "answers" }, letterChoices(sheet(), [row, col]).map((value) => choice(value, now, value, letterGlyph(value), say(`letters.${value}`)))),
    ];
  }
  function draw() {
    const { row, col, letter } = all[at];
    redraw(
      dialog,
      h("div", { class: "check-head" }, h("h2", {}, letter ? say("check.letter", { letter }) : say("check.what")), h("span", { class: "quiet" }, `${at + 1} / ${all.length}`)),
      ...(letter ? letterQuestion(row, col, letter) : cellQuestion(row, col)),
      h("div", { class: "row check-foot" }, h("button", { type: "button", class: "button plain", "data-key": "later", onclick: () => step(1) }, say("check.later")), h("button", { type: "button", class: "button plain", "data-key": "close", onclick: () => dialog.close() }, say("check.close"))),
    );
  }
  draw();
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function closeUp(sheet, row, col) {
  const { cell, origin, size, image } = sheet.flat;
  const side = cell * 2.4;
  const [x, y] = [origin[0] + (col + 0.5) * cell, origin[1] + (row + 0.5) * cell];
  return s(
    "svg",
    { class: "close-up", viewBox: `${x - side / 2} ${y - side / 2} ${side} ${side}`, role: "img", "aria-label": say("check.picture") },
    s("image", { href: `/photos/${image}.jpg`, width: size[0], height: size[1] }),
    s("rect", { x: x - cell / 2, y: y - cell / 2, width: cell, height: cell, class: "close-up-edge", "stroke-width": cell * 0.05 }),
  );
}

/** The three values of a cell, drawn. */
export function glyph(value) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" },
    s("rect", { x: 2, y: 2, width: 20, height: 20, rx: 3, class: "glyph-cell" }),
    value === "o" && s("circle", { cx: 12, cy: 12, r: 6, class: "glyph-passage" }),
    value === "#" && s("rect", { x: 5, y: 5, width: 14, height: 14, class: "glyph-wall" }),
  );
}
