// Undo and redo, which say what they undo.
import { button, say } from "../lib/dom.js";
import { toast } from "../lib/toast.js";

/**
 * @typedef {object} History
 * @property {string | undefined} undoes what undoing would take back, in words; undefined where there is nothing.
 * @property {string | undefined} redoes what redoing would bring back.
 * @property {() => Promise<any> | null} [known] waits until it is known what was entered just now, where that is not known at once.
 * @property {() => void | Promise<boolean>} undo @property {() => void | Promise<boolean>} redo whether it was done.
 */

/** The two buttons; greyed where there is nothing to undo. @param {History} history */
export function undoButtons(history) {
  const one = (key, what) => {
    const label = what ? say(`undo.${key}`, { what }) : say(`dispute.${key}`);
    return button(key, null, () => step(history, key), { kind: `plain ${key}`, sign: "undo", label, disabled: !what });
  };
  return [one("undo", history.undoes), one("redo", history.redoes)];
}

/** The buttons that stand there say what they undo now; nothing else is drawn anew, whatever somebody is at. */
export function redrawUndo(root, history) {
  for (const made of undoButtons(history)) {
    const there = root.querySelector(`button[data-key="${made.dataset.key}"]`);
    if (!there || there.outerHTML === made.outerHTML) continue;
    const focused = there === document.activeElement;
    there.replaceWith(made);
    if (focused) made.focus({ preventScroll: true });
  }
}

/** Ctrl+Z undoes, with Shift, and Ctrl+Y, it redoes; in a field that is typed in both are the field's own. @param {History} history */
export function undoKeys(history) {
  addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const again = (key === "z" && event.shiftKey) || (key === "y" && event.ctrlKey);
    if (!(event.ctrlKey || event.metaKey) || !(again || key === "z")) return;
    if (/** @type {Element} */ (event.target).matches("input:not([type=checkbox], [type=radio])")) return;
    event.preventDefault();
    step(history, again ? "redo" : "undo");
  });
}

/** Take a step, and say what it took back, once it has. */
async function step(history, key) {
  const words = () => (key === "undo" ? history.undoes : history.redoes);
  if (!words()) await history.known?.(); // a key pressed right after an entry is about that entry
  const what = words();
  if (!what || (await history[key]()) === false) return;
  toast(say(key === "undo" ? "undo.took-back" : "undo.said-again", { what }));
}
