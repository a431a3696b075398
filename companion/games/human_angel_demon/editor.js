// Human Angel Demon: cards picked from a fan into opened sets, hands, discards and bonus checks; how the goal came about.

import { beingCard } from "/static/js/lib/art.js";
import { html, icon, say } from "/static/js/lib/dom.js";
import { actions, fold, piece, segments, stepper, toggle } from "/static/js/lib/widgets.js";

const THREE = 3;
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
          players: players.map(({ name, total }) => ({ name, points: total, open: [] })),
        },

  renamed(state, before, after) {
    for (const field of ["winner", "discarder"]) {
      if (before === undefined || state[field] !== before) continue;
      if (after === null) delete state[field];
      else state[field] = after;
    }
    if (state.winner === undefined) for (const field of ["won_by", "discarder"]) delete state[field];
  },

  table(context) {
    const { state } = context;
    const names = state.players.map(({ name }) => name);
    const winnerAt = isSaid(context) ? names.indexOf(state.winner) : null;
    return html`
      <section class="card table-card">
        <div class="choice-line" data-place="/winner">
          <h3>${context.say("winner")}</h3>
          ${segments(context.say("winner"), [[-1, context.say("nobody")], ...names.map((name, i) => [i, name])], winnerAt, (i) => setWinner(context, i < 0 ? null : names[i]), "winner")}
        </div>
        ${
          winnerAt !== null &&
          state.winner !== null &&
          html`
          <div class="choice-line"
              data-place=${["take", "discard"].includes(state.won_by) ? "/discarder" : "/won_by"}>
            <h3>${context.say("won-by")}</h3>
            ${segments(context.say("won-by"), [[TAKE, context.say("take")], ...names.map((name, i) => [i, context.say("discard-of", { name })]).filter(([i]) => i !== winnerAt)], wonBy(state), (i) => setDiscarder(context, i < 0 ? null : names[i]), "discarder")}
          </div>`
        }
        <div class="count-rows">
          ${stepper({ label: context.say("short-game"), value: state.short_game ?? 1, least: 1, most: 20, key: "short-game", set: (n) => context.change((all) => (all.short_game = n)) })}
          <p class="small quiet">${context.say("begins", { name: names[((state.short_game ?? 1) - 1) % names.length] ?? "", first: names[0] ?? "" })}</p>
          ${toggle(context.say("advanced"), Boolean(state.advanced), (on) => context.change((all) => (all.advanced = on)), "advanced-game")}
        </div>
      </section>`;
  },

  player(context) {
    const { player } = context;
    const winner = isWinner(context);
    const byDiscard = winner && context.state.won_by === "discard";
    if (view.at !== context.place) Object.assign(view, { at: context.place, target: winner ? "hand" : "open" });
    const places = [
      tray(context, "open", context.say("open"), player.open ?? [], `${context.place}/open`, context.say("open-how")),
    ];
    if (winner || player.hand)
      places.push(
        tray(
          context,
          "hand",
          context.say("hand", { n: (player.hand ?? []).length, most: context.box.hand }),
          player.hand ?? [],
          `${context.place}/hand`,
          context.say("hand-how"),
          isSaid(context) && !winner ? idleHand(context) : byDiscard && howWon(context),
        ),
      );
    if (!isSaid(context) && !player.hand) places.push(askedHand(context));
    if (context.state.advanced || player.discards?.length)
      places.push(
        tray(
          context,
          "discards",
          context.say("discards"),
          player.discards ?? [],
          `${context.place}/discards`,
          context.say("discards-how"),
        ),
      );
    if (winner || context.state.bonus?.length)
      places.push(
        tray(context, "bonus", context.say("bonus"), context.state.bonus ?? [], "/bonus", context.say("bonus-how")),
      );
    if (!places.some((place) => place.dataset.tray === view.target)) view.target = "open";
    return [
      html`
        <div class="count-rows">
          ${stepper({ label: context.say("points-before"), value: player.points ?? 0, most: 99, key: "points", place: `${context.place}/points`, set: (n) => context.edit((row) => (row.points = n)) })}
          ${byDiscard && toggle(context.say("ready"), Boolean(player.ready), (on) => context.edit((row) => (row.ready = on)), "ready", `${context.place}/ready`)}
        </div>`,
      places,
      chosenHere(context),
      picker(context),
      context.state.advanced && (winner || itemSets(player) >= SETS_TO_WIN) && itemWins(context),
    ];
  },

  picture(context) {
    const { player } = context;
    const row = (cards, place) => html`
      <span class="picture-set">
        ${cards.map((card, i) => html`<span class="picture-card" data-place="${place}/${i}">${beingCard(card)}</span>`)}
      </span>`;
    return html`
      <div class="picture">
        ${(player.open ?? []).length > 0 && html`<div class="picture-row">${player.open.map((cards, i) => row(cards, `${context.place}/open/${i}`))}</div>`}
        ${player.hand && html`<div class="picture-row">${row(player.hand, `${context.place}/hand`)}</div>`}
        ${
          isWinner(context) &&
          context.state.bonus?.length > 0 &&
          html`
          <div class="picture-row">
            <span class="small">${context.say("bonus")}</span>
            ${row(context.state.bonus, "/bonus")}
          </div>`
        }
        ${
          player.discards?.length > 0 &&
          html`
          <div class="picture-row">
            <span class="small">${context.say("discards")}</span>
            ${row(player.discards, `${context.place}/discards`)}
          </div>`
        }
      </div>`;
  },

  setup(context) {
    const { winner, discarder, short_game: n, advanced } = context.state;
    const by = wonBy(context.state);
    return [
      context.say(advanced ? "advanced-short" : "basic-short"),
      n && context.say("short-game-n", { n }),
      winner === undefined
        ? ""
        : winner === null
          ? context.say("nobody-goaled")
          : context.say(by === null ? "goaled" : by === TAKE ? "goal-take" : "goal-discard", {
              name: winner,
              winner,
              discarder,
            }),
    ]
      .filter(Boolean)
      .join(" · ");
  },
};

/** Say who goaled. Nothing else that was entered is lost: what counts for another winner lies there still after a slip. */
function setWinner(context, name) {
  context.change((state) => {
    state.winner = name;
    for (const player of state.players) {
      if (player.name === name) player.hand ??= [];
      else if (!player.hand?.length) delete player.hand;
    }
    if (name !== null) state.won_by ??= "take";
  });
  if (name !== null) view.target = "hand";
  context.redraw();
}

function setDiscarder(context, name) {
  context.change((state) => {
    state.won_by = name === null ? "take" : "discard";
    if (name === null) delete state.discarder;
    else state.discarder = name;
  });
}

const itemSets = ({ open = [] }) =>
  open.filter((cards) => cards.length === THREE && cards.every((code) => code[0] === "I")).length;

function itemWins(context) {
  const wins = context.state.item_win ?? [];
  const set = (n) =>
    context.change((state) => {
      state.item_win = wins.includes(n) ? wins.filter((one) => one !== n) : [...wins, n].sort();
      if (!state.item_win.length) delete state.item_win;
    });
  return fold(
    `${context.say("item-win")}${wins.length ? ` · ${wins.join(" ")}` : ""}`,
    "item-win",
    false,
    html`
    <div class="fan">
      ${Array.from({ length: context.box.pictures }, (_, i) => i + 1).map(
        (n) => html`
        <button class="fan-card ${wins.includes(n) && "held"}" aria-pressed=${wins.includes(n)}
            data-key="item-win-${n}" aria-label=${cardWords(context, `I${n}r`)} onclick=${() => set(n)}>
          ${beingCard(`I${n}r`)}
        </button>`,
      )}
    </div>`,
    html`
    <p class="small quiet">${context.say("item-win-how")}</p>`,
  );
}

/** Where the hand will lie, before it has been said whose hand counts. */
function askedHand(context) {
  const { name } = context.player;
  return html`
    <section class="tray asking" data-tray="asked">
      <div class="tray-head"><span>${context.say("hand", { n: 0, most: context.box.hand })}</span></div>
      <p class="small quiet">${context.say("hand-whose")}</p>
      <button class="button" data-key="goaled" onclick=${() => setWinner(context, name)}>
        ${context.say("goaled", { name })}
      </button>
    </section>`;
}

/** A place for cards. Touching its heading makes it the one that the fan fills. */
function tray(context, target, title, cards, place, how, more) {
  const on = view.target === target;
  const card = (code, at) =>
    piece(
      {
        label: cardWords(context, code),
        place: at,
        chosen: context.chosen === at,
        extra: `laid ${context.player.winning_card === code && target === "hand" ? "winning" : ""}`,
      },
      beingCard(code),
    );
  const laid =
    target === "open"
      ? cards.map(
          (three, i) => html`
    <div class="laid-set ${three.length === THREE ? "" : "begun"}">
      ${three.map((code, n) => card(code, `${place}/${i}/${n}`))}
    </div>`,
        )
      : cards.map((code, i) => card(code, `${place}/${i}`));
  return html`
    <section class="tray ${on && "on"}" data-tray=${target}
        data-place=${target === "hand" ? `${context.place}/winning_card` : null}>
      <button class="tray-head" aria-pressed=${on} data-key="tray-${target}"
          onclick=${() => {
            view.target = target;
            context.redraw();
          }}>
        <span>${title}</span>
        <span class="tray-mark">${on ? context.say("filling") : context.say("fill")}</span>
      </button>
      <div class="tray-cards">${laid}</div>
      ${on && !cards.length && html`<p class="small quiet">${how}</p>`}
      ${more}
    </section>`;
}

/** Beside a hand that goaled by a discard: which card that was. */
function howWon(context) {
  const { hand = [], winning_card: card } = context.player;
  return hand.length > 0 && !hand.includes(card) && html`<p class="small">${context.say("winning-how")}</p>`;
}

/** Beside a hand that does not count, since another player goaled. */
function idleHand(context) {
  const clear = () =>
    context.edit((row) => {
      for (const field of ["hand", "winning_card", "ready"]) delete row[field];
    });
  return html`
    <div class="row">
      <p class="small quiet">${context.say("hand-whose")}</p>
      <button class="button plain danger" data-key="hand-clear" onclick=${clear}>${context.say("hand-clear")}</button>
    </div>`;
}

function taken(context) {
  const counts = {};
  const { players, bonus = [] } = context.state;
  for (const card of [
    bonus,
    ...players.flatMap((player) => [...(player.open ?? []), player.hand ?? [], player.discards ?? []]),
  ].flat())
    counts[card] = (counts[card] ?? 0) + 1;
  return counts;
}

/** The fan: all cards of an attribute, black and red, as many as the box has left. */
function picker(context) {
  const counts = taken(context);
  const most = context.box.attributes[view.attribute];
  const codes = Array.from({ length: most }, (_, i) => `${view.attribute}${i + 1}`);
  const key = (code) => {
    const left = (code.endsWith("r") ? context.box.red : context.box.black) - (counts[code] ?? 0);
    return html`
      <button class="fan-card supply" data-key="card-${code}" disabled=${left <= 0}
          aria-label=${context.say("add-card", { card: cardWords(context, code), n: left })}
          onclick=${() => add(context, code)}>
        ${beingCard(code)}
        <span class="left">${left}</span>
      </button>`;
  };
  return html`
    <div class="picker">
      ${segments(
        context.say("attribute"),
        Object.keys(context.box.attributes).map((letter) => [letter, context.term(`attribute.${letter}`)]),
        view.attribute,
        (letter) => {
          view.attribute = letter;
          context.redraw();
        },
        "attribute",
      )}
      <div class="fan">${codes.map(key)}</div>
      <div class="fan">${codes.map((code) => key(`${code}r`))}</div>
    </div>`;
}

function add(context, code) {
  if (view.target === "bonus") return context.change((state) => (state.bonus = [...(state.bonus ?? []), code]));
  return context.edit((row) => {
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
function chosenHere(context) {
  const steps = context.chosen?.startsWith(`${context.place}/`)
    ? context.chosen.slice(context.place.length + 1).split("/")
    : [];
  const [field, one, two] = steps;
  if (field === "open" && context.player.open?.[one]?.[two]) {
    return handling(
      context,
      `${context.place}/open/${one}`,
      context.player.open[one],
      (edit) =>
        context.edit((row) => {
          edit(row.open[one]);
          row.open = row.open.filter((three) => three.length);
        }),
      "open",
    );
  }
  if (context.chosen?.startsWith("/bonus/"))
    return handling(context, "/bonus", context.state.bonus ?? [], (edit) =>
      context.change((state) => edit(state.bonus)),
    );
  if (["hand", "discards"].includes(field))
    return handling(
      context,
      `${context.place}/${field}`,
      context.player[field] ?? [],
      (edit) =>
        context.edit((row) => {
          edit(row[field]);
          if (field === "hand" && !row.hand.includes(row.winning_card)) delete row.winning_card;
        }),
      field,
    );
  return null;
}

function handling(context, place, cards, change, field) {
  const at = cards.findIndex((_, i) => `${place}/${i}` === context.chosen);
  if (at < 0) return null;
  const code = cards[at];
  const other = code.endsWith("r") ? code.slice(0, -1) : `${code}r`;
  const swap = () => change((list) => (list[at] = other));
  const remove = () => {
    change((list) => list.splice(at, 1));
    context.choose(null);
  };
  return actions(cardWords(context, code), [
    field === "hand" &&
      context.state.won_by === "discard" && [
        context.say("is-winning"),
        context.say("is-winning"),
        () => context.edit((row) => (row.winning_card = code)),
        "winning",
      ],
    [
      context.say("swap", { card: cardWords(context, other) }),
      context.say(code.endsWith("r") ? "to-black" : "to-red"),
      swap,
      "swap",
      (taken(context)[other] ?? 0) >= (code.endsWith("r") ? context.box.black : context.box.red),
    ],
    [say("dispute.remove"), icon("close"), remove, "remove"],
  ]);
}
