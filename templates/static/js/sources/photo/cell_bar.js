// The cell that was touched: what it is, what it counts for, and the keys that change it.

import { describe } from "../../evidence/sheet.js";
import { html, say, svg } from "../../lib/dom.js";
import { letterChoices, letterGlyph, letterValue } from "./letters.js";

export const CELLS = { ".": "blank", o: "passage", "#": "wall" };

/** `at`: the sheet and its edits (see sheet_edits.js); `cell`: [row, col] or null; `lines`: the labels that count it. */
export function cellBar(profile, at, cell, lines) {
  if (!cell) return html`<p class="cell-bar small quiet" role="status">${say("cell.hint")}</p>`;
  const [row, col] = cell;
  const sheet = at.sheet();
  const value = sheet.map[row][col];
  const letter = Object.entries(profile.letters).find(([, where]) => where.join() === `${row},${col}`)?.[0];
  const gate = sheet.gates.some((other) => other.join() === `${row},${col}`);
  const counts = lines.length
    ? say("cell.counts-for", { lines: lines.join(say("semicolon")) })
    : say("cell.counts-nothing");
  const key = (name, on, picture, words, act) => html`
    <button class="cell-key ${on && "on"}" aria-pressed=${on} data-key=${name} onclick=${act}>${picture}<span>${words}</span></button>`;
  const cellKey = ([one, name]) =>
    key(`value-${name}`, value === one, glyph(one), say(`cell.${name}`), () => at.setCell(row, col, one));
  const is = letter && letterValue(sheet, letter, cell);
  const letterKey = (one) =>
    key(`letter-is-${one}`, is === one, letterGlyph(one), say(`letters.${one}`), () =>
      at.setLetters([[letter, row, col, one]]),
    );
  const nameless = value === "o" && Object.keys(profile.letters).length === 0;
  const gateKey = () => key("gate", gate, letterGlyph("gate"), say("cell.gate"), () => at.setGate(row, col, !gate));
  return html`
    <div class="cell-bar">
      <p class="small" role="status"><strong>${describe(row, col, letter, value, false, false, gate, is === "traced")}</strong> ${counts}</p>
      <div class="cell-keys" data-for="player">
        ${Object.entries(CELLS).map(cellKey)}
        ${letter && letterChoices(sheet, cell).map(letterKey)}
        ${nameless && gateKey()}
      </div>
    </div>`;
}

/** The three values of a cell, drawn. */
export const glyph = (value) => svg`
  <svg viewBox="0 0 24 24" class="glyph" aria-hidden="true">
    <rect x="2" y="2" width="20" height="20" rx="3" class="glyph-cell"/>
    ${value === "o" && svg`<circle cx="12" cy="12" r="6" class="glyph-passage"/>`}
    ${value === "#" && svg`<rect x="5" y="5" width="14" height="14" class="glyph-wall"/>`}
  </svg>`;
