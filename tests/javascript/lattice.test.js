import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, rim } from "../../templates/static/js/evidence/lattice.js";

const FOLDED = [
  [[0, 0], [50, 10], [100, 0]],
  [[0, 50], [50, 60], [100, 50]],
  [[0, 100], [50, 110], [100, 100]],
];
const CORNERS = [[0, 0], [100, 0], [100, 100], [0, 100]];

test("a folded sheet's rim goes along its fold", () => {
  const around = [[0, 0], [50, 10], [100, 0], [100, 50], [100, 100], [50, 110], [0, 100], [0, 50]];
  assert.deepEqual(rim(FOLDED), around);
});

for (const [name, now, wanted] of [
  ["no corner", CORNERS, FOLDED],
  [
    "all of them",
    CORNERS.map(([x, y]) => [x + 7, y - 3]),
    FOLDED.map((row) => row.map(([x, y]) => [x + 7, y - 3])),
  ],
  [
    "one",
    [[-8, 4], ...CORNERS.slice(1)],
    [
      [[-8, 4], [46, 12], [100, 0]],
      [[-4, 52], [48, 61], [100, 50]],
      [[0, 100], [50, 110], [100, 100]],
    ],
  ],
]) {
  test(`crossings go with the corners near them: ${name} was dragged`, () => {
    assert.deepEqual(follow(FOLDED, CORNERS, now), wanted);
  });
}
