// What everyone has: totals at a glance, and each player's lines.
import { plain, signed } from "../dispute/breakdown.js";
import { html, icon, say } from "../lib/dom.js";

const SIGNS = ["●", "■", "▲", "◆", "★", "✚", "⬟", "⬢"];

/** A sign and a color for each player, so that neither is needed alone. */
export const sign = (p) => html`
  <span class="player-sign player-${p}" aria-hidden="true">${SIGNS[p % SIGNS.length]}</span>`;

/** All totals in one row, with what the last state moved. */
export function board(settled, moved, { jump }) {
  const { players } = settled.state;
  const scored = settled.answer?.players ?? [];
  return html`
    <div class="tally ${settled.answer ? "" : "stale"} of-${Math.min(players.length, 8)}" role="group"
        aria-label=${say("ranking.title")}>
      ${players.map(({ name }, p) => {
        const winner = settled.answer?.winners.includes(name) || settled.answer?.leading.includes(name);
        return html`
        <button class="score player-${p} ${winner && "winner"}" data-key="score-${p}" onclick=${() => jump(p)}>
          <span class="score-name">
            ${sign(p)}
            <span>${name}</span>
            ${winner && html`<span class="crown" role="img" aria-label=${say("live.leads")}></span>`}
          </span>
          <span class="score-total" data-total=${name}>${scored[p] ? plain(scored[p].total) : "–"}</span>
          ${moved[name] ? html`<span class="moved ${moved[name] < 0 ? "down" : "up"}">${signed(moved[name])}</span>` : null}
        </button>`;
      })}
    </div>`;
}

/** A player's lines. Touching one lights its tiles. */
export function playerCard(settled, p, { lit, counted, light, note, past, chips, more }) {
  const row = settled.state.players[p];
  const player = settled.answer?.players[p];
  const lines = player?.lines ?? [];
  return html`
    <section class="card player-card player-${p}" id="player-${p}" aria-label=${row.name}>
      <div class="player-top">
        <h2>${sign(p)}<span>${row.name}</span></h2>
        ${player && html`<strong class="player-total">${plain(player.total)}</strong>`}
      </div>
      ${
        player &&
        html`
        <ul class="lines">
          ${lines.map(
            (line, l) => html`
            <li>
              ${lineButton(line, `${p}-${l}`, { on: lit === `${p}-${l}`, counted: counted.has(`${p}-${l}`), act: () => light(p, l) })}
            </li>`,
          )}
        </ul>`
      }
      ${player && lines.length === 0 && html`<p class="quiet nothing">${say("live.nothing-yet")}</p>`}
      ${player && Object.keys(player.choices ?? {}).length > 0 && html`<p class="small quiet choice-used">${note(player)}</p>`}
      ${
        !past &&
        html`
        <div class="player-foot">
          ${chips}
          <button class="button more" data-key="more-${p}" onclick=${more}>${icon("hand")}${say("live.more")}</button>
        </div>`
      }
    </section>`;
}

function lineButton(line, key, { on, counted, act }) {
  return html`
    <button class="line ${on && "on"} ${counted && "counted"} ${line.points === 0 && "zero"}" aria-pressed=${on}
        data-line=${key} data-key="line-${key}" onclick=${act}>
      <span class="line-words">
        <span>${line.label}</span>
        <span class="small quiet source">${line.source.section}</span>
      </span>
      <span class="line-points ${line.points < 0 && "minus"}">${signed(line.points)}</span>
    </button>`;
}
