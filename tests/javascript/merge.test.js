import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, same } from "../../templates/static/js/case/merge.js";

// before, mine, theirs, and what comes of it
const ROWS = [
  ["nothing changed", { a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }],
  ["they alone", { a: 1 }, { a: 1 }, { a: 2 }, { a: 2 }],
  ["I alone", { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }],
  ["two fields", { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 2 }],
  ["the same field: who merges", { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }],
  ["deep", { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, { a: { b: 1, c: 2 } }, { a: { b: 2, c: 2 } }],
  ["a row of one length, place by place", [1, 2, 3], [9, 2, 3], [1, 2, 8], [9, 2, 8]],
  ["both laid a card", ["x"], ["x", "a"], ["x", "b"], ["x", "a", "b"]],
  ["I took one, they laid one", ["x", "y"], ["y"], ["x", "y", "z"], ["y", "z"]],
  ["they took what I took", ["x", "y"], ["y"], ["y"], ["y"]],
  ["a field that came here", {}, { a: ["x"] }, {}, { a: ["x"] }],
  ["a field that went here", { a: ["x"] }, {}, { a: ["x"] }, {}],
  ["a field that went here and grew there", { a: ["x"] }, {}, { a: ["x", "y"] }, { a: ["y"] }],
  ["another kind of value", { a: 1 }, { a: [1] }, { a: 2 }, { a: [1] }],
];

for (const [name, before, mine, theirs, wanted] of ROWS) {
  test(`merged: ${name}`, () => {
    const kept = JSON.stringify([before, mine, theirs]);
    assert.deepEqual(merged(before, mine, theirs), wanted);
    assert.equal(JSON.stringify([before, mine, theirs]), kept, "what came in stays as it was");
  });
}

test("a name that objects have by themselves is a name like others", () => {
  const mine = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
  merged({}, mine, {});
  assert.equal({}.polluted, undefined);
});

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
