// The photos of a play: whose each is, how it moves to another place, how it goes.
import { say } from "../../lib/dom.js";
import { whenFree } from "../../lib/redraw_gate.js";
import { toast } from "../../lib/toast.js";
import { nextPlayer } from "./places.js";
import { UNLIT } from "./play_view.js";
import { someone } from "./player_card.js";
import { Uploads } from "./uploads.js";

export class Photos {
  /** How often a person has pressed or typed something: whoever goes on while a photo is on its way is not led to it. */
  #acts = 0;

  constructor(play) {
    const { table } = play;
    this.play = play;
    this.table = table;
    for (const act of ["click", "input"]) addEventListener(act, () => (this.#acts += 1), { capture: true });
    this.uploads = new Uploads({
      kept: table.address,
      address: (item) =>
        `${table.address}/photos?stage=${item.stage}&player=${this.#playerFor(item)}&once=${item.once}${item.onceMore ? "&once_more=1" : ""}`,
      done: (item, answer) => {
        const leads = (item.acts ?? 0) === this.#acts && !play.corners && !document.querySelector("dialog[open]");
        if (leads) Object.assign(play, UNLIT, { player: answer.player, stage: item.stage, tab: "photo" });
        table.take(answer.view);
        if (leads) document.querySelector(".failed, .doubt-bar")?.scrollIntoView({ block: "nearest" });
      },
      changed: () => whenFree(play.drawn),
    });
  }

  /** Who a photo belongs to: the player it was taken for, else the first who has none for this stage, else a new one. */
  #playerFor({ player, stage }) {
    if (player === "new" || this.play.players.some(({ id }) => id === player)) return player;
    return nextPlayer(this.play.players, stage)?.id ?? "new";
  }

  add(files, player = null, stage = this.play.stage) {
    this.#send(files, { stage, player });
  }

  /** A closer photo of the sheet as it lies there: both are held against each other. */
  addCloser(files, player) {
    this.#send(files, { stage: this.play.stage, player: player.id, onceMore: true });
  }

  #send(files, whose) {
    this.uploads.add(files, { ...whose, acts: this.#acts });
  }

  /** Give a photo to another place; what lies there changes places with it. */
  move(from, to) {
    const joins = to.player === "new" ? someone(this.play) : null;
    const player = joins?.player ?? to.player;
    const named = (id) => this.play.players.find((one) => one.id === id)?.name;
    const there = this.play.players.find(({ id }) => id === player)?.sheets[to.stage];
    const exchanged = Boolean(there?.known || there?.failed);
    Object.assign(this.play, UNLIT, { player, stage: to.stage });
    const kind = joins ? { kind: "photo-to-new-player", name: joins.name } : { kind: "move-photo" };
    this.table.say({ ...kind, ...from, to: player, to_stage: to.stage }).then(() => {
      const name = named(player);
      if (this.table.problem || !name) return;
      const values = { name, stage: say(`stage.${to.stage}`) };
      const other = { other: named(from.player), other_stage: say(`stage.${from.stage}`) };
      toast(exchanged ? say("photo.exchanged", { ...values, ...other }) : say("photo.moved", values));
    });
  }

  drop(from) {
    this.table.say({ kind: "drop-photo", ...from }).then(() => this.table.problem || toast(say("photo.gone")));
  }
}
