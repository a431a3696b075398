// What may be decided otherwise, as switches that say what each would change: choices of a player, readings of a rulebook.
import { html, say } from "../lib/dom.js";
import { plain, signed } from "./breakdown.js";

const FIRST = 6;

/**
 * A player's choices: the rainbow's color, a number, plus and minus. Open means: as is best. A choice that was made is
 * shown even where none can be: it can be taken back.
 */
export function choicesCard(table, view, { terms, order, change }) {
  const { name, choices } = table.state.players[view.player] ?? {};
  const made = choices ?? {};
  const player = table.answer?.players.find((one) => one.name === name) ?? { alternatives: [], choices: {} };
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
  const words = (value) =>
    [value]
      .flat()
      .map((one) => (typeof one === "number" ? `${one}` : terms(`color.${one}`)))
      .join(" + ");
  return html`
    <section class="card choices ${table.current ? "" : "stale"}" aria-label=${say("dispute.choices")}>
      <h2>${say("dispute.choices-of", { name })}</h2>
      ${names.map((dimension) => choiceRow(dimension, { player, made, set, words, order, title: terms(`choice.${dimension}`), place: `/players/${view.player}/choices/${dimension}` }))}
      ${player.alternatives.length > 0 && alternatives(player, words, terms, (choices) => change((row) => (row.choices = structuredClone(choices))))}
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
            ${total !== -Infinity && difference(total - player.total)}
          </button>`;
        })}
      </div>
    </div>`;
}

function alternatives(player, words, terms, take) {
  const row = ({ choices, total, label }, i) => html`
    <li>
      <button class="line alternative" data-key="alternative-${i}" onclick=${() => take(choices)}>
        <span>${label}</span>
        <span class="line-points">${plain(total)}</span>
      </button>
    </li>`;
  const rows = player.alternatives.map(row);
  return html`
    <details class="ruling">
      <summary data-key="alternatives">${say("dispute.alternatives", { n: rows.length })}</summary>
      <ul>${rows.slice(0, FIRST)}</ul>
      ${
        rows.length > FIRST &&
        html`
        <details class="ruling">
          <summary>${say("dispute.more-alternatives", { n: rows.length - FIRST })}</summary>
          <ul>${rows.slice(FIRST)}</ul>
        </details>`
      }
    </details>`;
}

function difference(points) {
  return html`
    <span class="difference ${points > 0 ? "up" : points < 0 ? "down" : ""}">
      ${points === 0 ? "±0" : signed(points)}
    </span>`;
}

/** The questions about the rules, each with what its usual reading rests on: those that matter here first. */
export function readingsCard(table, questions, { change }) {
  if (!questions.length) return null;
  const taken = table.answer?.house_rules ?? {};
  const rulings = table.answer?.rulings ?? [];
  const matters = (question) => question.name in taken || rulings.some(({ name }) => name === question.name);
  const row = (question) =>
    readingRow(
      question,
      table,
      rulings.filter(({ name }) => name === question.name),
      change,
    );
  const now = questions.filter(matters);
  const rest = questions.filter((question) => !matters(question));
  return html`
    <section class="card readings ${table.current ? "" : "stale"}" aria-label=${say("dispute.readings")}>
      <h2>${say("dispute.readings")}</h2>
      ${now.length > 0 && html`<p class="small quiet">${say("dispute.readings-about")}</p>`}
      ${now.map(row)}
      ${
        rest.length > 0 &&
        html`
        <details class="ruling" data-fold="readings">
          <summary data-key="readings-rest">
            ${say(now.length ? "dispute.readings-rest" : "dispute.readings-none", { n: rest.length })}
          </summary>
          ${rest.map(row)}
        </details>`
      }
    </section>`;
}

function readingRow(question, table, rulings, change) {
  const usual = question.readings[0].reading;
  const flagged = question.flag && table.state[question.flag];
  const current = table.state.house_rules?.[question.name] ?? (flagged ? question.readings[1].reading : usual);
  const set = (reading) =>
    change((state) => {
      state.house_rules = { ...state.house_rules, [question.name]: reading };
      if (question.flag) delete state[question.flag];
      if (reading === usual) delete state.house_rules[question.name];
      if (!Object.keys(state.house_rules).length) delete state.house_rules;
    });
  return html`
    <fieldset class="reading">
      <legend>${question.text}</legend>
      <p class="small quiet">${question.basis}</p>
      ${question.readings.map(
        ({ reading, text }) =>
          html`
        <label class="reading-option ${reading === current && "on"}">
          <input type="radio" name="reading-${question.name}" checked=${reading === current}
              data-key="reading-${question.name}-${reading}" onchange=${() => set(reading)}>
          <span class="reading-text">
            ${text}
            ${tag(question, reading) && html`<span class="tag">${say(tag(question, reading))}</span>`}
          </span>
          <span class="reading-change">
            ${changes(
              rulings.find(({ other }) => other.reading === reading),
              table,
              reading === current,
            )}
          </span>
        </label>`,
      )}
    </fieldset>`;
}

/** What a reading is: the usual one, or a house rule where the rulebook itself says otherwise. */
function tag({ readings, grade }, reading) {
  if (reading === readings[0].reading) return "dispute.usual";
  return grade === "explicit" && "dispute.house-rule";
}

/** Who would win or be ahead under a reading, where that is somebody else. */
export function whoThen(ruling, answer) {
  const names = (list) => ({ names: list.join(say("list.comma")) });
  if (ruling.winners.join() !== answer.winners.join()) {
    return ruling.winners.length ? say("dispute.would-win", names(ruling.winners)) : say("dispute.would-none");
  }
  const ahead = ruling.leading.length && ruling.leading.join() !== answer.leading.join();
  return ahead ? say("dispute.would-lead", names(ruling.leading)) : null;
}

/** What a reading would change, player by player: `+3 for A`. */
function changes(ruling, table, current) {
  if (!ruling || current) return null;
  const moved = table.answer.players
    .map(({ name, total }) => [name, ruling.totals[name] - total])
    .filter(([, points]) => points);
  const words = moved.map(
    ([name, points]) => html`
    <span class="difference ${points > 0 ? "up" : "down"}">
      ${say("dispute.change", { points: signed(points), name })}
    </span>`,
  );
  const then = whoThen(ruling, table.answer);
  return [words, then && html`<span class="difference">${then}</span>`];
}
