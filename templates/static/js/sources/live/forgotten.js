// A table that was forgotten, on this page or another one: the page says so, and nothing else.
import { html, say } from "../../lib/dom.js";

const GONE = "live.problem.no-table";

export const saysForgotten = ({ key }) => key === GONE;

export const forgottenCard = () => html`
  <section class="card stack gone-table" role="alert">
    <h1>${say("live.forgotten")}</h1>
    <p>${say("live.forgotten-about")}</p>
    <p><a class="button main-action" href="/live/">${say("live.forgotten-home")}</a></p>
  </section>`;
