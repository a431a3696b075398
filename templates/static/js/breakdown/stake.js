// What hangs on a doubt, in words.
import { html, say } from "../lib/dom.js";
import { plain } from "./breakdown.js";

/** By how much the answer can change the points, in words. */
export function stake(points, player) {
  if (!points || player?.total === null || player?.total === undefined) return null;
  const values = { name: player.name, low: plain(player.total + points[0]), high: plain(player.total + points[1]) };
  return html`<p class="small">${points[0] === points[1] ? say("doubt.no-change") : say("doubt.stake", values)}</p>`;
}
