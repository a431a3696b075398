// Photos on their way in: from the camera, from files, dropped or pasted; one after the other, each with its message.
import { newId, send } from "../../lib/api.js";
import { inTurn, keptFiles } from "../../lib/device_store.js";
import { button, html, icon, say } from "../../lib/dom.js";
import { takeDrops } from "../../lib/drops.js";

const ACCEPT = "image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif,.pdf,.tif,.tiff";
const AT_ONCE = 12;
const AGAIN_AFTER = 4000;

/**
 * The queue of photos. `address(item)` says where one goes, `done(item, answer)` what follows. Until the companion has one,
 * it is kept on the device under the name `kept`, where there is one; one tab at a time sends them.
 */
export class Uploads {
  constructor({ address, done, changed, kept = null }) {
    this.address = address;
    this.done = done;
    this.changed = changed;
    this.kept = kept;
    this.items = [];
    this.busy = false;
    if (kept) this.#takeKept();
    addEventListener("beforeunload", (event) => this.items.some(isOnItsWay) && event.preventDefault());
  }

  add(files, more = {}) {
    const list = [...files];
    this.items.push(...list.slice(0, AT_ONCE).map((file) => waiting(file, more)));
    const message = say("photo.too-many", { most: AT_ONCE });
    if (list.length > AT_ONCE) this.items.push({ state: "failed", message, ...more });
    this.#next() || this.changed();
  }

  async #takeKept() {
    for (const { page, file, ...one } of await keptFiles.of(this.kept)) this.items.push(waiting(file, one));
    if (!this.#next() && this.items.length) this.changed();
  }

  again(item) {
    item.state = "waiting";
    item.message = null;
    this.#next() || this.changed();
  }

  drop(item) {
    this.#forget(item);
    this.changed();
  }

  #forget(item) {
    if (item.url) URL.revokeObjectURL(item.url);
    if (item.key) keptFiles.drop(item.key);
    this.items = this.items.filter((other) => other !== item);
  }

  /** Send the next one that waits, and draw it so; whether there is one that is not held up by another. */
  #next() {
    const item = this.busy ? null : this.items.find((one) => one.state === "waiting");
    if (item) this.#take(item);
    return Boolean(item);
  }

  async #take(item) {
    this.busy = true;
    item.state = "reading";
    this.changed();
    // It is kept while it is sent: it waits for the disk only where the line is quicker.
    const keeping = this.kept && !item.key ? this.#keep(item) : null;
    try {
      const sent = this.kept ? inTurn(`send ${this.kept}`, () => this.#sendKept(item, keeping)) : this.#send(item);
      const answer = await sent;
      await keeping;
      this.#forget(item);
      if (answer?.message) this.items.push({ state: "told", message: answer.message });
      if (answer) this.done(item, answer);
      else this.changed();
    } catch (error) {
      await keeping;
      item.state = "failed";
      item.message = error.message;
      item.retry = error.later;
      if (!item.retry && item.key) {
        keptFiles.drop(item.key);
        item.key = null;
      }
      if (item.retry)
        setTimeout(() => this.items.includes(item) && item.state === "failed" && this.again(item), AGAIN_AFTER);
      this.changed();
    }
    this.busy = false;
    this.#next();
  }

  async #keep(item) {
    item.key = await keptFiles.add(this.kept, { ...item.more, file: item.file });
  }

  #send(item) {
    return send(this.address(item), item.file);
  }

  /** Nothing where another tab has sent it meanwhile; of one that is only now being kept no other tab knows. */
  async #sendKept(item, keeping) {
    if (keeping) return this.#send(item);
    const kept = await keptFiles.of(this.kept);
    return kept.some(({ key }) => key === item.key) ? this.#send(item) : null;
  }

  /** The photos that are under way or were refused, and what is told of those that were taken. */
  list() {
    return this.items.map((item) => {
      const { state, file, retry, url } = item;
      const name = file && html`<p class="small quiet">${file.name}</p>`;
      const kept = retry && html`<p class="small">${say("photo.again-itself")}</p>`;
      const again = () => html`
        <div class="row">
          ${retry && button(null, say("again"), () => this.again(item))}${button(null, say("dismiss"), () => this.drop(item))}
        </div>`;
      if (isDone(item))
        return photoMessage(url, [html`<p>${item.message}</p>`, kept, name, again()], { failed: state === "failed" });
      return photoMessage(url, say(`photo.${state}`), { busy: state === "reading" });
    });
  }
}

function waiting(file, given) {
  const more = { once: newId(), ...given };
  return { ...more, more, file, url: URL.createObjectURL(file), state: "waiting", message: null };
}

/** What is said of a photo: that it is on its way, or why it was refused. */
export function photoMessage(picture, words, { failed = false, busy = false }) {
  const thumb = () => html`<img src=${picture} alt="" class="thumb" onerror=${({ target }) => target.remove()}>`;
  return html`
    <div class="message upload ${!failed && "calm"}" role=${failed ? "alert" : "status"}>
      ${picture ? thumb() : failed && icon("warn")}<div>${words}</div>${busy && html`<span class="spinner"></span>`}
    </div>`;
}

/** Whether a photo would be lost if the page were left now. */
const isOnItsWay = (item) => !item.key && (!isDone(item) || item.retry);

/** Whether there is nothing but words left: it was refused, or something is told of it. */
export const isDone = ({ state }) => state === "failed" || state === "told";

/** Whether photos are taken with this very device. */
export const hasTouch = () => document.documentElement.classList.contains("touch");

/** A button that takes photos: from the camera where there is one (`camera`), else from files. */
export function photoButton({ label, camera = false, multiple = false, main = false, id }, add) {
  const input = html`
    <input type="file" accept=${ACCEPT} class="only-read" multiple=${multiple && !camera}
        capture=${camera ? "environment" : null} data-key=${id} id=${id}
        onchange=${() => {
          if (input.files.length) add([...input.files]);
          input.value = "";
        }}>`;
  return html`
    <label class="button file-button ${main && "main-action"} ${camera && "with-touch"}">
      ${icon(camera ? "camera" : "plus")}
      <span>${label}</span>
      ${input}
    </label>`;
}

/** Photos dropped on the page or pasted into it. */
export function takeDropsAndPastes(add) {
  const pictures = (files) =>
    [...files].filter(
      (file) => file.type.startsWith("image/") || /\.(jpe?g|png|webp|heic|heif|pdf|tiff?)$/i.test(file.name),
    );
  takeDrops((files) => add(pictures(files).length ? pictures(files) : files));
  document.addEventListener("paste", (event) => {
    const found = pictures(event.clipboardData?.files ?? []);
    if (found.length) add(found);
  });
}
