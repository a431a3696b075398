// The answer, line by line: who stands where, what scored, what has to be said beside it.
import { h, icon, say } from "../lib/dom.js";

export const plain = (points) => (points === null || points === undefined ? "?" : `${points}`.replace("-", "−"));
export const signed = (points) => (points > 0 ? `+${points}` : plain(points));

/** All players with their totals and how the last tap moved them; touching one shows their pieces. */
export function rankingBar(table, view, { choose, add }) {
  return h(
    "div",
    { class: "ranking", role: "group", "aria-label": say("ranking.title") },
    table.scores.map((score, i) => {
      const { name } = table.state.players[i];
      const open = table.open && score?.how !== "so-far";
      const moved = open ? 0 : table.moved[name];
      const winner = table.current && table.answer.winners.includes(name);
      return h(
        "button",
        { type: "button", class: `rank ${i === view.player ? "on" : ""} ${winner ? "winner" : ""}`, "aria-pressed": i === view.player ? "true" : "false", "data-key": `rank-${i}`, onclick: () => choose(i) },
        h("span", { class: "rank-name" }, name || "—", winner && h("span", { class: "crown", role: "img", "aria-label": say("dispute.winner") })),
        h("span", { class: `rank-total ${open ? "stale" : ""}` }, h("span", {}, score ? plain(score.total) : "–"), table.problem && h("span", { class: `rank-how ${open ? "open" : ""}` }, say(open ? "dispute.waits" : "dispute.so-far")), moved ? h("span", { class: `moved ${moved < 0 ? "down" : "up"}` }, signed(moved)) : null),
      );
    }),
    add && h("button", { type: "button", class: "rank more", "data-key": "rank-add", "aria-label": say("dispute.add-player"), onclick: add }, icon("plus")),
  );
}

/**
 * The lines of the player who is shown, with the pieces of the touched one (`pieces()`) below it. While the case is not
 * complete, what this player has so far; if it is this player who is not, the last good lines, greyed.
 */
export function breakdownCard(table, view, { light, pieces, soFar }) {
  const i = view.player;
  const player = table.scores[i];
  if (!player) return null;
  const on = (l) => view.line?.[0] === i && view.line?.[1] === l;
  return h(
    "section",
    { class: `card points ${player.how}`, "aria-label": say("points.title") },
    h("div", { class: "points-head" }, h("h2", {}, player.name), TAGS[player.how] && h("span", { class: `tag ${player.how === "stale" ? "warn" : ""}` }, say(TAGS[player.how]))),
    table.waiting.length > 0 && h("p", { class: "small waiting" }, say("dispute.waiting", { for: table.waiting.join(" · ") })),
    h("p", { class: "small quiet" }, say("dispute.touch")),
    h("ul", {}, player.lines.map((line, l) => h("li", {}, lineButton(line, `${i}-${l}`, on(l), () => light(i, l)), on(l) && pieces()))),
    player.lines.length === 0 && h("p", { class: "quiet" }, say("dispute.nothing-yet")),
    h("p", { class: "sum" }, h("span", {}, say("points.sum")), h("strong", { id: "total" }, plain(player.total))),
    table.current && h("p", { class: "small winners" }, winners(table.answer, soFar)),
  );
}

const TAGS = { "so-far": "dispute.provisional", stale: "dispute.last-good" };

/** Who wins; `soFar`: it may still change. */
export function winners(answer, soFar) {
  if (!answer.winners.length) return say("dispute.no-winner");
  return say(soFar ? "dispute.winners-so-far" : "dispute.winners", { names: answer.winners.join(say("comma")) });
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
export function notesCard(table, view, { light, pieces }) {
  const { answer } = table;
  if (!table.current || !answer.notes.length) return null; // notes on another state would mislead
  return h(
    "section",
    { class: "card notes", "aria-label": say("notes.title") },
    h("h2", {}, say("notes.title")),
    h(
      "ul",
      {},
      answer.notes.map((text, i) =>
        h("li", {}, answer.note_details[i].because.length ? h("button", { type: "button", class: `line note ${view.note === i ? "on" : ""}`, "aria-pressed": view.note === i ? "true" : "false", "data-key": `note-${i}`, onclick: () => light(i) }, h("span", {}, text)) : h("p", { class: "note-text" }, text), view.note === i && pieces()),
      ),
    ),
  );
}
