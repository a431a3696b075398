// What does not belong to the chosen print is put away, and not sent.
const form = document.getElementById("print");

function show() {
  const what = form.elements.what.value;
  const games = form.elements.game;
  for (const one of games.options) one.disabled = what === "strip" && !("tiles" in one.dataset);
  if (games.selectedOptions[0].disabled) games.value = [...games.options].find((one) => !one.disabled).value;
  const game = games.value;
  form.querySelector(".part-mats").hidden = !["mats", "corners", "all"].includes(what);
  form.querySelector(".part-sheets").hidden = what === "corners";
  form.querySelector(".part-game").hidden = what === "board";
  for (const zones of form.querySelectorAll(".zones")) {
    zones.hidden = zones.dataset.game !== game;
    for (const box of zones.querySelectorAll("input")) box.disabled = zones.hidden;
  }
}

form.addEventListener("change", show);
show();
