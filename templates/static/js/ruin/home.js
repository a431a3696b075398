// The game's home: start a play, forget one.
import { post } from "../lib/api.js";
import { say } from "../lib/dom.js";

const problem = document.getElementById("problem");

async function attempt(what) {
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
for (const button of document.querySelectorAll("[data-forget]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      if (!confirm(say("forget-sure"))) return;
      await post(`/api/in-the-ruin/plays/${button.dataset.forget}`, {}, "DELETE");
      button.closest("li").remove();
    }),
  );
}
