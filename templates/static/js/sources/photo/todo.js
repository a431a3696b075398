// What is still to be said of a player, and the tabs that lead there on a phone.
import { html, say } from "../../lib/dom.js";
import { nextPlayer } from "./places.js";
import { isIdle, UNLIT } from "./play_view.js";
import { questions } from "./questions.js";

const TABS = ["points", "cards", "escape", "photo"];
const OF_PLAYERS = ["cards", "escape"];
const GAP = 10; // CSS pixels between the map and what slides under it

const escapeOpen = ({ players }) => players.some(({ escaped_known: known }) => !known);

const asked = (play, player, stage) =>
  questions(play.table.view, player, stage, play.seatOf(player)).filter((one) => !isIdle(one)).length;

/** What has not been said of a player, each with the way to it. */
function missing(play, player) {
  const { sheets } = player;
  return [
    !player.goals_known && [say("todo.goals"), () => go(play, "cards", "goals")],
    escapeOpen(play) && [say("todo.escape"), () => go(play, "escape", "escape")],
    !sheets.first.known && player.first_square === null && [say("todo.first"), () => go(play, "escape", "first")],
    !sheets.end.known && [say("stage.end"), () => play.chooseStage("end")],
  ].filter(Boolean);
}

/** Whether there can be no result yet because of this player. */
const isOpen = (play, player) =>
  missing(play, player).length > 0 || ["first", "end"].some((stage) => asked(play, player, stage));

/** What is open, each a way to it; once nothing is of this player, the others of whom something is. */
export function todo(play, player) {
  const open = (stage) => {
    const n = asked(play, player, stage);
    const key = n ? "todo.doubtful" : player.sheets[stage].letters_hard && "todo.letters";
    return key ? [[say(key, { n, stage: say(`stage.${stage}`) }), () => play.chooseStage(stage)]] : [];
  };
  const things = [...open(play.stage === "end" ? "first" : "end"), ...missing(play, player)];
  if (play.isOver) things.push([say("finish.title"), () => chooseTab(play, "points")]);
  else if (!isOpen(play, player)) {
    const others = play.players.filter((other) => isOpen(play, other));
    things.push(...others.map(({ id, name }) => [name, () => play.show({ ...UNLIT, player: id })]));
  }
  const chip = ([words, act], i) =>
    html`<button class="todo-chip ${play.isOver && "done"}" data-key="todo-${i}" onclick=${act}>${words}</button>`;
  return html`
    <section class="todo" aria-label=${say("todo.title")}>
      ${play.table.view.demo && html`<p class="small demo-words">${say("demo.words")}</p>`}
      <div class="todo-row" data-for="player">
        <p class="small quiet">${say(things.length && !play.isOver ? "todo.title" : "todo.done", player)}</p>
        ${things.map(chip)}
      </div>
    </section>`;
}

function go(play, tab, id) {
  chooseTab(play, tab);
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "center", behavior: "smooth" });
  place?.querySelector("button, input")?.focus({ preventScroll: true });
}

export function tabs(play, player) {
  const open = { cards: !player.goals_known, escape: escapeOpen(play) };
  const next = { photo: nextPlayer(play.players, play.stage, player)?.name };
  const tab = (name) => html`
    <button class="tab ${play.tab === name && "on"}" data-for=${OF_PLAYERS.includes(name) && "player"} aria-pressed=${play.tab === name} data-key="tab-${name}"
      onclick=${() => chooseTab(play, name)}>${say(`tab.${name}`)}${next[name] && html`<small>${next[name]}</small>`}${open[name] && html`<span class="dot"></span>`}</button>`;
  return html`<nav class="tabs" aria-label=${say("tab.title")}>${TABS.map(tab)}</nav>`;
}

/** Show a tab, right below the map that stays in sight, or beside it. */
function chooseTab(play, tab) {
  play.show({ tab });
  const visible = [...document.querySelectorAll(`[data-of~="${tab}"], [data-of~="${tab}"] > *`)];
  const first = visible.find((element) => element.getBoundingClientRect().height > 0);
  const map = document.querySelector(".map")?.getBoundingClientRect();
  const place = first?.getBoundingClientRect();
  const under = map && place?.left < map.right; // held sideways a phone shows it beside the map
  const top = document.querySelector(".top");
  const stays = getComputedStyle(top).position === "sticky";
  const below = (stays ? top.getBoundingClientRect().height : 0) + (under ? map.height : 0);
  if (place && innerHeight > below) scrollBy(0, place.top - below - GAP);
}
