// A sheet over its photo and flattened, what stands lit on it, and what a touch of a cell does.
import { linesOf } from "../../breakdown/highlight.js";
import { piecesAt } from "../../evidence/places.js";
import { drawSheet, flatFrame, onPicture, photoFrame } from "../../evidence/sheet.js";
import { button, html, say } from "../../lib/dom.js";
import { cellBar } from "./cell_bar.js";
import { openCorners } from "./corners_pane.js";
import { compareLetters } from "./doubt_bars.js";
import { comparable } from "./letters.js";
import { UNLIT } from "./play_view.js";
import { lettersAsked } from "./questions.js";
import { sheetOf } from "./sheet_edits.js";
import { photoButton } from "./uploads.js";

export const wide = matchMedia("(min-width: 900px)");
const NEXT = { ".": "o", o: "#", "#": "." };

/** `moving`: the picture of a camera that follows the sheets, or nothing. */
export function panes(play, player, photos, moving) {
  const sheet = player.sheets[play.stage];
  const both = wide.matches && sheet.photo;
  const { sheet: profile } = play.table.view;
  const look = lookOf(play, player);
  const view = (kind, words, frame, more) =>
    html`<figure class="view ${kind}"><figcaption class="small quiet">${say(words)}</figcaption>${drawSheet(frame, profile, sheet, { ...look, ...more })}</figure>`;
  const main = { main: true, label: say("view.label", { name: player.name }) };
  const flat = () =>
    view("flat", sheet.photo ? "view.flat" : "view.by-hand", flatFrame(profile, sheet, wide.matches), main);
  const seesPhoto = sheet.photo && play.pane === "photo";
  const bar = cellBar(profile, sheetOf(play.table, player, play.stage), play.cell, countsFor(play));
  return html`
    <div class="panes">
      ${moving}
      <div class="map">
        <div class="views ${both && "both"}">${(both || seesPhoto) && view("photo", "view.photo", photoFrame(sheet))}${(both || !seesPhoto) && flat()}</div>
        ${play.cell && bar}
      </div>
      ${!play.cell && html`<div data-of="photo">${bar}</div>`}
      ${wide.matches && tools(play, player, photos)}
    </div>`;
}

/** What can be done to the shown sheet, behind one button: a phone has no room for a row of them. */
export function toolMenu(play, player, photos) {
  const turn = () => play.show({ tools: !play.tools });
  return html`
    <div class="tool-menu" data-of="photo">
      ${button("tools", say("tool.menu"), turn, { kind: "plain", pressed: play.tools })}
      ${play.tools && tools(play, player, photos)}
    </div>`;
}

/** What can be done to the shown sheet. */
function tools(play, player, photos) {
  const sheet = player.sheets[play.stage];
  const both = wide.matches && sheet.photo;
  const retake = (files) => {
    play.tools = false;
    photos.add(files, player.id);
  };
  const letters = sheet.flat && comparable(play.table.view.sheet, sheet, lettersAsked(player, play.stage)).length > 0;
  const letter = () => {
    play.drawn();
    compareLetters(play, player);
  };
  const pane = play.pane === "flat" ? "photo" : "flat";
  const tool = (key, words, act, pressed) => {
    const once = () => {
      play.tools = false;
      act();
    };
    return button(key, words, once, { kind: "plain", pressed });
  };
  return html`
    <div class="tools row" data-of="photo">
      ${!both && sheet.photo && tool("pane", say(`view.${pane}`), () => play.show({ pane }))}
      ${sheet.photo && tool("marks", say(play.marks ? "view.hide" : "view.show"), () => play.show({ marks: !play.marks }), play.marks)}
      <div class="row" data-for="player">
        ${tool("draw", say("tool.draw"), () => play.show({ draws: !play.draws, cell: null }), play.draws)}
        ${letters && tool("letters", say("letters.open"), letter)}
        ${sheet.photo && tool("grid-wrong", say("photo.grid-wrong"), () => openCorners(play, sheet))}
        ${sheet.photo && photoButton({ label: say("photo.retake"), id: "retake" }, retake)}
      </div>
    </div>`;
}

/** How a player's sheet is looked at, as `drawSheet` takes it. */
function lookOf(play, player, stage = play.stage) {
  const { sheet: profile } = play.table.view;
  const sheet = player.sheets[stage];
  const seat = play.seatOf(player);
  const { lit } = play;
  const line = play.line && play.scored.scores[play.line[0]]?.lines[play.line[1]];
  const walled = stage === "end" ? player.walled_over.map((letter) => profile.letters[letter]) : [];
  const id = (row, col) => `${seat}.${stage}.${row}.${col}`;
  return {
    id,
    lit: piecesAt(play.case, lit),
    missing: piecesAt(play.case, play.missing),
    chosen: play.cell && stage === play.stage && player === play.current ? id(...play.cell) : null,
    fresh: play.table.view.camera?.running ? sheet.changed : [],
    way: line?.key === "ruin.route.joined",
    litTracks: ["gems", "penalties"].filter((track) => lit.includes(`/players/${seat}/${track}`)),
    ticks: stage === "end" || !player.sheets.end.known ? player.ticks : sheet.ticks,
    disagree: [...player.disagree[stage], ...walled],
    marks: play.marks,
    focus: play.focus,
    onTap: (row, col) => tap(play, player, row, col),
    onOver: (cell) => over(play, cell),
    onEnter: play.draws ? null : (row, col) => toKeys(play, row, col),
    onFocus: (row, col) => play.show({ focus: [row, col], cell: [row, col] }),
  };
}

/** Every followed sheet lies on the moving picture; lines light cells of all players, and a tap there chooses one. */
export function movingPicture(play, following) {
  const followed = following.on ? play.seated.filter(({ sheets }) => sheets.end.lattice) : [];
  const onOne = (player) => [
    play.table.view.sheet,
    player.sheets.end,
    { ...lookOf(play, player, "end"), marks: false },
  ];
  return following.picture(followed.length ? onPicture(followed.map(onOne)) : null, (piece) => {
    const player = play.seated[piece?.split(".")[0]];
    if (player) play.show({ ...UNLIT, player: player.id, stage: "end" });
  });
}

/** A tap looks, and brings the keys that change the cell into sight; where drawing was chosen it changes the cell. */
function tap(play, player, row, col) {
  const { map } = player.sheets[play.stage];
  const again = !play.draws && play.cell?.join() === `${row},${col}`;
  Object.assign(play, { focus: [row, col], line: null, note: null, cell: again ? null : [row, col] });
  if (play.draws) sheetOf(play.table, player, play.stage).setCell(row, col, NEXT[map[row][col]]);
  else {
    play.drawn();
    document.querySelector(".cell-keys")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }
}

/** From the keyboard: on to the keys that change the cell. */
function toKeys(play, row, col) {
  play.show({ focus: [row, col], cell: [row, col], line: null, note: null });
  document.querySelector(".cell-key.on")?.focus();
}

let overCell = null;
function over(play, cell) {
  if (`${cell}` === `${overCell}`) return;
  overCell = cell;
  const places = [cell, play.cell].filter(Boolean).flatMap((one) => play.cellPlaces(one));
  const counted = linesOf(play.scored.scores, places);
  for (const line of document.querySelectorAll(".points .line"))
    line.classList.toggle("counted", counted.has(line.dataset.line));
}

/** The labels of the lines that count the chosen cell. */
function countsFor(play) {
  if (!play.cell || !play.case.state) return [];
  const { scores } = play.scored;
  const keys = [...linesOf(scores, play.cellPlaces(play.cell))].map((key) => key.split("-"));
  return keys.map(([i, l]) => scores[i].lines[l].label);
}
