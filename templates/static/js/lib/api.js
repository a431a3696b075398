// Talking to the companion. An error carries the sentence to show; `offline` where nothing came back.
import { say } from "./dom.js";

/** What is refused only for now: a device that was shut out, a table that is not followed. */
const LATER = ["problem.door", "live.problem.stopped"];

class Failed extends Error {
  constructor(message, { status = 0, key = "" } = {}) {
    super(message);
    this.status = status;
    this.key = key;
  }
  get offline() {
    return this.status === 0;
  }
  /** Whether the same may be taken later: once there is room, a line, a way in, or the table is followed again. */
  get later() {
    return this.offline || this.status >= 500 || LATER.includes(this.key);
  }
}

function fail(how, message = say("offline")) {
  throw new Failed(message, how);
}

async function answer(request) {
  const response = await request.catch(() => fail());
  const { status } = response;
  const body = await response.json().catch(() => fail({ status }));
  if (!response.ok) fail({ status, key: body?.error?.key }, body?.error?.message);
  return body;
}

/** An id as the companion makes them. */
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Ask for JSON. */
export function get(address) {
  return answer(fetch(address));
}

/** Send JSON. With `keepalive` it arrives also where the page is left meanwhile. */
export function post(address, body = {}, method = "POST", keepalive = false) {
  return answer(
    fetch(address, {
      method,
      keepalive,
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify(body),
    }),
  );
}

/** As `post`; where a table that is being followed would stop for it, the person is asked first. */
export async function begin(address, body = {}) {
  try {
    return await post(address, body);
  } catch (error) {
    if (error.key !== "live.problem.running" || !confirm(error.message)) throw error;
    return post(address, { ...body, instead: true });
  }
}

/** Megabytes of a file, at most: the companion refuses larger ones before they have come, and a browser then hears nothing. */
const most = Number(document.documentElement.dataset.most);

/** Send a file as it is: a photo, or whatever `type` says. */
export async function send(address, file, type = "application/octet-stream") {
  if (file.size > most * 2 ** 20) fail({ status: 413 }, say("too-big", { most }));
  return answer(fetch(address, { method: "POST", headers: { "Content-Type": type, "X-Companion": "1" }, body: file }));
}

/** Send files together, as a form does. */
export async function sendForm(address, files) {
  if (files.reduce((sum, { size }) => sum + size, 0) > most * 2 ** 20) fail({ status: 413 }, say("too-big", { most }));
  const body = new FormData();
  for (const file of files) body.append("photo", file);
  return answer(fetch(address, { method: "POST", headers: { "X-Companion": "1" }, body }));
}
