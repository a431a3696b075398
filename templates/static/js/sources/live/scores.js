// Everyone's points at a table, what is worth knowing beside them, and the end of the game.
import { breakdownCard, notesCard, plain, rankingBar } from "../../breakdown/breakdown.js";
import { finishCard } from "../../breakdown/finish.js";
import { linesOf } from "../../breakdown/highlight.js";
import { placesOf } from "../../evidence/places.js";
import { button, html, icon, redraw, say } from "../../lib/dom.js";
import { heldInPlace } from "../../lib/hold_place.js";
import { stepButton } from "../../lib/widgets.js";

/**
 * Draw them into the page's parts `end`, `board`, `players` and `notes`.
 * @param {import("./live_table.js").LiveTable} live
 * @param {object} on `light(player, line)`, `lightNote(note)`; `entries` of what is typed; `again`: the button of a new game.
 */
export function drawScores(parts, live, on) {
  const { shown } = live;
  if (!shown) {
    redraw(parts.board, html`<p class="tally-empty quiet">${say("live.nothing-seen")}</p>`);
    redraw(parts.players);
    redraw(parts.end);
    return redraw(parts.notes);
  }
  const { outcome } = live;
  const choose = (p) =>
    document.getElementById(`player-${p}`)?.scrollIntoView({ behavior: "smooth", block: "nearest" });
  const counted = live.piece === null ? null : linesOf(outcome.scores, placesOf(shown.case, live.piece));
  const card = (_, p) => {
    const lit = live.line?.[0] === p ? live.line[1] : null;
    const foot = playerFoot(live, outcome, p, on.entries);
    return breakdownCard(outcome, p, { only: false, light: on.light, lit, counted, foot });
  };
  const seen = live.status.new && live.at === null ? [] : shown.case.problems;
  const problems = seen.map(({ message, pieces }) => ({ message, shown: pieces.length > 0 }));
  heldInPlace(".player-foot", () => {
    redraw(parts.board, rankingBar(outcome, { choose }));
    redraw(parts.players, shown.case.state.players.map(card));
  });
  const notes = notesCard(outcome, { chosen: live.note, light: on.lightNote, problems });
  redraw(parts.end, isOver(outcome) && finish(live, outcome, on.again));
  redraw(parts.notes, notes);
}

/** Whether somebody has won and no open question can change it. */
export const isOver = ({ current, answer, spans }) => current && answer.winners.length > 0 && !spans.some(Boolean);

function finish({ given, shown, rows, isNow }, outcome, again) {
  const first = rows.findLast((row) => row.first && row.number <= shown.number) ?? rows[0];
  const times = { begun: (first ?? shown).at * 1000, ended: shown.at * 1000 };
  const how = { game: given.game, name: given.title, ...times, id: given.table };
  return finishCard(outcome, { ...how, next: isNow && again() });
}

function playerFoot(live, outcome, p, entries) {
  const used = Object.entries(outcome.scores[p]?.choices ?? {});
  const value = (one) => (typeof one === "number" ? one : live.term(`color.${one}`));
  const words = ([name, values]) => `${live.term(`choice.${name}`)} ${[values].flat().map(value).join(" + ")}`;
  const more = button(`more-${p}`, say("live.more"), () => entries.show(p), { kind: "more", sign: "hand" });
  return [
    used.length > 0 &&
      html`<p class="small quiet choice-used">${say("live.chosen", { choices: used.map(words).join(", ") })}</p>`,
    live.isNow && html`<div class="player-foot" data-for="player">${counter(live, p, entries)}${more}</div>`,
  ];
}

/** The one thing that is typed most, such as chips. */
function counter({ given, shown }, p, entries) {
  const key = given.typed.counter;
  if (!key) return null;
  const row = (entries.ahead ?? shown.case.state).players[p] ?? {};
  const what = say(`live.count.${key}`);
  const step = (by, words) =>
    stepButton(`${key}-${p}-${by}`, say(words, { name: row.name }), icon(by < 0 ? "minus" : "plus"), () =>
      entries.count(p, by),
    );
  return html`
    <div class="chip-count" role="group" aria-label=${what}>
      <span class="small">${what}</span>
      ${step(-1, `live.count.${key}-less`)}<output>${plain(row[key] ?? 0)}</output>${step(1, `live.count.${key}-more`)}
    </div>`;
}
