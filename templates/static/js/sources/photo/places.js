// Who and when before the photo: a place for each player's sheet of each stage; touching one takes exactly that photo.
import { html, say } from "../../lib/dom.js";
import { photoButton } from "./uploads.js";

const STAGES = ["first", "end"];

/** `add(files, player, stage)`: `player` is an id, "new", or null: the next one without a sheet. */
export function photoPlaces(view, { player, stage, add }) {
  const touch = document.documentElement.classList.contains("touch");
  const place = (id, one, sheet) => html`
    <div class="photo-place ${sheet?.known && "there"}">
      ${sheet?.photo && html`<img class="thumb" src="/photos/${sheet.photo}.jpg" alt="">`}
      ${photoButton({ label: say(`stage.${one}`), camera: touch, id: `place-${id}-${one}` }, (files) => add(files, id, one))}
    </div>`;
  const row = ({ id, name, sheets }) => html`
    <li><span class="photo-name">${name}</span>${STAGES.map((one) => place(id, one, sheets?.[one]))}</li>`;
  const missing = view.players.some(({ sheets }) => !sheets[stage].known);
  const next = say(missing || !player ? "photo.next-missing" : "photo.next", { stage: say(`stage.${stage}`) });
  return html`
    <section class="card photo-places" aria-label=${say("photo.places")}>
      <h2>${say("photo.places")}</h2>
      <p class="small quiet">${say("photo.places-about")}</p>
      <ul>${[...view.players, { id: "new", name: say("photo.new-player") }].map(row)}</ul>
      ${photoButton({ label: say("photo.files"), multiple: true, main: !touch, id: "files" }, (files) => add(files, files.length === 1 && player && !player.sheets[stage].known ? player.id : null))}
      <p class="small quiet">${next}</p>
    </section>`;
}
