// A tapped case is kept by the companion under an id, as it changes: it is on the list of evenings, to go on with.
import { latest } from "../lib/api.js";
import { may } from "../lib/dom.js";

const PLACE = "kept";
const AGAIN = 3000;

/** What keeps the case of this page; what could not be kept is tried again. */
export class Keeper {
  #send = null;
  #last = null;

  /** `match`: what the short games of one match share; `failed(message)` hears what went wrong. */
  constructor({ match = null, failed }) {
    Object.assign(this, { id: new URLSearchParams(location.search).get(PLACE), match, failed });
  }

  /** The part of the page's address that names the case; empty while nothing is kept. */
  get query() {
    return this.id ? `&${PLACE}=${this.id}` : "";
  }

  /** Keep this state; what a guest tries out is kept nowhere. */
  keep(state) {
    if (!may("player")) return;
    this.id ??= newId();
    this.#send ??= latest(`/api/evenings/games/${this.id}`);
    this.#last = state;
    this.#send({ state, match: this.match }).catch((error) => {
      if (!error.offline) this.failed(error.message);
      if (error.later) setTimeout(() => this.#last === state && this.keep(state), AGAIN);
    });
  }

  /** Another game begins, under an id of its own; the last one is of the same match, where there is one. */
  begin(match = null) {
    if (match && match !== this.match && this.#last) {
      this.match = match;
      this.keep(this.#last);
    }
    Object.assign(this, { id: newId(), match });
    this.#send = this.#last = null;
  }
}

/** An id as the companion makes them. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
