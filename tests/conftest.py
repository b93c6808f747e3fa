"""What all tests share: fixtures, and how hard the random tests try.

HYPOTHESIS_PROFILE names one of the profiles below, "quick" unless given.
"""

import os

from hypothesis import HealthCheck, settings
from writing_outputs import small_disk, swap, way  # noqa: F401  (fixtures are found by their names here)

# A world takes a moment to draw and to play by hand, and the first call of a kernel may compile it.
_patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("quick", max_examples=20, **_patient)
settings.register_profile("thorough", max_examples=500, **_patient)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
