// What can be done with a whole table: what is typed for it, undone, drawn, learned, ended.
import { undoButtons } from "../../case/undo.js";
import { html, may, say } from "../../lib/dom.js";

/** @param {import("./live_table.js").LiveTable} live @param {object} on what each button does; `steps`: see undo.js. */
export function toolbar(live, { steps, entries, zones, over, newGame, stop }) {
  const { given, running, isNow, shown, table } = live;
  const rule = shown?.state.rule;
  const known = rule !== undefined;
  const words = html`<span class="rule">${known ? say("live.rule", { n: rule }) : say("live.table-entries")}</span>`;
  const long = known && html`<span class="wide-only quiet">${live.term(`sheet.${rule}`)}</span>`;
  const button = (of, key, act, ...children) =>
    html`<button class="button" data-for=${of} data-key=${key} onclick=${act}>${children}</button>`;
  const learns = running && given.learns && Object.values(table.profile ?? {}).some(({ markers }) => markers);
  return html`
    <div class="row">
      ${running ? table.settled && button("player", "table-entries", entries, words, long) : known && words}
      ${isNow && may("player") && undoButtons(steps)}
      ${isNow && button("host", "zones", zones, say("live.zones"))}
      ${learns && html`<a class="button" data-for="host" href="/live/${given.table}/colors" data-key="colors">${say("live.colors")}</a>`}
      ${isNow && table.settled?.state.goes_on && button("player", "over", over, say("live.over"))}
      ${isNow && table.settled && newGameButton(newGame)}
      ${running && html`<button class="button danger" data-for="host" data-key="stop" onclick=${stop}>${say("live.stop")}</button>`}
    </div>`;
}

export const newGameButton = (begin) =>
  html`<button class="button" data-for="host" data-key="new-game" onclick=${begin}>${say("finish.new")}</button>`;
