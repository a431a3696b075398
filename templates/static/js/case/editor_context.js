// What a game's editor works with: the case, its words and box, and the ways to change it.
import { say } from "../lib/dom.js";

/**
 * @param {{game: string, box: object, terms: Object<string, string>, kept?: object}} given what the page was given.
 * @param {object} of getters `state`, `at` (whose pieces are edited), `chosen` (a place), `lit` (places), `line` (the lit
 *   one), and the functions `change(edit, options)`, `choose(place)`, `redraw()`, `complain(message)`.
 */
export function editorContext(given, of) {
  const context = {
    box: given.box,
    kept: given.kept ?? {},
    term: (key) => given.terms[key] ?? key.slice(key.indexOf(".") + 1),
    say: (key, values) => say(`dispute.${given.game}.${key}`, values),
    get player() {
      return context.state.players[context.at] ?? {};
    },
    get place() {
      return `/players/${context.at}`;
    },
    /** Change the player who is shown. */
    edit: (edit, options) => context.change((state) => edit(state.players[context.at], state), options),
  };
  return Object.defineProperties(context, Object.getOwnPropertyDescriptors(of));
}

/** The same for a drawing of a player's pieces, which nobody changes. */
export function pictureContext(given, state, at, { lit = [], line = null } = {}) {
  return editorContext(given, { state, at, chosen: null, lit, line: () => line });
}
