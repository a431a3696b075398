// The list of evenings: forget a game, take in an evening from a file.
import { post } from "./lib/api.js";
import { attempt, forgetOnClick } from "./lib/attempt.js";
import { say } from "./lib/dom.js";

const taken = document.getElementById("taken");

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(say("evenings.no-json"));
  }
}

forgetOnClick(
  "forget",
  "/api/evenings/games/",
  () => say("evenings.forget-sure"),
  () => location.reload(),
);
document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    const [file] = target.files;
    target.value = "";
    const found = await post("/api/evenings/import", parsed(await file.text()));
    taken.textContent = say("evenings.taken", found);
    taken.hidden = false;
    if (found.taken) setTimeout(() => location.reload(), 1200);
  }),
);
