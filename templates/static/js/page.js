// What every page has: the language switch, and whether there is a finger (then there is a camera, most likely).
import { post } from "./lib/api.js";

for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", async () => {
    await post("/api/language", { language: button.dataset.language });
    location.reload();
  });
}

if (navigator.maxTouchPoints > 0 || matchMedia("(pointer: coarse)").matches)
  document.documentElement.classList.add("touch");
