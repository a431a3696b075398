// Small helpers: elements, words, focus, files.
const { WORDS } = globalThis;

/** The sentence of a key in the page's language, its gaps filled as `companion/words/template.py` explains. */
export function say(key, values = {}) {
  return (WORDS[key] ?? key).replace(/\{(\w+)(?::([^{}]*))?\}/g, (gap, name, how = "") =>
    name in values ? written(values[name], how) : gap,
  );
}

/** A number as it is set: with a minus sign, not a hyphen. */
export const minus = (value) => (typeof value === "number" ? `${value}`.replace("-", "−") : `${value}`);

/** Whether a number is among those that a pattern of a language's numbers stands for. */
const takes = (pattern, value) => new RegExp(`^(?:${pattern})$`).test(`${value}`);

function written(value, how) {
  if (how.includes("|")) {
    const forms = how.split("|");
    return forms[WORDS["language.plural"].split(" ").findIndex((pattern) => takes(pattern, value))] ?? forms.at(-1);
  }
  if (how === "+") return value >= 0 ? `+${value}` : minus(value);
  if (how === "th") {
    const ways = WORDS["language.ordinal"].split(" ").map((way) => way.split("="));
    return `${value}${ways.find(([pattern]) => takes(pattern, value))?.[1] ?? ""}`;
  }
  const kind = how.replace(/[*&]+$/, "");
  const word = (one) => WORDS[`${kind}.${one}`] ?? minus(one);
  if (!Array.isArray(value)) return word(value);
  const counts = new Map();
  for (const one of value) counts.set(one, (counts.get(one) ?? 0) + 1);
  const words = how.endsWith("*")
    ? [...counts].map(([one, n]) => word(one) + (n > 1 ? ` × ${n}` : ""))
    : value.map(word);
  return words.join(WORDS[how.endsWith("&") ? "list.and" : "list.comma"]) || WORDS["list.nothing"];
}

/**
 * An element from HTML: ``html`<b class="x ${y}" onclick=${act}>${children}</b>` ``. What is filled in is never parsed: text
 * stays text. An attribute that is null, undefined or false is left out (`aria-…` says true or false), a function
 * listens, an object in place of an attribute gives several. Children are nodes, texts, arrays of them, or nothing;
 * white space with a line break in it is layout and left out.
 * @type {(texts: TemplateStringsArray, ...values: any[]) => any}
 */
export const html = (texts, ...values) => build(texts, values, "");

/** The same for what stands within an SVG. @type {(texts: TemplateStringsArray, ...values: any[]) => any} */
export const svg = (texts, ...values) => build(texts, values, "svg");

const BLUEPRINTS = new WeakMap();
/** Markup that says `onclick="…"` would be code, which the page's security policy forbids even in a template. */
const LISTENER = / on([a-z]+)=$/;

function build(texts, values, within) {
  if (!BLUEPRINTS.has(texts)) BLUEPRINTS.set(texts, blueprint(texts, within));
  const { content, gaps } = BLUEPRINTS.get(texts);
  const root = document.importNode(content, true);
  const nodes = everyNode(root);
  for (const { at, name, parts } of gaps) {
    const found = parts.map((part) => (typeof part === "number" ? values[part] : part));
    if (name) set(nodes[at], name, found.length === 1 ? found[0] : found.map(plainText).join(""));
    else if (name === "") setAll(nodes[at], found[0]);
    else nodes[at].replaceWith(...childrenOf(found));
  }
  return (within ? root.firstChild : root).firstElementChild;
}

/** The markup parsed once, with the places of its gaps: attributes (`name`), several at once (""), children (null). */
function blueprint(texts, within) {
  let markup = "";
  texts.forEach((text, i) => {
    for (const piece of text.split(/([<>])/)) markup += piece.replace(/\s*\n\s*/g, inTag(markup) ? " " : "");
    if (i === texts.length - 1) return;
    const gap = inTag(markup) ? `{{${i}}}` : `<!--${i}-->`;
    markup = markup.endsWith("=") ? `${markup.replace(LISTENER, " listen-$1=")}"${gap}"` : markup + gap;
  });
  const template = document.createElement("template");
  template.innerHTML = within ? `<${within}>${markup}</${within}>` : markup;
  for (const button of template.content.querySelectorAll("button:not([type])")) button.type = "button";
  const gaps = everyNode(template.content).flatMap((node, at) => {
    if (node.nodeType === Node.COMMENT_NODE) return [{ at, name: null, parts: [Number(node.data)] }];
    const filled = [...node.attributes].filter(({ name, value }) => `${name}${value}`.includes("{{"));
    return filled.map(({ name, value }) => {
      node.removeAttribute(name);
      const several = name.startsWith("{{");
      const parts = (several ? name : value).split(/\{\{|\}\}/).map((part, k) => (k % 2 ? Number(part) : part));
      return { at, name: several ? "" : name.replace(/^listen-/, "on"), parts: parts.filter((part) => part !== "") };
    });
  });
  return { content: template.content, gaps };
}

const inTag = (markup) => markup.lastIndexOf("<") > markup.lastIndexOf(">");
const isNothing = (value) => value === null || value === undefined || value === false;
const plainText = (value) => (isNothing(value) ? "" : `${value}`);
const childrenOf = (values) => values.flat(4).filter((child) => !isNothing(child) && child !== true);

function everyNode(root) {
  /** @type {any[]} elements and comments */
  const nodes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
}

function set(element, name, value) {
  if (typeof value === "boolean" && name.startsWith("aria-")) element.setAttribute(name, `${value}`);
  else if (isNothing(value)) return;
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value" && "defaultValue" in element) element.defaultValue = value;
  else if (name === "value" && "value" in element) element.value = value;
  else element.setAttribute(name, value === true ? "" : value);
}

/** Draw anew and keep the focus where it was, by `data-key`, with what is selected there. */
export function redraw(root, ...children) {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const { selectionStart: from, selectionEnd: to } = active ?? {};
  const key = active?.dataset?.key;
  root.replaceChildren(...children.flat(4).filter(Boolean));
  if (key === undefined) return;
  const next = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  next?.focus({ preventScroll: true });
  if (Number.isInteger(from) && next?.type === "text") next.setSelectionRange(from, to);
}

/** The same; where the button that had the focus is gone, what stands in its place has it. */
export function redrawInPlace(root, ...children) {
  const buttons = () => [...root.querySelectorAll("button[data-key]:enabled")];
  const at = buttons().indexOf(document.activeElement);
  redraw(root, ...children);
  const there = at >= 0 && !root.contains(document.activeElement) && (buttons()[at] ?? buttons().at(-1));
  if (there) there.focus({ preventScroll: true });
}

const ROLES = ["guest", "player", "host"];

/** Whether who looks at the page may do what asks for this role. What is pressed says it as `data-for`. */
export function may(role) {
  return ROLES.indexOf(document.documentElement.dataset.role) >= ROLES.indexOf(role);
}

/** The data block of this id, parsed. */
export function data(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

const ICONS = {
  camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 9.4a3.6 3.6 0 1 0 .01 0z",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  warn: "M12 4 3 20h18zM12 10v4.500M12 17.300v.2",
  undo: "M9 5 4.5 9.5 9 14M5 9.500h9a5 5 0 0 1 0 10h-3",
  close: "M6 6l12 12M18 6 6 18",
  check: "M4.5 12.5 10 18 19.5 6.5",
  play: "m8 5 11 7-11 7z",
  pause: "M8.5 5v14M15.500 5v14",
  hand: "M4 20h16M6 16 16.5 5.500l2.5 2.500L8.5 18.5 5 19.500z",
};

/** A line drawing of our own. @param {string} name */
export function icon(name) {
  return html`
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"
      stroke-linejoin="round" aria-hidden="true"><path d=${ICONS[name]}/></svg>`;
}

/**
 * A button with words, and a `sign` (an icon) before them; a sign alone has a `label`. `kind`: how it looks; `of`: the role
 * that it asks for; `pressed`: whether it is, where it can be.
 * @param {string} key @param {any} words @param {(event: Event) => void} act
 * @param {{kind?: string, sign?: string, label?: string, of?: string, pressed?: boolean, disabled?: boolean}} how
 */
export const button = (key, words, act, { kind = "", sign, label, of, pressed, disabled } = {}) => html`
  <button class="button ${kind}" data-for=${of} data-key=${key} aria-label=${label} title=${label} aria-pressed=${pressed}
    disabled=${disabled} onclick=${act}>${sign && icon(sign)}${words}</button>`;

/** Let the browser save a file. */
export function save(blob, name) {
  const file = URL.createObjectURL(blob);
  html`<a href=${file} download=${name}></a>`.click();
  setTimeout(() => URL.revokeObjectURL(file), 10_000);
}
