"""The kinds of inputs, the frequency of each, and the input of a number."""

from collections.abc import Callable
from random import Random

from fuzzing.case import Case
from fuzzing.changing_inputs import draw_changing_input
from fuzzing.frames import draw_frames
from fuzzing.hierarchies import draw_hierarchy
from fuzzing.more_commands import draw_intake, draw_regions, draw_saving
from fuzzing.parquet import draw_parquet
from fuzzing.processes import draw_process
from fuzzing.scenarios import draw_options, draw_scenario
from fuzzing.stored_results import draw_finished
from fuzzing.tables import draw_csv

KINDS: dict[str, tuple[int, Callable[[Random], Case]]] = {
    "scenario": (26, draw_scenario),
    "options": (14, draw_options),
    "csv": (22, draw_csv),
    "parquet": (8, draw_parquet),
    "hierarchy": (16, draw_hierarchy),
    "frames": (6, draw_frames),
    "changing": (2, draw_changing_input),
    "intake": (8, draw_intake),
    "regions": (4, draw_regions),
    "finished": (14, draw_finished),
    "saving": (4, draw_saving),
}
"""Kind -> its relative frequency, and the function that draws it."""

PROCESSES: dict[str, tuple[int, Callable[[Random], Case]]] = {"process": (0, draw_process)}
"""Inputs that need a separate process: they are drawn only by name."""


def draw(seed: int, number: int, kinds: tuple[str, ...] = tuple(KINDS)) -> Case:
    """Return the input of a number: the same for the same seed and kinds, whatever was drawn before."""
    rng = Random(f"{seed}/{number}")
    known = KINDS | PROCESSES
    kind = rng.choices(kinds, [known[one][0] or 1 for one in kinds])[0]
    return known[kind][1](rng)
