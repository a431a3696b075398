// Before a table is followed: its areas as they are proposed, who sits where, and whether everything lies there.
import { button, html, icon, may, say } from "../../lib/dom.js";
import { colorField, namesList } from "../../lib/player_fields.js";

/** The seats among areas: each player's own, not a part of one, nor the middle. */
const seatsOf = (live, areas) => areas.filter((zone) => /^[A-D]$/.test(zone) && !(zone in (live.table.profile ?? {})));

/** The name that a seat was given before it was followed; else its letter. */
export const seatName = (live, zone) => live.seats?.[zone] || live.nameOf(zone);

/** `on`: `take(names)`, `sit({players, seating})`, `name(zone, name)`, `change()`, `refuse()`, `complain(message)`, `draw()`. */
export function setUpCard(live, on) {
  const areas = Object.keys(live.proposed);
  if (live.table.asks_players && live.isNow && !live.drawing && may("host")) return howMany(live, areas[0], on);
  if (!areas.length) return null;
  const { set_up: setUp } = live.table;
  const seats = seatsOf(live, areas);
  const checks = setUp?.checks ?? [];
  const ready = checks.every(({ fits, asked }) => fits || asked);
  const taken = async ({ currentTarget: pressed }) => {
    pressed.disabled = true; // the picture is read anew, which takes a moment
    const given = seats.filter((zone) => live.seats?.[zone]).map((zone) => [zone, { name: live.seats[zone] }]);
    await on.take(Object.fromEntries(given));
    pressed.disabled = false; // where that failed it can be pressed again
  };
  const words = checks.length ? (ready ? "live.set-up.begin" : "live.set-up.anyway") : "live.areas-take";
  const other = () => on.sit({ players: setUp.players ?? seats.length, seating: (setUp.seating + 1) % setUp.ways });
  return html`
    <section class="card stack set-up" aria-label=${say("live.set-up")}>
      <p role="status"><strong>${say("live.areas-proposed", { areas: areas.map((zone) => live.nameOf(zone)) })}</strong></p>
      ${checks.length > 0 && html`<ul class="checks">${checks.map(check)}</ul>`}
      <div class="seats">${seats.map((zone) => seat(live, seats, zone, on))}</div>
      ${namesList(live.table.people)}
      <div class="row">
        ${button("take-areas", say(words), taken, { kind: "main-action" })}
        ${setUp?.ways > 1 && button("sit-otherwise", say("live.set-up.otherwise"), other)}
        ${button("change-areas", say("live.areas-change"), on.change)}
        ${button("refuse-areas", say("live.areas-refuse"), on.refuse, { kind: "plain" })}
      </div>
    </section>`;
}

const check = ({ words, fits }) => html`
  <li class=${fits ? "fits" : "lacks"}>${icon(fits ? "check" : "warn")}<span>${words}</span></li>`;

function howMany(live, middle, { sit, change }) {
  const choice = (n) => button(`play-${n}`, n, () => sit({ players: n }), { kind: "main-action" });
  return html`
    <section class="card stack set-up" aria-label=${say("live.set-up")}>
      <p role="status"><strong>${middle ? say("live.set-up.how-many", { area: live.nameOf(middle) }) : say("live.set-up.play")}</strong></p>
      <div class="row">${live.given.players.map(choice)}</div>
      ${live.shown && html`<div class="row">${button("change-areas", say("live.areas-change"), change, { kind: "plain" })}</div>`}
    </section>`;
}

function seat(live, seats, zone, { name, complain, draw }) {
  const names = seats.map((one) => seatName(live, one));
  return html`
    <div class="seat">
      ${colorField(names, seats.indexOf(zone), { failed: ({ message }) => complain(message), done: draw })}
      <label class="grow"><span class="only-read">${say("live.set-up.name", { seat: live.nameOf(zone) })}</span>
        <input class="field" type="text" maxlength="40" list="people" data-key="seat-${zone}" autocomplete="off"
          value=${live.seats?.[zone] ?? ""} placeholder=${live.nameOf(zone)}
          oninput=${({ target }) => name(zone, target.value.trim())}></label>
    </div>`;
}
