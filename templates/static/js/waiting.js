// What was entered or photographed without a line, where another page than its own was opened meanwhile: it waits for its own.
import { keptEntries, keptFiles } from "./lib/device_store.js";
import { html, say } from "./lib/dom.js";

const [entries, photos] = await Promise.all([keptEntries.all(), keptFiles.all()]);
const pages = new Set([...entries, ...photos].map(({ at }) => at).filter(Boolean));
const place = document.getElementById("waiting");
const link = (at) => html`<a class="button" href=${at}>${say("offline.open")}</a>`;
const words = say("offline.waiting", { entries: entries.length, photos: photos.length });
place.replaceChildren(html`<div class="stack"><p>${words}</p><div class="row">${[...pages].map(link)}</div></div>`);
place.hidden = !entries.length && !photos.length;
