// What no camera sees, typed by people: chips, choices, bonuses, the rule. It is laid over what is seen.
import { outcomeOf } from "../../breakdown/outcome.js";
import { choicesCard, readingsCard } from "../../breakdown/readings.js";
import { same } from "../../case/difference.js";
import { editorContext } from "../../case/editor_context.js";
import { button, html, icon, redraw, say } from "../../lib/dom.js";
import { colorField, namesList, renamed } from "../../lib/player_fields.js";
import { alarm } from "../../lib/widgets.js";

/** What to send so that the state becomes what `edit` makes of it; `typed` names the keys that may be (null: all). */
function patch(typed, settled, edit) {
  const next = structuredClone(settled.case.state);
  edit(next);
  const changed = (before, after, keys) =>
    Object.fromEntries(
      [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .filter((key) => (!keys || keys.includes(key)) && !same(before[key], after[key]))
        .map((key) => [key, after[key] ?? null]),
    );
  const { players: rowsBefore, game: _, ...before } = settled.case.state;
  const { players: rowsAfter, game: __, ...after } = next;
  const players = {};
  settled.players.forEach((zone, p) => {
    const one = changed(rowsBefore[p] ?? {}, rowsAfter[p] ?? {}, typed.player);
    if (Object.keys(one).length) players[zone] = one;
  });
  return { table: changed(before, after, typed.table), players };
}

/** Whether the key without which nothing can be scored is not known yet. */
export const isAsked = ({ asked }, state) => Boolean(asked) && state[asked] === undefined;

/** The sheet that opens for a player (a number) or for the table (null). */
export class Entries {
  /** `send` takes what is entered; `waits()`: whether something of it is still on its way; `changed()` draws anew. */
  constructor(live, game, { send, waits, changed }) {
    this.live = live;
    this.given = live.given;
    this.game = game;
    this.send = send;
    this.waits = waits;
    this.changed = changed;
    this.body = html`<div class="entries-body"></div>`;
    this.title = html`<h2 id="entries-title"></h2>`;
    const close = () => this.dialog.close();
    this.dialog = html`
      <dialog class="entries-dialog" aria-labelledby="entries-title">
        <div class="entries-head">
          ${this.title}
          ${button("close", null, close, { kind: "plain", sign: "close", label: say("live.close") })}
        </div>
        ${this.body}
      </dialog>`;
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.player = null;
    this.chosen = null;
    this.trouble = null;
    this.ahead = null; // the state as it was typed, until the companion has all of it: further taps go on from there
    this.waiting = 0;
    this.sent = Promise.resolve();
    document.body.append(this.dialog);
  }

  show(player) {
    this.player = player;
    this.chosen = null;
    this.trouble = null;
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
    this.body.scrollTop = 0;
  }

  /** Change what is counted beside a player's points. */
  count(player, by) {
    const { counter } = this.given.typed;
    const settled = this.live.table.settled;
    if (!settled) return;
    this.#change(settled, (state) => {
      const row = state.players[player];
      row[counter] = (row[counter] ?? 0) + by;
      if (!row[counter]) delete row[counter];
    });
  }

  /** Send what an edit changes, one after the other. */
  #change(settled, edit) {
    const from = { ...settled, case: { ...settled.case, state: this.ahead ?? settled.case.state } };
    const change = patch(this.given.typed, from, edit);
    this.ahead = structuredClone(from.case.state);
    edit(this.ahead);
    this.waiting += 1;
    this.sent = this.sent
      .then(() => this.send(change))
      .finally(() => {
        this.waiting -= 1;
        this.arrived();
      });
    this.changed();
    return this.sent;
  }

  /** Where the companion has all that was typed its own state counts again. */
  arrived() {
    if (this.waiting) return;
    if (!this.waits()) this.ahead = null;
    this.changed();
  }

  /** Draw anew, while it is open. */
  draw() {
    const seen = this.live.table.settled;
    if (!seen) return;
    const settled = { ...seen, case: { ...seen.case, state: this.ahead ?? seen.case.state } };
    const outcome = outcomeOf(settled.case);
    const context = this.#context(settled);
    const table = this.player === null;
    this.title.textContent = table ? say("live.table-entries") : (settled.case.state.players[this.player]?.name ?? "");
    redraw(
      this.body,
      this.trouble && alarm(this.trouble),
      table ? this.#table(context, outcome) : this.#one(context, settled, outcome),
    );
  }

  #one(context, settled, outcome) {
    const zone = settled.players[this.player];
    const row = settled.case.state.players[this.player];
    if (!row) return [];
    const typed = this.live.table.entries.players[zone] ?? {};
    const names = settled.case.state.players.map(({ name }) => name);
    const order = [...(this.given.box.colors ?? []), "rainbow", "gold"];
    const own = this.game.typed ? this.game.typed(context) : this.game.player(context);
    return [
      missing(outcome),
      choicesCard(outcome, this.player, { term: context.term, order, change: (edit) => context.edit(edit) }),
      html`<section class="card stack">${own}</section>`,
      html`
        <div class="card name-part">
          <label>
            <span>${say("live.name")}</span>${namesList(this.live.table.people)}
            <input class="field" value=${row.name} maxlength="40" type="text" data-key="name" list="people"
              data-told="left" onchange=${(event) => this.#rename(zone, row.name, event.target)}>
          </label>
          ${colorField(names, this.player, { failed: ({ message }) => this.complain(message), done: this.changed })}
        </div>`,
      this.#typed(typed, (key) => this.send({ players: { [zone]: { [key]: null } } })),
    ];
  }

  #rename(zone, before, field) {
    const name = field.value.trim();
    const {
      players,
      case: { state },
    } = this.live.table.settled;
    const taken = state.players.some((player, p) => player.name === name && players[p] !== zone);
    if (!taken) {
      renamed(before, name).catch(({ message }) => this.complain(message));
      return this.send({ players: { [zone]: { name: name || null } } });
    }
    field.value = before;
    return this.complain(say("dispute.name-taken", { name }));
  }

  /** Say in the sheet what could not be done; null: nothing is wrong any more. */
  complain(message) {
    if (message === this.trouble) return;
    this.trouble = message;
    if (this.dialog.open) this.draw();
  }

  #table(context, outcome) {
    const asked = isAsked(this.given.typed, outcome.state); // below, in as many words
    return [
      !asked && missing(outcome),
      this.game.table?.(context),
      readingsCard(outcome, this.given.questions, (edit) => context.change(edit)),
      this.#typed(this.live.table.entries.table, (key) => this.send({ table: { [key]: null } })),
    ];
  }

  /** What was typed, each to be taken back: then what the camera sees counts again. */
  #typed(values, back) {
    const keys = Object.keys(values);
    if (!keys.length) return null;
    const chip = (key) => {
      const what = this.given.fields[key] ?? key;
      return html`
        <span class="chip">${what}<button class="chip-close" data-key="back-${key}" aria-label=${say("live.take-back", { what })} onclick=${() => back(key)}>${icon("close")}</button></span>`;
    };
    return html`<section class="card stack"><h3>${say("live.typed")}</h3><div class="chips">${keys.map(chip)}</div></section>`;
  }

  #context(settled) {
    const choose = (place) => {
      this.chosen = place;
      this.draw();
    };
    return editorContext(this.given, {
      state: settled.case.state,
      at: this.player ?? 0,
      chosen: this.chosen,
      lit: [],
      line: () => null,
      change: (edit) => this.#change(this.live.table.settled, edit),
      choose,
      redraw: () => this.draw(),
      complain: (message) => this.complain(message),
    });
  }
}

const missing = ({ problem }) => problem && html`<p class="message small">${problem.message}</p>`;
