// Splendor: bought cards by color and points, nobles with or without what they want, tokens.

import { developmentCard, gem, noble, thing, token } from "/static/js/lib/art.js";
import { html, icon } from "/static/js/lib/dom.js";
import { playerRow, smallCount, smallRow, supply } from "/static/js/lib/laid_pieces.js";
import { counter, keys, part, playerStepper, stepper, toggle } from "/static/js/lib/widgets.js";

const WANTS = [0, 3, 4];
const view = { points: 0 };

const name = (context, color) => context.term(`color.${color}`);

export default {
  start: () => ({ game: "splendor", players: [] }),

  newPlayer: () => ({ cards: [], nobles: 0, tokens: {} }),

  table(context) {
    const set = (on) => context.change((state) => (state.round_over = on));
    return html`
      <section class="card table-card">
        ${toggle(context.say("round-over"), Boolean(context.state.round_over), set, "round-over")}
      </section>`;
  },

  player: (context) => [cardsPart(context), noblesPart(context), tokensPart(context)],

  picture(context) {
    const { cards = [], nobles = 0, tokens = {}, reserved = 0 } = context.player;
    const card = ({ bonus, points }, i) => html`
      <span class="picture-card" data-place="${context.place}/cards/${i}">${developmentCard(bonus, points ?? 0)}</span>`;
    const of = (color) => html`
      <span class="picture-set">${cards.map((one, i) => one.bonus === color && card(one, i))}</span>`;
    const place = `${context.place}/nobles`;
    return [
      smallRow(context.box.colors.map(of)),
      smallRow(
        Array.isArray(nobles)
          ? nobles.map((wants, i) => smallCount(noble(), wanted(wants), `${place}/${i}`))
          : nobles > 0 && smallCount(noble(), `×${nobles}`, place),
        Object.entries(tokens).map(([color, n]) => n > 0 && smallCount(token(color), `×${n}`)),
        reserved > 0 && smallCount(thing("back"), `×${reserved}`),
      ),
    ];
  },

  setup: (context) => context.state.round_over && context.say("round-over"),
};

function cardsPart(context) {
  const { cards = [] } = context.player;
  const row = playerRow(context, "cards", {
    words: ({ bonus, points }) => context.say("card", { color: name(context, bonus), n: points ?? 0 }),
    art: ({ bonus, points }) => developmentCard(bonus ?? "?", points ?? 0),
    extra: ({ bonus }) => (context.box.colors.includes(bonus) ? "stacked" : "fan-card"),
  });
  const { chosen } = row;
  const add = (bonus) => context.edit((own) => (own.cards ??= []).push({ points: view.points, bonus }));
  const setPoints = (points) => {
    if (chosen >= 0) context.edit((own) => (own.cards[chosen].points = points));
    context.show(view, { points });
  };
  const options = Array.from({ length: context.box.most_points + 1 }, (_, n) => [n, n]);
  const laid = (isOf) => row.laid.filter((_, i) => isOf(cards[i].bonus));
  const column = (color) => {
    const own = laid((bonus) => bonus === color);
    const label = context.say("buy", { color: name(context, color), n: view.points });
    const art = developmentCard(color, view.points);
    return html`
      <div class="color-column">
        ${supply({ label, art, take: () => add(color), key: `buy-${color}`, left: icon("plus") })}
        <span class="column-sum" aria-label=${context.say("bonuses", { color: name(context, color), n: own.length })}>
          ${own.length}
        </span>
        <div class="column-cards">${own}</div>
      </div>`;
  };
  const strange = laid((bonus) => !context.box.colors.includes(bonus));
  return part(
    context.say("cards", { n: cards.length }),
    html`
      <div class="points-row">
        <span class="small">${context.say("points")}</span>
        ${keys(context.say("points"), options, chosen >= 0 ? (cards[chosen].points ?? 0) : view.points, setPoints, "points")}
      </div>`,
    html`<div class="color-columns">${context.box.colors.map(column)}</div>`,
    strange.length > 0 && html`<div class="fan">${strange}</div>`,
    row.bar,
    html`<p class="small quiet">${context.say(chosen >= 0 ? "card-how" : "cards-how")}</p>`,
  );
}

function wanted(wants) {
  return html`
    <span class="wanted">
      ${Object.entries(wants).map(([color, n]) => n > 0 && html`<span class="want">${n}${gem(color)}</span>`)}
    </span>`;
}

function noblesPart(context) {
  const { nobles = 0 } = context.player;
  const listed = Array.isArray(nobles);
  const count = listed ? nobles.length : nobles;
  const unknown = (n) => Array.from({ length: n }, () => ({}));
  const put = (value) => context.edit((row) => (row.nobles = value));
  const set = (n) => put(!listed ? n : n < count ? nobles.slice(0, n) : [...nobles, {}]);
  const check = (on) => put(on ? unknown(Math.min(count, context.box.most_nobles)) : count);
  const more = { art: noble(), key: "nobles", most: context.box.most_nobles, place: `${context.place}/nobles`, set };
  return part(
    context.say("nobles"),
    html`
      <div class="count-rows">
        ${stepper({ label: context.say("nobles"), value: count, ...more })}
        ${toggle(context.say("nobles-check"), listed, check, "nobles-check")}
      </div>`,
    listed && nobles.map((wants, i) => nobleRow(context, wants, i)),
    listed && html`<p class="small quiet">${context.say("nobles-how")}</p>`,
  );
}

/** What a noble wants: a touch goes from 0 to 3, to 4, to 0. */
function nobleRow(context, wants, i) {
  const set = (color) =>
    context.edit((row) => {
      const n = WANTS[(WANTS.indexOf(wants[color] ?? 0) + 1) % WANTS.length];
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
  const { tokens = {} } = context.player;
  const held = Object.values(tokens).reduce((sum, n) => sum + n, 0);
  const set = (color, n) =>
    context.edit((row) => {
      row.tokens = { ...tokens, [color]: n };
      if (!n) delete row.tokens[color];
    });
  const count = (color) =>
    counter({
      label: name(context, color),
      value: tokens[color] ?? 0,
      most: context.box.most_tokens[color],
      key: `token-${color}`,
      art: token(color),
      place: `${context.place}/tokens/${color}`,
      set: (n) => set(color, n),
    });
  const reserved = playerStepper(context, "reserved", { most: context.box.most_cards, art: thing("back") });
  return part(
    context.say("tokens", { n: held, most: context.box.token_limit }),
    html`<div class="counters">${context.box.tokens.map(count)}</div>`,
    html`<div class="count-rows">${reserved}</div>`,
  );
}
