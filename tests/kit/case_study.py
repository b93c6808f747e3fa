"""Where the case study of wan2015 and the real inputs that it needs are."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
SCENARIO = TESTS.parent / "scenarios" / "adult_tn.toml"
SHARED = TESTS.parents[1] / "shared" / "data"
