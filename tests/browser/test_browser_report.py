"""The report of many photos, as a person goes through it by keyboard, from a file and without a server."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.cli.batch import report
from companion.cli.batch.accuracy import accuracy, load_truth
from companion.cli.batch.job import Job, Task
from companion.cli.batch.results import Results

pytestmark = pytest.mark.browser
CROP = cv2.imencode(".jpg", np.full((30, 30, 3), 200, np.uint8))[1].tobytes()
LINES = [
    {
        "photo": "a.jpg",
        "map": ["o.", ".#"],
        "doubtful": [[0, 0], [1, 1]],
        "ticks": {"gems": 4},
        "tick_doubts": {"gems": 0.6},
        "written": [{"number": 5, "doubtful": False}, {"number": 70, "doubtful": True}],
    },
    {"photo": "b.jpg", "map": [".o", ".."], "doubtful": [[0, 1]]},
    {"photo": "c.jpg", "map": ["..", ".."], "doubtful": []},
    {"photo": "d.jpg", "error": "<dark>"},
]


class Here:
    """Runs each task at once."""

    ahead = 1

    def submit(self, run, job, task):
        future = Future()
        future.set_result(run(job, task))
        return future


def asked(job: Job, task: Task) -> list[dict]:
    return [
        {"at": at, "place": f"{at}", "read": task.line["map"][at[0]][at[1]], "choices": [".", "o", "#"],
         "confidence": 0.4 + 0.1 * at[0] - 0.2 * (task.photo == "b.jpg"), "crop": CROP}
        for at in task.line["doubtful"]
    ] + [
        {"at": at, "place": at[0], "read": read, "confidence": 0.1, "crop": CROP}
        for at, read in ((("ticks", "gems"), 4), (("written", 1), 70)) if at[0] in task.line
    ]  # fmt: skip


@pytest.mark.size("laptop")
def test_doubts_are_put_right_one_key_each_and_the_truth_is_saved(page: Page, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(report, "ask_about", asked)
    results = Results(tmp_path / "out.jsonl", "p")
    for line in LINES:
        results.add(line, f"{line['photo']}…")
    tasks = [Task(line["photo"], line["photo"]) for line in LINES]
    file = tmp_path / "report.html"
    report.write_report(file, Here(), Job("sheet", "", "en"), tasks, results, threading.Event())

    page.goto(file.as_uri())
    expect(page.locator(".where").first).to_have_text("b.jpg · [0, 1]")
    expect(page.get_by_text("d.jpg: <dark>")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".where").first).to_have_text("a.jpg · [0, 0]")
    page.keyboard.down("3")
    page.keyboard.down("3")  # held down, it answers once
    page.keyboard.up("3")
    expect(page.locator(".where").first).to_have_text("a.jpg · [1, 1]")
    page.keyboard.press("1")
    expect(page.locator(".where").first).to_have_text("a.jpg · ticks")  # numbers come last
    page.keyboard.type("3\n")
    expect(page.get_by_role("textbox")).to_have_value("70")
    page.keyboard.press("Enter")
    expect(page.get_by_text("5 of 5 looked at")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="2 circle").click()
    page.reload()
    expect(page.get_by_text("5 of 5 looked at")).to_be_visible()
    with page.expect_download() as saved:
        page.keyboard.press("s")
    truth = load_truth(saved.value.path())
    assert truth == {"b.jpg": {"marks": {"0,1": "o"}}, "a.jpg": {
        "marks": {"0,0": "#", "1,1": "o"}, "ticks": {"gems": 3}, "written": {"1": 70}}}  # fmt: skip
    said = {one.key: (one.values["k"], one.values["n"]) for one in accuracy("sheet", results.answers(), truth)}
    assert said == {
        "accuracy.cells": (1, 3), "accuracy.silent": (0, 3), "accuracy.ticks": (0, 1), "accuracy.written": (1, 1)
    }  # fmt: skip
