/** The report of many photos: one doubt after another, each put right by one key; the truth is saved as JSON. It runs
 * from a file by itself, without a server: whoever writes the file puts the import in place. */
import { html, redraw, save, say } from "./lib/dom.js";

const { kind } = document.documentElement.dataset;
const given = [...document.querySelectorAll('script[type="application/json"]')].map((one) =>
  JSON.parse(one.textContent),
);
const doubts = given.filter((one) => one.at);
const photos = given.filter((one) => !one.at);
const kept = `table-companion-report:${location.pathname}`;
const answers = JSON.parse(localStorage.getItem(kept) ?? "{}");
const key = (one) => JSON.stringify([one.photo, one.content, one.at, ...(one.sheet ? [one.sheet] : [])]);
const isOpen = (one) => !(key(one) in answers);
let now = doubts.findIndex(isOpen);

/** What people said, by photo, as `--truth` takes it. */
function truth() {
  const out = {};
  for (const one of doubts) {
    const answer = answers[key(one)];
    if (answer === undefined) continue;
    const photo = (out[one.photo] ??= {});
    const of = one.sheet ? ((photo.sheets ??= {})[one.sheet] ??= {}) : photo;
    if (!one.choices) (of[one.at[0]] ??= {})[one.at[1]] = answer;
    else if (kind === "sheet") (of.marks ??= {})[one.at.join(",")] = answer;
    else (of.tiles ??= []).push({ center: one.at, color: answer });
  }
  return out;
}

const saveTruth = () => save(new Blob([JSON.stringify(truth(), null, 1)]), "truth.json");

/** Keep an answer and open the next doubt that has none. */
function answer(choice) {
  answers[key(doubts[now])] = choice;
  localStorage.setItem(kept, JSON.stringify(answers));
  const next = doubts.findIndex((one, i) => i > now && isOpen(one));
  now = next >= 0 ? next : doubts.findIndex(isOpen);
  show();
}

function step(by) {
  now = now < 0 ? doubts.length - 1 : Math.min(doubts.length - 1, Math.max(0, now + by));
  show();
}

const keyButton = (sign, words, act, pressed = null) =>
  html`<button aria-pressed=${pressed} onclick=${act}><kbd>${sign}</kbd>${words}</button>`;

/** What may be said of a doubt: a button for each choice, or a field for a number. */
function ways(one) {
  if (!one.choices) {
    const value = answers[key(one)] ?? (isOpen(one) ? (one.read ?? "") : "");
    const typed = (event) => {
      event.preventDefault();
      const { value: number } = event.target.elements.number;
      answer(number === "" ? null : Number(number));
    };
    return html`
      <form onsubmit=${typed}>
        <input name="number" inputmode="numeric" pattern="-?[0-9]{1,3}" size="5" value=${value} aria-label=${one.place}>
      </form>`;
  }
  const choices = one.choices.includes(one.read) ? one.choices : [one.read, ...one.choices];
  return choices.map((choice, i) =>
    keyButton(i + 1, say(`report.choice.${choice}`), () => answer(choice), answers[key(one)] === choice),
  );
}

function card(one) {
  const what = one.choices ? say(`report.choice.${one.read}`) : (one.read ?? say("report.nothing"));
  return html`
    <div class="card">
      <div class="crop ${one.choices ? kind : "counted"}"><img src=${one.crop} alt=${one.place}></div>
      <div class="keys">
        <p class="where">${one.photo} · ${one.place}</p>
        <p class="where">${say("report.read-as", { what, sure: Math.round(100 * one.confidence) })}</p>
        ${ways(one)}
      </div>
      <div class="after">
        ${keyButton("↵", say("report.right"), () => answer(one.read))}
        ${keyButton("←", say("report.back"), () => step(-1))}
        ${keyButton("→", say("report.later"), () => step(1))}
      </div>
    </div>`;
}

function show() {
  const ask = document.getElementById("ask");
  const n = doubts.length;
  const done = doubts.filter((one) => !isOpen(one)).length;
  redraw(
    ask,
    html`<p>${n ? say("report.progress", { done, n }) : say("report.none")}</p>`,
    n > 0 && html`<progress max=${n} value=${done}></progress>`,
    now >= 0 && card(doubts[now]),
    done > 0 && html`<p>${keyButton("S", say("report.save"), saveTruth)}</p>`,
  );
  ask.querySelector("input")?.select();
}

document.addEventListener("keydown", (event) => {
  const on = /** @type {Element} */ (event.target).tagName;
  const typing = on === "INPUT" && !["ArrowLeft", "ArrowRight"].includes(event.key);
  if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
  const one = doubts[now];
  const at = Number(event.key) - 1;
  if (event.repeat && !event.key.startsWith("Arrow")) return; // a key that is held down answers one doubt
  const choice = one && at >= 0 ? document.querySelectorAll(".keys button")[at] : undefined;
  const moves = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), s: saveTruth, S: saveTruth };
  if (choice) choice.click();
  else if (event.key === "Enter" && one && on !== "BUTTON") answer(one.read);
  else if (moves[event.key] && doubts.length) moves[event.key]();
  else return;
  event.preventDefault();
});

const state = ({ error, doubts: n }) => error ?? (n ? say("report.doubts", { n }) : say("report.sure"));
redraw(
  document.getElementById("photos"),
  html`<h2>${say("report.photos", { n: photos.length })}</h2>`,
  html`<ul>${photos.map((one) => html`<li class=${one.error && "error"}>${one.photo}: ${state(one)}</li>`)}</ul>`,
);
show();
