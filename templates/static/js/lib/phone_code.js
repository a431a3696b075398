// The way to the code for the phone that films, while its first picture is waited for.
import { html, icon, say } from "./dom.js";

export const phoneCode = () => html`
  <a class="button" data-for="host" href="/camera/phone" target="_blank">${icon("camera")}${say("live.phone-open")}</a>`;
