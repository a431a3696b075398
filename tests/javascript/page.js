// A page without a browser: what modules ask of it, and a companion that answers as the test says.

const listeners = new EventTarget();
/** What the page listens to on its window and document. */
export const happens = (name, more = {}) => listeners.dispatchEvent(Object.assign(new Event(name), more));
const listen = listeners.addEventListener.bind(listeners);

/** Requests that came, as `POST /address` with what they brought; `answers` is asked for each answer. */
export const companion = {
  asked: [],
  /** Status and what is said; null: no line. @type {(method: string, address: string, body: any) => any} */
  answers: () => [200, {}],
};

/** The lines on which the page hears news. */
export const lines = [];
class Line extends EventTarget {
  static CONNECTING = 0;
  static CLOSED = 2;
  readyState = 1;
  constructor(address) {
    super();
    this.address = address;
    lines.push(this);
  }
  close() {
    this.readyState = Line.CLOSED;
  }
  /** Something is told. */
  tell(name, data, lastEventId = "") {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }));
  }
}

const kept = new Map();
/** Where the page was sent. */
export const place = { search: "", replaced: [], replace: (to) => place.replaced.push(to) };
const values = {
  WORDS: {},
  addEventListener: listen,
  document: {
    addEventListener: listen,
    hidden: false,
    activeElement: null,
    documentElement: { dataset: { role: "player", most: "32" } },
  },
  location: place,
  sessionStorage: {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  },
  EventSource: Line,
  fetch: async (address, { method = "GET", body = "null" } = {}) => {
    const brought = JSON.parse(body);
    companion.asked.push([`${method} ${address}`, brought]);
    const answer = companion.answers(method, address, brought);
    if (!answer) throw new TypeError("no line");
    const [status, said] = answer;
    return { status, ok: status < 400, json: async () => said };
  },
};
for (const [name, value] of Object.entries(values))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** What the page shows, to be changed. @type {any} */
export const shown = document;

/** All that was begun and waits for no clock is over. */
export const settled = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

/** A new page that a device of this role opens. */
export function opened({ role = "player", search = "" } = {}) {
  kept.clear();
  companion.asked.length = lines.length = place.replaced.length = 0;
  place.search = search;
  shown.documentElement.dataset.role = role;
}
export const marks = () => [...kept.values()];
