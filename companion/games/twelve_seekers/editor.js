// Twelve Seekers: gems counted up or laid in a line, gold, chips, seekers and their +2, color cards.

import { colorCard, gem, seekerCard, thing } from "/static/js/lib/art.js";
import { button, html, say } from "/static/js/lib/dom.js";
import { playerRow, smallCount, smallRow, supply } from "/static/js/lib/laid_pieces.js";
import { counter, fold, keys, part, playerStepper } from "/static/js/lib/widgets.js";

const RAINBOW = "rainbow";
let choosingRule = location.search.length < 2;
/** The fields of a player in which gems lie, by what a rule collects. */
const FIELDS = { line: ["line"], gems: ["gems"], valid: ["valid", "invalid"] };

const ruleOf = (context, n = context.state.rule) =>
  context.box.rules.find(({ rule }) => rule === n) ?? context.box.rules[0];
const gemsOf = (context) => [...context.box.colors, RAINBOW];
const most = (context, kind) =>
  kind === "gold" ? context.box.gold : kind === RAINBOW ? context.box.rainbow : context.box.of_a_color;
const name = (context, kind) => context.term(`color.${kind}`);

/** The color cards that a player has not opened yet; those that lie face down are `?`. */
const open = ({ color_cards: cards = [] }) => cards.filter((card) => card !== "?");

export default {
  start: () => ({ game: "twelve-seekers", rule: 1, players: [], goes_on: true }),

  newPlayer: (state, context) => {
    const { collects } = ruleOf(context, state.rule ?? null);
    return Object.fromEntries(FIELDS[collects].map((field) => [field, field === "line" ? [] : {}]));
  },

  /**
   * What is secret until the end and is asked for then, player by player: `key` of the player's row, `value` of it after one
   * tap more, in `choices`.
   */
  secrets(state, { box, term }) {
    const dealt = box.rules.find(({ rule }) => rule === state.rule)?.cards ?? 0;
    const taken = state.players.flatMap(open);
    return state.players.flatMap((row, player) => {
      const held = open(row);
      if (held.length >= dealt) return [];
      const left = box.colors.filter((color) => !taken.includes(color));
      const choices = left.map((color) => ({
        value: [...held, color],
        label: term(`color.${color}`),
        art: colorCard(color),
      }));
      const words = say("dispute.twelve-seekers.secret", { name: row.name, n: dealt - held.length });
      return [{ player, key: "color_cards", words, choices }];
    });
  },

  table(context) {
    const { rule } = context.state; // on a live table it may not be known yet: then none is pressed, and it is asked for
    const known = () => [
      html`<span class="rule-number">${context.say("rule", { n: rule })}</span>`,
      html`<span class="rule-words">${context.term(`sheet.${rule}`)}</span>`,
    ];
    const option = ({ rule: n }) => [n, n, `${n}: ${context.term(`sheet.${n}`)}`, "rule-key"];
    return html`
      <section class="card table-card">
        <details class="rule-choice" open=${choosingRule || rule === undefined}
            ontoggle=${(event) => (choosingRule = event.target.open)}>
          <summary data-key="rules">
            ${rule === undefined ? html`<span class="rule-number">${say("live.ask.rule")}</span>` : known()}
          </summary>
          ${keys(context.say("rules"), context.box.rules.map(option), rule, (n) => changeRule(context, n), "rule")}
        </details>
      </section>`;
  },

  player(context) {
    const { collects, cards } = ruleOf(context);
    const gold = context.box.gold - inFront(context, (row) => row.gold ?? 0);
    return [
      collects === "line"
        ? linePart(context)
        : [...(neither(context) ? ["neither"] : []), ...FIELDS[collects]].map((field) =>
            part(context.say(field), counters(context, field === "neither" ? "gems" : field)),
          ),
      cards > 0 && cardsPart(context, cards),
      html`
        <div class="count-rows">
          ${playerStepper(context, "gold", { label: name(context, "gold"), most: gold, art: gem("gold") })}
          ${chips(context)}
        </div>`,
      seekersPart(context),
      bonusesPart(context),
    ];
  },

  /** What no camera sees of a player: for the live table. */
  typed(context) {
    const { cards } = ruleOf(context);
    return [
      html`<div class="count-rows">${chips(context)}</div>`,
      cards > 0 && cardsPart(context, cards),
      bonusesPart(context),
      seekersPart(context),
    ];
  },

  /** What players got has left the middle of the table, as far as that is known; what they gave up lies there again. */
  settle(before, state, context) {
    const of = ({ players }, count) => players.reduce((sum, row) => sum + count(row), 0);
    const move = (list = [], one, count) => {
      const gained = of(state, count) - of(before, count);
      for (let i = 0; i < gained && list.includes(one); i++) list.splice(list.indexOf(one), 1);
      for (let i = 0; i > gained; i--) list.push(one);
    };
    for (const kind of gemsOf(context)) move(state.dungeon, kind, (row) => countOf(row, kind));
    move(state.dungeon, "gold", ({ gold = 0 }) => gold);
    for (const card of [...Object.keys(context.box.basic).map(Number), ...Object.keys(context.box.advanced)])
      move(state.seekers_left, card, ({ seekers = [] }) => seekers.filter((one) => one === card).length);
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
      context.edit((row) => row.line.splice(at, 1));
      context.choose(null);
      focus(Math.min(at, line.length - 2));
    } else if (step && event.altKey) moveBy(context, at, step);
    else if (step && line[at + step] !== undefined) focus(at + step);
    else return;
    event.preventDefault();
  },

  picture(context) {
    const { place, player: row } = context;
    const { color_cards: cards = [], gold = 0, chips: n = 0, seekers = [] } = row;
    const tiles = (field, list, art) =>
      list.map((kind, i) => html`<span class="picture-tile" data-place="${place}/${field}/${i}">${art(kind)}</span>`);
    const counts = (field) =>
      smallRow(
        field === "invalid" && html`<span class="small">${context.say("invalid")}</span>`,
        Object.entries(row[field]).map(
          ([kind, n]) => n > 0 && smallCount(gem(kind), `×${n}`, `${place}/${field}/${kind}`),
        ),
      );
    const power = () => seekers.map((card) => context.box.advanced[card] ?? card).join("+");
    return [
      row.line && smallRow(tiles("line", row.line, gem)),
      ["gems", "valid", "invalid"].filter((field) => row[field]).map(counts),
      smallRow(
        tiles("color_cards", cards, colorCard),
        gold > 0 && smallCount(gem("gold"), `×${gold}`, `${place}/gold`),
        n !== 0 && smallCount(thing("chip"), n, `${place}/chips`),
        seekers.length > 0 && smallCount(context.say("seekers-short"), power(), `${place}/seekers`),
      ),
    ];
  },

  setup: (context) =>
    `${context.say("rule", { n: context.state.rule })}: ${context.term(`sheet.${context.state.rule}`)}`,
};

const chips = (context) => playerStepper(context, "chips", { least: -99, most: 99, art: thing("chip") });

/** What the other players have in front of them. */
function inFront(context, count) {
  return context.state.players.reduce((sum, row, i) => (i === context.at ? sum : sum + count(row)), 0);
}

const countOf = ({ line = [], gems, valid, invalid }, kind) =>
  [gems, valid, invalid].reduce(
    (sum, counts) => sum + (counts?.[kind] ?? 0),
    line.filter((one) => one === kind).length,
  );

function left(context, kind) {
  return most(context, kind) - context.state.players.reduce((sum, row) => sum + countOf(row, kind), 0);
}

// Another rule: the gems stay, laid out as that rule wants them

function changeRule(context, rule) {
  context.change((state) => {
    state.rule = rule;
    for (const row of state.players) relay(row, ruleOf(context, rule).collects, context);
  });
}

function relay(row, collects, context) {
  const kinds = gemsOf(context);
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, Math.min(Math.max(countOf(row, kind), 0), most(context, kind))]).filter(([, n]) => n),
  );
  if (collects === "line") row.line ??= kinds.flatMap((kind) => Array(counts[kind] ?? 0).fill(kind));
  else if (collects === "gems") row.gems = counts;
  else if (!row.valid) Object.assign(row, { gems: counts, valid: {}, invalid: {} });
  const kept = row.valid && collects === "valid" ? ["gems", ...FIELDS.valid] : FIELDS[collects];
  for (const field of Object.values(FIELDS).flat()) if (!kept.includes(field)) delete row[field];
  delete row.choices;
}

// Gems

/** Whether gems lie in neither place, where the rule knows a valid and an invalid one: another rule was looked at before. */
const neither = ({ player }) => Boolean(player.valid) && Object.values(player.gems ?? {}).some((n) => n > 0);

/** So many gems of a kind in a place; what comes there from neither place lies there no more. */
function place(row, field, kind, n) {
  const lies = row.gems?.[kind] ?? 0;
  if (field !== "gems" && lies) row.gems[kind] = Math.max(0, lies - Math.max(0, n - (row[field]?.[kind] ?? 0)));
  row[field] = { ...row[field], [kind]: n };
}

function counters(context, field) {
  const counts = context.player[field] ?? {};
  const waiting = field === "gems" ? {} : (context.player.gems ?? {});
  const one = (kind) =>
    counter({
      label: name(context, kind),
      value: counts[kind] ?? 0,
      most: (counts[kind] ?? 0) + (waiting[kind] ?? 0) + left(context, kind),
      key: `${field}-${kind}`,
      art: gem(kind),
      place: `${context.place}/${field}/${kind}`,
      set: (n) => context.edit((row) => place(row, field, kind, n)),
    });
  return html`<div class="counters">${gemsOf(context).map(one)}</div>`;
}

function lineIndex(context, place) {
  const found = place?.match(/^\/players\/(\d+)\/line\/(\d+)$/);
  return found && Number(found[1]) === context.at ? Number(found[2]) : null;
}

function moveBy(context, at, step) {
  const to = at + step;
  if (to < 0 || to >= context.player.line.length) return;
  context.edit((row) => row.line.splice(to, 0, ...row.line.splice(at, 1)));
  context.choose(`${context.place}/line/${to}`);
  document.querySelector(`[data-key="${context.place}/line/${to}"]`)?.focus();
}

function linePart(context) {
  const { line = [] } = context.player;
  const { laid, chosen, bar } = playerRow(context, "line", {
    words: (kind, i) => context.say("gem-at", { color: name(context, kind), n: i + 1 }),
    art: gem,
    extra: "tile",
    drag: "line",
    more: (_, __, i) => [
      [say("dispute.left"), "←", () => moveBy(context, i, -1), "left", i === 0],
      [say("dispute.right"), "→", () => moveBy(context, i, 1), "right", i === line.length - 1],
    ],
  });
  const add = (kind) => {
    const to = chosen < 0 ? line.length : chosen + 1;
    context.edit((row) => (row.line ??= []).splice(to, 0, kind));
    if (chosen >= 0) context.choose(`${context.place}/line/${to}`);
  };
  const taken = (kind) => {
    const n = left(context, kind);
    const label = context.say("add", { color: name(context, kind), n });
    const how = { kind: "tile", drag: `supply:${kind}`, key: `supply-${kind}`, left: Math.max(0, n) };
    return supply({ label, art: gem(kind), take: () => add(kind), ...how });
  };
  return part(
    context.say("line"),
    html`
      <div class="line-zone ${line.length ? "" : "empty"}" data-zone="line" role="group"
          aria-label=${context.say("line")}>
        ${line.length ? laid : html`<p class="quiet small">${context.say("line-empty")}</p>`}
      </div>`,
    bar,
    html`<div class="palette" role="group" aria-label=${context.say("palette")}>${gemsOf(context).map(taken)}</div>`,
    html`<p class="small quiet">${context.say(chosen < 0 ? "line-how" : "line-insert")}</p>`,
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

const seekerWords = (context, card) =>
  typeof card === "string"
    ? context.say("seeker-advanced", { n: context.box.advanced[card] ?? "?", words: context.term(`seeker.${card}`) })
    : context.say("seeker-basic", { n: card });

function seekersPart(context) {
  const { seekers: cards = [] } = context.player;
  const words = (card) => seekerWords(context, card);
  const power = (card) => context.box.advanced[card] ?? card;
  const art = (card) => seekerCard(power(card), typeof card === "string", context.box.paying.includes(card));
  const { laid, bar } = playerRow(context, "seekers", { words, art, extra: "fan-card" });
  const add = (card) => context.edit((row) => (row.seekers ??= []).push(card));
  const basic = (n) => supply({ label: words(n), art: art(n), take: () => add(n), key: `seeker-${n}` });
  const sum = cards.reduce((all, card) => all + power(card), 0);
  return fold(
    `${context.say("seekers")}${cards.length ? ` · ${context.say("power", { n: sum })}` : ""}`,
    "seekers",
    false,
    html`<p class="small quiet">${context.say("seekers-about")}</p>`,
    cards.length > 0 && html`<div class="fan held-fan">${laid}</div>`,
    bar,
    html`<h4>${context.say("basic")}</h4>`,
    html`<div class="fan">${Object.keys(context.box.basic).map(Number).map(basic)}</div>`,
    html`<h4>${context.say("advanced")}</h4>`,
    seekerList(context, Object.keys(context.box.advanced), art, add, "seeker"),
  );
}

/** Advanced seekers, each with what it does. */
function seekerList(context, cards, art, choose, key, words = (card) => seekerWords(context, card)) {
  const row = (card) => html`
    <button class="seeker-row" data-key="${key}-${card}" aria-label=${words(card)} onclick=${() => choose(card)}>
      ${art(card)}
      <span>${context.term(`seeker.${card}`)}</span>
    </button>`;
  return html`<div class="seeker-list">${cards.map(row)}</div>`;
}

// Turns whose seeker may pay 2

function bonusesPart(context) {
  const turns = context.player.bonuses ?? [];
  const set = (edit) => context.edit((row) => edit((row.bonuses ??= [])));
  const start = (seeker) =>
    set((list) => list.push({ seeker, gems: [], ...(seeker === "first-of-kind" ? { held: [] } : {}) }));
  const art = (seeker) => seekerCard(context.box.advanced[seeker], true, true);
  const words = (seeker) => `${context.say("bonuses")}: ${seekerWords(context, seeker)}`;
  return fold(
    `${context.say("bonuses")}${turns.length ? ` · ${turns.length}` : ""}`,
    "bonuses",
    false,
    html`<p class="small quiet">${context.say("bonuses-about")}</p>`,
    turns.map((turn, i) => bonusTurn(context, turn, i, set)),
    seekerList(context, context.box.paying, art, start, "bonus", words),
  );
}

function bonusTurn(context, turn, i, set) {
  const place = `${context.place}/bonuses/${i}`;
  const power = context.box.advanced[turn.seeker] ?? 0;
  const { gems = [], held } = turn;
  const tile = (kind, words, key, act, { on = null, disabled = false } = {}) => html`
    <button class="tile small-tile ${on && "on"}" aria-pressed=${on} data-key="bonus-${i}-${key}" disabled=${disabled}
        aria-label=${context.say(words, { color: name(context, kind) })} onclick=${() => set((list) => act(list[i]))}>
      ${gem(kind)}
    </button>`;
  const palette = (key) => html`<div class="palette small-palette">${[...gemsOf(context), "gold"].map(key)}</div>`;
  const back = (kind, g) => tile(kind, "put-back", `taken-${g}`, (own) => own.gems.splice(g, 1));
  const take = (kind) =>
    tile(kind, "take", `take-${kind}`, (own) => own.gems.push(kind), { disabled: gems.length >= power });
  const hold = (kind) => {
    const on = held.includes(kind);
    const flip = (own) => (own.held = on ? held.filter((one) => one !== kind) : [...held, kind]);
    return tile(kind, "held-kind", `held-${kind}`, flip, { on });
  };
  const kinds = () => html`
    <div class="bonus-held" data-place="${place}/held"><span class="small">${context.say("held")}</span>${palette(hold)}</div>`;
  const away = { kind: "plain", sign: "close", label: say("dispute.remove") };
  return html`
    <section class="bonus-turn" aria-label=${context.term(`seeker.${turn.seeker}`)}>
      <div class="bonus-head" data-place="${place}/seeker">
        <strong>${context.term(`seeker.${turn.seeker}`)}</strong>
        ${button(`bonus-remove-${i}`, null, () => set((list) => list.splice(i, 1)), away)}
      </div>
      <div class="bonus-taken" data-place="${place}/gems">
        <span class="small">${context.say("taken", { n: gems.length, most: power })}</span>
        ${gems.map(back)}
      </div>
      ${palette(take)}
      ${held && kinds()}
    </section>`;
}
