"""What may be published of each record."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from contract_cases import rows_of
from depth import tries
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from questions import question

from gamedeid import Study, solve
from gamedeid.results.tables import write_blocks
from gamedeid.study.release import release_answer


def at(study, levels, withheld=()):
    """Return the release with these levels for each record, in input order, some records withheld."""
    profiles = study.instance.profiles
    chosen = np.zeros((profiles.count, len(study.instance.hierarchies)), np.int64)
    left_out = np.zeros(profiles.count, np.bool_)
    chosen[profiles.of_record] = levels
    left_out[profiles.of_record] = [record in withheld for record in range(len(profiles.of_record))]
    return chosen, left_out


def released_table(study, levels, withheld):
    """Return the release as one Arrow table."""
    return pa.concat_tables(study.rows.blocks(release_answer(study, levels, withheld)))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_withheld_records_are_absent_and_the_order_is_kept(make):
    rows = {"note": ["a", "b", "c", "d"], "age": [3, 1, 3, 2], "sex": ["Male"] * 4}
    study = Study.prepare(question({"records.keep": ["note"]}), make(rows))
    profiles = study.instance.profiles
    levels, withheld = np.full((profiles.count, 2), (0, 1)), profiles.records == 2
    released = study.rows.frame(release_answer(study, levels, withheld))

    assert type(make(rows)) is type(released)
    assert [{"note": "b", "age": "1", "sex": "*"}, {"note": "d", "age": "2", "sex": "*"}] == rows_of(released)


def test_records_of_a_file_are_released_as_pandas(tmp_path):
    (tmp_path / "people.csv").write_text("note,age,sex,name\n007,48,Male,Ann\n")
    changes = {"records.path": "people.csv", "records.keep": ["note"], "records.drop": ["name"]}
    released = solve(question(changes, folder=tmp_path)).release(keep_order=True)

    assert {"note": ["007"], "age": ["48"], "sex": ["Male"]} == released.to_dict("list")


def test_columns_that_are_dropped_and_an_index_do_not_leave_and_the_frame_that_was_handed_over_stays():
    frame = pd.DataFrame({"age": [48], "name": ["secret"], "sex": ["Male"]}, index=pd.Index(["secret"], name="patient"))
    before = frame.copy()
    released = solve(question({"records.drop": ["name"]}), frame).release(keep_order=True)

    assert ["age", "sex"] == list(released.columns)
    assert "secret" not in released.reset_index().to_csv()
    pd.testing.assert_frame_equal(before, frame)


any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
quick = settings(
    max_examples=tries(20, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(notes=st.lists(any_text, min_size=1, max_size=6))
def test_kept_columns_are_released_unchanged(tmp_path, notes):
    path = tmp_path / "people.csv"
    with path.open("wb") as stream:
        write_blocks([{"note": notes, "age": ["48"] * len(notes), "sex": ["Male"] * len(notes)}], stream, "csv")
    scenario = question({"records.path": "people.csv", "records.keep": ["note"]}, folder=tmp_path)
    study = Study.prepare(scenario)
    released = released_table(study, *at(study, [[0, 0]] * len(notes)))
    again = io.BytesIO()
    write_blocks([released], again, "csv")

    assert notes == released.column("note").to_pylist()
    assert path.read_bytes() == again.getvalue()


@quick
@given(data=st.data())
def test_what_is_published_is_the_label_at_the_chosen_level(data):
    rows = data.draw(
        st.lists(st.tuples(st.integers(0, 120), st.sampled_from(["Male", "Female"])), min_size=1, max_size=9)
    )
    level = st.tuples(st.integers(0, 5), st.integers(0, 1))
    chosen = {row: data.draw(level) for row in set(rows)}
    out = {row for row in set(rows) if data.draw(st.booleans())}
    study = Study.prepare(question(), pa.table({"sex": [sex for _, sex in rows], "age": [age for age, _ in rows]}))
    withheld = [record for record, row in enumerate(rows) if row in out]
    released = released_table(study, *at(study, [chosen[row] for row in rows], withheld=withheld))

    age, sex = study.instance.hierarchies["age"], study.instance.hierarchies["sex"]
    expected = [
        {"age": age.label(chosen[row][0], age.code(row[0])), "sex": sex.label(chosen[row][1], sex.code(row[1]))}
        for row in rows
        if row not in out
    ]
    assert expected == released.to_pylist()
