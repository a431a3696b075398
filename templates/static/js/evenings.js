// The list of evenings: take in an evening from a file, or the plays of a BG Stats export.
import { post } from "./lib/api.js";
import { attempt } from "./lib/attempt.js";
import { say } from "./lib/dom.js";

const AT_ONCE = 200;
const taken = document.getElementById("taken");

document.getElementById("import").addEventListener("change", ({ target }) =>
  attempt(async () => {
    const [file] = target.files;
    target.value = "";
    const given = await new Response(file).json().catch(() => Promise.reject(new Error(say("evenings.no-json"))));
    const plays = playsOf(given);
    const found = plays ? await takePlays(plays) : await post("/api/evenings/import", given);
    taken.textContent = say(plays ? "evenings.plays-taken" : "evenings.taken", found);
    taken.hidden = false;
    if (found.taken) setTimeout(() => location.reload(), 1200);
  }),
);

/** The plays of a BG Stats export, as the companion takes them; null where the file is none. */
function playsOf({ plays, games, players }) {
  if (![plays, games, players].every(Array.isArray)) return null;
  const names = (list) => new Map(list.map(({ id, name }) => [id, `${name ?? ""}`]));
  const [ofGame, ofPlayer] = [names(games), names(players)];
  const seat = ({ playerRefId, score, winner }) => ({
    name: ofPlayer.get(playerRefId) ?? "",
    score: score ?? null,
    winner: winner === true,
  });
  return plays
    .filter(({ ignored, playerScores }) => !ignored && playerScores?.length)
    .map(({ uuid, playDate, gameRefId, playerScores }) => ({
      id: `${uuid}`,
      date: `${playDate}`,
      game: ofGame.get(gameRefId) ?? "",
      players: playerScores.map(seat),
    }));
}

/** Send them in parts: one that is sent again is known already. */
async function takePlays(plays) {
  const sum = { taken: 0, known: 0, other: 0 };
  for (let i = 0; i < plays.length; i += AT_ONCE) {
    const found = await post("/api/evenings/plays", { plays: plays.slice(i, i + AT_ONCE) });
    for (const key of Object.keys(sum)) sum[key] += found[key];
  }
  return sum;
}
