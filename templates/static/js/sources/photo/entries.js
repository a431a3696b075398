// What no photo can know: goal cards, the round of escape, the first stage's square, ticks; a few taps each.
import { button, html, icon, say } from "../../lib/dom.js";
import { escapeOrder } from "../../lib/escape_order.js";
import { keys, stepper } from "../../lib/widgets.js";

/** The card of entries. `goalStart` is the first letter of a goal card that is being entered, `joined` the joined cards. */
export function entriesCard(view, player, { goalStart, startGoal, tell, firstPhoto, joined }) {
  return html`
    <section class="card entries" id="entries" data-for="player" data-of="questions" aria-label=${say("entries.title")}>
      <h2>${say("entries.title")}</h2>
      ${goals(view, player, goalStart, { startGoal, tell, joined })}
      ${escaped(view.players, tell)}
      ${firstSquare(player, tell, firstPhoto)}
      ${ticks(player, tell)}
    </section>`;
}

/** The cards stand below the keys: keys that more cards would push away would slide from under a finger. */
function goals(view, player, start, { startGoal, tell, joined }) {
  const letters = Object.keys(view.sheet.letters).sort();
  const options = letters.map((letter) => [letter, letter]);
  const known = (list) => () => Object.assign(player, { goals: list, goals_known: true });
  const set = (list) => tell({ kind: "goals", player: player.id, goals: list }, known(list));
  const choose = (letter) => {
    if (start === null) return startGoal(letter);
    startGoal(null);
    const pair = [start, letter].sort();
    const held = start === letter || player.goals.some((goal) => goal.join() === pair.join());
    if (!held) set([...player.goals, pair]);
  };
  const chip = ([a, b], i) => {
    const remove = () => set(player.goals.filter((_, n) => n !== i));
    return html`
      <li class="chip ${joined.has(i) && "joined"}">
        <span>${a} – ${b}</span>
        ${joined.has(i) && html`<span class="yes" role="img" aria-label=${say("goals.joined")}>${icon("check")}</span>`}
        <button class="chip-close" data-key="goal-${a}${b}" aria-label=${say("goals.remove", { a, b })} onclick=${remove}>${icon("close")}</button>
      </li>`;
  };
  const none = !player.goals_known && !player.goals.length && letters.length > 0;
  const hint = !letters.length
    ? say("goals.no-letters")
    : start === null
      ? say("goals.first")
      : say("goals.second", { letter: start });
  return html`
    <fieldset id="goals">
      <legend>${say(view.players.length > 1 ? "goals.of" : "goals.title", player)}</legend>
      <p class="small quiet hint" role="status">${hint}</p>
      ${keys(say("goals.title"), options, start, choose, "letter")}
      <ul class="chips">${player.goals.map(chip)}${start !== null && html`<li class="chip started">${start} – ?</li>`}</ul>
      ${none && button("no-goals", say("goals.none"), () => set([]), { kind: "plain" })}
    </fieldset>`;
}

function escaped(players, tell) {
  const set = (changes) => {
    for (const [i, round] of changes) {
      const player = players[i];
      tell({ kind: "escaped", player: player.id, round }, () =>
        Object.assign(player, { escaped: round, escaped_known: true }),
      );
    }
  };
  const row = ({ id, name, escaped: round, escaped_known: known }) => ({
    key: id,
    name,
    round: known ? round : undefined,
  });
  const counted = players.filter(({ escaped_known: known, so_far: halfTime }) => !known && !halfTime);
  const open = counted.map(({ name }) => name);
  return html`
    <fieldset id="escape">
      <legend>${say("escape.title")}</legend>
      ${escapeOrder(players.map(row), set)}
      <p class="small ask">${open.length > 0 && say("escape.unknown", { names: open })}</p>
    </fieldset>`;
}

function firstSquare(player, tell, firstPhoto) {
  const first = player.sheets.first.known;
  const set = (cells) =>
    tell({ kind: "first-square", player: player.id, cells }, () => Object.assign(player, { first_square: cells }));
  return html`
    <fieldset id="first">
      <legend>${say("first.title")}</legend>
      <p class="small quiet">${say(first ? "first.from-photo" : "first.how")}</p>
      <div class="row">
        <label>
          <span class="only-read">${say("first.number")}</span>
          <input class="field number" type="number" inputmode="numeric" min="0" max="121"
              placeholder=${say("first.placeholder")} data-key="first-square" value=${player.first_square ?? ""}
              onchange=${(event) => event.target.reportValidity() && set(event.target.value === "" ? null : Number(event.target.value))}>
        </label>
        ${!first && button("first-photo", say("first.photo"), firstPhoto, { kind: "plain", sign: "camera" })}
      </div>
    </fieldset>`;
}

function ticks(player, tell) {
  const row = (track) => {
    const set = (count) =>
      tell({ kind: "ticks", player: player.id, track, count }, () => (player.ticks[track] = count));
    return stepper({ label: say(`ticks.${track}`), value: player.ticks[track], most: 99, key: track, set });
  };
  return html`<fieldset id="ticks"><legend>${say("ticks.title")}</legend>${row("gems")}${row("penalties")}</fieldset>`;
}
