// What a page tries for a person: what went wrong stands in its `#problem`.

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
