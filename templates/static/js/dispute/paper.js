// The case on one sheet of paper: every player's pieces and lines, what was ruled, and the way back to it.
import { h, say } from "../lib/dom.js";
import { plain, signed, winners } from "./breakdown.js";
import { drawing } from "./share.js";

const MM = 96 / 25.4;
const WIDTH = 186;
const HEIGHT = 272;
const SMALLEST = 0.45;

/** Make the paper as small as one sheet of A4 asks for. */
export function fitPaper(sheet) {
  for (let zoom = 1; zoom >= SMALLEST; zoom -= 0.05) {
    sheet.style.zoom = zoom;
    sheet.style.width = `${WIDTH / zoom}mm`;
    if (sheet.getBoundingClientRect().height <= HEIGHT * MM) return;
  }
}

export function paper(table, view, { name, picture, setup, soFar }) {
  const { answer, state } = table;
  return h(
    "article",
    { class: `paper players-${state.players.length}` },
    h("header", { class: "paper-head" }, h("div", {}, h("h1", {}, name), setup && h("p", {}, setup), !table.current && h("p", { class: "paper-open" }, table.problem ? `${say("dispute.unfinished")} ${table.problem.message}` : table.trouble), table.current && h("p", { class: "paper-winner" }, winners(answer, soFar))), view.link?.qr && h("div", { class: "paper-qr" }, drawing(view.link.qr))),
    h(
      "div",
      { class: "paper-players" },
      state.players.map((player, i) => {
        const scored = table.scores[i];
        return h(
          "section",
          { class: "paper-player" },
          h("h2", {}, h("span", {}, player.name), h("strong", {}, scored?.how === "so-far" && h("span", { class: "paper-how" }, say("dispute.so-far")), scored?.how === "stale" ? "–" : plain(scored?.total))),
          picture(i),
          h("table", {}, (scored && scored.how !== "stale" ? scored.lines : []).map((line) => h("tr", {}, h("td", {}, line.label, h("span", { class: "paper-source" }, line.source.section)), h("td", { class: "paper-points" }, signed(line.points))))),
        );
      }),
    ),
    table.current && answer.notes.length > 0 && h("section", { class: "paper-notes" }, h("h3", {}, say("notes.title")), h("ul", {}, answer.notes.map((note) => h("li", {}, note)))),
    table.current && answer.rulings.length > 0 && h("section", { class: "paper-notes" }, h("h3", {}, say("dispute.readings")), h("ul", {}, answer.rulings.map((ruling) => h("li", {}, h("strong", {}, ruling.question), " ", ruling.taken.text, " — ", say("dispute.paper-other", { text: ruling.other.text, totals: Object.entries(ruling.totals).map(([who, total]) => `${who} ${plain(total)}`).join(say("comma")) }), ruling.winners.join() !== answer.winners.join() && ` · ${ruling.winners.length ? say("dispute.would-win", { names: ruling.winners.join(say("comma")) }) : say("dispute.would-none")}`)))),
  );
}
