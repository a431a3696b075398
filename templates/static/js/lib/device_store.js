// What waits on the device until the companion has it, over reloads and in all tabs: photos, and what was entered.

/** Each kind has a database of its own, so that a page of an older program that is still open blocks no other. */
const FILES = { database: "companion", store: "files" };
const ENTRIES = { database: "companion-entries", store: "entries" };

/** The rows of one kind, in the order in which they came; each is a page's. */
class Rows {
  #opened = null;
  /** What the device did not keep (a private window): there until the page is left. */
  #unkept = new Map();

  constructor({ database, store }) {
    this.database = database;
    this.store = store;
  }

  async #ask(mode, what) {
    this.#opened ??= this.#open();
    const rows = (await this.#opened).transaction(this.store, mode, { durability: "strict" });
    const asked = what(rows.objectStore(this.store));
    return new Promise((done, failed) => {
      rows.oncomplete = () => done(asked.result);
      rows.onabort = rows.onerror = () => failed(rows.error);
    });
  }

  #open() {
    return new Promise((done, failed) => {
      const asked = indexedDB.open(this.database, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(this.store, { keyPath: "key", autoIncrement: true });
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => failed(asked.error);
    });
  }

  /** Keep a row of a page; the key it is kept by. `at`: the address that sends it, where that is not the page's now. */
  add(page, row) {
    const kept = { at: location.pathname + location.search, ...row, page };
    return this.#ask("readwrite", (rows) => rows.add(kept)).catch(() => {
      const key = `unkept ${this.#unkept.size} ${performance.now()}`;
      this.#unkept.set(key, { ...kept, key });
      return key;
    });
  }

  async drop(key) {
    if (!this.#unkept.delete(key)) await this.#ask("readwrite", (rows) => rows.delete(key)).catch(() => null);
  }

  /** The rows of all pages, oldest first, with their keys. */
  async all() {
    const kept = await this.#ask("readonly", (rows) => rows.getAll()).catch(() => []);
    return [...kept, ...this.#unkept.values()];
  }

  async of(page) {
    return (await this.all()).filter((row) => row.page === page);
  }
}

export const keptFiles = new Rows(FILES);
export const keptEntries = new Rows(ENTRIES);

/** Do it while no other tab does what is called the same. Where tabs know nothing of each other (http), at once. */
export const inTurn = (name, act) => (navigator.locks ? navigator.locks.request(name, act) : act());
