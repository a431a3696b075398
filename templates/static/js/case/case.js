// The case: its state, what was undone, and scoring's latest answer. Nothing here draws.
import { movedBetween, outcomeOf } from "../breakdown/outcome.js";
import { post } from "../lib/api.js";
import { cameFrom, pack } from "./address.js";
import { merged, same } from "./merge.js";

const AGAIN_AFTER = 2000;
const ADDRESS_AFTER = 400;
const MOST_UNDONE = 200;
const KEPT = "case";
/** What this device can take back of its last case, also after the page was closed; so many steps of it. */
const STEPS = "steps";
const MOST_KEPT = 40;

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
  #undo = [];
  #redo = [];
  #stroke = null;
  #writing = null;
  #written = -Infinity;
  #retry = null;
  /** What the companion said of it last. @type {{answer?: any, rows?: any[], hands?: any[], problem?: any, so_far?: any}} */
  #heard = {};
  /** By how much the last change moved a total, by name. @type {Object<string, number>} */
  #moved = {};

  /** `told(what)` hears of every change of the state (`state`), and of every answer (`answer`); `keeper` keeps it. */
  constructor(state, told, keeper) {
    this.state = state;
    this.told = told;
    this.keeper = keeper;
    this.trouble = null;
    this.#remember();
    keeper.follow(
      state,
      (before, theirs) => this.#follow(before, theirs),
      () => this.told("answer"),
    );
    this.#score();
  }

  /** Another device changed the case: it is as there, with what this page has otherwise. Undoing stays this page's own. */
  #follow(before, theirs) {
    const next = merged(before, this.state, theirs);
    this.#carry(before, theirs, next);
    this.#stroke = null;
    if (!same(next, this.state)) this.#show(next);
    this.#keepSteps();
    return this.state;
  }

  /** What can be taken back, of a case that others made `theirs` of; `next` is what it is then. */
  #carry(before, theirs, next) {
    const own = (states) => states.map((one) => merged(before, one, theirs)).filter((one) => !same(one, next));
    this.#undo = own(this.#undo);
    this.#redo = own(this.#redo);
  }

  /** What this device could take back when it left this case. */
  #remember() {
    try {
      const { id, state, undo, redo } = JSON.parse(localStorage.getItem(STEPS)) ?? {};
      if (!id || id !== this.keeper.id) return;
      [this.#undo, this.#redo] = [undo, redo];
      if (!same(state, this.state)) this.#carry(state, this.state, this.state);
    } catch {
      [this.#undo, this.#redo] = [[], []]; // nothing of ours
    }
  }

  /** What scoring says of the state as it is, with the latest answer where there is no newer one. */
  get outcome() {
    return outcomeOf({ ...this.#heard, state: this.state }, { trouble: this.trouble, moved: this.#moved });
  }

  /** Change the state: `edit` gets a copy to work on. Changes of one `stroke` (any name) are undone as one. */
  change(edit, { stroke = null } = {}) {
    const next = structuredClone(this.state);
    edit(next);
    if (JSON.stringify(next) === JSON.stringify(this.state)) return;
    if (stroke === null || stroke !== this.#stroke) this.#undo.push(this.state);
    if (this.#undo.length > MOST_UNDONE) this.#undo.shift();
    this.#stroke = stroke;
    this.#redo = [];
    this.#take(next);
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
    this.#take(state);
  }

  undo() {
    this.#step(this.#undo, this.#redo);
  }

  redo() {
    this.#step(this.#redo, this.#undo);
  }

  /** The state that undoing would bring back; undefined where there is nothing to undo. */
  get before() {
    return this.#undo.at(-1);
  }

  /** The state that redoing would bring back. */
  get after() {
    return this.#redo.at(-1);
  }

  #step(from, to) {
    if (!from.length) return;
    to.push(this.state);
    this.#stroke = null;
    this.#take(from.pop());
  }

  #take(state) {
    this.#show(state);
    if (!cameFrom()) this.keeper.keep(state); // else it is that photo's game, which is kept already
    this.#keepSteps();
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

  /** What this device can take back stays known where the page is closed. */
  #keepSteps() {
    try {
      const [undo, redo] = [this.#undo.slice(-MOST_KEPT), this.#redo.slice(-MOST_KEPT)];
      localStorage.setItem(STEPS, JSON.stringify({ id: this.keeper.id, state: this.state, undo, redo }));
    } catch {
      localStorage.removeItem(STEPS); // no room: this page still knows
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

  #hear({ answer, rows, hands, problem = null, so_far: soFar = null }) {
    const before = this.outcome;
    this.trouble = null;
    this.#heard = {
      answer: answer ?? this.#heard.answer,
      rows: rows ?? this.#heard.rows,
      hands,
      problem,
      so_far: soFar,
    };
    this.#moved = movedBetween(before, this.outcome);
  }
}

/** Where two states differ first: `[player or null, field]`; null where they are the same. */
export function difference(one, other) {
  const field = (a, b) => [...new Set([...Object.keys(a), ...Object.keys(b)])].find((key) => !same(a[key], b[key]));
  const { players: rows, ...table } = one;
  const { players: others, ...otherTable } = other;
  if (rows.length !== others.length) return [null, "players"];
  const player = rows.findIndex((row, i) => !same(row, others[i]));
  const key = player < 0 ? field(table, otherTable) : field(rows[player], others[player]);
  return key === undefined ? null : [player < 0 ? null : player, key];
}
