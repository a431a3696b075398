// Small controls that the games' editors share.
import { button, html, icon, minus, say } from "./dom.js";

/** A round button that goes a step on, or back. */
export const stepButton = (key, label, sign, act, disabled = false) =>
  button(key, sign, act, { kind: "step", label, disabled });

/** A number with less and more; `place` makes its art a piece that lights up. */
export function stepper({ label, value, set, least = 0, most = Infinity, key, art, place }) {
  const less = say("dispute.less", { name: label });
  const more = say("dispute.more", { name: label });
  return html`
    <div class="count-row" role="group" aria-label=${label}>
      <span class="count-name" data-place=${place || null}>${art}<span>${label}</span></span>
      ${stepButton(`${key}-minus`, less, icon("minus"), () => set(value - 1), value <= least)}
      <output aria-label=${label}>${minus(value)}</output>
      ${stepButton(`${key}-plus`, more, icon("plus"), () => set(value + 1), value >= most)}
    </div>`;
}

/** A number of the player's own, under its name in the state. */
export function playerStepper(context, field, { label = context.say(field), ...more }) {
  const set = (n) => context.edit((row) => (row[field] = n));
  const place = `${context.place}/${field}`;
  return stepper({ label, value: context.player[field] ?? 0, key: field, place, set, ...more });
}

/**
 * A whole number that is typed. What stands in the field counts, or is marked and says what is expected; once the field
 * is left, it shows what counts, and what was not taken stands below until another is typed. `set` hears of each number,
 * and of undefined for an emptied field if it is `optional`.
 */
export function numberField({ label, value, set, least = 0, most, key, kind, place, placeholder, optional = true }) {
  let counted = value ?? undefined;
  const id = `number-${(numbers += 1)}`;
  const note = html`<p class="small field-note" id=${id} hidden role="status"></p>`;
  const input = html`
    <input class="field number" type="text" inputmode="numeric" autocomplete="off" maxlength="20"
        placeholder=${placeholder} value=${value ?? ""} data-key=${key} aria-describedby=${id}>`;
  const tell = (words) => {
    note.hidden = !words;
    note.textContent = words;
  };
  const mark = (wrong) => {
    input.setAttribute("aria-invalid", `${wrong}`);
    const expected = counted === undefined ? "dispute.number-expected" : "dispute.number-until-then";
    tell(wrong ? say(expected, { least, most, n: counted }) : "");
  };
  const at = place ?? key;
  const left = () => refused?.at === at && tell(say("dispute.number-refused", { least, most, got: refused.got }));
  const hear = () => {
    typed = { key, input };
    const text = input.value.normalize("NFKC").trim();
    const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    const wrong = text === "" ? !optional : !(number >= least && number <= most);
    if (wrong || refused?.at === at) refused = wrong && text ? { at, got: input.value.trim() } : null;
    mark(wrong);
    if (wrong || number === counted) return;
    typed = null;
    counted = number;
    set(number);
  };
  input.addEventListener("input", (event) => event.isComposing || hear());
  input.addEventListener("compositionend", hear);
  input.addEventListener("change", hear);
  input.addEventListener("blur", () => {
    if (typed?.input === input) typed = null;
    input.value = counted ?? "";
    mark(false);
    left();
  });
  // Drawn anew in the midst of typing: what is typed stays, and stays marked.
  if (typed?.key === key && typed.input === document.activeElement) {
    input.value = typed.input.value;
    hear();
  } else left();
  return html`
    <div class="number-entry">
      <label class=${kind} data-place=${place}><span>${label}</span>${input}</label>
      ${note}
    </div>`;
}
let numbers = 0;
let typed = null;
let refused = null;

/** A kind of piece that is counted: touching it adds one, below stands how many. */
export function counter({ label, value, set, most = Infinity, key, art, place }) {
  return html`
    <div class="counter ${value ? "" : "none"}" role="group" aria-label=${label} data-place=${place}>
      <button class="counter-add" data-key="${key}-add"
          aria-label=${say("dispute.add-one", { name: label, n: value })} disabled=${value >= most}
          onclick=${() => set(value + 1)}>
        ${art}
      </button>
      <output class="counter-n" aria-hidden="true">${value}</output>
      <button class="counter-less" data-key="${key}-less" aria-label=${say("dispute.less", { name: label })}
          disabled=${value <= 0} onclick=${() => set(value - 1)}>
        ${icon("minus")}
      </button>
    </div>`;
}

/** Yes or no. At a `place` it is outlined while asked for; its click is heard by nobody else, who might draw it anew before it changes. */
export function toggle(label, on, set, key, place) {
  return html`
    <label class="check" data-place=${place} onclick=${(event) => event.stopPropagation()}>
      <input type="checkbox" role="switch" checked=${on} data-key=${key}
          onchange=${(event) => set(event.target.checked)}>
      <span>${label}</span>
    </label>`;
}

const oneOf = (kind) => (label, options, current, set, key) =>
  html`
  <div class="${kind}s" role="group" aria-label=${label}>
    ${options.map(
      ([value, text, name, extra]) => html`
      <button class="${kind} ${value === current && "on"} ${extra}" aria-pressed=${value === current} aria-label=${name}
          data-key="${key}-${value}" onclick=${() => set(value)}>
        ${text}
      </button>`,
    )}
  </div>`;

/** One of a few; `options` are [value, text or element, name for a screen reader?, class?]. */
export const segments = oneOf("segment");

/** One of many that are short: letters, numbers. */
export const keys = oneOf("key");

/** What went wrong, read out at once; with `close` it can be put away. */
export function alarm(words, close = null) {
  const away = { kind: "plain", sign: "close", label: say("dismiss") };
  return html`
    <div class="message" role="alert">${icon("warn")}<div>${words}</div>${close && button("message-close", null, close, away)}</div>`;
}

/** A part of an editor with its heading. */
export function part(title, ...children) {
  return html`<section class="part"><h3>${title}</h3>${children}</section>`;
}

/** A part that is seldom needed: closed until it is opened, or while something lies in it. */
// The click says it at once, the toggle that follows comes after a tap's next change.
export function fold(title, key, open, ...children) {
  return html`
    <details class="fold" open=${open || OPENED.has(key)}
        ontoggle=${(event) => OPENED[event.target.open ? "add" : "delete"](key)}>
      <summary data-key="fold-${key}"
          onclick=${({ currentTarget: { parentElement: one } }) => OPENED[one.open ? "delete" : "add"](key)}>
        ${title}
      </summary>
      ${children}
    </details>`;
}
const OPENED = new Set();
