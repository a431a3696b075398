// Where a picture comes from (`parts/source.html`): the chosen kind shows what it needs, a camera what it sees.

/** @param {HTMLElement} root holds the fields. @returns {() => string} the source as the companion takes it. */
export function pictureSource(root) {
  const field = (name) => root.querySelector(`[name="${name}"]`);
  const button = root.querySelector('[data-key="preview"]');
  const seen = root.querySelector("img.preview");
  const none = root.querySelector(".no-preview");
  const show = () => {
    const kind = field("kind").value;
    for (const part of root.querySelectorAll("[data-kind]")) part.hidden = part.dataset.kind !== kind;
    for (const one of root.querySelectorAll("input")) one.required = one.name === kind;
  };
  const preview = async () => {
    button.disabled = true;
    const sent = { method: "POST", headers: { "X-Companion": "1" } };
    const answer = await fetch(`/live/camera/${field("camera").value}.jpg`, sent).catch(() => null);
    button.disabled = false;
    seen.hidden = !answer?.ok;
    none.hidden = !seen.hidden;
    if (!answer?.ok) return;
    URL.revokeObjectURL(seen.src);
    seen.src = URL.createObjectURL(await answer.blob());
  };
  field("kind").addEventListener("change", show);
  button.addEventListener("click", preview);
  field("camera").addEventListener("change", () => seen.hidden || preview());
  show();
  return () => {
    const kind = field("kind").value;
    const given = (field(kind)?.value ?? kind).trim();
    return kind === "address" && !given.includes("://") ? `http://${given}` : given; // as on the camera's label
  };
}
