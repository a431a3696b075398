// The list of evenings: take in an evening from a file.
import { post } from "./lib/api.js";
import { attempt } from "./lib/attempt.js";
import { say } from "./lib/dom.js";

const taken = document.getElementById("taken");

document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    const [file] = target.files;
    target.value = "";
    const evening = await new Response(file).json().catch(() => Promise.reject(new Error(say("evenings.no-json"))));
    const found = await post("/api/evenings/import", evening);
    taken.textContent = say("evenings.taken", found);
    taken.hidden = false;
    if (found.taken) setTimeout(() => location.reload(), 1200);
  }),
);
