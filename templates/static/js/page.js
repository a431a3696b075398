// What every page has: the language switch, the buttons that delete something or open the page to
// phones, the fields that take a file in, the forms that begin something, what is shown without a line, and whether there is a finger (then there is a
// camera, most likely).
import { begin, post, send } from "./lib/api.js";
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

/**
 * A form that begins something: sent to `data-begin`, it opens the page `data-to`, whose gap the answer fills. Its button
 * can be pressed from now on: before, the browser itself would send the form, to nobody.
 */
for (const form of document.querySelectorAll("form[data-begin]")) {
  const { begin: address, to, now } = form.dataset;
  form.querySelector("[type=submit]").disabled = false;
  const go = (open) =>
    attempt(async () => {
      const answer = await begin(address, Object.fromEntries(new FormData(form)));
      open(to.replace(/\{(\w+)\}/, (_, key) => answer[key]));
    }, form.querySelector("[type=submit]"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go((page) => location.assign(page));
  });
  if (now === undefined) continue;
  history.replaceState(null, "", location.pathname);
  go((page) => location.replace(page));
}

// Where the page came by a secure line, the device keeps what it shows without one. Some browsers refuse that under a
// certificate of our own: then a page that cannot be had is the browser's to tell.
navigator.serviceWorker?.register(document.documentElement.dataset.worker, { scope: "/" }).catch(() => null);

if (navigator.maxTouchPoints > 0 || matchMedia("(pointer: coarse)").matches)
  document.documentElement.classList.add("touch");
