// Who and when before the photo: a place for each player's sheet of each stage; touching one takes exactly that photo.
import { button, html, icon, say } from "../../lib/dom.js";
import { hasTouch, photoButton } from "./uploads.js";

const STAGES = ["first", "end"];
const NEW = "new";

const words = ({ name }, stage) => say("photo.place", { name, stage: say(`stage.${stage}`) });

const photoOf = ({ sheets }, stage) => sheets?.[stage].photo ?? sheets?.[stage].failed?.photo;

/** Who gets a photo of this stage that was taken for nobody: who is `shown`, else the first without one; null: a new player. */
export function nextPlayer(players, stage, shown = null) {
  if (shown && !shown.sheets[stage].known) return shown;
  return players.find(({ sheets }) => !sheets[stage].known && !sheets[stage].failed) ?? null;
}

/** What can be done to the shown photo, if there is one: `how` as `photoPlaces` takes it. */
export function photoMenus(view, { player, stage, move, drop }) {
  if (!player || !photoOf(player, stage)) return null;
  const { id, name } = player;
  const all = [...view.players, { id: NEW, name: say("photo.new-player") }];
  const places = all.flatMap((other) => STAGES.map((one) => [other, one]));
  const others = places.filter(([other, one]) => other.id !== id || one !== stage);
  const values = { name, stage: say(`stage.${stage}`) };
  const away = { kind: "plain danger", sign: "close", label: say("photo.drop", values) };
  const choose = ({ target }) => {
    const [to, toStage] = target.value.split(" ");
    if (toStage) move({ player: id, stage }, { player: to, stage: toStage });
  };
  return html`
    <div class="photo-menu" data-for="player" role="group" aria-label=${words(player, stage)}>
      <select class="field" data-key="move-${id}-${stage}" aria-label=${say("photo.move", values)} onchange=${choose}>
        <option value="">${say("photo.move-short")}</option>
        ${others.map(([other, one]) => html`<option value="${other.id} ${one}">${words(other, one)}</option>`)}
      </select>
      ${button(`drop-${id}-${stage}`, null, () => drop({ player: id, stage }), away)}
    </div>`;
}

/**
 * The places of all players, with what can be done to a photo that is there.
 * @param {object} view of the play. @param {object} how `player` who is shown, `stage`; `add(files, player, stage)`:
 *   `player` is an id, "new", or null: the next one without a sheet; `move(from, to)` and `drop(from)` know a place as
 *   `{player, stage}`; `look(player, stage)` shows a sheet. @param {any} menus see photoMenus: they stand below the
 *   shown player's places, unless they stand elsewhere.
 */
export function photoPlaces(view, { player, stage, add, look }, menus) {
  const touch = hasTouch();
  const next = nextPlayer(view.players, stage, player);
  const goes = say("photo.next", { name: next?.name ?? say("photo.new-player"), stage: say(`stage.${stage}`) });
  const all = [...view.players, { id: NEW, name: say("photo.new-player"), sheets: null }];
  const isShown = (owner, one) => owner.id === player?.id && one === stage;
  const isNext = (owner, one) => owner.id === (next?.id ?? NEW) && one === stage;
  const place = (owner, one) => {
    const { id, sheets } = owner;
    const photo = photoOf(owner, one);
    const refused = sheets?.[one].failed && icon("warn");
    const label = say(`stage.${one}`);
    const named = [words(owner, one), refused && say("photo.failed")].filter(Boolean).join(": ");
    const thumb = () => html`
      <button class="photo-thumb ${isShown(owner, one) && "shown"}" data-key="look-${id}-${one}" aria-label=${named}
          aria-pressed=${isShown(owner, one)} onclick=${() => look(id, one)}>
        <img class="thumb" src="/photos/${photo}.jpg" alt=""><span>${label}</span>${refused}
      </button>`;
    const take = () => photoButton({ label, camera: touch, id: `place-${id}-${one}` }, (files) => add(files, id, one));
    return html`<div class="photo-place ${refused && "refused"} ${isNext(owner, one) && "next"}" data-for=${!photo && "player"}>${photo ? thumb() : take()}</div>`;
  };
  const row = (owner) => html`
    <li>
      <span class="photo-name">${owner.name}</span>${STAGES.map((one) => place(owner, one))}
      ${owner.id === player?.id && menus}
    </li>`;
  return html`
    <section class="card photo-places" aria-label=${say("photo.places")}>
      <h2>${say("photo.places")}</h2>
      <div class="photo-next" data-for="player">
        ${touch && photoButton({ label: say("photo.camera"), camera: true, main: true, id: "camera-next" }, (files) => add(files, next?.id ?? NEW))}
        ${touch && html`<a class="button" data-key="hold" href="${location.pathname}/hold" title=${say("photo.hold-about")}>${icon("camera")}${say("photo.hold")}</a>`}
        ${photoButton({ label: say(touch ? "photo.album" : "photo.files"), multiple: true, main: !touch, id: "files" }, (files) => add(files, files.length === 1 ? next?.id : null))}
        <p class="small quiet" role="status">${goes}</p>
      </div>
      <p class="small quiet" data-for="player">${say("photo.places-about")}</p>
      <ul class="of-${view.players.length}">${all.map(row)}</ul>
    </section>`;
}
