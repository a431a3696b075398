// A sheet of the map as pieces of the overlay: over its photo, over the flattened sheet, or filled in by hand.
import { say, svg } from "../lib/dom.js";
import { arrow } from "../lib/handle.js";
import { pieceShape, pointsOf, square } from "./pieces.js";

const SIZE = 11;
const MARGIN = 0.55; // cells around the map
const BESIDE = 0.2; // cells around a track

/** How grid units come to lie on the flattened picture (or on none: a sheet filled in by hand). */
export function flatFrame(profile, sheet, wide) {
  const flat = sheet.flat ?? { cell: 40, origin: [40, 40], size: [520, 520], image: null };
  const { cell, origin, size } = flat;
  const boxes = wide && sheet.flat ? Object.values(profile.tracks ?? {}).flat() : [];
  const from = (k) => Math.min(-MARGIN, ...boxes.map((box) => box[k] - BESIDE));
  const to = (k) => Math.max(SIZE + MARGIN, ...boxes.map((box) => box[k] + box[k + 2] + BESIDE));
  const [left, top] = [0, 1].map((k) => Math.max(0, origin[k] + from(k) * cell));
  const [right, bottom] = [0, 1].map((k) => Math.min(size[k], origin[k] + to(k) * cell));
  return {
    at: (u, v) => [origin[0] + u * cell, origin[1] + v * cell],
    unit: cell,
    image: flat.image,
    byHand: !flat.image,
    size,
    viewBox: [left, top, right - left, bottom - top],
  };
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
    const between = (row, i) => (1 - x) * row[c][i] + x * row[c + 1][i];
    return [0, 1].map((i) => (1 - y) * between(lattice[r], i) + y * between(lattice[r + 1], i));
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

/** Lines of the overlay are so much of a cell's width. */
const LINE = 1 / 44;

/**
 * A sheet's cells as the overlay's pieces.
 * @param {object} frame where grid units lie; see above.
 * @param {object} profile the sheet's profile.
 * @param {object} sheet what was read and said.
 * @param {object} look id(row, col), marks (whether the reading is shown), fresh and disagree (lists of [row, col]), focus
 *   [row, col], main (takes the keyboard).
 */
function sheetPieces({ at, unit, byHand }, profile, sheet, look) {
  const letters = Object.fromEntries(Object.entries(profile.letters).map(([letter, cell]) => [cell.join(), letter]));
  const has = (cells) => new Set((cells ?? []).map((cell) => cell.join()));
  const doubtful = has([...sheet.doubtful, ...(sheet.doubtful_letters ?? []).map((letter) => profile.letters[letter])]);
  const [said, gates, fresh, disagree] = [sheet.said, sheet.gates, look.fresh, look.disagree].map(has);
  const piece = (row, col) => {
    const key = `${row},${col}`;
    const value = sheet.map[row][col];
    const letter = letters[key];
    const destination = Boolean(letter) && sheet.destinations.includes(letter);
    const asked = doubtful.has(key) || disagree.has(key);
    const on = (points) => points.map(([u, v]) => at(col + u, row + v));
    const mark = (kind, points, width) =>
      svg`<path d=${closed(on(points))} class=${kind} stroke-width=${width && unit * width}/>`;
    const drawn = (kind, points, width) => [mark("mark-halo", points, width * 1.9), mark(kind, points, width)];
    const read = () => [
      value === "o" && drawn("passage", ring(0.34), 0.075),
      value === "#" && drawn("wall", rectangle(0.2), 0.065),
      gates.has(key) && mark("gate", ring(0.455), 0.07),
      destination && mark("destination", CORNER),
      said.has(key) && mark("said-dot", ring(0.07, 0.86, 0.86), 0.03),
    ];
    const words = () => describe(row, col, letter, value, asked, said.has(key), gates.has(key), destination);
    const keys = {
      role: "gridcell",
      tabindex: look.focus?.join() === key ? 0 : -1,
      "data-key": `cell-${key}`,
      "aria-label": look.main && words(),
    };
    return {
      id: look.id(row, col),
      polygon: on(rectangle(0)).map((point) => point.map(short)),
      class: "cell",
      asked,
      said: said.has(key),
      badge: [...at(col + 0.85, row + 0.15), unit * 0.2].map(short),
      marks: [
        byHand && letter && lettering(at(col + 0.5, row + 0.5), letter, unit * 0.55),
        fresh.has(key) && mark("fresh", rectangle(0.06), 0.08),
        (look.marks || byHand) && read(),
      ],
      keys: { ...(look.main && keys), "data-row": row, "data-col": col },
    };
  };
  return CELLS.map(([row, col]) => piece(row, col));
}

const CORNER = pointsOf("0.02,0.02 0.36,0.02 0.02,0.36");
const CELLS = Array.from({ length: SIZE * SIZE }, (_, i) => [Math.floor(i / SIZE), i % SIZE]);

/** What lies over the cells: the border of those that are lit, the way through them, the ticks. */
function above(frame, profile, look) {
  const { at, unit } = frame;
  const cellOf = new Map(CELLS.map((cell) => [look.id(...cell), cell]));
  const lit = [...look.lit].map((id) => cellOf.get(id)).filter(Boolean);
  const way = path(lit.map(([row, col]) => at(col + 0.5, row + 0.5)));
  const edge = outline(new Set(lit.map((cell) => cell.join())), at);
  const ways = () => [
    svg`<path d=${way} class="way-halo" stroke-width=${unit * 0.26}/>`,
    svg`<path d=${way} class="way" stroke-width=${unit * 0.13}/>`,
  ];
  return [
    lit.length > 0 && svg`<path d=${edge} class="lit-edge" stroke-width=${unit * 0.09}/>`,
    look.way && lit.length > 1 && ways(),
    look.marks && tickMarks(frame, profile, look.ticks ?? {}, look.litTracks ?? []),
  ]
    .flat(3)
    .filter(Boolean);
}

/** Sheets that lie on one picture, as `Overlay.draw` takes them, and the `look` at them: each [profile, sheet, look]. */
export function onPicture(sheets) {
  const frames = sheets.map(([, sheet]) => photoFrame(sheet));
  return {
    look: sheets[0][2],
    size: sheets[0][1].size,
    unit: frames[0].unit * LINE,
    pieces: sheets.flatMap(([profile, sheet, look], i) => sheetPieces(frames[i], profile, sheet, look)),
    above: sheets.flatMap(([profile, , look], i) => above(frames[i], profile, look)),
  };
}

/**
 * One sheet, drawn over its picture, or on nothing.
 * @param {object} look as `sheetPieces` and the overlay's `pieceShape` take it; also way (whether the lit cells are a way,
 *   in order), ticks and litTracks (by track), onTap(row, col), onOver([row, col] | null), onFocus, onEnter, label.
 */
export function drawSheet(frame, profile, sheet, look) {
  const { unit, viewBox, image, size, byHand } = frame;
  const shapes = sheetPieces(frame, profile, sheet, look).map((one) => pieceShape(one, look, unit * LINE));
  const rows = Array.from({ length: SIZE }, (_, row) => shapes.slice(row * SIZE, (row + 1) * SIZE));
  const role = look.main ? { role: "grid", "aria-label": look.label } : { "aria-hidden": "true" };
  const drawing = svg`
    <svg viewBox=${viewBox.map(short).join(" ")} class="sheet ${byHand && "by-hand"}" ${role}>
      ${image && svg`<image href="/photos/${image}.jpg" width=${size[0]} height=${size[1]}/>`}
      ${rows.map((cells) => svg`<g role=${look.main && "row"}>${cells}</g>`)}
      ${above(frame, profile, look)}
    </svg>`;
  drawing.style.setProperty("--unit", unit * LINE);
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

const TICK = pointsOf("0.18,0.55 0.42,0.8 0.85,0.2");

function tickMarks({ at, unit }, profile, ticks, litTracks) {
  const mark = (track, [x, y, w, h]) => {
    const within = (points) => points.map(([u, v]) => at(x + u * w, y + v * h));
    const way = path(within(TICK));
    return [
      litTracks.includes(track) && svg`<path d=${closed(within(rectangle(0)))} class="ticked"/>`,
      svg`<path d=${way} class="mark-halo" stroke-width=${unit * 0.15}/>`,
      svg`<path d=${way} class="tick" stroke-width=${unit * 0.08}/>`,
    ];
  };
  return Object.entries(profile.tracks ?? {}).map(([track, boxes]) =>
    boxes.slice(0, ticks[track] ?? 0).map((box) => mark(track, box)),
  );
}

function listen(drawing, look) {
  const cellOf = (event) => {
    const { row, col } = event.target.closest?.("[data-row]")?.dataset ?? {};
    return row === undefined ? null : [Number(row), Number(col)];
  };
  drawing.addEventListener("click", (event) => cellOf(event) && look.onTap(...cellOf(event)));
  drawing.addEventListener("pointerover", (event) => event.pointerType === "mouse" && look.onOver?.(cellOf(event)));
  drawing.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && look.onOver?.(null));
  drawing.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    const step = arrow(event);
    if (step) {
      // An arrow goes across and down, a cell is a row and a column.
      const to = [0, 1].map((k) => Math.min(Math.max(cell[k] + step[1 - k], 0), SIZE - 1));
      event.target.setAttribute("tabindex", -1);
      const next = drawing.querySelector(`[data-row="${to[0]}"][data-col="${to[1]}"]`);
      next.setAttribute("tabindex", 0);
      next.focus();
      look.onFocus?.(...to);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      (look.onEnter ?? look.onTap)(...cell);
      event.preventDefault();
    }
  });
}

const lettering = ([x, y], text, size) => svg`
  <text x=${short(x)} y=${short(y)} class="letter" font-size=${short(size)} text-anchor="middle"
      dominant-baseline="central">
    ${text}
  </text>`;

/** A square within a cell. */
const rectangle = (inset) => square(inset, inset, 1 - 2 * inset);

/** A circle within a cell. */
const ring = (radius, cx = 0.5, cy = 0.5) =>
  ANGLES.map((angle) => [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)]);
const ANGLES = Array.from({ length: 24 }, (_, i) => (i * Math.PI) / 12);

const path = (points) => `M${points.map((point) => point.map(short).join(" ")).join("L")}`;
const closed = (points) => `${path(points)}Z`;

/** The cells above, right, below and left of one: as the sides of `rectangle` go round. */
const NEXT = pointsOf("-1,0 0,1 1,0 0,-1");

/** The border of a set of cells. */
function outline(cells, at) {
  const sides = [...cells].flatMap((key) => {
    const [row, col] = key.split(",").map(Number);
    const corners = rectangle(0).map(([u, v]) => at(col + u, row + v));
    const free = ([down, right]) => !cells.has(`${row + down},${col + right}`);
    return NEXT.map((next, i) => free(next) && path([corners[i], corners[(i + 1) % 4]]));
  });
  return sides.filter(Boolean).join("");
}

const short = (value) => Math.round(value * 100) / 100;
