// Learning colors: the order of the row, a look at it, what was seen, and the word that it is right.

import { Overlay } from "../../evidence/overlay.js";
import { post } from "../../lib/api.js";
import { gem } from "../../lib/art.js";
import { attempt } from "../../lib/attempt.js";
import { button, data, html, say, svg } from "../../lib/dom.js";

const given = data("given");
const seen = document.getElementById("seen");
const look = document.getElementById("look");
const pictures = `/live/${given.table}`;
const overlay = new Overlay({
  moving: { moving: `${pictures}/picture.mjpg`, still: `${pictures}/frame.jpg` },
  touched: () => {},
});
const left = new Set();
const order = () => given.colors.filter((color) => !left.has(color));
const name = (color) => given.terms[`color.${color}`];

function drawOrder() {
  document.getElementById("order").replaceChildren(
    ...given.colors.map(
      (color) =>
        html`
        <button class="order-key ${left.has(color) ? "" : "on"}"
            aria-pressed=${!left.has(color)}
            aria-label=${say("live.colors.use", { color: name(color) })}
            onclick=${() => {
              left[left.has(color) ? "delete" : "add"](color);
              drawOrder();
            }}>
          ${gem(color)}
          <span class="small">${name(color)}</span>
        </button>`,
    ),
  );
}

function live() {
  overlay.draw(null);
  overlay.look("live");
}

look.addEventListener("click", () =>
  attempt(async () => {
    seen.hidden = true;
    live();
    show(await post(`/api/live/${given.table}/colors/look`, { order: order() }));
  }, look),
);

function show({ tiles, frame: still, size }) {
  const unit = size[0] / 960;
  const marks = tiles.map(({ at }, i) => {
    const [x, y] = [at[0] * size[0], at[1] * size[1]];
    return [
      svg`<circle class="order-mark" cx=${x} cy=${y - 24 * unit} r=${11 * unit}/>`,
      svg`
      <text class="order-number" x=${x} y=${y - 24 * unit} font-size=${14 * unit} text-anchor="middle"
          dominant-baseline="central">
        ${i + 1}
      </text>`,
    ];
  });
  overlay.look(still);
  overlay.draw({ size, pieces: [], above: marks.flat() });
  const save = button("save", say("live.colors.saved"), () => attempt(keep, save), { kind: "main-action" });
  seen.replaceChildren(
    html`<p>${say("live.colors.seen")}</p>`,
    html`
      <div class="seen-row">
        ${tiles.map(
          ({ color, picture: close }, i) => html`
          <figure class="seen-tile">
            <img src=${close} alt="">
            <figcaption class="small">${`${i + 1}. `}${name(color)}${gem(color)}</figcaption>
          </figure>`,
        )}
      </div>`,
    html`
      <div class="row">
        ${save}
        ${button("again", say("live.colors.again"), () => look.click(), { kind: "plain" })}
      </div>`,
  );
  seen.hidden = false;
  seen.scrollIntoView({ block: "nearest" });
}

async function keep() {
  await post(`/api/live/${given.table}/colors/save`, { order: order() });
  seen.replaceChildren(html`<p role="status">${say("live.colors.done")}</p>`);
  live();
}

overlay.img.addEventListener("load", ({ target }) => overlay.shape(target.naturalWidth, target.naturalHeight));
document.getElementById("frame").replaceWith(overlay.root);
drawOrder();
live();
