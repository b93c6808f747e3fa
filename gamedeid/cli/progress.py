"""Progress with an estimate of the time left, on a terminal only."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from gamedeid.progress import Phases, Progress


@contextmanager
def progress() -> Iterator[Phases]:
    """Yield a function that opens a bar for a named phase and returns what to call with (done, total).

    The bar of a phase that never tells its total only shows that work goes on, and is gone when the next phase begins.
    Bars are drawn on standard error and vanish at the end; nothing is drawn where that is no terminal.
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:

        def phase(name: str) -> Progress:
            for earlier in bars.tasks:
                if earlier.total is None:
                    bars.remove_task(earlier.id)
            task = bars.add_task(name, total=None)

            def report_progress(done: int, total: int) -> None:
                bars.update(task, completed=done, total=total)

            return report_progress

        yield phase
