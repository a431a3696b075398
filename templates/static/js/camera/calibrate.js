// A camera is calibrated: live picture or photos in, what is missing said, coverage and error shown, the profile saved.
import { post, send } from "../lib/api.js";
import { html, icon, redraw, say, svg } from "../lib/dom.js";
import { alarm, button } from "../lib/widgets.js";
import { allowed, cameras, Lens } from "./device.js";

const PAUSE = 250;
const LATER = 1500;
const SIDE = 1600;
const SHORT = ["near", "far", "tilt-right", "tilt-left", "tilt-bottom", "tilt-top", "more"];
const GOOD = 0.6;
const FAIR = 1.5;

const root = document.getElementById("camera");
const lens = new Lens();
const page = {
  state: null,
  size: null,
  devices: [],
  device: "",
  problem: null,
  working: null,
  photo: null,
  saved: null,
  flash: false,
  name: null,
};

// The server's side

async function begin() {
  page.state = await post("/api/camera");
  Object.assign(page, { problem: null, saved: null, photo: null });
}

async function show(picture, live) {
  const state = await send(`/api/camera/${page.state.id}/picture${live ? "?live=1" : ""}`, picture);
  page.state = state;
  page.problem = null;
  if (state.taken) {
    page.saved = null;
    page.flash = true;
    setTimeout(() => {
      page.flash = false;
      render();
    }, 700);
  }
}

async function attempt(what) {
  try {
    await what();
    return true;
  } catch (error) {
    page.problem = error.message;
    if (error.key === "camera.problem.gone") await begin().catch(() => {});
    return false;
  } finally {
    render();
  }
}

// The own camera

async function start(id) {
  stop();
  page.working = say("camera.opening");
  render();
  await attempt(async () => {
    await lens.open(id);
    page.devices = await cameras();
    page.device = lens.track?.getSettings().deviceId ?? "";
    lens.track?.addEventListener("ended", stop);
  });
  page.working = null;
  render();
  if (lens.stream) loop(lens.stream);
}

function stop() {
  lens.close();
  render();
}

async function loop(stream) {
  while (lens.stream === stream) {
    let good = true;
    if (!document.hidden) {
      const picture = await lens.picture({ side: SIDE, quality: 0.9 });
      if (picture && lens.stream === stream) good = await attempt(() => show(picture, true));
    }
    await new Promise((done) => setTimeout(done, good ? PAUSE : LATER));
  }
}

async function photos(files) {
  stop();
  const refused = [];
  for (const [i, file] of [...files].entries()) {
    page.working = say("camera.working", { n: i + 1, all: files.length });
    if (page.photo) URL.revokeObjectURL(page.photo);
    page.photo = URL.createObjectURL(file);
    render();
    const good = await attempt(() => show(file, false));
    const why = good ? page.state.refused?.message : page.problem;
    if (why) refused.push(`${file.name}: ${why}`);
  }
  page.working = null;
  page.problem = refused.join("\n") || null;
  render();
}

// What is shown

const media = html`<div class="media"></div>`;
const over = html`<div class="over"></div>`;
const seen = html`<div class="seen" hidden>${media}${over}</div>`;
const places = {
  problem: html`<div></div>`,
  buttons: html`<div></div>`,
  side: html`<section class="stack"></section>`,
};
redraw(
  root,
  places.problem,
  html`
  <div class="calibrate"><section class="stack">${seen}${places.buttons}</section>${places.side}</div>`,
);

function render() {
  const { state } = page;
  redraw(places.problem, page.problem && alarm(page.problem.split("\n").map((line) => html`<p>${line}</p>`)));
  picture(state);
  redraw(places.buttons, buttons());
  redraw(places.side, state && [guide(state), facts(state), saving(state)]);
}

/** The camera's picture, or the last photo, with what was seen drawn over it. The video stays where it is: it would stop. */
function picture(state) {
  const shown = lens.stream ? lens.video : page.photo;
  seen.hidden = !shown;
  seen.classList.toggle("flash", page.flash);
  if (!shown) return;
  const { video } = lens;
  if (shown === video) {
    if (video.parentNode !== media) media.replaceChildren(video);
  } else if (media.firstChild?.src !== shown) media.replaceChildren(html`<img src=${shown} alt="">`);
  const [width, height] = state?.seen?.size ?? page.size ?? [video.videoWidth || 16, video.videoHeight || 9];
  page.size = [width, height];
  const dot = ([x, y]) => svg`<circle cx=${x + 0.5} cy=${y + 0.5} r=${width / 130} class="dot"/>`;
  redraw(
    over,
    svg`
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${say("camera.picture")}>
      ${state && cover(state, width, height)}
      ${(state?.seen?.points ?? []).map(dot)}
    </svg>`,
  );
}

/** Where in the picture the board was seen: `coverage` is a raster over it. */
function cover({ coverage }, width, height) {
  const [w, h] = [width / coverage[0].length, height / coverage.length];
  const cell = (n, x, y) => n > 0 && svg`<rect x=${x * w} y=${y * h} width=${w} height=${h} class="covered"/>`;
  return coverage.map((row, y) => row.map((n, x) => cell(n, x, y)));
}

function buttons() {
  const input = html`
    <input type="file" accept="image/jpeg,image/png,image/webp" multiple hidden
        onchange=${(event) => photos(event.target.files)}>`;
  const choose = () => html`
    <select class="field which" aria-label=${say("camera.which")} data-key="which"
        onchange=${(event) => start(event.target.value)}>
      ${page.devices.map((d) => html`<option value=${d.id} selected=${d.id === page.device}>${d.name}</option>`)}
    </select>`;
  const how = { kind: "main-action", sign: "camera", disabled: Boolean(page.working) };
  return html`
    <div class="row">
      ${lens.stream && button("own", say("camera.stop"), stop, { sign: "close" })}
      ${!lens.stream && allowed && button("own", say("camera.own"), () => start(), how)}
      ${lens.stream && page.devices.length > 1 && choose()}
      <label class="button ${allowed ? "" : "main-action"}" data-key="files" tabindex="0"
          onkeydown=${(event) => event.key === "Enter" && input.click()}>
        ${icon("plus")}
        ${say("camera.photos")}
        ${input}
      </label>
      ${page.working && html`<span class="row" role="status"><span class="spinner"></span>${page.working}</span>`}
      ${!allowed && html`<p class="small quiet">${say("camera.insecure")}${" "}<a href="/camera/phone">${say("camera.insecure-lead")}</a></p>`}
    </div>`;
}

function guide(state) {
  const words =
    state.views || state.seen ? (state.next ? say(`need.${state.next}`) : say("camera.enough")) : say("camera.begin");
  let now = null;
  if (page.flash) now = html`<span class="now good">${icon("check")}${say("camera.taken")}</span>`;
  else if (lens.stream && state.refused) now = html`<span class="now">${icon("warn")}${state.refused.message}</span>`;
  else if (lens.stream && state.seen) now = html`<span class="now">${say("camera.hold")}</span>`;
  return html`
    <div class="card guide">
      ${sketch(state.next)}
      <div class="stack">
        <p class="next" aria-live="polite">${words}</p>
        ${now && html`<p class="small">${now}</p>`}
      </div>
    </div>`;
}

/** The board as it should be held, drawn: where in the picture, how large, how tilted (`tilt-left`, `cell-top-left`, `far`). */
const sketch = (next) => html`
  <div class="sketch" aria-hidden="true"><div class="board ${next?.replaceAll("-", " ")}"></div></div>`;

function facts(state) {
  const met = Object.fromEntries(state.needs.map((need) => [need.key, need.met]));
  const grade = state.error <= GOOD ? "good" : state.error <= FAIR ? "fair" : "bad";
  const error = () =>
    html`<span class="error ${grade}"> · ${say("camera.error", { n: state.error.toFixed(2) })} · ${say(`camera.error-${grade}`)}</span>`;
  const undo = async () => (page.state = await post(`/api/camera/${state.id}/undo`));
  const taken = () => html`
    <div class="row">
      ${button("undo", say("camera.undo"), () => attempt(undo), { kind: "plain", sign: "undo" })}
      ${button("again", say("camera.again"), () => attempt(begin), { kind: "plain danger" })}
    </div>`;
  return html`
    <div class="card stack">
      <p>
        <strong>${say("camera.pictures", { n: state.views, enough: state.enough })}</strong>
        ${state.error !== null && error()}
      </p>
      <ul class="needs">
        ${SHORT.map((key) => html`<li class=${met[key] ? "met" : ""}>${met[key] && icon("check")}${say(`camera.short.${key}`)}</li>`)}
      </ul>
      <div class="row">
        <div class="map" role="img" aria-label=${say("camera.coverage")}>${nine(met)}</div>
        <span class="small quiet">${say("camera.coverage")}</span>
      </div>
      ${state.views > 0 && taken()}
    </div>`;
}

/** The nine parts of the picture, each marked where the board was seen. */
const nine = (met) =>
  ["top", "middle", "bottom"].flatMap((row) =>
    ["left", "middle", "right"].map(
      (column) => html`<span class=${met[`cell-${row}-${column}`] ? "met" : "open"}></span>`,
    ),
  );

function saving(state) {
  if (!state.can_save) return null;
  const input = html`
    <input class="field" value=${page.name ?? say("camera.my")} maxlength="60" aria-label=${say("camera.name")}
        data-key="name" oninput=${(event) => (page.name = event.target.value)}>`;
  const save = async () => (page.saved = await post(`/api/camera/${state.id}/save`, { name: input.value }));
  const saved = ({ address, file }) =>
    html`<p role="status">${icon("check")}${say("camera.saved")} <a href=${address} download>${file}.json</a></p>`;
  return html`
    <div class="card stack">
      <div class="row save">
        ${input}
        ${button("save", say("camera.save"), () => attempt(save), { kind: !state.next && "main-action" })}
      </div>
      ${page.saved && saved(page.saved)}
    </div>`;
}

addEventListener("pagehide", stop);
attempt(begin);
