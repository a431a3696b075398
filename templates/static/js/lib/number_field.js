// A field for a whole number.
import { html, say } from "./dom.js";

let numbers = 0;
let typed = null;
let refused = null;

/**
 * A whole number that is typed. What stands in the field counts, or is marked and says what is expected; once the field
 * is left, it shows what counts, and what was not taken stands below until another is typed. `set` hears of each number,
 * and of undefined for an emptied field.
 * @param {{label: string, value?: number, set: (value: number | undefined) => void, most: number, key: string, kind?: string,
 *   place?: string, placeholder?: string}} field
 */
export function numberField({ label, value, set, most, key, kind, place, placeholder }) {
  let counted = value ?? undefined;
  const id = `number-${(numbers += 1)}`;
  const note = html`<p class="small field-note" id=${id} hidden role="status"></p>`;
  const input = html`
    <input class="field number" type="text" inputmode="numeric" autocomplete="off" maxlength="20"
        placeholder=${placeholder} value=${value ?? ""} data-key=${key} aria-describedby=${id}>`;
  const tell = (words) => {
    note.hidden = !words;
    note.textContent = words;
  };
  const mark = (wrong) => {
    input.setAttribute("aria-invalid", `${wrong}`);
    const expected = counted === undefined ? "dispute.number-expected" : "dispute.number-until-then";
    tell(wrong ? say(expected, { least: 0, most, n: counted }) : "");
  };
  const at = place ?? key;
  const left = () => refused?.at === at && tell(say("dispute.number-refused", { least: 0, most, got: refused.got }));
  const hear = () => {
    typed = { key, input };
    const text = input.value.normalize("NFKC").trim();
    const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    const wrong = text !== "" && !(number <= most);
    if (wrong || refused?.at === at) refused = wrong && text ? { at, got: input.value.trim() } : null;
    mark(wrong);
    if (wrong || number === counted) return;
    typed = null;
    counted = number;
    set(number);
  };
  input.addEventListener("input", (event) => event.isComposing || hear());
  input.addEventListener("compositionend", hear);
  input.addEventListener("change", hear);
  input.addEventListener("blur", () => {
    if (typed?.input === input) typed = null;
    input.value = counted ?? "";
    mark(false);
    left();
  });
  // Drawn anew in the midst of typing: what is typed stays, and stays marked.
  if (typed?.key === key && typed.input === document.activeElement) {
    input.value = typed.input.value;
    hear();
  } else left();
  return html`
    <div class="number-entry">
      <label class=${kind} data-place=${place}><span>${label}</span>${input}</label>
      ${note}
    </div>`;
}
