// What somebody who plays alone has reached before, from the evenings.
import { get } from "../lib/api.js";
import { html, say } from "../lib/dom.js";

/** What was answered, by what was asked. */
const known = new Map();

/**
 * How a total stands beside one's own best in earlier games alone; it is asked for once, and drawn when the answer comes.
 * @param {{name: string, total: number}} player @param {{game: string, begun: number, id?: string | null}} how
 *   `begun`: in milliseconds.
 */
export function ownBest({ name, total }, { game, begun, id = null }) {
  const asked = `${new URLSearchParams({ game, name, but: id ?? "" })}`;
  if (!known.has(asked)) {
    known.set(asked, undefined);
    const show = (best) => {
      known.set(asked, best);
      for (const line of document.querySelectorAll(".own-best")) line.textContent = words(best, name, total);
    };
    get(`/api/evenings/best?${asked}&before=${begun / 1000}`).then(show, () => known.delete(asked));
  }
  return html`<p class="own-best">${words(known.get(asked), name, total)}</p>`;
}

/** Nothing while it is not known. */
function words(best, name, total) {
  if (best === undefined) return "";
  if (best === null) return say("finish.best-first", { name });
  const { points, date } = best;
  const by = total - points;
  return say(by > 0 ? "finish.best-beaten" : by < 0 ? "finish.best" : "finish.best-again", { n: points, by, date });
}
