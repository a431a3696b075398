// Igna: treasure cards in sets of three, and the values that stand on the help card.
import { latest } from "/static/js/lib/api.js";
import { roman, treasureCard } from "/static/js/lib/art.js";
import { html, icon, say } from "/static/js/lib/dom.js";
import { actions, fold, numberField, part, piece, toggle } from "/static/js/lib/widgets.js";

const THREE = 3;
const MOST = 99;
const SHORT = /^(\p{L}+)([1-9]\d{0,8})(\*?)$/u;
const view = { number: 1, bonus: false };
const save = latest("/api/dispute/igna/saved");

const name = (context, color) => context.term(`color.${color}`);

/** A card out of the state, written in short or as an object. */
function open(card) {
  if (typeof card !== "string") return { color: "?", number: "?", bonus: false, ...card };
  const [, color = "?", number = "?", star = ""] = SHORT.exec(card) ?? [];
  return { color, number: Number(number) || "?", bonus: star === "*" };
}

const short = ({ color, number, bonus }) => `${color}${number}${bonus ? "*" : ""}`;
const art = (card) => treasureCard(card.color, card.number, card.bonus);
const words = (context, card) =>
  context.say(card.bonus ? "card-bonus" : "card", { color: name(context, card.color), n: card.number });

export default {
  start: (context) => ({
    game: "igna",
    ...(context.kept.points ? { points: { ...context.kept.points } } : {}),
    players: [],
  }),

  newPlayer: () => ({ sets: [] }),

  table: helpCard,

  player(context) {
    const sets = context.player.sets ?? [];
    const place = (i, n) => `${context.place}/sets/${i}/${n}`;
    const all = sets.flatMap((cards, i) => cards.map((card, n) => [i, n, open(card)]));
    const chosen = all.find(([i, n]) => place(i, n) === context.chosen);
    return [
      part(
        context.say("sets", {
          n: sets.filter((cards) => cards.length === THREE).length,
          most: context.box.sets_to_end,
        }),
        html`
          <div class="tray-cards">
            ${sets.map(
              (cards, i) => html`
              <div class="laid-set ${cards.length === THREE ? "" : "begun"}">
                ${cards.map((card, n) => piece({ label: words(context, open(card)), place: place(i, n), chosen: context.chosen === place(i, n), extra: "laid" }, art(open(card))))}
                ${cards.length < THREE && html`<span class="small quiet">${context.say("missing", { n: THREE - cards.length })}</span>`}
              </div>`,
            )}
          </div>`,
        !sets.length && html`<p class="small quiet">${context.say("sets-how")}</p>`,
        chosen && handling(context, chosen),
      ),
      picker(context),
    ];
  },

  picture(context) {
    return html`
      <div class="picture">
        <div class="picture-row">
          ${(context.player.sets ?? []).map(
            (cards, i) => html`
            <span class="picture-set">
              ${cards.map((card, n) => html`<span class="picture-card" data-place="${context.place}/sets/${i}/${n}">${art(open(card))}</span>`)}
            </span>`,
          )}
        </div>
      </div>`;
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

// The help card

function helpCard(context) {
  const points = context.state.points ?? {};
  const kinds = [...context.box.kinds, "bonus"];
  const complete = kinds.every((kind) => points[kind] !== undefined);
  const keep = (values) => {
    context.kept.points = values;
    save(values).catch((error) => context.complain(error.message));
  };
  const set = (kind, value) => {
    const values = { ...points };
    if (value === undefined) delete values[kind];
    else values[kind] = value;
    keep(values); // first: what is drawn by the change looks at what is kept
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
  return html`
    <section class="card table-card">
      ${fold(
        `${context.say("help-card")}${complete ? ` · ${kinds.map((kind) => points[kind]).join(" / ")}` : ""}`,
        "help-card",
        !complete,
        html`<p class="small">${context.say("help-card-how")}</p>`,
        html`<div class="values">${kinds.map(field)}</div>`,
      )}
      ${
        differs &&
        html`
        <button class="button" data-key="use-kept"
            onclick=${() => context.change((state) => (state.points = { ...kept }))}>
          ${context.say("use-kept")}
        </button>`
      }
    </section>`;
}

// Cards

function add(context, color) {
  const card = short({ color, number: view.number, bonus: view.bonus });
  context.edit((row) => {
    row.sets ??= [];
    const begun = row.sets.find((cards) => cards.length < THREE);
    if (begun) begun.push(card);
    else row.sets.push([card]);
  });
  view.bonus = false;
  context.redraw();
}

function picker(context) {
  const known = context.state.players.flatMap((row) => (row.sets ?? []).flat().map((card) => open(card)));
  const colors = [...new Set([...context.box.colors, ...known.map(({ color }) => color)])].filter(
    (color) => color !== "?",
  );
  const numbers = Math.max(
    context.box.numbers,
    ...known.map(({ number }) => Number(number) || 0).filter((n) => n < 40),
  );
  return html`
    <div class="picker">
      <div class="keys" role="group" aria-label=${context.say("number")}>
        ${Array.from({ length: numbers }, (_, i) => i + 1).map(
          (n) => html`
          <button class="key ${view.number === n && "on"}" aria-pressed=${view.number === n} aria-label="${n}"
              data-key="number-${n}" onclick=${() => {
                view.number = n;
                context.redraw();
              }}>
            ${roman(n)}
          </button>`,
        )}
      </div>
      ${toggle(
        context.say("bonus"),
        view.bonus,
        (on) => {
          view.bonus = on;
          context.redraw();
        },
        "card-bonus",
      )}
      <div class="fan">
        ${colors.map(
          (color) => html`
          <button class="fan-card supply" data-key="add-${color}"
              aria-label=${context.say("add", { card: words(context, { color, number: view.number, bonus: view.bonus }) })}
              onclick=${() => add(context, color)}>
            ${art({ color, number: view.number, bonus: view.bonus })}
          </button>`,
        )}
      </div>
    </div>`;
}

function handling(context, [i, n, card]) {
  const swap = (other) => context.edit((row) => (row.sets[i][n] = short(other)));
  const remove = () => {
    context.edit((row) => {
      row.sets[i].splice(n, 1);
      row.sets = row.sets.filter((cards) => cards.length);
    });
    context.choose(null);
  };
  return actions(words(context, card), [
    [context.say("bonus"), card.bonus ? "★ −" : "★ +", () => swap({ ...card, bonus: !card.bonus }), "bonus"],
    [say("dispute.remove"), icon("close"), remove, "remove"],
  ]);
}
