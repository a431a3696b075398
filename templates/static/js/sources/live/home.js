// The live table's home: follow a table of one's own.
import { begin } from "../../lib/api.js";
import { attempt } from "../../lib/attempt.js";
import { pictureSource } from "../../lib/picture_source.js";

const form = document.getElementById("start");
/** Only the chosen game's saved tables are offered: another game's would start that game. */
function offerSaved() {
  const saved = form.elements.profile;
  if (!saved) return;
  const game = form.elements.game.value;
  for (const one of saved.options) one.hidden = one.disabled = one.dataset.of !== game;
  const mine = [...saved.options].find((one) => !one.disabled);
  document.getElementById("as-saved").hidden = !mine;
  if (mine && saved.selectedOptions[0]?.disabled !== false) mine.selected = true;
  if (!mine && form.elements.layout.value === "saved") form.elements.layout.value = "drawn";
}

/** A saved table comes with its rule sheet, of which another one may be chosen. */
let shown = null;
function takeRule() {
  const { rule, profile, layout } = form.elements;
  const saved = layout.value === "saved" ? profile?.selectedOptions[0] : null;
  if (rule && saved && saved !== shown) rule.value = saved.dataset.rule;
  shown = saved;
}

function show() {
  offerSaved();
  takeRule();
  const chosen = Object.fromEntries(new FormData(form));
  for (const element of form.querySelectorAll('[class*="layout-"]'))
    element.hidden = !element.classList.contains(`layout-${chosen.layout}`);
  const laid = form.querySelectorAll(`[data-game="${chosen.game}"] :checked + span`);
  document.getElementById("mats").textContent = [...laid, ...(chosen.layout === "mats" ? [form.elements.paper] : [])]
    .map((one) => one.value ?? one.textContent)
    .join(", ");
  for (const part of form.querySelectorAll("[data-game]")) {
    part.hidden = part.dataset.game !== chosen.game;
    for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
  }
}
form?.addEventListener("change", show);

const source = form && pictureSource(document.getElementById("source"));
if (form) {
  show();
  form.querySelector("[type=submit]").disabled = false;
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const layout = fields.get("layout");
  const how = { source: source() };
  if (fields.has("rule")) how.rule = Number(fields.get("rule")) || null;
  if (fields.get("lens")) how.camera = fields.get("lens");
  if (layout === "saved") how.profile = fields.get("profile");
  else {
    how.game = fields.get("game");
    if (layout === "corners") how.mats = { zones: fields.getAll("zone"), corners: true };
    if (layout === "mats")
      how.mats = { zones: fields.getAll("zone"), paper: fields.get("paper"), sheets: Number(fields.get("sheets")) };
  }
  const follow = async () => {
    const { table } = await begin("/api/live/start", how);
    location.assign(`/live/${table}`);
  };
  attempt(follow, form.querySelector("[type=submit]"));
});
