// What a person entered and the companion has not taken (no line, a full disk): a row an entry on the device, sent again in order.
import { inTurn, keptEntries } from "./device_store.js";

const AGAIN = 3000;

export class Unsent {
  /** What this page entered, or found on the device, and does not know to be taken. */
  waiting = [];
  #kept;
  #sending = Promise.resolve();
  #timer;

  /** `send` posts one, which carries its own id; `again` is called to try anew, and is to call `flush`. */
  constructor(name, send, again) {
    this.name = name;
    this.send = send;
    this.again = again;
    /** Once it is known what was left on the device. */
    this.found = this.#kept = this.#found();
    addEventListener("online", () => this.waiting.length && again());
  }

  /** What was left on the device, by this page before it was loaded anew or by another tab that is gone. */
  async #found() {
    const rows = await keptEntries.of(this.name);
    this.waiting.unshift(...rows);
    if (rows.length) setTimeout(this.again);
  }

  /** Enter a change. `kept(lasting)` hears once it is kept: on the device, or only until the page is left. */
  say(change, kept = (_lasting) => {}) {
    const row = { change };
    this.waiting.push(row);
    this.#kept = this.#kept.then(async () => {
      row.key = await keptEntries.add(this.name, { change });
      kept(typeof row.key === "number");
    });
    return this.flush();
  }

  /** Send what waits, of all tabs, oldest first. The last answer; throws where one is refused, or has to wait on. */
  flush() {
    const all = async () => {
      await this.#kept;
      return inTurn(`send ${this.name}`, () => this.#sendAll());
    };
    this.#sending = this.#sending.then(all, all);
    return this.#sending;
  }

  /** Nothing of it is wanted any more. */
  async forget() {
    this.waiting = [];
    for (const { key } of await keptEntries.of(this.name)) await keptEntries.drop(key);
  }

  async #sendAll() {
    let answer = null;
    for (;;) {
      const kept = this.waiting.filter(({ key }) => key !== undefined); // what is entered from now on may not be read yet
      const rows = await keptEntries.of(this.name);
      const there = new Set(rows.map(({ key }) => key));
      const sent = new Set(kept.filter(({ key }) => !there.has(key))); // by another tab
      this.waiting = this.waiting.filter((row) => !sent.has(row));
      if (!rows.length) return answer;
      try {
        answer = await this.send(rows[0].change);
      } catch (error) {
        if (error.later) this.#later();
        else await this.#taken(rows[0]);
        throw error;
      }
      await this.#taken(rows[0]);
    }
  }

  async #taken(row) {
    await keptEntries.drop(row.key);
    this.waiting = this.waiting.filter(({ key }) => key !== row.key);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.again, AGAIN);
  }
}
