// A case as something to hand on: link, QR code, paper, file; and files taken back in.
import { post, send } from "../lib/api.js";
import { button, html, save, say } from "../lib/dom.js";
import { takeDrops } from "../lib/drops.js";
import { qrPicture } from "../lib/qr.js";
import { cameFrom, pack } from "./address.js";

/** A photo that was misread, as a file for who mends the reading. */
export function misreadLink(address) {
  return html`<a class="button" href=${address} download data-key="misread">${say("share.misread")}</a>`;
}

/**
 * The card with link, QR code, print and JSON.
 * @param {{link: object | null}} view `link` is what was made for the state as it is.
 * @param {object} how `state`, and the `row` of a table's history that it is; `code()` packs it, `complain(message)`, `again()` draws anew;
 *   `more` are further buttons; `load(case)` takes a file in, `fresh` is the address of an empty case: only where the case is tapped.
 */
export function shareCard(
  view,
  { state, row = null, code = () => pack(state), complain, again, load = null, fresh = null, more = [] },
) {
  const make = async () => {
    view.link ??= await post(`/api/dispute/${state.game}/link`, { code: await code() });
    return view.link;
  };
  const attempt = (act) => () => act().catch(({ message }) => complain(message));
  const show = async () => {
    await make();
    again();
    document.querySelector(".link-part")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  const open = ({ target }) => {
    take(target.files[0], load, complain);
    target.value = "";
  };
  /** The state as a tapped case, with a way back to this page. */
  const openTapped = () => location.assign(`${location.pathname}/case${row === null ? "" : `?row=${row}`}`);
  const from = load && cameFrom();
  /** What was changed here becomes what people said there. */
  const handBack = async () => {
    const [path, row] = from.split("?");
    const was = new URLSearchParams(location.search).get("was") ?? undefined;
    await post(`/api${path}/case${row ? `?${row}` : ""}`, { state, was });
    location.replace(from); // Back leads to no case that others would have to be asked about once more
  };
  return html`
    <section class="card share" aria-label=${say("dispute.share")}>
      <h2>${say("dispute.share")}</h2>
      <div class="row">
        ${button("link", say("dispute.link"), attempt(show))}
        ${button(
          "print",
          say("dispute.print"),
          attempt(() => make().then(() => print())),
        )}
        ${button("json", say("dispute.download"), () => download(state))}
        ${!load && button("case", say("share.as-tapped"), openTapped)}
        ${from && button("back-to-photo", say("share.back-to-photo"), attempt(handBack), { kind: "main-action", of: "player" })}
        ${load && html`<label class="button file-button">${say("dispute.open")}<input type="file" class="only-read" accept=".json,application/json" data-key="open" onchange=${open}></label>`}
        ${more}
        ${fresh && html`<a class="button plain" href=${fresh} data-key="fresh">${say("dispute.fresh")}</a>`}
      </div>
      ${view.link && linkPart(view.link)}
    </section>`;
}

function linkPart({ link, qr, lan }) {
  const copy = async ({ currentTarget }) => {
    field.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy"); // a page that is not served over https has no clipboard of its own
    }
    currentTarget.textContent = say("dispute.copied");
  };
  const field = html`
    <input class="field" readonly value=${link} id="case-link" aria-label=${say("dispute.link-is")}
      onfocus=${({ target }) => target.select()}>`;
  return html`
    <div class="link-part">
      <div class="row link-row">${field}${button("copy", say("dispute.copy"), copy)}</div>
      ${qr ? html`<div class="qr">${drawing(qr)}</div>` : html`<p class="small">${say("dispute.qr-too-long")}</p>`}
      <p class="small quiet">${say(lan ? "dispute.link-lan" : "dispute.link-closed")}</p>
    </div>`;
}

export const drawing = (qr) => qrPicture(qr, say("dispute.qr"));

const download = (state) => save(new Blob([`${JSON.stringify(state, null, 2)}\n`]), `${state.game}.json`);

function take(file, load, complain) {
  if (file) send("/api/dispute/read", file, "application/json").then(load, ({ message }) => complain(message));
}

/** A JSON file may be dropped anywhere on the page. */
export const acceptDrops = (load, complain) => takeDrops(([file]) => take(file, load, complain));
