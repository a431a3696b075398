// A deck: photos of its cards in, each card found shown with a name of the game's list, renamed, dropped, taken again.
import { allowed, Lens } from "../../camera/device.js";
import { post, send, sendForm } from "../../lib/api.js";
import { attempt } from "../../lib/attempt.js";
import { button, data, html, icon, redraw, say, svg } from "../../lib/dom.js";
import { hasTouch, isDone, photoButton, takeDropsAndPastes, Uploads } from "./uploads.js";

const root = document.getElementById("decks");
const form = document.getElementById("new");
let draft = data("given");

/** @param {{instead?: number}} item */
const address = ({ instead } = {}) => {
  const asked = new URLSearchParams(/** @type {any} */ (new FormData(form))); // of texts alone
  if (draft) asked.set("draft", draft.id);
  if (draft?.others) asked.set("others", draft.others);
  if (draft?.cut) asked.set("cut", draft.cut);
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
        if (draft) Object.assign(draft, { others: 0, cut: 0 });
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

let learning = false;

/** What a person says of a card; while the deck is learnt its cards stay as they are. */
const tell = (change) =>
  attempt(async () => (learning ? render() : take(await post(`/api/decks/drafts/${draft.id}`, change))));
const nameOf = (n) => {
  const { kind } = draft.cards[n];
  return `${n + 1} (${kind === null ? say("decks.back") : draft.names[kind]})`;
};

const orders = data("orders");
const order = () => orders[form.elements.game.value];
/** The row of the game's list in which a card lies, -1: none. */
const rowOf = (kind) => order().findIndex(({ kinds }) => kinds.includes(kind));
const drawn = (kind) => {
  const row = order()[rowOf(kind)];
  return row?.cards[row.kinds.indexOf(kind)] ?? { sign: "", colors: [] };
};

/** The rows in which the deck is asked for, drawn: each card with what tells it in its row. */
function drawing() {
  const [wide, high, gap] = [30, 40, 6];
  const rows = order().map(({ name, cards, size }) => {
    const w = Math.min(wide, (high * size[0]) / size[1]);
    const h = (w * size[1]) / size[0];
    const shown = cards.slice(0, MOST_DRAWN);
    const width = shown.length * (w + gap);
    return html`
      <li>
        <span class="small">${name}</span>
        <svg viewBox="0 0 ${width} ${h + 2}" width=${width} height=${h + 2} role="img" aria-label=${say("decks.row-of", { n: cards.length })}>
          ${shown.map(({ sign, colors }, i) => cardDrawn(i * (w + gap) + 1, w, h, sign, colors))}
        </svg>
        ${cards.length > MOST_DRAWN && html`<span class="small quiet">… ${cards.length}</span>`}
      </li>`;
  });
  return html`
    <details class="deck-order" open=${!draft?.cards.length}>
      <summary>${say("decks.order")}</summary>
      <p class="small quiet">${say("decks.order-how")}</p>
      <ol>${rows}</ol>
    </details>`;
}

const MOST_DRAWN = 12;

function cardDrawn(x, w, h, sign, colors) {
  const dots = [...new Set(colors)];
  return svg`
    <g transform="translate(${x} 1)">
      <rect width=${w - 2} height=${h} rx="3" class="deck-drawn"/>
      ${dots.map((color, i) => svg`<circle cx=${w - 9} cy=${8 + i * 9} r="4" class="deck-dot dot-${color}"/>`)}
      <text x="4" y=${h - 6} class="deck-sign">${sign}</text>
    </g>`;
}

/** What has a name of its own: the cards of one picture together, each other card alone. */
const units = () => {
  const together = new Set(draft.families.flat());
  return [...draft.families, ...draft.cards.flatMap((_, n) => (together.has(n) ? [] : [[n]]))].sort(
    ([a], [b]) => a - b,
  );
};
const named = (unit) => unit.some((n) => draft.cards[n].said);

let naming = false;

/** One picture after the other is shown, large, with what it may be: one tap names it. */
function oneByOne() {
  const left = units().filter((unit) => !named(unit));
  const start = button(
    "naming",
    say(naming ? "decks.naming-end" : "decks.naming", { n: left.length }),
    () => {
      naming = !naming;
      render();
    },
    { pressed: naming },
  );
  if (!naming || !left.length) return left.length > 1 && html`<div class="row">${start}</div>`;
  const [unit] = left;
  return html`
    <section class="card stack deck-naming">
      <strong role="status">${say("decks.naming-which", { n: left.length })}</strong>
      <div class="deck-strip">${unit.map((n) => html`<img src=${`/decks/drafts/${draft.id}/${n}.jpg?${draft.cards[n].key}`} alt="">`)}</div>
      <div class="row">${choicesFor(unit)}</div>
      <div class="row">${start}</div>
    </section>`;
}

/** What a picture may be: rows of the game's list that are free, or a card's free names; what is proposed stands out. */
function choicesFor(unit) {
  const [n] = unit;
  const mine = draft.cards[n].kind;
  const gone = new Set(
    units()
      .filter(named)
      .flat()
      .map((one) => draft.cards[one].kind),
  );
  const taken = new Set([...gone].map(rowOf));
  const choice = (key, words, change, main) =>
    button(key, words, () => tell({ n, ...change }), { kind: main ? "main-action" : "" });
  const back = choice("name-back", say("decks.back"), { kind: null }, mine === null);
  if (unit.length > 1)
    return order().map(
      ({ name, kinds }, i) =>
        kinds.length >= unit.length &&
        draft.fits[n].includes(kinds[0]) &&
        !taken.has(i) &&
        choice(`name-${i}`, name, { kind: kinds[0], picture: true }, i === rowOf(mine)),
    );
  const free = order().flatMap(({ kinds }) => kinds.filter((kind) => !gone.has(kind) && draft.fits[n].includes(kind)));
  const names = new Map(free.map((kind) => [draft.names[kind], kind]));
  return [
    ...[...names].map(([name, kind]) => choice(`name-${kind}`, name, { kind }, name === draft.names[mine])),
    back,
  ];
}

let opened = null;

/** The rows of the game's list that a row's cards lie in beside its first card's. */
const others = (cards, start) =>
  [...new Set(cards.map(({ kind }) => rowOf(kind)))].filter((i) => i >= 0 && i !== start);

/** A row as it lies in a photo: which row of the game's list it is, and its cards, small. */
function row(number) {
  const cards = draft.cards.map((card, n) => ({ ...card, n })).filter((card) => card.row === number);
  const [first] = cards;
  const mine = cards.some(({ n }) => n === opened);
  const start = rowOf(first.kind);
  return html`
    <li class="card deck-row">
      <select class="field" data-key=${`row-${first.key}`} aria-label=${say("decks.row", { n: number + 1 })}
          onchange=${({ target }) => tell({ n: first.n, row: true, kind: target.value === "" ? null : Number(target.value) })}>
        ${order().map(({ name, kinds }, i) => html`<option value=${kinds[0]} selected=${i === start}>${name}</option>`)}
        <option value="" selected=${first.kind === null}>${say("decks.back")}</option>
      </select>
      ${others(cards, start).length > 0 && html`<span class="small quiet">${say("decks.and-then", { rows: others(cards, start).map((i) => order()[i].name) })}</span>`}
      <div class="deck-strip">${cards.map(smallCard)}</div>
      ${mine && editor(opened)}
    </li>`;
}

/** The pairs that look the same, as long as the trial has not said so. */
const alike = () => draft.alike.filter((pair) => !draft.unsure.some((other) => pair.every((n) => other.includes(n))));
const unsure = (n) => [...draft.alike, ...draft.unsure].some((pair) => pair.includes(n));

function smallCard({ kind, key, n }) {
  const { sign, colors } = drawn(kind);
  const name = kind === null ? say("decks.back") : draft.names[kind];
  return html`
    <button class="deck-small ${unsure(n) && "unsure"}" data-key=${`card-${key}`} title=${name}
        aria-label=${`${n + 1}: ${name}`} aria-expanded=${n === opened} onclick=${() => open(n)}>
      <img src=${`/decks/drafts/${draft.id}/${n}.jpg?${key}`} alt="" loading="lazy">
      <span>${kind === null ? "–" : sign}${[...new Set(colors)].map((color) => html`<i class="dot-${color}"></i>`)}</span>
    </button>`;
}

function open(n) {
  opened = n === opened ? null : n;
  render();
}

/** One card, large: its name, another photo, or out with it. */
function editor(n) {
  const { kind, key } = draft.cards[n];
  const rows = order().map(({ name, kinds }) => [name, [...new Set(kinds.map((one) => draft.names[one]))]]);
  return html`
    <div class="deck-editor">
      <img src=${`/decks/drafts/${draft.id}/${n}.jpg?${key}`} alt="">
      <div class="stack">
        <select class="field" data-key=${`kind-${key}`} aria-label=${say("decks.which", { n: n + 1 })}
            onchange=${({ target }) => tell({ n, kind: target.value === "" ? null : Number(target.value) })}>
          <option value="" selected=${kind === null}>${say("decks.back")}</option>
          ${rows.map(
            ([row, names]) =>
              html`<optgroup label=${row}>${names.map((name) => html`<option value=${draft.names.indexOf(name)} selected=${name === draft.names[kind]}>${name}</option>`)}</optgroup>`,
          )}
        </select>
        <div class="row">
          ${again(n, say("decks.retake"))}
          ${button(`drop-${key}`, say("decks.drop", { n: n + 1 }), () => drop(n), { kind: "plain danger", sign: "close" })}
        </div>
      </div>
    </div>`;
}

function drop(n) {
  opened = null;
  return tell({ n, drop: true });
}

const again = (n, label) =>
  photoButton({ label, id: `again-${draft.cards[n].key}` }, (files) => uploads.add(files.slice(0, 1), { instead: n }));

function add(files) {
  if (!form.reportValidity()) return;
  if (draft) Object.assign(draft, { others: 0, cut: 0 }); // those of the photos that come now count
  attempt(() => uploads.add(files));
}

function render() {
  const films = Boolean(lens.stream);
  form.querySelector(".tips").hidden = Boolean(draft?.cards.length);
  redraw(
    root,
    drawing(),
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
  const disabled = !draft.cards.length || !uploads.items.every(isDone);
  const rows = [...new Set(draft.cards.map((card) => card.row))];
  return html`
    <section class="stack">
      <h2 role="status">${say("decks.found", { n: draft.cards.length })}</h2>
      ${draft.others > 0 && html`<p class="message" role="status">${icon("warn")}<span>${say("decks.others", { n: draft.others, wide: draft.size[0], high: draft.size[1] })}</span></p>`}
      ${draft.cut > 0 && html`<p class="message" role="status">${icon("warn")}<span>${say("decks.cut", { n: draft.cut })}</span></p>`}
      ${alike().map(
        ([one, other]) => html`
        <p class="message" role="status">
          ${icon("warn")}<span>${say("decks.alike", { one: nameOf(one), other: nameOf(other) })}</span>
        </p>`,
      )}
      ${draft.cards.length > 0 && html`<p class="small quiet">${say("decks.rows-how")}</p>`}
      ${oneByOne()}
      <ul class="deck-rows">${rows.map(row)}</ul>
      ${draft.saved && saved()}
      <div class="row">
        <input class="field" id="deck-name" maxlength="40" data-key="name" aria-label=${say("decks.name")}
            placeholder=${say("decks.name")} hidden=${Boolean(draft.saved)}>
        ${button("save", say(learning ? "decks.learning" : draft.saved ? "decks.save-again" : "decks.save"), (event) => save(event.currentTarget), { kind: "main-action", sign: "check", disabled: disabled || learning })}
        ${draft.saved && html`<a class="button" href=${`/decks/?game=${draft.game}`}>${say("decks.done")}</a>`}
      </div>
    </section>`;
}

/** A deck that was learnt: which of its cards it does not know for certain, each with a closer photo of it. */
function saved() {
  const pairs = draft.unsure.map(
    ([one, other]) => html`
    <div class="message deck-pair">
      ${icon("warn")}
      <span>${other === null ? say("decks.unknown", { one: nameOf(one) }) : say("decks.unsure", { one: nameOf(one), other: nameOf(other) })}</span>
      ${[one, other]
        .filter((n) => n !== null)
        .map(
          (n) => html`
        <span class="deck-again"><img src=${`/decks/drafts/${draft.id}/${n}.jpg?${draft.cards[n].key}`} alt="">${again(n, say("decks.closer", { n: n + 1 }))}</span>`,
        )}
    </div>`,
  );
  return pairs.length > 0 && html`<div class="stack" role="status">${pairs}</div>`;
}

const save = (button) =>
  attempt(async () => {
    const name = document.getElementById("deck-name").value.trim();
    learning = true;
    render();
    try {
      const { deck, unsure } = await post(`/api/decks/drafts/${draft.id}/save`, { name });
      if (!unsure.length) location.assign(`/decks/?game=${draft.game}&learnt=${encodeURIComponent(deck)}`);
      else draft = { ...draft, saved: deck, unsure };
    } finally {
      learning = false;
      render();
    }
  }, button);

form.elements.game.addEventListener("change", ({ target }) => (draft ? tell({ game: target.value }) : render()));
document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    const { game, deck, strange } = await sendForm(`/api/decks/${form.elements.game.value}/import`, [...target.files]);
    location.assign(`/decks/?game=${game}&brought=${encodeURIComponent(deck)}&strange=${strange}`);
  }).finally(() => {
    target.value = "";
  }),
);
takeDropsAndPastes(add);
render();
