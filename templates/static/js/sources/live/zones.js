// Zones without printed markers: polygons dragged on the picture, and white paper pointed out on it.

import { heldAt, isSound } from "../../evidence/outline.js";
import { pointsOf, text } from "../../evidence/pieces.js";
import { get } from "../../lib/api.js";
import { button, html, icon, redraw, say, svg } from "../../lib/dom.js";
import { handle, pointIn, putAt } from "../../lib/handle.js";
import { fold } from "../../lib/widgets.js";

/** CSS pixels that a finger needs. */
const FINGER = 44;
/** A new area, in parts of the picture. */
const NEW = pointsOf("0,0 0.34,0 0.34,0.24 0,0.24");

export class Zones {
  /** `ask(what, body)` asks the companion, and says whether it did; `complain(message)`; `done()`: the drawing is over. */
  constructor(picture, live, { ask, complain, done }) {
    this.aiming = this.white = false;
    this.drawnIn = null;
    /** Where paper was pointed at: a point; null: what was known is to be forgotten; undefined: all stays as it is. */
    this.paper = undefined;
    this.picture = picture;
    this.live = live;
    this.ask = ask;
    this.complain = complain;
    this.done = done;
    this.zones = {};
    this.bar = html`<section class="card zones-bar" aria-label=${say("live.zones")}></section>`;
    this.svg = svg`<svg class="overlay zone-overlay"></svg>`;
    this.svg.addEventListener("click", (event) => {
      if (!this.aiming) return;
      this.aiming = false;
      this.paper = pointIn(this.svg, event);
      this.draw();
    });
  }

  get on() {
    return this.live.drawing;
  }

  /**
   * Pixels of the picture in which areas are drawn, as wide as that last read; null before the first one is there. They
   * stay what they were at the first drawing, whatever is read meanwhile.
   */
  #size() {
    if (this.on && this.drawnIn) return this.drawnIn;
    const read = this.live.table.settled?.case.evidence[0].size;
    const shown = this.picture.size ?? read;
    this.drawnIn = read ? [read[0], Math.round((read[0] * shown[1]) / shown[0])] : shown;
    return this.drawnIn;
  }

  /** Begin with the table's areas: polygons to drag, markers as they are; those proposed; and whether white is known. */
  begin() {
    const { proposed, table } = this.live;
    this.drawnIn = null;
    this.live.drawing = true;
    this.zones = structuredClone({ ...table.profile, ...proposed });
    this.proposed = Object.keys(proposed);
    this.white = table.white;
    this.paper = undefined;
    this.aiming = false;
    this.chosen = Object.keys(this.zones).find((name) => this.zones[name].polygon) ?? null;
    this.picture.root.append(this.svg);
    this.draw();
  }

  end() {
    this.live.drawing = false;
    this.svg.remove();
    this.done();
  }

  /** Keep areas: polygons as they are drawn, markers as they were. */
  save(areas, white) {
    const kept = Object.entries(areas).map(([name, { polygon }]) => [name, polygon ? { polygon } : "markers"]);
    return this.ask("zones", { zones: Object.fromEntries(kept), size: this.#size(), white });
  }

  #add(name) {
    const [width, height] = this.#size();
    const n = Object.keys(this.zones).length;
    const x = n % 2 ? 0.56 : 0.1;
    const y = 0.08 + 0.3 * (Math.floor(n / 2) % 3);
    const polygon = NEW.map(([u, v]) => [(x + u) * width, (y + v) * height]);
    this.zones[name] = { polygon };
    this.chosen = name;
    this.draw();
  }

  /** Only one area has handles, and lies above the others: no other is dragged in its place. */
  #choose(name) {
    this.chosen = name;
    this.draw();
  }

  draw() {
    const size = this.#size();
    this.placed = Boolean(size);
    const [width, height] = size ?? [16, 9];
    this.picture.shape(width, height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const unit = width / 960;
    const drawn = Object.entries(this.zones)
      .filter(([, { polygon }]) => size && polygon)
      .sort(([one], [other]) => Number(one === this.chosen) - Number(other === this.chosen));
    this.svg.replaceChildren(...drawn.map(([name, { polygon }]) => this.#shape(name, polygon, unit)));
    if (this.paper) {
      const [x, y] = this.paper;
      this.svg.append(svg`<circle class="zone-handle" cx=${x} cy=${y} r=${10 * unit}/>`);
    }
    this.svg.classList.toggle("aiming", this.aiming);
    const free = this.live.given.areas.filter((name) => !(name in this.zones));
    const chip = (name) => html`
      <span class="chip">
        <select class="zone-name" data-key="name-${name}" aria-label=${say("live.whose-area", { name: this.live.nameOf(name) })}
            onchange=${(event) => this.#rename(name, event.target.value)}>
          ${[name, ...free].map((one) => html`<option value=${one} selected=${one === name}>${this.live.nameOf(one)}</option>`)}
        </select>
        ${this.zones[name].markers && html`<span class="small quiet">${say("live.by-markers")}</span>`}
        <button class="chip-close" aria-label=${say("live.remove-zone", { name: this.live.nameOf(name) })}
            onclick=${() => {
              delete this.zones[name];
              this.draw();
            }}>
          ${icon("close")}
        </button>
      </span>`;
    const add = (name) =>
      button(`zone-${name}`, this.live.nameOf(name), () => this.#add(name), { sign: "plus", disabled: !size });
    const propose = (n) => button(`propose-${n}`, n, () => this.#propose(n));
    const main = free.filter((name) => !name.includes("."));
    const rest = free.filter((name) => name.includes("."));
    redraw(
      this.bar,
      html`<h2>${say("live.zones")}</h2>`,
      html`<p class="small quiet">${say("live.zones-how")}</p>`,
      html`
        <div class="row">
          <span class="small">${say("live.propose")}</span>
          ${[2, 3, 4].map(propose)}
          ${this.none && html`<span class="small quiet" role="status">${say("live.propose-none")}</span>`}
        </div>`,
      html`<div class="chips">${Object.keys(this.zones).map(chip)}</div>`,
      html`<div class="row">${main.map(add)}</div>`,
      rest.length > 0 &&
        fold(say("live.zones-more"), "zones-more", false, html`<div class="row">${rest.map(add)}</div>`),
      this.#paper(),
      html`
        <div class="row">
          ${button("zones-save", say("live.zones-save"), () => this.#keep(), { kind: "main-action" })}
          ${button("zones-cancel", say("live.cancel"), () => this.end(), { kind: "plain" })}
        </div>`,
    );
  }

  /** The area is another's. */
  #rename(name, other) {
    this.zones = Object.fromEntries(
      Object.entries(this.zones).map(([key, zone]) => [key === name ? other : key, zone]),
    );
    this.chosen = other;
    this.draw();
  }

  /** Propose areas for so many players, in place of those proposed before. */
  async #propose(players) {
    const address = `/api/live/${this.live.given.table}/areas?players=${players}`;
    const { areas: found } = await get(address).catch(({ message }) => this.complain(message) ?? {});
    if (!found) return;
    for (const name of this.proposed) delete this.zones[name];
    this.proposed = Object.keys(found).filter((name) => !(name in this.zones));
    for (const name of this.proposed) this.zones[name] = found[name];
    this.none = !this.proposed.length;
    this.chosen = this.proposed[0] ?? this.chosen;
    this.draw();
  }

  /** Where no area has markers nothing tells what is white: one tap on paper does. */
  #paper() {
    if (Object.values(this.zones).some((zone) => zone.markers)) return null;
    const known = this.paper || (this.white && this.paper === undefined);
    const show = (change) => {
      Object.assign(this, change);
      this.draw();
    };
    const aim = () => show({ aiming: !this.aiming });
    const forget = () => show({ paper: this.white ? null : undefined });
    return html`
      <div class="stack">
        <p class="small quiet">${say(this.aiming ? "live.white-tap" : known ? "live.white-known" : "live.white-how")}</p>
        <div class="row">
          ${button("white", say("live.white"), aim, { pressed: this.aiming })}
          ${known && button("white-forget", say("live.white-forget"), forget, { kind: "plain" })}
        </div>
      </div>`;
  }

  async #keep() {
    if (await this.save(this.zones, this.paper)) this.end();
  }

  /** Half of what a finger needs, in pixels of the picture. */
  #finger() {
    const { width } = this.svg.getBoundingClientRect();
    return width ? (FINGER / 2) * (this.#size()[0] / width) : 0;
  }

  #shape(name, points, unit) {
    const chosen = name === this.chosen;
    const body = svg`<polygon class="zone-body ${chosen && "chosen"}" tabindex=${-1}/>`;
    if (chosen) this.#drag(body, points);
    else body.addEventListener("click", () => this.aiming || this.#choose(name));
    const handles = (chosen ? points : []).map((point, i) => {
      const circle = svg`
        <circle class="zone-handle" r=${Math.max(15 * unit, this.#finger())} tabindex="0" role="button"
            aria-label=${say("live.corner", { name: this.live.nameOf(name), n: i + 1 })}/>`;
      this.#drag(circle, [point], 4 * unit);
      return circle;
    });
    const shape = svg`
      <g class="zone-shape" data-zone=${name}>
        ${body}
        <text x=${20 * unit} y=${30 * unit} font-size=${22 * unit}>${this.live.nameOf(name)}</text>
        ${handles}
      </g>`;
    this.#place(shape);
    return shape;
  }

  /**
   * Drag these points together, all the same way as far as the first of them can: an area at the picture's edge keeps its
   * shape. A corner that would cross a side of its own area pushes the whole area on.
   */
  #drag(shape, points, step = 0) {
    const move = (by) => {
      const all = this.zones[shape.parentNode.dataset.zone].polygon;
      const sound = isSound(all, 0);
      let went = this.#shift(points, by);
      if (sound && points.length < all.length && !isSound(all, this.#finger() / 4)) {
        this.#shift(points, [-went[0], -went[1]]);
        went = this.#shift(all, by);
      }
      this.#place(shape.parentNode);
      return went;
    };
    handle(shape, { move, step, free: () => !this.aiming });
  }

  /** Shift points as far as they stay in the picture; how far they went. */
  #shift(points, by) {
    const went = this.#size().map((most, k) => {
      const along = points.map((point) => point[k]);
      return Math.min(most - Math.max(...along), Math.max(-Math.min(...along), by[k]));
    });
    for (const point of points) for (const k of [0, 1]) point[k] += went[k];
    return went;
  }

  /** Move what is drawn of an area without drawing anew: an element that is held must stay. */
  #place(shape) {
    const points = this.zones[shape.dataset.zone].polygon;
    const [body, name, ...handles] = shape.children;
    body.setAttribute("points", text(points));
    putAt(name, points[0]);
    const held = handles.length ? heldAt(points, 2 * this.#finger(), this.#size()) : [];
    for (const [i, circle] of handles.entries()) putAt(circle, held[i]);
  }
}
