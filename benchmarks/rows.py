"""Many rows: the shared records drawn again and again, compared with DuckDB, which only counts or copies them.

Whole commands, each a separate process, in turn with DuckDB's ``SELECT quasi-identifiers, count(*) ... GROUP BY``
over the same file (for ``compare``) and with its ``COPY`` of all but the dropped column to a new file (for ``run``,
which writes a release of the same columns, and strategies of as many rows). The ratio is the seconds of the whole
command over those of the copy, both on the wall; seconds of all cores are next to them, since other work on the
machine lengthens only the first. Peaks are those of the command's process; DuckDB may take a GB. At the end are the
sizes of the written tables and of the copy; both are compressed by Snappy.

The rows are made once in the folder, and reused in later runs: 100 million take about a minute and a GB, and the
written tables take 3 GB more during the comparison.

Run: ``python benchmarks/rows.py [--rows 100_000_000] [--folder FOLDER] [--rounds 3] [--run] [--smoke]``
"""

import json
import shutil
import statistics
import tempfile
from pathlib import Path

import duckdb
from measure import ROOT, Cost, Taken, arguments, command, taken
from resampled import RECORDS, resample

ATTRIBUTES = ("age", "race", "sex", "zip")


def scenario_of(records: Path, folder: Path) -> Path:
    """Write the case study's scenario with other records, and return its path."""
    text = (ROOT / "scenarios" / "adult_tn.toml").read_text("utf-8")
    text = text.replace("adult_tn/adult_tn.csv.gz", str(records)).replace("adult_tn/tn_", f"{RECORDS.parent}/tn_")
    path = folder / "resampled.toml"
    path.write_text(text, "utf-8")
    return path


def count(path: Path) -> tuple[Taken, int]:
    """Return DuckDB's seconds to count the distinct quasi-identifiers, and their number."""
    names = ", ".join(ATTRIBUTES)
    with duckdb.connect() as database:
        query = f"SELECT {names}, count(*) FROM read_parquet('{path}') GROUP BY {names}"  # noqa: S608
        distinct, alone = taken(lambda: database.sql(query).to_arrow_table().num_rows)
        return alone, distinct


def copy(path: Path, target: Path) -> Taken:
    """Return DuckDB's seconds to copy the columns of a release to another file."""
    with duckdb.connect(config={"memory_limit": "1GB"}) as database:
        rows = f"SELECT * EXCLUDE fnlwgt FROM read_parquet('{path}')"  # noqa: S608
        database.execute("SET enable_progress_bar = false")
        return taken(lambda: database.execute(f"COPY ({rows}) TO '{target}' (FORMAT parquet)"))[1]


def growth(folder: Path, sizes: list[int]) -> list[dict[str, float | str | None]]:
    """Return the cost of ``compare`` for each number of rows, without memory: a child starts with its parent's."""
    found: list[dict[str, float | str | None]] = []
    for size in sizes:
        path = folder / f"{size}.parquet"
        resample(size, path)
        cost = command("-m", "gamedeid", "compare", scenario_of(path, folder), "--json", "--engine", "duckdb")
        found.append({"what": "rows", "size": size, "seconds": cost.seconds, "megabytes": None})
        path.unlink()
    return found


def main() -> None:
    """Print one row per command."""
    parser = arguments(__doc__, rounds=3)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--folder", type=Path, help="where the rows are, or will be, written")
    parser.add_argument("--run", action="store_true", help="also write a release, and compare with a copy of the file")
    options = parser.parse_args()
    rows, rounds = (20_000, 1) if options.smoke else (options.rows, options.rounds)
    folder = options.folder or Path(tempfile.mkdtemp(prefix="rows-"))
    try:
        path = folder / f"adult_{rows}.parquet"
        if not path.exists():
            resample(rows, path)
        measure(path, folder, rounds, release=options.run or options.smoke)
    finally:
        if options.folder is None:
            shutil.rmtree(folder)


def measure(path: Path, folder: Path, rounds: int, *, release: bool) -> None:
    """Print the cost of ``compare``, and of ``run`` if a release is wanted, and that of DuckDB."""
    scenario = scenario_of(path, folder)
    print("| command | seconds | of all cores | peak, MiB | DuckDB alone | seconds | of all cores ", end="")
    print("| ratio | by all cores |")
    print("|---|---|---|---|---|---|---|---|---|")
    words = ("-m", "gamedeid", "compare", scenario, "--json", "--engine", "duckdb", "--memory", "1GiB")
    count(path)
    pairs = [(command(*words), count(path)) for _ in range(rounds)]
    for cost, (_, distinct) in pairs:
        assert json.loads(cost.said)["data"]["profiles"] == distinct
    _show("compare", [(cost, seconds) for cost, (seconds, _) in pairs], "GROUP BY")
    if release:
        target = folder / "results"
        words = (
            "-m",
            "gamedeid",
            "run",
            scenario,
            "--game",
            "basic",
            "--json",
            "-o",
            target,
            "--format",
            "parquet",
            "--no-report",
        )
        costs = []
        sizes: dict[str, int] = {}
        for _ in range(rounds):
            costs.append((command(*words, "--engine", "duckdb", "--memory", "1GiB"), copy(path, folder / "copy")))
            tables = {"the release": "release*", "the strategies": "strategies*"}
            sizes = {name: sum(part.stat().st_size for part in target.glob(these)) for name, these in tables.items()}
            sizes["DuckDB's copy"] = (folder / "copy").stat().st_size
            shutil.rmtree(target)
            (folder / "copy").unlink()
        _show("run, release and strategies", costs, "COPY of the release's columns")
        print("\n| written | MB |\n|---|---|")
        for name, size in sizes.items():
            print(f"| {name} | {size / 1e6:.1f} |")


def _show(what: str, pairs: list[tuple[Cost, Taken]], against: str) -> None:
    middle = statistics.median
    ours = [middle(of) for of in zip(*((cost.seconds, cost.cores) for cost, _ in pairs), strict=True)]
    theirs = [middle(of) for of in zip(*(alone for _, alone in pairs), strict=True)]
    ratio = middle(cost.seconds / alone.seconds for cost, alone in pairs)
    by_cores = middle(cost.cores / alone.cores for cost, alone in pairs)
    peak = max(cost.mebibytes for cost, _ in pairs)
    print(f"| {what} | {ours[0]:.1f} | {ours[1]:.1f} | {peak:.0f} ", end="")
    print(f"| {against} | {theirs[0]:.1f} | {theirs[1]:.1f} | {ratio:.2f} | {by_cores:.2f} |", flush=True)


if __name__ == "__main__":
    main()
