// A table that was forgotten, on this page or another one: the page says so, and nothing else.
import { get } from "../../lib/api.js";
import { html, say } from "../../lib/dom.js";

const GONE = "live.problem.no-table";

export const saysForgotten = ({ key }) => key === GONE;

/** Whether a table that is not followed is kept still: it may be forgotten meanwhile, in another window. */
export const isForgotten = (address) => get(address).then(() => false, saysForgotten);

export const forgottenCard = () => html`
  <section class="card stack gone-table" role="alert">
    <h1>${say("live.forgotten")}</h1>
    <p>${say("live.forgotten-about")}</p>
    <p><a class="button main-action" href="/live/">${say("live.forgotten-home")}</a></p>
  </section>`;
