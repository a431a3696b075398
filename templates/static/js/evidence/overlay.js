// The pieces that were seen, drawn over their picture: a photo, a moving picture, or nothing.
import { html, say, svg } from "../lib/dom.js";
import { center, pieceShape, text } from "./pieces.js";

const AGAIN = 3000;
const STILL = 1500;
const REACH = 22; // CSS pixels: a finger is larger than a tile on a phone
const LOOK = 48; // pixels of a side on which paper is looked for
const WHITE = 245;
const DARKEST = 60; // of what may be paper
const WIDE = 960; // pixels of a picture at which lines and letters have their plain size

/** A look at a picture in which nothing is lit or chosen. */
const UNCHOSEN = { lit: new Set(), missing: new Set(), chosen: null };

export class Overlay {
  #source = null;
  #still = null;

  /**
   * `moving`: the addresses of a moving picture (`moving`) and of a `still` one of it. `touched(id, gone)`: a piece, or what is none.
   * @param {{moving?: {moving?: string, still?: string}, touched: (id: string | null, gone: Element | null) => void}} how
   */
  constructor({ moving = {}, touched }) {
    this.moving = moving;
    this.touched = touched;
    this.img = html`<img class="live-img" alt="">`;
    this.svg = svg`<svg class="overlay" aria-label=${say("live.overlay")} role="group"></svg>`;
    this.root = html`<div class="frame"><p class="no-picture">${say("live.no-picture")}</p>${this.img}${this.svg}</div>`;
    this.img.addEventListener("load", () => this.#loaded());
    this.img.addEventListener("error", () => this.#failed());
    this.svg.addEventListener("click", (event) => {
      const what = event.target.closest?.("[data-piece], [data-gone]") ?? this.#near(event);
      this.touched(what?.dataset.piece ?? null, what?.dataset.gone === undefined ? null : what);
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
    if (wanted === "live" && document.readyState !== "complete") {
      addEventListener("load", () => this.look(this.wanted), { once: true }); // else the page loads until a picture comes
      return;
    }
    if (document.hidden) return;
    this.#show((wanted === "live" ? this.moving.moving : wanted) ?? "");
    this.root.classList.toggle("without", wanted === null);
  }

  /** The picture's own size in pixels; null while there is none. */
  get size() {
    const { naturalWidth, naturalHeight } = this.img;
    return naturalWidth ? [naturalWidth, naturalHeight] : null;
  }

  /** The frame takes the picture's own shape, however high it may be. */
  shape(width, height) {
    this.root.style.setProperty("--wide", width / height);
  }

  /**
   * Draw what was seen.
   * @param {{size: [number, number], pieces: object[], zones?: object[], gone?: number[][][], unit?: number, above?: Node[]} | null}
   *   seen pixels of the picture; pieces as `pieceShape` takes them; a zone has `name`, `polygon` and `color`, or is `proposed`; `gone` are
   *   outlines of what a person said is nothing; `unit` the width of a line; `above` is drawn over all.
   * @param {{lit: Set<string>, missing: Set<string>, chosen: string | null}} look
   */
  draw(seen, look = UNCHOSEN) {
    const [width, height] = seen?.size ?? [16, 9];
    if (seen) this.shape(width, height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (!seen) return this.svg.replaceChildren();
    const { zones = [], gone = [], above = [], unit = width / WIDE } = seen;
    this.svg.style.setProperty("--unit", unit);
    const active = document.activeElement?.closest?.(".overlay") ? document.activeElement.dataset.piece : null;
    const pieces = seen.pieces.map((one) => pieceShape(one, look, unit));
    this.svg.replaceChildren(...zones.map((one) => zone(one, unit)), ...gone.map(goneShape), ...pieces, ...above);
    if (active) this.svg.querySelector(`[data-piece="${active}"]`)?.focus({ preventScroll: true });
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
    for (const one of this.svg.querySelectorAll("[data-piece], [data-gone]")) {
      const outline = one.matches("polygon") ? one : one.querySelector("polygon");
      const points = [...outline.points].map(({ x, y }) => [x * across, y * down]);
      const far = Math.min(...points.map((point, i) => away(at, point, points[(i + 1) % points.length])));
      if (far < best) [best, found] = [far, one];
    }
    return found;
  }

  #show(source) {
    if (source === this.#source) return; // a still one may be due, where the moving one failed
    clearTimeout(this.#still);
    this.#source = source;
    if (source) this.img.src = source;
    else this.img.removeAttribute("src");
  }

  #loaded() {
    this.root.classList.add("seen");
    if (this.wanted === "live" && this.#isStill) this.#stillAfter(STILL);
  }

  /** All places for moving pictures are taken, or the line is down: a still one now and then. */
  #failed() {
    this.root.classList.remove("seen");
    if (this.wanted === "live" && !document.hidden) this.#stillAfter(this.#isStill ? AGAIN : STILL);
  }

  get #isStill() {
    return this.#source?.startsWith(this.moving.still);
  }

  #stillAfter(time) {
    clearTimeout(this.#still);
    this.#still = setTimeout(() => this.wanted === "live" && this.#show(`${this.moving.still}?${Date.now()}`), time);
  }
}

/** A part of a picture, enlarged, with nothing drawn over it: what a question is about. `outline` in the picture's pixels. */
export function closeUp(image, size, outline, around = 1.6, paper = false) {
  const [[left, right], [top, bottom]] = [0, 1].map((k) => {
    const along = outline.map((point) => point[k]);
    return [Math.min(...along), Math.max(...along)];
  });
  const side = Math.max(right - left, bottom - top) * around;
  const [x, y] = [(left + right - side) / 2, (top + bottom - side) / 2];
  const balance = () => svg`
    <filter id="white-balance" color-interpolation-filters="sRGB">
      <feComponentTransfer>
        <feFuncR type="linear"/><feFuncG type="linear"/><feFuncB type="linear"/>
      </feComponentTransfer>
    </filter>`;
  const picture = svg`
    <svg class="close-up" viewBox="${x} ${y} ${side} ${side}" role="img" aria-label=${say("check.picture")}>
      ${paper && balance()}
      <image href=${image} width=${size[0]} height=${size[1]} filter=${paper && "url(#white-balance)"}/>
      <polygon class="close-up-edge" points=${text(outline)} stroke-width=${side * 0.012}/>
    </svg>`;
  if (paper) whiten(picture, image, [x, y, side, side]);
  return picture;
}

/** Make the paper of a part of a picture white: its brightest tenth is paper. @param {Element} picture @param {string} address @param {[number, number, number, number]} part */
async function whiten(picture, address, part) {
  const image = new Image();
  image.src = address;
  const pen = document.createElement("canvas").getContext("2d");
  try {
    await image.decode();
    pen.drawImage(image, ...part, 0, 0, LOOK, LOOK);
  } catch {
    return; // the picture itself says that it is gone
  }
  const { data } = pen.getImageData(0, 0, LOOK, LOOK);
  picture.querySelectorAll("feComponentTransfer > *").forEach((channel, i) => {
    const values = Array.from({ length: LOOK * LOOK }, (_, k) => data[4 * k + i]).sort((a, b) => a - b);
    channel.setAttribute("slope", WHITE / Math.max(values[Math.floor(values.length * 0.9)], DARKEST));
  });
}

/** How far a point is from the line between two others. @type {(point: number[], from: number[], to: number[]) => number} */
function away([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

const goneShape = (points) => svg`
  <polygon class="gone" points=${text(points)} data-gone=${text([center(points)])} tabindex="0" role="button"
    aria-label=${say("live.gone")}/>`;

function zone({ name, polygon, color, proposed }, unit) {
  const at = polygon.reduce((best, p) => (p[0] + p[1] < best[0] + best[1] ? p : best));
  const above = at[1] > 24 * unit ? -6 : 22; // inside the area where the picture ends above it
  return svg`
    <g class="zone ${color !== undefined && `player-${color}`} ${proposed && "proposed"}">
      <polygon class="zone-edge" points=${text(polygon)}/>
      <polygon points=${text(polygon)}/>
      <text x=${at[0] + 6 * unit} y=${at[1] + above * unit} font-size=${17 * unit}>${name}</text>
    </g>`;
}
