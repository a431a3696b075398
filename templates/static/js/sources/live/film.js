// The game as a film: state after state, with what was done and the pieces that moved.
import { html, icon, say } from "../../lib/dom.js";
import { stepButton } from "../../lib/widgets.js";

const STEP = 1600;
const SAME = 0.001; // seconds

/** The row that first shows a move. */
export const rowOf = (rows, move) => rows.findLast(({ at }) => at <= move.at + SAME)?.number ?? rows[0]?.number;

/** The moves that a row is the first to show. */
export const movesAt = (game, rows, number) => (game?.moves ?? []).filter((move) => rowOf(rows, move) === number);

/**
 * The places of a move's pieces on a row: where they came from on those before, where they lie since, and where they lie
 * on the last.
 */
export function placesOn(game, rows, number, move) {
  const own = rowOf(rows, move);
  const others = game.moves.map((one) => rowOf(rows, one)).filter((one) => one !== own);
  const last = Math.max(...others.filter((one) => one < own), rows[0]?.number ?? 0);
  const next = Math.min(...others.filter((one) => one > own), Number.POSITIVE_INFINITY);
  if (number === rows.at(-1)?.number && number > own) return move.now;
  if (number >= own) return number < next ? move.after : [];
  return number >= last ? move.before : [];
}

/** Goes through a table's rows by itself. `go(number)` shows one (null: the last), `drawn` hears that it starts or stops. */
export class Film {
  constructor(live, { go, drawn }) {
    this.live = live;
    this.go = go;
    this.drawn = drawn;
    this.timer = null;
  }

  get on() {
    return this.timer !== null;
  }

  /** Start, from the beginning of the game where the last state is shown; or stop. */
  toggle() {
    if (this.on) return this.stop();
    this.timer = setInterval(() => this.step(1, true), STEP);
    const { at, rows } = this.live;
    if (at === null) this.go(rows.findLast(({ first }, i) => first || i === 0)?.number ?? null);
    this.drawn();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.drawn();
  }

  /** The next row, or the one before. */
  step(by, itself = false) {
    if (!itself && this.on) this.stop();
    const to = this.live.numberAt(this.live.index + by);
    if (itself && to === null) this.stop();
    this.go(to);
  }

  /** The strip below the picture: back, play, forward, and what was done. */
  strip(lines) {
    const { at, index, rows } = this.live;
    return html`
      <div class="film" role="group" aria-label=${say("live.film")}>
        ${stepButton("film-back", say("live.earlier"), "‹", () => this.step(-1), index === 0 || rows.length < 2)}
        ${stepButton("film-play", say(this.on ? "live.pause" : "live.play"), icon(this.on ? "pause" : "play"), () => this.toggle(), rows.length < 2)}
        ${stepButton("film-on", say("live.later"), "›", () => this.step(1), at === null)}
        <div class="film-words" role="status">${lines.map((words) => html`<p class="small">${words}</p>`)}</div>
      </div>`;
  }
}
