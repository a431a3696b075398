// Small helpers: elements, words, focus.
const WORDS = JSON.parse(document.getElementById("words").textContent);
const SVG = "http://www.w3.org/2000/svg";

/** The sentence of a key in the page's language, its gaps filled. */
export function say(key, values = {}) {
  return (WORDS[key] ?? key).replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);
}

/** An HTML element: attributes, `on…` listeners, children (text, elements, nothing). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Draw anew and keep the focus where it was, by `data-key`. */
export function redraw(root, ...children) {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.dataset?.key;
  const caret = active?.selectionStart;
  root.replaceChildren(...children.flat(3).filter(Boolean));
  if (key === undefined) return;
  const next = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  next?.focus({ preventScroll: true });
  if (caret !== undefined && caret !== null && next?.setSelectionRange && next.type === "text") next.setSelectionRange(caret, caret);
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
  hand: "M4 20h16M6 16 16.5 5.500l2.5 2.500L8.5 18.5 5 19.500z",
};

/** A line drawing of our own. */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}
