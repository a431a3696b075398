// A deck: photos of its cards in, each card found shown with a name of the game's list, renamed, dropped, taken again.
import { allowed, Lens } from "../../camera/device.js";
import { post, send } from "../../lib/api.js";
import { attempt } from "../../lib/attempt.js";
import { button, data, html, icon, redraw, say } from "../../lib/dom.js";
import { hasTouch, photoButton, takeDropsAndPastes, Uploads } from "./uploads.js";

const root = document.getElementById("decks");
const form = document.getElementById("new");
let draft = data("given");

/** @param {{instead?: number}} item */
const address = ({ instead } = {}) => {
  const asked = new URLSearchParams(/** @type {any} */ (new FormData(form))); // of texts alone
  if (draft) asked.set("draft", draft.id);
  if (draft?.others) asked.set("others", draft.others);
  if (instead !== undefined) asked.set("instead", `${instead}`);
  return `/api/decks/photo?${asked}`;
};
const uploads = new Uploads({ address, done: (_, answer) => taken(answer), changed: render });

function taken(answer) {
  const alike = draft?.alike.length ?? 0;
  take(answer);
  sound(answer.alike.length > alike ? LOW : HIGH);
}

const [HIGH, LOW] = [880, 220];

/** A card was taken, high, or looks like another one, low: whoever lays the next one under the camera need not look. */
function sound(pitch) {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  tone.connect(audio.destination);
  tone.frequency.value = pitch;
  tone.start();
  tone.stop(audio.currentTime + 0.12);
  tone.onended = () => audio.close();
}

const EVERY = 200;
const STILL = 3;
const [MOVED, OTHER] = [5, 7];
const [WIDE, TALL] = [64, 48];
const lens = new Lens();
lens.video.className = "deck-film";
lens.video.hidden = true;
const small = Object.assign(document.createElement("canvas"), { width: WIDE, height: TALL });

/** One card after another under this device's camera: what lies still and was not taken yet is taken. */
async function watch() {
  if (lens.stream) return unwatch();
  if (!form.reportValidity()) return;
  await attempt(async () => {
    await lens.open(null, { width: 1920, height: 1440 });
    lens.video.hidden = false;
    render();
    const { stream } = lens;
    let [last, had, still] = [null, null, 0];
    while (stream && lens.stream === stream) {
      const now = glance();
      still = last && apart(now, last) < MOVED ? still + 1 : 0;
      last = now;
      if (still >= STILL && !(had && apart(now, had) < OTHER)) {
        had = now;
        if (draft) draft.others = 0;
        await send(address(), await lens.picture({ side: 1920, quality: 0.92 }))
          .then(taken)
          .catch((error) => error.status === 422 || Promise.reject(error)); // no card lies there
      }
      await new Promise((done) => setTimeout(done, EVERY));
    }
  });
  unwatch();
}

function unwatch() {
  lens.close();
  lens.video.hidden = true;
  render();
}

/** The camera's picture, tiny and grey. */
function glance() {
  const context = small.getContext("2d", { willReadFrequently: true });
  context.drawImage(lens.video, 0, 0, WIDE, TALL);
  return context.getImageData(0, 0, WIDE, TALL).data.filter((_, i) => i % 4 === 1);
}

/** By how many levels two such pictures differ where they differ most: the mean of their worst eighth. */
function apart(one, other) {
  const far = one.map((value, i) => Math.abs(value - other[i])).sort();
  const worst = far.subarray(Math.floor((far.length * 7) / 8));
  return worst.reduce((sum, value) => sum + value, 0) / worst.length;
}

function take(answer) {
  draft = answer;
  history.replaceState(null, "", `/decks/?draft=${draft.id}`);
  render();
}

const tell = (change) => attempt(async () => take(await post(`/api/decks/drafts/${draft.id}`, change)));
const nameOf = (n) => {
  const { kind } = draft.cards[n];
  return `${n + 1} (${kind === null ? say("decks.back") : draft.names[kind]})`;
};

function card({ kind, key }, n) {
  const alike = draft.alike.some((pair) => pair.includes(n));
  const drop = { kind: "plain danger", sign: "close", label: say("decks.drop", { n: n + 1 }) };
  return html`
    <li class="card deck-card ${alike && "unsure"}">
      <img src=${`/decks/drafts/${draft.id}/${n}.jpg?${key}`} alt="">
      <p class="small">${kind === null ? say("decks.back") : draft.names[kind]}</p>
      <select class="field" data-key=${`kind-${key}`} aria-label=${say("decks.which", { n: n + 1 })}
          onchange=${(event) => tell({ n, kind: event.target.value === "" ? null : Number(event.target.value) })}>
        <option value="" selected=${kind === null}>${say("decks.back")}</option>
        ${[...new Set(draft.names)].map(
          (name) =>
            html`<option value=${draft.names.indexOf(name)} selected=${name === draft.names[kind]}>${name}</option>`,
        )}
      </select>
      <div class="row">
        ${photoButton({ label: say("decks.retake"), id: `again-${key}` }, (files) => uploads.add(files.slice(0, 1), { instead: n }))}
        ${button(`drop-${key}`, null, () => tell({ n, drop: true }), drop)}
      </div>
    </li>`;
}

function add(files) {
  if (!form.reportValidity()) return;
  if (draft) draft.others = 0; // those of the photos that come now count
  attempt(() => uploads.add(files));
}

function render() {
  const films = Boolean(lens.stream);
  redraw(
    root,
    html`
    <div class="row">
      ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera" }, add)}
      ${allowed && button("film", say(films ? "decks.film-stop" : "decks.film"), watch, { sign: "camera", pressed: films })}
      ${photoButton({ label: say("photo.file"), multiple: true, main: !hasTouch(), id: "file" }, add)}
    </div>`,
    films && html`<p class="small quiet">${say("decks.film-how")}</p>`,
    lens.video,
    ...uploads.list(),
    draft && found(),
  );
}

function found() {
  const disabled = !draft.cards.length || uploads.items.some(({ state }) => state !== "failed");
  return html`
    <section class="stack">
      <h2 role="status">${say("decks.found", { n: draft.cards.length })}</h2>
      ${draft.others > 0 && html`<p class="message" role="status">${icon("warn")}<span>${say("decks.others", { n: draft.others, wide: draft.size[0], high: draft.size[1] })}</span></p>`}
      ${draft.alike.map(
        ([one, other]) => html`
        <p class="message" role="status">
          ${icon("warn")}<span>${say("decks.alike", { one: nameOf(one), other: nameOf(other) })}</span>
        </p>`,
      )}
      <ul class="deck-cards">${draft.cards.map(card)}</ul>
      <div class="row">
        <input class="field" id="deck-name" maxlength="40" data-key="name" aria-label=${say("decks.name")}
            placeholder=${say("decks.name")}>
        ${button("save", say("decks.save"), (event) => save(event.currentTarget), { kind: "main-action", sign: "check", disabled })}
      </div>
    </section>`;
}

const save = (button) =>
  attempt(async () => {
    await post(`/api/decks/drafts/${draft.id}/save`, { name: document.getElementById("deck-name").value.trim() });
    location.assign(`/decks/?game=${draft.game}`);
  }, button);

form.elements.game.addEventListener("change", ({ target }) => draft && tell({ game: target.value }));
document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    const { game } = await send(`/api/decks/${form.elements.game.value}/import`, target.files[0]);
    location.assign(`/decks/?game=${game}`);
  }),
);
takeDropsAndPastes(add);
render();
