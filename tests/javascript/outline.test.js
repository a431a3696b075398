import assert from "node:assert/strict";
import { test } from "node:test";
import { heldAt, isSound } from "../../templates/static/js/evidence/outline.js";

const SQUARE = [[10, 10], [90, 10], [90, 60], [10, 60]];
for (const [name, points, wanted] of [
  ["a square", SQUARE, true],
  ["turned round", SQUARE.toReversed(), true],
  ["aslant", [[10, 20], [80, 5], [95, 70], [0, 60]], true],
  ["crossed", [[10, 10], [90, 10], [10, 60], [90, 60]], false],
  ["bent inwards", [[10, 10], [90, 10], [20, 20], [10, 60]], false],
  ["a line", [[10, 10], [50, 10], [90, 10], [10, 60]], false],
  ["two corners in one place", [[10, 10], [11, 10], [90, 60], [10, 60]], false],
]) {
  test(`an outline: ${name}`, () => assert.equal(isSound(points, 5), wanted));
}

for (const [name, points] of [
  ["a wide area", SQUARE],
  ["a thin row at the picture's rim", [[0, 0], [300, 0], [300, 20], [0, 20]]],
  ["a small area", [[100, 100], [110, 100], [110, 112], [100, 112]]],
  ["in the picture's corner", [[380, 190], [400, 190], [400, 200], [380, 200]]],
]) {
  test(`no handle covers another: ${name}`, () => {
    const held = heldAt(points, 44, [400, 200]);
    for (const [i, one] of held.entries()) {
      assert.ok(one[0] >= 0 && one[0] <= 400 && one[1] >= 0 && one[1] <= 200);
      for (const other of held.slice(i + 1)) assert.ok(Math.hypot(one[0] - other[0], one[1] - other[1]) > 43.5);
    }
  });
}

test("where there is room handles lie at the corners", () => assert.deepEqual(heldAt(SQUARE, 44, [400, 200]), SQUARE));
