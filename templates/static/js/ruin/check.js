// What the reading is not sure of, one after the other: a cell or a letter close up, and its answers.
import { html, redraw, say, svg } from "../lib/dom.js";
import { letterChoices, letterGlyph, letterPictures, letterValue } from "./letters.js";
import { describe } from "./sheet.js";

const CELLS = { ".": "blank", o: "passage", "#": "wall" };

/**
 * Ask one question after the other. `open()` gives those that are open: {key, row, col}, with `letter` where that is
 * asked about, `walled` where a wall covers it, `other` for what the other stage's photo shows of the cell; `sheet()`
 * the sheet as it stands, or nothing where it is gone; `answer(question, value)` takes one; `closed()` comes last.
 */
export function checkDialog({ profile, sheet, open, answer, closed }) {
  const dialog = html`<dialog class="check-dialog" aria-label=${say("check.title")}></dialog>`;
  const letters = Object.fromEntries(Object.entries(profile.letters).map(([letter, cell]) => [cell.join(), letter]));
  const past = new Set();
  let now = null;
  const step = () => {
    if (now) past.add(now.key);
    const left = sheet() ? open().filter(({ key }) => !past.has(key)) : [];
    now = left[0] ?? null;
    if (now) draw(past.size + 1, past.size + left.length);
    else dialog.close();
  };
  const choose = (value) => {
    if (sheet()) answer(now, value);
    step();
  };
  const choice = (value, on, name, picture, words) => html`
    <button class="answer ${on && "on"}" data-key="answer-${name}" onclick=${() => choose(value)}>
      ${picture}
      <span>${words}</span>
    </button>`;
  function cellQuestion({ row, col, other }) {
    const read = sheet().map[row][col];
    return [
      closeUp(sheet(), row, col),
      html`
        <p class="quiet small">${describe(row, col, letters[`${row},${col}`], read, false, false, false, false)}</p>`,
      other && html`<p class="small">${say("check.other", { what: say(`cell.${CELLS[other]}`) })}</p>`,
      html`
        <div class="answers">
          ${Object.entries(CELLS).map(([value, name]) => choice(value, read === value, name, glyph(value), say(`cell.${name}`)))}
        </div>`,
    ];
  }
  function letterQuestion({ row, col, letter, walled }) {
    const is = letterValue(sheet(), letter, [row, col]);
    const words = (value) => say(walled ? `letters.walled-${value}` : `letters.${value}`);
    return [
      letterPictures(profile, sheet(), letter),
      html`
        <p class="quiet small">
          ${walled ? say("letters.walled-about", { letter }) : profile.prints ? say("letters.beside") : describe(row, col, letter, sheet().map[row][col], false, false, false, false)}
        </p>`,
      html`
        <div class="answers">
          ${letterChoices(sheet(), [row, col]).map((value) => choice(value, is === value, value, letterGlyph(value), words(value)))}
        </div>`,
    ];
  }
  function draw(number, count) {
    const asked = now.walled ? say("check.walled", now) : now.letter ? say("check.letter", now) : say("check.what");
    redraw(
      dialog,
      html`<div class="check-head"><h2>${asked}</h2><span class="quiet">${number} / ${count}</span></div>`,
      ...(now.letter ? letterQuestion(now) : cellQuestion(now)),
      html`
        <div class="row check-foot">
          <button class="button plain" data-key="later" onclick=${step}>${say("check.later")}</button>
          <button class="button plain" data-key="close" onclick=${() => dialog.close()}>${say("check.close")}</button>
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

function closeUp(sheet, row, col) {
  const { cell, origin, size, image } = sheet.flat;
  const side = cell * 2.4;
  const [x, y] = [origin[0] + (col + 0.5) * cell, origin[1] + (row + 0.5) * cell];
  return svg`
    <svg class="close-up" viewBox="${x - side / 2} ${y - side / 2} ${side} ${side}" role="img"
        aria-label=${say("check.picture")}>
      <image href="/photos/${image}.jpg" width=${size[0]} height=${size[1]}/>
      <rect x=${x - cell / 2} y=${y - cell / 2} width=${cell} height=${cell} class="close-up-edge"
          stroke-width=${cell * 0.05}/>
    </svg>`;
}

/** The three values of a cell, drawn. */
export function glyph(value) {
  return svg`
    <svg viewBox="0 0 24 24" class="glyph" aria-hidden="true">
      <rect x="2" y="2" width="20" height="20" rx="3" class="glyph-cell"/>
      ${value === "o" && svg`<circle cx="12" cy="12" r="6" class="glyph-passage"/>`}
      ${value === "#" && svg`<rect x="5" y="5" width="14" height="14" class="glyph-wall"/>`}
    </svg>`;
}
