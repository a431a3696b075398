import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./page.js";

const { Edits } = await import("../../templates/static/js/lib/edits.js");

test("what others send is drawn as it comes, but not while an edit waits: its answer shows the newest of all", async () => {
  const drawn = [];
  let answered = (_view) => {};
  const send = () => new Promise((done) => (answered = done));
  const edits = new Edits({ number: 0 }, () => drawn.push(edits.view.number), { address: "/api/plays/1", send });
  await settled();
  edits.take({ number: 1 });
  edits.take({ number: 0 });
  assert.deepEqual(drawn, [1, 1]);
  const heard = edits.say({ kind: "rename" });
  for (const number of [3, 4]) edits.take({ number });
  assert.deepEqual([drawn, edits.waiting.length], [[1, 1, 1], 1]);
  await settled();
  answered({ number: 2 });
  assert.equal(await heard, true);
  assert.deepEqual([drawn, edits.waiting], [[1, 1, 1, 4], []]);
});

test("news that came while another tab sent what waited stands, though this page's own asking was answered nothing", async () => {
  let answered = (_view) => {};
  const send = () => new Promise((done) => (answered = done));
  const edits = new Edits({ number: 1, next: null }, () => {}, { address: "/api/evenings/games/2", send });
  await settled();
  const heard = edits.say({ kind: "rename" });
  await settled();
  edits.take({ number: 1, next: "/evenings/games/3" });
  answered(null);
  await heard;
  assert.equal(edits.view.next, "/evenings/games/3");
});
