"""A synthetic population of the size of the United States, as a file or as codes.

Some 33,000 ZIP codes over 900 three-digit prefixes, 121 ages, 5 races and 2 sexes: 309 million people, none of them
real. ZIP codes differ in size like those of the country, mixtures of races differ from prefix to prefix. Each ZIP code
has its own random generator, so that any part of the country can be made alone and is the same.

Run: ``python benchmarks/us_population.py us.parquet [--zips 33000] [--seed 2010]``
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from measure import ROOT

from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.generalization.files import read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.prefixes import PrefixRule

Ints = npt.NDArray[np.integer]

PEOPLE_PER_ZIP = 309_000_000 / 33_000
ZIPS_PER_PREFIX = 33_000 / 900
SPREAD = 1.2
"""Standard deviation of the logarithm of a ZIP code's size: half of them have fewer than 4,600 people."""
RACES = (0.74, 0.13, 0.06, 0.01, 0.06)
RACE_MIX = 8.0
"""How alike prefixes are in their races: the sum of a Dirichlet distribution's parameters."""
LAST_YEAR = 2009
"""Year of birth of age 0."""
REGION_LEVEL = 2
"""Level of the ZIP ladder that shows three digits."""
BLOCK = 256
"""ZIP codes that are made at a time."""


@dataclass(frozen=True, kw_only=True)
class Country:
    """The people of every place, drawn from a seed.

    Parameters
    ----------
    zips : number of ZIP codes; people and prefixes are in proportion.
    seed : of everything random.
    merged : whether the small three-digit prefixes are one group, as in the case study.
    """

    zips: int = 33_000
    seed: int = 2010
    merged: bool = True

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """Ladders of the case study, that of ZIP codes closed over those of this country."""
        ladders = {name: read_hierarchy(ROOT / "hierarchies" / name) for name in ("age.toml", "race.toml", "sex.toml")}
        zips = read_hierarchy(ROOT / "hierarchies" / "us_zip.toml")
        assert isinstance(zips, OpenHierarchy)
        assert isinstance(zips.rule, PrefixRule)
        zips = zips if self.merged else replace(zips, rule=replace(zips.rule, merge=()))
        age, race, sex = ladders.values()
        assert isinstance(age, Hierarchy)
        assert isinstance(race, Hierarchy)
        assert isinstance(sex, Hierarchy)
        return {"zip": zips.close(self._names()), "age": age, "race": race, "sex": sex}

    @cached_property
    def shapes(self) -> tuple[int, int, int]:
        """Ages, races and sexes."""
        ladders = self.hierarchies
        return len(ladders["age"].leaves), len(ladders["race"].leaves), len(ladders["sex"].leaves)

    @cached_property
    def sizes(self) -> Ints:
        """People of each ZIP code, in the order of its hierarchy: a fixed sum, at least one each."""
        random = np.random.default_rng([self.seed, 1])
        raw = random.lognormal(0.0, SPREAD, self.zips)
        share = raw / raw.sum()
        everybody = round(PEOPLE_PER_ZIP * self.zips)
        return 1 + random.multinomial(everybody - self.zips, share)

    def cells(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """Return the non-empty cells, (c, 4) int32 in order, and their people, (c,), of ZIP leaves start..stop-1."""
        ages, races, sexes = self.shapes
        counts = np.empty((stop - start, ages * races * sexes), np.int32)
        for place in range(start, stop):
            name = self.hierarchies["zip"].leaves[place]
            mix = np.random.default_rng([self.seed, 2, int(name[:3])]).dirichlet(np.array(RACES) * RACE_MIX)
            shares = np.multiply.outer(np.multiply.outer(_age_shares(ages), mix), np.full(sexes, 1 / sexes)).ravel()
            random = np.random.default_rng([self.seed, 3, int(name)])
            counts[place - start] = random.multinomial(int(self.sizes[place]), shares / shares.sum())
        zips, rest = np.nonzero(counts)
        codes = np.empty((len(zips), 4), np.int32)
        codes[:, 0] = zips + start
        codes[:, 1], codes[:, 2], codes[:, 3] = rest // (races * sexes), rest // sexes % races, rest % sexes
        return codes, counts[zips, rest]

    def blocks(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the cells of the whole country, some ZIP codes at a time, in order."""
        for start in range(0, self.zips, BLOCK):
            yield self.cells(start, min(start + BLOCK, self.zips))

    def coded(self) -> tuple[Ints, Ints]:
        """Return all cells in memory: codes, (c, 4) int32 in order, and people, (c,) int32."""
        parts = list(self.blocks())
        people = np.concatenate([part[1] for part in parts])
        codes = np.empty((len(people), 4), np.int32)
        start = 0
        while parts:
            part, _ = parts.pop(0)
            codes[start : start + len(part)] = part
            start += len(part)
        return codes, people

    def one_record_each(self, codes: Ints, people: Ints) -> tuple[Profiles, PopulationCells]:
        """Return distinct rows of codes, (q, a) in order, as one record each and as the population of ``people``."""
        return one_record_each(codes, people, self.hierarchies)

    @cached_property
    def dated(self) -> dict[str, Hierarchy]:
        """The same ladders with dates of birth for ages: date, month, year, 5, 15, 30 and 60 years."""
        return {**self.hierarchies, "age": birth_dates(self.shapes[0])}

    @cached_property
    def regions(self) -> list[tuple[int, int]]:
        """First ZIP leaf of each group with the same three digits, and the leaf after its last."""
        groups = self.hierarchies["zip"].groups[REGION_LEVEL]
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        return list(pairwise([*starts.tolist(), self.zips]))

    def born(self, start: int, stop: int) -> tuple[Profiles, PopulationCells]:
        """Return the people of a region with dates of birth: distinct rows, one record each, and their people."""
        ages, races, sexes = self.shapes
        codes, people = self.cells(start, stop)
        random = np.random.default_rng([self.seed, 4, start])
        first = np.array(
            [(date(LAST_YEAR - age, 1, 1) - date(LAST_YEAR - ages + 1, 1, 1)).days for age in range(-1, ages)]
        )
        length = -np.diff(first)
        age = np.repeat(codes[:, 1], people)
        day = first[1:][age] + (random.random(len(age)) * length[age]).astype(np.int64)
        rest = np.repeat(codes[:, 2] * sexes + codes[:, 3], people)
        key = np.repeat(codes[:, 0].astype(np.int64), people) * int(first[0]) + day
        key, counts = np.unique(key * (races * sexes) + rest, return_counts=True)
        rows = np.empty((len(key), 4), np.int32)
        rows[:, 0], rows[:, 1] = key // (races * sexes) // int(first[0]), key // (races * sexes) % int(first[0])
        rows[:, 2], rows[:, 3] = key // sexes % races, key % sexes
        return one_record_each(rows, counts, self.dated)

    def _names(self) -> Sequence[str]:
        """Return the ZIP codes: prefixes at even distances, those of few people among them, any two last digits."""
        random = np.random.default_rng([self.seed, 0])
        prefixes = max(1, min(999, round(self.zips / ZIPS_PER_PREFIX)))
        of_prefix = np.minimum(random.multinomial(self.zips, random.dirichlet(np.full(prefixes, 4.0))), 100)
        while (left := self.zips - int(of_prefix.sum())) > 0:
            roomy = np.flatnonzero(of_prefix < 100)
            of_prefix[random.choice(roomy, min(left, len(roomy)), replace=False)] += 1
        first = 1 + np.arange(prefixes) * 999 // prefixes
        return [
            f"{prefix:03d}{last:02d}"
            for prefix, count in zip(first.tolist(), of_prefix.tolist(), strict=True)
            for last in sorted(random.choice(100, count, replace=False).tolist())
        ]


def one_record_each(codes: Ints, people: Ints, hierarchies: dict[str, Hierarchy]) -> tuple[Profiles, PopulationCells]:
    """Return distinct rows of codes, (q, a) int32 in order, as a record each and as the population; none is copied."""
    missing = codes == np.array([len(hierarchy.leaves) for hierarchy in hierarchies.values()], np.int32)
    of_record, records = np.arange(len(codes), dtype=np.int32), np.ones(len(codes), np.int32)
    for array in (codes, missing, of_record, records):
        array.setflags(write=False)
    profiles = Profiles(codes=codes, of_record=of_record, records=records, missing=missing)
    return profiles, PopulationCells(codes=codes, people=people, missing=missing.any(axis=0))


def birth_dates(years: int) -> Hierarchy:
    """Return the ladder of all dates of ``years`` years up to ``LAST_YEAR``."""
    first = LAST_YEAR - years + 1
    rows = []
    for number in range(date(first, 1, 1).toordinal(), date(LAST_YEAR, 12, 31).toordinal() + 1):
        day = date.fromordinal(number)
        begins = [first + (day.year - first) // width * width for width in (5, 15, 30, 60)]
        spans = [f"[{begin}+{width}]" for begin, width in zip(begins, (5, 15, 30, 60), strict=True)]
        rows.append([day.isoformat(), day.isoformat()[:7], str(day.year), *spans, "*"])
    return Hierarchy.from_rows(rows, name="birth date")


def write(country: Country, path: Path) -> None:
    """Write columns zip, age, race, sex and count as Parquet, block by block."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    ladders = country.hierarchies
    leaves = {name: pa.array(ladder.leaves) for name, ladder in ladders.items()}
    words = pa.dictionary(pa.int32(), pa.string())
    kinds = {"zip": words, "age": pa.int16(), "race": words, "sex": words, "count": pa.int32()}
    with pq.ParquetWriter(path, pa.schema(kinds.items())) as writer:
        for codes, people in country.blocks():
            columns = {
                name: pa.array(codes[:, place].astype(np.int16))
                if name == "age"
                else pa.DictionaryArray.from_arrays(pa.array(np.ascontiguousarray(codes[:, place])), leaves[name])
                for place, name in enumerate(ladders)
            }
            writer.write_table(pa.table({**columns, "count": pa.array(people)}, schema=pa.schema(kinds.items())))


def _age_shares(ages: int) -> npt.NDArray[np.float64]:
    """Return how common each age is: level up to some 50, falling fast beyond 80."""
    age = np.arange(ages)
    return 1 / (1 + np.exp((age - 74) / 8.5)) + 1e-7


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--zips", type=int, default=33_000)
    parser.add_argument("--seed", type=int, default=2010)
    options = parser.parse_args()
    write(Country(zips=options.zips, seed=options.seed), options.path)


if __name__ == "__main__":
    main()
