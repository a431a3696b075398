// A state in an address: JSON, deflated without header, base64url without padding; the server reads it.

const TAPPED = /^\/(in-the-ruin\/plays|live)\/[\w-]+(\?row=\d+)?$/;

/** The address of the page from whose photo or camera a tapped case came; null where it came from none. */
export function cameFrom() {
  const from = new URLSearchParams(location.search).get("from") ?? "";
  return TAPPED.test(from) ? from : null;
}

/** The state as part of an address. */
export async function pack(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  return base64url(window.CompressionStream ? await deflate(text) : stored(text));
}

async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Deflate's own form for what is not compressed, for browsers that cannot compress: blocks of a final bit, length, ~length, bytes. */
function stored(bytes) {
  const most = 65535;
  const out = [];
  for (let start = 0; start === 0 || start < bytes.length; start += most) {
    const part = bytes.subarray(start, start + most);
    const last = start + most >= bytes.length ? 1 : 0;
    out.push(last, part.length & 255, part.length >> 8, ~part.length & 255, (~part.length >> 8) & 255, ...part);
  }
  return Uint8Array.from(out);
}

function base64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
