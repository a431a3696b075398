// Igna: treasure cards in sets of three, and the values that stand on the help card.
import { post } from "/static/js/lib/api.js";
import { h, icon, say } from "/static/js/lib/dom.js";
import { roman, treasureCard } from "/static/js/dispute/art.js";
import { actions, fold, numberField, part, piece, toggle } from "/static/js/dispute/widgets.js";

const THREE = 3;
const MOST = 99;
const SHORT = /^(\p{L}+)([1-9]\d{0,8})(\*?)$/u;
const view = { number: 1, bonus: false };

const name = (desk, color) => desk.term(`color.${color}`);

/** A card out of the state, written in short or as an object. */
function open(card) {
  if (typeof card !== "string") return { color: "?", number: "?", bonus: false, ...card };
  const [, color = "?", number = "?", star = ""] = SHORT.exec(card) ?? [];
  return { color, number: Number(number) || "?", bonus: star === "*" };
}

const short = ({ color, number, bonus }) => `${color}${number}${bonus ? "*" : ""}`;
const art = (card) => treasureCard(card.color, card.number, card.bonus);
const words = (desk, card) => desk.say(card.bonus ? "card-bonus" : "card", { color: name(desk, card.color), n: card.number });

export default {
  start: (desk) => ({ game: "igna", ...(desk.kept.points ? { points: { ...desk.kept.points } } : {}), players: [] }),

  newPlayer: () => ({ sets: [] }),

  table: helpCard,

  player(desk) {
    const sets = desk.player.sets ?? [];
    const place = (i, n) => `${desk.place}/sets/${i}/${n}`;
    const all = sets.flatMap((cards, i) => cards.map((card, n) => [i, n, open(card)]));
    const chosen = all.find(([i, n]) => place(i, n) === desk.chosen);
    return [
      part(
        desk.say("sets", { n: sets.filter((cards) => cards.length === THREE).length, most: desk.box.sets_to_end }),
        h("div", { class: "tray-cards" }, sets.map((cards, i) => h("div", { class: `laid-set ${cards.length === THREE ? "" : "begun"}` }, cards.map((card, n) => piece({ label: words(desk, open(card)), place: place(i, n), chosen: desk.chosen === place(i, n), extra: "laid" }, art(open(card)))), cards.length < THREE && h("span", { class: "small quiet" }, desk.say("missing", { n: THREE - cards.length }))))),
        !sets.length && h("p", { class: "small quiet" }, desk.say("sets-how")),
        chosen && handling(desk, chosen),
      ),
      picker(desk),
    ];
  },

  picture(desk) {
    return h("div", { class: "picture" }, h("div", { class: "picture-row" }, (desk.player.sets ?? []).map((cards, i) => h("span", { class: "picture-set" }, cards.map((card, n) => h("span", { class: "picture-card", "data-place": `${desk.place}/sets/${i}/${n}` }, art(open(card))))))));
  },

  setup(desk) {
    const { points } = desk.state;
    return points && [...desk.box.kinds, "bonus"].filter((kind) => points[kind] !== undefined).map((kind) => `${desk.say(`kind.${kind}`)} ${points[kind]}`).join(" · ");
  },
};

// The help card

function helpCard(desk) {
  const points = desk.state.points ?? {};
  const kinds = [...desk.box.kinds, "bonus"];
  const complete = kinds.every((kind) => points[kind] !== undefined);
  const keep = async (values) => {
    desk.kept.points = values;
    await post("/api/dispute/igna/saved", values).catch((error) => desk.complain(error.message));
  };
  const set = (kind, value) => {
    const values = { ...points };
    if (value === undefined) delete values[kind];
    else values[kind] = value;
    keep(values); // first: what is drawn by the change looks at what is kept
    desk.change((state) => (state.points = values), { stroke: `value-${kind}` });
  };
  const kept = desk.kept.points;
  const differs = kept && kinds.some((kind) => kept[kind] !== points[kind]);
  const field = (kind) => numberField({ label: desk.say(`kind.${kind}`), value: points[kind], most: MOST, key: `value-${kind}`, kind: "value-field", placeholder: "?", set: (value) => set(kind, value) });
  return h(
    "section",
    { class: "card table-card" },
    fold(
      `${desk.say("help-card")}${complete ? ` · ${kinds.map((kind) => points[kind]).join(" / ")}` : ""}`,
      "help-card",
      !complete,
      h("p", { class: "small" }, desk.say("help-card-how")),
      h("div", { class: "values" }, kinds.map(field)),
    ),
    differs && h("button", { type: "button", class: "button", "data-key": "use-kept", onclick: () => desk.change((state) => (state.points = { ...kept })) }, desk.say("use-kept")),
  );
}

// Cards

function add(desk, color) {
  const card = short({ color, number: view.number, bonus: view.bonus });
  desk.edit((row) => {
    row.sets ??= [];
    const begun = row.sets.find((cards) => cards.length < THREE);
    if (begun) begun.push(card);
    else row.sets.push([card]);
  });
  view.bonus = false;
  desk.redraw();
}

function picker(desk) {
  const known = desk.state.players.flatMap((row) => (row.sets ?? []).flat().map((card) => open(card)));
  const colors = [...new Set([...desk.box.colors, ...known.map(({ color }) => color)])].filter((color) => color !== "?");
  const numbers = Math.max(desk.box.numbers, ...known.map(({ number }) => Number(number) || 0).filter((n) => n < 40));
  return h(
    "div",
    { class: "picker" },
    h("div", { class: "keys", role: "group", "aria-label": desk.say("number") }, Array.from({ length: numbers }, (_, i) => i + 1).map((n) => h("button", { type: "button", class: `key ${view.number === n ? "on" : ""}`, "aria-pressed": view.number === n ? "true" : "false", "aria-label": `${n}`, "data-key": `number-${n}`, onclick: () => { view.number = n; desk.redraw(); } }, roman(n)))),
    toggle(desk.say("bonus"), view.bonus, (on) => { view.bonus = on; desk.redraw(); }, "card-bonus"),
    h("div", { class: "fan" }, colors.map((color) => h("button", { type: "button", class: "fan-card supply", "data-key": `add-${color}`, "aria-label": desk.say("add", { card: words(desk, { color, number: view.number, bonus: view.bonus }) }), onclick: () => add(desk, color) }, art({ color, number: view.number, bonus: view.bonus })))),
  );
}

function handling(desk, [i, n, card]) {
  const swap = (other) => desk.edit((row) => (row.sets[i][n] = short(other)));
  const remove = () => {
    desk.edit((row) => {
      row.sets[i].splice(n, 1);
      row.sets = row.sets.filter((cards) => cards.length);
    });
    desk.choose(null);
  };
  return actions(words(desk, card), [
    [desk.say("bonus"), card.bonus ? "★ −" : "★ +", () => swap({ ...card, bonus: !card.bonus }), "bonus"],
    [say("dispute.remove"), icon("close"), remove, "remove"],
  ]);
}
