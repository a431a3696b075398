// The pairing code: drawn, and taken away when it is over.
import { post } from "./lib/api.js";
import { h, redraw, say } from "./lib/dom.js";

const place = document.getElementById("code");
let over;

async function show() {
  clearTimeout(over);
  try {
    const code = await post("/api/phone/code");
    const picture = new DOMParser().parseFromString(code.qr, "image/svg+xml").documentElement;
    picture.setAttribute("class", "qr");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", say("phone.qr"));
    redraw(place, picture, h("p", { class: "small quiet" }, h("code", {}, code.link)), h("p", { class: "small" }, say("phone.once", { minutes: Math.round(code.seconds / 60) })));
    over = setTimeout(() => redraw(place, h("p", {}, say("phone.over"))), code.seconds * 1000);
  } catch (error) {
    redraw(place, h("p", {}, error.message));
  }
}

document.getElementById("again").addEventListener("click", show);
document.getElementById("forget").addEventListener("click", async () => {
  if (!confirm(say("phone.forget-sure"))) return;
  try {
    await post("/api/phone/forget");
    await show();
  } catch (error) {
    redraw(place, h("p", {}, error.message));
  }
});
show();
