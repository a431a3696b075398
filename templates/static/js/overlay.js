// The points of the followed table, laid over a video stream.
import { html, minus } from "./lib/dom.js";
import { colorsOf, know, sign } from "./lib/players.js";

const list = document.getElementById("scores");
const source = new EventSource("/api/v1/events");

source.addEventListener("score", (event) => {
  const { players } = JSON.parse(event.data);
  know(players);
  const colors = colorsOf(players.map(({ name }) => name));
  const row = ({ name, points }, i) => html`<li>${sign(colors[i])}${name}<b>${minus(points ?? "–")}</b></li>`;
  list.replaceChildren(...players.map(row));
});
source.addEventListener("stopped", () => list.replaceChildren());
