// What a game's editor works with: the case, its words and box, and the ways to change it.
import { html, say } from "../lib/dom.js";

/**
 * @param {{game: string, box: object, terms: Object<string, string>, kept?: object}} given what the page was given.
 * @param {object} of getters `state`, `at` (whose pieces are edited), `chosen` (a place), `lit` (places), `line` (the lit
 *   one), and the functions `change(edit, options)`, `choose(place)`, `redraw()`, `complain(message)`; where all players
 *   stand on one page, `turn(i)` shows another one.
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
    /** Change what the editor itself keeps: a tool, a tray, a number that is chosen. */
    show: (view, change) => {
      Object.assign(view, change);
      context.redraw();
    },
  };
  return Object.defineProperties(context, Object.getOwnPropertyDescriptors(of));
}

/** A player's pieces in small, which nobody changes: as `game`, an editor, draws them. */
export function smallPicture(game, given, state, at, { lit = [], line = null } = {}) {
  const context = editorContext(given, { state, at, chosen: null, lit, line: () => line });
  return html`<div class="picture">${game.picture(context)}</div>`;
}
