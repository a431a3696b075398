// A camera is calibrated: live picture or photos in, what is missing said, coverage and error shown, the profile saved.
import { post, send } from "../lib/api.js";
import { html, icon, redraw, say, svg } from "../lib/dom.js";
import { allowed, cameras, Lens } from "./device.js";

const PAUSE = 250;
const LATER = 1500;
const SIDE = 1600;
const GOOD = 0.6;
const FAIR = 1.5;

const parts = Object.fromEntries([...document.querySelectorAll("[data-part]")].map((one) => [one.dataset.part, one]));
const lens = new Lens();
const page = {
  state: null,
  size: null,
  problem: null,
  working: null,
  photo: null,
  saved: null,
  flash: false,
};

// The server's side

async function begin() {
  page.state = await post("/api/camera");
  Object.assign(page, { problem: null, saved: null, photo: null });
}

async function show(picture, live) {
  if (!page.state) await begin();
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
    const devices = await cameras();
    const own = lens.track?.getSettings().deviceId;
    const option = (one) => html`<option value=${one.id} selected=${one.id === own}>${one.name}</option>`;
    redraw(parts.which, devices.map(option));
    lens.track?.addEventListener("ended", stop);
  });
  page.working = null;
  await begun;
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
  await begun;
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

function render() {
  const { state, working, saved } = page;
  const films = Boolean(lens.stream);
  parts.problem.hidden = !page.problem;
  tell(parts.why, page.problem);
  picture(state);
  redraw(parts.own, icon(films ? "close" : "camera"), say(films ? "camera.stop" : "camera.own"));
  parts.own.classList.toggle("main-action", !films);
  parts.own.disabled = !films && Boolean(working);
  parts.own.hidden = !films && !allowed;
  parts.which.hidden = !films || parts.which.length < 2;
  parts.insecure.hidden = allowed;
  parts.working.hidden = !working;
  tell(parts.doing, working);
  parts.side.hidden = !state;
  if (!state) return;
  const begun = state.views || state.seen;
  tell(parts.next, begun ? (state.next ? say(`need.${state.next}`) : say("camera.enough")) : say("camera.begin"));
  parts.board.className = `board ${state.next?.replaceAll("-", " ") ?? ""}`;
  redraw(parts.now, ...now(state, films));
  tell(parts.pictures, say("camera.pictures", { n: state.views, enough: state.enough }));
  drawError(state.error);
  for (const { key, met } of state.needs)
    for (const one of parts.side.querySelectorAll(`[data-need="${key}"]`)) one.classList.toggle("met", met);
  parts.taken.hidden = !state.views;
  parts.saving.hidden = !state.can_save;
  parts.save.classList.toggle("main-action", !state.next);
  parts.saved.hidden = !saved;
  Object.assign(parts.file, { href: saved?.address ?? "", textContent: saved ? `${saved.file}.json` : "" });
}

/** Show these words; nothing where there are none. */
function tell(place, words) {
  place.hidden = !words;
  if (place.textContent !== (words ?? "")) place.textContent = words ?? "";
}

/** What a person is to know of the picture of this moment. */
function now({ refused, seen }, films) {
  parts.now.classList.toggle("good", page.flash);
  if (page.flash) return [icon("check"), say("camera.taken")];
  if (films && refused) return [icon("warn"), refused.message];
  return films && seen ? [say("camera.hold")] : [];
}

function drawError(error) {
  const grade = error <= GOOD ? "good" : error <= FAIR ? "fair" : "bad";
  const words = () => ` · ${say("camera.error", { n: error.toFixed(2) })} · ${say(`camera.error-${grade}`)}`;
  parts.error.className = `error ${grade}`;
  tell(parts.error, error === null ? null : words());
}

/** The camera's picture, or the last photo, with what was seen drawn over it. The video stays where it is: it would stop. */
function picture(state) {
  const shown = lens.stream ? lens.video : page.photo;
  const { media } = parts;
  parts.seen.hidden = !shown;
  parts.seen.classList.toggle("flash", page.flash);
  if (!shown) return;
  const { video } = lens;
  if (shown === video) {
    if (video.parentNode !== media) media.replaceChildren(video);
  } else if (media.firstChild?.src !== shown) media.replaceChildren(html`<img src=${shown} alt="">`);
  const [width, height] = state?.seen?.size ?? page.size ?? [video.videoWidth || 16, video.videoHeight || 9];
  page.size = [width, height];
  const dot = ([x, y]) => svg`<circle cx=${x + 0.5} cy=${y + 0.5} r=${width / 130} class="dot"/>`;
  redraw(
    parts.over,
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

parts.own.addEventListener("click", () => (lens.stream ? stop() : start()));
parts.which.addEventListener("change", () => start(parts.which.value));
parts.files.addEventListener("change", () => photos(parts.files.files));
parts.undo.addEventListener("click", () =>
  attempt(async () => (page.state = await post(`/api/camera/${page.state.id}/undo`))),
);
parts.again.addEventListener("click", () => attempt(begin));
parts.save.addEventListener("click", () =>
  attempt(async () => (page.saved = await post(`/api/camera/${page.state.id}/save`, { name: parts.name.value }))),
);
addEventListener("pagehide", stop);
const begun = attempt(begin);
