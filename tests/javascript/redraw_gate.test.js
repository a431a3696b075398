import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { happens, shown } from "./page.js";

const { whenFree, whenTold } = await import("../../templates/static/js/lib/redraw_gate.js");
let drawn;
const draw = () => drawn.push("drawn");
const other = () => drawn.push("other");
/** The click that ends a tap has been heard by everybody. */
const clicked = () => {
  happens("click");
  return new Promise((done) => setTimeout(done));
};

beforeEach(() => {
  drawn = [];
  shown.activeElement = null;
});

test("where no finger is down it is drawn at once", () => {
  whenFree(draw);
  assert.deepEqual(drawn, ["drawn"]);
});

test("under a finger nothing is drawn until its click was heard, and then each once", async () => {
  happens("pointerdown");
  for (const one of [draw, draw, other]) whenFree(one);
  happens("pointerup");
  assert.deepEqual(drawn, []);
  await clicked();
  assert.deepEqual(drawn, ["drawn", "other"]);
});

test("a window that is left lets go", () => {
  happens("pointerdown");
  whenFree(draw);
  happens("blur");
  assert.deepEqual(drawn, ["drawn"]);
});

test("a second tap holds on what the first one held", async () => {
  happens("pointerdown");
  whenFree(draw);
  happens("click");
  happens("pointerdown");
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(drawn, []);
  await clicked();
  assert.deepEqual(drawn, ["drawn"]);
});

for (const [name, told, value, wanted] of [
  ["a field that is told when it is left, and was changed", "left", "2", []],
  ["one that was not changed", "left", "1", ["drawn"]],
  ["one that is told with each key", undefined, "2", ["drawn"]],
])
  test(`somebody is in ${name}`, () => {
    shown.activeElement = { dataset: { told }, value, defaultValue: "1" };
    whenTold(draw);
    assert.deepEqual(drawn, wanted);
    shown.activeElement = null;
    happens("focusout");
    assert.deepEqual(drawn, ["drawn"]);
  });
