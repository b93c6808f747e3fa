"""Is work in slices done once and whole, whoever does it, and given up when something goes wrong?"""

import os
import threading

import pytest

from gamedeid import parallel as threads
from gamedeid.parallel import cores, in_slices


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7, 100])
def test_every_item_is_done_once_by_no_more_than_there_are_cores(monkeypatch, workers, count) -> None:
    monkeypatch.setattr(threads, "cores", lambda: workers)
    done, who = [0] * count, set()

    def work(start: int, stop: int) -> None:
        who.add(threading.get_ident())
        for place in range(start, stop):
            done[place] += 1

    in_slices(work, count, least=3)
    assert [1] * count == done
    assert len(who) <= workers


def test_little_work_is_done_by_who_asks(monkeypatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 8)
    asked: list[tuple[int, int]] = []

    in_slices(lambda *slice_: asked.append(slice_), threads.LEAST)
    assert [(0, threads.LEAST)] == asked
    in_slices(lambda *slice_: asked.append(slice_), 2 * threads.LEAST)
    assert 2 == len(asked[1:])


def test_what_goes_wrong_in_a_slice_is_raised_and_later_slices_are_dropped(monkeypatch) -> None:
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
        in_slices(work, 80, least=10)
    assert len(begun) <= 8
    assert 0 in begun


def test_cores_are_those_of_this_process_or_of_the_machine(monkeypatch) -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert 1 == cores()
