// The pairing code, and the devices that are in. Another code is shown as soon as one was used or is over.
import { get, post } from "./lib/api.js";
import { button, html, redraw, say } from "./lib/dom.js";
import { showCode } from "./lib/qr.js";

const LOOK = 2000;
const place = document.getElementById("code");
const list = document.getElementById("devices");
const role = document.getElementById("role");
let code = null;

const attempt = (what, where = place) => what().catch(({ message }) => redraw(where, html`<p>${message}</p>`));

async function show() {
  code = await post("/api/phone/code", { role: role.value });
  showCode(place, code, {
    label: say("phone.qr"),
    holds: say("phone.once", { minutes: Math.round(code.seconds / 60) }),
  });
  const typed = html`<strong class="typed-code">${code.typed.slice(0, 3)} ${code.typed.slice(3)}</strong>`;
  place.append(html`<p>${say("phone.or-type", { address: code.address })} ${typed}</p>`);
}

async function look() {
  const { devices, out } = await get(`/api/phone/devices?code=${code?.code ?? ""}`);
  redraw(list, ...devices.map(row));
  if (code && !out) await show();
}

function row({ id, name, role, since, mine }) {
  const forget = () => post(`/api/phone/devices/${id}`, {}, "DELETE").then(look);
  const remove = () => attempt(forget, list);
  return html`
    <li class="row" data-key=${id}>
      <span class="grow">${name === "?" ? say("phone.unknown") : name} · ${role}<span class="small quiet"> ${since}${mine && say("phone.mine")}</span></span>
      ${!mine && button(`remove-${id}`, say("phone.remove"), remove, { kind: "plain danger" })}
    </li>`;
}

role.addEventListener("change", () => attempt(show));
document.getElementById("again").addEventListener("click", () => attempt(show));
document.getElementById("forget").addEventListener("click", () => {
  if (confirm(say("phone.forget-sure"))) attempt(() => post("/api/phone/forget").then(look), list);
});
await attempt(show);
await attempt(look, list);
setInterval(() => document.hidden || attempt(look, list), LOOK);
