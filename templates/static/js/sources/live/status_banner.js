// One line over the picture: what the camera does, and what is wrong.
import { button, html, icon, say } from "../../lib/dom.js";
import { phoneCode } from "../../lib/phone_code.js";
import { clock } from "./history.js";

/** What the camera does now, or that an earlier state is looked at: `to` leads to a row, or back to now; `again` follows it anew; `count`: what lies there counts. */
export function statusBanner(live, { to, again, count }) {
  const { status } = live;
  if (live.at !== null) {
    const row = live.rows.find(({ number }) => number === live.at);
    const words = row ? say("live.looking-back", { time: clock(row) }) : "";
    return banner(
      "past",
      words,
      button("back-to-now", say("live.to-now"), () => to(null)),
    );
  }
  if (live.offline) return banner("lost", say("live.offline"));
  const stays =
    live.table.settled?.case.answer?.players.length > 0 && html` <span class="stays">${say("live.stays")}</span>`;
  if (status.phase === "lost") {
    return banner("lost", html`<strong>${status.words}</strong>`, html`<span>${status.why}</span>`, stays);
  }
  if (["stopped", "ended", "broken"].includes(status.phase)) {
    const goesOn = live.given.demo || status.phase !== "stopped" || !live.running;
    const kind = status.phase === "broken" ? "lost" : "calm";
    return banner(
      kind,
      `${status.words} ${status.why}`,
      goesOn && button("again", say("live.again"), again, { of: "host" }),
    );
  }
  if (status.unkept) return banner("lost", status.why);
  const { settled, game } = live.table;
  const rests = status.phase === "resting" && !status.new;
  const [kind, text] = rests ? atRest(settled, game, status) : [status.phase, status.why || status.words];
  const was = rests && settled?.waits?.at && live.rowAt(settled.waits.at);
  return banner(
    kind,
    html`<span class="pulse" aria-hidden="true"></span>`,
    html`<span>${text}${!rests && kind === "waiting" && !status.new && [" ", stays]}</span>`,
    was && button("to-points", say("live.waits.show"), () => to(was.number)),
    rests && settled?.waits?.unexplained && button("as-it-lies", say("live.waits.count"), count, { of: "player" }),
    status.waits && phoneCode(),
  );
}

/** What is said of a table at rest: of which moment the points are, and what is waited for. */
function atRest(settled, game, status) {
  if (settled?.case.problem) return ["resting", say("live.rests")];
  if (settled?.waits) {
    const { at } = settled.waits;
    const what = settled.waits.for.join(" ");
    return ["waiting", at ? say("live.waits", { time: clock({ at }), what }) : say("live.waits.start", { what })];
  }
  if (settled?.case.answer?.players.some(({ total }) => total === null)) return ["resting", say("live.rests.open")];
  return game?.question ? ["waiting", say("live.waits.question")] : ["resting", status.words];
}

function banner(kind, ...children) {
  return html`<div class="banner ${kind}" role=${kind === "lost" ? "alert" : "status"}>${children}</div>`;
}

/** So many questions are open; a touch shows the next one. */
export const doubtsButton = (n, next) => html`
  <button class="doubts" data-for="player" data-key="doubts" onclick=${next}>
    ${icon("warn")}
    <span>${say("live.doubt", { n })}</span>
    <span class="doubts-go">${say("live.check")}</span>
  </button>`;
