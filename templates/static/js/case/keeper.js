// A tapped case is kept by the companion under an id, as it changes: it is on the list of evenings, to go on with, and
// all devices that show it see what another one changes.
import { get, newId, post } from "../lib/api.js";
import { may } from "../lib/dom.js";
import { News } from "../lib/news.js";
import { same } from "./merge.js";

const PLACE = "kept";
const AGAIN = 3000;
const UNKNOWN = "?";
/** What says of a case that it is still to be kept: for the first time, or as it has changed. */
const [FIRST, CHANGED] = ["first", "changed"];

const PAGE = newId();

/** What keeps the case of this page; what could not be kept is tried again. */
export class Keeper {
  #news = null;
  #sending = false;
  /** Where the next game is, once another device has begun it; whether this one was deleted. */
  next = null;
  gone = false;
  /** The case as this page has it; as it is kept, as far as is known, and which version that is. */
  #mine = null;
  #shared = null;
  #version = null;
  /** Versions that are over; and the latest news, which waits while something is sent: it may be older than the answer, or newer. */
  #past = new Set();
  #late = null;
  /** The version that this page had kept last, as far as is known. */
  #own = null;
  /** The game before this one, until this one is kept; and the state that this one began with. */
  #last = null;
  #begun = null;
  /** What was sent and not answered: only the companion knows whether it was kept. */
  #unsure = new Set();
  /** Whether a refusal was told that holds still. */
  #refused = false;

  /** `match`: what the short games of one match share; `failed(message)` hears what went wrong, null once it is kept. */
  constructor({ match = null, failed }) {
    this.id = new URLSearchParams(location.search).get(PLACE);
    this.match = match;
    this.failed = failed;
    addEventListener("pagehide", () => this.#waits && this.#post().catch(() => {}));
  }

  /**
   * The page begins with this state. `follows(before, theirs)` hears what another device made of the case that was as
   * `before`, and returns what it is then; `goes()` hears that the `next` game has begun, or this one is `gone` or back.
   */
  follow(state, follows, goes) {
    this.follows = follows;
    this.goes = goes;
    if (!this.id) return;
    const mark = sessionStorage.getItem(this.#mark);
    this.#version = mark === FIRST ? null : UNKNOWN;
    this.#mine = state;
    if (mark === null) this.#shared = state;
    else this.#send();
    this.#listen();
  }

  /** The part of the page's address that names the case; empty while nothing is kept. */
  get query() {
    return this.id ? `&${PLACE}=${this.id}` : "";
  }

  /** Keep this state; what a guest tries out is kept nowhere. */
  keep(state) {
    if (!may("player")) return;
    this.id ??= newId();
    this.#begun ??= state;
    this.#mine = state;
    sessionStorage.setItem(this.#mark, this.#version === null ? FIRST : CHANGED);
    this.#send();
  }

  /** Keep it all the same, with what others made of it who did so before. */
  async again() {
    const there = await get(this.#address).catch((error) => error);
    if (there.offline) return this.failed(there.message);
    this.gone = false;
    this.#version = there.version ? UNKNOWN : null;
    if (!there.version) this.#shared = null;
    this.goes();
    this.#send();
    if (there.version) this.#listen();
  }

  /** The next game begins, under an id of its own; the last one is of the same match, where there is one. */
  begin(match = null) {
    const joins = match && match !== this.match && this.#mine && may("player");
    if (joins) this.match = match;
    if (joins || this.#waits) this.#post().catch(() => {});
    this.#news?.end();
    this.#last = this.id;
    Object.assign(this, { id: newId(), match, next: null, gone: false });
    this.#news = this.#mine = this.#begun = this.#shared = this.#version = this.#late = null;
    this.#unsure = new Set();
  }

  get #mark() {
    return `unkept ${this.id}`;
  }

  get #waits() {
    return !this.gone && (this.#unsure.size > 0 || this.#mine !== this.#shared) && may("player");
  }

  get #address() {
    return `/api/evenings/games/${this.id}`;
  }

  #post() {
    const body = { state: this.#mine, match: this.match, after: this.#version, by: PAGE, last: this.#last };
    return post(this.#address, body, "POST", true);
  }

  /** Send what is newest until it is kept. */
  async #send() {
    if (this.#sending) return;
    this.#sending = true;
    while (this.#waits) {
      const [id, state] = [this.id, this.#mine];
      try {
        const kept = await this.#post();
        if (this.id !== id) continue;
        if (kept.state) {
          const { own } = kept;
          if (own && own.version !== this.#own) [this.#own, this.#shared] = [own.version, own.state];
          // A companion that was started anew does not know whose it is.
          if (!kept.by && [...this.#unsure].some((sent) => same(sent, kept.state))) this.#shared = kept.state;
          this.#unsure = new Set();
          this.#hear(kept);
          continue;
        }
        if (kept.next) {
          if (this.#mine === this.#begun) return location.replace(kept.next); // another device has begun it
          this.#last = null; // what is entered here already is a game of its own
          continue;
        }
        this.#last = null;
        this.#past.add(this.#version);
        this.#version = this.#own = kept.version;
        this.#shared = state;
        this.#unsure = new Set();
        if (this.#refused) this.failed(null);
        this.#refused = false;
        if (!this.#waits) sessionStorage.removeItem(this.#mark);
        this.#listen();
      } catch (error) {
        if (this.id !== id) continue;
        if (error.status === 404) {
          this.#deleted();
          break;
        }
        if (error.offline) this.#unsure.add(state);
        this.#refused ||= !error.offline;
        if (!error.offline) this.failed(error.message);
        if (error.later) setTimeout(() => this.#send(), AGAIN);
        break;
      }
    }
    this.#sending = false;
    this.#catchUp();
  }

  #listen() {
    this.#news ??= new News(this.#address, null, (event, told) => {
      if (event === "gone") this.#deleted();
      if (event !== "all") return;
      this.#late = told;
      if (!this.#sending) this.#catchUp();
      if (told.next === this.next) return;
      this.next = told.next;
      this.goes();
    });
  }

  #catchUp() {
    const told = this.#late;
    this.#late = null;
    if (!told || told.by === PAGE || this.#unsure.size || this.#past.has(told.version)) return;
    if (told.version !== this.#version) this.#hear(told);
  }

  /** Nobody has it any more: it stands on this page alone, until somebody wants it kept. */
  #deleted() {
    this.#news = this.#news?.end() ?? null;
    this.#unsure = new Set();
    this.gone = true;
    this.goes();
  }

  /** What another device made of the case. */
  #hear({ state, version }) {
    const before = this.#shared ?? state;
    this.#shared = state;
    this.#past.add(this.#version);
    this.#version = version;
    const mine = this.follows(before, state);
    this.#mine = same(mine, state) ? state : mine;
    if (this.#waits) this.#send();
    else sessionStorage.removeItem(this.#mark);
  }
}
