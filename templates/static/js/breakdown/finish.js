// The end of a game: who won and by how much, everybody's points on the game's own score sheet, and how to hand it on.
import { button, html, save, say } from "../lib/dom.js";
import { cheerButton } from "../lib/fanfare.js";
import { sign } from "../lib/players.js";
import { plain } from "./breakdown.js";
import { isWinner } from "./outcome.js";
import { ownBest } from "./own_best.js";
import { placeField, placeOf } from "./place.js";
import { sharePicture } from "./score_picture.js";

const BG_STATS = "https://app.bgstatsapp.com/createPlay.html";
const LONGEST = 24 * 60; // minutes of a game; what took longer lay about meanwhile
const BYTE_ORDER_MARK = "\ufeff"; // without it a spreadsheet takes Japanese names for something else

/**
 * The card that says that a game is over.
 * @param {object} outcome see outcome.js: `rows` are those of the game's score sheet.
 * @param {object} how `game`: its slug; `name` of it; `begun`: when, in milliseconds, and `ended`, where that is known;
 *   `over`: whether everything is there (false: only the short game of a match is); `next`: what follows, as buttons; `id` of the play.
 */
export function finishCard(outcome, { game, name, begun, ended = null, over = true, next = null, id = null }) {
  const { answer, rows } = outcome;
  const address = () => bgStatsLink(outcome, { game, name, begun, ended, id });
  const link = html`
    <a class="button" data-key="bg-stats" href=${address()} target="_blank" rel="noopener noreferrer">${say("finish.bg-stats")}</a>`;
  const elsewhere = () => {
    link.href = address();
  };
  const won = over && answer.players.some((_, i) => isWinner(outcome, i));
  const picture = ({ target }) => sharePicture(target.closest(".finish"), game, name);
  return html`
    <section class="card finish stack ${over && winnerClass(outcome)}" aria-label=${say("finish.title")}>
      <h2>${won && html`<span class="crown" aria-hidden="true"></span>`}<span>${headline(answer, over)}</span></h2>
      ${tieBreak(answer).map(([words, source]) => html`<p>${words} <span class="small quiet">${source?.section}</span></p>`)}
      ${over && deciding(outcome)}
      ${over && answer.players.length === 1 && [mark(outcome), ownBest(answer.players[0], { game, begun, id })]}
      ${next && html`<div class="row">${next}</div>`}
      ${scoreTable(outcome)}
      <div class="row">
        ${rows.length > 0 && button("image", say("finish.image"), picture)}
        ${rows.length > 0 && button("csv", say("finish.csv"), () => saveCsv(outcome, game))}
        ${over && placeField(begun, elsewhere)}
        ${over && link}
        ${over && html`<a class="button plain" data-key="evening" href="/evenings/">${say("finish.evening")}</a>`}
        ${over && cheerButton()}
      </div>
    </section>`;
}

/** Who won, and by how much. Where it is not the points that decide, they stand in the order of the players. */
export function headline({ players, winners, note_details: details }, over = true) {
  const seated = players.map(({ total }) => total);
  const totals = [...seated].sort((a, b) => b - a);
  const [points, asSeated] = [totals, seated].map((all) => all.map(plain).join(" : "));
  if (!over || !winners.length) return say("finish.so-far", { points: asSeated });
  if (details.some(({ key }) => key.endsWith(".instant"))) {
    return say("finish.at-once", { names: winners, points: asSeated });
  }
  if (players.length === 1) return say("finish.alone", { name: winners[0], points });
  if (winners.length > 1) return say("finish.shared", { names: winners, points });
  const n = totals[0] - totals[1];
  return say(n > 0 ? "finish.wins" : "finish.tie", { name: winners[0], n, points });
}

/** The winner's color, where one player has won. */
const winnerClass = ({ answer: { players, winners }, colors }) =>
  winners.length === 1 && `player-${colors[players.findIndex(({ name }) => name === winners[0])]}`;

/** The row of the score sheet in which the winner left the next best behind most; nothing where points did not decide. */
function deciding({ answer: { players, winners, note_details: details }, rows }) {
  const won = players.findIndex(({ name }) => name === winners[0]);
  const others = players.filter((_, i) => i !== won).sort((a, b) => b.total - a.total);
  const { name, total } = players[won] ?? {};
  if (winners.length !== 1 || !others.length || !(total > others[0].total)) return null;
  if (details.some(({ key }) => key.endsWith(".instant"))) return null;
  const other = players.indexOf(others[0]);
  const ahead = rows.map(({ label, points }) => ({ row: label, n: points[won], by: points[won] - points[other] }));
  const most = ahead.filter(({ n }) => n > 0).reduce((best, one) => (one.by > best.by ? one : best), { by: 0 });
  if (!(most.by > 0) || most.n === total) return null;
  return html`<p class="decided">${say("finish.decided", { ...most, name, total, other: others[0].name })}</p>`;
}

/** How far who plays alone is from the mark. */
function mark({ answer, mark: least }) {
  const [{ total }] = answer.players;
  if (!least || total === null) return null;
  const words = total >= least ? "finish.mark-reached" : "finish.mark-short";
  return html`<p class="decided">${say(words, { mark: least, n: Math.abs(total - least) })}</p>`;
}

/** What decided between equal points, in numbers: as the notes say it. */
const tieBreak = ({ notes, note_details: details }) =>
  notes.map((words, i) => [words, details[i].source]).filter((_, i) => /\.tie\b/.test(details[i].key));

/** Everybody's points in one table, row by row as on the game's score sheet. */
export function scoreTable(outcome) {
  const { answer, rows, colors } = outcome;
  const { players } = answer;
  const cells = (points) => points.map((one) => html`<td>${plain(one)}</td>`);
  const head = ({ name }, i) =>
    html`<th scope="col" class="player-${colors[i]} ${isWinner(outcome, i) && "winner"}">${sign(colors[i])} ${name}</th>`;
  return html`
    <div class="score-table" tabindex="0" role="region" aria-label=${say("finish.table")}>
      <table>
        <thead><tr><th scope="col"><span class="only-read">${say("finish.category")}</span></th>${players.map(head)}</tr></thead>
        <tbody>${rows.map(({ label, points }) => html`<tr><th scope="row">${label}</th>${cells(points)}</tr>`)}</tbody>
        <tfoot><tr><th scope="row">${say("finish.total")}</th>${cells(players.map(({ total }) => total))}</tr></tfoot>
      </table>
    </div>`;
}

function saveCsv({ answer: { players }, rows }, game) {
  const quoted = (value) => `"${`${value ?? ""}`.replace(/^[=+@]/, "'$&").replaceAll('"', '""')}"`;
  const lines = [
    [say("finish.category"), ...players.map(({ name }) => name)],
    ...rows.map(({ label, points }) => [label, ...points]),
    [say("finish.total"), ...players.map(({ total }) => total)],
  ];
  save(new Blob([BYTE_ORDER_MARK, ...lines.map((line) => `${line.map(quoted).join(",")}\r\n`)]), `${game}.csv`);
}

/** The link that BG Stats takes a play from, dated by its end; the app asks before it writes anything down. */
function bgStatsLink(outcome, { game, name, begun, ended, id }) {
  const { players } = outcome.answer;
  const minutes = ended === null ? 0 : Math.round((ended - begun) / 60_000);
  const isWon = players.map((_, i) => isWinner(outcome, i));
  const rank = (i) =>
    1 + players.filter(({ total }, j) => (isWon[i] ? 0 : isWon[j] || total > players[i].total)).length;
  const data = {
    sourceName: "Table Companion",
    sourcePlayId: id ?? `${game}-${begun}`,
    playDate: new Date(ended ?? begun).toISOString().slice(0, 19).replace("T", " "),
    ...(minutes > 0 && minutes < LONGEST && { durationMin: minutes }),
    ...(placeOf(begun) && { location: placeOf(begun) }),
    game: { name, sourceGameId: game, highestWins: true, noPoints: false },
    players: players.map(({ name: player, total }, i) => ({
      name: player,
      sourcePlayerId: player,
      score: total,
      rank: rank(i),
      winner: isWon[i],
      startPlayer: player === outcome.state.start, // nobody, where it was not said: the app for Android needs it of each
    })),
  };
  return `${BG_STATS}?data=${encodeURIComponent(JSON.stringify(data))}`;
}
