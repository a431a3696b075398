// A short sound when a game is over, on the devices where somebody wants it.
import { button, say } from "./dom.js";

const KEPT = "fanfare";
/** Hertz of the notes, one after the other, and seconds from one to the next. */
const NOTES = [523.25, 659.25, 783.99, 1046.5];
const STEP = 0.13;
const LONG = 0.6;
const LOUD = 0.15;

const isOn = () => localStorage.getItem(KEPT) !== null;

/** Play it, where it is wanted. */
export function cheer() {
  if (!isOn() || !("AudioContext" in globalThis)) return;
  const sound = new AudioContext();
  NOTES.forEach((hertz, i) => {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    const from = sound.currentTime + i * STEP;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUD, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + LONG);
    tone.connect(volume).connect(sound.destination);
    tone.start(from);
    tone.stop(from + LONG);
    if (i === NOTES.length - 1) tone.onended = () => sound.close();
  });
}

/** The switch; it plays what it switches on. */
export function cheerButton() {
  const flip = ({ currentTarget }) => {
    if (isOn()) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, "on");
    currentTarget.setAttribute("aria-pressed", `${isOn()}`);
    cheer();
  };
  return button("fanfare", say("finish.sound"), flip, { kind: "plain", pressed: isOn() });
}
