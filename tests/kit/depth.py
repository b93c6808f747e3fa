"""How much the tests try: a little in every run, much more with `python -m pytest --deep`."""

from typing import TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")

# A world takes a moment to draw and to play by hand, and the first call of a kernel may compile it.
_patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("quick", max_examples=10, **_patient)
settings.register_profile("deep", max_examples=500, **_patient)


def choose_depth(*, deep: bool) -> None:
    """Choose how much is tried, before the tests are imported."""
    settings.load_profile("deep" if deep else "quick")


def tries(quick: T, deep: T) -> T:
    """Return ``quick`` (how many inputs a test tries, or which), or ``deep`` if the run is deep."""
    return deep if settings.get_current_profile_name() == "deep" else quick
