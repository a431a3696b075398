// The players of a tapped case: named, colored, added, removed. What goes by a name (who goaled, whose discard it was) follows it.
import { undoButtons } from "../../case/undo.js";
import { button, html, say } from "../../lib/dom.js";
import { colorField, renamed } from "../../lib/player_fields.js";

const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A game that is empty but for its players. */
export function emptyCase(game, context, names) {
  const state = game.start(context);
  for (const name of names) state.players.push({ name, ...game.newPlayer(state, context) });
  return state;
}

/** Another player joins a state. */
export function join(game, context, state) {
  state.players.push({ name: unnamed(state.players), ...game.newPlayer(state, context) });
  return state;
}

/** What somebody without a name is called beside these players. */
function unnamed(others) {
  const names = new Set(others.map(({ name }) => name));
  return [...NAMES].find((one) => !names.has(one)) ?? say("dispute.player", { n: others.length + 1 });
}

/** What the player was called whose name is being typed: the field is drawn anew with every letter. */
let called = null;

/**
 * The card in which a player's pieces are laid out.
 * @param {object} on `table` is the case, `game` its editor with its `context`, `history` what can be undone; `choose(i)`
 *   shows a player, `draw()` draws the page, `complain(message)`.
 */
export function playerCard({ table, game, context, history, choose, draw, complain }) {
  const i = context.at;
  const names = table.state.players.map(({ name }) => name ?? "");
  const failed = ({ message }) => complain(message);
  const others = () => table.state.players.filter((_, other) => other !== i);
  const isTaken = (name) => name && others().some((player) => player.name === name);
  /** What is typed becomes the name once no other player has it. */
  const rename = ({ target: { value } }) => isTaken(value.trim()) || call(value.trim() && value);
  const call = (name) => {
    const change = (state) => {
      const before = state.players[i].name;
      state.players[i].name = name;
      game.renamed?.(state, before, name);
    };
    table.change(change, { stroke: `name-${i}` });
  };
  const left = () => {
    const field = document.querySelector('.player-card [data-key="name"]');
    if (!field) return;
    const typed = field.value.trim();
    if (isTaken(typed)) {
      complain(say("dispute.name-taken", { name: typed }));
      field.value = table.state.players[i].name;
      return;
    }
    renamed(called, typed).then(draw, failed);
    called = typed;
  };
  /** Once the field is left, and is not only drawn anew: a name has no blanks around it, and one of blanks alone is none. */
  const settle = () =>
    setTimeout(() => {
      const { name } = table.state.players[i] ?? {};
      const isLeft = document.activeElement?.dataset.key !== "name";
      if (isLeft && typeof name === "string") call(name.trim() || unnamed(others()));
    });
  const remove = () => {
    table.change((state) => {
      const [gone] = state.players.splice(i, 1);
      game.renamed?.(state, gone.name, null);
    });
    choose(Math.max(0, i - 1));
  };
  const focus = ({ target }) => {
    called = target.value;
  };
  const removes = say("dispute.remove-player", { name: names[i] });
  return html`
    <section class="card player-card" aria-label=${names[i]}>
      <div class="player-head">
        <label class="name-field">
          <span class="only-read">${say("dispute.name")}</span>
          <input class="field" value=${names[i]} maxlength="30" autocomplete="off" data-key="name"
            list="people" oninput=${rename} onchange=${left} onblur=${settle} onfocus=${focus}>
        </label>
        ${colorField(names, i, { failed, done: draw })}
        <div class="row">
          ${undoButtons(history)}
          ${names.length > 1 && button("remove", null, remove, { kind: "plain danger", sign: "close", label: removes })}
        </div>
      </div>
      ${game.player(context)}
    </section>`;
}
