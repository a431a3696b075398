import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { happens, lines, opened, shown } from "./page.js";

const { News } = await import("../../templates/static/js/lib/news.js");
let heard, reached;
function listening(id = null) {
  heard = [];
  reached = [];
  return new News("/api/live/t", id, (event, told) => heard.push([event, told]), (open) => reached.push(open));
}
const seen = (hidden) => {
  shown.hidden = hidden;
  happens("visibilitychange");
};

beforeEach(() => opened());

test("what is told is heard, and after a while away from there on", () => {
  const news = listening("7");
  assert.equal(lines[0].address, "/api/live/t/events?after=7");
  lines[0].tell("row", { n: 1 }, "8");
  lines[0].tell("status", {});
  assert.deepEqual(heard, [["row", { n: 1 }], ["status", {}]]);
  seen(true);
  assert.equal(lines[0].readyState, EventSource.CLOSED);
  seen(false);
  assert.equal(lines.at(-1).address, "/api/live/t/events?after=8");
  news.end();
});

test("a page in the background opens no line", () => {
  shown.hidden = true;
  const news = listening();
  assert.deepEqual(lines, []);
  seen(false);
  assert.equal(lines.length, 1);
  news.end();
});

test("a line that comes and goes is said", () => {
  const news = listening();
  lines[0].dispatchEvent(new Event("open"));
  lines[0].readyState = EventSource.CONNECTING;
  lines[0].dispatchEvent(new Event("error"));
  assert.deepEqual(reached, [true, false]);
  news.end();
});

for (const wakes of ["visibilitychange", "pageshow"])
  test(`who has heard enough hears no more: ${wakes}`, () => {
    listening().end();
    happens(wakes);
    assert.equal(lines.length, 1);
    assert.equal(lines[0].readyState, EventSource.CLOSED);
  });
