// What a person entered and the companion has not taken (no line, a full disk): a row an entry on the device, sent again in order.
import { inTurn, keptEntries } from "./device_store.js";

const AGAIN = 3000;

export class Unsent {
  /** What this page entered, or found on the device, and does not know to be taken. */
  waiting = [];
  #kept;
  #sending = Promise.resolve();
  #timer;
  #mark;

  /**
   * `send` posts one, which carries its own id; `again` is called to try anew, and is to call `flush`; `more`: what else is
   * kept with each row.
   */
  constructor(name, send, again, more = {}) {
    this.more = more;
    this.name = name;
    this.send = send;
    this.again = again;
    this.#mark = `unkept ${name}`;
    /** Once it is known what was left on the device. */
    this.found = this.#kept = this.#found();
    addEventListener("online", () => this.waiting.length && again());
  }

  /** What was left on the device, by this page before it was loaded anew or by another tab that is gone. */
  async #found() {
    const left = this.#left;
    const rows = await keptEntries.of(this.name);
    const there = new Set(rows.map(({ change }) => JSON.stringify(change)));
    const more = left.filter((change) => !there.has(JSON.stringify(change))).map((change) => ({ change }));
    this.waiting.unshift(...rows, ...more);
    for (const row of more) await this.#keep(row);
    this.#heard(rows.map(({ change }) => change));
    if (rows.length + more.length) setTimeout(this.again);
  }

  /** Enter a change. It is remembered on the page until the device has taken it down: the page may be left before. */
  say(change) {
    const row = { change };
    this.waiting.push(row);
    this.#left = [...this.#left, change];
    this.#kept = this.#kept.then(() => this.#keep(row));
    return this.flush();
  }

  async #keep(row) {
    row.key = await keptEntries.add(this.name, { ...this.more, change: row.change });
    if (typeof row.key === "number") this.#heard([row.change]); // else it is there until the page is left
  }

  /** What the device has not taken down yet. */
  get #left() {
    return JSON.parse(sessionStorage.getItem(this.#mark) || "[]");
  }

  set #left(changes) {
    try {
      if (changes.length) sessionStorage.setItem(this.#mark, JSON.stringify(changes));
      else sessionStorage.removeItem(this.#mark);
    } catch {
      // no room on the page: the device takes it down in a moment
    }
  }

  /** These need not be remembered on the page any more. */
  #heard(changes) {
    const known = new Set(changes.map((change) => JSON.stringify(change)));
    if (this.#left.length) this.#left = this.#left.filter((change) => !known.has(JSON.stringify(change)));
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
    this.#left = [];
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
    this.#heard([row.change]);
    this.waiting = this.waiting.filter(({ key }) => key !== row.key);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.again, AGAIN);
  }
}
