// Big letters on the whole screen, to be read from a chair.
const big = document.getElementById("big");

/** Make the letters big, or as they were. */
export function setBig(on) {
  document.documentElement.classList.toggle("from-a-chair", on);
  big.setAttribute("aria-pressed", on);
}
big.addEventListener("click", async () => {
  const on = !document.documentElement.classList.contains("from-a-chair");
  setBig(on);
  try {
    if (on) await document.documentElement.requestFullscreen?.();
    else if (document.fullscreenElement) await document.exitFullscreen();
  } catch {
    // a browser without full screen still shows big letters
  }
});
document.addEventListener("fullscreenchange", () => !document.fullscreenElement && setBig(false));
