// The case: its state, what was undone, and scoring's latest answer. Nothing here draws.
import { post } from "../lib/api.js";
import { pack } from "./address.js";

const AGAIN_AFTER = 2000;
const ADDRESS_AFTER = 400;
const MOST_UNDONE = 200;
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
  #undo = [];
  #redo = [];
  #stroke = null;
  #writing = null;
  #written = -Infinity;
  #retry = null;

  /** `told(what)` hears of every change of the state (`state`), and of every answer (`answer`). */
  constructor(state, told) {
    this.state = state;
    this.told = told;
    this.answer = null;
    this.problem = null;
    this.soFar = null;
    this.trouble = null;
    this.moved = {};
    this.#score();
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

  /** Another case in place of this one; its points have nothing to do with those before. */
  load(state) {
    this.#undo.push(this.state);
    this.#stroke = null;
    this.#redo = [];
    Object.assign(this, { answer: null, problem: null, soFar: null, moved: {} });
    this.#take(state);
  }

  undo() {
    this.#step(this.#undo, this.#redo);
  }

  redo() {
    this.#step(this.#redo, this.#undo);
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /**
   * What is known of each player of the state, or null: its part of an answer with `how` it stands. "current": it
   * counts; "so-far": this player is complete, others are not; "stale": from before something was left open, or
   * before the connection was lost.
   */
  get scores() {
    const named = (name, i) => {
      const players = this.answer?.players ?? [];
      const same = players.filter((player) => player.name === name);
      return players[i]?.name === name ? players[i] : same.length === 1 ? same[0] : null;
    };
    return this.state.players.map(({ name }, i) => {
      const soFar = this.problem && this.soFar?.players[i]?.name === name && this.soFar.players[i];
      if (soFar) return { ...soFar, how: "so-far" };
      const player = named(name, i);
      return player ? { ...player, how: this.open ? "stale" : "current" } : null;
    });
  }

  /** What a case that is not complete waits for, in words. */
  get waiting() {
    return this.problem ? (this.soFar?.waiting ?? []) : [];
  }

  /** Whether the answer belongs to the state as it is. */
  get current() {
    return this.answer !== null && !this.open;
  }

  /** Whether the state as it is cannot be scored: something is left open, or the companion does not answer. */
  get open() {
    return this.problem !== null || this.trouble !== null;
  }

  #step(from, to) {
    if (!from.length) return;
    to.push(this.state);
    this.#stroke = null;
    this.#take(from.pop());
  }

  #take(state) {
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
    history.replaceState(null, "", `?s=${code}`);
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

  #hear({ answer, problem, so_far: soFar }) {
    const before = Object.fromEntries(this.scores.filter(Boolean).map(({ name, total }) => [name, total]));
    this.trouble = null;
    this.problem = problem ?? null;
    this.soFar = soFar ?? null;
    if (answer) this.answer = answer;
    const by = (name, total) => (total === null || before[name] === null ? 0 : total - (before[name] ?? total));
    this.moved = Object.fromEntries(this.scores.filter(Boolean).map(({ name, total }) => [name, by(name, total)]));
  }
}
