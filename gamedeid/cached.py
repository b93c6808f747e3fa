"""Attributes that are computed when first asked for, of several objects in several threads at the same time."""

import functools
from typing import Any, Self, TypeVar, cast, overload

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):  # noqa: N801  (it is used as functools' own is)
    """An attribute that is computed when first asked for, as Python 3.12 has it.

    The one of Python 3.11 holds a lock that all objects of a class share: of two threads that compute the measures of
    two solutions, one would wait for the other. What two threads ask the same object for may be computed twice; both
    values are equal.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        """Return the attribute of an object, computed unless it was before."""
        if instance is None:
            return self
        name = cast("str", self.attrname)
        known = vars(instance)
        if name not in known:
            known[name] = self.func(instance)
        return known[name]
