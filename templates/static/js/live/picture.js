// The picture with the reading drawn over it. While it is looked at now, it moves; looking back, it is the kept one.
import { html, say, svg } from "../lib/dom.js";
import { asked } from "./places.js";

const AGAIN = 3000;
const STILL = 1500;
const REACH = 22; // CSS pixels: a finger is larger than a tile on a phone

export class Picture {
  #source = null;
  #still = null;

  constructor(table, { touched }) {
    this.table = table;
    this.touched = touched;
    this.img = html`<img class="live-img" alt="">`;
    this.svg = svg`<svg class="overlay" aria-label=${say("live.overlay")} role="group"></svg>`;
    this.none = html`<p class="no-picture">${say("live.no-picture")}</p>`;
    this.root = html`<div class="frame">${this.none}${this.img}${this.svg}</div>`;
    this.img.addEventListener("load", () => this.root.classList.add("seen"));
    this.img.addEventListener("error", () => this.#failed());
    this.svg.addEventListener("click", (event) => {
      const what = event.target.closest?.("[data-piece], [data-gone]") ?? this.#near(event);
      this.touched(
        what?.dataset.piece === undefined ? null : Number(what.dataset.piece),
        what?.dataset.gone === undefined ? null : what,
      );
    });
    this.svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#show("") : this.look(this.wanted)));
  }

  /** Show the moving picture ("live"), a kept one (its address), or nothing (null). */
  look(wanted) {
    this.wanted = wanted;
    if (document.hidden) return;
    clearTimeout(this.#still);
    if (wanted === "live") this.#show(`/live/${this.table}/picture.mjpg`);
    else this.#show(wanted ?? "");
    this.root.classList.toggle("without", wanted === null);
  }

  /** The piece whose outline is nearest to a tap beside all of them, if a finger may have meant it. */
  #near(event) {
    const box = this.svg.getBoundingClientRect();
    const { width, height } = this.svg.viewBox.baseVal;
    if (!width || !box.width) return null;
    const [across, down] = [box.width / width, box.height / height];
    const at = [event.clientX - box.left, event.clientY - box.top];
    let best = REACH;
    let found = null;
    for (const piece of this.svg.querySelectorAll("[data-piece], [data-gone]")) {
      const outline = piece.matches("polygon") ? piece : piece.querySelector("polygon");
      const points = [...outline.points].map(({ x, y }) => [x * across, y * down]);
      const far = Math.min(...points.map((point, i) => away(at, point, points[(i + 1) % points.length])));
      if (far < best) [best, found] = [far, piece];
    }
    return found;
  }

  #show(source) {
    if (source === this.#source) return;
    this.#source = source;
    if (source) this.img.src = source;
    else this.img.removeAttribute("src");
  }

  #failed() {
    this.root.classList.remove("seen");
    if (this.wanted !== "live" || document.hidden) return;
    // All places for moving pictures are taken, or the line is down: a still one now and then.
    clearTimeout(this.#still);
    this.#still = setTimeout(
      () => this.wanted === "live" && this.#show(`/live/${this.table}/frame.jpg?${Date.now()}`),
      this.#source?.includes("frame.jpg") ? AGAIN : STILL,
    );
    this.img.onload = () => {
      if (!this.#source?.includes("frame.jpg")) return;
      clearTimeout(this.#still);
      this.#still = setTimeout(
        () => this.wanted === "live" && this.#show(`/live/${this.table}/frame.jpg?${Date.now()}`),
        STILL,
      );
    };
  }

  /** The frame takes the picture's own shape, however high it may be. */
  shape(width, height) {
    this.root.style.setProperty("--wide", width / height);
  }

  /** Draw a settled state. */
  draw(settled, { lit, missing, chosen, names, terms }) {
    const [width, height] = settled?.size ?? [16, 9];
    if (settled) this.shape(width, height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (!settled) return this.svg.replaceChildren();
    const unit = width / 960;
    this.svg.style.setProperty("--unit", unit);
    const zones = Object.entries(settled.zones).map(([name, points]) => zone(name, points, settled, names, unit));
    const tiles = settled.tiles.map((tile, i) =>
      piece(
        tile.polygon,
        i,
        `tile color-${tile.color} ${tile.zone ? "" : "outside"} ${asked(tile) ? "doubtful" : ""} ${tile.said ? "said" : ""}`,
        tileWords(tile, names, terms),
        { lit: lit.has(i), missing: missing.has(i), chosen: chosen === i, unit, mark: asked(tile) ? "?" : null },
      ),
    );
    const cards = settled.cards.map((card, k) => {
      const i = settled.tiles.length + k;
      return piece(card.polygon, i, `card-mark ${card.card ? "" : "unknown"}`, card.words, {
        lit: lit.has(i),
        missing: false,
        chosen: chosen === i,
        unit,
        mark: null,
      });
    });
    const gone = settled.gone.map(
      (points) => svg`
      <polygon class="gone" points=${text(points)} data-gone=${text([center(points)])} tabindex="0" role="button"
          aria-label=${say("live.gone")}/>`,
    );
    const active = document.activeElement?.closest?.(".overlay") ? document.activeElement.dataset.piece : null;
    this.svg.replaceChildren(...zones, ...gone, ...tiles, ...cards);
    if (active) this.svg.querySelector(`[data-piece="${active}"]`)?.focus({ preventScroll: true });
  }
}

export const text = (points) => points.map((p) => p.join(",")).join(" ");

/** The middle of a polygon. */
export function center(points) {
  return [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
}

/** How far a point is from the line between two others. */
function away([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

export function tileWords(tile, names, terms) {
  return say("live.tile-words", {
    color: terms(`color.${tile.color}`),
    zone: tile.zone ? names(tile.zone) : say("area.none"),
  });
}

function piece(points, i, cls, label, { lit, missing, chosen, unit, mark }) {
  const [x, y] = center(points);
  const marks = mark
    ? [
        svg`<circle class="mark-ground" cx=${x} cy=${y} r=${9 * unit}/>`,
        svg`
    <text class="mark" x=${x} y=${y} font-size=${14 * unit} text-anchor="middle" dominant-baseline="central">
      ${mark}
    </text>`,
      ]
    : [];
  return svg`
    <g class="piece-shape ${cls} ${lit && "lit"} ${missing && "missing"} ${chosen && "chosen"}" data-piece=${i}
        tabindex="0" role="button" aria-label=${label} aria-pressed=${chosen}>
      <polygon class="halo" points=${text(points)}/>
      <polygon class="shape" points=${text(points)}/>
      ${marks}
    </g>`;
}

function zone(name, points, settled, names, unit) {
  const player = settled.players.indexOf(name.split(".")[0]);
  const at = points.reduce((best, p) => (p[0] + p[1] < best[0] + best[1] ? p : best));
  return svg`
    <g class="zone ${player >= 0 && `player-${player}`}">
      <polygon class="zone-edge" points=${text(points)}/>
      <polygon points=${text(points)}/>
      <text x=${at[0] + 6 * unit} y=${at[1] - 6 * unit} font-size=${17 * unit}>${names(name)}</text>
    </g>`;
}
