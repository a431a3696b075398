// Small controls that the games' editors share.
import { button, html, icon, minus, say } from "./dom.js";

/** A round button that goes a step on, or back. */
export const stepButton = (key, label, sign, act, disabled = false) =>
  button(key, sign, act, { kind: "step", label, disabled });

/**
 * A number with less and more; `place` makes its art a piece that lights up.
 * @param {{label: string, value: number, set: (value: number) => void, least?: number, most?: number, key: string, art?: any,
 *   place?: string}} how
 */
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

/** A number of the player's own, under its name in the state. @param {any} context @param {string} field @param {object} how */
export function playerStepper(context, field, { label = context.say(field), ...more }) {
  const set = (n) => context.edit((row) => (row[field] = n));
  const place = `${context.place}/${field}`;
  return stepper({ label, value: context.player[field] ?? 0, key: field, place, set, ...more });
}

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

/** One of a few parts of a screen, of which one is shown. */
export const topics = oneOf("topic");

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
