// The browser's own voice says the points: all of them when the table changed, only the difference after a correction.
import { button, say } from "./dom.js";

const KEPT = "voice";

export class Voice {
  on = localStorage.getItem(KEPT) !== null && "speechSynthesis" in globalThis;

  /** `scores` are the players' rows (name, total; null where one does not count yet), `moved` the differences by name. */
  tell(scores, moved, corrected) {
    if (!this.on) return;
    const rows = scores.filter((row) => row && row.total !== null && (!corrected || moved[row.name]));
    const words = rows.map(({ name, total }) =>
      corrected ? say("voice.corrected", { name, by: moved[name], total }) : say("voice.score", { name, total }),
    );
    if (words.length) this.#speak(words.join(" "));
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
