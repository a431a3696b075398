// What the page knows of a play or of a tapped game, and how what a person says gets to the companion: in order, none lost.
import { get, newId, post } from "./api.js";
import { Unsent } from "./unsent.js";

/** Holds the view of a game and the edits that are not acknowledged yet (kept over a reload). */
export class Edits {
  /**
   * `address` is the game's; `send` posts one edit, and answers with the view that it makes; `changed` hears of each; `more`:
   * see Unsent.
   */
  constructor(view, changed, { address, send = (edit) => post(`${address}/edits`, edit), more = {} }) {
    this.view = this.newest = view;
    this.address = address;
    this.changed = changed;
    this.problem = null;
    const flush = () => this.#hear(this.unsent.flush());
    this.unsent = new Unsent(`edits ${address.split("/").at(-1)}`, send, flush, more);
    this.unsent.found.then(() => this.waiting.length && this.changed());
  }

  get waiting() {
    return this.unsent.waiting;
  }

  /** What this device can take back and say again; nothing while a step waits for a line: nobody sees what it took back. */
  get steps() {
    const waits = this.problem?.offline && this.waiting.some(({ change }) => ["undo", "redo"].includes(change.kind));
    return (!waits && this.view.steps) || {};
  }

  /** Take an edit: `now` shows it at once, the companion's answer follows. */
  say(edit, now = () => {}) {
    now();
    const heard = this.#hear(this.unsent.say({ once: newId(), ...edit }));
    this.changed();
    return heard;
  }

  /** Wait for an answer, whether it was taken; where an edit was refused, what the companion knows is shown again. */
  async #hear(answer) {
    let view = null;
    try {
      view = await answer;
      if (view) this.problem = null;
    } catch (error) {
      this.problem = error;
      if (!error.offline) view = await get(this.address).catch(() => null);
    }
    this.#newer(view ?? this.newest);
    this.changed();
    return !this.problem;
  }

  /** Take another view. While an edit waits nothing else is shown, and nothing drawn: another tab may send hundreds. */
  take(view) {
    this.#newer(view);
    if (!this.waiting.length) this.changed();
  }

  /** The newest view that came counts, once no edit is under way that it does not know yet. Numbers begin anew with a game
   * that was deleted and is kept again, which was begun later. */
  #newer(view) {
    const later = (view.begun ?? 0) - (this.newest.begun ?? 0);
    if (later > 0 || (later === 0 && view.number >= this.newest.number)) this.newest = view;
    if (!this.waiting.length) this.view = this.newest;
  }

  /** The same of news, which tells what this page's own request was answered, too: nothing is drawn twice. */
  hear(view) {
    if (JSON.stringify(view) !== JSON.stringify(this.view)) this.take(view);
  }
}
