// What a table still lacks before there are points.
import { button, html, icon, say } from "../../lib/dom.js";
import { isAsked } from "./entries.js";
import { isTile, piecesOf } from "./piece_bar.js";

function proposal(live, { take, change, refuse }) {
  const areas = Object.keys(live.proposed);
  if (!areas.length) return null;
  const taken = async ({ currentTarget: button }) => {
    button.disabled = true; // the picture is read anew, which takes a moment
    await take();
    button.disabled = false; // where that failed it can be pressed again
  };
  return html`
    <div class="message lack" role="status">
      ${icon("hand")}<strong>${say("live.areas-proposed", { areas: areas.map((zone) => live.nameOf(zone)).join(", ") })}</strong>
      ${button("take-areas", say("live.areas-take"), taken, { kind: "main-action" })}
      ${button("change-areas", say("live.areas-change"), change)}
      ${button("refuse-areas", say("live.areas-refuse"), refuse, { kind: "plain" })}
    </div>`;
}

/**
 * Why there are no points yet, and what to do about it: areas proposed from where cards lie, to `take`, to `change` (also to
 * draw them anew) or to `refuse`; `ask` opens what has to be typed.
 */
export function lacks(live, on) {
  return [...unreadable(live), proposal(live, on) || lacking(live, on), ...secrets(live, on)];
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
  const wait = given.faces ? "live.no-areas-yet" : "live.no-areas";
  if (!shown.players.length) return ask("host", wait, "draw-areas", "live.draw-areas", change);
  const key = given.typed.asked;
  if (isAsked(given.typed, shown.case.state))
    return ask("player", `live.ask.${key}`, "choose-rule", `live.ask.${key}-choose`, askFor);
  return html`
    <p class="message">${icon("warn")}<span><strong>${say("live.no-score")}</strong> <span>${problem.message}</span></span></p>`;
}
