// What a device says where the companion cannot be reached: what waits here, and the page again as soon as it can be had.
import { keptEntries, keptFiles } from "./lib/device_store.js";
import { say } from "./lib/dom.js";

const AGAIN = 3000;

/** Where this page stands in for another, that one is asked for again; at its own address, the first page. */
const leave = () => (location.pathname === "/offline" ? location.replace("/") : location.reload());

async function tell() {
  const [entries, photos] = await Promise.all([keptEntries.all(), keptFiles.all()]);
  const n = { entries: entries.length, photos: photos.length };
  document.getElementById("waiting").textContent = say(n.entries + n.photos ? "offline.waiting" : "offline.nothing", n);
}

/** Ask for something that is never kept. */
async function tryAgain() {
  try {
    await fetch("/public/app.webmanifest", { method: "HEAD", cache: "no-store" });
    leave();
  } catch {
    // still no line
  }
}

document.getElementById("again").addEventListener("click", leave);
addEventListener("online", tryAgain);
setInterval(tryAgain, AGAIN);
tell();
