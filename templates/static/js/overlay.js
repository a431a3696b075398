// The points of the followed table, laid over a video stream.
import { colorsOf, know, sign } from "./lib/players.js";

const list = document.getElementById("scores");
const source = new EventSource("/api/v1/events");

source.addEventListener("score", (event) => {
  const { players } = JSON.parse(event.data);
  know(players);
  const colors = colorsOf(players.map(({ name }) => name));
  list.replaceChildren(
    ...players.map(({ name, points }, i) => {
      const row = document.createElement("li");
      const total = document.createElement("b");
      total.textContent = points ?? "–";
      row.append(sign(colors[i]), name, total);
      return row;
    }),
  );
});
source.addEventListener("stopped", () => list.replaceChildren());
