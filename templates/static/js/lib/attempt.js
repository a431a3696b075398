// What a page tries for a person: what went wrong stands in its `#problem`.
import { post } from "./api.js";

/** Do it; an error's sentence is shown. The `button` that asked for it cannot be pressed again meanwhile. */
export async function attempt(what, button = null) {
  const problem = document.getElementById("problem");
  problem.hidden = true;
  if (button) button.disabled = true;
  try {
    await what();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }
  if (button) button.disabled = false;
}

/**
 * The page's buttons that delete something: each asks first.
 * @param {string} kind what their data attribute is called (`forget`); its value goes behind `address`.
 * @param {function(HTMLButtonElement): string} question @param {function(HTMLButtonElement)} done
 */
export function forgetOnClick(kind, address, question, done = (button) => button.closest("li").remove()) {
  for (const button of document.querySelectorAll(`[data-${kind}]`))
    button.addEventListener("click", () =>
      attempt(async () => {
        if (!confirm(question(button))) return;
        await post(`${address}${button.getAttribute(`data-${kind}`)}`, {}, "DELETE");
        done(button);
      }, button),
    );
}
