"""The records of one person, the groups on which they agree, and the counts of such people."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from contract_cases import rows_of
from planted_tokens import TOKEN, assert_frame_bare
from questions import message, question

from gamedeid.analysis.breakpoints import breakpoints
from gamedeid.analysis.comparison import compare
from gamedeid.analysis.sweep import sweep
from gamedeid.choices import GAMES
from gamedeid.data.columns import to_column
from gamedeid.data.persons import number_persons, profiles_of_people
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.game.policies import find_restricted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.intake.identifiers.releases import check_release
from gamedeid.population.estimates import people_by_class
from gamedeid.progress import no_progress
from gamedeid.report.words.run import person_words
from gamedeid.risk.diversity import check_kept_columns
from gamedeid.risk.matches import exposure
from gamedeid.study.applied import finished_study
from gamedeid.study.facts import read_facts
from gamedeid.study.regional import RegionalStudy
from gamedeid.study.release import draw_pseudonyms
from gamedeid.study.solve import solve
from gamedeid.study.study import Study
from gamedeid.verification.verify import verify

FRUIT = Hierarchy.from_rows(
    [
        ["apple", "pome", "fruit", "*"],
        ["pear", "pome", "fruit", "*"],
        ["plum", "stone", "fruit", "*"],
        ["kale", "leaf", "green", "*"],
    ],
    name="fruit",
)
VISITS = {
    "who": ["b", "a", "b", "c", "a", "d"],
    "age": [34, 50, 36, 34, 50, 50],
    "sex": ["Male", "Female", "Male", "Male", "Female", "Female"],
    "ward": [1, 2, 3, 4, 5, 6],
}
MANY = {name: [values[0]] * 1000 for name, values in VISITS.items()}
QUESTION = question({"records.person": "who", "records.keep": ["ward"]})


@pytest.fixture(name="study", scope="module")
def _study() -> Study:
    return Study.prepare(QUESTION, pd.DataFrame(VISITS))


@pytest.mark.parametrize(
    ("values", "floor", "label"),
    [
        (["apple", "apple"], 0, "apple"),
        (["apple", "pear"], 1, "pome"),
        (["pear", "plum", "pear"], 2, "fruit"),
        (["pear", "kale"], 3, "*"),
        (["plum", None], 3, "*"),
        ([None, "plum"], 3, "*"),
        (["kale"], 0, "kale"),
    ],
)
def test_rows_agree_from_the_least_level_at_which_they_are_in_one_group(values, floor, label):
    codes = np.array([[4 if value is None else FRUIT.code(value)] for value in values])
    profiles, persons = profiles_of_people(codes, np.zeros(len(values), np.int64), {"fruit": FRUIT})

    assert 1 == profiles.count == persons.count
    assert floor == (0 if profiles.floors is None else profiles.floors[0, 0])
    assert label == FRUIT.label(floor, int(profiles.codes[0, 0]))
    assert {"fruit": int(floor > 0)} == persons.differing


def test_rows_that_all_lack_a_value_agree_that_it_is_missing():
    profiles, persons = profiles_of_people(np.array([[4], [4]]), np.array([0, 0]), {"fruit": FRUIT})

    assert [[True]] == profiles.missing.tolist()
    assert (None, {"fruit": 0}) == (profiles.floors, persons.differing)


def test_a_column_that_marks_classes_is_not_an_attribute_in_which_records_differ():
    hierarchies = {"fruit": FRUIT, "class": Hierarchy.fixed(["0", "1"], name="class")}
    _, persons = profiles_of_people(np.array([[0, 1], [1, 1]]), np.array([0, 0]), hierarchies)

    assert {"fruit": 1} == persons.differing


def test_people_are_numbered_in_the_order_of_their_first_rows_whatever_their_keys():
    keys = pa.chunked_array([pa.array([7.0, 3.0]), pa.array([7.0, 12.5, 3.0])])

    assert [0, 1, 0, 2, 1] == number_persons(
        to_column(keys, "who", "records", missing_values=()), "who", "records"
    ).tolist()
    texts = pa.chunked_array([pa.array([" 7", "007", "7 "])])
    assert [0, 1, 0] == number_persons(to_column(texts, "who", "records", missing_values=()), "who", "records").tolist()


@pytest.mark.parametrize("missing", [None, "", "NA"])
def test_a_record_without_a_key_is_not_a_person(missing):
    frame = pd.DataFrame({**VISITS, "who": ["b", missing, "b", "c", missing, "d"]})

    assert "records: column `who` has no value in 2 rows (first in row 2)" in message(
        InvalidDataError,
        Study.prepare,
        question({"records.person": "who", "records.keep": ["ward"], "records.missing_values": ["NA"]}),
        frame,
    )


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_is_released_as_its_kind_with_pseudonyms_before_all_and_without_the_keys(make):
    pattern = "^.*$"  # which is the name of a column, and to Polars a pattern too
    frame = make({**VISITS, "who": [f"{TOKEN}-{key}" for key in VISITS["who"]], pattern: VISITS["ward"]})
    solution = solve(question({"records.person": "who", "records.keep": ["ward", pattern]}), frame)
    released = solution.release(keep_order=True)

    assert type(released) is type(frame)
    assert_frame_bare(released)
    assert TOKEN not in repr((solution, solution.study, solution.study.persons))
    rows = rows_of(released)
    assert ["person", "age", "sex", "ward", pattern] == list(rows[0])
    people = [row["person"] for row in rows]
    assert people[0] == people[2]
    assert people[1] == people[4]
    assert [1, 2, 3, 4] == sorted(set(people))
    assert rows == pa.concat_tables(solution.release_blocks(keep_order=True)).to_pylist()


def test_one_person_alone_is_the_person_with_all_records(study):
    whole = solve(study, game="basic")

    for record in range(6):
        alone = solve(study.alone(record=record), game="basic")
        place = study.instance.profiles.of_record[record]
        assert alone.levels[0].tolist() == whole.levels[place].tolist()
        assert alone.people[0] == whole.people[place]
        assert ["age", "sex", "ward"] == list(alone.release().columns)
    assert "numbered from 0 to 5" in message(InvalidScenarioError, study.alone, record=6)


def test_people_with_equal_records_get_only_the_sentence_on_counting(study):
    alike = Study.prepare(QUESTION, pd.DataFrame({**VISITS, "age": [34, 50, 34, 34, 50, 50]}))

    differing, counted = (person_words(read_facts(one)) for one in (study, alike))
    assert counted == [words for words in differing if "differ" not in words]
    assert len(counted) == len(differing) - 1


def test_a_person_who_moves_is_in_no_small_prefix():
    scenario = question(
        {
            "records.person": "who",
            "attributes": {"zip": {"hierarchy": "zip"}, "sex": {"hierarchy": "sex"}},
            "policy.safe-harbor": {"zip_populations": "population", "limit": 2},
        }
    )
    zips = ["38363", "38363", "38362", "38363", "38363", "37010", "37010", "37010"]
    frame = pd.DataFrame({"who": list("aabcddef"), "zip": zips, "sex": ["Male"] * 8})
    study = Study.prepare(scenario, frame)

    # of 383 are a, b and c; d has lived in 383 and in 370, where e and f are
    restricted = find_restricted(scenario, study.instance.hierarchies, study.population.cells)
    assert frozenset({"370"}) == restricted(["383", "370"])


def test_kept_columns_are_judged_by_the_values_of_each_row():
    rows = 60
    frame = pd.DataFrame(
        {
            "who": [row // 2 for row in range(rows)],
            "age": [40 + row % 2 for row in range(rows)],
            "sex": ["Male"] * rows,
            "visit": [f"at {40 + row % 2}" for row in range(rows)],
        }
    )
    study = Study.prepare(question({"records.person": "who", "records.keep": ["visit"]}), frame)
    found = check_kept_columns(solve(study, game="basic"))

    assert [("visit", "gives back", "age", 1.0)] == [
        (one.column, one.why, one.attribute, one.share) for one in found.warnings
    ]


def test_an_exposed_person_is_counted_once(study):
    for whose in ("population", "records"):
        found = exposure(study, "raw", whose=whose)
        assert 4 == found.released
        assert [1, 2, 2] == sorted(found.people.tolist())  # 34: no other person; [30-44], for 34 and 36: two; 50: two


def test_seeds_draw_pseudonyms_that_share_nothing_but_their_range():
    persons = Study.prepare(QUESTION, pd.DataFrame({**MANY, "who": list(range(1000))})).persons
    assert persons is not None
    everybody = np.ones(1000, np.bool_)
    one, same, other = (
        draw_pseudonyms(persons, everybody, np.random.default_rng(seed), ranks=None) for seed in (1, 1, 2)
    )

    assert one.tolist() == same.tolist()
    assert list(range(1, 1001)) == sorted(one.tolist()) == sorted(other.tolist())
    assert (one == other).sum() < 10  # one on average by chance
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.15
    assert abs(np.corrcoef(one, np.arange(1000))[0, 1]) < 0.15  # nor with the order of the keys


def test_pseudonyms_take_nothing_from_the_keys():
    frame = pd.DataFrame(VISITS)
    other = frame.assign(who=frame["who"].map({"b": "1", "a": "77", "c": "zz", "d": "0"}))

    assert solve(QUESTION, frame).release().equals(solve(QUESTION, other).release())


def test_people_who_are_withheld_have_no_pseudonym_and_leave_no_gap(study):
    assert study.persons is not None
    released = np.array([True, False, True, False, False, True])
    drawn = draw_pseudonyms(study.persons, released, np.random.default_rng(0), ranks=None)

    assert [0, 0] == drawn[[1, 3]].tolist()
    assert {1, 2} == set(drawn[released].tolist())


def test_people_whose_records_differ_are_refused_by_regions(study):
    asked = RegionalStudy(
        scenario=question({"regions": {"attribute": "age", "level": 2}}),
        hierarchies=study.instance.hierarchies,
        regions={"here": lambda: (study.instance.profiles, study.population.cells)},
        policy=None,
        repeated_keys=(),
        inputs=study.inputs,
        workers=1,
    )

    said = "region `here`: people whose records differ cannot be solved region by region; solve them together"
    assert said == message(InvalidDataError, asked.solve)


def test_the_population_of_a_sample_is_estimated_from_persons():
    sample = question({"records.person": "who", "records.keep": ["ward"], "population.sampling_fraction": 0.25})
    study = Study.prepare(sample, pd.DataFrame(VISITS))
    raw = study.instance.people(study.instance.all_profiles, study.instance.lattice.nodes(study.instance.base))
    estimated = people_by_class(0.25, 4)

    assert 16 == study.people
    assert sorted(estimated[[1, 2, 2]].tolist()) == sorted(raw.tolist())  # classes of one, two and two people


def test_sweeps_count_people_too(study):
    swept = sweep(study, ["loss=50:130:3"]).columns
    exact = breakpoints(study, "loss", low=60, high=120).columns

    for place, (policy, loss) in enumerate(zip(swept["policy"], swept["loss"], strict=True)):
        if policy in GAMES and loss == 90:
            found = solve(study, game=policy).measures
            assert found["publisher_payoff"] == pytest.approx(swept["publisher_payoff"][place])
            assert found["attacked"] == swept["attacked"][place]
    assert set(GAMES) <= set(exact["policy"])
    assert 4 == compare(study).rows[0]["records"]


def test_identifiers_are_searched_in_the_values_of_each_record(monkeypatch):
    monkeypatch.setattr("gamedeid.study.rows_at_start.TABLE_ROWS", 5)  # of more records than are read at a time
    values = [f"{number}" for number in range(10)] + [f"somebody{number}@example.org" for number in range(10)]
    ladder = Hierarchy.from_rows([[value, "*"] for value in values], name="contact")
    asked = question({"records.person": "who", "attributes.contact": {"hierarchy": ladder, "role": "other"}})
    rows = {"who": [row % 10 for row in range(20)], "contact": values, "age": [40] * 20, "sex": ["Male"] * 20}

    # no person's records agree on a contact: in the profiles only the first one, a number, would be found
    found = check_release(Study.prepare(asked, pd.DataFrame(rows))).findings
    assert [("contact", "e-mail addresses", 0.5)] == [(one.column, one.kind, one.share) for one in found]


def test_a_single_person_is_written_and_kept_columns_are_searched(tmp_path):
    rows = {"who": ["a", "a", "b"], "age": [40, 41, 40], "sex": ["Male"] * 3, "ward": ["1", "2", "3"]}
    study = Study.prepare(question({"records.person": "who", "records.keep": ["ward"]}), pd.DataFrame(rows))
    for record in (0, 2):  # of a person whose rows differ, and of one with one row
        solve(study.alone(record=record), game="basic").write(tmp_path / str(record), report=False)

        assert [record + 1] == pd.read_csv(tmp_path / str(record) / "release.csv")["ward"].tolist()


def test_a_folder_about_one_person_says_so_and_is_verified_by_its_digests(tmp_path):
    pd.DataFrame({"who": ["a", "a", "b"], "age": [40, 41, 40], "sex": ["Male"] * 3}).to_csv(
        tmp_path / "r.csv", index=False
    )
    asked = question({"records.person": "who", "records.path": str(tmp_path / "r.csv")})
    study, out = Study.prepare(asked), tmp_path / "out"
    for person in ({"record": 1}, {"values": {"age": 40, "sex": "Male"}}):
        solve(study.alone(**person), game="basic").write(out, overwrite=True)
        found = verify(out, asked)

        assert not found.findings
        assert "about one person: digests only" in " ".join(one.why for one in found.unchecked)
        with pytest.raises(InvalidScenarioError, match="is about one person"):
            finished_study(out, asked, operation=None, progress=no_progress)
