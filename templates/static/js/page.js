// What every page has: the language switch, the buttons that delete something or open the page to
// phones, the fields that take a file in, and whether there is a finger (then there is a
// camera, most likely).
import { post, send } from "./lib/api.js";
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

for (const button of document.querySelectorAll("[data-network]")) {
  const { network, sure } = button.dataset;
  const go = async () => {
    await post("/api/phone/network", { open: network === "open" });
    location.reload();
  };
  button.addEventListener("click", () => (!sure || confirm(sure)) && attempt(go, button));
}

for (const input of document.querySelectorAll("[data-take]")) {
  const take = async () => {
    const [file] = input.files;
    input.value = "";
    await send(input.dataset.take, file);
    location.reload();
  };
  input.addEventListener("change", () => attempt(take));
}

if (navigator.maxTouchPoints > 0 || matchMedia("(pointer: coarse)").matches)
  document.documentElement.classList.add("touch");
