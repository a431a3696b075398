import assert from "node:assert/strict";
import { test } from "node:test";
import { happens, settled } from "./page.js";

const { Unsent } = await import("../../templates/static/js/lib/unsent.js");
const { keptEntries } = await import("../../templates/static/js/lib/device_store.js");

/** A page that enters, at a companion that says to each change what `says` has for it; the changes that were taken. */
function page(name, says = {}) {
  const taken = [];
  /** @type {any} */
  const one = new Unsent(
    name,
    async (change) => {
      if (says[change]) throw Object.assign(new Error(change), says[change]);
      taken.push(change);
      return `took ${change}`;
    },
    () => {
      one.tries = (one.tries ?? 0) + 1;
    },
  );
  return Object.assign(one, { taken });
}

test("what is entered is sent in its order, and the newest answer comes back", async () => {
  const one = page("order");
  assert.equal(await one.say("a"), "took a");
  const answers = await Promise.all(["b", "c", "d"].map((change) => one.say(change)));
  assert.deepEqual(one.taken, ["a", "b", "c", "d"]);
  assert.equal(answers[0], "took d");
  assert.deepEqual(one.waiting, []);
});

test("what is refused is told and not sent again; what came after it is sent", async () => {
  const one = page("refused", { b: { later: false } });
  await one.say("a");
  await assert.rejects(one.say("b"), /b/);
  await one.say("c");
  assert.deepEqual([one.taken, one.waiting], [["a", "c"], []]);
});

test("what has to wait waits with all that comes after it, and goes before it", async () => {
  const says = { a: { later: true } };
  const one = page("later", says);
  await assert.rejects(one.say("a"));
  await assert.rejects(one.say("b"));
  assert.deepEqual([one.taken, one.waiting.map(({ change }) => change)], [[], ["a", "b"]]);
  delete says.a;
  await one.flush();
  assert.deepEqual([one.taken, one.waiting], [["a", "b"], []]);
});

test("two pages of one table send what waits once", async () => {
  const says = { a: { later: true } };
  const [one, other] = [page("shared", says), page("shared")];
  await assert.rejects(one.say("a"));
  delete says.a;
  await Promise.all([one.flush(), other.flush()]);
  await one.flush();
  assert.deepEqual([...one.taken, ...other.taken].toSorted(), ["a"]);
  assert.deepEqual(one.waiting, []);
});

test("once there is a line again it is tried again, where something waits", async () => {
  const one = page("line", { a: { later: true } });
  happens("online");
  assert.equal(one.tries, undefined);
  await assert.rejects(one.say("a"));
  happens("online");
  assert.equal(one.tries, 1);
  await settled();
});

test("what is entered while the device is being read is not taken for what another tab has sent", async () => {
  const one = page("read");
  const { send } = one;
  const waited = [];
  one.send = (change) => {
    waited.push(one.waiting.map(({ change }) => change));
    return send(change);
  };
  let entered = null;
  const of = keptEntries.of.bind(keptEntries);
  keptEntries.of = async (name) => {
    const rows = await of(name);
    entered ??= one.say("b");
    await settled();
    return rows;
  };
  await one.say("a");
  await entered;
  keptEntries.of = of;
  assert.deepEqual([waited[0], one.taken, one.waiting], [["a", "b"], ["a", "b"], []]);
});

test("what the device had not taken down when the page was left is sent when it is back, once, after what it had", async () => {
  await keptEntries.add("left", { change: "a" });
  sessionStorage.setItem("unkept left", JSON.stringify(["a", "b"]));
  const one = page("left");
  await one.found;
  await one.say("c");
  assert.deepEqual([one.taken, one.waiting, sessionStorage.getItem("unkept left")], [["a", "b", "c"], [], null]);
});
