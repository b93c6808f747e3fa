"""(g) A population of the size of the United States by date of birth, in a file for each region: ``gamedeid regions``.

Each distinct combination of ZIP code, date of birth, race and sex is one record. The files are made first, and that is
not counted. The command is a process of its own: its seconds, on the wall and of all cores, have the start and the
reading of all files in them, and its peak of resident memory is the system's.

Run: ``python benchmarks/country.py [--zips 33000] [--share 0.02] [--files FOLDER] [--workers 2] [--smoke]``;
``--share 1`` is everybody, of whom the files take 800 MB.
"""

import argparse
import json
import os
import sys
import time
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

from us_files import region_file, write_regions
from us_population import LAST_YEAR, REGION_LEVEL, Country

SCENARIO = f"""
title = "A country by date of birth"
[records]
path = "regions"
drop = ["people"]
[population]
path = "regions"
count = "people"
[attributes.zip]
hierarchy = "zip.toml"
[attributes.born]
hierarchy = "born.toml"
[attributes.race]
hierarchy = "race"
[attributes.sex]
hierarchy = "sex"
weight = 0
[payoffs]
benefit = 1200
loss = 300
cost = 4
[policy.safe-harbor]
year = {LAST_YEAR + 1}
[regions]
attribute = "zip"
level = {REGION_LEVEL}
"""

ZIP = 'kind = "prefix"\nrole = "zip"\nlength = 5\nkeep = [4, 3, 2, 1]\n'
"""Small prefixes stay apart: all their ZIP codes together would be one region, too many to be counted densely."""

BORN = 'kind = "date"\nlevels = ["month", "year", "5 years", "15 years", "30 years", "60 years"]\n'

WHOLE = 33_000


def main() -> None:
    """Print what the command took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zips", type=int, default=WHOLE)
    parser.add_argument("--share", type=float, default=0.02, help="of the regions")
    parser.add_argument("--files", type=Path, help="folder of the regions' files, made if they are not there")
    parser.add_argument("--workers", type=int, help="regions at a time; as many as there are cores unless given")
    parser.add_argument("--smoke", action="store_true", help="small data: only shows that it runs, and is right")
    options = parser.parse_args()
    country = Country(zips=60 if options.smoke else options.zips, merged=False)
    chosen = country.regions[:: 1 if options.smoke else max(1, round(1 / options.share))]
    with TemporaryDirectory() as made:
        files = options.files or Path(made) / "files"
        size = write_regions(country, chosen, files)
        print(f"{len(chosen)} of {len(country.regions)} regions, in files of {size / 1e6:,.0f} MB.", flush=True)
        scenario = write_scenario(Path(made), country, [region_file(files, start) for start, _ in chosen])
        workers = [] if options.workers is None else ["--workers", str(options.workers)]
        cost = run(["regions", str(scenario), *workers])
        print_cost(cost, len(country.regions))
        if options.smoke:
            agree(cost.said, run(["compare", str(scenario)]).said)


def write_scenario(folder: Path, country: Country, files: list[Path]) -> Path:
    """Write the question about these files, which stay where they are."""
    (folder / "regions").mkdir()
    for path in files:
        (folder / "regions" / path.name).symlink_to(path.absolute())
    first = LAST_YEAR - country.shapes[0] + 1
    (folder / "zip.toml").write_text(ZIP)
    (folder / "born.toml").write_text(
        f"{BORN}earliest = {LAST_YEAR - 90}\nlow = {first}-01-01\nhigh = {LAST_YEAR}-12-31\n"
    )
    path = folder / "country.toml"
    path.write_text(SCENARIO)
    return path


class Cost(NamedTuple):
    """What a command said, and took.

    Parameters
    ----------
    said : its JSON.
    seconds : on the wall.
    cores : seconds of all cores.
    megabytes : the most memory that it had at once.
    """

    said: dict[str, Any]
    seconds: float
    cores: float
    megabytes: float


def run(words: list[str]) -> Cost:
    """Run a command of gamedeid with ``--json``."""
    with TemporaryFile("w+") as said:
        begun = time.perf_counter()
        child = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", "gamedeid", *words, "--json"],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, said.fileno(), 1)],
        )
        _, status, used = os.wait4(child, 0)
        seconds = time.perf_counter() - begun
        if status:
            sys.exit(os.waitstatus_to_exitcode(status))
        said.seek(0)
        return Cost(json.load(said), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6)


def print_cost(cost: Cost, all_regions: int) -> None:
    """Print what the command found and took, and what that makes for all regions if there were fewer."""
    data, regions = cost.said["data"], cost.said["regions"]["count"]
    print(f"{data['population']:,} people, {data['profiles']:,} profiles, each a record; the policy and three games\n")
    print("| on the wall, s | of all cores, s | peak, GB |\n|---|---|---|")
    print(f"| {cost.seconds:.1f} | {cost.cores:.1f} | {cost.megabytes / 1000:.2f} |\n")
    if regions < all_regions:
        whole = [seconds * all_regions / regions / 60 for seconds in (cost.seconds, cost.cores)]
        print(f"Extrapolated to all regions: {whole[0]:.1f} min on the wall, {whole[1]:.1f} min of all cores.")
    payoffs = ", ".join(f"{name} {of['publisher_payoff']:.2f}" for name, of in cost.said["policies"].items())
    print(f"Mean payoffs, dollars: {payoffs}.")


def agree(regional: dict[str, Any], together: dict[str, Any]) -> None:
    """Stop where the regions add up to something else than all files together."""
    for name, row in together["policies"].items():
        for measure, one in row.items():
            other = regional["policies"][name].get(measure, one)  # searched and optimal are told by `compare` alone
            if one is not None and not isclose(one, other, rel_tol=1e-9):
                sys.exit(f"{name}, {measure}: {other} by region, {one} together")


if __name__ == "__main__":
    main()
