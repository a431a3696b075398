import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { companion, lines, marks, opened, place, settled } from "./page.js";

const { Keeper } = await import("../../templates/static/js/case/keeper.js");
const ID = "0123456789abcdef";

/** A companion that keeps games as ours does: what is said twice counts once, what others changed stays. */
class Kept {
  number = 0;
  state = null;
  there = true;
  steps = { undo: [0, "n"], redo: null };
  #heard = new Set();
  answers = (method, _, body) => {
    if (!this.there) return [404, { error: { key: "problem.no-play", message: "gone" } }];
    if (method === "POST" && !this.#heard.has(body.once)) {
      this.#heard.add(body.once);
      this.takes({ ...this.state, ...body.state });
    }
    return [200, this.shown];
  };
  takes(state) {
    this.number += 1;
    this.state = state;
  }
  get shown() {
    return { state: this.state, number: this.number, next: null, steps: this.steps };
  }
}

let kept, said, went, shown;
function keeper(how = {}, state = { n: 0 }) {
  opened(how);
  said = [];
  went = 0;
  shown = [];
  const one = new Keeper({ there: how.there, failed: (message) => said.push(message) });
  const gone = () => {
    went += 1;
  };
  one.follow(state, (theirs) => shown.push(theirs), gone);
  return one;
}
const bodies = () => companion.asked.filter(([what]) => what.startsWith("POST")).map(([, body]) => body);
const over = async () => {
  for (let i = 0; i < 10; i++) await settled();
};

beforeEach(() => {
  kept = new Kept();
  companion.answers = kept.answers;
});

test("what is entered is kept under an id of its own, each with the state that it was entered on", async () => {
  const page = keeper();
  assert.equal(page.query, "");
  for (const n of [1, 2, 3]) page.keep({ n: n - 1 }, { n }, `stroke ${n}`);
  await over();
  assert.deepEqual(bodies().map((said) => [said.state.n, said.was.n, said.new, said.stroke]), [
    [1, 0, true, "stroke 1"],
    [2, 1, false, "stroke 2"],
    [3, 2, false, "stroke 3"],
  ]);
  assert.match(page.query, /^&kept=[0-9a-f]{16}$/);
  assert.deepEqual(marks(), [], "nothing is left to be sent");
  assert.deepEqual([page.steps, shown.at(-1)], [kept.steps, { n: 3 }]);
});

test("what a guest tries out is kept nowhere", async () => {
  const page = keeper({ role: "guest" });
  page.keep({ n: 0 }, { n: 1 });
  await over();
  assert.deepEqual([companion.asked, page.query, page.keeps], [[], "", false]);
});

test("what came from a photo is kept nowhere: its game is", async () => {
  const page = keeper({ search: "?from=/in-the-ruin/plays/0123" });
  page.keep({ n: 0 }, { n: 1 });
  await over();
  assert.deepEqual([companion.asked, page.keeps], [[], false]);
});

test("without a line it waits, says nothing, and goes with the next change, in order", async () => {
  const page = keeper();
  companion.answers = () => null;
  page.keep({ n: 0 }, { n: 1 });
  await over();
  assert.deepEqual([said, JSON.parse(marks()[0]).map(({ state }) => state)], [[], [{ n: 1 }]]);
  companion.answers = kept.answers;
  page.keep({ n: 1 }, { n: 2 });
  await over();
  assert.deepEqual([kept.state, kept.number, marks()], [{ n: 2 }, 2, []]);
});

test("an answer that was lost: what the companion has kept all the same counts once", async () => {
  const page = keeper();
  companion.answers = (...asked) => {
    kept.answers(...asked);
    return null;
  };
  page.keep({ n: 0 }, { n: 1 });
  await over();
  companion.answers = kept.answers;
  page.keep({ n: 1 }, { n: 2 });
  await over();
  assert.deepEqual([kept.number, kept.state], [2, { n: 2 }]);
});

test("a refusal is said once, and that it is over", async () => {
  const page = keeper();
  companion.answers = (method) => (method === "GET" ? [200, kept.shown] : [422, { error: { key: "x", message: "no" } }]);
  page.keep({ n: 0 }, { n: 1 });
  await over();
  companion.answers = kept.answers;
  page.keep({ n: 0 }, { n: 2 });
  await over();
  assert.deepEqual(said, ["no", null]);
});

test("what another device made of it is shown, once what was entered here is kept", async () => {
  const page = keeper();
  page.keep({ n: 0 }, { n: 1 });
  await over();
  kept.takes({ n: 1, theirs: true });
  page.keep({ n: 1 }, { n: 2 });
  await over();
  assert.deepEqual([kept.state, shown.at(-1)], [{ n: 2, theirs: true }, { n: 2, theirs: true }]);
});

test("news of other devices are shown, and what this one can take back; old news are not", async () => {
  kept.takes({ n: 4 });
  keeper({ search: `?kept=${ID}`, there: kept.shown });
  await over();
  assert.equal(lines[0].address.split("?")[0], `/api/evenings/games/${ID}/events`);
  assert.deepEqual(shown, [{ n: 4 }]);
  const old = kept.shown;
  kept.takes({ n: 5 });
  lines[0].tell("steps", { undo: null, redo: null });
  lines[0].tell("all", { ...kept.shown, steps: undefined });
  lines[0].tell("all", old);
  await over();
  assert.deepEqual(shown.at(-1), { n: 5 });
});

test("news of a game that was deleted and is kept again are newer, though its numbers begin anew", async () => {
  for (const n of [1, 2, 3]) kept.takes({ n });
  keeper({ search: `?kept=${ID}`, there: { ...kept.shown, begun: 1 } });
  await over();
  kept.number = 0;
  kept.takes({ n: 9 });
  lines[0].tell("all", { ...kept.shown, begun: 2 });
  await over();
  assert.deepEqual(shown.at(-1), { n: 9 });
  lines[0].tell("all", { state: { n: 4 }, number: 4, begun: 1, next: null });
  await over();
  assert.deepEqual(shown.at(-1), { n: 9 }, "and what came late of the deleted one is not");
});

test("while a step back waits for a line no other one is offered", async () => {
  kept.takes({ n: 0 });
  const page = keeper({ search: `?kept=${ID}`, there: kept.shown });
  await over();
  assert.deepEqual(page.steps, kept.steps);
  companion.answers = () => null;
  page.step("undo");
  await over();
  assert.deepEqual(page.steps, {});
  companion.answers = kept.answers;
  page.keep({ n: 0 }, { n: 1 });
  await over();
  assert.deepEqual(page.steps, kept.steps);
});

test("undoing is said in order with what is entered, and shows what came of it", async () => {
  const page = keeper();
  page.keep({ n: 0 }, { n: 1 });
  assert.equal(await page.step("undo"), true);
  await over();
  assert.deepEqual(bodies().map(({ kind, state }) => kind ?? state.n), [1, "undo"]);
});

test("without a line what was said stays with the page, undoing too", async () => {
  kept.takes({ n: 0 });
  const page = keeper({ search: "?kept=fedcba9876543210", there: kept.shown });
  companion.answers = () => null;
  page.keep({ n: 0 }, { n: 1 });
  page.step("undo");
  await over();
  assert.deepEqual(JSON.parse(marks()[0]).map(({ kind, state }) => kind ?? state.n), [1, "undo"]);
});

test("what was said before the page was left is sent when it is back, and nothing that was not said", async () => {
  kept.takes({ n: 0 });
  opened({ search: `?kept=${ID}` });
  const left = [{ state: { n: 1 }, was: { n: 0 }, once: "a" }, { kind: "undo", once: "b" }];
  sessionStorage.setItem(`unkept edits ${ID}`, JSON.stringify(left));
  const back = new Keeper({ there: kept.shown, failed: () => {} });
  back.follow({ n: 9 }, () => {}, () => {}); // as the page's address has it
  await over();
  await new Promise((done) => setTimeout(done));
  await over();
  assert.deepEqual(bodies().map(({ kind, state, once }) => [kind ?? state.n, once]), [[1, "a"], ["undo", "b"]]);
  assert.deepEqual(marks(), []);
});

test("one that was deleted stands here alone, until it is wanted again", async () => {
  const page = keeper();
  page.keep({ n: 0 }, { n: 1 });
  await over();
  kept.there = false;
  page.keep({ n: 1 }, { n: 2 });
  await over();
  assert.deepEqual([page.gone, went, page.steps, marks()], [true, 1, {}, []], "nor does it come back with the page");
  page.keep({ n: 2 }, { n: 3 });
  await over();
  assert.equal(bodies().length, 2, "nothing more is sent");
  Object.assign(kept, { there: true, state: null, number: 0 });
  page.again();
  await over();
  const { state, was, again } = bodies().at(-1);
  assert.deepEqual([page.gone, kept.state, state, was, again], [false, { n: 3 }, { n: 3 }, { n: 1 }, true]);
});

test("the next game has an id of its own and says after which one it comes", async () => {
  const page = keeper();
  page.keep({ n: 0 }, { n: 1 });
  await over();
  const first = page.id;
  page.begin("match");
  page.keep(null, { n: 0 });
  await over();
  assert.notEqual(page.id, first);
  assert.deepEqual(bodies().slice(1).map(({ state, match, last }) => [state.n, match, last]), [
    [1, "match", null],
    [0, "match", first],
  ]);
});

for (const { name, entered, where, state } of [
  { name: "is gone to", entered: [0], where: ["/there"], state: { n: 0 } },
  { name: "is another one where something was entered here already", entered: [0, 1], where: [], state: { n: 1 } },
])
  test(`a next game that another device has begun ${name}`, async () => {
    const page = keeper();
    page.keep(null, { n: 1 });
    await over();
    companion.answers = (...asked) => (asked[2].last ? [200, { next: "/there" }] : kept.answers(...asked));
    page.begin();
    for (const n of entered) page.keep(null, { n });
    await over();
    assert.deepEqual([place.replaced, bodies().at(-1).state], [where, state]);
    assert.equal(bodies().at(-1).last === null, where.length === 0);
  });
