// What a table still lacks before there are points.
import { closeUp } from "../../evidence/overlay.js";
import { button, html, icon, say, svg } from "../../lib/dom.js";
import { isAsked } from "./entries.js";
import { isTile, piecesOf } from "./piece_bar.js";
import { setUpCard } from "./set_up.js";

/** Contradictions that are asked about at a time. */
const MOST_ASKED = 2;

/**
 * Why there are no points yet, and what to do about it: areas proposed from where pieces lie, see `setUpCard` (`change`
 * also draws them anew); `ask` opens what has to be typed.
 */
export function lacks(live, on) {
  return [
    howToLay(live),
    ...unreadable(live),
    ...contradictions(live, on),
    setUpCard(live, on) || lacking(live, on),
    ...secrets(live, on),
  ];
}

/** At the end of a game: what was secret until then, to be opened with one tap each. */
function secrets({ shown, isNow }, on) {
  if (!shown?.players.length || !isNow || shown.case.state.goes_on) return [];
  return on.secrets(shown.case.state).map(
    ({ player, key, words, choices }) => html`
      <div class="message calm lack secret" data-for="player" role="group" aria-label=${words}>
        ${icon("hand")}<strong>${words}</strong>
        <div class="row">${choices.map(
          ({ value, label, art }, i) => html`
          <button class="color-key" data-key="secret-${player}-${i}" aria-label=${label} title=${label}
            onclick=${() => on.tell(player, key, value)}>${art}</button>`,
        )}</div>
      </div>`,
  );
}

/** Before a game begins: what this camera sees too small, or not at all, and what to do. */
function unreadable({ shown, isNow, drawing, table }) {
  if (!shown || !isNow || drawing || table.game?.moves.length) return [];
  const blind = table.faces && piecesOf(shown).every(isTile) ? [say("live.no-cards")] : [];
  return [...shown.coarse, ...blind].map(
    (words) => html`<p class="message lack" role="status">${icon("warn")}<span>${words}</span></p>`,
  );
}

/** Before the first picture: how each player's cards are to lie, drawn. */
function howToLay({ shown, given, isNow }) {
  if (shown || !isNow || !given.lay.length) return null;
  const [wide, high, gap, apart] = [22, 30, 4, 24];
  const across = (row) => row.reduce((sum, [n]) => sum + n * (wide + gap) + apart, -apart);
  const groups = given.lay.flatMap((row, r) => {
    let x = 0;
    return row.map(([n, name]) => {
      const at = x;
      x += n * (wide + gap) + apart;
      const y = r * (high + 30);
      return svg`
        <g transform="translate(${at} ${y})">
          ${Array.from({ length: n }, (_, i) => svg`<rect x=${i * (wide + gap) + 1} y="1" width=${wide} height=${high} rx="3"/>`)}
          <text x="1" y=${high + 17}>${say(`live.lay.${name}`)}</text>
        </g>`;
    });
  });
  const [width, height] = [Math.max(...given.lay.map(across)), given.lay.length * (high + 30)];
  return html`
    <section class="card stack how-laid">
      <strong>${say("live.lay")}</strong>
      <svg viewBox="0 0 ${width} ${height}" width=${width * 1.4} height=${height * 1.4} aria-hidden="true">${groups}</svg>
      <p class="small quiet">${say(`live.lay-how.${given.game}`)}</p>
    </section>`;
}

/** What the box or a rule refuses: the cards of which one was misread, each to be put right with a tap, or all right. */
function contradictions({ shown, isNow, drawing }, on) {
  if (!shown || !isNow || drawing) return [];
  const { size } = shown.case.evidence[0];
  return shown.case.contradictions.slice(0, MOST_ASKED).map(({ message, pieces }) => {
    const cards = piecesOf(shown).filter(({ id }) => pieces.includes(id));
    return html`
      <div class="message lack contradiction" role="group" aria-label=${say("live.contradiction")} data-for="player">
        ${icon("warn")}<div class="stack">
          <strong>${say("live.contradiction")}</strong><span class="small">${message}</span>
          <div class="row">${cards.map(
            (piece) => html`
            <button class="crop" data-key="crop-${piece.id}" onclick=${() => on.look(piece.id)}>
              ${closeUp(on.picture(shown), size, piece.polygon, 1.15)}<span class="small">${piece.label}</span>
            </button>`,
          )}</div>
          <div class="row">${button(`right-${pieces[0]}`, say("live.contradiction-right"), () => on.right(cards), { kind: "plain" })}</div>
        </div>
      </div>`;
  });
}

function lacking({ shown, given, isNow, drawing, table }, { change, ask: askFor }) {
  const problem = shown?.case.problem;
  if (!problem || drawing) return null;
  const calm = isAsked(given.typed, shown.case.state);
  const ask = (of, words, key, go, act) => html`
    <div class="message lack ${calm && "calm"}" role="status">
      ${icon(calm ? "hand" : "warn")}<strong>${say(words)}</strong>
      ${isNow && button(key, say(go), act, { kind: "main-action", of })}
    </div>`;
  const wait = table.faces ? "live.no-areas-yet" : given.learns ? "live.no-row" : "live.no-areas";
  if (!shown.players.length) return ask("host", wait, "draw-areas", "live.draw-areas", change);
  const key = given.typed.asked;
  if (isAsked(given.typed, shown.case.state))
    return ask("player", `live.ask.${key}`, "choose-rule", `live.ask.${key}-choose`, askFor);
  return html`
    <p class="message">${icon("warn")}<span><strong>${say("live.no-score")}</strong> <span>${problem.message}</span></span></p>`;
}
