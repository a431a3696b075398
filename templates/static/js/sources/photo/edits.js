// What the page knows of a play, and how what a person says gets to the companion: in order, none lost.
import { get, post } from "../../lib/api.js";

/** Holds the view of a play and the edits that are not acknowledged yet (kept over a reload). */
export class Edits {
  constructor(view, changed) {
    this.view = this.newest = view;
    this.address = `/api/in-the-ruin/plays/${view.id}`;
    this.kept = `edits ${view.id}`;
    this.changed = changed;
    this.problem = null;
    this.waiting = JSON.parse(localStorage.getItem(this.kept) ?? "[]");
    this.sending = null;
    if (this.waiting.length) this.flush();
  }

  /** Take an edit: `now` shows it at once, the companion's answer follows. */
  say(edit, now = () => {}) {
    now();
    this.waiting.push(edit);
    this.keep();
    this.changed();
    return this.flush();
  }

  keep() {
    if (this.waiting.length) localStorage.setItem(this.kept, JSON.stringify(this.waiting));
    else localStorage.removeItem(this.kept);
  }

  /** Send what waits; resolves when all of it was answered, or the companion is out of reach. */
  flush() {
    if (this.waiting.length) this.sending ??= this.#send();
    return this.sending;
  }

  async #send() {
    let view = null;
    while (this.waiting.length) {
      try {
        view = await post(`${this.address}/edits`, this.waiting[0]);
        this.problem = null;
      } catch (error) {
        this.problem = error;
        if (error.later) {
          setTimeout(() => this.flush(), 3000);
          break;
        }
        // Refused: what the companion knows is shown again, the rest goes on.
      }
      this.waiting.shift();
      this.keep();
    }
    this.sending = null;
    if (this.problem && !this.problem.offline) view = await get(this.address).catch(() => view);
    this.take(view ?? this.view);
  }

  /** Take another view: the newest that came counts, once no edit is under way that it does not know yet. */
  take(view) {
    if (view.number >= this.newest.number) this.newest = view;
    if (!this.waiting.length) this.view = this.newest;
    this.changed();
  }
}
