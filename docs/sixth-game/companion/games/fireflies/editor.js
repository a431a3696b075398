// Fireflies: every card exists once; touching it lays it before the player, or takes it back.
import { html } from "/static/js/lib/dom.js";

const words = (desk, card) => `${desk.term(`color.${card.slice(0, -1)}`)} ${card.at(-1)}`;

function key(desk, card) {
  const at = (desk.player.cards ?? []).indexOf(card);
  const touched = (row) =>
    (row.cards = at < 0 ? [...(row.cards ?? []), card] : row.cards.filter((one) => one !== card));
  return html`
    <button class="key ${at >= 0 && "on"}" aria-pressed=${at >= 0} aria-label=${words(desk, card)} data-key=${card}
        data-place=${at < 0 ? null : `${desk.place}/cards/${at}`} onclick=${() => desk.edit(touched)}>
      ${card.at(-1)}
    </button>`;
}

function row(desk, color) {
  const cards = Array.from({ length: desk.box.numbers }, (_, i) => `${color}${i + 1}`);
  return html`
    <section class="part">
      <h3>${desk.term(`color.${color}`)}</h3>
      <div class="keys" role="group">${cards.map((card) => key(desk, card))}</div>
    </section>`;
}

export default {
  start: () => ({ game: "fireflies", players: [] }),
  newPlayer: () => ({ cards: [] }),
  player: (desk) => desk.box.colors.map((color) => row(desk, color)),
  picture: (desk) => html`
    <div class="picture-row">
      ${(desk.player.cards ?? []).map((card, i) => html`<span class="key" data-place="${desk.place}/cards/${i}">${words(desk, card)}</span>`)}
    </div>`,
};
