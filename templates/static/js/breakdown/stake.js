// What hangs on a doubt, in words.
import { html, say } from "../lib/dom.js";
import { plain, signed } from "./breakdown.js";

/** By how much the answer can change the points, in words. */
export function stake(points, player) {
  if (!points || player?.total === null || player?.total === undefined) return null;
  const values = { name: player.name, low: plain(player.total + points[0]), high: plain(player.total + points[1]) };
  return html`<p class="small">${points[0] === points[1] ? say("doubt.no-change") : say("doubt.stake", values)}</p>`;
}

/** By how much an answer moves the points, in short: "+12", "−10 … +6"; nothing where it is not known, or nothing hangs on it. */
export function amount(points) {
  const moves = [...new Set((points ?? []).filter(Boolean))];
  return moves.length ? moves.map(signed).join(" … ") : null;
}
