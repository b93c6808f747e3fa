"""`verify` counts the records that match for recipients who know kept columns: honest folders pass, others fail."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_worlds import LADDERS, RECIPIENTS, ROWS, scenario
from tampering import at_strategy, change_json

from gamedeid import Scenario, solve, verify

RECORDS = pd.DataFrame(
    [
        {"age": age, "sex": sex, "time": time, "drug": drug}
        for age, sex, times in (("20", "F", "1122"), ("21", "F", "1112"), ("34", "M", "123"))
        for time, drug in zip(times, "abab", strict=False)
    ]
)


def written(folder, recipients, records=RECORDS, people=None, **more) -> Scenario:
    """Return a question whose tables are written into a folder."""
    asked = scenario(recipients, **more)
    records.to_csv(folder / "records.csv", index=False)
    asked["records"] = {**asked["records"], "path": str(folder / "records.csv")}
    if people is not None:
        people[list(LADDERS)].to_csv(folder / "people.csv", index=False)
        asked["population"] = {"path": str(folder / "people.csv")}
    return Scenario.parse(asked)


@given(
    records=ROWS,
    others=ROWS,
    known=st.sets(st.sampled_from(sorted(RECIPIENTS)), min_size=1),
    own=st.booleans(),
    how=st.sampled_from([("basic", {}), ("no-attack", {}), ("basic", {"limits": {"smallest_cell": 2}})]),
)
def test_an_honest_folder_of_any_small_world_passes(tmp_path_factory, records, others, known, own, how):
    folder, (game, more) = tmp_path_factory.mktemp("world"), how
    rows = pd.DataFrame(records).astype({"time": object}).replace({"time": {3: None}})
    recipients = {name: one for name, one in RECIPIENTS.items() if name in known}
    asked = written(folder, recipients, rows, None if own else pd.DataFrame([*records, *others]), **more)
    solve(asked, game=game).write(folder / "out", report=False)
    found = verify(folder / "out", asked)

    assert () == found.findings
    knowing = {name for name in known if "time" in RECIPIENTS[name]["knows"]}
    before = "the records that share the kept values known to the recipient "
    assert {f"{before}{name}" for name in knowing} == {one for one in found.checked if one.startswith(before)}
    assert "the people who match" not in {one.what for one in found.unchecked}


@pytest.mark.parametrize("knew", [["age", "sex"], ["age", "sex", "time", "drug"]])
def test_a_run_against_one_who_knows_other_kept_columns_than_it_claims_is_found(tmp_path, knew):
    claimed = ["age", "sex", "time"]
    solve(written(tmp_path, {"registry": {"knows": knew}})).write(tmp_path / "out", report=False)
    change_json(
        tmp_path / "out",
        "manifest.json",
        lambda manifest: manifest["scenario"]["recipients"]["registry"].update(knows=claimed),
    )
    findings = verify(tmp_path / "out", written(tmp_path, {"registry": {"knows": claimed}})).findings

    assert ("strategies.csv", "success_probability") in {(one.file, one.column) for one in findings}


def test_a_record_at_a_worse_strategy_with_everything_computed_anew_is_found(tmp_path):
    asked = written(tmp_path, {"registry": RECIPIENTS["registry"]})
    solution = solve(asked)
    top = solution.study.instance.lattice.most_general
    at_strategy(solution, int(np.flatnonzero(solution.choice.nodes != top)[0]), top).write(
        tmp_path / "out", report=False
    )
    findings = verify(tmp_path / "out", asked).findings

    assert {("strategies.csv", "publisher_payoff")} == {(one.file, one.column) for one in findings}
    assert findings[0].says.startswith("a permitted strategy pays the publisher more")
