// News of what the page shows: server-sent events while it is seen; asking now and then where there is no line to be had.
import { get } from "./api.js";

const ASK_AGAIN = 2000;
const ASK_STOPPED = 5000;
const SILENT = 25_000;

export class News {
  #source = null;
  #asking = null;
  #watch = null;
  #heard = 0;
  #ended = false;

  /**
   * @param {string} address what is asked now and then; its events are at `<address>/events`.
   * @param {string | null} id from where to hear on. @param {(event: string, data: object) => void} told hears `all`,
   *   `end`, and `gone` where it was forgotten; at a table `table`, `row` and `status` too, at a play before `all` the
   *   `steps` that this device can take back.
   * @param {(open: boolean) => void} line hears whether the companion can be reached.
   */
  constructor(address, id, told, line = () => {}) {
    this.address = address;
    this.id = id;
    this.told = told;
    this.line = line;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.open());
    this.open();
  }

  open() {
    if (this.#source || this.#asking || this.#ended || document.hidden) return;
    const source = new EventSource(`${this.address}/events?after=${encodeURIComponent(this.id ?? "")}`);
    this.#source = source;
    this.#heard = performance.now();
    for (const name of ["steps", "all", "table", "row", "status", "end"])
      source.addEventListener(name, (event) => this.#hear(name, event));
    source.addEventListener("open", () => this.line(true));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) this.#ask();
      else this.line(false);
    });
    // A line that says nothing at all for long has died without a word (a phone that changed its network).
    this.#watch = setInterval(
      () => source.readyState !== EventSource.CONNECTING && performance.now() - this.#heard > SILENT && this.#again(),
      5000,
    );
  }

  close() {
    this.#source?.close();
    clearTimeout(this.#asking);
    clearInterval(this.#watch);
    this.#source = this.#asking = this.#watch = null;
  }

  /** Nothing is heard any more. */
  end() {
    this.#ended = true;
    this.close();
  }

  #again() {
    this.close();
    this.open();
  }

  #hear(name, event) {
    this.#heard = performance.now();
    if (event.lastEventId) this.id = event.lastEventId;
    if (name === "end") this.#ask();
    this.told(name, JSON.parse(event.data));
  }

  /** Every line is taken, or the table is not followed any more: it may be once again. */
  #ask(after = ASK_AGAIN) {
    this.close();
    this.#asking = setTimeout(async () => {
      this.#asking = null;
      try {
        const all = await get(this.address);
        if (this.#ended) return;
        this.line(true);
        this.told("all", all);
        this.#ask(all.status?.phase === "stopped" ? ASK_STOPPED : ASK_AGAIN);
      } catch (error) {
        if (this.#ended) return;
        if (error.status === 404) {
          this.#ended = true;
          return this.told("gone");
        }
        this.line(false);
        if (error.offline || error.status >= 500) this.#ask();
      }
    }, after);
  }
}
