// A table as its page knows it: what was told of it, what a person looks at, and what follows from both.
import { litPlaces, missingPlaces } from "../../breakdown/highlight.js";
import { movedBetween, outcomeOf } from "../../breakdown/outcome.js";
import { piecesAt } from "../../evidence/places.js";
import { may, say } from "../../lib/dom.js";
import { know } from "../../lib/players.js";
import { movesAt, placesOn } from "./film.js";
import { asked, pieceOf } from "./piece_bar.js";

const NOTHING = { line: null, piece: null, restore: null, note: null, move: null };

/** What scoring says of a state of the table. */
export const outcomeIn = (state, moved = {}) => outcomeOf(state.case, { moved, doubts: state.case.doubts });

export class LiveTable {
  /** What is lit or chosen. */
  line = NOTHING.line;
  piece = NOTHING.piece;
  restore = NOTHING.restore;
  note = NOTHING.note;
  move = NOTHING.move;
  moved = {};
  trouble = null;
  offline = false;
  /** Whether the companion lacks something that was entered here. */
  behind = false;
  /** Names of areas that were just given; and what waits a moment: a message that goes, a word on a line that is down. */
  seats = {};
  fading = null;
  late = null;

  /** `given.view` has what is told of the table: `table`, `rows`, `status`. */
  constructor(given) {
    this.given = given;
    this.running = given.running;
    this.table = this.rows = this.status = null;
    Object.assign(this, given.view);
    // `at`: the row that is looked back at, `old` its state; null for the table as it is now.
    this.at = null;
    this.old = null;
    this.link = null;
    this.refused = null;
    // Areas whose doubtful tiles a person wants to be asked about one by one.
    this.apart = new Set();
    this.gone = false;
    this.drawing = false;
  }

  /** Take news in: `all`, of its `status`, of a `row` of its history, of its `end`. */
  hear(what, body) {
    if (what === "all") {
      Object.assign(this, body);
      know(this.table.people);
      if (body.status.phase === "stopped") this.running = false; // the companion was started anew
    } else if (what === "status") this.status = body;
    else if (what === "row") {
      const at = this.rows.findIndex(({ number }) => number === body.number);
      this.rows[at < 0 ? this.rows.length : at] = body;
    } else if (what === "end" && !this.given.photos) {
      this.running = false;
      this.status = { ...this.status, phase: "stopped", words: say("live.stopped"), why: "", new: false };
    }
  }

  /** Another table: its players' scores, and how their points moved. */
  take(table) {
    const was = this.table.settled;
    this.table = table;
    this.link = null;
    know(table.people);
    const now = table.settled;
    if (!now || !was || (now.first && !was.first)) return { moved: {}, scores: [] };
    const after = outcomeIn(now);
    return { moved: movedBetween(outcomeIn(was), after), scores: after.scores };
  }

  /** Light or choose this, and nothing else. */
  choose(change = {}) {
    Object.assign(this, NOTHING, change);
  }

  /** Choose it, or let it go where it was chosen. */
  toggle(what, value) {
    this.choose({ [what]: `${this[what]}` === `${value}` ? null : value });
  }

  /** Whether the table is followed, and shown as it is now. */
  get isNow() {
    return this.running && this.at === null;
  }

  /** The state that is shown. */
  get shown() {
    return this.at === null ? this.table.settled : this.old;
  }

  get outcome() {
    const outcome = outcomeIn(this.shown, this.at === null ? this.moved : {});
    return Object.assign(outcome, { behind: this.behind && this.at === null });
  }

  /** What is asked now, what matters most first; of tiles that are asked about together, the first alone. */
  get questions() {
    const table = this.at === null && !this.status.new ? this.table.settled : null;
    const open = (table?.case.doubts ?? []).filter(({ piece }) => asked(pieceOf(table, piece)));
    return open.filter((doubt) => {
      const together = this.#together(table, doubt);
      return !together || open.find(({ piece }) => together.includes(piece)) === doubt;
    });
  }

  /** The ids of the tiles that are asked about together with this one; null where it is asked about by itself. */
  togetherWith(id) {
    const doubt = this.at === null && this.shown?.case.doubts.find(({ piece }) => piece === id);
    return doubt ? this.#together(this.shown, doubt) : null;
  }

  #together(table, { piece, alike = null }) {
    return alike && !this.apart.has(pieceOf(table, piece).zone) ? alike : null;
  }

  /** The number of the row that is shown. */
  get number() {
    return this.at ?? this.rows.at(-1)?.number;
  }

  /** Its place among the rows: the last one's while the table is shown as it is now. */
  get index() {
    return this.at === null ? this.rows.length - 1 : this.rows.findIndex(({ number }) => number === this.at);
  }

  /** The number of the row at this place; null for the last one: the table as it is now. */
  numberAt(index) {
    return index >= this.rows.length - 1 ? null : this.rows[Math.max(0, index)].number;
  }

  /** The log that belongs to the state that is shown: that of an earlier game comes with it. */
  get game() {
    return this.old?.game ?? this.table.game;
  }

  /** The row that was the last one at a time, in seconds since 1970. */
  rowAt(time) {
    return this.rows.findLast(({ at }) => at <= time + 0.001);
  }

  /** The kept photo of a row. */
  photoOf(number) {
    return this.rows.find((row) => row.number === number)?.photo;
  }

  /** The pieces that stand lit: of a line or note, or those that moved. */
  get lit() {
    if (!this.shown) return new Set();
    const problem = this.note?.startsWith("problem-") && this.shown.case.problems[this.note.slice(8)];
    if (problem) return new Set(problem.pieces);
    const chosen = this.line || this.note;
    return piecesAt(this.shown.case, chosen ? litPlaces(this.outcome, this.line, this.note) : this.#movedPlaces);
  }

  /** The pieces that the lit line would need. */
  get missing() {
    return this.shown ? piecesAt(this.shown.case, missingPlaces(this.outcome, this.line)) : new Set();
  }

  /** The places of the pieces that moved: of the move that was chosen, else of those that a state of before shows first. */
  get #movedPlaces() {
    const { game, number, rows } = this;
    if (this.move === null) return this.at === null ? [] : movesAt(game, rows, number).flatMap(({ after }) => after);
    const move = game?.moves.find(({ n }) => n === this.move);
    return move ? placesOn(game, rows, number, move) : [];
  }

  /** A word of the game. */
  term(key) {
    return this.given.terms[key] ?? key.slice(key.indexOf(".") + 1);
  }

  /** An area's name: a player's own name, where people gave one. */
  nameOf(zone) {
    const [player, part] = zone.split(".");
    if (zone === "dungeon") return say("area.dungeon");
    const i = this.shown?.players.indexOf(player) ?? -1;
    const name = (i >= 0 && this.shown.case.state.players[i]?.name) || say(`area.${player}`).replace(/^area\./, "");
    return part ? say("area.part", { name, part: say(`part.${part}`).replace(/^part\./, "") }) : name;
  }

  /** Areas that are proposed from where cards lie, for the host to take, to change or to refuse. */
  get proposed() {
    const offered = this.isNow && !this.drawing && may("host") && this.table.proposed;
    return offered && Object.keys(offered).join() !== this.refused ? offered : {};
  }
}
