// Which piece the card of a round had: one tap, for who wants turns to be judged by it. Nobody is asked.
import { html, say, svg } from "../../lib/dom.js";
import { fold, stepper } from "../../lib/widgets.js";

const SIDE = 5;
/** Cells that every picture is wide and high, so that all cells look alike large. */

/** The pictures of all pieces, folded. `round` is shown, `last` is the last one; `turn` shows another, `tell` says its piece, or that none is known. */
export function cardPieces({ all, told }, round, { last, turn, tell }) {
  const key = (piece, i) => {
    const on = told[round] === piece;
    const label = say("piece.cells", { n: piece.split("#").length - 1, i: i + 1 });
    return html`
      <button class="key ${on && "on"}" data-key="piece-${piece}" aria-label=${label} aria-pressed=${on}
        onclick=${() => tell(on ? null : piece)}>${picture(piece)}</button>`;
  };
  return fold(
    say("piece.title"),
    "piece",
    false,
    html`
      <div class="stack" data-for="player" role="group" aria-label=${say("piece.round-of", { round })}>
        <p class="small quiet">${say("piece.about")}</p>
        ${stepper({ label: say("piece.round"), value: round, least: 1, most: last, key: "piece", set: turn })}
        <div class="keys">${all.map(key)}</div>
      </div>`,
  );
}

function picture(piece) {
  const rows = piece.split("/");
  const [x, y] = [(SIDE - rows[0].length) / 2, (SIDE - rows.length) / 2];
  const cells = rows.flatMap((row, r) =>
    [...row].map(
      (mark, c) =>
        mark === "#" && svg`<rect x=${x + c + 0.06} y=${y + r + 0.06} width="0.88" height="0.88" rx="0.12"/>`,
    ),
  );
  return svg`<svg class="piece-picture" viewBox="0 0 ${SIDE} ${SIDE}" aria-hidden="true">${cells}</svg>`;
}
