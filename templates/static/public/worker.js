// The shell that a device keeps: a page that cannot be had for want of a line says so, and what waits on the device.
// Pages themselves hold names and points and are never kept. The address that it is installed by names the words.

/** @type {any} The types of what runs beside the pages are none of a page's. */
const worker = self;
const KEPT = "shell";
const PAGE = "/offline";
const SHELL = [
  PAGE,
  "/public/base.css",
  "/public/icon.svg",
  "/static/js/offline.js",
  "/static/js/lib/device_store.js",
  "/static/js/lib/dom.js",
  new URL(location.href).searchParams.get("words"),
];

async function keep() {
  const kept = await caches.open(KEPT);
  await kept.addAll(SHELL.map((address) => new Request(address, { cache: "reload" })));
  for (const { url } of await kept.keys()) if (!SHELL.includes(new URL(url).pathname)) await kept.delete(url);
  await worker.skipWaiting();
}

/** What the companion answers; without a line, what is kept. */
const answer = (request, address) => fetch(request).catch(() => caches.match(address));

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(answer(request, PAGE));
  else if (SHELL.includes(pathname)) event.respondWith(answer(request, pathname));
});
