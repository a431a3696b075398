// The sheet of a player and stage: its panes, or why there is none and what to do about it.

import { button, html, say } from "../../lib/dom.js";
import { segments } from "../../lib/widgets.js";
import { cornersPane, openCorners } from "./corners_pane.js";
import { doubtBars } from "./doubt_bars.js";
import { panes, toolMenu, wide } from "./sheet_panes.js";
import { photoButton } from "./uploads.js";

export function sheetColumn(play, player, photos, moving) {
  const sheet = player.sheets[play.stage];
  const there = () =>
    sheet.known ? panes(play, player, photos, moving) : !sheet.failed && [moving, noSheet(play, player, photos)];
  const beside = !wide.matches && sheet.known && !play.corners && toolMenu(play, player, photos);
  return html`
    <div class="sheets">
      <div class="sheet-head" data-of="photo questions">${stageSwitch(play, player)}${beside}${!play.corners && sheet.known && doubtBars(play, player, photos)}</div>
      ${sheet.failed && !play.corners && html`<div data-of="photo">${failedMessage(play, player, photos)}</div>`}
      ${play.corners ? html`<div data-of="photo">${cornersPane(play, player)}</div>` : there()}
    </div>`;
}

function stageSwitch(play, player) {
  const there = () => html`<span class="dot" role="img" aria-label=${say("stage.there")}></span>`;
  const words = (stage) => [say(`stage.${stage}`), player.sheets[stage].known && there()];
  const stages = ["first", "end"].map((stage) => [stage, words(stage)]);
  return segments(say("stage.title"), stages, play.stage, (stage) => play.chooseStage(stage), "stage");
}

function noSheet(play, player, photos) {
  const add = (files) => photos.add(files, player.id);
  const byHand = () => {
    play.draws = true;
    play.table.say({ kind: "by-hand", player: player.id, stage: play.stage });
  };
  return html`
    <section class="card empty" data-of="photo">
      <h2>${say("sheet.none", { name: player.name })}</h2>
      <p>${say(play.stage === "first" ? "sheet.none-first" : "sheet.none-end")}</p>
      <div class="row" data-for="player">
        ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera-player" }, add)}
        ${photoButton({ label: say("photo.file"), id: "file-player" }, add)}
        ${button("by-hand", say("sheet.by-hand"), byHand, { kind: "plain", sign: "hand" })}
      </div>
    </section>`;
}

function failedMessage(play, player, photos) {
  const { failed, known } = player.sheets[play.stage];
  const add = (files) => photos.add(files, player.id);
  const forget = () => {
    player.sheets[play.stage].failed = null;
  };
  const dismiss = () =>
    play.table.say({ kind: known ? "dismiss" : "by-hand", player: player.id, stage: play.stage }, forget);
  const other = play.players.length > 1 && !Object.values(player.sheets).some((sheet) => sheet.known);
  const leave = () => play.table.say({ kind: "remove-player", player: player.id });
  return html`
    <div class="message failed" role="alert">
      <img class="thumb big" src="/photos/${failed.photo}.jpg" alt=${say("photo.failed")}>
      <div>
        <p><strong>${failed.message}</strong></p>
        ${known && html`<p class="small">${say("photo.kept")}</p>`}
        <div class="row" data-for="player">
          ${photoButton({ label: say("photo.again"), camera: true, main: true, id: "camera-again" }, add)}
          ${photoButton({ label: say("photo.other"), id: "file-again" }, add)}
          ${button("show-corners", say("photo.corners"), () => openCorners(play, failed))}
          ${button("dismiss", say(known ? "dismiss" : "sheet.by-hand"), dismiss, { kind: "plain" })}
          ${other && button("leave", say("player.remove"), leave, { kind: "plain danger" })}
        </div>
      </div>
    </div>`;
}
