// The case: its state, what was undone, and scoring's latest answer. Nothing here draws.
import { movedBetween, outcomeOf } from "../breakdown/outcome.js";
import { newId, post } from "../lib/api.js";
import { pack } from "./address.js";
import { difference, same } from "./difference.js";

const AGAIN_AFTER = 2000;
const ADDRESS_AFTER = 400;
const MOST_UNDONE = 200;
/** How long what is tapped waits for what is taken back just before. */
const ANSWERED_WITHIN = 2000;
const KEPT = "case";

/** A case of this game that was left before it was in the address that the page has now; null where there is none. */
export function unwritten(game) {
  try {
    const { at, state } = JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
    return at === location.pathname + location.search && state.game === game ? state : null;
  } catch {
    return null; // nothing of ours
  }
}

export class Case {
  #busy = false;
  /** What can be taken back where nothing is kept: the companion knows it of a case that it keeps. */
  #undo = [];
  #redo = [];
  /** What changes have in common that are one thing said: its name, and the id that the companion hears. */
  #stroke = null;
  #writing = null;
  /** A step that the companion has not answered yet. @type {Promise<any> | null} */
  #stepping = null;
  #written = -Infinity;
  #retry = null;
  /** What the companion said of it last. @type {{answer?: any, rows?: any[], hands?: any[], mark?: number | null, problem?: any, so_far?: any}} */
  #heard = {};
  /** By how much the last change moved a total, by name. @type {Object<string, number>} */
  #moved = {};

  /** `told(what)` hears of every change of the state (`state`), of what can be taken back (`steps`), and of every answer (`answer`). */
  constructor(state, told, keeper) {
    this.state = state;
    this.told = told;
    this.keeper = keeper;
    this.trouble = null;
    keeper.follow(
      state,
      (theirs) => this.#follow(theirs),
      () => this.told("answer"),
    );
    this.#score();
  }

  /** The case as it is kept: another device may have changed it. */
  #follow(theirs) {
    if (same(theirs, this.state)) return this.told("steps");
    this.#stroke = null;
    this.#undo = [];
    this.#redo = [];
    this.#show(theirs);
  }

  /** What scoring says of the state as it is, with the latest answer where there is no newer one. */
  get outcome() {
    return outcomeOf({ ...this.#heard, state: this.state }, { trouble: this.trouble, moved: this.#moved });
  }

  /** Change the state: `edit` gets a copy to work on. Changes of one `stroke` (any name) are undone as one. */
  change(edit, { stroke = null } = {}) {
    if (this.#stepping) return void this.#stepping.then(() => this.change(edit, { stroke }));
    const next = structuredClone(this.state);
    edit(next);
    if (JSON.stringify(next) === JSON.stringify(this.state)) return;
    const goesOn = stroke !== null && stroke === this.#stroke?.name;
    if (!goesOn) {
      this.#stroke = { name: stroke, id: newId() };
      this.#undo.push(this.state);
      if (this.#undo.length > MOST_UNDONE) this.#undo.shift();
    }
    this.#redo = [];
    this.keeper.keep(this.state, next, this.#stroke.id);
    this.#show(next);
  }

  /** The next game begins: nothing of the last one counts in it, or can be taken back. */
  begin(state, match) {
    this.keeper.begin(match);
    history.replaceState(null, "", location.pathname); // it came from no photo, and is handed back to none
    this.#stroke = null;
    this.#undo = [];
    this.#redo = [];
    this.#heard = {};
    this.#moved = {};
    this.keeper.keep(null, state);
    this.#show(state);
  }

  undo() {
    return this.keeper.keeps ? this.#ask("undo") : this.#step(this.#undo, this.#redo);
  }

  redo() {
    return this.keeper.keeps ? this.#ask("redo") : this.#step(this.#redo, this.#undo);
  }

  /** Let the companion take a step; what is tapped meanwhile is tapped on what comes of it. */
  async #ask(kind) {
    const asked = this.keeper.step(kind);
    const over = Promise.race([asked, new Promise((late) => setTimeout(late, ANSWERED_WITHIN))]);
    this.#stepping = over;
    await over;
    if (this.#stepping === over) this.#stepping = null;
    return asked;
  }

  /** What undoing would take back and redoing bring back: player (or null) and field; null where there is nothing. */
  get steps() {
    if (this.keeper.keeps) return this.keeper.steps;
    const last = (states) => (states.length ? difference(this.state, states.at(-1)) : null);
    return { undo: last(this.#undo), redo: last(this.#redo) };
  }

  #step(from, to) {
    if (!from.length) return;
    to.push(this.state);
    this.#stroke = null;
    this.#show(from.pop());
  }

  #show(state) {
    if (state.rule !== this.state?.rule) this.#heard = {}; // no line of another rule sheet stands under this one's name
    this.state = state;
    this.#keep();
    this.told("state");
    this.#score();
    const early = this.#written + ADDRESS_AFTER - performance.now();
    if (early <= 0) this.writeAddress();
    else this.#writing ??= setTimeout(() => this.writeAddress(), early);
  }

  /** Put the state into the page's address; browsers allow that only so often. */
  async writeAddress() {
    clearTimeout(this.#writing);
    this.#writing = null;
    this.#written = performance.now();
    const written = this.state;
    const code = await pack(written);
    const now = new URLSearchParams(location.search);
    const back = ["from", "was"]
      .filter((key) => now.has(key))
      .map((key) => `&${key}=${encodeURIComponent(now.get(key))}`);
    history.replaceState(null, "", `?s=${code}${back.join("")}${this.keeper.query}`);
    if (written === this.state) sessionStorage.removeItem(KEPT);
    else this.#keep();
    return code;
  }

  /** Until the state is in the address it is kept beside it: who leaves the page at once loses nothing. */
  #keep() {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ at: location.pathname + location.search, state: this.state }));
    } catch {
      sessionStorage.removeItem(KEPT); // no room: the address follows soon
    }
  }

  /** One question at a time, always about the latest state. */
  async #score() {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#retry);
    for (let asked = null; asked !== this.state; ) {
      asked = this.state;
      try {
        this.#hear(await post("/api/dispute/score", asked));
      } catch (error) {
        this.trouble = error.message;
        if (error.offline) this.#retry = setTimeout(() => this.#score(), AGAIN_AFTER);
        if (error.offline) asked = this.state;
      }
      this.told("answer");
    }
    this.#busy = false;
  }

  #hear({ answer, rows, hands, mark, problem = null, so_far: soFar = null }) {
    const before = this.outcome;
    this.trouble = null;
    this.#heard = {
      answer: answer ?? this.#heard.answer,
      rows: rows ?? this.#heard.rows,
      hands,
      mark: answer ? mark : this.#heard.mark,
      problem,
      so_far: soFar,
    };
    this.#moved = movedBetween(before, this.outcome);
  }
}
