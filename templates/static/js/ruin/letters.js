// The letters of a sheet, each close up beside its print: traced, a gate, or neither.
import { h, redraw, s, say } from "../lib/dom.js";

const ROUND = { plain: "traced", traced: "gate", gate: "plain" };

/** What a letter counts as: plain, traced, gate. */
export function letterValue(sheet, letter, [row, col]) {
  if (sheet.gates.some((cell) => cell[0] === row && cell[1] === col)) return "gate";
  return sheet.destinations.includes(letter) ? "traced" : "plain";
}

/** What a letter may count as: only a passage is a gate. */
export const letterChoices = (sheet, [row, col]) => (sheet.map[row][col] === "o" ? ["plain", "traced", "gate"] : ["plain", "traced"]);

/** A letter as the photo shows it and, where the blank sheet is known, as it is printed. */
export function letterPictures(profile, sheet, letter) {
  const [row, col] = profile.letters[letter];
  const { cell, origin, size, image } = sheet.flat;
  const at = sheet.letters?.order.indexOf(letter) ?? -1;
  const seen =
    at >= 0
      ? side(`/photos/${sheet.letters.image}.jpg`, sheet.letters.order.length, at, say("letters.seen", { letter }))
      : part([origin[0] + col * cell, origin[1] + row * cell, cell, cell], `/photos/${image}.jpg`, size, say("letters.seen", { letter }));
  const printed = profile.prints?.order.indexOf(letter) ?? -1;
  return h("span", { class: "letter-pictures" }, seen, printed >= 0 && side(profile.prints.url, profile.prints.order.length, printed, say("letters.printed", { letter })));
}

/** One of `count` square pictures that lie side by side in a file. */
const side = (href, count, at, label) => part([at, 0, 1, 1], href, [count, 1], label);

const part = (box, href, [width, height], label) => s("svg", { viewBox: box.join(" "), class: "letter-picture", role: "img", "aria-label": label }, s("image", { href, width, height, preserveAspectRatio: "none" }));

/** The mark that stands for what a letter is, as it is drawn over the sheet. */
export function letterGlyph(value) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "glyph letter-glyph", "aria-hidden": "true" },
    s("rect", { x: 2, y: 2, width: 20, height: 20, rx: 3, class: "glyph-cell" }),
    value === "traced" && s("path", { d: "M3 3h12L3 15z", class: "glyph-destination" }),
    value === "gate" && [s("circle", { cx: 12, cy: 12, r: 8.5, class: "glyph-gate" }), s("circle", { cx: 12, cy: 12, r: 5, class: "glyph-gate" })],
  );
}

/** Show all letters that no wall covers; `answer([[letter, row, col, value], …])` takes what they are in the end. */
export function lettersDialog({ profile, sheet, answer }) {
  const shown = Object.keys(profile.letters).sort().filter((letter) => sheet.map[profile.letters[letter][0]][profile.letters[letter][1]] !== "#");
  const values = Object.fromEntries(shown.map((letter) => [letter, letterValue(sheet, letter, profile.letters[letter])]));
  const dialog = h("dialog", { class: "check-dialog letters-dialog", "aria-label": say("letters.title") });
  const turn = (letter) => {
    const choices = letterChoices(sheet, profile.letters[letter]);
    do values[letter] = ROUND[values[letter]];
    while (!choices.includes(values[letter]));
    draw();
  };
  const done = () => {
    dialog.close();
    answer(shown.map((letter) => [letter, ...profile.letters[letter], values[letter]]));
  };
  function draw() {
    redraw(
      dialog,
      h("div", { class: "check-head" }, h("h2", {}, say("letters.title")), h("button", { type: "button", class: "button plain", "data-key": "letters-close", onclick: () => dialog.close() }, say("cancel"))),
      h("p", { class: "small" }, say(profile.prints ? "letters.about" : "letters.about-alone")),
      h(
        "div",
        { class: "letter-tiles" },
        shown.map((letter) => {
          const asked = sheet.doubtful_letters.includes(letter);
          return h(
            "button",
            { type: "button", class: `letter-tile ${values[letter]} ${asked ? "asked" : ""}`, "data-key": `tile-${letter}`, onclick: () => turn(letter) },
            letterPictures(profile, sheet, letter),
            h("span", { class: "letter-words" }, letterGlyph(values[letter]), h("span", {}, `${letter} ${say(`letters.${values[letter]}`)}`), asked && h("span", { class: "letter-asked" }, h("span", { "aria-hidden": "true" }, "?"), h("span", { class: "only-read" }, say("cell.doubtful")))),
          );
        }),
      ),
      h("div", { class: "letters-foot" }, h("button", { type: "button", class: "button main-action", "data-key": "letters-done", onclick: done }, say("letters.done"))),
    );
  }
  draw();
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
