// What a person looks at on the page of a play: player and stage, what stands lit, and what scoring says of it all.
import { litPlaces, missingPlaces } from "../../breakdown/highlight.js";
import { outcomeOf } from "../../breakdown/outcome.js";
import { piecesAt, placesOf } from "../../evidence/places.js";
import { colorsOf } from "../../lib/players.js";

/** Nothing stands lit or is chosen. */
export const UNLIT = {
  line: null,
  note: null,
  move: null,
  cell: null,
  corners: null,
  cornersProblem: null,
  tools: false,
};

export class PlayView {
  /** What stands lit, or is chosen. */
  line = UNLIT.line;
  note = UNLIT.note;
  move = UNLIT.move;
  cell = UNLIT.cell;
  corners = UNLIT.corners;
  cornersProblem = UNLIT.cornersProblem;
  tools = UNLIT.tools;
  pane = "flat";
  draws = false;
  marks = true;
  focus = [0, 0];
  unfolded = false;
  waved = new Set();
  round = null;
  goalStart = null;
  topic = null;
  working = false;
  link = null;
  message = null;

  /** @param {import("../../lib/edits.js").Edits} table @param {() => void} drawn draws the page anew. */
  constructor(table, drawn) {
    this.table = table;
    this.drawn = drawn;
    const kept = sessionStorage.getItem(`look ${table.view.id}`);
    const first = this.seated.length > 0 ? "points" : "photo";
    [this.player, this.stage, this.tab = first] = JSON.parse(kept) ?? [null, "end"];
  }

  show(change) {
    Object.assign(this, change);
    this.drawn();
  }

  complain({ message }) {
    this.show({ message });
  }

  /** Keep over a reload who is looked at; who has gone meanwhile is not. */
  keep() {
    if (this.current && !this.table.waiting.length) this.player = this.current.id;
    sessionStorage.setItem(`look ${this.table.view.id}`, JSON.stringify([this.player, this.stage, this.tab]));
  }

  get case() {
    return this.table.view.case;
  }

  get players() {
    return this.table.view.players;
  }

  get current() {
    return this.players.find(({ id }) => id === this.player) ?? this.players[0] ?? null;
  }

  /** The players who have a sheet, in the order of the state. */
  get seated() {
    return this.players.filter(({ sheets }) => sheets.end.known || sheets.first.known);
  }

  seatOf(player) {
    return this.seated.indexOf(player);
  }

  /** The outcome of those who have a sheet, in the colors that they have among all. */
  get scored() {
    const all = colorsOf(this.players.map(({ name }) => name));
    const colors = this.seated.map((player) => all[this.players.indexOf(player)]);
    return { ...outcomeOf(this.case, { doubts: this.case.doubts }), colors };
  }

  /** The outcome with everybody in it: who has no sheet yet has no points. */
  get outcome() {
    const { players } = this;
    const everybody = outcomeOf({ state: { players } });
    if (!this.case.state) return { ...everybody, current: false };
    const { scored } = this;
    const of = (list) => players.map((player) => list[this.seatOf(player)] ?? null);
    const behind = this.table.waiting.length > 0 && this.table.problem !== null;
    return { ...scored, behind, colors: everybody.colors, scores: of(scored.scores), spans: of(scored.spans) };
  }

  /** Whether everything is there that the game asks of each player, and no open question can move a point. */
  get isOver() {
    return this.case.answer?.winners.length > 0 && !this.case.doubts.some(matters);
  }

  /** Whether the map makes room for the points, where there is no room for both: until something of it stands lit. */
  get isFolded() {
    const { tab, unfolded, line, note, move, cell } = this;
    return tab === "points" && !unfolded && [line, note, move, cell].every((one) => one === null);
  }

  /** The places that stand lit: of a line or note, or of a move. */
  get lit() {
    if (this.move === null) return litPlaces(this.scored, this.line, this.note);
    return this.table.view.game?.moves.find(({ n }) => n === this.move)?.now ?? [];
  }

  /** What the lit line would need. */
  get missing() {
    return missingPlaces(this.scored, this.line);
  }

  /** The places of the state that a cell of the shown sheet stands for. */
  cellPlaces([row, col]) {
    return placesOf(this.case, `${this.seatOf(this.current)}.${this.stage}.${row}.${col}`);
  }

  /** Light a line, note or move, or let it go; the sheet that has its pieces is shown. */
  light(what, value) {
    const off = `${this[what]}` === `${value}`;
    Object.assign(this, UNLIT, { [what]: off ? null : value });
    if (what === "move") {
      this.round = null;
      const seat = /^\/players\/(\d+)\//.exec(this.lit[0])?.[1];
      this.player = this.seated[seat]?.id ?? this.player;
    }
    const pieces = [...piecesAt(this.case, [...this.lit, ...this.missing])].map((piece) => piece.split("."));
    const own = pieces.filter(([seat]) => Number(seat) === this.seatOf(this.current));
    if (own.length && !own.some(([, stage]) => stage === this.stage)) this.stage = own[0][1];
    this.drawn();
    document.querySelector(".side .line.on")?.scrollIntoView({ block: "nearest" }); // the map of a phone lies over it
  }

  /** Whether a person has said of the shown stage's sheet that its many doubts have no common cause. */
  isWaved({ id }) {
    return this.waved.has(`${id} ${this.stage}`);
  }

  wave({ id }) {
    this.waved.add(`${id} ${this.stage}`);
    this.drawn();
  }

  /** Show the sheet of a stage; on a phone, on this of its screens. */
  chooseStage(stage, tab = this.tab) {
    this.show({ ...UNLIT, stage, tab, topic: null });
    document.querySelector(".segments")?.scrollIntoView({ block: "nearest" });
  }

  get undoes() {
    return this.table.steps.undo;
  }

  get redoes() {
    return this.table.steps.redo;
  }

  undo() {
    return this.table.say({ kind: "undo" });
  }

  redo() {
    return this.table.say({ kind: "redo" });
  }
}

/** Whether points hang on the answer to a doubt. */
export const matters = ({ points = null }) => points !== null && points[0] !== points[1];

/** Whether no answer to a question can change a point. */
export const isIdle = ({ points = null }) => points !== null && points[0] === points[1];
