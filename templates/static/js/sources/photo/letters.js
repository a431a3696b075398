// The letters of a sheet, each close up beside its print: traced, a gate, or neither.
import { button, html, redraw, say, svg } from "../../lib/dom.js";

const ROUND = ["plain", "traced", "gate"];

/** What a letter counts as: plain, traced (a destination), gate. */
export function letterValue(sheet, letter, [row, col]) {
  if (sheet.gates.some((cell) => cell[0] === row && cell[1] === col)) return "gate";
  return sheet.destinations.includes(letter) ? "traced" : "plain";
}

/** What a letter may count as: only a passage is a gate. */
export const letterChoices = (sheet, [row, col]) => (sheet.map[row][col] === "o" ? ROUND : ROUND.slice(0, 2));

/** The letters that can be compared: those that no wall covers, and destinations under one. */
export function comparable(profile, sheet, asked) {
  const walled = ([row, col]) => sheet.map[row][col] === "#";
  return Object.keys(profile.letters)
    .sort()
    .filter(
      (letter) => !walled(profile.letters[letter]) || sheet.destinations.includes(letter) || asked.includes(letter),
    );
}

/** A letter as the photo shows it and, where the blank sheet is known, as it is printed. */
export function letterPictures(profile, sheet, letter) {
  const [row, col] = profile.letters[letter];
  const { cell, origin, size, image } = sheet.flat;
  // A saved sheet can be corrected later: then the letters' pictures may show another cell.
  const strip = sheet.letter_strip?.letters ?? [];
  const at = strip.findIndex(([, r, c]) => r === row && c === col);
  const seen =
    at >= 0
      ? side(`/photos/${sheet.letter_strip.image}.jpg`, strip.length, at, say("letters.seen", { letter }))
      : part(
          [origin[0] + col * cell, origin[1] + row * cell, cell, cell],
          `/photos/${image}.jpg`,
          size,
          say("letters.seen", { letter }),
        );
  const printed = profile.prints?.order.indexOf(letter) ?? -1;
  return html`
    <span class="letter-pictures">
      ${seen}
      ${printed >= 0 && side(profile.prints.url, profile.prints.order.length, printed, say("letters.printed", { letter }))}
    </span>`;
}

/** One of `count` square pictures that lie side by side in a file. */
const side = (href, count, at, label) => part([at, 0, 1, 1], href, [count, 1], label);

const part = (box, href, [width, height], label) => svg`
  <svg viewBox=${box.join(" ")} class="letter-picture" role="img" aria-label=${label}>
    <image href=${href} width=${width} height=${height} preserveAspectRatio="none"/>
  </svg>`;

/** The mark that stands for what a letter is, as it is drawn over the sheet. */
export function letterGlyph(value) {
  return svg`
    <svg viewBox="0 0 24 24" class="glyph letter-glyph" aria-hidden="true">
      <rect x="2" y="2" width="20" height="20" rx="3" class="glyph-cell"/>
      ${value === "traced" && svg`<path d="M3 3h12L3 15z" class="glyph-destination"/>`}
      ${value === "gate" && [svg`<circle cx="12" cy="12" r="8.5" class="glyph-gate"/>`, svg`<circle cx="12" cy="12" r="5" class="glyph-gate"/>`]}
    </svg>`;
}

/**
 * Show all letters. `sheet()` gives the sheet as it stands, or nothing where it is gone; `asked()` the letters that are
 * asked about; `answer([[letter, row, col, value], …])` takes what they are; `closed()` comes last.
 */
export function lettersDialog({ profile, sheet, asked, answer, closed }) {
  const dialog = html`<dialog class="check-dialog letters-dialog" aria-label=${say("letters.title")}></dialog>`;
  const shown = comparable(profile, sheet(), asked());
  const value = (letter) => letterValue(sheet(), letter, profile.letters[letter]);
  const judge = (letters) => answer(letters.map(([letter, is]) => [letter, ...profile.letters[letter], is]));
  const turn = (letter) => {
    if (!sheet()) return dialog.close();
    const choices = letterChoices(sheet(), profile.letters[letter]);
    judge([[letter, choices[(choices.indexOf(value(letter)) + 1) % choices.length]]]);
    return draw();
  };
  const done = () => {
    if (sheet()) judge(shown.map((letter) => [letter, value(letter)]));
    dialog.close();
  };
  function tile(letter) {
    const open = asked().includes(letter);
    return html`
      <button class="letter-tile ${value(letter)} ${open && "asked"}" data-key="tile-${letter}"
          onclick=${() => turn(letter)}>
        ${letterPictures(profile, sheet(), letter)}
        <span class="letter-words">
          ${letterGlyph(value(letter))}
          <span>${letter} ${say(`letters.${value(letter)}`)}</span>
          ${open && html`<span class="letter-asked"><span aria-hidden="true">?</span><span class="only-read">${say("cell.doubtful")}</span></span>`}
        </span>
      </button>`;
  }
  function draw() {
    redraw(
      dialog,
      html`
        <div class="check-head">
          <h2>${say("letters.title")}</h2>
          ${button("letters-close", say("check.close"), () => dialog.close(), { kind: "plain" })}
        </div>`,
      html`<p class="small">${profile.prints && `${say("letters.beside")} `}${say("letters.about")}</p>`,
      html`<div class="letter-tiles">${shown.map(tile)}</div>`,
      html`<div class="letters-foot">${button("letters-done", say("letters.done"), done, { kind: "main-action" })}</div>`,
    );
  }
  draw();
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
}
