// A player of a play: named, given a color, removed; and another who joins.
import { newId } from "../../lib/api.js";
import { button, html, say } from "../../lib/dom.js";
import { colorField, namesList, renamed } from "../../lib/player_fields.js";
import { UNLIT } from "./play_view.js";

export function playerCard(play, player) {
  const { table, players } = play;
  const failed = (error) => play.complain(error);
  const rename = ({ target }) => {
    const name = target.value.trim();
    if (!name || name === player.name) return;
    renamed(player.name, name).catch(failed);
    table.say({ kind: "rename", player: player.id, name });
  };
  const remove = () => {
    if (confirm(say("player.remove-sure", { name: player.name })))
      table.say({ kind: "remove-player", player: player.id });
  };
  const names = players.map(({ name }) => name);
  const color = colorField(names, players.indexOf(player), { failed, done: play.drawn });
  return html`
    <section class="card player" data-for="player">
      <label>
        <span class="small quiet">${say("player.label")}</span>
        ${namesList(table.view.people)}
        <input class="field" type="text" maxlength="40" list="people" data-key="name" value=${player.name}
          data-told="left" onchange=${rename}>
      </label>
      <div class="row">${color}${button("remove", say("player.remove"), remove, { kind: "plain danger" })}</div>
    </section>`;
}

/** A new player joins, and is shown. */
export function addPlayer(play) {
  const joins = someone(play);
  play.table.say({ kind: "add-player", ...joins });
  play.show({ ...UNLIT, player: joins.player, goalStart: null });
}

/** An id and a name for a player who joins. */
export function someone({ players }) {
  const names = new Set(players.map(({ name }) => name));
  let number = 1;
  while (names.has(say("player.name", { number }))) number++;
  return { player: newId(), name: say("player.name", { number }) };
}
