// What a sheet's reading is not sure of, in bars above it, each with what to do: answer, compare, photograph, show the grid.
import { button, html, icon, may, say } from "../../lib/dom.js";
import { whenFree } from "../../lib/redraw_gate.js";
import { openCorners } from "./corners_pane.js";
import { lettersDialog } from "./letters.js";
import { isIdle, matters } from "./play_view.js";
import { causeOf, lettersAsked, questionDialog, questionList, questions, weight } from "./questions.js";
import { sheetOf } from "./sheet_edits.js";
import { hasTouch, photoButton } from "./uploads.js";

export function doubtBars(play, player, photos) {
  const sheet = player.sheets[play.stage];
  const open = questions(play.table.view, player, play.stage, play.seatOf(player));
  const asked = open.filter((question) => !isIdle(question));
  const idle = open.length - asked.length;
  const weighty = asked.filter(matters);
  const most = Math.max(0, ...weighty.map(weight));
  const count = [
    say("check.count", { n: asked.length }),
    weighty.length > 0 && html`<small>${say("check.weighty", { n: weighty.length, most })}</small>`,
  ];
  const cause = play.isWaved(player) ? null : causeOf(player, play.stage, open);
  const wave = button("wave", say(`check.${cause}-no`), () => play.wave(player), { kind: "file-button", of: "player" });
  const places = () => play.show({ tab: "photo" });
  if (cause === "two-sheets") return [bar(say("check.two-sheets"), ["two-sheets", say("check.move"), places], wave)];
  if (cause === "grid")
    return [bar(say("check.grid"), ["grid-maybe", say("photo.grid-wrong"), () => openCorners(play, sheet)], wave)];
  if (cause === "by-corners") return [bar(say("check.by-corners"), null, wave)];
  const closer = () => html`
    <div data-for="player" title=${say("photo.closer-about")}>${photoButton({ label: say("photo.closer"), camera: hasTouch(), id: "closer" }, (files) => photos.addCloser(files, player))}</div>`;
  return [
    ...sheet.troubles.map((trouble) => bar(say(`check.trouble.${trouble}`), null, sheet.photo && closer())),
    asked.length > 0 &&
      bar(count, sheet.flat && ["check", say("check.start"), () => check(play, player)], sheet.photo && closer()),
    asked.length > 0 &&
      sheet.flat &&
      may("player") &&
      questionList(sheet, asked, (key) => check(play, player, false, key)),
    idle > 0 &&
      sheet.flat &&
      button("check-idle", say("check.idle", { n: idle }), () => check(play, player, true), {
        kind: "plain idle",
        of: "player",
      }),
    sheet.letters_hard &&
      bar(say(sheet.two_toned ? "letters.two-toned" : "letters.hard"), [
        "letters-hard",
        say("letters.compare"),
        () => compareLetters(play, player),
      ]),
  ];
}

/** @param {any} words @param {any[] | false} action a button's key, words and act */
function bar(words, action, more = null) {
  const [key, label, act] = action || [];
  const answer = action && button(key, label, act, { of: "player" });
  return html`<div class="doubt-bar">${icon("warn")}<span>${words}</span>${answer}${more}</div>`;
}

/** Ask what can change the points; `all`: what cannot, too. `first`: the key of the question to begin with. */
function check(play, player, all = false, first = null) {
  const { stage, table } = play;
  const at = sheetOf(table, player, stage);
  const seat = () => play.seatOf(at.player());
  const apart = new Set();
  questionDialog({
    profile: table.view.sheet,
    sheet: at.sheet,
    total: () => play.case.answer?.players[seat()],
    open: () => questions(table.view, at.player(), stage, seat(), apart).filter((one) => all || !isIdle(one)),
    answer: ({ row, col, letter, track, kinds }, value) =>
      track
        ? at.setTicks(track, value)
        : kinds
          ? at.setCells(value)
          : letter
            ? at.setLetters([[letter, row, col, value]])
            : at.setCell(row, col, value),
    split: ({ key }) => apart.add(key),
    closed: () => whenFree(() => back("check")),
    first,
  });
}

export function compareLetters(play, player) {
  const { stage, table } = play;
  const { sheet, player: owner, setLetters } = sheetOf(table, player, stage);
  const how = { asked: () => lettersAsked(owner(), stage), answer: setLetters };
  lettersDialog({ profile: table.view.sheet, sheet, ...how, closed: () => whenFree(() => back("letters")) });
}

/** Where the keyboard goes on when a dialog has closed whose button may be gone. */
function back(key) {
  const lost = document.activeElement === document.body || !document.activeElement;
  const there = (one) => document.querySelector(`[data-key="${one}"]`);
  if (lost) (there(key) ?? there("letters") ?? there("tools"))?.focus();
}
