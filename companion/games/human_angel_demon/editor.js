// Human Angel Demon: cards picked from a fan into opened sets, hands, discards and bonus checks; how the goal came about.

import { beingCard } from "/static/js/lib/art.js";
import { button, html } from "/static/js/lib/dom.js";
import { isWhole, layInSet, pieceRow, setsOfThree, smallRow, smallSet, supply } from "/static/js/lib/laid_pieces.js";
import { fold, playerStepper, segments, stepper, toggle } from "/static/js/lib/widgets.js";

const SETS_TO_WIN = 3;
const TAKE = -1;
const view = { target: "open", attribute: "H", at: null };

const cardWords = (context, card) =>
  context.say(card.endsWith("r") ? "card-red" : "card", {
    attribute: context.term(`attribute.${card[0]}`),
    title: card[1] ?? "",
  });
/** Whether it has been said who goaled: a name, or `null` for nobody. Until then it is asked. */
const isSaid = (context) => context.state.winner !== undefined;
const isWinner = (context) => isSaid(context) && context.state.winner === context.player.name;

/** How the goal came about: `TAKE`, the player whose discard it was, or null while that is not known. */
function wonBy({ won_by: by, discarder, players, winner }) {
  if (by === "take") return TAKE;
  const at = players.findIndex(({ name }) => name === discarder && name !== winner);
  return by === "discard" && discarder !== undefined && at >= 0 ? at : null;
}

export default {
  start: () => ({ game: "human-angel-demon", advanced: false, short_game: 1, players: [] }),

  newPlayer: () => ({ points: 0, open: [] }),

  /** The next short game of the match, once it is known who goaled: points carry over. */
  next: (state, { players }) =>
    state.winner === undefined
      ? null
      : {
          game: state.game,
          advanced: state.advanced ?? false,
          short_game: (state.short_game ?? 1) + 1,
          ...(state.start !== undefined && { start: state.start }),
          players: players.map(({ name, total }) => ({ name, points: total })),
        },

  /** A player's points of the match before this short game; none before the first. */
  before: ({ short_game: n = 1, players }, i) => (n > 1 ? players[i].points : null),

  /** What the next match is played with, too. */
  stays: ({ advanced, item_win }) => ({ advanced, ...(item_win && { item_win }) }),

  renamed(state, before, after) {
    for (const field of ["winner", "discarder", "start"]) {
      if (before === undefined || state[field] !== before) continue;
      if (after === null) delete state[field];
      else state[field] = after;
    }
    if (state.winner === undefined) for (const field of ["won_by", "discarder"]) delete state[field];
  },

  table(context) {
    const { state } = context;
    const { short_game: n = 1 } = state;
    const names = state.players.map(({ name }) => name);
    const winnerAt = isSaid(context) ? names.indexOf(state.winner) : null;
    const set = (field) => (value) => context.change((all) => (all[field] = value));
    const choice = (words, options, now, choose, key, place) => html`
      <div class="choice-line" data-place=${place}>
        <h3>${context.say(words)}</h3>
        ${segments(context.say(words), options, now, (i) => choose(context, i < 0 ? null : names[i]), key)}
      </div>`;
    const goaled = [[-1, context.say("nobody")], ...names.map((name, i) => [i, name])];
    const discards = names.map((name, i) => [i, context.say("discard-of", { name })]).filter(([i]) => i !== winnerAt);
    const how = [[TAKE, context.say("take")], ...discards];
    const first = names.indexOf(state.start);
    const seat = (from, by) => (((from + by) % names.length) + names.length) % names.length;
    const setFirst = ({ change }, name) => change((all) => (all.start = names[seat(names.indexOf(name), 1 - n)]));
    const now = first < 0 ? null : seat(first, n - 1);
    const asked = ["take", "discard"].includes(state.won_by) ? "/discarder" : "/won_by";
    return html`
      <section class="card table-card">
        ${choice("winner", goaled, winnerAt, setWinner, "winner", "/winner")}
        ${isSaid(context) && state.winner !== null && choice("won-by", how, wonBy(state), setDiscarder, "discarder", asked)}
        ${choice("begins", [...names.entries()], now, setFirst, "begins", "/start")}
        <p class="small quiet">${context.say(n > 1 ? "begins-then" : "begins-first")}</p>
        <div class="count-rows">
          ${stepper({ label: context.say("short-game"), value: n, least: 1, most: 20, key: "short-game", set: set("short_game") })}
          ${toggle(context.say("advanced"), Boolean(state.advanced), set("advanced"), "advanced-game")}
        </div>
      </section>`;
  },

  player(context) {
    const { player } = context;
    const winner = isWinner(context);
    const ready = () => {
      const set = (on) => context.edit((row) => (row.ready = on));
      return toggle(context.say("ready"), Boolean(player.ready), set, "ready", `${context.place}/ready`);
    };
    if (view.at !== context.place) Object.assign(view, { at: context.place, target: winner ? "hand" : "open" });
    const there = Object.keys(TRAYS).filter((target) => TRAYS[target](context));
    if (!there.includes(view.target)) view.target = "open";
    /** @type {{drawn: any, bar?: any}[]} */
    const trays = there.map((target) => tray(context, target));
    if (!isSaid(context) && !player.hand) trays.splice(1, 0, { drawn: askedHand(context) });
    return [
      html`
        <div class="count-rows">
          ${playerStepper(context, "points", { label: context.say("points-before"), most: 99 })}
          ${winner && context.state.won_by === "discard" && ready()}
        </div>`,
      trays.map(({ drawn }) => drawn),
      trays.map(({ bar }) => bar),
      picker(context),
      context.state.advanced && (winner || itemSets(player) >= SETS_TO_WIN) && itemWins(context),
    ];
  },

  picture(context) {
    const { place, player, state } = context;
    const { open = [], hand, discards = [] } = player;
    const named = (name, cards, at) =>
      cards.length > 0 &&
      smallRow(html`<span class="small">${context.say(name)}</span>`, smallSet(cards, at, beingCard));
    return [
      open.length > 0 && smallRow(open.map((cards, i) => smallSet(cards, `${place}/open/${i}`, beingCard))),
      hand && smallRow(smallSet(hand, `${place}/hand`, beingCard)),
      isWinner(context) && named("bonus", state.bonus ?? [], "/bonus"),
      named("discards", discards, `${place}/discards`),
    ];
  },

  setup(context) {
    const { winner, discarder, short_game: n, advanced } = context.state;
    const by = wonBy(context.state);
    const goal =
      winner === null ? "nobody-goaled" : by === null ? "goaled" : by === TAKE ? "goal-take" : "goal-discard";
    return [
      context.say(advanced ? "advanced-short" : "basic-short"),
      n && context.say("short-game-n", { n }),
      isSaid(context) && context.say(goal, { name: winner, winner, discarder }),
    ]
      .filter(Boolean)
      .join(" · ");
  },
};

/** Say who goaled; once it is said first, that player's hand is laid out next. Nothing else that was entered is lost: what counts for another winner lies there still after a slip. */
function setWinner(context, name) {
  context.change((state) => {
    const turn = () => context.turn?.(context.state.players.findIndex((player) => player.name === name));
    if (state.winner === undefined && name !== null) queueMicrotask(turn); // what was taken back may be answered late
    state.winner = name;
    for (const player of state.players) {
      if (player.name === name) player.hand ??= [];
      else if (!player.hand?.length) delete player.hand;
    }
    if (name !== null) state.won_by ??= "take";
  });
  context.show(view, name === null ? {} : { target: "hand" });
}

function setDiscarder(context, name) {
  context.change((state) => {
    state.won_by = name === null ? "take" : "discard";
    if (name === null) delete state.discarder;
    else state.discarder = name;
  });
}

const itemSets = ({ open = [] }) =>
  open.filter((cards) => isWhole(cards) && cards.every((code) => code[0] === "I")).length;

function itemWins(context) {
  const wins = context.state.item_win ?? [];
  const set = (n) =>
    context.change((state) => {
      state.item_win = wins.includes(n) ? wins.filter((one) => one !== n) : [...wins, n].sort();
      if (!state.item_win.length) delete state.item_win;
    });
  const key = (n) => html`
    <button class="fan-card ${wins.includes(n) && "held"}" aria-pressed=${wins.includes(n)} data-key="item-win-${n}"
        aria-label=${cardWords(context, `I${n}r`)} onclick=${() => set(n)}>
      ${beingCard(`I${n}r`)}
    </button>`;
  return fold(
    `${context.say("item-win")}${wins.length ? ` · ${wins.join(" ")}` : ""}`,
    "item-win",
    false,
    html`<div class="fan">${Array.from({ length: context.box.pictures }, (_, i) => key(i + 1))}</div>`,
    html`<p class="small quiet">${context.say("item-win-how")}</p>`,
  );
}

/** Where cards may lie, each under a field of this name, and when there is such a place. */
const TRAYS = {
  open: () => true,
  hand: (context) => isWinner(context) || context.player.hand,
  discards: ({ state, player }) => state.advanced || player.discards?.length,
  bonus: (context) => isWinner(context) || context.state.bonus?.length,
};

/** The cards of a tray, to work on: those of the bonus check lie on the table, all others before the player. */
function changeTray(context, target, edit) {
  const change = target === "bonus" ? context.change : context.edit;
  change((owner) => edit((owner[target] ??= []), owner));
}

/** Where the hand will lie, before it has been said whose hand counts. */
function askedHand(context) {
  const { name } = context.player;
  return html`
    <section class="tray asking" data-tray="asked">
      <div class="tray-head"><span>${context.say("hand", { n: 0, most: context.box.hand })}</span></div>
      <p class="small quiet">${context.say("hand-whose")}</p>
      ${button("goaled", context.say("goaled", { name }), () => setWinner(context, name))}
    </section>`;
}

/** A place for cards, drawn, and what can be done with its chosen card. Touching its heading makes it the one that the fan fills. */
function tray(context, target) {
  const on = view.target === target;
  const cards = (target === "bonus" ? context.state : context.player)[target] ?? [];
  const { winning_card: winning } = context.player;
  const isHand = target === "hand";
  const how = { words: (card) => cardWords(context, card), art: beingCard, more: handling(context, isHand) };
  const row = () =>
    pieceRow(context, target === "bonus" ? "/bonus" : `${context.place}/${target}`, cards, {
      ...how,
      extra: (card) => `laid ${isHand && winning === card ? "winning" : ""}`,
      change: (edit) =>
        changeTray(context, target, (list, owner) => {
          edit(list);
          if (isHand && !list.includes(winning)) delete owner.winning_card;
        }),
    });
  const { laid, bar } = target === "open" ? setsOfThree(context, "open", how) : row();
  const drawn = html`
    <section class="tray ${on && "on"}" data-tray=${target} data-place=${isHand ? `${context.place}/winning_card` : null}>
      <button class="tray-head" aria-pressed=${on} data-key="tray-${target}" onclick=${() => context.show(view, { target })}>
        <span>${context.say(target, { n: cards.length, most: context.box.hand })}</span>
        <span class="tray-mark">${context.say(on ? "filling" : "fill")}</span>
      </button>
      <div class="tray-cards">${laid}</div>
      ${on && !cards.length && html`<p class="small quiet">${context.say(`${target}-how`)}</p>`}
      ${isHand && besideHand(context)}
    </section>`;
  return { drawn, bar };
}

/** Beside a hand: which card goaled, where that was a discard; or that it does not count, since another player goaled. */
function besideHand(context) {
  const { hand = [], winning_card: card } = context.player;
  const asks = context.state.won_by === "discard" && hand.length > 0 && !hand.includes(card);
  if (isWinner(context)) return asks && html`<p class="small">${context.say("winning-how")}</p>`;
  const clear = () =>
    context.edit((row) => {
      for (const field of ["hand", "winning_card", "ready"]) delete row[field];
    });
  return (
    isSaid(context) &&
    html`
    <div class="row">
      <p class="small quiet">${context.say("hand-whose")}</p>
      ${button("hand-clear", context.say("hand-clear"), clear, { kind: "plain danger" })}
    </div>`
  );
}

function taken({ state: { players, bonus = [] } }) {
  const counts = {};
  const laid = players.flatMap(({ open = [], hand = [], discards = [] }) => [open, hand, discards]);
  for (const card of [bonus, laid].flat(3)) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
}

/** How many of a card the box has left. */
const left = (context, card) => context.box[card.endsWith("r") ? "red" : "black"] - (taken(context)[card] ?? 0);

/** The fan: all cards of an attribute, black and red, as many as the box has left. */
function picker(context) {
  const { attributes } = context.box;
  const add = (card) =>
    changeTray(context, view.target, (cards) => (view.target === "open" ? layInSet(cards, card) : cards.push(card)));
  const key = (card) => {
    const n = left(context, card);
    const label = context.say("add-card", { card: cardWords(context, card), n });
    return supply({ label, art: beingCard(card), take: () => add(card), key: `card-${card}`, left: Math.max(0, n) });
  };
  const options = Object.keys(attributes).map((letter) => [letter, context.term(`attribute.${letter}`)]);
  const show = (attribute) => context.show(view, { attribute });
  const codes = Array.from({ length: attributes[view.attribute] }, (_, i) => `${view.attribute}${i + 1}`);
  return html`
    <div class="picker">
      ${segments(context.say("attribute"), options, view.attribute, show, "attribute")}
      <div class="fan">${codes.map(key)}</div>
      <div class="fan">${codes.map((code) => key(`${code}r`))}</div>
    </div>`;
}

/** What can be done with a chosen card beside taking it away. */
const handling = (context, isHand) => (card, change, i) => {
  const red = card.endsWith("r");
  const other = red ? card.slice(0, -1) : `${card}r`;
  const win = () => context.edit((row) => (row.winning_card = card));
  const swap = () => change((cards) => (cards[i] = other));
  const words = context.say("swap", { card: cardWords(context, other) });
  return [
    isHand &&
      context.state.won_by === "discard" && [context.say("is-winning"), context.say("is-winning"), win, "winning"],
    [words, context.say(red ? "to-black" : "to-red"), swap, "swap", left(context, other) <= 0],
  ];
};
