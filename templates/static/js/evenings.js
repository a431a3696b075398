// The list of evenings: forget a game, take in an evening from a file.
import { post } from "./lib/api.js";
import { say } from "./lib/dom.js";

const problem = document.getElementById("problem");
const taken = document.getElementById("taken");

async function attempt(what) {
  problem.hidden = true;
  try {
    await what();
  } catch (error) {
    problem.textContent = error instanceof SyntaxError ? say("evenings.no-json") : error.message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }
}

for (const button of document.querySelectorAll("[data-forget]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      if (!confirm(say("evenings.forget-sure"))) return;
      await post(`/api/evenings/games/${button.dataset.forget}`, {}, "DELETE");
      location.reload();
    }),
  );
}
document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    const [file] = target.files;
    target.value = "";
    const found = await post("/api/evenings/import", JSON.parse(await file.text()));
    taken.textContent = say("evenings.taken", found);
    taken.hidden = false;
    if (found.taken) setTimeout(() => location.reload(), 1200);
  }),
);
