// What every page has: the language switch, the buttons that delete something, and whether there is a finger (then there is a
// camera, most likely).
import { post } from "./lib/api.js";
import { attempt } from "./lib/attempt.js";

for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", async () => {
    await post("/api/language", { language: button.dataset.language });
    location.reload();
  });
}

for (const button of document.querySelectorAll("[data-forget]")) {
  const { forget, sure, anew } = button.dataset;
  const go = async () => {
    await post(forget, {}, "DELETE");
    if (anew === undefined) button.closest("li").remove();
    else location.reload();
  };
  button.addEventListener("click", () => confirm(sure) && attempt(go, button));
}

if (navigator.maxTouchPoints > 0 || matchMedia("(pointer: coarse)").matches)
  document.documentElement.classList.add("touch");
