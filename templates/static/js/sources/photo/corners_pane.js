// Where a sheet's corners lie on its photo, shown by a person where the grid was not found, or wrongly.
import { square } from "../../evidence/pieces.js";
import { post } from "../../lib/api.js";
import { button, html, icon, say } from "../../lib/dom.js";
import { alarm } from "../../lib/widgets.js";
import { cornersEditor } from "./corners.js";
import { UNLIT } from "./play_view.js";

const INSET = square(0.2, 0.2, 0.6);

/** Ask for the corners on this photo: where its grid was found, else anywhere. */
export function openCorners(play, { photo, size, lattice = null }) {
  const last = lattice ? lattice.length - 1 : 0;
  const corners = lattice
    ? [lattice[0][0], lattice[0][last], lattice[last][last], lattice[last][0]]
    : INSET.map(([x, y]) => [size[0] * x, size[1] * y]);
  play.show({ ...UNLIT, tab: "photo", corners: { photo, size, corners, lattice } });
  document.querySelector(".corners-pane")?.scrollIntoView({ block: "start" });
}

export function cornersPane(play, player) {
  const { photo, size, corners, lattice } = play.corners;
  const moved = (points) => {
    play.corners.corners = points;
  };
  const read = async () => {
    play.show({ working: true });
    try {
      const where = { player: player.id, stage: play.stage, photo, corners: play.corners.corners };
      const view = await post(`${play.table.address}/corners`, where);
      Object.assign(play, UNLIT);
      play.table.take(view);
    } catch (error) {
      play.cornersProblem = error.message;
    }
    play.show({ working: false });
  };
  const working = play.working ? html`<span class="spinner"></span>` : icon("check");
  return html`
    <section class="card stack corners-pane">
      <h2>${say("corners.title")}</h2>
      <p>${say("corners.how")}</p>
      <div class="corners">${cornersEditor(photo, size, corners, moved, lattice)}</div>
      ${play.cornersProblem && alarm(play.cornersProblem)}
      <div class="row">
        ${button("corners-read", [working, say("corners.read")], read, { kind: "main-action", disabled: play.working })}
        ${button("corners-cancel", say("cancel"), () => play.show(UNLIT), { kind: "plain" })}
      </div>
    </section>`;
}
