// The breakdown of an outcome: who stands where, what each line counts, what has to be said beside it.
import { html, icon, minus, say } from "../lib/dom.js";
import { sign } from "../lib/players.js";
import { fold } from "../lib/widgets.js";
import { isWinner } from "./outcome.js";

const TAGS = { "so-far": "dispute.provisional", stale: "dispute.last-good" };

export const plain = (points) => minus(points ?? "?");
export const signed = (points) => (points > 0 ? `+${points}` : plain(points));
const total = (score, span) => (span ? between(...span) : plain(score.total));
const between = (low, high) =>
  low < 0 ? say("points.between", { low: plain(low), high: plain(high) }) : `${plain(low)}–${plain(high)}`;

/**
 * All players with their totals and how the last change moved them. `keyOf` names a player's button; `before(i)` is what a
 * player had when this part of the game began: it stands there while nothing else is known.
 */
export function rankingBar(
  outcome,
  { chosen = null, choose, add = null, keyOf = (i) => i, names = null, before = null },
) {
  const rank = (score, i) => {
    const name = names?.[i] ?? outcome.state.players[i].name;
    const open = outcome.open && score?.how !== "so-far";
    const moved = open ? 0 : outcome.moved[name];
    const winner = isWinner(outcome, i);
    const span = outcome.spans[i];
    return html`
      <button class="rank player-${outcome.colors[i]} ${i === chosen && "on"} ${winner && "winner"}"
        aria-pressed=${i === chosen} data-key="rank-${keyOf(i)}" onclick=${() => choose(i)}>
        <span class="rank-name">${sign(outcome.colors[i])}<span>${`${name ?? ""}`.trim() || "—"}</span>${winner && crown()}</span>
        <span class="rank-total ${(open || outcome.behind) && "stale"}">
          <span data-total=${name} title=${span && say("ranking.span")}>${score ? total(score, span) : minus(before?.(i) ?? "–")}</span>
          ${outcome.problem && html`<span class="rank-how ${open && "open"}">${say(open ? "dispute.waits" : "dispute.so-far")}</span>`}
          ${outcome.behind && html`<span class="rank-how open">${say("dispute.waits")}</span>`}
          ${moved ? html`<span class="moved ${moved < 0 ? "down" : "up"}">${signed(moved)}</span>` : null}
        </span>
      </button>`;
  };
  return html`
    <div class="ranking ${outcome.open && "stale"} of-${Math.min(outcome.scores.length, 8)}" role="group"
      aria-label=${say("ranking.title")}>
      ${outcome.scores.map(rank)}
      ${add && html`<button class="rank more" data-key="rank-add" aria-label=${say("dispute.add-player")} onclick=${add}>${icon("plus")}</button>`}
    </div>`;
}

const crown = () => html`<span class="crown" role="img" aria-label=${say("dispute.winner")}></span>`;

/**
 * A player's lines; while the case is not complete, what this player has so far; if it is this player who is not, the last
 * good lines, greyed. `lit`: the index of the line that is lit; `counted`: the lines, as `player-line`, that counted what
 * is touched; `pieces()`: what the lit line counted, in small; `foot`: what else belongs to the player; `only`: the page
 * shows this player alone.
 */
export function breakdownCard(
  outcome,
  i,
  { light, lit = null, counted = null, pieces = null, foot = null, only = true },
) {
  const player = outcome.scores[i];
  const { name } = outcome.state.players[i] ?? {};
  if (!player && only) return null;
  const line = (one, l) => html`
    <li>${lineButton(one, `${i}-${l}`, { on: lit === l, counted: counted?.has(`${i}-${l}`), act: () => light(i, l) })}${lit === l && pieces?.()}</li>`;
  return html`
    <section class="card points player-${outcome.colors[i]} ${player?.how}" id="player-${i}" aria-label=${only ? say("points.title") : name}>
      <div class="points-head">
        <h2>${sign(outcome.colors[i])}<span>${name}</span></h2>
        ${TAGS[player?.how] && html`<span class="tag ${player.how === "stale" && "warn"}">${say(TAGS[player.how])}</span>`}
      </div>
      ${only && outcome.waiting.length > 0 && html`<p class="small waiting">${say("dispute.waiting", { for: outcome.waiting.join(" · ") })}</p>`}
      ${only && html`<p class="small quiet">${say("dispute.touch")}</p>`}
      <ul class="lines">${player?.lines.map(line)}</ul>
      ${player?.lines.length === 0 && html`<p class="quiet nothing">${say("dispute.nothing-yet")}</p>`}
      ${player && html`<p class="sum"><span>${say("points.sum")}</span><strong id=${only && "total"}>${total(player, outcome.spans[i])}</strong></p>`}
      ${outcome.current && outcome.hands[i]?.length > 0 && handsOf(outcome.hands[i], i)}
      ${foot}
    </section>`;
}

/** The total that each hand would give that is secret until the end. */
const handsOf = (hands, i) =>
  fold(
    say("points.hands"),
    `hands-${i}`,
    false,
    html`<ul class="hands small">${hands.map(({ cards, total }) => html`<li><span>${cards}</span><strong>${plain(total)}</strong></li>`)}</ul>`,
  );

/** Who has won, or who is ahead while the game goes on. */
export function winners({ winners, leading }) {
  if (winners.length) return say("dispute.winners", { n: winners.length, names: winners });
  if (leading.length) return say("dispute.winners-so-far", { names: leading });
  return say("dispute.no-winner");
}

/** Who would win or be ahead under another reading, where that is somebody else. */
export function whoThen(ruling, answer) {
  if (ruling.winners.join() !== answer.winners.join()) {
    return ruling.winners.length ? say("dispute.would-win", { names: ruling.winners }) : say("dispute.would-none");
  }
  const ahead = ruling.leading.length && ruling.leading.join() !== answer.leading.join();
  return ahead ? say("dispute.would-lead", { names: ruling.leading }) : null;
}

function lineButton(line, key, { on, counted, act }) {
  return html`
    <button class="line ${on && "on"} ${counted && "counted"} ${line.points === 0 && "zero"}" aria-pressed=${on}
      data-line=${key} data-key="line-${key}" onclick=${act}>
      <span class="line-words"><span>${line.label}</span><span class="small quiet source">${line.source.section}</span></span>
      <span class="line-points ${line.points < 0 && "minus"}">${signed(line.points)}</span>
    </button>`;
}

/**
 * What is wrong with what was seen (`problems`: `message`, whether it can be `shown`), then the rulings that were needed
 * and broken rules that were seen. `chosen` and `light` know a note by its key: `note-0`, `problem-0`.
 */
export function notesCard(outcome, { chosen, light, pieces = null, problems = [] }) {
  const notes = outcome.current ? outcome.notes : []; // notes on another state would mislead
  const note = (text, key, shown, warn, source) => {
    const on = chosen === key;
    const words = html`<span>${text}${source && html` <span class="small quiet source">${source.section}</span>`}</span>`;
    const act = () => light(key);
    const button = () => html`
      <button class="line note ${warn && "warn note-tiles"} ${on && "on"}" aria-pressed=${on} data-key=${key} onclick=${act}>
        ${warn && icon("warn")}${words}<span class="note-show">${say("notes.show")}</span>
      </button>`;
    const plainNote = () => html`<p class="note-text ${warn && "note warn"}">${warn && icon("warn")}${words}</p>`;
    return html`<li>${shown ? button() : plainNote()}${on && pieces?.()}</li>`;
  };
  if (!notes.length && !problems.length) return null;
  return html`
    <section class="card notes" aria-label=${say("notes.title")}>
      <h2>${say("notes.title")}</h2>
      <ul>
        ${problems.map(({ message, shown }, i) => note(message, `problem-${i}`, shown, true))}
        ${notes.map(({ text, because, source }, i) => note(text, `note-${i}`, because.length > 0, false, source))}
      </ul>
    </section>`;
}
