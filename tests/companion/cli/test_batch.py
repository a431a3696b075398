"""Many photos on the command line: folders, patterns, cores, clusters, interruptions, the report."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import cv2
import demo_sheets as demo
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.messages import InputError
from companion.cli.batch.accuracy import accuracy, wilson
from companion.cli.batch.job import Job
from companion.cli.batch.photos import photos_of
from companion.cli.batch.pools import Processes
from companion.cli.batch.report import open_questions, write_report
from companion.cli.batch.results import Results
from companion.cli.batch.sheet_photos import SheetPhotos
from companion.cli.main import main
from training.synth.arrangements import arranged

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def evening(tmp_path_factory) -> Path:
    """A folder of photos: two good ones, one that is none, one deeper down, and the profile with its blank sheet."""
    folder = tmp_path_factory.mktemp("evening")
    (folder / "late").mkdir()
    for name, player in (("a.jpg", 0), ("late/b.jpg", 1)):
        photo = demo.filled_photo(seed=3, player=player)[0]
        small = cv2.resize(photo, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        (folder / name).write_bytes(cv2.imencode(".jpg", small)[1].tobytes())
    (folder / "c.png").write_bytes(b"no photo")
    (folder / "notes.txt").write_text("not meant")
    blank = cv2.imencode(".png", demo.blank_photo())[1].tobytes()
    (folder / "blank.png").write_bytes(blank)
    (folder / "sheet.json").write_text(json.dumps({**demo.profile(), "blank": "blank.png"}), "utf-8")
    return folder


def run(capsys, folder: Path, *words: object) -> tuple[int, str, str]:
    sheet = str(folder / "sheet.json")
    try:
        status = main(
            ["sheet", "read", *map(str, words), "--sheet", sheet, *(["--jobs", "1"] * ("--jobs" not in words))]
        )
    except SystemExit as stop:
        status = int(stop.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        (["."], ["a.jpg", "c.png"]),
        (["**"], ["a.jpg", "c.png", "late/b.jpg"]),
        (["**/*.jpg", "a.jpg"], ["a.jpg", "late/b.jpg"]),
        (["late", "a.jpg"], ["late/b.jpg", "a.jpg"]),
        (["*.webp", "gone.jpg", "notes.txt"], ["*.webp", "gone.jpg", "notes.txt"]),
    ],
)
def test_folders_and_patterns_mean_photos_and_not_the_profiles_own(evening, monkeypatch, named, meant):
    monkeypatch.chdir(evening)
    found = photos_of(named, [Path("sheet.json"), Path("blank.png")])
    assert [os.path.normpath(path) for path in found] == meant


def test_a_folder_is_read_once_and_only_what_is_new_or_other_is_read_again(evening, tmp_path, capsys):
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(evening / "a.jpg", photos / "1.jpg")
    shutil.copy(evening / "c.png", photos / "2.png")
    out, report = tmp_path / "out.jsonl", tmp_path / "report.html"

    status, printed, said = run(capsys, evening, photos, "--out", out)
    assert (status, printed) == (1, "")
    assert "2 photos: 2 read now, 0 known already, 1 with an error" in said
    first = lines(out)
    assert {Path(line["photo"]).name for line in first if "error" not in line} == {"1.jpg"}
    alone = json.loads(run(capsys, evening, photos / "1.jpg", "--json")[1])
    read = next(line for line in first if "map" in line)
    assert {key: read[key] for key in alone} == alone

    os.utime(photos / "1.jpg", (1, 1))
    shutil.copy(photos / "1.jpg", photos / "3.jpg")
    (photos / "2.png").write_bytes((evening / "late" / "b.jpg").read_bytes())
    with out.open("ab") as file:
        file.write(b'{"photo": "cut o')
    status, _, said = run(capsys, evening, photos, "--out", out, "--report", report)
    assert status == 0
    assert "3 photos: 1 read now, 2 known already, 0 with an error" in said
    after = lines(out)
    assert after[:2] == first
    assert [Path(line["photo"]).name for line in after[2:]] == ["3.jpg", "2.png"]
    assert after[2]["map"] == read["map"]

    page = report.read_text("utf-8")
    asked = [json.loads(data) for data in re.findall(r'<script type="application/json">(.*)</script>', page)]
    doubts = [one for one in asked if "choices" in one]
    assert len(doubts) == sum(len(line["doubtful"]) for line in after[2:]) + len(read["doubtful"])
    assert [one["confidence"] for one in doubts] == sorted(one["confidence"] for one in doubts)
    assert all(one["read"] in one["choices"] and one["crop"].startswith("data:image/jpeg") for one in doubts)
    assert {Path(one["photo"]).name for one in asked if "doubts" in one} == {"1.jpg", "2.png", "3.jpg"}
    assert not re.search(r'(src|href)="', page)


@pytest.mark.parametrize(("name", "asked"), [("beside", [1, 2]), ("cut-left", [2]), ("three", [1, 2, 3])])
def test_every_sheet_of_a_photo_that_is_read_is_asked_about(evening, name, asked):
    reader = SheetPhotos(str(evening / "sheet.json"), "en")
    data = cv2.imencode(".png", arranged(0, name)[0])[1].tobytes()
    line, _, _ = reader.read("a.png", data)
    for n, sheet in enumerate(line["sheets"]):
        if "map" in sheet:
            sheet.update(doubtful=[[n, 2]], tick_doubts={}, written=[])
    questions = reader.questions(line, data)
    assert [one["sheet"] for one in questions] == asked
    assert len(questions) == open_questions(line)
    for one in questions:
        n = one["sheet"] - 1
        assert (one["at"], one["read"][0]) == ([n, 2], line["sheets"][n]["map"][n][2])
        assert (one["place"].startswith(f"row {n + 1} column 3"), one["place"].endswith(f", sheet {n + 1}")) == (
            True,
        ) * 2
        assert one["crop"].std() > 5  # pixels of the sheet, not of the table beside it


def test_without_a_file_the_lines_come_in_order_on_standard_output(evening, tmp_path, capsys):
    status, out, said = run(capsys, evening, evening / "**", "--json", "--annotate", tmp_path / "drawn")
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [Path(one["photo"]).name for one in answers] == ["a.jpg", "c.png", "b.jpg"]
    assert ["error" in one for one in answers] == [False, True, False]
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == ["a.jpg", "b.jpg"]
    assert "3 photos" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"photo": "a.jpg", "profile": "other"}\n', "another profile"),
        ("[1]\n", "line 1: expected a result"),
        ("not JSON\n", "line 1: expected a result"),
        ("notes without an end of the line", "line 1: expected a result"),
    ],
)
def test_a_file_of_something_else_is_not_touched(evening, tmp_path, capsys, text, said):
    (out := tmp_path / "out.jsonl").write_text(text)
    status, _, err = run(capsys, evening, evening, "--out", out)
    assert status == 2
    assert said in err
    assert out.read_text() == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--out", "a.jpg"], "would be overwritten"),
        (["--report", "sheet.json"], "would be overwritten"),
        (["--out", "x.jsonl", "--report", "x.jsonl"], "would be overwritten. Give --report"),
        (["--report", "late"], "late: This is a folder"),
        (["--out", os.devnull], "expected a file that can be gone on with"),
        (["--out", "nowhere/out.jsonl"], "does not exist"),
        (["--truth", "c.png"], "expected what the report saves"),
        (["--jobs", "0"], "1 to 256"),
    ],
)
def test_bad_input_is_one_line(evening, monkeypatch, capsys, words, said):
    monkeypatch.chdir(evening)
    status, out, err = run(capsys, evening, "a.jpg", *words)
    assert (status, out) == (2, "")
    assert said in err.strip().splitlines()[-1]


def command(evening: Path, *words: object) -> subprocess.Popen:
    line = [
        sys.executable,
        "-m",
        "companion",
        "sheet",
        "read",
        *map(str, words),
        "--sheet",
        str(evening / "sheet.json"),
    ]
    return subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_goes_on_none_twice_none_missed(evening, tmp_path, how):
    photos = tmp_path / "photos"
    photos.mkdir()
    for number in range(8):
        # Each photo is another one: a byte behind the picture.
        (photos / f"{number}.jpg").write_bytes((evening / "a.jpg").read_bytes() + bytes([number]))
    out = tmp_path / "out.jsonl"
    begun = command(evening, photos, "--out", out, "--jobs", 1)
    until = time.monotonic() + 100
    while time.monotonic() < until and (not out.exists() or out.read_bytes().count(b"\n") < 2):
        time.sleep(0.02)
    begun.send_signal(how)
    said = begun.communicate(timeout=100)[1]
    if how == signal.SIGINT:
        assert begun.returncode == 130
        assert "goes on from there" in said
    some = out.read_bytes().count(b"\n")
    assert 2 <= some < 8
    rest = command(evening, photos, "--out", out, "--jobs", 1)
    said = rest.communicate(timeout=100)[1]
    assert rest.returncode == 0
    assert f"{8 - some} read now, {some} known already" in said
    assert sorted(Path(line["photo"]).name for line in lines(out)) == [f"{n}.jpg" for n in range(8)]


NO_DASK = "dask.distributed is not installed (pip install 'table-companion[dask]')"


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason=NO_DASK)
def test_a_cluster_of_several_processes_reads_the_same(evening, tmp_path, capsys):
    from distributed import LocalCluster  # noqa: PLC0415

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as on:
        status, out, _ = run(capsys, evening, evening / "**", "--json", "--dask", on.scheduler_address)
    assert (status, out) == run(capsys, evening, evening / "**", "--json")[:2]


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason=NO_DASK)
def test_no_cluster_is_one_line(evening, capsys, monkeypatch):
    monkeypatch.setattr("companion.cli.batch.pools.CONNECTING", 0.3)
    status, out, err = run(capsys, evening, evening, "--dask", "tcp://127.0.0.1:9")
    assert (status, out) == (2, "")
    assert "no Dask cluster answers at tcp://127.0.0.1:9" in err.splitlines()[-1]


def test_without_the_extra_it_is_said_what_to_install(evening, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, _, err = run(capsys, evening, evening, "--dask", "tcp://127.0.0.1:9")
    assert status == 2
    assert "table-companion[dask]" in err


def test_a_folder_or_pattern_without_photos_says_so(evening, tmp_path, capsys):
    for photos in (tmp_path, tmp_path / "*.gif"):
        assert f"{photos}: There are no photos here: expected files called .jpg" in run(capsys, evening, photos)[2]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
def test_a_name_that_is_no_text_is_read_and_known_again(evening, tmp_path, capsys):
    photo = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jpg")
    shutil.copy(evening / "a.jpg", photo)
    out, report = tmp_path / "out.jsonl", tmp_path / "report.html"
    for known in (0, 1):
        status, _, said = run(capsys, evening, photo, "--out", out, "--report", report)
        assert (status, f"{known} known already" in said) == (0, True)
    assert [line["photo"] for line in lines(out)] == [photo]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_full_disk_is_named_with_the_file_and_is_no_mistake_of_the_program(evening, tmp_path, capsys):
    (tmp_path / "a.jpg").symlink_to("/dev/full")
    status, _, err = run(capsys, evening, evening / "a.jpg", "--annotate", tmp_path)
    assert (status, f"{tmp_path / 'a.jpg'}: The disk is full." in err) == (1, True)
    results = Results(tmp_path / "out.jsonl", "p")
    os.dup2(full := os.open("/dev/full", os.O_WRONLY), results._file)
    with pytest.raises(OSError, match=r"out\.jsonl"):
        results.add({"photo": "a.jpg"}, "x")
    results.close()
    os.close(full)


def test_two_runs_do_not_write_into_one_file(evening, tmp_path, capsys):
    results = Results(out := tmp_path / "out.jsonl", "p")
    status, _, err = run(capsys, evening, evening, "--out", out)
    results.close()
    assert (status, "another run is writing there" in err) == (2, True)


def test_a_report_that_is_interrupted_leaves_the_last_one(tmp_path):
    results, stop = Results(tmp_path / "out.jsonl", "p"), threading.Event()
    stop.set()
    (report := tmp_path / "report.html").write_text("the last one")
    write_report(report, Processes(1), Job("sheet", "sheet.json", "en"), [], results, stop)
    results.close()
    assert report.read_text() == "the last one"


def test_a_cluster_without_the_program_is_refused_in_one_line(evening, monkeypatch, capsys):
    class Client:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def submit(self, *_: object, **__: object) -> Client:
            return self

        def result(self, _: float) -> None:
            raise RuntimeError("No module\nnamed companion")

        def close(self) -> None:
            pass

    monkeypatch.setitem(sys.modules, "distributed", types.SimpleNamespace(Client=Client))
    status, out, err = run(capsys, evening, evening, "--dask", "tcp://127.0.0.1:9")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--dask: the cluster at tcp://127.0.0.1:9 does not have this program" in err


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=12), st.integers(0, 40))
def test_results_are_known_after_any_cut(tmp_path_factory, added, cut):
    """A file cut anywhere still holds every whole line before the cut, and takes up what is added then."""
    path = tmp_path_factory.mktemp("cut") / "out.jsonl"
    results = Results(path, "p")
    for photo, content in added:
        results.add({"photo": photo}, content)
    results.close()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - min(cut, len(data))])
    whole = path.read_bytes().count(b"\n")
    again = Results(path, "p")
    last = dict(added[:whole])
    assert all(again.holds(photo, content) for photo, content in last.items())
    again.add({"photo": "d"}, "w")
    again.close()
    assert [line["photo"] for line in lines(path)] == [photo for photo, _ in added[:whole]] + ["d"]


SHEET = {
    "photo": "x/a.jpg", "map": ["o.", ".#"], "doubtful": [[0, 1]],
    "destinations": ["A"], "gates": [], "ticks": {"gems": 2},
}  # fmt: skip
TILES = {"photo": "t.jpg", "tiles": [{"center": [5, 5], "color": "red", "polygon": [[0, 0], [10, 0], [10, 10]]}]}
DARK = {"photo": "a.jpg", "error": "dark"}
BOTH = {**SHEET, "sheets": [{"error": "cut off"}, SHEET]}


@pytest.mark.parametrize(
    ("line", "truth", "figures"),
    [
        (SHEET, {"map": ["o.", ".#"]}, {"cells": (4, 4), "silent": (0, 4), "maps": (1, 1)}),
        (SHEET, {"map": ["oo", "##"]}, {"cells": (2, 4), "silent": (1, 4), "maps": (0, 1)}),
        (SHEET, {"marks": {"0,1": "o-gate"}}, {"cells": (0, 1), "silent": (0, 1)}),
        (SHEET, {"destinations": [], "ticks": {"gems": 2}}, {"destinations": (0, 1), "ticks": (1, 1)}),
        (DARK, {"map": ["o.", ".#"]}, {"cells": (0, 4), "silent": (0, 4), "maps": (0, 1)}),
        (BOTH, {"sheets": {"2": {"map": ["o.", ".#"]}}}, {"cells": (4, 4), "silent": (0, 4), "maps": (1, 1)}),
        (BOTH, {"sheets": {"1": {"marks": {"0,0": "o"}}}}, {"cells": (0, 1), "silent": (0, 1)}),
        (TILES, [[[6, 5], "red"], [[60, 5], "none"]], {"tiles": (2, 2)}),
        (TILES, [[[5, 5], "none"], [[60, 5], "red"]], {"tiles": (0, 2)}),
    ],
)
def test_accuracy_counts_what_is_known(line, truth, figures):
    kind = "table" if line is TILES else "sheet"
    if line is TILES:
        truth = {"tiles": [{"center": center, "color": color} for center, color in truth]}
    said = accuracy(kind, [line, {"photo": "unknown.jpg", "error": ""}], {Path(line["photo"]).name: truth})
    got = {one.key.removeprefix("accuracy."): (one.values["k"], one.values["n"]) for one in said}
    assert got == figures


@pytest.mark.parametrize("truth", [{"marks": {"9,9": "o"}}, {"marks": {"x": "o"}}, {"map": 3}, {"sheets": {"x": {}}}])
def test_truth_that_does_not_fit_is_said(truth):
    with pytest.raises(InputError, match="truth-misfit"):
        accuracy("sheet", [SHEET], {"a.jpg": truth})


@given(st.integers(1, 5000), st.data())
def test_bounds_hold_the_share_and_narrow_with_more(n, data):
    k = data.draw(st.integers(0, n))
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1
    wider = wilson(10 * k, 10 * n)
    assert wider[1] - wider[0] < high - low
    assert wilson(n - k, n) == pytest.approx((1 - high, 1 - low))


def test_bounds_of_none_among_many():
    assert wilson(0, 4787)[1] == pytest.approx(0.0008, abs=0.00005)
