// This device films the table: a few pictures a second go to the companion, through screen locks and lost networks.
import { send } from "../lib/api.js";
import { button, html, may, redraw, say } from "../lib/dom.js";
import { alarm } from "../lib/widgets.js";
import { allowed, cameras, Lens } from "./device.js";

const EVERY = 200;
const [WIDE, HIGH] = [1920, 1440];
const QUALITY = 0.8;
const LATER = [500, 1000, 2000, 4000];
const OVER = 8000;

const root = document.getElementById("film");
const lens = new Lens();
const place = html`<div class="stack"></div>`;
redraw(root, lens.video, place);

const page = {
  run: 0,
  problem: null,
  working: null,
  sent: [],
  side: 1280,
  state: "off",
  devices: [],
  device: null,
  lock: null,
};

async function start(id = page.device) {
  const run = ++page.run;
  Object.assign(page, { working: say("push.opening"), problem: null });
  render();
  try {
    if (!(await lens.open(id, { width: WIDE, height: HIGH }))) return;
    const { track } = lens;
    track.addEventListener("ended", () => lens.track === track && lost());
    track.addEventListener("mute", () => lens.track === track && show("paused"));
    page.device = track.getSettings().deviceId ?? null;
    page.devices = await cameras();
  } catch (error) {
    if (run !== page.run) return;
    lens.close();
    Object.assign(page, { working: null, problem: error.message, state: "off" });
    render();
    return;
  }
  page.working = null;
  page.state = "sending";
  stayAwake();
  render();
  loop(run);
}

function stop() {
  page.run++;
  lens.close();
  page.lock?.release().catch(() => {});
  Object.assign(page, { lock: null, state: "off", sent: [] });
  render();
}

/** The system has taken the camera away: it is taken up again when the page is seen again, or at once if it is. */
function lost() {
  show("paused");
  if (!document.hidden) setTimeout(() => page.state === "paused" && start(), 1000);
}

async function loop(run) {
  let failed = 0;
  while (run === page.run && lens.stream) {
    const began = performance.now();
    let wait = EVERY;
    const picture = document.hidden ? null : await lens.picture({ side: page.side, quality: QUALITY });
    if (picture && run === page.run) {
      const answer = await deliver(picture);
      if (run !== page.run) return;
      if (answer === "sending") {
        failed = 0;
        page.sent = [...page.sent.filter((at) => at > began - 3000), began];
      } else wait = LATER[Math.min(failed++, LATER.length - 1)];
      show(answer);
    }
    await new Promise((done) => setTimeout(done, Math.max(20, wait - (performance.now() - began))));
  }
}

async function deliver(picture) {
  try {
    // A network that is gone leaves requests hanging: then it is gone.
    const answer = await Promise.race([
      send("/api/live/push", picture),
      new Promise((_, fail) => setTimeout(() => fail(new Error("late")), OVER)),
    ]);
    page.side = answer.side; // what the reading needs
    return "sending";
  } catch (error) {
    if (error.status === 403) return "door";
    if (error.status === 409) return "no-table";
    return "gone";
  }
}

async function stayAwake() {
  page.lock = await navigator.wakeLock?.request("screen").catch(() => null);
}

function show(state) {
  page.state = state;
  render();
}

/** Film with the next camera of this device. */
function turn() {
  const ids = page.devices.map(({ id }) => id);
  start(ids[(ids.indexOf(page.device) + 1) % ids.length]);
}

function render() {
  const on = Boolean(lens.stream);
  lens.video.hidden = !on;
  const fps =
    page.sent.length > 1 ? ((page.sent.length - 1) / ((page.sent.at(-1) - page.sent[0]) / 1000)).toFixed(1) : "…";
  const words = page.state === "off" ? null : say(`push.${page.state}`, { fps });
  const disabled = !allowed || Boolean(page.working);
  const go = () => button("go", say("push.start"), () => start(), { kind: "main-action", sign: "camera", disabled });
  redraw(
    place,
    page.problem && alarm(page.problem),
    page.working && html`<p class="status" role="status"><span class="spinner"></span>${page.working}</p>`,
    !page.working &&
      words &&
      html`
      <p class="status ${page.state !== "sending" && "message"}" role="status" data-state=${page.state}>
        <span class="lamp ${page.state === "sending" ? "on" : "off"}"></span>
        <span>${words}</span>
      </p>`,
    page.state === "no-table" &&
      may("host") &&
      html`<p><a class="button" href="/live/" target="_blank">${say("push.follow")}</a></p>`,
    html`
      <div class="row">
        ${on || page.state === "paused" ? button("go", say("push.stop"), stop, { sign: "close" }) : go()}
        ${on && page.devices.length > 1 && button("turn", say("push.turn"), turn, { kind: "plain" })}
      </div>`,
    !allowed && html`<p>${say("camera.insecure")}${" "}<a href="/camera/phone">${say("camera.insecure-lead")}</a></p>`,
    on && html`<p class="small quiet">${say("push.awake")}</p>`,
  );
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || page.state === "off") return;
  const track = lens.track;
  if (!track || track.readyState === "ended" || track.muted) start();
  else {
    lens.video.play().catch(() => start());
    stayAwake();
  }
});
addEventListener("pagehide", () => lens.close());
addEventListener("pageshow", (event) => event.persisted && page.state !== "off" && start());
render();
