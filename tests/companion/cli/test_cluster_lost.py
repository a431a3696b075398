"""A Dask cluster that goes away in the midst: the batch goes on or stops with a sentence, and nothing is read twice."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from common.messages import InputError
from companion.cli.batch.job import Job, Task
from companion.cli.batch.pools import Cluster, completed

pytestmark = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask.distributed is no part")

PHOTOS = 6
JOB = Job("sheet", "", "en")


def note(job: Job, task: Task) -> str:
    """Reads nothing; leaves a line of who did it."""
    with Path(task.path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return task.photo


def note_and_wait(job: Job, task: Task) -> str:
    """The same, and is not done before the file `go` is there."""
    done = note(job, task)
    go = Path(task.path).parent / "go"
    while task.photo != "0" and not go.exists():
        threading.Event().wait(0.02)
    return done


def note_and_die(job: Job, task: Task) -> str:
    """The same; with the third task its worker ends, the first time."""
    done = note(job, task)
    if task.photo == "2" and len(Path(task.path).read_text().splitlines()) == 1:
        os._exit(9)
    return done


def tasks(folder: Path) -> list[Task]:
    return [Task(str(n), str(folder / str(n))) for n in range(PHOTOS)]


def times(folder: Path) -> list[int]:
    """How often each task was begun."""
    return [len(file.read_text().splitlines()) if (file := folder / str(n)).exists() else 0 for n in range(PHOTOS)]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """One worker in a process of its own; those that ask find out soon that it is gone."""
    import dask  # noqa: PLC0415
    from distributed import LocalCluster  # noqa: PLC0415

    soon = {"distributed.comm.timeouts.connect": "1s", "distributed.comm.retry.count": 0}
    with (
        dask.config.set(soon),
        LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs=60
        ) as on,
    ):
        yield on


def test_a_worker_that_ends_in_the_midst_is_replaced_and_all_is_read(cluster: Any, tmp_path: Path) -> None:
    pool = Cluster(cluster.scheduler_address)
    try:
        read = [task.photo for task, what in completed(pool, note_and_die, JOB, tasks(tmp_path), threading.Event())]
    finally:
        pool.close()
    assert sorted(read) == [str(n) for n in range(PHOTOS)]
    assert max(times(tmp_path)) == 2


def test_a_cluster_lost_midway_stops_with_a_sentence_and_what_was_read_stays(cluster: Any, tmp_path: Path) -> None:
    pool, read = Cluster(cluster.scheduler_address), list[str]()
    reads = completed(pool, note_and_wait, JOB, tasks(tmp_path), threading.Event())
    read.append(next(reads)[0].photo)
    cluster.close()
    with pytest.raises(InputError) as lost:
        next(reads)
    pool.close()
    assert lost.value.key == "batch.cluster-gone"
    assert read == ["0"]
    assert times(tmp_path)[0] == 1
