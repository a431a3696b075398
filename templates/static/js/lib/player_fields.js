// Where players are named: the names known here, and the color that each of them keeps.
import { post } from "./api.js";
import { html, say } from "./dom.js";
import { choose, chosenColor, colorsOf, SIGNS } from "./players.js";

/** The names to choose from where somebody is named. */
export const namesList = (people) =>
  html`<datalist id="people">${people.map(({ name }) => html`<option value=${name}></option>`)}</datalist>`;

/** Where a player's color is chosen; those that others at this table have chosen are not offered. */
export function colorField(names, i, { failed, done = () => {} }) {
  const now = colorsOf(names)[i];
  const others = names.filter((_, other) => other !== i).map((name) => chosenColor(name));
  const change = ({ target }) => keep(names[i], Number(target.value)).then(done, failed);
  const option = (sign, color) => html`
    <option value=${color} selected=${color === now} disabled=${others.includes(color)}>${sign} ${say(`player.color.${color}`)}</option>`;
  return html`
    <label class="player-color player-${now}" data-for="player">
      <span class="only-read">${say("player.color")}</span>
      <select class="field" data-key="color" onchange=${change}>${SIGNS.map(option)}</select>
    </label>`;
}

/** A name that the page gave: a letter, or one with a number. Whoever is called so next is somebody else. */
const NOBODY = /^[A-Z]$|\d$/;

/** Another name for the same person: the color that was chosen goes with it, where the name has none of its own. */
export async function renamed(before, after) {
  const color = chosenColor(before);
  if (!after || color === undefined || chosenColor(after) !== undefined) return;
  await keep(after, color);
  if (NOBODY.test(before)) await keep(before, null);
}

function keep(name, color) {
  choose(name, color);
  return post("/api/people", { name, color }, "POST", true);
}
