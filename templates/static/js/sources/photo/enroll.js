// A blank sheet: its photo in, what was found shown and corrected, the profile saved. A saved one opens here again.
import { post, send } from "../../lib/api.js";
import { button, data, html, icon, redraw, say, svg } from "../../lib/dom.js";
import { toast } from "../../lib/toast.js";
import { keys } from "../../lib/widgets.js";
import { cornersEditor } from "./corners.js";
import { boxes, TRACKS, trackRows } from "./tracks.js";
import { hasTouch, photoButton, photoMessage, takeDropsAndPastes } from "./uploads.js";

const API = "/api/in-the-ruin/sheets";
const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const root = document.getElementById("enroll");
const given = data("draft");
const page = {
  draft: given.draft,
  demo: given.demo,
  working: null,
  problem: null,
  picture: null,
  chosen: null,
  typed: null,
  tried: null,
};
let last = Promise.resolve();

async function attempt(working, what) {
  Object.assign(page, { working, problem: null });
  render();
  try {
    await what();
  } catch (error) {
    page.problem = error.message;
  }
  page.working = null;
  render();
}

function take(draft) {
  page.draft = draft;
  page.tried = null;
  page.picture = null;
  history.replaceState(null, "", `/in-the-ruin/sheets/drafts/${draft.id}`);
}

const photo = (files) => {
  page.picture = URL.createObjectURL(files[0]);
  const to = page.draft?.correcting ? `drafts/${page.draft.id}/photo` : "photo";
  return attempt(say("sheet.finding"), async () => take(await send(`${API}/${to}`, files[0])));
};
/** Corrections go one after the other: the server reads a draft and writes it, and none may come between. */
const sent = (change) => (last = last.catch(() => {}).then(() => post(`${API}/drafts/${page.draft.id}`, change)));
const tell = (change) => {
  Object.assign(page.draft, change);
  return attempt(null, async () => (page.draft = await sent(change)));
};
/** Nothing is drawn anew for a name: the press on "save" that ends the typing would fall on a button that is gone. */
const rename = (name) =>
  name &&
  sent({ name }).catch((error) => {
    page.problem = error.message;
    render();
  });

function render() {
  const again = page.draft?.correcting;
  redraw(
    root,
    html`<h1>${say(again ? "sheet.correct-title" : "sheet.title")}</h1>`,
    !again && steps(),
    problem(),
    page.draft ? found(page.draft) : start(),
  );
}

function steps() {
  const at = page.draft ? 1 : 0;
  return html`
    <ol class="steps">
      ${["photo", "look", "save"].map((step, i) => html`<li class=${i === at ? "on" : ""}>${say(`sheet.step-${step}`)}</li>`)}
    </ol>`;
}

function problem() {
  if (page.working) return photoMessage(page.picture, page.working, { busy: true });
  const message = page.problem ?? page.draft?.problem;
  const help = page.draft?.problem && html`<p class="small">${say("sheet.corners-help")}</p>`;
  return message && photoMessage(page.picture, [html`<p>${message}</p>`, help], { failed: true });
}

function start() {
  return html`
    <section class="card start">
      <p>${say("sheet.about")}</p>
      <ul class="tips">${["flat", "whole", "light"].map((tip) => html`<li>${say(`sheet.tip-${tip}`)}</li>`)}</ul>
      <div class="row">
        ${photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera" }, photo)}
        ${photoButton({ label: say("photo.file"), main: !hasTouch(), id: "file" }, photo)}
        ${button("demo", say("sheet.use-demo"), demo, { kind: "plain" })}
      </div>
    </section>`;
}

const demo = () => attempt(say("sheet.finding"), async () => take(await post(`${API}/photo?demo=1`)));

function found(draft) {
  const put = (corners) =>
    attempt(say("sheet.finding"), async () => {
      draft.corners = corners;
      page.draft = await sent({ corners });
    });
  const flattened = () => html`
    <section>
      <h2>${say("sheet.flat")}</h2>
      <p class="small quiet">${say("sheet.flat-about")}</p>
      ${flat(draft)}
      ${letterKeys(draft)}
      ${trackRows(draft, tell)}
    </section>`;
  return html`
    <div class="stack">
      ${draft.demo && html`<p class="message calm">${say("sheet.demo-words")}</p>`}
      ${!draft.problem && facts(draft)}
      ${!draft.problem && draft.doubt && html`<p class="message" role="status">${draft.doubt}</p>`}
      <div class="found">
        <section>
          <h2>${say("sheet.photo")}</h2>
          <p class="small quiet">
            ${say(draft.problem ? "corners.how" : draft.photo ? "sheet.corners-about" : "sheet.no-picture")}
          </p>
          ${draft.photo && html`<div class="corners">${cornersEditor(draft.photo, draft.size, draft.corners, put, draft.problem ? null : draft.lattice)}</div>`}
          <div class="row">
            ${photoButton({ label: say(draft.photo ? "sheet.other-photo" : "sheet.step-photo"), id: "other" }, photo)}
          </div>
        </section>
        ${!draft.problem && flattened()}
      </div>
      ${!draft.problem && !draft.demo && tryRow(draft)}
      ${!draft.problem && saveRow(draft)}
    </div>`;
}

function facts(draft) {
  const letters = Object.keys(draft.letters).length;
  const fact = (good, words) => html`
    <span class="fact ${good ? "" : "bad"}">${icon(good ? "check" : "warn")}${words}</span>`;
  return html`
    <div class="facts" role="status">
      ${fact(true, say("sheet.grid", { rows: draft.rows, cols: draft.cols }))}
      ${fact(letters > 0, say("sheet.letters-found", { n: letters }))}
      ${draft.missing.length > 0 && fact(false, say("sheet.letters-missing", { letters: draft.missing.join(" ") }))}
      ${draft.doubtful.length > 0 && fact(false, say("sheet.letters-doubtful", { letters: draft.doubtful.join(" ") }))}
      ${TRACKS.map((track) => fact(draft.tracks[track]?.length > 0, say("sheet.track-found", { track: say(`ticks.${track}`), n: draft.tracks[track]?.length ?? 0 })))}
    </div>`;
}

const letterAt = (draft, cell) => Object.keys(draft.letters).find((one) => `${draft.letters[one]}` === `${cell}`);
const isChosen = (cell) => `${page.chosen}` === `${cell}`;

function flat(draft) {
  const { cell, origin, size, image } = draft.flat;
  const at = (u, v) => [origin[0] + u * cell, origin[1] + v * cell];
  const rect = (u, v, side, cls, more = {}) => {
    const [x, y] = at(u, v);
    return svg`<rect x=${x} y=${y} width=${side * cell} height=${side * cell} class=${cls} stroke-width=${cell * 0.05} ${more}/>`;
  };
  const found = ([letter, [row, col]]) => {
    const unsure = draft.doubtful.includes(letter);
    const [x, y] = at(col + 0.84, row + 0.2);
    return [
      rect(col + 0.04, row + 0.04, 0.92, `letter-cell ${unsure ? "unsure" : ""}`),
      svg`
      <text x=${x} y=${y} class="letter-found ${unsure && "unsure-letter"}" font-size=${cell * 0.36}
          stroke-width=${cell * 0.08} text-anchor="middle" dominant-baseline="central">
        ${letter}
      </text>`,
    ];
  };
  const entrance = ([row, col]) => rect(col + 0.04, row + 0.04, 0.92, "entrance", { rx: cell * 0.15 });
  const target = ([row, col]) => {
    const letter = letterAt(draft, [row, col]);
    const words = [say("cell.place", { row: row + 1, col: col + 1 }), letter && say("cell.letter", { letter })];
    return rect(col, row, 1, "target", {
      role: "button",
      tabindex: letter || isChosen([row, col]) ? 0 : -1,
      "data-key": `cell-${row},${col}`,
      "data-row": row,
      "data-col": col,
      "aria-label": words.filter(Boolean).join(", "),
    });
  };
  const choose = (event) => {
    const { row, col } = event.target.dataset;
    if (row === undefined || !["click", "Enter", " "].includes(event.key ?? event.type)) return;
    event.preventDefault();
    page.chosen = isChosen([row, col]) ? null : [Number(row), Number(col)];
    render();
  };
  const cells = Array.from({ length: draft.rows * draft.cols }, (_, i) => [Math.floor(i / draft.cols), i % draft.cols]);
  const bare = ([row, col]) => rect(col, row, 1, "blank-cell", { "stroke-width": 1 });
  return svg`
    <svg viewBox="0 0 ${size[0]} ${size[1]}" class="sheet" onclick=${choose} onkeydown=${choose}>
      ${image ? svg`<image href="/photos/${image}.jpg" width=${size[0]} height=${size[1]}/>` : cells.map(bare)}
      ${draft.marked.map(([row, col]) => rect(col + 0.04, row + 0.04, 0.92, "letter-cell unsure"))}
      ${Object.entries(draft.letters).map(found)}
      ${draft.entrance && entrance(draft.entrance)}
      ${page.chosen && rect(page.chosen[1], page.chosen[0], 1, "chosen")}
      ${cells.map(target)}
      ${TRACKS.map((track) => boxes(draft, track, at, tell))}
    </svg>`;
}

function letterKeys(draft) {
  const { chosen } = page;
  if (!chosen) return html`<p class="small quiet">${say("sheet.tap-cell")}</p>`;
  const now = letterAt(draft, chosen);
  const set = (letter) => {
    if (letter && letter === now) return tell({ checked: letter });
    const others = Object.entries(draft.letters).filter(([one]) => one !== letter && one !== now);
    const letters = { ...Object.fromEntries(others), ...(letter && { [letter]: chosen }) };
    const [row, col] = (draft.letters[letter] ?? []).map((n) => n + 1);
    const told = [
      letter && now && say("sheet.letter-gone", { letter: now }),
      row && say("sheet.letter-moved", { letter, row, col }),
    ].filter(Boolean);
    return tell({ letters }).then(() => told.length > 0 && toast(told.join(" ")));
  };
  const options = [
    ...ALPHABET.map((letter) => [letter, letter, null, letter !== now && letter in draft.letters && "used"]),
    ["none", say("sheet.no-letter"), null, "wide"],
    ["entrance", say("sheet.entrance"), null, "wide"],
  ];
  const choose = (key) => {
    page.chosen = null;
    return key === "entrance" ? tell({ entrance: chosen }) : set(key === "none" ? null : key);
  };
  const [row, col] = chosen.map((n) => n + 1);
  return html`
    <div class="card stack">
      <p>${say("sheet.which-letter", { row, col })}</p>
      ${keys(say("sheet.which-letter", { row, col }), options, now, choose, "key")}
    </div>`;
}

/** What a filled sheet's photo tells of all that come: what will be asked about, before the first game hangs on it. */
function tryRow(draft) {
  const attemptIt = (files) =>
    attempt(say("sheet.trying"), async () => {
      page.tried = await send(`${API}/drafts/${draft.id}/try`, files[0]);
    });
  return html`
    <section class="card stack">
      <h2>${say("sheet.try")}</h2>
      <p class="small quiet">${say("sheet.try-about")}</p>
      ${page.tried && triedFacts(page.tried)}
      <div class="row">${photoButton({ label: say("sheet.try-photo"), id: "try" }, attemptIt)}</div>
    </section>`;
}

function triedFacts(tried) {
  const parts = ["cells", "letters", "ticks", "numbers"].filter((part) => tried[part] > 0);
  const fact = (good, words) => html`
    <span class="fact ${good ? "" : "bad"}">${icon(good ? "check" : "warn")}${words}</span>`;
  return html`
    <div class="facts" role="status">
      ${parts.length === 0 && fact(true, say("sheet.tried-surely"))}
      ${parts.map((part) => fact(false, say(`sheet.tried-${part}`, { n: tried[part] })))}
      ${tried.troubles.map((trouble) => html`<p class="small">${say(`check.trouble.${trouble}`)}</p>`)}
    </div>`;
}

function saveRow(draft) {
  const words = say(draft.correcting ? "sheet.save-again" : draft.demo ? "sheet.save-demo" : "sheet.save");
  const how = { kind: "main-action", sign: "check", disabled: Boolean(page.working) };
  return html`
    <section class="card save">
      ${draft.correcting && html`<p class="small quiet">${say("sheet.correct-about")}</p>`}
      <label>
        <span class="small quiet">${say("sheet.name")}</span>
        <input class="field" type="text" maxlength="40" data-key="name" value=${page.typed ?? draft.name}
            oninput=${(event) => (page.typed = event.target.value)}
            onchange=${(event) => rename(event.target.value.trim())}>
      </label>
      ${draft.others.length > 0 && html`<p class="small quiet">${say("sheet.name-others", { names: draft.others.slice(0, 3) })}</p>`}
      ${button("save", words, () => attempt(say("sheet.saving"), save), how)}
    </section>`;
}

async function save() {
  await sent({ name: page.typed?.trim() || page.draft.name });
  const { sheet, demo: isDemo } = await post(`${API}/drafts/${page.draft.id}/save`);
  if (page.draft.correcting) return location.assign("/in-the-ruin/");
  const { play } = await post("/api/in-the-ruin/plays", { sheet, demo: isDemo });
  location.assign(`/in-the-ruin/plays/${play}`);
}

takeDropsAndPastes(photo);
render();
if (page.demo && !page.draft) demo();
