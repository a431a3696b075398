// Fireflies: every card exists once; touching it lays it before the player, or takes it back.
import { html } from "/static/js/lib/dom.js";

const words = (context, card) => `${context.term(`color.${card.slice(0, -1)}`)} ${card.at(-1)}`;

function key(context, card) {
  const at = (context.player.cards ?? []).indexOf(card);
  const touched = (row) =>
    (row.cards = at < 0 ? [...(row.cards ?? []), card] : row.cards.filter((one) => one !== card));
  return html`
    <button class="key ${at >= 0 && "on"}" aria-pressed=${at >= 0} aria-label=${words(context, card)} data-key=${card}
        data-place=${at < 0 ? null : `${context.place}/cards/${at}`} onclick=${() => context.edit(touched)}>
      ${card.at(-1)}
    </button>`;
}

function row(context, color) {
  const cards = Array.from({ length: context.box.numbers }, (_, i) => `${color}${i + 1}`);
  return html`
    <section class="part">
      <h3>${context.term(`color.${color}`)}</h3>
      <div class="keys" role="group">${cards.map((card) => key(context, card))}</div>
    </section>`;
}

export default {
  start: () => ({ game: "fireflies", players: [] }),
  newPlayer: () => ({ cards: [] }),
  player: (context) => context.box.colors.map((color) => row(context, color)),
  picture: (context) => html`
    <div class="picture-row">
      ${(context.player.cards ?? []).map((card, i) => html`<span class="key" data-place="${context.place}/cards/${i}">${words(context, card)}</span>`)}
    </div>`,
};
