// Pieces that lie before a player, each to be chosen; sets of three; what may be taken from the box; and all of it in small.
import { button, html, icon, say } from "./dom.js";

/**
 * A piece that can be chosen; touching it also lights the lines that counted it.
 * @param {{label: string, place: string, chosen: boolean, key?: string, drag?: string, index?: number, extra?: string}} how
 */
function piece({ label, place, chosen, key, drag, index, extra = "" }, art) {
  return html`
    <button class="piece ${chosen && "chosen"} ${extra}" data-place=${place} data-tap="choose"
        data-key=${key ?? place} data-drag=${drag} data-index=${index} aria-label=${label} aria-pressed=${chosen}>
      ${art}
    </button>`;
}

/** What can be done with the chosen piece. `actions` are [words, icon or text, do, key, disabled?]. */
function actions(name, list) {
  const one = ([label, sign, act, key, disabled]) => button(`act-${key}`, sign, act, { kind: "act", label, disabled });
  return html`
    <div class="actions" role="group" aria-label=${name}>
      <span class="actions-name">${name}</span>
      ${list.filter(Boolean).map(one)}
    </div>`;
}

/**
 * A list of pieces at `place` of the state, one of them perhaps chosen.
 * @param {{words: (piece: any, i: number) => string, art: (piece: any) => any, change: (edit: (list: any[]) => any) => void,
 *   extra?: string | ((piece: any) => string), more?: (piece: any, change: any, i: number) => any[], drag?: string}} how `words(piece, i)` and `art(piece)`; `change(edit)`: `edit` gets the list to work on; `extra`: a class,
 *   or one for each piece; `more(piece, change, i)`: actions beside taking it away; `drag`: what a piece is dragged as.
 * @returns {{laid: Element[], chosen: number, bar: Element | null}} `chosen`: its index, -1 for none; `bar`: its actions.
 */
export function pieceRow(context, place, pieces, how) {
  const { words, art, change, extra = "", more = () => [], drag = null } = how;
  const chosen = pieces.findIndex((_, i) => `${place}/${i}` === context.chosen);
  const laid = pieces.map((one, i) => {
    const own = typeof extra === "function" ? extra(one) : extra;
    const dragged = drag && { drag: `${drag}:${i}`, index: i };
    return piece(
      { label: words(one, i), place: `${place}/${i}`, chosen: i === chosen, extra: own, ...dragged },
      art(one),
    );
  });
  const remove = () => {
    change((list) => list.splice(chosen, 1));
    context.choose(null);
  };
  const bar = () =>
    actions(words(pieces[chosen], chosen), [
      ...more(pieces[chosen], change, chosen),
      [say("dispute.remove"), icon("close"), remove, "remove"],
    ]);
  return { laid, chosen, bar: chosen < 0 ? null : bar() };
}

/** The same for a list that stands under `field` of the player. */
export const playerRow = (context, field, how) =>
  pieceRow(context, `${context.place}/${field}`, context.player[field] ?? [], {
    change: (edit) => context.edit((row) => edit(row[field])),
    ...how,
  });

/** Cards of a set. */
export const THREE = 3;
export const isWhole = (set) => set.length === THREE;

/**
 * A player's sets of three under `field`; `note(set)` stands in each. A set that nothing is left of is gone.
 * @param {any} context @param {string} field
 * @param {{note?: (set: any[]) => any, words: (piece: any, i: number) => string, art: (piece: any) => any, drag?: string}} how
 */
export function setsOfThree(context, field, { note = () => null, ...how }) {
  const sets = context.player[field] ?? [];
  const change = (i) => (edit) =>
    context.edit((row) => {
      edit(row[field][i]);
      row[field] = row[field].filter((set) => set.length);
    });
  const rows = sets.map((set, i) =>
    pieceRow(context, `${context.place}/${field}/${i}`, set, { ...how, extra: "laid", change: change(i) }),
  );
  const laid = rows.map(
    (row, i) => html`<div class="laid-set ${isWhole(sets[i]) ? "" : "begun"}">${row.laid}${note(sets[i])}</div>`,
  );
  return { laid, bar: rows.map(({ bar }) => bar) };
}

/** Lay a card to the set that is begun, or begin one. */
export function layInSet(sets, card) {
  const begun = sets.find((set) => !isWhole(set));
  if (begun) begun.push(card);
  else sets.push([card]);
}

/**
 * A piece of the box that a touch takes; `left` stands at its corner, and where it is 0 there is none to be taken.
 * @param {{label: string, art: any, take: () => void, key: string, left?: any, kind?: string, drag?: string}} piece
 */
export function supply({ label, art, take, key, left, kind = "fan-card", drag }) {
  return html`
    <button class="${kind} supply" data-key=${key} data-drag=${left === 0 ? null : drag} disabled=${left === 0}
        aria-label=${label} onclick=${take}>
      ${art}${left !== undefined && html`<span class="left">${left}</span>`}
    </button>`;
}

// In small: beside a line that is lit, and on paper

export const smallRow = (...children) => html`<div class="picture-row">${children}</div>`;

/** Pieces that lie together. */
export const smallSet = (pieces, place, art) =>
  html`<span class="picture-set">${pieces.map((one, i) => html`<span class="picture-card" data-place="${place}/${i}">${art(one)}</span>`)}</span>`;

/** Pieces that are counted. */
export const smallCount = (art, n, place) =>
  html`<span class="picture-count" data-place=${place}>${art}<span>${n}</span></span>`;
