// The breakdown, line by line, with what each line lights up.
import { html, icon, say } from "../lib/dom.js";

const plain = (points) => (points === null ? "?" : `${points}`.replace("-", "−"));
const signed = (points) => (points > 0 ? `+${points}` : plain(points));

/** A player's lines. `lit` is the index of the line that is lit, `counted` those that count the cell under the finger. */
export function pointsCard(player, { lit, counted, light }) {
  if (!player.lines.length) return null;
  return html`
    <section class="card points" aria-label=${say("points.title")}>
      <div class="points-head">
        <h2>${say("points.title")}</h2>
        ${player.so_far && html`<span class="tag warn">${say("points.so-far")}</span>`}
      </div>
      <p class="small quiet">${say("points.touch")}</p>
      <ul>
        ${player.lines.map(
          (line, i) =>
            html`
          <li>
            <button
                class="line ${lit === i && "on"} ${counted.includes(i) && "counted"} ${line.points === 0 && "zero"}"
                aria-pressed=${lit === i} data-key="line-${i}" onclick=${() => light(lit === i ? null : i)}>
              <span class="line-words">
                <span>${line.label}</span>
                <span class="small quiet">${line.source}</span>
              </span>
              <span class="line-points ${line.points < 0 && "minus"}">${signed(line.points)}</span>
            </button>
          </li>`,
        )}
      </ul>
      <p class="sum"><span>${say("points.sum")}</span><strong id="total">${plain(player.total)}</strong></p>
    </section>`;
}

/** Who stands where; touching a player shows their sheet. */
export function rankingBar(view, { current, choose, add }) {
  return html`
    <div class="ranking" role="group" aria-label=${say("ranking.title")}>
      ${view.ranking.map(
        (row) =>
          html`
        <button class="rank ${row.id === current && "on"} ${row.winner && "winner"}"
            aria-pressed=${row.id === current} data-key="rank-${row.id}" onclick=${() => choose(row.id)}>
          <span class="place">${row.place ? `${row.place}` : "–"}</span>
          <span class="rank-name">${row.name}</span>
          <span class="rank-total">${row.total === null ? "–" : plain(row.total)}</span>
        </button>`,
      )}
      <button class="rank more" data-key="rank-add" aria-label=${say("player.add")} onclick=${add}>
        ${icon("plus")}
      </button>
    </div>`;
}

/** Notes of this player and of the game, and open questions of the rulebook that matter here. */
export function notesCard(view, player, { litNote, light, charge }) {
  const ofOthers = (note) => note.marks.players.length && !note.marks.players.includes(player.id);
  const notes = view.notes.map((note, i) => [note, i]).filter(([note]) => !ofOthers(note));
  const blocks = notes.some(([note]) => note.key === "ruin.blocks") || view.charge_blocks;
  if (!notes.length && !view.rulings.length && !blocks) return null;
  return html`
    <section class="card notes" aria-label=${say("notes.title")}>
      <h2>${say("notes.title")}</h2>
      <ul>
        ${notes.map(
          ([note, i]) =>
            html`
          <li>
            ${
              note.marks.cells.length
                ? html`
              <button class="line note ${litNote === i && "on"}" aria-pressed=${litNote === i}
                  data-key="note-${i}" onclick=${() => light(litNote === i ? null : i)}>
                <span>${note.text}</span>
                <span class="show small">${say("notes.show")}</span>
              </button>`
                : html`<p class="note-text">${note.text}</p>`
            }
          </li>`,
        )}
      </ul>
      ${
        blocks &&
        html`
        <label class="check">
          <input type="checkbox" checked=${view.charge_blocks} data-key="charge"
              onchange=${(event) => charge(event.target.checked)}>
          <span>${say("notes.charge")}</span>
        </label>`
      }
      ${view.rulings.map(
        (ruling) =>
          html`
        <details class="ruling">
          <summary>${ruling.question}</summary>
          <p class="small quiet">${ruling.basis}</p>
          <p class="small">${say("ruling.taken", { text: ruling.taken })}</p>
          <p class="small">${say("ruling.other", { text: ruling.other })}</p>
          <p class="small">
            ${say("ruling.totals", { totals: ruling.totals.map(([name, total]) => `${name} ${plain(total)}`).join(say("list.comma")) })}
          </p>
        </details>`,
      )}
    </section>`;
}
