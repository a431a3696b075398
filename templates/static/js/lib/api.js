// Talking to the companion. An error carries the sentence to show; `offline` where nothing came back.
import { say } from "./dom.js";

export class Failed extends Error {
  constructor(message, { status = 0, key = "" } = {}) {
    super(message);
    this.status = status;
    this.key = key;
  }
  get offline() {
    return this.status === 0;
  }
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Failed(say("offline"));
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    throw new Failed(say("offline"), { status: response.status });
  }
  if (!response.ok)
    throw new Failed(body?.error?.message ?? say("offline"), { status: response.status, key: body?.error?.key });
  return body;
}

/** Ask for JSON. */
export function get(address) {
  return answer(fetch(address));
}

/** Send JSON. */
export function post(address, body = {}, method = "POST") {
  return answer(
    fetch(address, {
      method,
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify(body),
    }),
  );
}

/** Send a photo as it is. */
export function send(address, file) {
  return answer(
    fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream", "X-Companion": "1" },
      body: file,
    }),
  );
}
