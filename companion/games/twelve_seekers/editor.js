// Twelve Seekers: gems counted up or laid in a line, gold, chips, seekers and their +2, color cards.

import { colorCard, gem, seekerCard, thing } from "/static/js/lib/art.js";
import { html, icon, say } from "/static/js/lib/dom.js";
import { actions, counter, fold, part, piece, stepper } from "/static/js/lib/widgets.js";

const RAINBOW = "rainbow";
let choosingRule = location.search.length < 2;
let filling = 0;

const ruleOf = (context) => context.box.rules.find(({ rule }) => rule === context.state.rule) ?? context.box.rules[0];
const gemsOf = (context) => [...context.box.colors, RAINBOW];
const most = (context, kind) =>
  kind === "gold" ? context.box.gold : kind === RAINBOW ? context.box.rainbow : context.box.of_a_color;
const name = (context, kind) => context.term(`color.${kind}`);

export default {
  start: () => ({ game: "twelve-seekers", rule: 1, players: [], goes_on: true }),

  newPlayer: (state, context) => {
    const { collects } = context.box.rules.find(({ rule }) => rule === state.rule) ?? context.box.rules[0];
    return { line: { line: [] }, gems: { gems: {} }, valid: { valid: {}, invalid: {} } }[collects];
  },

  table(context) {
    const { rule } = context.state; // on a live table it may not be known yet: then none is pressed, and it is asked for
    const known = rule !== undefined;
    const rules = context.box.rules.map(
      (one) => html`
      <button class="key rule-key ${one.rule === rule && "on"}" aria-pressed=${one.rule === rule}
          aria-label="${one.rule}: ${context.term(`sheet.${one.rule}`)}" data-key="rule-${one.rule}"
          onclick=${() => changeRule(context, one)}>
        ${one.rule}
      </button>`,
    );
    return html`
      <section class="card table-card">
        <details class="rule-choice" open=${choosingRule || !known}
            ontoggle=${(event) => (choosingRule = event.target.open)}>
          <summary data-key="rules">
            ${
              known
                ? [
                    html`
              <span class="rule-number">${context.say("rule", { n: rule })}</span>`,
                    html`
              <span class="rule-words">${context.term(`sheet.${rule}`)}</span>`,
                  ]
                : html`
              <span class="rule-number">${say("live.ask.rule")}</span>`
            }
          </summary>
          <div class="keys" role="group" aria-label=${context.say("rules")}>${rules}</div>
        </details>
      </section>`;
  },

  player(context) {
    const rule = ruleOf(context);
    return [
      rule.collects === "line"
        ? linePart(context)
        : rule.collects === "valid"
          ? ["valid", "invalid"].map((field) => part(context.say(field), counters(context, field)))
          : part(context.say("gems"), counters(context, "gems")),
      rule.cards > 0 && cardsPart(context, rule.cards),
      html`
        <div class="count-rows">
          ${stepper({ label: name(context, "gold"), value: context.player.gold ?? 0, most: context.box.gold - inFront(context, (row) => row.gold ?? 0), key: "gold", art: gem("gold"), place: `${context.place}/gold`, set: (n) => context.edit((row) => (row.gold = n)) })}
          ${stepper({ label: context.say("chips"), value: context.player.chips ?? 0, least: -99, most: 99, key: "chips", art: thing("chip"), place: `${context.place}/chips`, set: (n) => context.edit((row) => (row.chips = n)) })}
        </div>`,
      seekersPart(context),
      bonusesPart(context),
    ];
  },

  /** What no camera sees of a player: for the live table. */
  typed(context) {
    const { cards } = ruleOf(context);
    const chips = stepper({
      label: context.say("chips"),
      value: context.player.chips ?? 0,
      least: -99,
      most: 99,
      key: "chips",
      art: thing("chip"),
      set: (n) => context.edit((row) => (row.chips = n)),
    });
    return [
      html`<div class="count-rows">${chips}</div>`,
      cards > 0 && cardsPart(context, cards),
      bonusesPart(context),
      seekersPart(context),
    ];
  },

  drop(context, source, zone, index) {
    const [from, what] = source.split(":");
    context.edit((row) => {
      const line = row.line ?? [];
      if (from === "line") {
        const [moved] = line.splice(Number(what), 1);
        if (zone === "line") line.splice(index > Number(what) ? index - 1 : index, 0, moved);
      } else if (zone === "line") line.splice(index, 0, what);
      row.line = line;
    });
    context.choose(null);
  },

  key(context, event) {
    const at = lineIndex(context, event.target.closest?.("[data-place]")?.dataset.place);
    if (at === null) return;
    const line = context.player.line;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const focus = (to) => document.querySelector(`[data-key="${context.place}/line/${to}"]`)?.focus();
    if (event.key === "Delete" || event.key === "Backspace") {
      removeAt(context, at);
      focus(Math.min(at, line.length - 2));
    } else if (step && event.altKey) moveBy(context, at, step);
    else if (step && line[at + step] !== undefined) focus(at + step);
    else return;
    event.preventDefault();
  },

  picture(context) {
    const row = context.player;
    const counts = (field) => html`
      <div class="picture-row" data-field=${field}>
        ${field === "invalid" && html`<span class="small">${context.say("invalid")}</span>`}
        ${Object.entries(row[field] ?? {})
          .filter(([, n]) => n)
          .map(
            ([kind, n]) => html`
          <span class="picture-count" data-place="${context.place}/${field}/${kind}">
            ${gem(kind)}
            <span>×${n}</span>
          </span>`,
          )}
      </div>`;
    return html`
      <div class="picture">
        ${
          row.line &&
          html`
          <div class="picture-row">
            ${row.line.map((kind, i) => html`<span class="picture-tile" data-place="${context.place}/line/${i}">${gem(kind)}</span>`)}
          </div>`
        }
        ${["gems", "valid", "invalid"].filter((field) => row[field]).map(counts)}
        <div class="picture-row">
          ${(row.color_cards ?? []).map(
            (color, i) => html`
            <span class="picture-tile" data-place="${context.place}/color_cards/${i}">${colorCard(color)}</span>`,
          )}
          ${row.gold > 0 && html`<span class="picture-count" data-place="${context.place}/gold">${gem("gold")}<span>×${row.gold}</span></span>`}
          ${row.chips && html`<span class="picture-count" data-place="${context.place}/chips">${thing("chip")}<span>${row.chips}</span></span>`}
          ${
            (row.seekers ?? []).length > 0 &&
            html`
            <span class="picture-count" data-place="${context.place}/seekers">
              ${context.say("seekers-short")}
              <span>${row.seekers.map((card) => context.box.advanced[card] ?? card).join("+")}</span>
            </span>`
          }
        </div>
      </div>`;
  },

  setup: (context) =>
    `${context.say("rule", { n: context.state.rule })}: ${context.term(`sheet.${context.state.rule}`)}`,
};

/** What the other players have in front of them. */
function inFront(context, count) {
  return context.state.players.reduce((sum, row, i) => (i === context.at ? sum : sum + count(row)), 0);
}

function countOf(row, kind) {
  return (
    (row.gems?.[kind] ?? 0) +
    (row.valid?.[kind] ?? 0) +
    (row.invalid?.[kind] ?? 0) +
    (row.line ?? []).filter((one) => one === kind).length
  );
}

function left(context, kind) {
  return most(context, kind) - context.state.players.reduce((sum, row) => sum + countOf(row, kind), 0);
}

// Another rule: the gems stay, laid out as that rule wants them

function changeRule(context, rule) {
  context.change((state) => {
    state.rule = rule.rule;
    for (const row of state.players) relay(row, rule, context);
  });
}

function relay(row, rule, context) {
  const kinds = gemsOf(context);
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, Math.min(Math.max(countOf(row, kind), 0), most(context, kind))]).filter(([, n]) => n),
  );
  if (rule.collects === "line") {
    row.line ??= kinds.flatMap((kind) => Array(counts[kind] ?? 0).fill(kind));
  } else if (rule.collects === "gems") {
    row.gems = counts;
  } else if (!row.valid) {
    Object.assign(row, { valid: counts, invalid: {} });
  }
  for (const field of ["line", "gems", "valid", "invalid"])
    if (!{ line: ["line"], gems: ["gems"], valid: ["valid", "invalid"] }[rule.collects].includes(field))
      delete row[field];
  delete row.choices;
}

// Gems

function counters(context, field) {
  const counts = context.player[field] ?? {};
  return html`
    <div class="counters">
      ${gemsOf(context).map((kind) => counter({ label: name(context, kind), value: counts[kind] ?? 0, most: (counts[kind] ?? 0) + left(context, kind), key: `${field}-${kind}`, art: gem(kind), place: `${context.place}/${field}/${kind}`, set: (n) => context.edit((row) => (row[field] = { ...row[field], [kind]: n })) }))}
    </div>`;
}

function lineIndex(context, place) {
  const found = place?.match(/^\/players\/(\d+)\/line\/(\d+)$/);
  return found && Number(found[1]) === context.at ? Number(found[2]) : null;
}

function removeAt(context, at) {
  context.edit((row) => row.line.splice(at, 1));
  context.choose(null);
}

function moveBy(context, at, step) {
  const to = at + step;
  if (to < 0 || to >= context.player.line.length) return;
  context.edit((row) => row.line.splice(to, 0, ...row.line.splice(at, 1)));
  context.choose(`${context.place}/line/${to}`);
  document.querySelector(`[data-key="${context.place}/line/${to}"]`)?.focus();
}

function linePart(context) {
  const line = context.player.line ?? [];
  const at = lineIndex(context, context.chosen);
  const chosen = at !== null && at < line.length ? at : null;
  const add = (kind) => {
    const to = chosen === null ? line.length : chosen + 1;
    context.edit((row) => (row.line = [...line.slice(0, to), kind, ...line.slice(to)]));
    if (chosen !== null) context.choose(`${context.place}/line/${to}`);
  };
  const tile = (kind, i) =>
    piece(
      {
        label: context.say("gem-at", { color: name(context, kind), n: i + 1 }),
        place: `${context.place}/line/${i}`,
        chosen: i === chosen,
        drag: `line:${i}`,
        index: i,
        extra: "tile",
      },
      gem(kind),
    );
  return part(
    context.say("line"),
    html`
      <div class="line-zone ${line.length ? "" : "empty"}" data-zone="line" role="group"
          aria-label=${context.say("line")}>
        ${line.length ? line.map(tile) : html`<p class="quiet small">${context.say("line-empty")}</p>`}
      </div>`,
    chosen !== null &&
      actions(context.say("gem-at", { color: name(context, line[chosen]), n: chosen + 1 }), [
        [say("dispute.left"), "←", () => moveBy(context, chosen, -1), "left", chosen === 0],
        [say("dispute.right"), "→", () => moveBy(context, chosen, 1), "right", chosen === line.length - 1],
        [say("dispute.remove"), icon("close"), () => removeAt(context, chosen), "remove"],
      ]),
    html`
      <div class="palette" role="group" aria-label=${context.say("palette")}>
        ${gemsOf(context).map(
          (kind) => html`
          <button class="tile supply" data-key="supply-${kind}"
              data-drag=${left(context, kind) > 0 ? `supply:${kind}` : null} disabled=${left(context, kind) <= 0}
              aria-label=${context.say("add", { color: name(context, kind), n: left(context, kind) })}
              onclick=${() => add(kind)}>
            ${gem(kind)}
            <span class="left">${left(context, kind)}</span>
          </button>`,
        )}
      </div>`,
    html`<p class="small quiet">${context.say(chosen === null ? "line-how" : "line-insert")}</p>`,
  );
}

// Cards

function cardsPart(context, n) {
  const held = context.player.color_cards ?? [];
  const owner = (color) => context.state.players.find((row, i) => i !== context.at && row.color_cards?.includes(color));
  const set = (color) =>
    context.edit(
      (row) =>
        (row.color_cards = held.includes(color) ? held.filter((one) => one !== color) : [...held, color].slice(-n)),
    );
  // There is one card of each color: whoever holds it has to give it up first.
  const card = (color) => {
    const mine = held.includes(color);
    const taken = !mine && owner(color);
    const label = taken
      ? context.say("color-card-taken", { color: name(context, color), name: taken.name })
      : name(context, color);
    return html`
      <button class="fan-card ${mine && "held"} ${taken && "taken"}" aria-pressed=${mine} aria-label=${label}
          title=${label} disabled=${Boolean(taken)} data-key="color-card-${color}"
          data-place=${mine ? `${context.place}/color_cards/${held.indexOf(color)}` : null}
          onclick=${() => set(color)}>
        ${colorCard(color)}
        ${taken && html`<span class="taken-by">${taken.name}</span>`}
      </button>`;
  };
  return part(context.say("color-cards", { n }), html`<div class="fan">${context.box.colors.map(card)}</div>`);
}

const isPaying = (context, card) => context.box.paying.includes(card);
const seekerWords = (context, card) =>
  typeof card === "string"
    ? context.say("seeker-advanced", { n: context.box.advanced[card] ?? "?", words: context.term(`seeker.${card}`) })
    : context.say("seeker-basic", { n: card });

function seekersPart(context) {
  const cards = context.player.seekers ?? [];
  const place = (i) => `${context.place}/seekers/${i}`;
  const chosen = cards.findIndex((_, i) => place(i) === context.chosen);
  const add = (card) => context.edit((row) => (row.seekers = [...cards, card]));
  const art = (card) =>
    seekerCard(context.box.advanced[card] ?? card, typeof card === "string", isPaying(context, card));
  const power = cards.reduce((sum, card) => sum + (context.box.advanced[card] ?? card), 0);
  return fold(
    `${context.say("seekers")}${cards.length ? ` · ${context.say("power", { n: power })}` : ""}`,
    "seekers",
    false,
    html`<p class="small quiet">${context.say("seekers-about")}</p>`,
    cards.length > 0 &&
      html`
      <div class="fan held-fan">
        ${cards.map((card, i) => piece({ label: seekerWords(context, card), place: place(i), chosen: i === chosen, extra: "fan-card" }, art(card)))}
      </div>`,
    chosen >= 0 &&
      actions(seekerWords(context, cards[chosen]), [
        [
          say("dispute.remove"),
          icon("close"),
          () => {
            context.edit((row) => row.seekers.splice(chosen, 1));
            context.choose(null);
          },
          "remove",
        ],
      ]),
    html`<h4>${context.say("basic")}</h4>`,
    html`
      <div class="fan">
        ${Object.keys(context.box.basic).map(
          (n) => html`
          <button class="fan-card" data-key="seeker-${n}" aria-label=${seekerWords(context, Number(n))}
              onclick=${() => add(Number(n))}>
            ${art(Number(n))}
          </button>`,
        )}
      </div>`,
    html`<h4>${context.say("advanced")}</h4>`,
    html`
      <div class="seeker-list">
        ${Object.keys(context.box.advanced).map(
          (card) => html`
          <button class="seeker-row" data-key="seeker-${card}" onclick=${() => add(card)}>
            ${art(card)}
            <span>${context.term(`seeker.${card}`)}</span>
          </button>`,
        )}
      </div>`,
  );
}

// Turns whose seeker may pay 2

function bonusesPart(context) {
  const turns = context.player.bonuses ?? [];
  const set = (edit) =>
    context.edit((row) => {
      row.bonuses = structuredClone(turns);
      edit(row.bonuses);
    });
  const start = (seeker) => {
    filling = turns.length;
    set((list) => list.push({ seeker, gems: [], ...(seeker === "first-of-kind" ? { held: [] } : {}) }));
  };
  filling = Math.min(filling, turns.length - 1);
  return fold(
    `${context.say("bonuses")}${turns.length ? ` · ${turns.length}` : ""}`,
    "bonuses",
    false,
    html`<p class="small quiet">${context.say("bonuses-about")}</p>`,
    turns.map((turn, i) => bonusTurn(context, turn, i, set)),
    html`
      <div class="seeker-list">
        ${context.box.paying.map(
          (seeker) => html`
          <button class="seeker-row" data-key="bonus-${seeker}" onclick=${() => start(seeker)}>
            ${seekerCard(context.box.advanced[seeker], true, true)}
            <span>${context.term(`seeker.${seeker}`)}</span>
          </button>`,
        )}
      </div>`,
  );
}

function bonusTurn(context, turn, i, set) {
  const kinds = [...gemsOf(context), "gold"];
  const place = `${context.place}/bonuses/${i}`;
  const power = context.box.advanced[turn.seeker] ?? 0;
  const gems = turn.gems ?? [];
  const kindKey = (kind, label, on, act, key) => html`
    <button class="tile small-tile ${on && "on"}" aria-pressed=${on === null ? null : on ? "true" : "false"}
        aria-label=${label} data-key=${key} disabled=${on === null && gems.length >= power} onclick=${act}>
      ${gem(kind)}
    </button>`;
  return html`
    <section class="bonus-turn" aria-label=${context.term(`seeker.${turn.seeker}`)}>
      <div class="bonus-head" data-place="${place}/seeker">
        <strong>${context.term(`seeker.${turn.seeker}`)}</strong>
        <button class="button plain" data-key="bonus-remove-${i}" aria-label=${say("dispute.remove")}
            onclick=${() => set((list) => list.splice(i, 1))}>
          ${icon("close")}
        </button>
      </div>
      <div class="bonus-taken" data-place="${place}/gems">
        <span class="small">${context.say("taken", { n: gems.length, most: power })}</span>
        ${gems.map(
          (kind, g) => html`
          <button class="tile small-tile" aria-label=${context.say("put-back", { color: name(context, kind) })}
              data-key="bonus-${i}-taken-${g}" onclick=${() => set((list) => list[i].gems.splice(g, 1))}>
            ${gem(kind)}
          </button>`,
        )}
      </div>
      <div class="palette small-palette">
        ${kinds.map((kind) => kindKey(kind, context.say("take", { color: name(context, kind) }), null, () => set((list) => list[i].gems.push(kind)), `bonus-${i}-take-${kind}`))}
      </div>
      ${
        turn.held &&
        html`
        <div class="bonus-held" data-place="${place}/held">
          <span class="small">${context.say("held")}</span>
          <div class="palette small-palette">
            ${kinds.map((kind) => kindKey(kind, context.say("held-kind", { color: name(context, kind) }), turn.held.includes(kind), () => set((list) => (list[i].held = turn.held.includes(kind) ? turn.held.filter((one) => one !== kind) : [...turn.held, kind])), `bonus-${i}-held-${kind}`))}
          </div>
        </div>`
      }
    </section>`;
}
