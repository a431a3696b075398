import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, same } from "../../templates/static/js/case/difference.js";

for (const [one, other, wanted] of [
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ["1", 1, false],
  [[{ a: [1] }], [{ a: [1] }], true],
]) {
  test(`same: ${JSON.stringify(one)} and ${JSON.stringify(other)}: ${wanted}`, () => {
    assert.equal(same(one, other), wanted);
    assert.equal(same(other, one), wanted);
  });
}

const rows = (...players) => ({ rule: 1, players });
for (const [what, one, other, wanted] of [
  ["nothing", rows({ n: 1 }), rows({ n: 1 }), null],
  ["a player's field", rows({ n: 1 }, { n: 1 }), rows({ n: 1 }, { n: 2 }), [1, "n"]],
  ["a field that only one has", rows({}), rows({ m: [] }), [0, "m"]],
  ["a player more", rows({}), rows({}, {}), [null, "players"]],
  ["a player before the table's own", rows({ n: 1 }), { ...rows({ n: 2 }), rule: 2 }, [0, "n"]],
  ["the table's own", rows({}), { ...rows({}), rule: 2 }, [null, "rule"]],
]) {
  test(`difference: ${what}`, () => assert.deepEqual(difference(one, other), wanted));
}
