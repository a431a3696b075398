"""Where photos are read: in processes of this computer, one a core, or on a Dask cluster."""

import itertools
import multiprocessing
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from typing import Protocol, TypeVar

from common.messages import InputError, Message
from companion.cli.batch.job import Job, Task, content_of, end_with_parent, guarded, unforeseen

Out = TypeVar("Out")
LOOK = 0.5
"""Seconds after which it is looked whether somebody wants to stop."""
CONNECTING = 20
"""Seconds in which a cluster must answer."""


class Pool(Protocol):
    """Runs tasks elsewhere. `ahead`: tasks that are handed over before the first is done, so that nobody waits."""

    ahead: int

    def submit(self, run: Callable[[Job, Task], Out], job: Job, task: Task) -> Future[Out | Message]:
        """Begin a task (`job.guarded`)."""

    def renew(self) -> None:
        """Begin anew where a process was lost."""

    def close(self) -> None:
        """End all that is begun."""


class Processes:
    """Processes of this computer, started from nothing: what this one holds is not theirs."""

    def __init__(self, count: int) -> None:
        self._count, self.ahead = count, 2 * count
        self._executor = self._made()

    def _made(self) -> Executor:
        own = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, mp_context=own, initializer=end_with_parent)

    def submit(self, run: Callable[[Job, Task], Out], job: Job, task: Task) -> Future[Out | Message]:
        return self._executor.submit(guarded, run, job, task)

    def renew(self) -> None:
        self.close()
        self._executor = self._made()

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


class Cluster:
    """A Dask cluster: its workers have this program, and see photos and profile under the same paths."""

    def __init__(self, address: str) -> None:
        """Connect. Raises InputError where there is none, it lacks this program, or dask.distributed is missing."""
        try:
            from distributed import Client  # noqa: PLC0415
        except ImportError:
            raise InputError("batch.no-dask") from None
        try:
            self._client = Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise InputError("batch.no-cluster", got=address, why=str(error) or type(error).__name__) from None
        try:
            self._client.submit(content_of, b"", pure=False).result(CONNECTING)
        except TimeoutError:
            pass  # its workers may come later
        except Exception:
            self.close()
            raise InputError("batch.no-program", got=address) from None
        self.ahead = 2 * max(1, sum(self._client.nthreads().values()))
        # Equal photos are two tasks, and a task is no value that may be kept.
        self._executor = self._client.get_executor(pure=False)

    def submit(self, run: Callable[[Job, Task], Out], job: Job, task: Task) -> Future[Out | Message]:
        future: Future[Out | Message] = self._executor.submit(guarded, run, job, task)
        return future

    def renew(self) -> None:
        """The cluster starts its workers anew by itself."""

    def close(self) -> None:
        self._client.close()


def completed(
    pool: Pool, run: Callable[[Job, Task], Out], job: Job, tasks: Iterable[Task], stop: threading.Event
) -> Iterator[tuple[Task, Out | Message]]:
    """Each task with what came of it, as they end, or why nothing did.

    A process that ends in the midst takes all tasks that were under way with it: each of these runs once more, alone.
    Once `stop` is set no further task begins. Raises InputError where a cluster is gone.
    """
    left, under_way = iter(tasks), dict[Future[Out | Message], Task]()
    lost: list[Task] = []
    while True:
        more = [] if stop.is_set() or lost else itertools.islice(left, pool.ahead - len(under_way))
        for task in more:
            try:
                under_way[pool.submit(run, job, task)] = task
            except BrokenExecutor:
                lost.append(task)
                break
        if not under_way and not lost:
            return
        if stop.is_set():
            for future in under_way:
                future.cancel()
        for future in wait(under_way, LOOK, FIRST_COMPLETED).done:
            task = under_way.pop(future)
            if future.cancelled() and stop.is_set():
                continue
            what = _outcome(future)
            if what is None:
                lost.append(task)
            else:
                yield task, what
        if lost and not under_way:
            for task in [] if stop.is_set() else lost:
                pool.renew()
                yield task, _outcome(pool.submit(run, job, task)) or Message("batch.crashed")
            lost = []
            pool.renew()


def _outcome(future: Future[Out | Message]) -> Out | Message | None:
    """What a task gave, or what went wrong with it; None where its process was lost."""
    try:
        return future.result()
    except BrokenExecutor:
        return None
    except CancelledError:
        raise InputError("batch.cluster-gone") from None
    except Exception as error:
        return unforeseen(error)
