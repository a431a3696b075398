// Exchanges the code in the address's fragment for the cookie, and takes the code out of the history.
const wait = document.getElementById("wait");
const help = document.getElementById("help");
const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

function refuse(message) {
  wait.hidden = !message;
  wait.textContent = message ?? "";
  help.hidden = false;
}

if (code) {
  try {
    const answer = await fetch("/api/pair", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Companion": "1" },
      body: JSON.stringify({ code }),
    });
    const body = await answer.json();
    if (answer.ok) location.replace(body.to);
    else refuse(body.error.message);
  } catch (error) {
    refuse(String(error.message));
  }
} else {
  refuse(null);
}
