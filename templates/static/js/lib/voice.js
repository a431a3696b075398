// The browser's own voice says the points: all of them when the table changed, only the difference after a correction;
// who leads, where that is another than was said before, and in the end who has won.
import { button, say } from "./dom.js";

const KEPT = "voice";

export class Voice {
  on = localStorage.getItem(KEPT) !== null && "speechSynthesis" in globalThis;
  #leader = null;

  /**
   * `scores` are the players' rows (name, total; null where one does not count yet), `moved` the differences by name;
   * `ended`: what is said of a game that has just ended.
   */
  tell(scores, moved, corrected, ended = null) {
    if (!this.on) return;
    const leader = leaderOf(scores);
    const leads = leader !== this.#leader && leader !== null && !ended && say("voice.leads", { name: leader });
    this.#leader = leader;
    const rows = scores.filter((row) => row && row.total !== null && (!corrected || moved[row.name]));
    const words = rows.map(({ name, total }) =>
      corrected ? say("voice.corrected", { name, by: moved[name], total }) : say("voice.score", { name, total }),
    );
    if (words.length || ended) this.#speak([...words, leads, ended].filter(Boolean).join(" "));
  }

  #speak(text) {
    speechSynthesis.cancel();
    const said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    speechSynthesis.speak(said);
  }

  /** The switch; browsers speak only after a tap on the page, and this is one. */
  button(again) {
    const flip = () => {
      this.on = !this.on;
      if (this.on) localStorage.setItem(KEPT, "on");
      else localStorage.removeItem(KEPT);
      if (this.on) this.#speak(say("voice.on"));
      else speechSynthesis.cancel();
      again();
    };
    return "speechSynthesis" in globalThis && button("voice", say("voice"), flip, { pressed: this.on });
  }
}

/** Who alone has the most points; null where several have, or not all are known. */
function leaderOf(scores) {
  if (scores.length < 2 || scores.some((row) => !row || row.total === null)) return null;
  const [first, second] = scores.toSorted((a, b) => b.total - a.total);
  return first.total > second.total ? first.name : null;
}
