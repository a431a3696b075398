// Files dropped anywhere on the page.

/** `take(files)` hears of them. */
export function takeDrops(take) {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => !event.relatedTarget && document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}
