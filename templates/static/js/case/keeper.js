// A tapped case is kept by the companion under an id, change by change: it is on the list of evenings, to go on with, all
// devices that show it see what another one changes, and each takes back what it changed itself.
import { newId, post } from "../lib/api.js";
import { may } from "../lib/dom.js";
import { Edits } from "../lib/edits.js";
import { News } from "../lib/news.js";
import { cameFrom } from "./address.js";

const PLACE = "kept";

/** What keeps the case of this page; what could not be kept is tried again. */
export class Keeper {
  #news = null;
  /** @type {any} */
  #edits = null;
  shows = (_state) => {};
  goes = () => {};
  /** Where the next game is, once another device has begun it; whether this one was deleted. */
  next = null;
  gone = false;
  /** The case as this page has it, and the game before this one, until this one is kept. */
  #mine = null;
  #last = null;
  /** The refusal that was told and holds still. */
  #refused = null;

  /**
   * `match`: what the short games of one match share; `there`: the case as it was kept when the page was made, null where
   * none was; `failed(message)` hears what went wrong, null once it is kept.
   */
  constructor({ match = null, there = null, failed }) {
    this.id = new URLSearchParams(location.search).get(PLACE);
    this.match = match;
    this.there = there;
    this.failed = failed;
  }

  /**
   * The page begins with this state. `shows(state)` hears how the case stands, whoever changed it; `goes()` hears that
   * the `next` game has begun, or this one is `gone` or back.
   */
  async follow(state, shows, goes) {
    Object.assign(this, { shows, goes });
    this.#mine = state;
    if (!this.id) return;
    this.#open(this.there ?? { number: -1 });
    if (this.there) this.#listen();
    await this.#edits.unsent.found;
    if (!this.there && !this.#edits.waiting.length) this.#listen();
    this.#heard();
  }

  /** Whether what is tapped is kept: what a guest tries out is not, nor what came from a photo, whose game is kept. */
  get keeps() {
    return may("player") && !cameFrom();
  }

  /** The part of the page's address that names the case; empty while nothing is kept. */
  get query() {
    return this.id ? `&${PLACE}=${this.id}` : "";
  }

  /** What this device can take back (`undo`) and tap again (`redo`): player and field. */
  get steps() {
    return (!this.gone && this.#edits?.steps) || {};
  }

  /** Waits until the companion has answered what was tapped just now, or cannot be reached; null where nothing waits. */
  known() {
    return this.#edits?.waiting.length ? this.#edits.unsent.flush().catch(() => null) : null;
  }

  /** Take back what this device tapped last, or tap it again; whether that was done. */
  step(kind) {
    return this.#edits.say({ kind });
  }

  /** Keep this state, which was tapped on the one before; changes of one `stroke` are one thing said. */
  keep(was, state, stroke = null, more = {}) {
    this.#mine = state;
    if (!this.keeps || this.gone) return;
    this.id ??= newId();
    if (!this.#edits) this.#open({ number: -1 });
    const isNew = !more.again && this.#edits.newest.number < 0 && !this.#edits.waiting.length;
    this.#edits.say({ state, was, new: isNew, stroke, match: this.match, ...more });
  }

  /** Keep it all the same, with what others made of it who did so before. */
  again() {
    const { state } = this.#edits.view;
    this.gone = false;
    this.#open({ number: -1, state });
    this.keep(state, this.#mine, null, { again: true });
    this.goes();
  }

  /** The next game begins, under an id of its own; the last one is of the same match, where there is one. */
  begin(match = null) {
    if (match && match !== this.match) {
      this.match = match;
      if (this.#edits) this.keep(this.#mine, this.#mine);
    }
    this.#news?.end();
    this.#last = this.id;
    Object.assign(this, { id: newId(), match, next: null, gone: false });
    this.#news = this.#edits = this.#mine = null;
  }

  #open(view) {
    const address = `/api/evenings/games/${this.id}`;
    const edits = new Edits(view, () => edits === this.#edits && this.#heard(), {
      address,
      send: (edit) => this.#send(edits, edit),
      more: { at: `${location.pathname}?${PLACE}=${this.id}` },
    });
    this.#edits = edits;
  }

  async #send(edits, edit) {
    const isNow = () => edits === this.#edits;
    const view = await post(edits.address, { ...edit, last: isNow() ? this.#last : null }, "POST", true);
    if (!isNow()) return view;
    const begun = view.state ? null : view.next;
    if (begun && edits.waiting.length === 1) {
      location.replace(begun); // another device has begun it
      return null;
    }
    this.#last = null;
    if (begun) return this.#send(edits, edit); // what is entered here already is a game of its own
    this.#listen();
    return view;
  }

  /** What became of what was said, or what another device said. */
  #heard() {
    const { view, waiting, problem } = this.#edits;
    if (problem?.status === 404 && !this.gone) return this.#deleted();
    const refused = problem?.offline ? null : problem;
    if (refused !== this.#refused) this.failed(refused?.message ?? null);
    this.#refused = refused;
    if (waiting.length) return;
    if (view.state) this.shows(view.state);
    if ((view.next ?? null) === this.next) return;
    this.next = view.next;
    this.goes();
  }

  #listen() {
    const edits = this.#edits;
    let { steps } = edits.view;
    this.#news ??= new News(edits.address, null, (event, told) => {
      if (event === "gone") this.#deleted();
      else if (event === "steps") steps = told;
      else if (event === "all") edits.hear({ ...told, steps: told.steps ?? steps });
    });
  }

  /** Nobody has it any more: it stands on this page alone, until somebody wants it kept. */
  #deleted() {
    this.#news = this.#news?.end() ?? null;
    this.#edits.unsent.forget();
    this.gone = true;
    this.goes();
  }
}
