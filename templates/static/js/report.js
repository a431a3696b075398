/** The report of many photos: one doubt after another, each put right by one key; the truth is saved as JSON. It runs
 * from a file by itself, without a server. */
const [said, ...data] = [...document.querySelectorAll('script[type="application/json"]')].map((one) =>
  JSON.parse(one.textContent),
);
const doubts = data.filter((one) => one.at);
const photos = data.filter((one) => !one.at);
const kept = `table-companion-report:${location.pathname}`;
const answers = JSON.parse(localStorage.getItem(kept) ?? "{}");
const key = (one) => JSON.stringify([one.photo, one.content, one.at]);
let now = doubts.findIndex((one) => !(key(one) in answers));

const word = (name, gaps = {}) =>
  (said[`js.report.${name}`] ?? name).replace(/\{(\w+)\}/g, (_, gap) => String(gaps[gap]));

function make(tag, attributes = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...inside);
  return made;
}

/** What people said, by photo, as `--truth` takes it. */
function truth() {
  const out = {};
  for (const one of doubts) {
    const answer = answers[key(one)];
    if (answer === undefined) continue;
    const photo = (out[one.photo] ??= said.kind === "sheet" ? { marks: {} } : { tiles: [] });
    if (!one.choices) (photo[one.at[0]] ??= {})[one.at[1]] = answer;
    else if (said.kind === "sheet") photo.marks[one.at.join(",")] = answer;
    else photo.tiles.push({ center: one.at, color: answer });
  }
  return out;
}

function save() {
  const url = URL.createObjectURL(new Blob([JSON.stringify(truth(), null, 1)], { type: "application/json" }));
  make("a", { href: url, download: "truth.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** Keep an answer and open the next doubt that has none. */
function answer(choice) {
  answers[key(doubts[now])] = choice;
  localStorage.setItem(kept, JSON.stringify(answers));
  const next = doubts.findIndex((one, i) => i > now && !(key(one) in answers));
  now = next >= 0 ? next : doubts.findIndex((one) => !(key(one) in answers));
  show();
}

function step(by) {
  now = now < 0 ? doubts.length - 1 : Math.min(doubts.length - 1, Math.max(0, now + by));
  show();
}

/** What may be said of a doubt: a button for each choice, or a field for a number. */
function ways(one) {
  if (!one.choices) {
    const value = String(answers[key(one)] ?? (key(one) in answers ? "" : (one.read ?? "")));
    const field = make("input", {
      inputMode: "numeric",
      pattern: "-?[0-9]{1,3}",
      size: 5,
      value,
      ariaLabel: one.place,
    });
    const typed = (event) => {
      event.preventDefault();
      answer(field.value === "" ? null : Number(field.value));
    };
    return [make("form", { onsubmit: typed }, field)];
  }
  const choices = one.choices.includes(one.read) ? one.choices : [one.read, ...one.choices];
  return choices.map((choice, i) =>
    make(
      "button",
      { type: "button", ariaPressed: String((answers[key(one)] ?? "") === choice), onclick: () => answer(choice) },
      make("kbd", {}, String(i + 1)),
      word(`choice.${choice}`),
    ),
  );
}

function card(one) {
  const read = one.choices ? word(`choice.${one.read}`) : (one.read ?? word("nothing"));
  const sure = Math.round(100 * one.confidence);
  return make(
    "div",
    { className: "card" },
    make(
      "div",
      { className: `crop ${one.choices ? said.kind : "counted"}` },
      make("img", { src: one.crop, alt: one.place }),
    ),
    make(
      "div",
      { className: "keys" },
      make("p", { className: "where" }, `${one.photo} · ${one.place}`),
      make("p", { className: "where" }, word("read-as", { what: read, sure })),
      ...ways(one),
    ),
    make(
      "div",
      { className: "after" },
      make("button", { type: "button", onclick: () => answer(one.read) }, make("kbd", {}, "↵"), word("right")),
      make("button", { type: "button", onclick: () => step(-1) }, make("kbd", {}, "←"), word("back")),
      make("button", { type: "button", onclick: () => step(1) }, make("kbd", {}, "→"), word("later")),
    ),
  );
}

function show() {
  const done = doubts.filter((one) => key(one) in answers).length;
  const ask = document.getElementById("ask");
  ask.replaceChildren(
    make("p", {}, doubts.length ? word("progress", { done, n: doubts.length }) : word("none")),
    ...(doubts.length ? [make("progress", { max: doubts.length, value: done })] : []),
    ...(now >= 0 ? [card(doubts[now])] : []),
    ...(done
      ? [make("p", {}, make("button", { type: "button", onclick: save }, make("kbd", {}, "S"), word("save")))]
      : []),
  );
  ask.querySelector("input")?.select();
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.tagName === "INPUT" && !["ArrowLeft", "ArrowRight"].includes(event.key);
  if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
  const one = doubts[now];
  const at = Number(event.key) - 1;
  const button = one && at >= 0 ? document.querySelectorAll(".keys button")[at] : undefined;
  const moves = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), s: save, S: save };
  if (button) button.click();
  else if (event.key === "Enter" && one && event.target.tagName !== "BUTTON") answer(one.read);
  else if (moves[event.key] && doubts.length) moves[event.key]();
  else return;
  event.preventDefault();
});

document
  .getElementById("photos")
  .append(
    make("h2", {}, word("photos", { n: photos.length })),
    make(
      "ul",
      {},
      ...photos.map((one) =>
        make(
          "li",
          { className: one.error ? "error" : "" },
          `${one.photo}: ${one.error ?? (one.doubts ? word("doubts", { n: one.doubts }) : word("sure"))}`,
        ),
      ),
    ),
  );
show();
