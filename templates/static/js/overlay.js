// The points of the followed table, laid over a video stream.
const list = document.getElementById("scores");
const source = new EventSource("/api/v1/events");

source.addEventListener("score", (event) => {
  const { players } = JSON.parse(event.data);
  list.replaceChildren(
    ...players.map(({ name, points }) => {
      const row = document.createElement("li");
      const total = document.createElement("b");
      total.textContent = points ?? "–";
      row.append(name, total);
      return row;
    }),
  );
});
source.addEventListener("stopped", () => list.replaceChildren());
