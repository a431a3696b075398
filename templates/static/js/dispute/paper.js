// The case on one sheet of paper: every player's pieces and lines, what was ruled, and the way back to it.
import { html, say } from "../lib/dom.js";
import { plain, signed, winners } from "./breakdown.js";
import { whoThen } from "./readings.js";
import { drawing } from "./share.js";

const MM = 96 / 25.4;
const WIDTH = 186;
const HEIGHT = 272;
const SMALLEST = 0.45;

/** Make the paper as small as one sheet of A4 asks for. */
export function fitPaper(sheet) {
  for (let zoom = 1; zoom >= SMALLEST; zoom -= 0.05) {
    sheet.style.zoom = zoom;
    sheet.style.width = `${WIDTH / zoom}mm`;
    if (sheet.getBoundingClientRect().height <= HEIGHT * MM) return;
  }
}

export function paper(table, view, { name, picture, setup }) {
  const { answer, state } = table;
  return html`
    <article class="paper players-${state.players.length}">
      <header class="paper-head">
        <div>
          <h1>${name}</h1>
          ${setup && html`<p>${setup}</p>`}
          ${!table.current && html`<p class="paper-open">${table.problem ? `${say("dispute.unfinished")} ${table.problem.message}` : table.trouble}</p>`}
          ${table.current && html`<p class="paper-winner">${winners(answer)}</p>`}
        </div>
        ${view.link?.qr && html`<div class="paper-qr">${drawing(view.link.qr)}</div>`}
      </header>
      <div class="paper-players">
        ${state.players.map((player, i) => {
          const scored = table.scores[i];
          return html`
          <section class="paper-player">
            <h2>
              <span>${player.name}</span>
              <strong>
                ${scored?.how === "so-far" && html`<span class="paper-how">${say("dispute.so-far")}</span>`}
                ${scored?.how === "stale" ? "–" : plain(scored?.total)}
              </strong>
            </h2>
            ${picture(i)}
            <table>
              ${(scored && scored.how !== "stale" ? scored.lines : []).map(
                (line) => html`
                <tr>
                  <td>${line.label}<span class="paper-source">${line.source.section}</span></td>
                  <td class="paper-points">${signed(line.points)}</td>
                </tr>`,
              )}
            </table>
          </section>`;
        })}
      </div>
      ${
        table.current &&
        answer.notes.length > 0 &&
        html`
        <section class="paper-notes">
          <h3>${say("notes.title")}</h3>
          <ul>${answer.notes.map((note) => html`<li>${note}</li>`)}</ul>
        </section>`
      }
      ${
        table.current &&
        answer.rulings.length > 0 &&
        html`
        <section class="paper-notes">
          <h3>${say("dispute.readings")}</h3>
          <ul>
            ${answer.rulings.map(
              (ruling) => html`
              <li>
                <strong>${ruling.question}</strong>
                ${" "}
                ${ruling.taken.text}
                ${" — "}
                ${say("dispute.paper-other", {
                  text: ruling.other.text,
                  totals: Object.entries(ruling.totals)
                    .map(([who, total]) => `${who} ${plain(total)}`)
                    .join(say("list.comma")),
                })}
                ${whoThen(ruling, answer) && ` · ${whoThen(ruling, answer)}`}
                <span class="small">${ruling.basis}</span>
              </li>`,
            )}
          </ul>
        </section>`
      }
    </article>`;
}
