// The live table's home: follow a table of one's own.
import { post } from "../../lib/api.js";
import { attempt } from "../../lib/attempt.js";
import { say } from "../../lib/dom.js";

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
  if (!mine && form.elements.layout.value === "saved") form.elements.layout.value = "mats";
}

function show() {
  offerSaved();
  const chosen = Object.fromEntries(new FormData(form));
  for (const part of ["kind", "layout"]) {
    for (const element of form.querySelectorAll(`[class*="${part}-"]`))
      element.hidden = !element.classList.contains(`${part}-${chosen[part]}`);
  }
  for (const name of ["address", "file"]) if (form.elements[name]) form.elements[name].required = chosen.kind === name;
  const laid = form.querySelectorAll(`[data-game="${chosen.game}"] :checked + span`);
  document.getElementById("mats").textContent = [...laid, ...(chosen.layout === "mats" ? [form.elements.paper] : [])]
    .map((one) => one.value ?? one.textContent)
    .join(", ");
  for (const part of form.querySelectorAll("[data-game]")) {
    part.hidden = part.dataset.game !== chosen.game || chosen.layout === "saved";
    for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
  }
}
form?.addEventListener("change", show);

const look = document.getElementById("preview");
const seen = document.getElementById("preview-picture");

/** What the chosen camera sees. */
const preview = () =>
  attempt(async () => {
    const sent = { method: "POST", headers: { "X-Companion": "1" } };
    const answer = await fetch(`/live/camera/${form.elements.camera.value}.jpg`, sent);
    seen.hidden = !answer.ok;
    if (!answer.ok) throw new Error(say("live.preview-none"));
    URL.revokeObjectURL(seen.src);
    seen.src = URL.createObjectURL(await answer.blob());
  }, look);
look?.addEventListener("click", preview);
form?.elements.camera.addEventListener("change", () => seen.hidden || preview());
if (form) show();

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const kind = fields.get("kind");
  const layout = fields.get("layout");
  const source = `${fields.get(kind) ?? ""}`.trim();
  // People type what stands on the camera's label.
  const how = { source: kind === "address" && !source.includes("://") ? `http://${source}` : source };
  if (fields.get("lens")) how.camera = fields.get("lens");
  if (layout === "saved") how.profile = fields.get("profile");
  else {
    how.game = fields.get("game");
    if (fields.get("rule")) how.rule = Number(fields.get("rule"));
    if (layout === "corners") how.mats = { zones: fields.getAll("zone"), corners: true };
    if (layout === "mats")
      how.mats = { zones: fields.getAll("zone"), paper: fields.get("paper"), sheets: Number(fields.get("sheets")) };
  }
  const begin = async () => {
    const { table } = await post("/api/live/start", how);
    location.assign(`/live/${table}`);
  };
  attempt(begin, form.querySelector("[type=submit]"));
});
