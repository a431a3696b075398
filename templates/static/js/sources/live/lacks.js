// What a table still lacks before there are points.
import { button, html, icon, say } from "../../lib/dom.js";
import { isAsked } from "./entries.js";
import { isTile, piecesOf } from "./piece_bar.js";
import { setUpCard } from "./set_up.js";

/**
 * Why there are no points yet, and what to do about it: areas proposed from where pieces lie, see `setUpCard` (`change`
 * also draws them anew); `ask` opens what has to be typed.
 */
export function lacks(live, on) {
  return [...unreadable(live), setUpCard(live, on) || lacking(live, on), ...secrets(live, on)];
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
function unreadable({ shown, given, isNow, drawing, table }) {
  if (!shown || !isNow || drawing || table.game?.moves.length) return [];
  const blind = given.faces && piecesOf(shown).every(isTile) ? [say("live.no-cards")] : [];
  return [...shown.coarse, ...blind].map(
    (words) => html`<p class="message lack" role="status">${icon("warn")}<span>${words}</span></p>`,
  );
}

function lacking({ shown, given, isNow, drawing }, { change, ask: askFor }) {
  const problem = shown?.case.problem;
  if (!problem || drawing) return null;
  const calm = isAsked(given.typed, shown.case.state);
  const ask = (of, words, key, go, act) => html`
    <div class="message lack ${calm && "calm"}" role="status">
      ${icon(calm ? "hand" : "warn")}<strong>${say(words)}</strong>
      ${isNow && button(key, say(go), act, { kind: "main-action", of })}
    </div>`;
  const wait = given.faces ? "live.no-areas-yet" : given.learns ? "live.no-row" : "live.no-areas";
  if (!shown.players.length) return ask("host", wait, "draw-areas", "live.draw-areas", change);
  const key = given.typed.asked;
  if (isAsked(given.typed, shown.case.state))
    return ask("player", `live.ask.${key}`, "choose-rule", `live.ask.${key}-choose`, askFor);
  return html`
    <p class="message">${icon("warn")}<span><strong>${say("live.no-score")}</strong> <span>${problem.message}</span></span></p>`;
}
