// Igna: treasure cards in sets of three, and the values that stand on the help card.
import { newId, post } from "/static/js/lib/api.js";
import { roman, treasureCard } from "/static/js/lib/art.js";
import { button, html } from "/static/js/lib/dom.js";
import { isWhole, layInSet, setsOfThree, smallRow, smallSet, supply, THREE } from "/static/js/lib/laid_pieces.js";
import { numberField } from "/static/js/lib/number_field.js";
import { Unsent } from "/static/js/lib/unsent.js";
import { fold, keys, part, toggle } from "/static/js/lib/widgets.js";

const MOST = 99;
const SHORT = /^(\p{L}+)([1-9]\d{0,8})(\*?)$/u;
const view = { number: 1, bonus: false };
const save = ({ once, ...points }) => post("/api/dispute/igna/saved", points, "POST", true);
const unsaved = new Unsent("igna values", save, () => unsaved.flush().catch(() => {}));

/** A card out of the state, written in short or as an object. */
function open(card) {
  if (typeof card !== "string") return { color: "?", number: "?", bonus: false, ...card };
  const [, color = "?", number = "?", star = ""] = SHORT.exec(card) ?? [];
  return { color, number: Number(number) || "?", bonus: star === "*" };
}

const short = ({ color, number, bonus }) => `${color}${number}${bonus ? "*" : ""}`;

function art(card) {
  const { color, number, bonus } = open(card);
  return treasureCard(color, number, bonus);
}

function words(context, card) {
  const { color, number, bonus } = open(card);
  return context.say(bonus ? "card-bonus" : "card", { color: context.term(`color.${color}`), n: number });
}

export default {
  /** What was typed before another page was opened counts here, though the companion may not have it yet. */
  async begin(context) {
    await unsaved.found;
    const { once, ...points } = unsaved.waiting.at(-1)?.change ?? {};
    if (once) context.kept.points = points;
  },

  start: (context) => ({
    game: "igna",
    ...(context.kept.points ? { points: { ...context.kept.points } } : {}),
    players: [],
  }),

  newPlayer: () => ({ sets: [] }),

  table: helpCard,

  player(context) {
    const { sets = [] } = context.player;
    const flip = (card, change, n) => {
      const { bonus, ...rest } = open(card);
      const act = () => change((cards) => (cards[n] = short({ ...rest, bonus: !bonus })));
      return [[context.say("bonus"), bonus ? "★ −" : "★ +", act, "bonus"]];
    };
    const missing = (set) =>
      !isWhole(set) && html`<span class="small quiet">${context.say("missing", { n: THREE - set.length })}</span>`;
    const how = { words: (card) => words(context, card), art, more: flip, note: missing };
    const { laid, bar } = setsOfThree(context, "sets", how);
    return [
      part(
        context.say("sets", { n: sets.filter(isWhole).length, most: context.box.sets_to_end }),
        html`<div class="tray-cards">${laid}</div>`,
        !sets.length && html`<p class="small quiet">${context.say("sets-how")}</p>`,
        bar,
      ),
      picker(context),
    ];
  },

  picture(context) {
    const { sets = [] } = context.player;
    return smallRow(sets.map((cards, i) => smallSet(cards, `${context.place}/sets/${i}`, art)));
  },

  setup(context) {
    const { points } = context.state;
    return (
      points &&
      [...context.box.kinds, "bonus"]
        .filter((kind) => points[kind] !== undefined)
        .map((kind) => `${context.say(`kind.${kind}`)} ${points[kind]}`)
        .join(" · ")
    );
  },
};

function helpCard(context) {
  const points = context.state.points ?? {};
  const kinds = [...context.box.kinds, "bonus"];
  const complete = kinds.every((kind) => points[kind] !== undefined);
  const set = (kind, value) => {
    const values = { ...points, [kind]: value };
    if (value === undefined) delete values[kind];
    context.kept.points = values; // first: what is drawn by the change looks at what is kept
    unsaved.say({ ...values, once: newId() }).catch((error) => context.complain(error.message));
    context.change((state) => (state.points = values), { stroke: `value-${kind}` });
  };
  const kept = context.kept.points;
  const differs = kept && kinds.some((kind) => kept[kind] !== points[kind]);
  const field = (kind) =>
    numberField({
      label: context.say(`kind.${kind}`),
      value: points[kind],
      most: MOST,
      key: `value-${kind}`,
      kind: "value-field",
      placeholder: "?",
      set: (value) => set(kind, value),
    });
  const useKept = () => context.change((state) => (state.points = { ...kept }));
  return html`
    <section class="card table-card">
      ${fold(
        `${context.say("help-card")}${complete ? ` · ${kinds.map((kind) => points[kind]).join(" / ")}` : ""}`,
        "help-card",
        !complete,
        html`<p class="small">${context.say("help-card-how")}</p>`,
        html`<div class="values">${kinds.map(field)}</div>`,
      )}
      ${differs && button("use-kept", context.say("use-kept"), useKept)}
    </section>`;
}

function picker(context) {
  const known = context.state.players.flatMap(({ sets = [] }) => sets.flat().map(open));
  const colors = new Set([...context.box.colors, ...known.map(({ color }) => color)]);
  colors.delete("?");
  const numbers = known.map(({ number }) => Number(number) || 0).filter((n) => n < 40);
  const upTo = Math.max(context.box.numbers, ...numbers);
  const options = Array.from({ length: upTo }, (_, i) => [i + 1, roman(i + 1), `${i + 1}`]);
  const add = (card) => {
    context.edit((row) => layInSet((row.sets ??= []), card));
    context.show(view, { bonus: false });
  };
  const key = (color) => {
    const card = () => short({ ...view, color });
    const label = context.say("add", { card: words(context, card()) });
    return supply({ label, art: art(card()), take: () => add(card()), key: `add-${color}` });
  };
  return html`
    <div class="picker">
      ${keys(context.say("number"), options, view.number, (number) => context.show(view, { number }), "number")}
      ${toggle(context.say("bonus"), view.bonus, (bonus) => context.show(view, { bonus }), "card-bonus")}
      <div class="fan">${[...colors].map(key)}</div>
    </div>`;
}
