import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { companion, lines, marks, opened, place, settled } from "./page.js";

const { Keeper } = await import("../../templates/static/js/case/keeper.js");
const ID = "0123456789abcdef";

/** A companion that keeps games as ours does: what goes on from another version than the newest is not taken. */
class Kept {
  version = 0;
  state = null;
  by = "";
  there = true;
  answers = (method, address, body) => {
    if (!this.there) return [404, { error: { key: "problem.no-play", message: "gone" } }];
    if (method === "GET") return [200, this.shown];
    if (this.state !== null && body.after !== `v${this.version}`) return [200, { ...this.shown, own: null }];
    this.takes(body.state, body.by);
    return [200, { version: `v${this.version}` }];
  };
  takes(state, by) {
    this.version += 1;
    this.state = state;
    this.by = by;
  }
  get shown() {
    return { state: this.state, version: `v${this.version}`, by: this.by, next: null };
  }
}

let kept, said, went, made;
function keeper(how = {}, state = { n: 0 }) {
  opened(how);
  said = [];
  went = 0;
  made = [];
  const one = new Keeper({ failed: (message) => said.push(message) });
  const follows = (before, theirs) => {
    made.push([before, theirs]);
    return { ...theirs, mine: true };
  };
  one.follow(state, follows, () => {
    went += 1;
  });
  return one;
}
const bodies = () => companion.asked.filter(([what]) => what.startsWith("POST")).map(([, body]) => body);

beforeEach(() => {
  kept = new Kept();
  companion.answers = kept.answers;
});

test("what is entered is kept under an id of its own, each time from the version before", async () => {
  const page = keeper();
  assert.equal(page.query, "");
  page.keep({ n: 1 });
  await settled();
  page.keep({ n: 2 });
  await settled();
  assert.deepEqual(bodies().map(({ state, after }) => [state.n, after]), [[1, null], [2, "v1"]]);
  assert.match(page.query, /^&kept=[0-9a-f]{16}$/);
  assert.deepEqual(marks(), [], "nothing is left to be sent");
});

test("what is entered while something is sent is sent after it, the newest alone", async () => {
  const page = keeper();
  for (const n of [1, 2, 3]) page.keep({ n });
  await settled();
  assert.deepEqual(bodies().map(({ state }) => state.n), [1, 3]);
});

test("what a guest tries out is kept nowhere", async () => {
  const page = keeper({ role: "guest" });
  page.keep({ n: 1 });
  await settled();
  assert.deepEqual(companion.asked, []);
  assert.equal(page.query, "");
});

test("without a line it waits, says nothing, and goes with the next change", async () => {
  const page = keeper();
  companion.answers = () => null;
  page.keep({ n: 1 });
  await settled();
  assert.deepEqual([said, marks()], [[], ["first"]]);
  companion.answers = kept.answers;
  page.keep({ n: 2 });
  await settled();
  assert.deepEqual([kept.state, marks()], [{ n: 2 }, []]);
});

test("an answer that was lost: what the companion has kept all the same is not another device's", async () => {
  const page = keeper();
  companion.answers = (...asked) => {
    kept.answers(...asked);
    kept.by = ""; // it was started anew meanwhile
    return null;
  };
  page.keep({ n: 1 });
  await settled();
  companion.answers = kept.answers;
  page.keep({ n: 2 });
  await settled();
  assert.deepEqual(made.map(([before]) => before), [{ n: 1 }]);
});

test("a refusal is said once, and that it is over", async () => {
  const page = keeper();
  companion.answers = () => [422, { error: { key: "x", message: "no such state" } }];
  page.keep({ n: 1 });
  await settled();
  companion.answers = kept.answers;
  page.keep({ n: 2 });
  await settled();
  assert.deepEqual(said, ["no such state", null]);
});

test("what another device made of it is put together with what was entered here, and kept", async () => {
  const page = keeper();
  page.keep({ n: 1 });
  await settled();
  kept.takes({ n: 1, theirs: true }, "another");
  page.keep({ n: 2 });
  await settled();
  assert.deepEqual(made, [[{ n: 1 }, { n: 1, theirs: true }]]);
  assert.deepEqual(kept.state, { n: 1, theirs: true, mine: true });
});

test("news of another device are followed; its own, and those that are over, are not", async () => {
  const page = keeper({ search: `?kept=${ID}` });
  await settled();
  assert.equal(lines[0].address.split("?")[0], `/api/evenings/games/${ID}/events`);
  kept.takes({ n: 5 }, "another");
  lines[0].tell("all", kept.shown);
  await settled();
  assert.deepEqual(made, [[{ n: 0 }, { n: 5 }]]);
  const old = kept.shown;
  page.keep({ n: 6 });
  await settled();
  lines[0].tell("all", old);
  lines[0].tell("all", kept.shown);
  await settled();
  assert.equal(made.length, 1);
});

test("one that was deleted stands here alone, until it is wanted again", async () => {
  const page = keeper();
  page.keep({ n: 1 });
  await settled();
  kept.there = false;
  page.keep({ n: 2 });
  await settled();
  assert.deepEqual([page.gone, went], [true, 1]);
  page.keep({ n: 3 });
  await settled();
  assert.equal(bodies().length, 2, "nothing more is sent");
  Object.assign(kept, { there: true, state: null });
  companion.answers = (method, ...rest) => (method === "GET" ? [404, {}] : kept.answers(method, ...rest));
  await page.again();
  await settled();
  assert.deepEqual([page.gone, kept.state, bodies().at(-1).after], [false, { n: 3 }, null]);
});

test("the next game has an id of its own and says after which one it comes", async () => {
  const page = keeper();
  page.keep({ n: 1 });
  await settled();
  const first = page.id;
  page.begin("match");
  page.keep({ n: 0 });
  await settled();
  assert.notEqual(page.id, first);
  assert.deepEqual([bodies().at(-1).last, bodies().at(-1).match], [first, "match"]);
});

for (const { name, entered, where, state } of [
  { name: "is gone to", entered: [0], where: ["/there"], state: { n: 0 } },
  { name: "is another one where something was entered here already", entered: [0, 1], where: [], state: { n: 1 } },
])
  test(`a next game that another device has begun ${name}`, async () => {
    const page = keeper();
    page.keep({ n: 1 });
    await settled();
    companion.answers = (method, address, body) => (body.last ? [200, { next: "/there" }] : [200, { version: "v9" }]);
    page.begin();
    for (const n of entered) page.keep({ n });
    await settled();
    assert.deepEqual([place.replaced, bodies().at(-1).state], [where, state]);
    assert.equal(bodies().at(-1).last === null, where.length === 0);
  });
