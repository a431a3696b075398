// The breakdown, line by line, with what each line lights up.
import { h, icon, say } from "../lib/dom.js";

const plain = (points) => (points === null ? "?" : `${points}`.replace("-", "−"));
const signed = (points) => (points > 0 ? `+${points}` : plain(points));

/** A player's lines. `lit` is the index of the line that is lit, `counted` those that count the cell under the finger. */
export function pointsCard(player, { lit, counted, light }) {
  if (!player.lines.length) return null;
  return h(
    "section",
    { class: "card points", "aria-label": say("points.title") },
    h("div", { class: "points-head" }, h("h2", {}, say("points.title")), player.so_far && h("span", { class: "tag warn" }, say("points.so-far"))),
    h("p", { class: "small quiet" }, say("points.touch")),
    h(
      "ul",
      {},
      player.lines.map((line, i) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: `line ${lit === i ? "on" : ""} ${counted.includes(i) ? "counted" : ""} ${line.points === 0 ? "zero" : ""}`,
              "aria-pressed": lit === i ? "true" : "false",
              "data-key": `line-${i}`,
              onclick: () => light(lit === i ? null : i),
            },
            h("span", { class: "line-words" }, h("span", {}, line.label), h("span", { class: "small quiet" }, line.source)),
            h("span", { class: `line-points ${line.points < 0 ? "minus" : ""}` }, signed(line.points)),
          ),
        ),
      ),
    ),
    h("p", { class: "sum" }, h("span", {}, say("points.sum")), h("strong", { id: "total" }, plain(player.total))),
  );
}

/** Who stands where; touching a player shows their sheet. */
export function rankingBar(view, { current, choose, add }) {
  return h(
    "div",
    { class: "ranking", role: "group", "aria-label": say("ranking.title") },
    view.ranking.map((row) =>
      h(
        "button",
        {
          type: "button",
          class: `rank ${row.id === current ? "on" : ""} ${row.winner ? "winner" : ""}`,
          "aria-pressed": row.id === current ? "true" : "false",
          "data-key": `rank-${row.id}`,
          onclick: () => choose(row.id),
        },
        h("span", { class: "place" }, row.place ? `${row.place}` : "–"),
        h("span", { class: "rank-name" }, row.name),
        h("span", { class: "rank-total" }, row.total === null ? "–" : plain(row.total)),
      ),
    ),
    h("button", { type: "button", class: "rank more", "data-key": "rank-add", "aria-label": say("player.add"), onclick: add }, icon("plus")),
  );
}

/** Notes of this player and of the game, and open questions of the rulebook that matter here. */
export function notesCard(view, player, { litNote, light, charge }) {
  const ofOthers = (note) => note.marks.players.length && !note.marks.players.includes(player.id);
  const notes = view.notes.map((note, i) => [note, i]).filter(([note]) => !ofOthers(note));
  const blocks = notes.some(([note]) => note.key === "ruin.blocks") || view.charge_blocks;
  if (!notes.length && !view.rulings.length && !blocks) return null;
  return h(
    "section",
    { class: "card notes", "aria-label": say("notes.title") },
    h("h2", {}, say("notes.title")),
    h(
      "ul",
      {},
      notes.map(([note, i]) =>
        h(
          "li",
          {},
          note.marks.cells.length
            ? h("button", { type: "button", class: `line note ${litNote === i ? "on" : ""}`, "aria-pressed": litNote === i ? "true" : "false", "data-key": `note-${i}`, onclick: () => light(litNote === i ? null : i) }, h("span", {}, note.text), h("span", { class: "show small" }, say("notes.show")))
            : h("p", { class: "note-text" }, note.text),
        ),
      ),
    ),
    blocks &&
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", checked: view.charge_blocks, "data-key": "charge", onchange: (event) => charge(event.target.checked) }),
        h("span", {}, say("notes.charge")),
      ),
    view.rulings.map((ruling) =>
      h(
        "details",
        { class: "ruling" },
        h("summary", {}, ruling.question),
        h("p", { class: "small" }, say("ruling.taken", { text: ruling.taken })),
        h("p", { class: "small" }, say("ruling.other", { text: ruling.other })),
        h("p", { class: "small" }, say("ruling.totals", { totals: ruling.totals.map(([name, total]) => `${name} ${plain(total)}`).join(say("comma")) })),
      ),
    ),
  );
}
