// Human Angel Demon: cards picked from a fan into opened sets, hands, discards and bonus checks; how the goal came about.
import { h, icon, say } from "/static/js/lib/dom.js";
import { beingCard } from "/static/js/dispute/art.js";
import { actions, fold, piece, segments, stepper, toggle } from "/static/js/dispute/widgets.js";

const THREE = 3;
const SETS_TO_WIN = 3;
const TAKE = -1;
const view = { target: "open", attribute: "H", at: null };

const cardWords = (desk, card) => desk.say(card.endsWith("r") ? "card-red" : "card", { attribute: desk.term(`attribute.${card[0]}`), title: card[1] ?? "" });
/** Whether it has been said who goaled: a name, or `null` for nobody. Until then it is asked. */
const isSaid = (desk) => desk.state.winner !== undefined;
const isWinner = (desk) => isSaid(desk) && desk.state.winner === desk.player.name;

/** How the goal came about: `TAKE`, the player whose discard it was, or null while that is not known. */
function wonBy({ won_by: by, discarder, players, winner }) {
  if (by === "take") return TAKE;
  const at = players.findIndex(({ name }) => name === discarder && name !== winner);
  return by === "discard" && discarder !== undefined && at >= 0 ? at : null;
}

export default {
  start: () => ({ game: "human-angel-demon", advanced: false, short_game: 1, players: [] }),

  newPlayer: () => ({ points: 0, open: [] }),

  renamed(state, before, after) {
    for (const field of ["winner", "discarder"]) {
      if (before === undefined || state[field] !== before) continue;
      if (after === null) delete state[field];
      else state[field] = after;
    }
    if (state.winner === undefined) for (const field of ["won_by", "discarder"]) delete state[field];
  },

  table(desk) {
    const { state } = desk;
    const names = state.players.map(({ name }) => name);
    const winnerAt = isSaid(desk) ? names.indexOf(state.winner) : null;
    return h(
      "section",
      { class: "card table-card" },
      h("div", { class: "choice-line", "data-place": "/winner" }, h("h3", {}, desk.say("winner")), segments(desk.say("winner"), [[-1, desk.say("nobody")], ...names.map((name, i) => [i, name])], winnerAt, (i) => setWinner(desk, i < 0 ? null : names[i]), "winner")),
      winnerAt !== null && state.winner !== null && h("div", { class: "choice-line", "data-place": ["take", "discard"].includes(state.won_by) ? "/discarder" : "/won_by" }, h("h3", {}, desk.say("won-by")), segments(desk.say("won-by"), [[TAKE, desk.say("take")], ...names.map((name, i) => [i, desk.say("discard-of", { name })]).filter(([i]) => i !== winnerAt)], wonBy(state), (i) => setDiscarder(desk, i < 0 ? null : names[i]), "discarder")),
      h("div", { class: "count-rows" }, stepper({ label: desk.say("short-game"), value: state.short_game ?? 1, least: 1, most: 20, key: "short-game", set: (n) => desk.change((all) => (all.short_game = n)) }), toggle(desk.say("advanced"), Boolean(state.advanced), (on) => desk.change((all) => (all.advanced = on)), "advanced-game")),
    );
  },

  player(desk) {
    const { player } = desk;
    const winner = isWinner(desk);
    const byDiscard = winner && desk.state.won_by === "discard";
    if (view.at !== desk.place) Object.assign(view, { at: desk.place, target: winner ? "hand" : "open" });
    const places = [tray(desk, "open", desk.say("open"), player.open ?? [], `${desk.place}/open`, desk.say("open-how"))];
    if (winner || player.hand) places.push(tray(desk, "hand", desk.say("hand", { n: (player.hand ?? []).length, most: desk.box.hand }), player.hand ?? [], `${desk.place}/hand`, desk.say("hand-how"), isSaid(desk) && !winner ? idleHand(desk) : byDiscard && howWon(desk)));
    if (!isSaid(desk) && !player.hand) places.push(askedHand(desk));
    if (desk.state.advanced || player.discards?.length) places.push(tray(desk, "discards", desk.say("discards"), player.discards ?? [], `${desk.place}/discards`, desk.say("discards-how")));
    if (winner || desk.state.bonus?.length) places.push(tray(desk, "bonus", desk.say("bonus"), desk.state.bonus ?? [], "/bonus", desk.say("bonus-how")));
    if (!places.some((place) => place.dataset.tray === view.target)) view.target = "open";
    return [
      h("div", { class: "count-rows" }, stepper({ label: desk.say("points-before"), value: player.points ?? 0, most: 99, key: "points", place: `${desk.place}/points`, set: (n) => desk.edit((row) => (row.points = n)) }), byDiscard && toggle(desk.say("ready"), Boolean(player.ready), (on) => desk.edit((row) => (row.ready = on)), "ready", `${desk.place}/ready`)),
      places,
      chosenHere(desk),
      picker(desk),
      desk.state.advanced && (winner || itemSets(player) >= SETS_TO_WIN) && itemWins(desk),
    ];
  },

  picture(desk) {
    const { player } = desk;
    const row = (cards, place) => h("span", { class: "picture-set" }, cards.map((card, i) => h("span", { class: "picture-card", "data-place": `${place}/${i}` }, beingCard(card))));
    return h(
      "div",
      { class: "picture" },
      (player.open ?? []).length > 0 && h("div", { class: "picture-row" }, player.open.map((cards, i) => row(cards, `${desk.place}/open/${i}`))),
      player.hand && h("div", { class: "picture-row" }, row(player.hand, `${desk.place}/hand`)),
      isWinner(desk) && desk.state.bonus?.length > 0 && h("div", { class: "picture-row" }, h("span", { class: "small" }, desk.say("bonus")), row(desk.state.bonus, "/bonus")),
      player.discards?.length > 0 && h("div", { class: "picture-row" }, h("span", { class: "small" }, desk.say("discards")), row(player.discards, `${desk.place}/discards`)),
    );
  },

  setup(desk) {
    const { winner, discarder, short_game: n, advanced } = desk.state;
    const by = wonBy(desk.state);
    return [desk.say(advanced ? "advanced-short" : "basic-short"), n && desk.say("short-game-n", { n }), winner === undefined ? "" : winner === null ? desk.say("nobody-goaled") : desk.say(by === null ? "goaled" : by === TAKE ? "goal-take" : "goal-discard", { name: winner, winner, discarder })].filter(Boolean).join(" · ");
  },
};

/** Say who goaled. Nothing else that was entered is lost: what counts for another winner lies there still after a slip. */
function setWinner(desk, name) {
  desk.change((state) => {
    state.winner = name;
    for (const player of state.players) {
      if (player.name === name) player.hand ??= [];
      else if (!player.hand?.length) delete player.hand;
    }
    if (name !== null) state.won_by ??= "take";
  });
  if (name !== null) view.target = "hand";
  desk.redraw();
}

function setDiscarder(desk, name) {
  desk.change((state) => {
    state.won_by = name === null ? "take" : "discard";
    if (name === null) delete state.discarder;
    else state.discarder = name;
  });
}

const itemSets = ({ open = [] }) => open.filter((cards) => cards.length === THREE && cards.every((code) => code[0] === "I")).length;

function itemWins(desk) {
  const wins = desk.state.item_win ?? [];
  const set = (n) =>
    desk.change((state) => {
      state.item_win = wins.includes(n) ? wins.filter((one) => one !== n) : [...wins, n].sort();
      if (!state.item_win.length) delete state.item_win;
    });
  return fold(`${desk.say("item-win")}${wins.length ? ` · ${wins.join(" ")}` : ""}`, "item-win", false, h("div", { class: "fan" }, Array.from({ length: desk.box.pictures }, (_, i) => i + 1).map((n) => h("button", { type: "button", class: `fan-card ${wins.includes(n) ? "held" : ""}`, "aria-pressed": wins.includes(n) ? "true" : "false", "data-key": `item-win-${n}`, "aria-label": cardWords(desk, `I${n}r`), onclick: () => set(n) }, beingCard(`I${n}r`)))), h("p", { class: "small quiet" }, desk.say("item-win-how")));
}

/** Where the hand will lie, before it has been said whose hand counts. */
function askedHand(desk) {
  const { name } = desk.player;
  return h("section", { class: "tray asking", "data-tray": "asked" }, h("div", { class: "tray-head" }, h("span", {}, desk.say("hand", { n: 0, most: desk.box.hand }))), h("p", { class: "small quiet" }, desk.say("hand-whose")), h("button", { type: "button", class: "button", "data-key": "goaled", onclick: () => setWinner(desk, name) }, desk.say("goaled", { name })));
}

/** A place for cards. Touching its heading makes it the one that the fan fills. */
function tray(desk, target, title, cards, place, how, more) {
  const on = view.target === target;
  const card = (code, at) => piece({ label: cardWords(desk, code), place: at, chosen: desk.chosen === at, extra: `laid ${desk.player.winning_card === code && target === "hand" ? "winning" : ""}` }, beingCard(code));
  const laid = target === "open" ? cards.map((three, i) => h("div", { class: `laid-set ${three.length === THREE ? "" : "begun"}` }, three.map((code, n) => card(code, `${place}/${i}/${n}`)))) : cards.map((code, i) => card(code, `${place}/${i}`));
  return h(
    "section",
    { class: `tray ${on ? "on" : ""}`, "data-tray": target, "data-place": target === "hand" ? `${desk.place}/winning_card` : null },
    h("button", { type: "button", class: "tray-head", "aria-pressed": on ? "true" : "false", "data-key": `tray-${target}`, onclick: () => { view.target = target; desk.redraw(); } }, h("span", {}, title), h("span", { class: "tray-mark" }, on ? desk.say("filling") : desk.say("fill"))),
    h("div", { class: "tray-cards" }, laid),
    on && !cards.length && h("p", { class: "small quiet" }, how),
    more,
  );
}

/** Beside a hand that goaled by a discard: which card that was. */
function howWon(desk) {
  const { hand = [], winning_card: card } = desk.player;
  return hand.length > 0 && !hand.includes(card) && h("p", { class: "small" }, desk.say("winning-how"));
}

/** Beside a hand that does not count, since another player goaled. */
function idleHand(desk) {
  const clear = () => desk.edit((row) => { for (const field of ["hand", "winning_card", "ready"]) delete row[field]; });
  return h("div", { class: "row" }, h("p", { class: "small quiet" }, desk.say("hand-whose")), h("button", { type: "button", class: "button plain danger", "data-key": "hand-clear", onclick: clear }, desk.say("hand-clear")));
}

function taken(desk) {
  const counts = {};
  const { players, bonus = [] } = desk.state;
  for (const card of [bonus, ...players.flatMap((player) => [...(player.open ?? []), player.hand ?? [], player.discards ?? []])].flat()) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
}

/** The fan: all cards of an attribute, black and red, as many as the box has left. */
function picker(desk) {
  const counts = taken(desk);
  const most = desk.box.attributes[view.attribute];
  const codes = Array.from({ length: most }, (_, i) => `${view.attribute}${i + 1}`);
  const key = (code) => {
    const left = (code.endsWith("r") ? desk.box.red : desk.box.black) - (counts[code] ?? 0);
    return h("button", { type: "button", class: "fan-card supply", "data-key": `card-${code}`, disabled: left <= 0, "aria-label": desk.say("add-card", { card: cardWords(desk, code), n: left }), onclick: () => add(desk, code) }, beingCard(code), h("span", { class: "left" }, `${left}`));
  };
  return h(
    "div",
    { class: "picker" },
    segments(desk.say("attribute"), Object.keys(desk.box.attributes).map((letter) => [letter, desk.term(`attribute.${letter}`)]), view.attribute, (letter) => { view.attribute = letter; desk.redraw(); }, "attribute"),
    h("div", { class: "fan" }, codes.map(key)),
    h("div", { class: "fan" }, codes.map((code) => key(`${code}r`))),
  );
}

function add(desk, code) {
  if (view.target === "bonus") return desk.change((state) => (state.bonus = [...(state.bonus ?? []), code]));
  return desk.edit((row) => {
    if (view.target !== "open") {
      row[view.target] = [...(row[view.target] ?? []), code];
      return;
    }
    row.open ??= [];
    const begun = row.open.find((three) => three.length < THREE);
    if (begun) begun.push(code);
    else row.open.push([code]);
  });
}

/** What can be done with the card that is chosen among those of the player. */
function chosenHere(desk) {
  const steps = desk.chosen?.startsWith(`${desk.place}/`) ? desk.chosen.slice(desk.place.length + 1).split("/") : [];
  const [field, one, two] = steps;
  if (field === "open" && desk.player.open?.[one]?.[two]) {
    return handling(desk, `${desk.place}/open/${one}`, desk.player.open[one], (edit) => desk.edit((row) => { edit(row.open[one]); row.open = row.open.filter((three) => three.length); }), "open");
  }
  if (desk.chosen?.startsWith("/bonus/")) return handling(desk, "/bonus", desk.state.bonus ?? [], (edit) => desk.change((state) => edit(state.bonus)));
  if (["hand", "discards"].includes(field)) return handling(desk, `${desk.place}/${field}`, desk.player[field] ?? [], (edit) => desk.edit((row) => { edit(row[field]); if (field === "hand" && !row.hand.includes(row.winning_card)) delete row.winning_card; }), field);
  return null;
}

function handling(desk, place, cards, change, field) {
  const at = cards.findIndex((_, i) => `${place}/${i}` === desk.chosen);
  if (at < 0) return null;
  const code = cards[at];
  const other = code.endsWith("r") ? code.slice(0, -1) : `${code}r`;
  const swap = () => change((list) => (list[at] = other));
  const remove = () => {
    change((list) => list.splice(at, 1));
    desk.choose(null);
  };
  return actions(cardWords(desk, code), [
    field === "hand" && desk.state.won_by === "discard" && [desk.say("is-winning"), desk.say("is-winning"), () => desk.edit((row) => (row.winning_card = code)), "winning"],
    [desk.say("swap", { card: cardWords(desk, other) }), desk.say(code.endsWith("r") ? "to-black" : "to-red"), swap, "swap", (taken(desk)[other] ?? 0) >= (code.endsWith("r") ? desk.box.black : desk.box.red)],
    [say("dispute.remove"), icon("close"), remove, "remove"],
  ]);
}
