// Splendor: bought cards by color and points, nobles with or without what they want, tokens.

import { developmentCard, gem, noble, thing, token } from "/static/js/lib/art.js";
import { html, icon, say } from "/static/js/lib/dom.js";
import { actions, counter, part, piece, stepper, toggle } from "/static/js/lib/widgets.js";

const WANTS = [0, 3, 4];
const view = { points: 0 };

const name = (context, color) => context.term(`color.${color}`);
const cardWords = (context, card) => context.say("card", { color: name(context, card.bonus), n: card.points ?? 0 });

export default {
  start: () => ({ game: "splendor", players: [] }),

  newPlayer: () => ({ cards: [], nobles: 0, tokens: {} }),

  table(context) {
    return html`
      <section class="card table-card">
        ${toggle(context.say("round-over"), Boolean(context.state.round_over), (on) => context.change((state) => (state.round_over = on)), "round-over")}
      </section>`;
  },

  player(context) {
    return [cardsPart(context), noblesPart(context), tokensPart(context)];
  },

  picture(context) {
    const { cards = [], nobles = 0, tokens = {}, reserved = 0 } = context.player;
    return html`
      <div class="picture">
        <div class="picture-row">
          ${context.box.colors.map(
            (color) => html`
            <span class="picture-set">
              ${cards.map(
                (card, i) =>
                  card.bonus === color &&
                  html`
                <span class="picture-card" data-place="${context.place}/cards/${i}">
                  ${developmentCard(color, card.points ?? 0)}
                </span>`,
              )}
            </span>`,
          )}
        </div>
        <div class="picture-row">
          ${
            Array.isArray(nobles)
              ? nobles.map(
                  (wants, i) => html`
            <span class="picture-count" data-place="${context.place}/nobles/${i}">${noble()}${wanted(wants)}</span>`,
                )
              : nobles > 0 &&
                html`
            <span class="picture-count" data-place="${context.place}/nobles">${noble()}<span>×${nobles}</span></span>`
          }
          ${Object.entries(tokens)
            .filter(([, n]) => n)
            .map(([color, n]) => html`<span class="picture-count">${token(color)}<span>×${n}</span></span>`)}
          ${reserved > 0 && html`<span class="picture-count">${thing("back")}<span>×${reserved}</span></span>`}
        </div>
      </div>`;
  },

  setup: (context) => context.state.round_over && context.say("round-over"),
};

/** Nobles that a player may have: as many are laid out as there are players and one more. */
function noblesLeft(context) {
  const { players } = context.state;
  const laidOut = (players.length > 1 ? players.length : context.box.most_players) + 1;
  const others = players
    .filter((_, i) => i !== context.at)
    .reduce((sum, { nobles = 0 }) => sum + (Array.isArray(nobles) ? nobles.length : nobles), 0);
  return Math.max(0, laidOut - others);
}

function cardsPart(context) {
  const cards = context.player.cards ?? [];
  const place = (i) => `${context.place}/cards/${i}`;
  const chosen = cards.findIndex((_, i) => place(i) === context.chosen);
  const add = (color) => context.edit((row) => (row.cards = [...cards, { points: view.points, bonus: color }]));
  const setPoints = (points) => {
    view.points = points;
    if (chosen >= 0) context.edit((row) => (row.cards[chosen].points = points));
    context.redraw();
  };
  const shown = chosen >= 0 ? (cards[chosen].points ?? 0) : view.points;
  const column = (color) => {
    const own = cards.map((card, i) => [card, i]).filter(([card]) => card.bonus === color);
    return html`
      <div class="color-column">
        <button class="fan-card supply" data-key="buy-${color}"
            aria-label=${context.say("buy", { color: name(context, color), n: view.points })}
            onclick=${() => add(color)}>
          ${developmentCard(color, view.points)}
          <span class="left">${icon("plus")}</span>
        </button>
        <span class="column-sum" aria-label=${context.say("bonuses", { color: name(context, color), n: own.length })}>
          ${own.length}
        </span>
        <div class="column-cards">
          ${own.map(([card, i]) => piece({ label: cardWords(context, card), place: place(i), chosen: i === chosen, extra: "stacked" }, developmentCard(color, card.points ?? 0)))}
        </div>
      </div>`;
  };
  const strange = cards.map((card, i) => [card, i]).filter(([card]) => !context.box.colors.includes(card.bonus));
  return part(
    context.say("cards", { n: cards.length }),
    html`
      <div class="points-row" role="group" aria-label=${context.say("points")}>
        <span class="small">${context.say("points")}</span>
        <div class="keys">
          ${Array.from(
            { length: context.box.most_points + 1 },
            (_, n) => html`
            <button class="key ${shown === n && "on"}" aria-pressed=${shown === n} data-key="points-${n}"
                onclick=${() => setPoints(n)}>
              ${n}
            </button>`,
          )}
        </div>
      </div>`,
    html`<div class="color-columns">${context.box.colors.map(column)}</div>`,
    strange.length > 0 &&
      html`
      <div class="fan">
        ${strange.map(([card, i]) => piece({ label: cardWords(context, card), place: place(i), chosen: i === chosen, extra: "fan-card" }, developmentCard(card.bonus ?? "?", card.points ?? 0)))}
      </div>`,
    chosen >= 0 &&
      actions(cardWords(context, cards[chosen]), [
        [
          say("dispute.remove"),
          icon("close"),
          () => {
            context.edit((row) => row.cards.splice(chosen, 1));
            context.choose(null);
          },
          "remove",
        ],
      ]),
    html`<p class="small quiet">${context.say(chosen >= 0 ? "card-how" : "cards-how")}</p>`,
  );
}

function wanted(wants) {
  return html`
    <span class="wanted">
      ${Object.entries(wants)
        .filter(([, n]) => n)
        .map(([color, n]) => html`<span class="want">${n}${gem(color)}</span>`)}
    </span>`;
}

function noblesPart(context) {
  const { nobles = 0 } = context.player;
  const listed = Array.isArray(nobles);
  const count = listed ? nobles.length : nobles;
  const set = (n) =>
    context.edit((row) => (row.nobles = !listed ? n : n < nobles.length ? nobles.slice(0, n) : [...nobles, {}]));
  const most = noblesLeft(context);
  const check = (on) =>
    context.edit(
      (row) =>
        (row.nobles = on ? Array.from({ length: Math.min(count, context.box.most_players + 1) }, () => ({})) : count),
    );
  return part(
    context.say("nobles"),
    html`
      <div class="count-rows">
        ${stepper({ label: context.say("nobles"), value: count, most, key: "nobles", art: noble(), place: `${context.place}/nobles`, set })}
        ${toggle(context.say("nobles-check"), listed, check, "nobles-check")}
      </div>`,
    listed && nobles.map((wants, i) => nobleRow(context, wants, i)),
    listed && html`<p class="small quiet">${context.say("nobles-how")}</p>`,
  );
}

/** What a noble wants: a touch goes from 0 to 3, to 4, to 0. */
function nobleRow(context, wants, i) {
  const next = (n) => WANTS[(WANTS.indexOf(n) + 1) % WANTS.length];
  const set = (color) =>
    context.edit((row) => {
      const n = next(wants[color] ?? 0);
      row.nobles[i] = { ...wants, [color]: n };
      if (!n) delete row.nobles[i][color];
    });
  return html`
    <div class="noble-row" data-place="${context.place}/nobles/${i}" role="group"
        aria-label=${context.say("noble", { n: i + 1 })}>
      ${noble()}
      ${context.box.colors.map(
        (color) => html`
        <button class="tile want-tile ${wants[color] && "on"}" data-key="noble-${i}-${color}"
            aria-label=${context.say("wants", { color: name(context, color), n: wants[color] ?? 0 })}
            onclick=${() => set(color)}>
          ${gem(color)}
          <span>${wants[color] ?? 0}</span>
        </button>`,
      )}
    </div>`;
}

function tokensPart(context) {
  const { tokens = {}, reserved = 0 } = context.player;
  const held = Object.values(tokens).reduce((sum, n) => sum + n, 0);
  return part(
    context.say("tokens", { n: held, most: context.box.token_limit }),
    html`
      <div class="counters">
        ${context.box.tokens.map((color) =>
          counter({
            label: name(context, color),
            value: tokens[color] ?? 0,
            most: (tokens[color] ?? 0) + context.box.token_limit - held,
            key: `token-${color}`,
            art: token(color),
            place: `${context.place}/tokens/${color}`,
            set: (n) =>
              context.edit((row) => {
                row.tokens = { ...tokens, [color]: n };
                if (!n) delete row.tokens[color];
              }),
          }),
        )}
      </div>`,
    html`
      <div class="count-rows">
        ${stepper({ label: context.say("reserved"), value: reserved, most: context.box.reserve_limit, key: "reserved", art: thing("back"), place: `${context.place}/reserved`, set: (n) => context.edit((row) => (row.reserved = n)) })}
      </div>`,
  );
}
