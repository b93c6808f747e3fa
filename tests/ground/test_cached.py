"""Attributes that are computed once, of several objects at the same time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from gamedeid.parallel import cached_property


class Slow:
    """One of two whose attribute is there only when both are being computed."""

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
    both = Barrier(2)
    objects = [Slow(both), Slow(both)]
    with ThreadPoolExecutor(2) as pool:
        values = list(pool.map(lambda one: one.value, objects))

    assert values == [one.value for one in objects]
    assert [1, 1] == [one.computed for one in objects]


def test_on_the_class_it_is_itself_with_its_words():
    assert "What it comes to." == Slow.value.__doc__
