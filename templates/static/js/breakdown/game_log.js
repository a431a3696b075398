// The game's log: whose turn it is, what was done, what broke a rule, and the question that is open.
import { button, html, icon, say } from "../lib/dom.js";
import { fold } from "../lib/widgets.js";

const FEW = 2;

/**
 * What the rules ask for now, and, until it is said or seen, who begins and which card tells the order of turns; null
 * where that is nothing. `settle` sends an answer (without it none can be given).
 */
export function dueCard(game, { running, settle = null }) {
  if (!game || !running) return null;
  const { begins, due, moves, orders, seats } = game;
  const choose = (name, value, words) =>
    button(`${name}-${value}`, words, () => settle({ begins: { [name]: value } }), {
      of: "player",
      pressed: begins[name] === value,
    });
  const asks = settle && !moves.length;
  const row = (name, choices) => html`
    <div class="row begins" data-for="player" role="group" aria-label=${say(`live.begins.${name}`)}>
      ${asks && html`<span class="small">${say(`live.begins.${name}`)}</span>`}${choices}
    </div>`;
  const order =
    settle &&
    "order" in begins &&
    row(
      "order",
      orders.map((n) => choose("order", n, n)),
    );
  const parts = [
    due.map((words) => html`<p class="small">${words}</p>`),
    asks &&
      "start" in begins &&
      row(
        "start",
        seats.map(([zone, name]) => choose("start", zone, name)),
      ),
    order && (asks ? order : fold(say("live.begins.order"), "order", false, order)),
  ];
  if (!due.length && !parts[1] && !parts[2]) return null;
  return html`<section class="card due stack" aria-label=${say("live.due")}>${parts}</section>`;
}

/**
 * The card beside the chart; null while nothing is known of a game and nothing can be told.
 * @param {object | null} game The log.
 * @param {object} how `running`: whether it goes on now. `settle` sends an answer, or takes a move back (without it neither
 *   can be done); `file` is where the game can be had as JSON lines; `go` shows a move on the table; `place` says of a move whether it is shown now
 *   (`on`), or comes later than what is shown (`later`); `more` stands below what is legal now.
 */
export function logCard(game, { running, settle, file, go, place, more }) {
  if (!game || (game.turn_of === null && !game.moves.length && !more)) return null;
  const { moves, owed, slips, corrected, question, legal } = game;
  const OTHER = { either: "strict", strict: "either" };
  const flip = (value) => (typeof value === "boolean" ? !value : OTHER[value]);
  const says = running && settle;
  const change = (name, value) => {
    const act = () => settle({ house: { [name]: value } });
    return [" ", button(`house-${name}`, say("live.house-change"), act, { kind: "plain", of: "player" })];
  };
  const reading = ({ name, value, words }) =>
    html`<li>${words}${says && flip(value) !== undefined && change(name, flip(value))}</li>`;
  const answer = (over, words) => button(`log-over-${over}`, words, () => settle({ over }));
  const ended = () => html`
    <div class="question" data-for="player" role="group" aria-label=${say("live.over-ask")}>
      <p>${say("live.over-ask")}</p>${answer(true, say("live.over-yes"))}${answer(false, say("live.over-no"))}
    </div>`;
  const choice = ({ key, words }) => button(`log-${key}`, words, () => settle({ question: question.id, choice: key }));
  const back = (n) => {
    const how = { kind: "step", sign: "undo", of: "player", label: say("live.no-such-move", { n }) };
    return button(`log-undo-${n}`, null, () => settle({ n }), how);
  };
  const line = (move) => html`
    <li class="${place(move)} ${move.legal === false && "slip"}" data-n=${move.n}>
      <button class="log-line" data-key="log-move-${move.n}" aria-pressed=${place(move) === "on" ? "true" : "false"} onclick=${() => go(move)}>${move.words}</button>${says && move.n < moves.length && back(move.n)}
    </li>`;
  return html`
    <section class="card log" aria-label=${say("live.log")}>
      <h2>${say("live.log")}</h2>
      ${running && game.turn_of !== null && html`<p class="turn">${say("live.turn", { name: game.turn_of })}</p>`}
      ${running && owed.map((words) => html`<p class="small quiet">${words}</p>`)}
      ${slips.map((words) => html`<p class="small slip" role="status">${icon("warn")}<span>${words}</span></p>`)}
      ${running && corrected.length > 0 && fold(say("live.corrected"), "corrected", corrected.length <= FEW, html`<ul class="small">${corrected.map((words) => html`<li>${words}</li>`)}</ul>`)}
      ${game.over && says && ended()}
      ${question && says && html`<div class="question" data-for="player" role="group" aria-label=${say("live.which-move")}><p>${say("live.which-move")}</p>${question.choices.map(choice)}</div>`}
      ${running && legal.length > 0 && fold(say("live.legal"), "legal", false, html`<ul class="small">${legal.map((words) => html`<li>${words}</li>`)}</ul>`)}
      ${more}
      ${game.house.length > 0 && fold(say("live.house"), "house", false, html`<ul class="small">${game.house.map(reading)}</ul>`)}
      <ol class="moves">${[...moves].reverse().map(line)}</ol>
      ${says && moves.length > 0 && button("log-undo", say("live.no-move"), () => settle({}), { sign: "undo", of: "player" })}
      ${moves.length > 0 && html`<a class="button plain" href=${file} download>${say("live.game-file")}</a>`}
    </section>`;
}
