// Who got out first, second, together, never: asked once for the whole table, in the words that people remember.
import { html, say } from "./dom.js";

/**
 * A row of keys for each player. Two who are given the same place escaped together.
 * @param {{key: string, name: string, round: number | null | undefined, place?: string | null}[]} players `round`: undefined while
 *   nothing is said, null: never; `place`: where it stands in the state. @param {(changes: (number | null)[][]) =>
 *   void} set hears whose round is another now.
 */
export function escapeOrder(players, set) {
  const rounds = [...new Set(players.map(({ round }) => round).filter(Boolean))].sort((a, b) => a - b);
  const asPlaces = (rounds.at(-1) ?? 0) <= players.length;
  const now = players.map(({ round }) => (round && !asPlaces ? rounds.indexOf(round) + 1 : round));
  const choose = (i, place) => {
    now[i] = place;
    set(now.flatMap((round, j) => (round === players[j].round ? [] : [[j, round]])));
  };
  const key = (i, place, words) => html`
    <button class="key ${now[i] === place && "on"}" aria-pressed=${now[i] === place} data-key="escape-${players[i].key}-${place ?? "never"}"
      onclick=${() => choose(i, place)}>${words}</button>`;
  const row = ({ name, place = null }, i) => html`
    <div class="escape-row" role="group" aria-label=${name} data-place=${place}>
      <span class="escape-name">${name}</span>
      ${players.map((_, k) => key(i, k + 1, say("escape.place", { n: k + 1 })))}${key(i, null, say("escape.never"))}
    </div>`;
  return html`
    <div class="escape-order of-${Math.min(players.length, 8)}">
      <p class="small quiet">${say("escape.how")}</p>
      ${players.map(row)}
    </div>`;
}
