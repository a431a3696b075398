// Pieces drawn for this project. Every color has a shape of its own, so that nobody needs the color to tell them apart.
import { svg } from "./dom.js";

/** Gems: outline and the lines of the cut, on 40 × 40. */
const CUTS = {
  red: [
    "M13 4h14l9 9v14l-9 9H13l-9-9V13z",
    "M13 4l3 9M27 4l-3 9M36 13l-9 3M36 27l-9-3M27 36l-3-9M13 36l3-9M4 27l9-3M4 13l9 3M16 13h8l3 3v8l-3 3h-8l-3-3v-8z",
  ],
  yellow: ["M20 2 35 20 20 38 5 20z", "M5 20h30M20 2l-6 18 6 18M20 2l6 18-6 18"],
  green: [
    "M12 3h16l6 6v22l-6 6H12l-6-6V9z",
    "M12 3l2 8M28 3l-2 8M34 9l-8 2M6 9l8 2M14 11h12v18H14zM6 31l8-2M34 31l-8-2M12 37l2-8M28 37l-2-8",
  ],
  blue: ["M20 2c4 8 13 15 13 24a13 13 0 0 1-26 0C7 17 16 10 20 2z", "M20 2l-5 21 5 16 5-16zM7 26l8-3h10l8 3"],
  purple: ["M20 4 38 34 2 34z", "M20 4v12M2 34l10-6M38 34l-10-6M20 16l8 12H12z"],
  white: [
    "M20 3a17 17 0 1 1-.01 0z",
    "M20 3l6 8 9 1M35 12l-4 10 4 9M35 31l-9 1-6 5M20 37l-6-5-9-1M5 31l4-9-4-10M5 12l9-1 6-8M14 11h12l5 11-5 10H14L9 22z",
  ],
  black: ["M20 3 37 15 31 36 9 36 3 15z", "M20 3v9M37 15l-9 3M31 36l-6-9M9 36l6-9M3 15l9 3M20 12l8 6-3 9H15l-3-9z"],
  gold: ["M11 10h18l8 21H3z", "M11 10l3 7h12l3-7M14 17l-6 14M26 17l6 14"],
};
/** The rainbow: a star of five colors. */
const STAR = "M20 1.5L25.6 13.6L38.6 15L28.9 24L31.5 37L20 30.4L8.5 37L11.1 24L1.4 15L14.4 13.6Z";
const WEDGES = {
  red: "M14.4 13.6L20 1.5L25.6 13.6L20 20.5Z",
  yellow: "M25.6 13.6L38.6 15L28.9 24L20 20.5Z",
  green: "M28.9 24L31.5 37L20 30.4L20 20.5Z",
  blue: "M20 30.4L8.5 37L11.1 24L20 20.5Z",
  purple: "M11.1 24L1.4 15L14.4 13.6L20 20.5Z",
};

/** A gem, or gold. A color that we do not know is a question mark. */
export function gem(color) {
  const drawing = (...inner) => svg`
    <svg viewBox="0 0 40 40" class="art gem gem-${CUTS[color] || color === "rainbow" ? color : "other"}"
        aria-hidden="true">
      ${inner}
    </svg>`;
  if (color === "rainbow") {
    const wedges = Object.entries(WEDGES).map(([name, way]) => svg`<path d=${way} class="wedge gem-${name}"/>`);
    return drawing(wedges, svg`<path d=${STAR} class="outline"/>`);
  }
  if (!CUTS[color]) return drawing(svg`<circle cx="20" cy="20" r="17" class="body"/>`, text(20, 21, "?", 20));
  return drawing(svg`<path d=${CUTS[color][0]} class="body"/>`, svg`<path d=${CUTS[color][1]} class="cut"/>`);
}

function text(x, y, words, size, cls = "ink") {
  return svg`
    <text x=${x} y=${y} font-size=${size} class=${cls} text-anchor="middle" dominant-baseline="central">
      ${words}
    </text>`;
}

function card(cls, ...inner) {
  return svg`
    <svg viewBox="0 0 56 78" class="art card-art ${cls}" aria-hidden="true">
      <rect x="1.5" y="1.5" width="53" height="75" rx="7" class="card-face"/>
      ${inner}
    </svg>`;
}

/** Beings of Human Angel Demon, and its things. */
const SIGNS = {
  H: "M28 24a6 6 0 1 1-.01 0zM17 60c0-13 4-20 11-20s11 7 11 20z",
  A: "M28 28a5.500 5.500 0 1 1-.01 0zM20 60c0-12 3-18 8-18s8 6 8 18zM19 43C10 42 7 35 7 29c7 0 12 4 14 10zM37 43c9-1 12-8 12-14-7 0-12 4-14 10z",
  D: "M28 27a6.500 6.500 0 1 1-.01 0zM18 60c0-13 4-18 10-18s10 5 10 18zM22 29c-4-1-5-5-4-9 1 3 4 4 7 5zM34 29c4-1 5-5 4-9-1 3-4 4-7 5zM18 45 6 35l3 11-4 5 11 2zM38 45l12-10-3 11 4 5-11 2z",
};
const THINGS = {
  1: "M28 24 41 36 28 60 15 36z",
  2: "M18 30h20v5c0 8-5 11-7 12v6h7v7H18v-7h7v-6c-2-1-7-4-7-12z",
  3: "M28 24a9 9 0 1 1-.01 0zM25 41h6v19h-6zM31 48h7v5h-7zM31 55h5v5h-5z",
  4: "M16 26c5 0 9 1 12 4 3-3 7-4 12-4v30c-5 0-9 1-12 4-3-3-7-4-12-4z",
};

/** A card of Human Angel Demon, `H3` or `D7r`. Red titles are printed on a filled band with a dot. */
export function beingCard(code) {
  const [attribute, title] = code;
  const red = code.endsWith("r");
  return card(
    `being being-${attribute} ${red ? "red-title" : ""}`,
    svg`<path d="M2 20V8.500A6.500 6.500 0 0 1 8.500 2h39A6.500 6.500 0 0 1 54 8.500V20z" class="band"/>`,
    text(14, 12, title, 17, "title"),
    red && svg`<circle cx="44" cy="11" r="4.5" class="red-dot"/>`,
    attribute === "A" && svg`<ellipse cx="28" cy="25" rx="8" ry="2.4" class="halo-ring"/>`,
    svg`<path d=${SIGNS[attribute] ?? THINGS[title] ?? THINGS[1]} class="sign" fill-rule="evenodd"/>`,
    text(28, 69, attribute, 11, "small-print"),
  );
}

/** Pips: lines of no length, with round ends. */
const PIPS = {
  1: "M28 50h0",
  2: "M20 50h0M36 50h0",
  3: "M28 43h0M19 57h0M37 57h0",
  4: "M20 43h0M36 43h0M20 58h0M36 58h0",
  5: "M19 42h0M37 42h0M28 50h0M19 59h0M37 59h0",
};

/** A seeker: its power in pips; an advanced one carries a crest. */
export function seekerCard(power, advanced, pays) {
  return card(
    `seeker ${advanced ? "advanced" : ""}`,
    svg`<path d="M28 7c8 0 12 6 12 13 0 6-4 11-12 11s-12-5-12-11C16 13 20 7 28 7z" class="hood"/>`,
    svg`<path d="M28 14c4 0 6 3 6 7s-2 7-6 7-6-3-6-7 2-7 6-7z" class="shade"/>`,
    svg`<path d=${PIPS[power] ?? ""} class="pips"/>`,
    advanced && svg`<path d="M6 8h8M10 4v8" class="crest"/>`,
    pays && text(45, 10, "+2", 11, "pays"),
    text(28, 70, power, 11, "small-print"),
  );
}

/** A gem within another drawing. */
function inset(color, x, y, size) {
  return svg`
    <svg x=${x} y=${y} width=${size} height=${size} viewBox="0 0 40 40" class="gem gem-${color}">
      ${[...gem(color).childNodes]}
    </svg>`;
}

/** A card that names a color. */
export function colorCard(color) {
  return card(`plain plain-${color}`, inset(color, 10, 21, 36));
}

/** A development: its points on the left, the gem that it gives on the right, hills below. */
export function developmentCard(color, points) {
  return card(
    `plain plain-${color}`,
    svg`
    <path d="M3 72V60l13-15 10 11 9-8 18 20v4a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4z" class="hills"/>`,
    text(15, 19, points || "", 24, "title"),
    inset(color, 27, 7, 24),
  );
}

/** A treasure: a Roman number, its color's gem, a star where it is a bonus card. */
export function treasureCard(color, number, bonus) {
  return card(
    `plain plain-${color}`,
    text(28, 17, roman(number), 17, "title"),
    inset(color, 10, 29, 36),
    bonus &&
      svg`
      <path d="M46 60l2.600 5.300 5.800.8-4.200 4.100 1 5.800L46 73.300 40.800 76l1-5.800-4.200-4.100 5.800-.8z"
          class="bonus-star" transform="translate(-13 -20) scale(1.22)"/>`,
  );
}

/** A noble: a head with a crown. */
export function noble() {
  return svg`
    <svg viewBox="0 0 56 56" class="art noble" aria-hidden="true">
      <rect x="1.5" y="1.5" width="53" height="53" rx="7" class="card-face"/>
      <path d="M15 22V9l7 6 6-9 6 9 7-6v13z" class="crown-shape"/>
      <path d="M17 25h22v6c0 7-5 12-11 12s-11-5-11-12zM10 54c1-7 6-10 11-10 4 3 10 3 14 0 5 0 10 3 11 10z"
          class="sign"/>
    </svg>`;
}

/** A token: a gem on a round chip. */
export function token(color) {
  return svg`
    <svg viewBox="0 0 48 48" class="art token token-${color}" aria-hidden="true">
      <circle cx="24" cy="24" r="22" class="chip-face"/>
      <circle cx="24" cy="24" r="18" class="chip-rim"/>
      ${inset(color, 11, 11, 26)}
    </svg>`;
}

/** A score chip, a tick, a face-down card: things that are only counted. */
export function thing(kind) {
  const shapes = {
    chip: [
      svg`<circle cx="20" cy="20" r="17" class="chip-face"/>`,
      svg`<circle cx="20" cy="20" r="12" class="chip-rim"/>`,
      text(20, 21, "VP", 12),
    ],
    tick: [
      svg`<rect x="5" y="5" width="30" height="30" rx="4" class="chip-face"/>`,
      svg`<path d="M11 20l7 8L32 9" class="stroke"/>`,
    ],
    skull: [
      svg`<rect x="5" y="5" width="30" height="30" rx="4" class="chip-face"/>`,
      svg`<path d="M12 12l16 16M28 12 12 28" class="stroke"/>`,
    ],
    back: [
      svg`<rect x="9" y="3" width="22" height="34" rx="4" class="chip-face"/>`,
      svg`<path d="M15 20l5-8 5 8-5 8z" class="stroke"/>`,
    ],
  };
  return svg`<svg viewBox="0 0 40 40" class="art thing" aria-hidden="true">${shapes[kind]}</svg>`;
}

const ROMAN = [
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

/** A number as the treasure cards print it. */
export function roman(number) {
  if (number > 39) return `${number}`;
  let out = "";
  for (const [value, letters] of /** @type {[number, string][]} */ (ROMAN))
    for (; number >= value; number -= value) out += letters;
  return out;
}
