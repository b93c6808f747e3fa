"""(g) A population of the size of the United States by date of birth, in a file for each region: ``gamedeid regions``.

Each distinct combination of ZIP code, date of birth, race and sex is one record. The files are made first, which is
not measured. The command is a separate process: its seconds, on the wall and of all cores, include the start and the
reading of all files, and its peak of resident memory is the system's.

Run: ``python benchmarks/country.py [--zips 33000] [--share 0.02] [--files FOLDER] [--workers 2] [--smoke]``;
``--share 1`` is all people, in files of 800 MB.
"""

import json
import sys
from datetime import date
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from measure import Cost, arguments, command
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
    """Print the cost of the command."""
    parser = arguments(__doc__, smoke="small data: only shows that it runs, and is right")
    parser.add_argument("--zips", type=int, default=WHOLE)
    parser.add_argument("--share", type=float, default=0.02, help="of the regions")
    parser.add_argument("--files", type=Path, help="folder of the regions' files, made if they are not there")
    parser.add_argument("--workers", type=int, help="regions at a time; as many as there are cores unless given")
    options = parser.parse_args()
    country = Country(zips=20 if options.smoke else options.zips, merged=False)
    chosen = country.regions[:: 1 if options.smoke else max(1, round(1 / options.share))]
    with TemporaryDirectory() as made:
        files = options.files or Path(made) / "files"
        size = write_regions(country, chosen, files)
        print(f"{len(chosen)} of {len(country.regions)} regions, in files of {size / 1e6:,.0f} MB.", flush=True)
        scenario = write_scenario(Path(made), country, [region_file(files, start) for start, _ in chosen])
        workers = [] if options.workers is None else ["--workers", str(options.workers)]
        cost = gamedeid("regions", scenario, *workers)
        print_cost(cost, len(country.regions))
        if options.smoke:
            agree(json.loads(cost.said), json.loads(gamedeid("compare", scenario).said))


def write_scenario(folder: Path, country: Country, files: list[Path]) -> Path:
    """Write the question about these files, which are not copied."""
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


def gamedeid(*words: object) -> Cost:
    """Run a command of gamedeid, which prints JSON."""
    return command("-m", "gamedeid", *words, "--json")


def print_cost(cost: Cost, all_regions: int) -> None:
    """Print the command's results and cost, extrapolated to all regions if it had fewer."""
    found = json.loads(cost.said)
    data, regions = found["data"], found["regions"]["count"]
    print(f"{data['population']:,} people, {data['profiles']:,} profiles, each a record; the policy and three games\n")
    print("| on the wall, s | of all cores, s | peak, GB |\n|---|---|---|")
    print(f"| {cost.seconds:.1f} | {cost.cores:.1f} | {cost.mebibytes * 2**20 / 1e9:.2f} |\n")
    if regions < all_regions:
        whole = [seconds * all_regions / regions / 60 for seconds in (cost.seconds, cost.cores)]
        print(f"Extrapolated to all regions: {whole[0]:.1f} min on the wall, {whole[1]:.1f} min of all cores.")
    payoffs = ", ".join(f"{name} {of['publisher_payoff']:.2f}" for name, of in found["policies"].items())
    print(f"Mean payoffs, dollars: {payoffs}.")


def agree(regional: dict[str, Any], together: dict[str, Any]) -> None:
    """Stop if the sums of the regions are not those of all files together."""
    for name, row in together["policies"].items():
        for measure, one in row.items():
            other = regional["policies"][name].get(measure, one)  # only `compare` prints searched and optimal
            if one is not None and not isclose(one, other, rel_tol=1e-9):
                sys.exit(f"{name}, {measure}: {other} by region, {one} together")


# --- the files of the regions: everybody with a date of birth, a row for each distinct combination --------------------

TEXTS = {"zip": 0, "race": 2, "sex": 3}


def region_file(folder: Path, start: int) -> Path:
    """Return the file of the region that begins with this ZIP leaf."""
    return folder / f"{start:05}.parquet"


def write_regions(country: Country, chosen: list[tuple[int, int]], folder: Path) -> int:
    """Write the missing regions, each completely or not at all, and return the bytes of all."""
    folder.mkdir(parents=True, exist_ok=True)
    for start, stop in chosen:
        path = region_file(folder, start)
        if not path.exists():
            unfinished = path.with_suffix(".part")
            _write(country, start, stop, unfinished)
            unfinished.rename(path)
    return sum(region_file(folder, start).stat().st_size for start, _ in chosen)


def _write(country: Country, start: int, stop: int, path: Path) -> None:
    profiles, cells = country.born(start, stop)
    columns = {name: _texts(profiles.codes[:, place], country.dated[name].leaves) for name, place in TEXTS.items()}
    born = pa.array(profiles.codes[:, 1] + _first_day(country), pa.int32()).cast(pa.date32())
    table = {"zip": columns["zip"], "born": born, "race": columns["race"], "sex": columns["sex"]}
    pq.write_table(pa.table({**table, "people": pa.array(cells.people.astype(np.int32))}), path)


def _texts(codes: np.ndarray[tuple[int], np.dtype[np.int32]], leaves: tuple[str, ...]) -> pa.DictionaryArray:
    used, places = np.unique(codes, return_inverse=True)
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), pa.array([leaves[one] for one in used]))


def _first_day(country: Country) -> int:
    """Return the first date of birth, in days since 1970."""
    return (date(LAST_YEAR - country.shapes[0] + 1, 1, 1) - date(1970, 1, 1)).days


if __name__ == "__main__":
    main()
