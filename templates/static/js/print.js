// What does not belong to the chosen print is put away, and not sent.
const form = document.getElementById("print");

function show() {
  const { what, game } = Object.fromEntries(new FormData(form));
  form.querySelector(".part-mats").hidden = !["mats", "all"].includes(what);
  form.querySelector(".part-game").hidden = what === "board" || what === "strip";
  for (const zones of form.querySelectorAll(".zones")) {
    zones.hidden = zones.dataset.game !== game;
    for (const box of zones.querySelectorAll("input")) box.disabled = zones.hidden;
  }
}

form.addEventListener("change", show);
show();
