// The final table as a picture to hand on: drawn from the table that stands on the page.
import { save } from "../lib/dom.js";

const SCALE = 2;
const EDGE = 24;
const ROW = 34;
const GAP = 28;
const FONTS = "system-ui, sans-serif";
const LEAST = 420; // CSS pixels

/** Share the table of a result card of the game called `name`, or save it where the browser shares no files. */
export async function sharePicture(card, game, name) {
  const title = `${name}: ${card.querySelector("h2").textContent}`;
  const blob = await new Promise((done) => drawn(card, title).toBlob(done));
  const file = new File([blob], `${game}.png`, { type: "image/png" });
  if (!navigator.canShare?.({ files: [file] })) return save(blob, file.name);
  await navigator.share({ files: [file] }).catch((error) => {
    if (error.name !== "AbortError") save(blob, file.name);
  });
}

function drawn(card, title) {
  const rows = [...card.querySelectorAll("tr")].map((row) => [...row.cells]);
  const sign = (cell) => cell.querySelector(".player-sign");
  const bold = (y) => y === 0 || y === rows.length - 1;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = (heavy, size = 16) => (pen.font = `${heavy ? 700 : 400} ${size}px ${FONTS}`);
  const measured = (words, heavy, size) => font(heavy, size) && pen.measureText(words).width;
  const text = (cell, x, y) => (y === 0 && x === 0 ? "" : cell.textContent.trim().replace(/\s+/g, " "));
  const widths = rows[0].map((_, x) => Math.max(...rows.map((row, y) => measured(text(row[x], x, y), bold(y)))));
  const table = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
  const wide = Math.max(LEAST, table + 2 * EDGE, measured(title, true, 19) + 2 * EDGE);
  canvas.width = wide * SCALE;
  canvas.height = (rows.length + 1.6) * ROW * SCALE + EDGE * SCALE;
  pen.scale(SCALE, SCALE);
  const { backgroundColor: paper, color: ink } = getComputedStyle(card);
  pen.fillStyle = paper;
  pen.fillRect(0, 0, wide, canvas.height);
  pen.fillStyle = ink;
  font(true, 19);
  pen.fillText(title, EDGE, EDGE + 16);
  rows.forEach((row, y) => {
    const base = EDGE + (y + 2) * ROW;
    pen.fillStyle = ink;
    if (y) pen.fillRect(EDGE, base - ROW * 0.68, wide - 2 * EDGE, bold(y) ? 2 : 0.5);
    let right = EDGE;
    row.forEach((cell, x) => {
      right += x ? widths[x] + GAP : widths[0];
      font(bold(y));
      pen.textAlign = x ? "right" : "left";
      pen.fillStyle = sign(cell) ? getComputedStyle(sign(cell)).color : ink;
      pen.fillText(text(cell, x, y), x ? right + (wide - 2 * EDGE - table) * (x / (row.length - 1)) : EDGE, base);
    });
  });
  return canvas;
}
