// What can be done with a whole table: what is typed for it, undone, drawn, learned, ended.
import { undoButtons } from "../../case/undo.js";
import { button, html, may, say } from "../../lib/dom.js";

/** @param {import("./live_table.js").LiveTable} live @param {object} on what each button does; `steps`: see undo.js. */
export function toolbar(live, { steps, entries, zones, over, newGame, next, stop }) {
  const { given, running, isNow, shown, table } = live;
  const rule = shown?.case.state.rule;
  const known = rule !== undefined;
  const words = html`<span class="rule">${known ? say("live.rule", { n: rule }) : say("live.table-entries")}</span>`;
  const long = known && html`<span class="wide-only quiet">${live.term(`sheet.${rule}`)}</span>`;
  const learns = running && given.learns && Object.values(table.profile ?? {}).some(({ markers }) => markers);
  return html`
    <div class="row">
      ${running ? table.settled && button("table-entries", [words, long], entries, { of: "player" }) : known && words}
      ${isNow && may("player") && html`<div class="steps">${undoButtons(steps)}</div>`}
      ${isNow && button("zones", say("live.zones"), zones, { of: "host" })}
      ${learns && html`<a class="button" data-for="host" href="/live/${given.table}/colors" data-key="colors">${say("live.colors")}</a>`}
      ${isNow && table.settled?.case.state.goes_on && button("over", say("live.over"), over, { of: "player" })}
      ${isNow && table.settled && newGameButton(newGame, next)}
      ${running && !given.photos && button("stop", say("live.stop"), stop, { kind: "danger", of: "host" })}
    </div>`;
}

export const newGameButton = (begin, next = null, kind = "") =>
  button("new-game", say(next ? "finish.next" : "finish.new"), begin, { of: "host", kind });
