// A sheet drawn in SVG: the photo or the flattened sheet below, what was read above.
import { html, say, svg } from "../lib/dom.js";

const SIZE = 11;
const MARGIN = 0.55;

/** How grid units come to lie on the flattened picture (or on none: a sheet filled in by hand). */
export function flatFrame(profile, sheet, wide) {
  const flat = sheet.flat ?? { cell: 40, origin: [40, 40], size: [520, 520], image: null };
  const { cell, origin, size } = flat;
  let box = [-MARGIN, -MARGIN, SIZE + 2 * MARGIN, SIZE + 2 * MARGIN];
  if (wide && sheet.flat) {
    for (const boxes of Object.values(profile.tracks ?? {})) for (const one of boxes) box = around(box, one);
  }
  const left = Math.max(0, origin[0] + box[0] * cell);
  const top = Math.max(0, origin[1] + box[1] * cell);
  const right = Math.min(size[0], origin[0] + (box[0] + box[2]) * cell);
  const bottom = Math.min(size[1], origin[1] + (box[1] + box[3]) * cell);
  return {
    at: (u, v) => [origin[0] + u * cell, origin[1] + v * cell],
    unit: cell,
    image: flat.image,
    size,
    viewBox: [left, top, right - left, bottom - top],
  };
}

function around([x, y, w, h], [bx, by, bw, bh]) {
  const left = Math.min(x, bx - 0.2);
  const top = Math.min(y, by - 0.2);
  return [left, top, Math.max(x + w, bx + bw + 0.2) - left, Math.max(y + h, by + bh + 0.2) - top];
}

/** How grid units come to lie on the photo: between the crossings that were found, carried on beyond them. */
export function photoFrame(sheet) {
  const lattice = sheet.lattice;
  const last = lattice.length - 2;
  const at = (u, v) => {
    const c = Math.min(Math.max(Math.floor(u), 0), last);
    const r = Math.min(Math.max(Math.floor(v), 0), last);
    const x = u - c;
    const y = v - r;
    return [0, 1].map(
      (i) =>
        (1 - y) * ((1 - x) * lattice[r][c][i] + x * lattice[r][c + 1][i]) +
        y * ((1 - x) * lattice[r + 1][c][i] + x * lattice[r + 1][c + 1][i]),
    );
  };
  const [a, b] = [lattice[0][0], lattice[last + 1][last + 1]];
  return {
    at,
    unit: Math.hypot(b[0] - a[0], b[1] - a[1]) / (Math.SQRT2 * SIZE),
    image: sheet.photo,
    size: sheet.size,
    viewBox: [0, 0, ...sheet.size],
  };
}

/** The same over a moving picture of which the photo was one frame: nothing is drawn below. */
export const movingFrame = (sheet) => ({ ...photoFrame(sheet), image: null, bare: true });

/**
 * The drawing.
 * @param {object} frame where grid units lie; see above.
 * @param {object} profile the sheet's profile.
 * @param {object} sheet what was read and said.
 * @param {object} look lit and gap (lists of [row, col]), path (list of [row, col]), marks (whether the reading is
 *   shown), fresh (cells that were drawn last), disagree, onTap(row, col), onOver(row, col | null), label, focus [row, col], main (takes the keyboard).
 */
export function drawSheet(frame, profile, sheet, look) {
  const { at, unit, viewBox } = frame;
  const letters = Object.fromEntries(Object.entries(profile.letters).map(([letter, cell]) => [cell.join(), letter]));
  const has = (cells) => new Set((cells ?? []).map((cell) => cell.join()));
  const doubtful = has([...sheet.doubtful, ...(sheet.doubtful_letters ?? []).map((letter) => profile.letters[letter])]);
  const disagree = has(look.disagree);
  const said = has(sheet.said);
  const gates = has(sheet.gates);
  const lit = has(look.lit);
  const gap = has(look.gap);
  const fresh = has(look.fresh);
  const below = [];
  const marks = [];
  const targets = [];
  for (let row = 0; row < SIZE; row++) {
    const line = [];
    for (let col = 0; col < SIZE; col++) {
      const key = `${row},${col}`;
      const value = sheet.map[row][col];
      const letter = letters[key];
      const asked = doubtful.has(key) || disagree.has(key);
      const shape = (points, attributes) =>
        svg`<path d=${closed(points.map(([u, v]) => at(col + u, row + v)))} ${attributes}/>`;
      if (!frame.image && !frame.bare)
        below.push(
          shape(rectangle(0), { class: "blank-cell" }),
          ...(letter ? [lettering(at(col + 0.5, row + 0.5), letter, unit * 0.55)] : []),
        );
      if (lit.has(key)) below.push(shape(rectangle(0), { class: "lit" }));
      if (fresh.has(key)) below.push(shape(rectangle(0.06), { class: "fresh", "stroke-width": unit * 0.08 }));
      if (gap.has(key)) below.push(shape(rectangle(0.06), { class: "gap", "stroke-width": unit * 0.07 }));
      if (look.marks || (!frame.image && !frame.bare)) {
        const stroke = (width) => ({ "stroke-width": unit * width });
        if (value === "o")
          marks.push(
            shape(ring(0.34), { class: "halo", ...stroke(0.14) }),
            shape(ring(0.34), { class: "passage", ...stroke(0.075) }),
          );
        if (value === "#")
          marks.push(
            shape(rectangle(0.2), { class: "halo", ...stroke(0.12) }),
            shape(rectangle(0.2), { class: "wall", ...stroke(0.065) }),
          );
        if (gates.has(key)) marks.push(shape(ring(0.455), { class: "gate", ...stroke(0.07) }));
        if (letter && sheet.destinations.includes(letter))
          marks.push(
            shape(
              [
                [0.02, 0.02],
                [0.36, 0.02],
                [0.02, 0.36],
              ],
              { class: "destination" },
            ),
          );
        if (said.has(key)) marks.push(shape(ring(0.07, 0.86, 0.86), { class: "said", ...stroke(0.03) }));
      }
      if (asked) {
        marks.push(
          shape(rectangle(0.03), { class: "doubt-halo", "stroke-width": unit * 0.16 }),
          shape(rectangle(0.03), { class: "doubt", "stroke-width": unit * 0.09 }),
        );
        marks.push(
          shape(ring(0.2, 0.85, 0.15), { class: "badge" }),
          lettering(at(col + 0.85, row + 0.15), "?", unit * 0.3, "badge-text"),
        );
      }
      const target = shape(rectangle(0), {
        class: look.chosen?.join() === key ? "target chosen" : "target",
        "data-row": row,
        "data-col": col,
        ...(look.main
          ? {
              role: "gridcell",
              tabindex: look.focus?.[0] === row && look.focus?.[1] === col ? 0 : -1,
              "data-key": `cell-${key}`,
              "aria-label": describe(
                row,
                col,
                letter,
                value,
                asked,
                said.has(key),
                gates.has(key),
                letter && sheet.destinations.includes(letter),
              ),
            }
          : {}),
      });
      line.push(target);
    }
    targets.push(svg`<g role=${look.main && "row"}>${line}</g>`);
  }
  if (look.lit?.length) below.push(svg`<path d=${outline(lit, at)} class="lit-edge" stroke-width=${unit * 0.09}/>`);
  if (look.path?.length > 1) {
    const way = look.path
      .map(([r, c]) =>
        at(c + 0.5, r + 0.5)
          .map(short)
          .join(" "),
      )
      .join("L");
    marks.push(
      svg`<path d="M${way}" class="way-halo" stroke-width=${unit * 0.26}/>`,
      svg`
      <path d="M${way}" class="way" stroke-width=${unit * 0.13}/>`,
    );
  }
  const role = look.main ? { role: "grid", "aria-label": look.label } : { "aria-hidden": "true" };
  const { image, size } = frame;
  const drawing = html`
    <svg viewBox=${viewBox.map(short).join(" ")} class="sheet ${!image && !frame.bare && "by-hand"}" ${role}>
      ${image && svg`<image href="/photos/${image}.jpg" width=${size[0]} height=${size[1]}/>`}
      <g class="below">${below}</g>
      <g class="marks">${marks}${look.marks && tickMarks(frame, profile, look.ticks, look.litTracks)}</g>
      <g class="targets">${targets}</g>
    </svg>`;
  listen(drawing, look);
  return drawing;
}

/** What a screen reader says of a cell. */
export function describe(row, col, letter, value, asked, said, gate, destination) {
  const words = [
    say("cell.place", { row: row + 1, col: col + 1 }),
    letter && say("cell.letter", { letter }),
    say(`cell.${{ ".": "blank", o: "passage", "#": "wall" }[value]}`),
  ];
  if (gate) words.push(say("cell.gate"));
  if (destination) words.push(say("cell.destination"));
  if (asked) words.push(say("cell.doubtful"));
  if (said) words.push(say("cell.said"));
  return words.filter(Boolean).join(say("list.comma"));
}

function tickMarks({ at, unit }, profile, ticks, litTracks) {
  if (!ticks) return [];
  return Object.entries(profile.tracks ?? {}).flatMap(([track, boxes]) =>
    boxes.slice(0, ticks[track] ?? 0).flatMap(([x, y, w, h]) => {
      const way = [
        [x + w * 0.18, y + h * 0.55],
        [x + w * 0.42, y + h * 0.8],
        [x + w * 0.85, y + h * 0.2],
      ]
        .map(([u, v]) => at(u, v).map(short).join(" "))
        .join("L");
      const box = closed(
        [
          [x, y],
          [x + w, y],
          [x + w, y + h],
          [x, y + h],
        ].map(([u, v]) => at(u, v)),
      );
      return [
        litTracks?.includes(track) && svg`<path d=${box} class="lit"/>`,
        svg`<path d="M${way}" class="halo" stroke-width=${unit * 0.15}/>`,
        svg`<path d="M${way}" class="tick" stroke-width=${unit * 0.08}/>`,
      ].filter(Boolean);
    }),
  );
}

function listen(drawing, look) {
  const cellOf = (event) => {
    const { row, col } = event.target.dataset ?? {};
    return row === undefined ? null : [Number(row), Number(col)];
  };
  drawing.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell) look.onTap(...cell);
  });
  drawing.addEventListener("pointerover", (event) => event.pointerType === "mouse" && look.onOver?.(cellOf(event)));
  drawing.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && look.onOver?.(null));
  drawing.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      const [row, col] = [
        Math.min(Math.max(cell[0] + step[0], 0), SIZE - 1),
        Math.min(Math.max(cell[1] + step[1], 0), SIZE - 1),
      ];
      look.onFocus?.(row, col);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      (look.onEnter ?? look.onTap)(...cell);
      event.preventDefault();
    }
  });
}

function lettering([x, y], text, size, cls = "letter") {
  return svg`
    <text x=${short(x)} y=${short(y)} class=${cls} font-size=${short(size)} text-anchor="middle"
        dominant-baseline="central">
      ${text}
    </text>`;
}

function rectangle(inset) {
  return [
    [inset, inset],
    [1 - inset, inset],
    [1 - inset, 1 - inset],
    [inset, 1 - inset],
  ];
}

function ring(radius, cx = 0.5, cy = 0.5) {
  return Array.from({ length: 24 }, (_, i) => [
    cx + radius * Math.cos((i * Math.PI) / 12),
    cy + radius * Math.sin((i * Math.PI) / 12),
  ]);
}

function closed(points) {
  return `M${points.map((p) => p.map(short).join(" ")).join("L")}Z`;
}

/** The border of a set of cells. */
function outline(cells, at) {
  const segments = [];
  for (const key of cells) {
    const [r, c] = key.split(",").map(Number);
    const sides = [
      [r - 1, c, c, r, c + 1, r],
      [r + 1, c, c, r + 1, c + 1, r + 1],
      [r, c - 1, c, r, c, r + 1],
      [r, c + 1, c + 1, r, c + 1, r + 1],
    ];
    for (const [nr, nc, u0, v0, u1, v1] of sides) {
      if (!cells.has(`${nr},${nc}`))
        segments.push(`M${at(u0, v0).map(short).join(" ")}L${at(u1, v1).map(short).join(" ")}`);
    }
  }
  return segments.join("");
}

function short(value) {
  return Math.round(value * 100) / 100;
}
