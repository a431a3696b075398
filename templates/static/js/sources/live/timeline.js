// How a game went: the film's strip, the log, the chart with its slider. Each says what was done, and leads back to it.
import { logCard } from "../../breakdown/game_log.js";
import { button, html, redraw, say } from "../../lib/dom.js";
import { Film, movesAt, rowOf } from "./film.js";
import { chart, slider } from "./history.js";

export class Timeline {
  /** `parts` are those of the page; `lookBack(number)` shows a row (null: now), `settle` takes what is said of a move. */
  constructor(live, parts, { lookBack, settle, draw, toPicture }) {
    this.live = live;
    this.parts = parts;
    this.lookBack = lookBack;
    this.settle = settle;
    this.draw = draw;
    this.toPicture = toPicture;
    this.film = new Film(live, { go: lookBack, drawn: () => this.drawFilm() });
  }

  /** Show a move on the table: what it moved stands lit there, and on the states before and after. */
  async showMove(move) {
    const { film, live } = this;
    if (film.on) film.stop();
    live.toggle("move", move.n);
    if (live.move === null) return this.draw();
    const row = rowOf(live.rows, move);
    await this.lookBack(row === live.rows.at(-1)?.number ? null : row);
    this.toPicture();
  }

  #play() {
    this.film.toggle();
    this.drawHistory();
    this.toPicture();
  }

  drawFilm() {
    const { film, live, parts } = this;
    const { at, rows, game, number } = live;
    const here = movesAt(game, rows, number);
    const chosen = (move) => (live.move === null ? at !== null && here.includes(move) : live.move === move.n);
    const place = (move) => (chosen(move) ? "on" : at !== null && rowOf(rows, move) > at ? "later" : "");
    const moves = live.move === null ? here : game.moves.filter(chosen);
    const strip = rows.length > 1 && (at !== null || film.on || live.move !== null || !live.running);
    redraw(parts.film, strip && film.strip(moves.map(({ words }) => words)));
    const file = `/live/${live.given.table}/game.jsonl${live.old?.game ? `?row=${number}` : ""}`;
    const how = { running: live.isNow, settle: this.settle, file, go: (move) => this.showMove(move), place };
    redraw(parts.log, logCard(game, how));
    parts.log.querySelector(".on")?.scrollIntoView?.({ block: "nearest", container: "nearest" });
  }

  drawHistory() {
    const { film, live, lookBack } = this;
    const { rows } = live;
    const { players = [], case: { state } = {} } = live.table.settled ?? {};
    const name = (zone) => state?.players[players.indexOf(zone)]?.name ?? zone;
    const zones = live.shown?.players ?? players;
    const sign = film.on ? "pause" : "play";
    redraw(
      this.parts.history,
      rows.length > 0 &&
        html`
      <section class="card history" aria-label=${say("live.history")}>
        <h2>${say("live.history")}</h2>
        ${chart(live, zones, name, lookBack)}
        ${slider(live, lookBack)}
        ${rows.length > 1 && button("play", say(`live.${sign}`), () => this.#play(), { sign })}
      </section>`,
    );
  }
}
