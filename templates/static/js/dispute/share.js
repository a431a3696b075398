// The case as something to hand on: link, QR code, paper, file; and files taken back in.
import { Failed, post } from "../lib/api.js";
import { html, say } from "../lib/dom.js";

/** The card with link, QR code, print and JSON. `view.link` is what was made for the state as it is. */
export function shareCard(table, view, { game, load, complain, again, print, fresh }) {
  const make = async () => {
    view.link ??= await post(`/api/dispute/${game}/link`, { code: await table.writeAddress() });
    return view.link;
  };
  const attempt = (act) => async () => {
    try {
      await act();
    } catch (error) {
      complain(error.message);
    }
  };
  return html`
    <section class="card share" aria-label=${say("dispute.share")}>
      <h2>${say("dispute.share")}</h2>
      <div class="row">
        <button class="button" data-key="link"
            onclick=${attempt(async () => {
              await make();
              again();
              document.querySelector(".link-part")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
            })}>
          ${say("dispute.link")}
        </button>
        <button class="button" data-key="print" onclick=${attempt(async () => print(await make()))}>
          ${say("dispute.print")}
        </button>
        <button class="button" data-key="json" onclick=${() => download(table.state)}>
          ${say("dispute.download")}
        </button>
        <label class="button file-button">
          ${say("dispute.open")}
          <input type="file" class="only-read" accept=".json,application/json" data-key="open"
              onchange=${(event) => {
                take(event.target.files[0], load, complain);
                event.target.value = "";
              }}>
        </label>
        <a class="button plain" href=${fresh} data-key="fresh">${say("dispute.fresh")}</a>
      </div>
      ${view.link && linkPart(view.link)}
    </section>`;
}

function linkPart({ link, qr, lan }) {
  const field = html`
    <input class="field" readonly value=${link} id="case-link" aria-label=${say("dispute.link-is")}
        onfocus=${(event) => event.target.select()}>`;
  const copy = async (event) => {
    const button = event.currentTarget;
    field.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy"); // a page that is not served over https has no clipboard of its own
    }
    button.textContent = say("dispute.copied");
  };
  return html`
    <div class="link-part">
      <div class="row link-row">
        ${field}
        <button class="button" data-key="copy" onclick=${copy}>${say("dispute.copy")}</button>
      </div>
      ${qr ? html`<div class="qr">${drawing(qr)}</div>` : html`<p class="small">${say("dispute.qr-too-long")}</p>`}
      <p class="small quiet">${say(lan ? "dispute.link-lan" : "dispute.link-closed")}</p>
    </div>`;
}

/** The server's SVG of a QR code. */
export function drawing(svg) {
  const picture = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", say("dispute.qr"));
  return picture;
}

function download(state) {
  const file = URL.createObjectURL(new Blob([`${JSON.stringify(state, null, 2)}\n`], { type: "application/json" }));
  html`<a href=${file} download="${state.game}.json"></a>`.click();
  setTimeout(() => URL.revokeObjectURL(file), 10_000);
}

async function take(file, load, complain) {
  if (!file) return;
  try {
    load(await read(file));
  } catch (error) {
    complain(error.message);
  }
}

async function read(file) {
  const response = await fetch("/api/dispute/read", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Companion": "1" },
    body: file,
  }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (!response?.ok) throw new Failed(body?.error?.message ?? say("offline"), { status: response?.status });
  return body;
}

/** A JSON file may be dropped anywhere on the page. */
export function acceptDrops(body, load, complain) {
  body.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    body.classList.add("dropping");
  });
  body.addEventListener("dragleave", (event) => !event.relatedTarget && body.classList.remove("dropping"));
  body.addEventListener("drop", (event) => {
    body.classList.remove("dropping");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0], load, complain);
  });
}
