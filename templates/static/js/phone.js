// The pairing code: drawn, and taken away when it is over.
import { post } from "./lib/api.js";
import { html, redraw, say } from "./lib/dom.js";

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
    redraw(
      place,
      picture,
      html`<p class="small quiet"><code>${code.link}</code></p>`,
      html`
      <p class="small">${say("phone.once", { minutes: Math.round(code.seconds / 60) })}</p>`,
    );
    over = setTimeout(() => redraw(place, html`<p>${say("phone.over")}</p>`), code.seconds * 1000);
  } catch (error) {
    redraw(place, html`<p>${error.message}</p>`);
  }
}

document.getElementById("again").addEventListener("click", show);
document.getElementById("forget").addEventListener("click", async () => {
  if (!confirm(say("phone.forget-sure"))) return;
  try {
    await post("/api/phone/forget");
    await show();
  } catch (error) {
    redraw(place, html`<p>${error.message}</p>`);
  }
});
show();
