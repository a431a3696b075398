// A case on one sheet of paper: every player's pieces and lines, what was ruled, and the way back to it.
import { plain, signed, whoThen, winners } from "../breakdown/breakdown.js";
import { scoreTable } from "../breakdown/finish.js";
import { html, redraw, say } from "../lib/dom.js";
import { drawing } from "./share.js";

const MM = 96 / 25.4;
const WIDTH = 186;
const HEIGHT = 272;
const SMALLEST = 0.45;

/**
 * Put the case onto the paper, as small as one sheet of A4 asks for.
 * @param {Element} place @param {object} outcome see outcome.js. @param {object} more `name` of the game, `picture(i)` of
 *   a player's pieces, `setup` in a line, `link` with its QR code, `problems` of what was seen, each with a `message`.
 */
export function drawPaper(place, outcome, more) {
  redraw(place, paper(outcome, more));
  const sheet = /** @type {HTMLElement} */ (place.firstElementChild);
  for (let zoom = 1; zoom >= SMALLEST; zoom -= 0.05) {
    sheet.style.zoom = `${zoom}`;
    sheet.style.width = `${WIDTH / zoom}mm`;
    if (sheet.getBoundingClientRect().height <= HEIGHT * MM) return;
  }
}

function paper(outcome, { name, picture, setup = null, link = null, problems = [] }) {
  const { answer, state, current, problem, scores } = outcome;
  const open = problem ? `${say("dispute.unfinished")} ${problem.message}` : say("offline");
  const notes = [...problems.map(({ message }) => message), ...(current ? outcome.notes.map(({ text }) => text) : [])];
  const rows = (score) => (score && score.how !== "stale" ? score.lines : []);
  const player = (row, i) => html`
    <section class="paper-player">
      <h2>
        <span>${row.name}</span>
        <strong>
          ${scores[i]?.how === "so-far" && html`<span class="paper-how">${say("dispute.so-far")}</span>`}
          ${scores[i]?.how === "stale" ? "–" : plain(scores[i]?.total)}
        </strong>
      </h2>
      ${picture(i)}
      <table>${rows(scores[i]).map(tableRow)}</table>
    </section>`;
  return html`
    <article class="paper players-${state.players.length}">
      <header class="paper-head">
        <div>
          <h1>${name}</h1>
          ${setup && html`<p>${setup}</p>`}
          ${current ? html`<p class="paper-winner">${winners(answer)}</p>` : html`<p class="paper-open">${open}</p>`}
        </div>
        ${link?.qr && html`<div class="paper-qr">${drawing(link.qr)}</div>`}
      </header>
      ${current && outcome.rows.length > 0 && scoreTable(outcome)}
      <div class="paper-players">${state.players.map(player)}</div>
      ${notes.length > 0 && part(say("notes.title"), notes)}
      ${
        current &&
        answer.rulings.length > 0 &&
        part(
          say("dispute.readings"),
          answer.rulings.map((one) => ruling(one, answer)),
        )
      }
    </article>`;
}

const tableRow = ({ label, source, points }) =>
  html`<tr><td>${label}<span class="paper-source">${source.section}</span></td><td class="paper-points">${signed(points)}</td></tr>`;

const part = (title, items) =>
  html`<section class="paper-notes"><h3>${title}</h3><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;

function ruling(one, answer) {
  const points = Object.entries(one.totals).map(([who, total]) => `${who} ${plain(total)}`);
  const words = say("dispute.paper-other", { text: one.other.text, totals: points.join(say("list.comma")) });
  const then = [words, whoThen(one, answer)].filter(Boolean).join(" · ");
  return [
    html`<strong>${one.question}</strong>`,
    ` ${one.taken.text} — ${then} `,
    html`<span class="paper-source">${one.basis}</span>`,
  ];
}
