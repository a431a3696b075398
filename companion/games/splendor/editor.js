// Splendor: bought cards by color and points, nobles with or without what they want, tokens.
import { h, icon, say } from "/static/js/lib/dom.js";
import { developmentCard, gem, noble, thing, token } from "/static/js/dispute/art.js";
import { actions, counter, part, piece, stepper, toggle } from "/static/js/dispute/widgets.js";

const WANTS = [0, 3, 4];
const view = { points: 0 };

const name = (desk, color) => desk.term(`color.${color}`);
const cardWords = (desk, card) => desk.say("card", { color: name(desk, card.bonus), n: card.points ?? 0 });

export default {
  start: () => ({ game: "splendor", players: [] }),

  newPlayer: () => ({ cards: [], nobles: 0, tokens: {} }),

  table(desk) {
    return h("section", { class: "card table-card" }, toggle(desk.say("round-over"), Boolean(desk.state.round_over), (on) => desk.change((state) => (state.round_over = on)), "round-over"));
  },

  player(desk) {
    return [cardsPart(desk), noblesPart(desk), tokensPart(desk)];
  },

  picture(desk) {
    const { cards = [], nobles = 0, tokens = {}, reserved = 0 } = desk.player;
    return h(
      "div",
      { class: "picture" },
      h("div", { class: "picture-row" }, desk.box.colors.map((color) => h("span", { class: "picture-set" }, cards.map((card, i) => card.bonus === color && h("span", { class: "picture-card", "data-place": `${desk.place}/cards/${i}` }, developmentCard(color, card.points ?? 0)))))),
      h(
        "div",
        { class: "picture-row" },
        Array.isArray(nobles) ? nobles.map((wants, i) => h("span", { class: "picture-count", "data-place": `${desk.place}/nobles/${i}` }, noble(), wanted(wants))) : nobles > 0 && h("span", { class: "picture-count", "data-place": `${desk.place}/nobles` }, noble(), h("span", {}, `×${nobles}`)),
        Object.entries(tokens).filter(([, n]) => n).map(([color, n]) => h("span", { class: "picture-count" }, token(color), h("span", {}, `×${n}`))),
        reserved > 0 && h("span", { class: "picture-count" }, thing("back"), h("span", {}, `×${reserved}`)),
      ),
    );
  },

  setup: (desk) => desk.state.round_over && desk.say("round-over"),

};

/** Nobles that a player may have: as many are laid out as there are players and one more. */
function noblesLeft(desk) {
  const { players } = desk.state;
  const laidOut = (players.length > 1 ? players.length : desk.box.most_players) + 1;
  const others = players.filter((_, i) => i !== desk.at).reduce((sum, { nobles = 0 }) => sum + (Array.isArray(nobles) ? nobles.length : nobles), 0);
  return Math.max(0, laidOut - others);
}

function cardsPart(desk) {
  const cards = desk.player.cards ?? [];
  const place = (i) => `${desk.place}/cards/${i}`;
  const chosen = cards.findIndex((_, i) => place(i) === desk.chosen);
  const add = (color) => desk.edit((row) => (row.cards = [...cards, { points: view.points, bonus: color }]));
  const setPoints = (points) => {
    view.points = points;
    if (chosen >= 0) desk.edit((row) => (row.cards[chosen].points = points));
    desk.redraw();
  };
  const shown = chosen >= 0 ? (cards[chosen].points ?? 0) : view.points;
  const column = (color) => {
    const own = cards.map((card, i) => [card, i]).filter(([card]) => card.bonus === color);
    return h(
      "div",
      { class: "color-column" },
      h("button", { type: "button", class: "fan-card supply", "data-key": `buy-${color}`, "aria-label": desk.say("buy", { color: name(desk, color), n: view.points }), onclick: () => add(color) }, developmentCard(color, view.points), h("span", { class: "left" }, icon("plus"))),
      h("span", { class: "column-sum", "aria-label": desk.say("bonuses", { color: name(desk, color), n: own.length }) }, `${own.length}`),
      h("div", { class: "column-cards" }, own.map(([card, i]) => piece({ label: cardWords(desk, card), place: place(i), chosen: i === chosen, extra: "stacked" }, developmentCard(color, card.points ?? 0)))),
    );
  };
  const strange = cards.map((card, i) => [card, i]).filter(([card]) => !desk.box.colors.includes(card.bonus));
  return part(
    desk.say("cards", { n: cards.length }),
    h("div", { class: "points-row", role: "group", "aria-label": desk.say("points") }, h("span", { class: "small" }, desk.say("points")), h("div", { class: "keys" }, Array.from({ length: desk.box.most_points + 1 }, (_, n) => h("button", { type: "button", class: `key ${shown === n ? "on" : ""}`, "aria-pressed": shown === n ? "true" : "false", "data-key": `points-${n}`, onclick: () => setPoints(n) }, `${n}`)))),
    h("div", { class: "color-columns" }, desk.box.colors.map(column)),
    strange.length > 0 && h("div", { class: "fan" }, strange.map(([card, i]) => piece({ label: cardWords(desk, card), place: place(i), chosen: i === chosen, extra: "fan-card" }, developmentCard(card.bonus ?? "?", card.points ?? 0)))),
    chosen >= 0 && actions(cardWords(desk, cards[chosen]), [[say("dispute.remove"), icon("close"), () => { desk.edit((row) => row.cards.splice(chosen, 1)); desk.choose(null); }, "remove"]]),
    h("p", { class: "small quiet" }, desk.say(chosen >= 0 ? "card-how" : "cards-how")),
  );
}

function wanted(wants) {
  return h("span", { class: "wanted" }, Object.entries(wants).filter(([, n]) => n).map(([color, n]) => h("span", { class: "want" }, `${n}`, gem(color))));
}

function noblesPart(desk) {
  const { nobles = 0 } = desk.player;
  const listed = Array.isArray(nobles);
  const count = listed ? nobles.length : nobles;
  const set = (n) => desk.edit((row) => (row.nobles = !listed ? n : n < nobles.length ? nobles.slice(0, n) : [...nobles, {}]));
  const most = noblesLeft(desk);
  const check = (on) => desk.edit((row) => (row.nobles = on ? Array.from({ length: Math.min(count, desk.box.most_players + 1) }, () => ({})) : count));
  return part(
    desk.say("nobles"),
    h("div", { class: "count-rows" }, stepper({ label: desk.say("nobles"), value: count, most, key: "nobles", art: noble(), place: `${desk.place}/nobles`, set }), toggle(desk.say("nobles-check"), listed, check, "nobles-check")),
    listed && nobles.map((wants, i) => nobleRow(desk, wants, i)),
    listed && h("p", { class: "small quiet" }, desk.say("nobles-how")),
  );
}

/** What a noble wants: a touch goes from 0 to 3, to 4, to 0. */
function nobleRow(desk, wants, i) {
  const next = (n) => WANTS[(WANTS.indexOf(n) + 1) % WANTS.length];
  const set = (color) =>
    desk.edit((row) => {
      const n = next(wants[color] ?? 0);
      row.nobles[i] = { ...wants, [color]: n };
      if (!n) delete row.nobles[i][color];
    });
  return h("div", { class: "noble-row", "data-place": `${desk.place}/nobles/${i}`, role: "group", "aria-label": desk.say("noble", { n: i + 1 }) }, noble(), desk.box.colors.map((color) => h("button", { type: "button", class: `tile want-tile ${wants[color] ? "on" : ""}`, "data-key": `noble-${i}-${color}`, "aria-label": desk.say("wants", { color: name(desk, color), n: wants[color] ?? 0 }), onclick: () => set(color) }, gem(color), h("span", {}, `${wants[color] ?? 0}`))));
}

function tokensPart(desk) {
  const { tokens = {}, reserved = 0 } = desk.player;
  const held = Object.values(tokens).reduce((sum, n) => sum + n, 0);
  return part(
    desk.say("tokens", { n: held, most: desk.box.token_limit }),
    h("div", { class: "counters" }, desk.box.tokens.map((color) => counter({ label: name(desk, color), value: tokens[color] ?? 0, most: (tokens[color] ?? 0) + desk.box.token_limit - held, key: `token-${color}`, art: token(color), place: `${desk.place}/tokens/${color}`, set: (n) => desk.edit((row) => { row.tokens = { ...tokens, [color]: n }; if (!n) delete row.tokens[color]; }) }))),
    h("div", { class: "count-rows" }, stepper({ label: desk.say("reserved"), value: reserved, most: desk.box.reserve_limit, key: "reserved", art: thing("back"), place: `${desk.place}/reserved`, set: (n) => desk.edit((row) => (row.reserved = n)) })),
  );
}
