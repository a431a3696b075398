// Where a picture comes from (`parts/source.html`): the chosen kind shows what it needs, a camera is chosen by what it sees.
import { html } from "./dom.js";

/** @param {HTMLElement} root holds the fields. @returns {() => string} the source as the companion takes it. */
export function pictureSource(root) {
  const field = (name) => /** @type {any} */ (root.querySelector(`[name="${name}"]`));
  const button = /** @type {HTMLButtonElement} */ (root.querySelector('[data-key="preview"]'));
  const pictures = /** @type {HTMLElement} */ (root.querySelector(".camera-pictures"));
  const none = /** @type {HTMLElement} */ (root.querySelector(".no-preview"));
  const show = () => {
    const kind = field("kind").value;
    for (const part of root.querySelectorAll("[data-kind]")) part.hidden = part.dataset.kind !== kind;
    for (const one of root.querySelectorAll("input")) one.required = one.name === kind;
  };
  const mark = () => {
    for (const one of pictures.querySelectorAll("button"))
      one.setAttribute("aria-pressed", `${one.dataset.camera === field("camera").value}`);
  };
  const choose = (number) => {
    field("camera").value = number;
    mark();
  };
  const picture = (number, address) => html`
    <button class="camera-picture" data-camera=${number} data-key="camera-${number}" aria-pressed=${false} onclick=${() => choose(number)}>
      <img src=${address} alt="${pictures.dataset.words}"><span>${number}</span>
    </button>`;
  /** Each camera of this computer, one after the other, with what it sees now; the first that sees something is chosen. */
  const look = async () => {
    button.disabled = true;
    none.hidden = true;
    for (const { src } of pictures.querySelectorAll("img")) URL.revokeObjectURL(src);
    pictures.replaceChildren();
    const sent = { method: "POST", headers: { "X-Companion": "1" } };
    for (const { value } of [...field("camera").options]) {
      const answer = await fetch(`/live/camera/${value}.jpg`, sent).catch(() => null);
      if (!answer?.ok) continue;
      pictures.append(picture(value, URL.createObjectURL(await answer.blob())));
      if (pictures.children.length === 1) choose(value);
    }
    button.disabled = false;
    none.hidden = pictures.children.length > 0;
  };
  field("kind").addEventListener("change", show);
  button.addEventListener("click", look);
  field("camera").addEventListener("change", mark);
  show();
  return () => {
    const kind = field("kind").value;
    const given = (field(kind)?.value ?? kind).trim();
    return kind === "address" && !given.includes("://") ? `http://${given}` : given; // as on the camera's label
  };
}
