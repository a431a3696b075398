// What may be decided otherwise, as switches that say what each would change: choices of a player, readings of a rulebook.
import { html, say } from "../lib/dom.js";
import { fold } from "../lib/widgets.js";
import { plain, signed, whoThen } from "./breakdown.js";

const FIRST = 6;

/**
 * A player's choices: the rainbow's color, a number, plus and minus. Open means: what is best. A choice that was made is
 * shown even where none can be: it can be taken back.
 */
export function choicesCard(outcome, i, { term, order, change }) {
  const { name, choices: made = {} } = outcome.state.players[i] ?? {};
  const score = outcome.scores[i];
  const player = { alternatives: [], choices: {}, ...score };
  const names = [...new Set([...player.alternatives.map(({ choices }) => choices), made].flatMap(Object.keys))];
  if (!names.length) return null;
  const set = (dimension, value) =>
    change((row) => {
      const choices = { ...row.choices };
      if (value === null) delete choices[dimension];
      else choices[dimension] = value;
      row.choices = choices;
      if (!Object.keys(choices).length) delete row.choices;
    });
  const words = (value) => [value].flat().map((one) => (typeof one === "number" ? one : term(`color.${one}`)));
  const row = (dimension) => {
    const how = { player, made, set, words: (value) => words(value).join(" + "), order };
    return choiceRow(dimension, {
      ...how,
      title: term(`choice.${dimension}`),
      place: `/players/${i}/choices/${dimension}`,
    });
  };
  const take = (choices) => change((one) => (one.choices = structuredClone(choices)));
  return html`
    <section class="card choices ${score?.how === "stale" && "stale"}" aria-label=${say("dispute.choices")}>
      <h2>${say("dispute.choices-of", { name })}</h2>
      ${names.map(row)}
      ${player.alternatives.length > 0 && alternatives(player, take)}
    </section>`;
}

function choiceRow(dimension, { player, made, set, words, order, title, place }) {
  const key = (value) => JSON.stringify(value);
  const others = Object.entries(made).filter(([name]) => name !== dimension);
  const agreeing = player.alternatives.filter(({ choices }) =>
    others.every(([name, value]) => key([choices[name]].flat().sort()) === key([value].flat().sort())),
  );
  const values = [
    ...new Map(player.alternatives.map(({ choices }) => [key(choices[dimension]), choices[dimension]])).values(),
  ].filter((value) => value !== undefined);
  const rank = (value) =>
    typeof value === "number" ? value : [value].flat().reduce((sum, one) => sum * 10 + order.indexOf(one), 0);
  values.sort((a, b) => rank(a) - rank(b));
  const best = (value) =>
    Math.max(...agreeing.filter(({ choices }) => key(choices[dimension]) === key(value)).map(({ total }) => total));
  const open = made[dimension] === undefined;
  const same = (one, other) => key([one].flat().sort()) === key([other].flat().sort());
  if (!open && !values.some((value) => same(value, made[dimension]))) values.push(made[dimension]);
  return html`
    <div class="choice-row" role="group" aria-label=${title} data-place=${open ? null : place}>
      <h3>${title}</h3>
      <div class="switches">
        <button class="switch ${open && "on"}" aria-pressed=${open} data-key="choice-${dimension}-open"
            onclick=${() => set(dimension, null)}>
          <span>${say("dispute.best")}</span>
          ${open && html`<span class="difference">${words(player.choices[dimension] ?? [])}</span>`}
        </button>
        ${values.map((value) => {
          const total = best(value);
          const on = !open && same(made[dimension], value);
          return html`
          <button class="switch ${on && "on"}" aria-pressed=${on} disabled=${total === -Infinity && !on}
              data-key="choice-${dimension}-${[value].flat().join("-")}" onclick=${() => set(dimension, value)}>
            <span>${words(value)}</span>
            ${total !== -Infinity && change(total - player.total)}
          </button>`;
        })}
      </div>
    </div>`;
}

function alternatives(player, take) {
  const row = ({ choices, total, label }, i) => html`
    <li>
      <button class="line alternative" data-key="alternative-${i}" onclick=${() => take(choices)}>
        <span>${label}</span><span class="line-points">${plain(total)}</span>
      </button>
    </li>`;
  const rows = player.alternatives.map(row);
  const more = rows.slice(FIRST);
  const rest = () =>
    fold(say("dispute.more-alternatives", { n: more.length }), "more-alternatives", false, html`<ul>${more}</ul>`);
  const title = say("dispute.alternatives", { n: rows.length });
  return fold(title, "alternatives", false, html`<ul>${rows.slice(0, FIRST)}</ul>`, more.length > 0 && rest());
}

const change = (points, words) =>
  html`<span class="difference ${points > 0 && "up"} ${points < 0 && "down"}">${words ?? (points === 0 ? "±0" : signed(points))}</span>`;

/** The questions about the rules, each with what its usual reading rests on: those that matter here first. `set(edit)` changes the state; null: nobody does. */
export function readingsCard(outcome, questions, set) {
  if (!questions.length) return null;
  const { answer } = outcome;
  const of = ({ name }) => (answer?.rulings ?? []).filter((ruling) => ruling.name === name);
  const matters = (question) => question.name in (answer?.house_rules ?? {}) || of(question).length > 0;
  const row = (question) => readingRow(question, outcome, of(question), set);
  const now = questions.filter(matters);
  const rest = questions.filter((question) => !matters(question));
  const title = say(now.length ? "dispute.readings-rest" : "dispute.readings-none", { n: rest.length });
  return html`
    <section class="card readings ${!outcome.current && "stale"}" aria-label=${say("dispute.readings")}>
      <h2>${say("dispute.readings")}</h2>
      ${now.length > 0 && html`<p class="small quiet">${say("dispute.readings-about")}</p>`}
      ${now.map(row)}
      ${rest.length > 0 && fold(title, "readings-rest", false, rest.map(row))}
    </section>`;
}

function readingRow(question, outcome, rulings, set) {
  const { state, answer } = outcome;
  const usual = question.readings[0].reading;
  const flagged = question.flag && state[question.flag];
  const current = state.house_rules?.[question.name] ?? (flagged ? question.readings[1].reading : usual);
  const take = (reading) =>
    set((next) => {
      next.house_rules = { ...next.house_rules, [question.name]: reading };
      if (question.flag) delete next[question.flag];
      if (reading === usual) delete next.house_rules[question.name];
      if (!Object.keys(next.house_rules).length) delete next.house_rules;
    });
  const option = ({ reading, text }) => {
    const on = reading === current;
    const ruling = on ? null : rulings.find(({ other }) => other.reading === reading);
    return html`
      <label class="reading-option ${on && "on"}">
        <input type="radio" name="reading-${question.name}" checked=${on} data-key="reading-${question.name}-${reading}"
          onchange=${() => take(reading)}>
        <span class="reading-text">${text}${tag(question, reading) && html`<span class="tag">${say(tag(question, reading))}</span>`}</span>
        <span class="reading-change">${ruling && answer && changes(ruling, answer)}</span>
      </label>`;
  };
  const legend = html`<legend>${question.text} <span class="small quiet">${question.basis}</span></legend>`;
  return html`<fieldset class="reading" disabled=${!set}>${legend}${question.readings.map(option)}</fieldset>`;
}

/** What a reading is: the usual one, or a house rule where the rulebook itself says otherwise. */
function tag({ readings, grade }, reading) {
  if (reading === readings[0].reading) return "dispute.usual";
  return grade === "explicit" && "dispute.house-rule";
}

/** What a reading would change, player by player: `+3 for A`, and who would win. */
function changes(ruling, answer) {
  const moved = answer.players
    .map(({ name, total }) => [name, ruling.totals[name] - total])
    .filter(([, points]) => points);
  const words = ([name, points]) => change(points, say("dispute.change", { points: signed(points), name }));
  const then = whoThen(ruling, answer);
  return [moved.map(words), then && change(0, then)];
}
