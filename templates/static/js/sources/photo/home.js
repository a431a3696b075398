// The game's home: start a play, correct a sheet.
import { post } from "../../lib/api.js";
import { attempt } from "../../lib/attempt.js";

document.getElementById("start")?.addEventListener("click", () =>
  attempt(async () => {
    const { play } = await post("/api/in-the-ruin/plays", { sheet: document.getElementById("sheet").value });
    location.assign(`/in-the-ruin/plays/${play}`);
  }),
);
const film = document.getElementById("film");
const playFilm = (go) =>
  attempt(async () => {
    const { play } = await post("/api/in-the-ruin/demo-camera");
    go(`/in-the-ruin/plays/${play}`);
  }, film);
film?.addEventListener("click", () => playFilm((to) => location.assign(to)));
if (film && "now" in film.dataset) {
  history.replaceState(null, "", location.pathname);
  playFilm((to) => location.replace(to));
}
for (const button of document.querySelectorAll("[data-correct]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      // The grid may have to be found on the kept picture: a second tap meanwhile would make a second draft.
      const { id } = await post(`/api/in-the-ruin/sheets/${button.dataset.correct}/draft`);
      location.assign(`/in-the-ruin/sheets/drafts/${id}`);
    }, button),
  );
}
