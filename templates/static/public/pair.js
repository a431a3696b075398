// Exchanges the code in the address's fragment for the cookie, and takes the code out of the history. What follows a
// comma says where to go then.
const wait = document.getElementById("wait");
const help = document.getElementById("help");
const typed = document.getElementById("typed");
const [code, to] = location.hash.slice(1).split(",");
history.replaceState(null, "", location.pathname);

function refuse(message) {
  wait.hidden = !message;
  wait.textContent = message ?? "";
  help.hidden = typed.hidden = false;
  typed.elements.code.select();
}

async function join(code) {
  try {
    const answer = await fetch("/api/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify({ code, to }),
    });
    const body = await answer.json();
    if (answer.ok) location.replace(body.to);
    else refuse(body.error.message);
  } catch {
    refuse(wait.dataset.offline);
  }
}

typed.addEventListener("submit", (event) => {
  event.preventDefault();
  join(typed.elements.code.value);
});
if (code) join(code);
else refuse(null);
