// Twelve Seekers: gems counted up or laid in a line, gold, chips, seekers and their +2, color cards.
import { h, icon, say } from "/static/js/lib/dom.js";
import { colorCard, gem, seekerCard, thing } from "/static/js/dispute/art.js";
import { actions, counter, fold, part, piece, stepper } from "/static/js/dispute/widgets.js";

const RAINBOW = "rainbow";
let choosingRule = location.search.length < 2;
let filling = 0;

const ruleOf = (desk) => desk.box.rules.find(({ rule }) => rule === desk.state.rule) ?? desk.box.rules[0];
const gemsOf = (desk) => [...desk.box.colors, RAINBOW];
const most = (desk, kind) => (kind === "gold" ? desk.box.gold : kind === RAINBOW ? desk.box.rainbow : desk.box.of_a_color);
const name = (desk, kind) => desk.term(`color.${kind}`);

export default {
  start: () => ({ game: "twelve-seekers", rule: 1, players: [] }),

  newPlayer: (state, desk) => {
    const { collects } = desk.box.rules.find(({ rule }) => rule === state.rule) ?? desk.box.rules[0];
    return { line: { line: [] }, gems: { gems: {} }, valid: { valid: {}, invalid: {} } }[collects];
  },

  table(desk) {
    const { rule } = desk.state; // on a live table it may not be known yet: then none is pressed, and it is asked for
    const known = rule !== undefined;
    const rules = desk.box.rules.map((one) => h("button", { type: "button", class: `key rule-key ${one.rule === rule ? "on" : ""}`, "aria-pressed": one.rule === rule ? "true" : "false", "aria-label": `${one.rule}: ${desk.term(`sheet.${one.rule}`)}`, "data-key": `rule-${one.rule}`, onclick: () => changeRule(desk, one) }, `${one.rule}`));
    return h(
      "section",
      { class: "card table-card" },
      h("details", { class: "rule-choice", open: choosingRule || !known, ontoggle: (event) => (choosingRule = event.target.open) }, h("summary", { "data-key": "rules" }, known ? [h("span", { class: "rule-number" }, desk.say("rule", { n: rule })), h("span", { class: "rule-words" }, desk.term(`sheet.${rule}`))] : h("span", { class: "rule-number" }, say("live.ask.rule"))), h("div", { class: "keys", role: "group", "aria-label": desk.say("rules") }, rules)),
    );
  },

  player(desk) {
    const rule = ruleOf(desk);
    return [
      rule.collects === "line" ? linePart(desk) : rule.collects === "valid" ? ["valid", "invalid"].map((field) => part(desk.say(field), counters(desk, field))) : part(desk.say("gems"), counters(desk, "gems")),
      rule.cards > 0 && cardsPart(desk, rule.cards),
      h("div", { class: "count-rows" }, stepper({ label: name(desk, "gold"), value: desk.player.gold ?? 0, most: desk.box.gold - inFront(desk, (row) => row.gold ?? 0), key: "gold", art: gem("gold"), place: `${desk.place}/gold`, set: (n) => desk.edit((row) => (row.gold = n)) }), stepper({ label: desk.say("chips"), value: desk.player.chips ?? 0, least: -99, most: 99, key: "chips", art: thing("chip"), place: `${desk.place}/chips`, set: (n) => desk.edit((row) => (row.chips = n)) })),
      seekersPart(desk),
      bonusesPart(desk),
    ];
  },

  /** What no camera sees of a player: for the live table. */
  typed(desk) {
    const { cards } = ruleOf(desk);
    const chips = stepper({ label: desk.say("chips"), value: desk.player.chips ?? 0, least: -99, most: 99, key: "chips", art: thing("chip"), set: (n) => desk.edit((row) => (row.chips = n)) });
    return [h("div", { class: "count-rows" }, chips), cards > 0 && cardsPart(desk, cards), bonusesPart(desk), seekersPart(desk)];
  },

  drop(desk, source, zone, index) {
    const [from, what] = source.split(":");
    desk.edit((row) => {
      const line = row.line ?? [];
      if (from === "line") {
        const [moved] = line.splice(Number(what), 1);
        if (zone === "line") line.splice(index > Number(what) ? index - 1 : index, 0, moved);
      } else if (zone === "line") line.splice(index, 0, what);
      row.line = line;
    });
    desk.choose(null);
  },

  key(desk, event) {
    const at = lineIndex(desk, event.target.closest?.("[data-place]")?.dataset.place);
    if (at === null) return;
    const line = desk.player.line;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const focus = (to) => document.querySelector(`[data-key="${desk.place}/line/${to}"]`)?.focus();
    if (event.key === "Delete" || event.key === "Backspace") {
      removeAt(desk, at);
      focus(Math.min(at, line.length - 2));
    } else if (step && event.altKey) moveBy(desk, at, step);
    else if (step && line[at + step] !== undefined) focus(at + step);
    else return;
    event.preventDefault();
  },

  picture(desk) {
    const row = desk.player;
    const counts = (field) => h("div", { class: "picture-row", "data-field": field }, field === "invalid" && h("span", { class: "small" }, desk.say("invalid")), Object.entries(row[field] ?? {}).filter(([, n]) => n).map(([kind, n]) => h("span", { class: "picture-count", "data-place": `${desk.place}/${field}/${kind}` }, gem(kind), h("span", {}, `×${n}`))));
    return h(
      "div",
      { class: "picture" },
      row.line && h("div", { class: "picture-row" }, row.line.map((kind, i) => h("span", { class: "picture-tile", "data-place": `${desk.place}/line/${i}` }, gem(kind)))),
      ["gems", "valid", "invalid"].filter((field) => row[field]).map(counts),
      h(
        "div",
        { class: "picture-row" },
        (row.color_cards ?? []).map((color, i) => h("span", { class: "picture-tile", "data-place": `${desk.place}/color_cards/${i}` }, colorCard(color))),
        row.gold > 0 && h("span", { class: "picture-count", "data-place": `${desk.place}/gold` }, gem("gold"), h("span", {}, `×${row.gold}`)),
        row.chips && h("span", { class: "picture-count", "data-place": `${desk.place}/chips` }, thing("chip"), h("span", {}, `${row.chips}`)),
        (row.seekers ?? []).length > 0 && h("span", { class: "picture-count", "data-place": `${desk.place}/seekers` }, desk.say("seekers-short"), h("span", {}, row.seekers.map((card) => desk.box.advanced[card] ?? card).join("+"))),
      ),
    );
  },

  setup: (desk) => `${desk.say("rule", { n: desk.state.rule })}: ${desk.term(`sheet.${desk.state.rule}`)}`,
};

/** What the other players have in front of them. */
function inFront(desk, count) {
  return desk.state.players.reduce((sum, row, i) => (i === desk.at ? sum : sum + count(row)), 0);
}

function countOf(row, kind) {
  return (row.gems?.[kind] ?? 0) + (row.valid?.[kind] ?? 0) + (row.invalid?.[kind] ?? 0) + (row.line ?? []).filter((one) => one === kind).length;
}

function left(desk, kind) {
  return most(desk, kind) - desk.state.players.reduce((sum, row) => sum + countOf(row, kind), 0);
}

// Another rule: the gems stay, laid out as that rule wants them

function changeRule(desk, rule) {
  desk.change((state) => {
    state.rule = rule.rule;
    for (const row of state.players) relay(row, rule, desk);
  });
}

function relay(row, rule, desk) {
  const kinds = gemsOf(desk);
  const counts = Object.fromEntries(kinds.map((kind) => [kind, Math.min(Math.max(countOf(row, kind), 0), most(desk, kind))]).filter(([, n]) => n));
  if (rule.collects === "line") {
    row.line ??= kinds.flatMap((kind) => Array(counts[kind] ?? 0).fill(kind));
  } else if (rule.collects === "gems") {
    row.gems = counts;
  } else if (!row.valid) {
    Object.assign(row, { valid: counts, invalid: {} });
  }
  for (const field of ["line", "gems", "valid", "invalid"]) if (!{ line: ["line"], gems: ["gems"], valid: ["valid", "invalid"] }[rule.collects].includes(field)) delete row[field];
  delete row.choices;
}

// Gems

function counters(desk, field) {
  const counts = desk.player[field] ?? {};
  return h(
    "div",
    { class: "counters" },
    gemsOf(desk).map((kind) => counter({ label: name(desk, kind), value: counts[kind] ?? 0, most: (counts[kind] ?? 0) + left(desk, kind), key: `${field}-${kind}`, art: gem(kind), place: `${desk.place}/${field}/${kind}`, set: (n) => desk.edit((row) => (row[field] = { ...row[field], [kind]: n })) })),
  );
}

function lineIndex(desk, place) {
  const found = place?.match(/^\/players\/(\d+)\/line\/(\d+)$/);
  return found && Number(found[1]) === desk.at ? Number(found[2]) : null;
}

function removeAt(desk, at) {
  desk.edit((row) => row.line.splice(at, 1));
  desk.choose(null);
}

function moveBy(desk, at, step) {
  const to = at + step;
  if (to < 0 || to >= desk.player.line.length) return;
  desk.edit((row) => row.line.splice(to, 0, ...row.line.splice(at, 1)));
  desk.choose(`${desk.place}/line/${to}`);
  document.querySelector(`[data-key="${desk.place}/line/${to}"]`)?.focus();
}

function linePart(desk) {
  const line = desk.player.line ?? [];
  const at = lineIndex(desk, desk.chosen);
  const chosen = at !== null && at < line.length ? at : null;
  const add = (kind) => {
    const to = chosen === null ? line.length : chosen + 1;
    desk.edit((row) => (row.line = [...line.slice(0, to), kind, ...line.slice(to)]));
    if (chosen !== null) desk.choose(`${desk.place}/line/${to}`);
  };
  const tile = (kind, i) => piece({ label: desk.say("gem-at", { color: name(desk, kind), n: i + 1 }), place: `${desk.place}/line/${i}`, chosen: i === chosen, drag: `line:${i}`, index: i, extra: "tile" }, gem(kind));
  return part(
    desk.say("line"),
    h("div", { class: `line-zone ${line.length ? "" : "empty"}`, "data-zone": "line", role: "group", "aria-label": desk.say("line") }, line.length ? line.map(tile) : h("p", { class: "quiet small" }, desk.say("line-empty"))),
    chosen !== null && actions(desk.say("gem-at", { color: name(desk, line[chosen]), n: chosen + 1 }), [[say("dispute.left"), "←", () => moveBy(desk, chosen, -1), "left", chosen === 0], [say("dispute.right"), "→", () => moveBy(desk, chosen, 1), "right", chosen === line.length - 1], [say("dispute.remove"), icon("close"), () => removeAt(desk, chosen), "remove"]]),
    h(
      "div",
      { class: "palette", role: "group", "aria-label": desk.say("palette") },
      gemsOf(desk).map((kind) => h("button", { type: "button", class: "tile supply", "data-key": `supply-${kind}`, "data-drag": left(desk, kind) > 0 ? `supply:${kind}` : null, disabled: left(desk, kind) <= 0, "aria-label": desk.say("add", { color: name(desk, kind), n: left(desk, kind) }), onclick: () => add(kind) }, gem(kind), h("span", { class: "left" }, `${left(desk, kind)}`))),
    ),
    h("p", { class: "small quiet" }, desk.say(chosen === null ? "line-how" : "line-insert")),
  );
}

// Cards

function cardsPart(desk, n) {
  const held = desk.player.color_cards ?? [];
  const owner = (color) => desk.state.players.find((row, i) => i !== desk.at && row.color_cards?.includes(color));
  const set = (color) => desk.edit((row) => (row.color_cards = held.includes(color) ? held.filter((one) => one !== color) : [...held, color].slice(-n)));
  // There is one card of each color: whoever holds it has to give it up first.
  const card = (color) => {
    const mine = held.includes(color);
    const taken = !mine && owner(color);
    const label = taken ? desk.say("color-card-taken", { color: name(desk, color), name: taken.name }) : name(desk, color);
    return h("button", { type: "button", class: `fan-card ${mine ? "held" : ""} ${taken ? "taken" : ""}`, "aria-pressed": mine ? "true" : "false", "aria-label": label, title: label, disabled: Boolean(taken), "data-key": `color-card-${color}`, "data-place": mine ? `${desk.place}/color_cards/${held.indexOf(color)}` : null, onclick: () => set(color) }, colorCard(color), taken && h("span", { class: "taken-by" }, taken.name));
  };
  return part(
    desk.say("color-cards", { n }),
    h("div", { class: "fan" }, desk.box.colors.map(card)),
  );
}

const isPaying = (desk, card) => desk.box.paying.includes(card);
const seekerWords = (desk, card) => (typeof card === "string" ? desk.say("seeker-advanced", { n: desk.box.advanced[card] ?? "?", words: desk.term(`seeker.${card}`) }) : desk.say("seeker-basic", { n: card }));

function seekersPart(desk) {
  const cards = desk.player.seekers ?? [];
  const place = (i) => `${desk.place}/seekers/${i}`;
  const chosen = cards.findIndex((_, i) => place(i) === desk.chosen);
  const add = (card) => desk.edit((row) => (row.seekers = [...cards, card]));
  const art = (card) => seekerCard(desk.box.advanced[card] ?? card, typeof card === "string", isPaying(desk, card));
  const power = cards.reduce((sum, card) => sum + (desk.box.advanced[card] ?? card), 0);
  return fold(
    `${desk.say("seekers")}${cards.length ? ` · ${desk.say("power", { n: power })}` : ""}`,
    "seekers",
    false,
    h("p", { class: "small quiet" }, desk.say("seekers-about")),
    cards.length > 0 && h("div", { class: "fan held-fan" }, cards.map((card, i) => piece({ label: seekerWords(desk, card), place: place(i), chosen: i === chosen, extra: "fan-card" }, art(card)))),
    chosen >= 0 && actions(seekerWords(desk, cards[chosen]), [[say("dispute.remove"), icon("close"), () => { desk.edit((row) => row.seekers.splice(chosen, 1)); desk.choose(null); }, "remove"]]),
    h("h4", {}, desk.say("basic")),
    h("div", { class: "fan" }, Object.keys(desk.box.basic).map((n) => h("button", { type: "button", class: "fan-card", "data-key": `seeker-${n}`, "aria-label": seekerWords(desk, Number(n)), onclick: () => add(Number(n)) }, art(Number(n))))),
    h("h4", {}, desk.say("advanced")),
    h("div", { class: "seeker-list" }, Object.keys(desk.box.advanced).map((card) => h("button", { type: "button", class: "seeker-row", "data-key": `seeker-${card}`, onclick: () => add(card) }, art(card), h("span", {}, desk.term(`seeker.${card}`))))),
  );
}

// Turns whose seeker may pay 2

function bonusesPart(desk) {
  const turns = desk.player.bonuses ?? [];
  const set = (edit) => desk.edit((row) => { row.bonuses = structuredClone(turns); edit(row.bonuses); });
  const start = (seeker) => {
    filling = turns.length;
    set((list) => list.push({ seeker, gems: [], ...(seeker === "first-of-kind" ? { held: [] } : {}) }));
  };
  filling = Math.min(filling, turns.length - 1);
  return fold(
    `${desk.say("bonuses")}${turns.length ? ` · ${turns.length}` : ""}`,
    "bonuses",
    false,
    h("p", { class: "small quiet" }, desk.say("bonuses-about")),
    turns.map((turn, i) => bonusTurn(desk, turn, i, set)),
    h("div", { class: "seeker-list" }, desk.box.paying.map((seeker) => h("button", { type: "button", class: "seeker-row", "data-key": `bonus-${seeker}`, onclick: () => start(seeker) }, seekerCard(desk.box.advanced[seeker], true, true), h("span", {}, desk.term(`seeker.${seeker}`))))),
  );
}

function bonusTurn(desk, turn, i, set) {
  const kinds = [...gemsOf(desk), "gold"];
  const place = `${desk.place}/bonuses/${i}`;
  const power = desk.box.advanced[turn.seeker] ?? 0;
  const gems = turn.gems ?? [];
  const kindKey = (kind, label, on, act, key) => h("button", { type: "button", class: `tile small-tile ${on ? "on" : ""}`, "aria-pressed": on === null ? null : on ? "true" : "false", "aria-label": label, "data-key": key, disabled: on === null && gems.length >= power, onclick: act }, gem(kind));
  return h(
    "section",
    { class: "bonus-turn", "aria-label": desk.term(`seeker.${turn.seeker}`) },
    h("div", { class: "bonus-head", "data-place": `${place}/seeker` }, h("strong", {}, desk.term(`seeker.${turn.seeker}`)), h("button", { type: "button", class: "button plain", "data-key": `bonus-remove-${i}`, "aria-label": say("dispute.remove"), onclick: () => set((list) => list.splice(i, 1)) }, icon("close"))),
    h("div", { class: "bonus-taken", "data-place": `${place}/gems` }, h("span", { class: "small" }, desk.say("taken", { n: gems.length, most: power })), gems.map((kind, g) => h("button", { type: "button", class: "tile small-tile", "aria-label": desk.say("put-back", { color: name(desk, kind) }), "data-key": `bonus-${i}-taken-${g}`, onclick: () => set((list) => list[i].gems.splice(g, 1)) }, gem(kind)))),
    h("div", { class: "palette small-palette" }, kinds.map((kind) => kindKey(kind, desk.say("take", { color: name(desk, kind) }), null, () => set((list) => list[i].gems.push(kind)), `bonus-${i}-take-${kind}`))),
    turn.held && h("div", { class: "bonus-held", "data-place": `${place}/held` }, h("span", { class: "small" }, desk.say("held")), h("div", { class: "palette small-palette" }, kinds.map((kind) => kindKey(kind, desk.say("held-kind", { color: name(desk, kind) }), turn.held.includes(kind), () => set((list) => (list[i].held = turn.held.includes(kind) ? turn.held.filter((one) => one !== kind) : [...turn.held, kind])), `bonus-${i}-held-${kind}`)))),
  );
}
