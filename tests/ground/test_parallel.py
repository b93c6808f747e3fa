"""Is work in slices done exactly once on any number of threads, and stopped after an error?"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest

from gamedeid import parallel as threads
from gamedeid.parallel import cached_property, cores, map_in_parallel, run_in_slices


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7, 100])
def test_every_item_is_done_once_by_no_more_than_there_are_cores(monkeypatch, workers, count):
    monkeypatch.setattr(threads, "cores", lambda: workers)
    done, who = [0] * count, set()

    def work(start: int, stop: int) -> None:
        who.add(threading.get_ident())
        for place in range(start, stop):
            done[place] += 1

    run_in_slices(work, count, least=3)
    assert [1] * count == done
    assert len(who) <= workers


def test_little_work_is_done_in_the_calling_thread(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 8)
    asked: list[tuple[int, int]] = []

    run_in_slices(lambda *slice_: asked.append(slice_), threads.LEAST_ITEMS)
    assert [(0, threads.LEAST_ITEMS)] == asked
    run_in_slices(lambda *slice_: asked.append(slice_), 2 * threads.LEAST_ITEMS)
    assert 2 == len(asked[1:])


def test_an_error_in_a_slice_is_raised_and_later_slices_are_dropped(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 2)
    begun: list[int] = []
    first = threading.Event()

    def work(start: int, stop: int) -> None:  # noqa: ARG001
        begun.append(start)
        if start == 0:
            first.set()
            raise KeyboardInterrupt
        first.wait()

    with pytest.raises(KeyboardInterrupt):
        run_in_slices(work, 80, least=10)
    assert len(begun) <= 8
    assert 0 in begun


def test_cores_are_those_of_this_process_or_of_the_machine(monkeypatch):
    assert 1 <= cores() <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert 1 == cores()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_parallel_items_return_in_order_and_no_two_share_a_worker(workers):
    busy, most, lock = set(), [0], threading.Lock()

    def work(worker: int, item: int) -> int:
        with lock:
            assert worker not in busy
            busy.add(worker)
            most[0] = max(most[0], len(busy))
        sleep(0.001 * (item % 3))
        with lock:
            busy.remove(worker)
        return item * 10

    taken: list[int] = []
    items = (taken.append(item) or item for item in range(30))
    ahead = []
    for place, result in enumerate(map_in_parallel(work, items, workers)):
        assert 10 * place == result
        ahead.append(len(taken) - place)
    assert max(ahead) <= workers + 1
    assert 1 <= most[0] <= workers


def test_nested_parallel_work_stays_in_its_thread(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 8)

    def work(worker: int, item: int) -> set[int]:  # noqa: ARG001
        who: set[int] = set()
        run_in_slices(lambda start, stop: who.add(threading.get_ident()), 100, least=1)  # noqa: ARG005
        return who - {threading.get_ident()}

    assert [set()] * 4 == list(map_in_parallel(work, range(4), 2))


def test_an_error_in_parallel_work_is_raised():
    def work(worker: int, item: int) -> int:  # noqa: ARG001
        if item == 3:
            raise ValueError("three")
        return item

    with pytest.raises(ValueError, match="three"):
        list(map_in_parallel(work, range(100), 2))


class Slow:
    """One of two objects whose attributes are finished only when both are being computed."""

    def __init__(self, both):
        self._both = both
        self.computed = 0

    @cached_property
    def value(self):
        """What it comes to."""
        self._both.wait(timeout=30)
        self.computed += 1
        return object()


def test_two_threads_compute_the_attributes_of_two_objects_at_the_same_time():
    both = threading.Barrier(2)
    objects = [Slow(both), Slow(both)]
    with ThreadPoolExecutor(2) as pool:
        values = list(pool.map(lambda one: one.value, objects))

    assert values == [one.value for one in objects]
    assert [1, 1] == [one.computed for one in objects]


def test_a_lazy_attribute_keeps_its_docstring_on_the_class():
    assert "What it comes to." == Slow.value.__doc__
