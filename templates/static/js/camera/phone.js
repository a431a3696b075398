// The code that leads a phone to the secure page: drawn, and taken away when it is over.
import { post } from "../lib/api.js";
import { html, redraw, say } from "../lib/dom.js";
import { showCode } from "../lib/qr.js";

const place = document.getElementById("code");
let over;

async function show() {
  clearTimeout(over);
  try {
    const code = await post("/api/camera/phone/code");
    const holds = say("push.once", { minutes: Math.round(code.seconds / 60) });
    showCode(place, code, { label: say("push.qr"), holds, open: true });
    over = setTimeout(() => redraw(place, html`<p>${say("push.over")}</p>`), code.seconds * 1000);
  } catch (error) {
    redraw(place, html`<p>${error.message}</p>`);
  }
}

document.getElementById("again").addEventListener("click", show);
show();
