// Undo and redo, which say what they undo.
import { html, icon, say } from "../lib/dom.js";

/**
 * @typedef {object} History
 * @property {string | undefined} undoes what undoing would take back, as a sentence; undefined where there is nothing.
 * @property {string | undefined} redoes what redoing would bring back.
 * @property {() => void} undo @property {() => void} redo
 */

/** The two buttons; greyed where there is nothing to undo. @param {History} history */
export function undoButtons(history) {
  const button = (key, words) => html`
    <button class="button plain ${key}" data-key=${key} disabled=${!words} aria-label=${words ?? say(`dispute.${key}`)}
      title=${words ?? say(`dispute.${key}`)} onclick=${() => history[key]()}>${icon("undo")}</button>`;
  return [button("undo", history.undoes), button("redo", history.redoes)];
}

/** Ctrl+Z undoes, with Shift it redoes; in a field that is typed in it stays the field's own. @param {History} history */
export function undoKeys(history) {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    if (event.shiftKey) history.redo();
    else history.undo();
  });
}
