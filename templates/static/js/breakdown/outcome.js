// What scoring says of a state, player by player: the answer, or why there is none yet and what is known so far.
import { say } from "../lib/dom.js";
import { colorsOf } from "../lib/players.js";

/**
 * @typedef {object} Outcome
 * @property {object} state the table state that the outcome is about.
 * @property {object | null} answer the latest answer; of an earlier state where `current` is false.
 * @property {{label: string, points: (number | null)[]}[]} rows everybody's points as on the game's score sheet.
 * @property {{text: string, because: string[], source?: object}[]} notes of the answer; what is said of several players in the
 *   same words is one, with all their names.
 * @property {{cards: string, total: number}[][]} hands each player's total with every hand that is secret until the end.
 * @property {number | null} mark the points that who plays alone has to reach.
 * @property {boolean} current whether the answer belongs to the state as it is.
 * @property {boolean} open whether the state as it is cannot be scored: something is missing, or nobody answers.
 * @property {object | null} problem what is missing: `message`, and the `place` in the state, or the `places`.
 * @property {(object | null)[]} scores of each player the part of an answer, with `how` it stands. "current": it counts;
 *   "so-far": this player is complete, others are not; "stale": from before something was left open.
 * @property {([number, number] | null)[]} spans between what a player's total may end, while a doubt decides about it.
 * @property {number[]} colors the players' colors.
 * @property {string[]} waiting what a state that is not complete waits for, in words.
 * @property {Object<string, number>} moved by how much the last change moved a player's total, by name.
 */

/**
 * The outcome of what the companion says: `{state, answer | problem, so_far}`.
 * @param {{state: any, answer?: any, rows?: any[], hands?: any[], mark?: number | null, problem?: any, so_far?: any}} said
 * @param {{trouble?: string | null, moved?: Object<string, any>, doubts?: object[]}} more `trouble`: why the
 *   companion does not answer; `doubts`: what is asked, each with the `points` that hang on it.
 * @returns {Outcome}
 */
export function outcomeOf(
  { state, answer = null, rows = [], hands = [], mark = null, problem = null, so_far: soFar = null },
  { trouble = null, moved = {}, doubts = [] } = {},
) {
  const unscored = Boolean(problem || trouble);
  const scores = state.players.map(({ name }, i) => {
    const part = problem && soFar?.players[i]?.name === name && soFar.players[i];
    if (part) return { ...part, how: "so-far" };
    const player = named(answer?.players ?? [], name, i);
    return player ? { ...player, how: unscored ? "stale" : "current" } : null;
  });
  const open = (score) => score && score.total === null && spanOfNotes(score.name, answer?.note_details ?? []);
  const spans = scores.map((score, i) => open(score) || (score && span(score.total, i, doubts)));
  const waiting = problem ? (soFar?.waiting ?? []) : [];
  return {
    ...{ state, answer, rows, hands, mark, problem, scores, spans, waiting, moved },
    ...{ open: unscored, current: answer !== null && !unscored, notes: notesOf(answer) },
    get colors() {
      return colorsOf(state.players.map(({ name }) => name));
    },
  };
}

function notesOf(answer) {
  const notes = new Map();
  for (const [i, { key, values, because, source }] of (answer?.note_details ?? []).entries()) {
    const text = answer.notes[i];
    const rest =
      /^[:：]/.test(text.slice(values.name?.length)) && text.startsWith(values.name) && text.slice(values.name.length);
    const same = rest ? `${key} ${rest}` : `${i}`;
    const { names, because: places } = notes.get(same) ?? { names: [], because: [] };
    const all = [...names, values.name];
    notes.set(same, {
      names: all,
      text: rest ? `${all.join(say("list.comma"))}${rest}` : text,
      because: [...places, ...because],
      source,
    });
  }
  return [...notes.values()];
}

/** How the totals of one outcome differ from those before it, by name. */
export function movedBetween(before, after) {
  const totals = Object.fromEntries((before?.scores ?? []).filter(Boolean).map(({ name, total }) => [name, total]));
  const by = (name, total) => (total === null || totals[name] === null ? 0 : total - (totals[name] ?? total));
  return Object.fromEntries(after.scores.filter(Boolean).map(({ name, total }) => [name, by(name, total)]));
}

/** Whether a player has won, and no doubt can change that. */
export function isWinner(outcome, i) {
  const { answer, current, scores, spans, mark } = outcome;
  if (!current || !answer.winners.includes(scores[i]?.name) || spans[i]) return false;
  if (mark && scores[i].total < mark) return false;
  return spans.every((other) => !other || other[1] < scores[i].total);
}

function named(players, name, i) {
  const same = players.filter((player) => player.name === name);
  return players[i]?.name === name ? players[i] : same.length === 1 ? same[0] : null;
}

/** Between what a total lies that is not known yet, as a note on the player says it. */
function spanOfNotes(player, notes) {
  const { least, most } =
    notes.find(({ values }) => values.name === player && "least" in values && "most" in values)?.values ?? {};
  return most === undefined || least === most ? null : [least, most]; // one number is said in the note
}

function span(total, i, doubts) {
  const own = doubts.filter(({ place, points }) => points && `${place}/`.startsWith(`/players/${i}/`));
  const low = Math.min(0, ...own.map(({ points }) => points[0]));
  const high = Math.max(0, ...own.map(({ points }) => points[1]));
  return total === null || low === high ? null : [total + low, total + high];
}
