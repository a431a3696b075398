// The game's home: start a play, forget one.
import { post } from "../../lib/api.js";
import { say } from "../../lib/dom.js";

const problem = document.getElementById("problem");

async function attempt(what) {
  problem.hidden = true;
  try {
    await what();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }
}

document.getElementById("start")?.addEventListener("click", () =>
  attempt(async () => {
    const { play } = await post("/api/in-the-ruin/plays", { sheet: document.getElementById("sheet").value });
    location.assign(`/in-the-ruin/plays/${play}`);
  }),
);
const film = document.getElementById("film");
const playFilm = (go) =>
  attempt(async () => {
    film.disabled = true;
    try {
      const { play } = await post("/api/in-the-ruin/demo-camera");
      go(`/in-the-ruin/plays/${play}`);
    } finally {
      film.disabled = false;
    }
  });
film?.addEventListener("click", () => playFilm((to) => location.assign(to)));
if (film && "now" in film.dataset) {
  history.replaceState(null, "", location.pathname);
  playFilm((to) => location.replace(to));
}
for (const button of document.querySelectorAll("[data-forget]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      if (!confirm(say("forget-sure"))) return;
      await post(`/api/in-the-ruin/plays/${button.dataset.forget}`, {}, "DELETE");
      button.closest("li").remove();
    }),
  );
}
for (const button of document.querySelectorAll("[data-correct]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      // The grid may have to be found on the kept picture: a second tap meanwhile would make a second draft.
      button.disabled = true;
      try {
        const { id } = await post(`/api/in-the-ruin/sheets/${button.dataset.correct}/draft`);
        location.assign(`/in-the-ruin/sheets/drafts/${id}`);
      } finally {
        button.disabled = false;
      }
    }),
  );
}
for (const button of document.querySelectorAll("[data-forget-sheet]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      if (!confirm(say("sheet.forget-sure", { name: button.dataset.name }))) return;
      await post(`/api/in-the-ruin/sheets/${button.dataset.forgetSheet}`, {}, "DELETE");
      location.reload();
    }),
  );
}
