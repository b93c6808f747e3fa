"""Bars of progress with work done and total, time taken and time left; on a terminal only."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Bars
from rich.table import Column
from rich.text import Text

from gamedeid.progress import HUNDREDTHS_OF_PERCENT, Phases, Progress

NARROWEST_BAR = 4


@contextmanager
def progress() -> Iterator[Phases]:
    """Yield a function that opens a bar for a named phase, and returns a callback that receives (done, total).

    The bar of a phase without a total only shows activity, and is removed when the next phase begins. Bars are drawn on
    standard error and vanish at the end; nothing is drawn unless it is a terminal.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
        BarColumn(bar_width=None, table_column=Column(ratio=1, min_width=NARROWEST_BAR)),
        _Counts(table_column=Column(no_wrap=True, justify="right")),
        _Times(table_column=Column(no_wrap=True)),
    )
    with Bars(*columns, console=console, transient=True, expand=True, disable=not console.is_terminal) as bars:

        def phase(name: str) -> Progress:
            for earlier in bars.tasks:
                if earlier.total is None:
                    bars.remove_task(earlier.id)
            task = bars.add_task(name, total=None)

            def report_progress(done: int, total: int) -> None:
                bars.update(task, completed=done, total=total)

            return report_progress

        yield phase


class _Counts(ProgressColumn):
    """A column with the work done and the total; empty for an unknown total."""

    def render(self, task: Task) -> Text:
        return Text("" if task.total is None else counts_text(int(task.completed), int(task.total)))


class _Times(ProgressColumn):
    """A column with the time taken by a phase, and the time left."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        return Text(times_text(task.finished_time if task.finished else task.elapsed, task.time_remaining))


def counts_text(done: int, total: int) -> str:
    """Return the text of the work done and the total.

    Examples
    --------
    >>> counts_text(12345, 32561), counts_text(4500, HUNDREDTHS_OF_PERCENT)
    ('12,345 of 32,561', '45%')
    """
    return f"{done // 100}%" if total == HUNDREDTHS_OF_PERCENT else f"{done:,} of {total:,}"


def times_text(taken: float | None, left: float | None) -> str:
    """Return the text of the time taken and the time left, in seconds; either may be unknown.

    Examples
    --------
    >>> times_text(65.2, 5.0), times_text(3.0, None), times_text(3.0, 0.0)
    ('0:01:05, 0:00:05 left', '0:00:03', '0:00:03')
    """
    words = [] if taken is None else [str(timedelta(seconds=int(taken)))]
    if left:
        words.append(f"{timedelta(seconds=int(left))} left")
    return ", ".join(words)
