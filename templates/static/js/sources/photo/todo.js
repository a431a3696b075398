// What is still to be said of a player, and the three screens of a phone that lead there.
import { undoButtons } from "../../case/undo.js";
import { html, say } from "../../lib/dom.js";
import { topics } from "../../lib/widgets.js";
import { isIdle, UNLIT } from "./play_view.js";
import { questions } from "./questions.js";
import { wide } from "./sheet_panes.js";

const TABS = ["photo", "questions", "points"];

const escapeOpen = ({ players }) => players.some(({ escaped_known: known }) => !known);

const asked = (play, player, stage) =>
  questions(play.table.view, player, stage, play.seatOf(player)).filter((one) => !isIdle(one)).length;

/** What has not been said of a player, each with the way to it. */
function missing(play, player) {
  const { sheets } = player;
  return [
    !player.goals_known && [say("todo.goals"), () => go(play, "goals"), "questions"],
    escapeOpen(play) && [say("todo.escape"), () => go(play, "escape"), "questions"],
    lacksSquare(player) && [say("todo.first"), () => go(play, "first"), "questions"],
    !sheets.end.known && [say("stage.end"), () => play.chooseStage("end", "photo"), "photo"],
  ].filter(Boolean);
}

const lacksSquare = ({ sheets, first_square: square }) => !sheets.first.known && square === null;

/** The questions of a player, of which a low screen shows one at a time: each with whether it is open. */
const topicsOf = (play, player) =>
  [
    isDoubtful(play, player) && ["check", say("todo.check"), true],
    ["goals", say("todo.goals"), !player.goals_known],
    ["escape", say("todo.escape"), escapeOpen(play)],
    ["first", say("todo.rest"), lacksSquare(player)],
  ].filter(Boolean);

function isDoubtful(play, player) {
  const { known, letters_hard: hard, troubles } = player.sheets[play.stage];
  const open = () => questions(play.table.view, player, play.stage, play.seatOf(player)).length;
  return known && (hard || troubles.length > 0 || open() > 0);
}

/** The one that a low screen shows: the chosen one, else the first that was open when this player was turned to. */
export function topicOf(play, player) {
  const all = topicsOf(play, player);
  if (play.topic?.player !== player.id || !all.some(([id]) => id === play.topic.shown)) {
    const [shown] = all.find(([, , open]) => open) ?? all[0];
    play.topic = { player: player.id, shown };
  }
  return play.topic.shown;
}

function topicKeys(play, player) {
  const all = topicsOf(play, player).map(([id, words, open]) => [id, [words, open && openDot("left")]]);
  const show = (shown) => play.show({ topic: { player: player.id, shown } });
  return html`<div class="topic-row" data-of="questions" data-for="player">${topics(say("entries.title"), all, topicOf(play, player), show, "topic")}</div>`;
}

const openDot = (kind = "dot") => html`<span class=${kind} role="img" aria-label=${say("todo.title")}></span>`;

/** Whether there can be no result yet because of this player. */
const isOpen = (play, player) =>
  missing(play, player).length > 0 || ["first", "end"].some((stage) => asked(play, player, stage));

/** Whether what was tapped last is taken back beside the result: on a phone nothing else stands above that. */
export const stepsInResult = (play) => play.isOver && play.tab === "points" && !wide.matches;

/** What is open, each a way to it; once nothing is of this player, the others of whom something is. */
export function todo(play, player) {
  const open = (stage) => {
    const n = asked(play, player, stage);
    const key = n ? "todo.doubtful" : player.sheets[stage].letters_hard && "todo.letters";
    return key ? [[say(key, { n, stage: say(`stage.${stage}`) }), () => play.chooseStage(stage, "questions")]] : [];
  };
  const things = [...open(play.stage === "end" ? "first" : "end"), ...missing(play, player)];
  if (play.isOver) things.push([say("finish.title"), () => chooseTab(play, "points")]);
  else if (!isOpen(play, player)) {
    const others = play.players.filter((other) => isOpen(play, other));
    things.push(...others.map(({ id, name }) => [name, () => play.show({ ...UNLIT, player: id })]));
  }
  const chip = ([words, act, at = null], i) =>
    html`<button class="todo-chip ${play.isOver && "done"}" data-key="todo-${i}" data-at=${at} onclick=${act}>${words}</button>`;
  return html`
    <section class="todo" aria-label=${say("todo.title")}>
      ${play.table.view.demo && html`<p class="small demo-words">${say("demo.words")}</p>`}
      <div class="todo-row" data-for="player">
        ${!stepsInResult(play) && html`<div class="steps">${undoButtons(play)}</div>`}
        <p class="small quiet">${say(things.length && !play.isOver ? "todo.title" : "todo.done", player)}</p>
        <div class="todo-chips">${things.map(chip)}</div>
      </div>
      ${topicKeys(play, player)}
    </section>`;
}

/** To a field of the questions. */
function go(play, id) {
  play.topic = { player: play.current.id, shown: id };
  chooseTab(play, "questions");
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "center" });
  place?.querySelector("button, input")?.focus({ preventScroll: true });
}

export function tabs(play, player) {
  const open = {
    photo: play.players.some(({ sheets }) => !sheets.end.known),
    questions: isOpen(play, player),
  };
  const tab = (name) => html`
    <button class="tab ${play.tab === name && "on"}" aria-pressed=${play.tab === name} data-key="tab-${name}"
      onclick=${() => chooseTab(play, name)}>${say(`tab.${name}`)}${open[name] && openDot()}</button>`;
  return html`<nav class="tabs" aria-label=${say("tab.title")}>${TABS.map(tab)}</nav>`;
}

/** Show one of a phone's screens, from its top. */
export function chooseTab(play, tab) {
  if (tab !== play.tab && tab !== "questions") play.topic = null; // it is chosen anew on the way back
  play.show({ tab, unfolded: false, tools: false });
  scrollTo({ top: 0 });
}
