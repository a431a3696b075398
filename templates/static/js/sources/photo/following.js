// Sheets of a play under a camera: start and stop it, hear what it reads, show its moving picture.
import { Overlay } from "../../evidence/overlay.js";
import { post } from "../../lib/api.js";
import { button, html, icon, may, say } from "../../lib/dom.js";
import { phoneCode } from "../../lib/phone_code.js";
import { pictureSource } from "../../lib/picture_source.js";
import { alarm } from "../../lib/widgets.js";
import { hasTouch } from "./uploads.js";

const MOST = 4;

export class Following {
  constructor(table) {
    this.table = table;
    this.problem = null;
    this.lost = false;
    this.was = false;
    this.overlay = null;
  }

  get camera() {
    return this.table.view.camera;
  }

  get on() {
    return Boolean(this.camera?.running);
  }

  /** Whether the companion can be reached: who draws on is to know that nobody reads. */
  line(open) {
    if (this.lost === !open) return;
    this.lost = !open;
    this.table.changed();
  }

  async ask(body, method) {
    this.problem = null;
    try {
      this.table.take(await post(`${this.table.address}/camera`, body, method));
    } catch (error) {
      this.problem = error.message;
      this.table.changed();
    }
  }

  /** The moving picture with the sheets that lie on it (see `onPicture`), and why they are not read; `touched(id)`: a cell, or null. */
  picture(seen, touched) {
    if (!this.on) {
      this.overlay?.look(null);
      return this.was && !this.camera && alarm(say("follow.ended")); // the companion began anew, or follows others
    }
    this.was = true;
    const problem = this.lost ? say("live.offline") : this.camera.problem;
    this.overlay ??= new Overlay({ moving: this.camera.picture, touched: (piece) => this.touched(piece) });
    this.touched = touched;
    this.overlay.look("live");
    this.overlay.draw(seen, seen?.look);
    return html`
      <figure class="view live"><figcaption class="small quiet">${say("follow.live")}</figcaption>${this.overlay.root}
      ${problem && alarm(problem)}</figure>`;
  }

  card() {
    if (!may("host") && !this.camera) return null;
    const status = this.camera && html`<p class="small" role="status">${this.camera.words} ${this.camera.why}</p>`;
    const stop = () => button("follow-stop", say("follow.stop"), () => this.ask({}, "DELETE"), { of: "host" });
    const { unfolded = this.on || !hasTouch() } = this;
    const kept = ({ target }) => (this.unfolded = target.open);
    return html`
      <details class="card follow" open=${unfolded} ontoggle=${kept}>
        <summary><h2>${say("follow.title")}</h2></summary>
        <div class="stack">
        ${status}
        ${this.problem && alarm(this.problem)}
        ${this.on && this.camera.waits && phoneCode()}
        ${this.on ? [this.stage(), stop()] : this.form()}
        </div>
      </details>`;
  }

  /** Between the stages the same sheets lie there: what they show then is kept as the first stage's. */
  stage() {
    const drawn = this.table.view.players.filter(({ sheets }) => sheets.end.known);
    if (!drawn.length) return null;
    const over = drawn.every(({ sheets }) => sheets.first.known);
    const words = say(over ? "follow.stage-again" : "follow.stage-over");
    return html`
      <div class="stack">
        <p class="quiet small">${say(over ? "follow.second-stage" : "follow.first-stage")}</p>
        ${button("follow-stage", words, () => this.table.say({ kind: "stage-over" }), { of: "player" })}
      </div>`;
  }

  form() {
    const begin = (event) => {
      event.preventDefault();
      this.ask({ source: this.source(), sheets: Number(event.target.elements.sheets.value) });
    };
    if (!this.fields) {
      this.fields = html`<div class="stack">${document.getElementById("source").content.cloneNode(true)}</div>`;
      this.source = pictureSource(this.fields);
    }
    const count = Math.min(MOST, Math.max(1, this.table.view.players.length));
    const options = Array.from(
      { length: MOST },
      (_, i) => html`<option value=${i + 1} selected=${i + 1 === count}>${i + 1}</option>`,
    );
    return html`
      <form class="stack" data-for="host" onsubmit=${begin}>
        <p class="quiet small">${say("follow.about")}</p>
        ${this.fields}
        <label><span class="small quiet">${say("follow.sheets")}</span>
          <select class="field" name="sheets" data-key="follow-sheets">${options}</select></label>
        <div class="row"><button class="button" type="submit" data-key="follow-start">${icon("camera")}${say("follow.start")}</button></div>
      </form>`;
  }
}
