// The answer, line by line: who stands where, what scored, what has to be said beside it.
import { h, icon, say } from "../lib/dom.js";

export const plain = (points) => (points === null || points === undefined ? "?" : `${points}`.replace("-", "−"));
export const signed = (points) => (points > 0 ? `+${points}` : plain(points));

/** All players with their totals and how the last tap moved them; touching one shows their pieces. */
export function rankingBar(table, view, { choose, add }) {
  const scored = Object.fromEntries((table.answer?.players ?? []).map((player) => [player.name, player]));
  return h(
    "div",
    { class: `ranking ${table.current ? "" : "stale"}`, role: "group", "aria-label": say("ranking.title") },
    table.state.players.map(({ name }, i) => {
      const moved = table.current ? table.moved[name] : 0;
      const winner = table.answer?.winners.includes(name);
      return h(
        "button",
        { type: "button", class: `rank ${i === view.player ? "on" : ""} ${winner ? "winner" : ""}`, "aria-pressed": i === view.player ? "true" : "false", "data-key": `rank-${i}`, onclick: () => choose(i) },
        h("span", { class: "rank-name" }, name || "—", winner && h("span", { class: "crown", role: "img", "aria-label": say("dispute.winner") })),
        h("span", { class: "rank-total" }, scored[name] ? plain(scored[name].total) : "–", moved ? h("span", { class: `moved ${moved < 0 ? "down" : "up"}` }, signed(moved)) : null),
      );
    }),
    add && h("button", { type: "button", class: "rank more", "data-key": "rank-add", "aria-label": say("dispute.add-player"), onclick: add }, icon("plus")),
  );
}

/** The lines of the player who is shown. While the case is not complete, the last good ones, greyed. */
export function breakdownCard(table, view, { light }) {
  const name = table.state.players[view.player]?.name;
  const found = (table.answer?.players ?? []).findIndex((player) => player.name === name);
  const i = found < 0 && !table.current ? Math.min(view.player, (table.answer?.players.length ?? 0) - 1) : found;
  const player = table.answer?.players[i];
  if (!player) return null;
  return h(
    "section",
    { class: `card points ${table.current ? "" : "stale"}`, "aria-label": say("points.title") },
    h("div", { class: "points-head" }, h("h2", {}, player.name), !table.current && h("span", { class: "tag" }, say("dispute.last-good"))),
    h("p", { class: "small quiet" }, say("dispute.touch")),
    h("ul", {}, player.lines.map((line, l) => h("li", {}, lineButton(line, `${i}-${l}`, view.line?.[0] === i && view.line?.[1] === l, () => light(i, l))))),
    player.lines.length === 0 && h("p", { class: "quiet" }, say("dispute.nothing-yet")),
    h("p", { class: "sum" }, h("span", {}, say("points.sum")), h("strong", { id: "total" }, plain(player.total))),
    table.current && h("p", { class: "small winners" }, table.answer.winners.length ? say("dispute.winners", { names: table.answer.winners.join(say("comma")) }) : say("dispute.no-winner")),
  );
}

function lineButton(line, key, on, act) {
  return h(
    "button",
    { type: "button", class: `line ${on ? "on" : ""} ${line.points === 0 ? "zero" : ""}`, "aria-pressed": on ? "true" : "false", "data-line": key, "data-key": `line-${key}`, onclick: act },
    h("span", { class: "line-words" }, h("span", {}, line.label), h("span", { class: "small quiet" }, line.source.section)),
    h("span", { class: `line-points ${line.points < 0 ? "minus" : ""}` }, signed(line.points)),
  );
}

/** Rulings that were needed, broken rules that were seen, switched readings. */
export function notesCard(table, view, { light }) {
  const { answer } = table;
  if (!answer?.notes.length) return null;
  return h(
    "section",
    { class: `card notes ${table.current ? "" : "stale"}`, "aria-label": say("notes.title") },
    h("h2", {}, say("notes.title")),
    h(
      "ul",
      {},
      answer.notes.map((text, i) =>
        h("li", {}, answer.note_details[i].because.length ? h("button", { type: "button", class: `line note ${view.note === i ? "on" : ""}`, "aria-pressed": view.note === i ? "true" : "false", "data-key": `note-${i}`, onclick: () => light(i) }, h("span", {}, text)) : h("p", { class: "note-text" }, text)),
      ),
    ),
  );
}
