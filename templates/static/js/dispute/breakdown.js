// The answer, line by line: who stands where, what scored, what has to be said beside it.
import { html, icon, say } from "../lib/dom.js";

export const plain = (points) => (points === null || points === undefined ? "?" : `${points}`.replace("-", "−"));
export const signed = (points) => (points > 0 ? `+${points}` : plain(points));

/** All players with their totals and how the last tap moved them; touching one shows their pieces. */
export function rankingBar(table, view, { choose, add }) {
  return html`
    <div class="ranking" role="group" aria-label=${say("ranking.title")}>
      ${table.scores.map((score, i) => {
        const { name } = table.state.players[i];
        const open = table.open && score?.how !== "so-far";
        const moved = open ? 0 : table.moved[name];
        const winner = table.current && table.answer.winners.includes(name);
        return html`
        <button class="rank ${i === view.player && "on"} ${winner && "winner"}" aria-pressed=${i === view.player}
            data-key="rank-${i}" onclick=${() => choose(i)}>
          <span class="rank-name">
            ${name || "—"}
            ${winner && html`<span class="crown" role="img" aria-label=${say("dispute.winner")}></span>`}
          </span>
          <span class="rank-total ${open && "stale"}">
            <span>${score ? plain(score.total) : "–"}</span>
            ${table.problem && html`<span class="rank-how ${open && "open"}">${say(open ? "dispute.waits" : "dispute.so-far")}</span>`}
            ${moved ? html`<span class="moved ${moved < 0 ? "down" : "up"}">${signed(moved)}</span>` : null}
          </span>
        </button>`;
      })}
      ${add && html`<button class="rank more" data-key="rank-add" aria-label=${say("dispute.add-player")} onclick=${add}>${icon("plus")}</button>`}
    </div>`;
}

/**
 * The lines of the player who is shown, with the pieces of the touched one (`pieces()`) below it. While the case is not
 * complete, what this player has so far; if it is this player who is not, the last good lines, greyed.
 */
export function breakdownCard(table, view, { light, pieces }) {
  const i = view.player;
  const player = table.scores[i];
  if (!player) return null;
  const on = (l) => view.line?.[0] === i && view.line?.[1] === l;
  return html`
    <section class="card points ${player.how}" aria-label=${say("points.title")}>
      <div class="points-head">
        <h2>${player.name}</h2>
        ${TAGS[player.how] && html`<span class="tag ${player.how === "stale" && "warn"}">${say(TAGS[player.how])}</span>`}
      </div>
      ${table.waiting.length > 0 && html`<p class="small waiting">${say("dispute.waiting", { for: table.waiting.join(" · ") })}</p>`}
      <p class="small quiet">${say("dispute.touch")}</p>
      <ul>
        ${player.lines.map((line, l) => html`<li>${lineButton(line, `${i}-${l}`, on(l), () => light(i, l))}${on(l) && pieces()}</li>`)}
      </ul>
      ${player.lines.length === 0 && html`<p class="quiet">${say("dispute.nothing-yet")}</p>`}
      <p class="sum"><span>${say("points.sum")}</span><strong id="total">${plain(player.total)}</strong></p>
      ${table.current && html`<p class="small winners">${winners(table.answer)}</p>`}
    </section>`;
}

const TAGS = { "so-far": "dispute.provisional", stale: "dispute.last-good" };

/** Who has won, or who is ahead while the game goes on. */
export function winners({ winners, leading }) {
  if (winners.length) return say("dispute.winners", { names: winners.join(say("list.comma")) });
  if (leading.length) return say("dispute.winners-so-far", { names: leading.join(say("list.comma")) });
  return say("dispute.no-winner");
}

function lineButton(line, key, on, act) {
  return html`
    <button class="line ${on && "on"} ${line.points === 0 && "zero"}" aria-pressed=${on} data-line=${key}
        data-key="line-${key}" onclick=${act}>
      <span class="line-words">
        <span>${line.label}</span>
        <span class="small quiet">${line.source.section}</span>
      </span>
      <span class="line-points ${line.points < 0 && "minus"}">${signed(line.points)}</span>
    </button>`;
}

/** Rulings that were needed, broken rules that were seen, switched readings. */
export function notesCard(table, view, { light, pieces }) {
  const { answer } = table;
  if (!table.current || !answer.notes.length) return null; // notes on another state would mislead
  return html`
    <section class="card notes" aria-label=${say("notes.title")}>
      <h2>${say("notes.title")}</h2>
      <ul>
        ${answer.notes.map(
          (text, i) =>
            html`
          <li>
            ${
              answer.note_details[i].because.length
                ? html`
              <button class="line note ${view.note === i && "on"}" aria-pressed=${view.note === i}
                  data-key="note-${i}" onclick=${() => light(i)}>
                <span>${text}</span>
              </button>`
                : html`<p class="note-text">${text}</p>`
            }
            ${view.note === i && pieces()}
          </li>`,
        )}
      </ul>
    </section>`;
}
