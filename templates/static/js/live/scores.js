// What everyone has: totals at a glance, and each player's lines.
import { plain, signed } from "../dispute/breakdown.js";
import { h, icon, say } from "../lib/dom.js";

const SIGNS = ["●", "■", "▲", "◆", "★", "✚", "⬟", "⬢"];

/** A sign and a color for each player, so that neither is needed alone. */
export const sign = (p) => h("span", { class: `player-sign player-${p}`, "aria-hidden": "true" }, SIGNS[p % SIGNS.length]);

/** All totals in one row, with what the last state moved. */
export function board(settled, moved, { jump }) {
  const { players } = settled.state;
  const scored = settled.answer?.players ?? [];
  return h(
    "div",
    { class: `tally ${settled.answer ? "" : "stale"} of-${Math.min(players.length, 8)}`, role: "group", "aria-label": say("ranking.title") },
    players.map(({ name }, p) => {
      const winner = settled.answer?.winners.includes(name);
      return h(
        "button",
        { type: "button", class: `score player-${p} ${winner ? "winner" : ""}`, "data-key": `score-${p}`, onclick: () => jump(p) },
        h("span", { class: "score-name" }, sign(p), h("span", {}, name), winner && h("span", { class: "crown", role: "img", "aria-label": say("live.leads") })),
        h("span", { class: "score-total", "data-total": name }, scored[p] ? plain(scored[p].total) : "–"),
        moved[name] ? h("span", { class: `moved ${moved[name] < 0 ? "down" : "up"}` }, signed(moved[name])) : null,
      );
    }),
  );
}

/** A player's lines. Touching one lights its tiles. */
export function playerCard(settled, p, { lit, counted, light, note, past, chips, more }) {
  const row = settled.state.players[p];
  const player = settled.answer?.players[p];
  const lines = player?.lines ?? [];
  return h(
    "section",
    { class: `card player-card player-${p}`, id: `player-${p}`, "aria-label": row.name },
    h(
      "div",
      { class: "player-top" },
      h("h2", {}, sign(p), h("span", {}, row.name)),
      player && h("strong", { class: "player-total" }, plain(player.total)),
    ),
    player && h("ul", { class: "lines" }, lines.map((line, l) => h("li", {}, lineButton(line, `${p}-${l}`, { on: lit === `${p}-${l}`, counted: counted.has(`${p}-${l}`), act: () => light(p, l) })))),
    player && lines.length === 0 && h("p", { class: "quiet nothing" }, say("live.nothing-yet")),
    player && Object.keys(player.choices ?? {}).length > 0 && h("p", { class: "small quiet choice-used" }, note(player)),
    !past && h("div", { class: "player-foot" }, chips, h("button", { type: "button", class: "button more", "data-key": `more-${p}`, onclick: more }, icon("hand"), say("live.more"))),
  );
}

function lineButton(line, key, { on, counted, act }) {
  return h(
    "button",
    { type: "button", class: `line ${on ? "on" : ""} ${counted ? "counted" : ""} ${line.points === 0 ? "zero" : ""}`, "aria-pressed": on ? "true" : "false", "data-line": key, "data-key": `line-${key}`, onclick: act },
    h("span", { class: "line-words" }, h("span", {}, line.label), h("span", { class: "small quiet source" }, line.source.section)),
    h("span", { class: `line-points ${line.points < 0 ? "minus" : ""}` }, signed(line.points)),
  );
}
