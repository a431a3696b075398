// A deck: photos of its cards in, each card found shown with a name of the game's list, renamed, dropped, taken again.
import { post, send } from "../../lib/api.js";
import { attempt } from "../../lib/attempt.js";
import { data, html, icon, redraw, say } from "../../lib/dom.js";
import { photoButton, takeDropsAndPastes, Uploads } from "./uploads.js";

const root = document.getElementById("decks");
const form = document.getElementById("new");
let draft = data("given");

const uploads = new Uploads({
  address: ({ instead }) => {
    const asked = new URLSearchParams(new FormData(form));
    if (draft) asked.set("draft", draft.id);
    if (instead !== undefined) asked.set("instead", instead);
    return `/api/decks/photo?${asked}`;
  },
  done: (_, answer) => {
    take(answer);
    sound();
  },
  changed: render,
});

/** A card was taken: whoever lays the next one under the camera need not look. */
function sound() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  tone.connect(audio.destination);
  tone.frequency.value = 880;
  tone.start();
  tone.stop(audio.currentTime + 0.12);
  tone.onended = () => audio.close();
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
        <button class="button plain danger" type="button" data-key=${`drop-${key}`}
            aria-label=${say("decks.drop", { n: n + 1 })} onclick=${() => tell({ n, drop: true })}>
          ${icon("close")}
        </button>
      </div>
    </li>`;
}

function render() {
  const add = (files) => form.reportValidity() && uploads.add(files);
  redraw(
    root,
    html`
    <div class="row">
      ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera" }, add)}
      ${photoButton({ label: say("photo.file"), multiple: true, main: !document.documentElement.classList.contains("touch"), id: "file" }, add)}
    </div>`,
    ...uploads.list(),
    draft && found(),
  );
}

function found() {
  return html`
    <section class="stack">
      <h2 role="status">${say("decks.found", { n: draft.cards.length })}</h2>
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
        <button class="button main-action" type="button" data-key="save" disabled=${uploads.items.some((one) => one.state !== "failed") || !draft.cards.length}
            onclick=${(event) => save(event.currentTarget)}>
          ${icon("check")}${say("decks.save")}
        </button>
      </div>
    </section>`;
}

const save = (button) =>
  attempt(async () => {
    await post(`/api/decks/drafts/${draft.id}/save`, { name: document.getElementById("deck-name").value.trim() });
    location.assign("/decks/");
  }, button);

document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    await send(`/api/decks/${form.elements.game.value}/import`, target.files[0]);
    location.assign("/decks/");
  }),
);
takeDropsAndPastes((files) => uploads.add(files));
render();
