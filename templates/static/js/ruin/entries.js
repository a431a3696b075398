// What no photo can know: goal cards, the round of escape, the first stage's square, ticks; a few taps each.
import { h, icon, say } from "../lib/dom.js";
import { roundKeys } from "./rounds.js";

/** The card of entries. `goalStart` is the first letter of a goal card that is being entered. */
export function entriesCard(view, player, { goalStart, startGoal, tell, firstPhoto }) {
  return h(
    "section",
    { class: "card entries", id: "entries", "aria-label": say("entries.title") },
    h("h2", {}, say("entries.title")),
    goals(view, player, goalStart, startGoal, tell),
    escape(player, tell),
    firstSquare(player, tell, firstPhoto),
    ticks(player, tell),
  );
}

function goals(view, player, start, startGoal, tell) {
  const letters = Object.keys(view.sheet.letters).sort();
  const set = (list) => tell({ kind: "goals", player: player.id, goals: list }, () => Object.assign(player, { goals: list, goals_known: true }));
  const choose = (letter) => {
    if (start === null) startGoal(letter);
    else if (start === letter) startGoal(null);
    else {
      startGoal(null);
      const pair = [start, letter].sort();
      if (!player.goals.some((goal) => goal.join() === pair.join())) set([...player.goals, pair]);
    }
  };
  const joined = (i) => player.lines.some((line) => line.key === "ruin.route.joined" && line.marks.fields.some(([, field]) => field === `goals/${i}`));
  return h(
    "fieldset",
    { id: "goals" },
    h("legend", {}, say("goals.title")),
    !letters.length && h("p", { class: "quiet" }, say("goals.no-letters")),
    h(
      "ul",
      { class: "chips" },
      player.goals.map(([a, b], i) =>
        h(
          "li",
          { class: `chip ${joined(i) ? "joined" : ""}` },
          h("span", {}, `${a} – ${b}`),
          joined(i) && h("span", { class: "yes", role: "img", "aria-label": say("goals.joined") }, icon("check")),
          h("button", { type: "button", class: "chip-close", "data-key": `goal-${a}${b}`, "aria-label": say("goals.remove", { a, b }), onclick: () => set(player.goals.filter((_, n) => n !== i)) }, icon("close")),
        ),
      ),
      start !== null && h("li", { class: "chip started" }, `${start} – ?`),
    ),
    letters.length > 0 && h("p", { class: "small quiet", role: "status" }, start === null ? say("goals.first") : say("goals.second", { letter: start })),
    h(
      "div",
      { class: "keys" },
      letters.map((letter) => h("button", { type: "button", class: `key ${start === letter ? "on" : ""}`, "data-key": `letter-${letter}`, "aria-pressed": start === letter ? "true" : "false", onclick: () => choose(letter) }, letter)),
    ),
    !player.goals_known && !player.goals.length && letters.length > 0 && h("button", { type: "button", class: "button plain", "data-key": "no-goals", onclick: () => set([]) }, say("goals.none")),
  );
}

function escape(player, tell) {
  const set = (round) => tell({ kind: "escaped", player: player.id, round }, () => Object.assign(player, { escaped: round, escaped_known: true }));
  return h(
    "fieldset",
    { id: "escape" },
    h("legend", {}, say("escape.title")),
    !player.escaped_known && h("p", { class: "small ask" }, say("escape.unknown")),
    h("div", { class: "keys" }, roundKeys({ round: player.escaped_known ? player.escaped : undefined, never: say("escape.never"), set })),
  );
}

function firstSquare(player, tell, firstPhoto) {
  const first = player.sheets.first.known;
  const set = (cells) => tell({ kind: "first-square", player: player.id, cells }, () => Object.assign(player, { first_square: cells }));
  return h(
    "fieldset",
    { id: "first" },
    h("legend", {}, say("first.title")),
    h("p", { class: "small quiet" }, say(first ? "first.from-photo" : "first.how")),
    h(
      "div",
      { class: "row" },
      h("label", {}, h("span", { class: "only-read" }, say("first.number")), h("input", { class: "field number", type: "number", inputmode: "numeric", min: 0, max: 121, placeholder: say("first.placeholder"), "data-key": "first-square", value: player.first_square ?? "", onchange: (event) => event.target.checkValidity() && set(event.target.value === "" ? null : Number(event.target.value)) })),
      !first && h("button", { type: "button", class: "button plain", "data-key": "first-photo", onclick: firstPhoto }, icon("camera"), say("first.photo")),
    ),
  );
}

function ticks(player, tell) {
  const row = (track) => {
    const count = player.ticks[track];
    const set = (next) => tell({ kind: "ticks", player: player.id, track, count: next }, () => (player.ticks[track] = next));
    return h(
      "div",
      { class: "stepper", role: "group", "aria-label": say(`ticks.${track}`) },
      h("span", { class: "stepper-name" }, say(`ticks.${track}`)),
      h("button", { type: "button", class: "key", "data-key": `${track}-less`, "aria-label": say("ticks.less", { track: say(`ticks.${track}`) }), disabled: count <= 0, onclick: () => set(count - 1) }, icon("minus")),
      h("output", { "aria-live": "polite" }, `${count}`),
      h("button", { type: "button", class: "key", "data-key": `${track}-more`, "aria-label": say("ticks.more", { track: say(`ticks.${track}`) }), disabled: count >= 99, onclick: () => set(count + 1) }, icon("plus")),
    );
  };
  return h("fieldset", { id: "ticks" }, h("legend", {}, say("ticks.title")), row("gems"), row("penalties"));
}
