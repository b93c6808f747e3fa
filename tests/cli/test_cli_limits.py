"""The section [limits] on the command line: output, files, and refused questions."""

import json
import tomllib

import pandas as pd
import pytest
from small_world import ALONE, gamedeid_prints, gamedeid_says, small_world
from tampering import change_json

FEW = "limits.expected_reidentifications=0.25"


def sets(*changes: str) -> list[str]:
    return [word for change in changes for word in ("--set", change)]


def groups(keys: str) -> str:
    return f"limits.groups={{{keys}}}"


TWO = ("recipients.a.gain=90", "recipients.b={probability = 0.5, knows = ['sex'], cost = 0.5}")


@pytest.mark.parametrize(
    ("limit", "recipients"),
    [
        (FEW, ()),
        ("limits.list_price=10", ()),
        ("limits.uniform=true", ()),
        ('limits.uniform=["sex"]', ()),
        (groups('column="sex",least=1,information_loss=0.1'), ()),
        (groups('column="age",level=1,least=2,attacked=0.25'), ()),
        *((limit, TWO) for limit in (FEW, "limits.list_price=10", "limits.record_risk=0.4", "limits.attacked=0.3")),
    ],
)
def test_a_release_within_limits_verifies_and_names_the_unchecked_limits(tmp_path, limit, recipients):
    question, asked = small_world(tmp_path), sets(limit, *recipients)
    assert 0 == gamedeid_says("run", question, *asked, "-o", tmp_path / "out").code

    said = gamedeid_prints("verify", "--verbose", tmp_path / "out", question, *asked)

    assert "no other strategies within the limits are looked for" in said
    assert not recipients or "1 limit on the whole dataset" in said


def test_a_strategy_for_each_record_keeps_cells_large_enough_and_verifies(tmp_path):
    question, cells = small_world(tmp_path), ("--set", "limits.smallest_cell=2")
    assert "released records, at least 2 demanded" in gamedeid_prints("run", question, *cells, "-o", tmp_path / "out")

    gamedeid_prints("verify", "--verbose", tmp_path / "out", question, *cells)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())["limits"]
    assert summary["asked"]["smallest_cell"]["reached"] >= 2
    assert summary["proved"]


def test_each_recipient_pays_for_a_separate_list(tmp_path):
    said = gamedeid_says("run", small_world(tmp_path), *sets("limits.list_price=10", *TWO), "--json")

    reached = json.loads(said.out)["limits"]["asked"]["list_price"]["reached"]
    recipients, records = json.loads(said.out)["recipients"].values(), 4
    # the mean gain of each, divided by its probability
    gains = [records * one["adversary_payoff"] / one["probability"] for one in recipients]
    assert 0 < reached <= 10
    assert reached == pytest.approx(max(gains))


def test_a_limit_between_groups_of_a_kept_column_is_kept_shown_and_verified(tmp_path):
    question, out = small_world(tmp_path), tmp_path / "out"
    limit = ("--set", 'limits.groups={column="income",least=1,information_loss=0.2,attacked=0.9}')
    income = pd.read_csv(tmp_path / "records.csv", dtype=str)["income"]

    said = gamedeid_prints("run", question, *limit, "-o", out)

    means = pd.read_csv(out / "strategies.csv")[["information_loss", "attacked"]].astype(float).groupby(income).mean()
    asked = json.loads((out / "summary.json").read_text())["limits"]["asked"]
    for name in ("information_loss", "attacked"):
        reached = asked[f"groups.{name}"]["reached"]
        assert reached == pytest.approx(means[name].max() - means[name].min(), abs=1e-12)
        assert reached <= asked[f"groups.{name}"]["limit"] + 1e-9
    assert "Limit groups.attacked: the share attacked differs by" in said
    assert "efficient strategies" in (out / "report.html").read_text()
    assert "2 limits on the whole dataset" in gamedeid_says("verify", "--verbose", out, question, *limit).out


def test_words_for_a_missing_value_are_one_group_of_a_kept_column_with_the_empty_text(tmp_path):
    records = tmp_path / "records.csv"
    question, out = small_world(tmp_path), tmp_path / "out"
    income = ["17", "17", "", "unknown"]
    pd.read_csv(records, dtype=str).assign(income=income).to_csv(records, index=False)
    limit = sets('limits.groups={column="income",least=1,information_loss=0}', 'records.missing_values=["unknown"]')

    gamedeid_prints("run", question, *limit, "--no-report", "-o", out)

    lost = pd.read_csv(out / "strategies.csv")["information_loss"]
    assert lost[2] != lost[3]
    assert lost[:2].mean() == pytest.approx(lost[2:].mean(), abs=1e-12)
    assert "1 limit on the whole dataset" in gamedeid_says("verify", "--verbose", out, question, *limit).out


PERSONS = 'records={path="records.csv",person="name",keep=["income"]}'


def test_people_with_rows_in_several_groups_form_a_group(tmp_path):
    question, out, records = small_world(tmp_path, scenario=ALONE), tmp_path / "out", tmp_path / "records.csv"
    ages = [40, 50, 40, 51, 50, 51, 40, 41]
    pd.DataFrame({"name": list("aabbcdef"), "age": ages, "sex": "Male", "income": 1}).to_csv(records, index=False)
    limit = 'limits.groups={column="age",level=1,least=2,information_loss=0.9}'
    asked = sets(limit, PERSONS, "payoffs.cost=100")  # no attack pays

    gamedeid_prints("run", question, *asked, "--no-report", "-o", out)

    done = pd.read_csv(out / "strategies.csv")  # a and b are in both pairs of ages
    reached = json.loads((out / "summary.json").read_text())["limits"]["asked"]["groups.information_loss"]["reached"]
    assert [2] * 4 + [0] * 4 == done["age"].tolist()
    assert done["information_loss"][0] == pytest.approx(reached)
    assert "1 limit on the whole dataset" in gamedeid_prints("verify", "--verbose", out, question, *asked)


def test_people_whose_rows_differ_share_no_strategy_with_those_of_the_first_value(tmp_path):
    question, out, records = small_world(tmp_path, scenario=ALONE), tmp_path / "out", tmp_path / "records.csv"
    ages, sexes = [40, 50] * 3 + [40] * 3, ["Male"] * 6 + ["Female", "Male", "Male"]
    pd.DataFrame({"name": list("aabbccdef"), "age": ages, "sex": sexes, "income": 1}).to_csv(records, index=False)
    asked = sets('limits.uniform=["age"]', PERSONS, "payoffs.cost=30")  # three people are not worth an attack

    gamedeid_prints("run", question, *asked, "--no-report", "-o", out)

    # without sex, people of 40 form one group; a, b and c, released without age, are five men with e and f
    done = pd.read_csv(out / "strategies.csv")
    assert [(2, 0)] * 6 + [(0, 1)] * 3 == list(zip(done["age"], done["sex"], strict=True))
    assert not done["attacked"].any()


@pytest.mark.parametrize(
    ("limit", "stated", "says"),
    [
        (
            FEW,
            "limits.expected_reidentifications=0.125",
            "expected_reidentifications is 0.125, and the release has 0.25",
        ),
        (
            "limits.attacked=1",
            groups('column="income",least=1,information_loss=0.0'),
            "groups.information_loss is 0, and the release has",
        ),
    ],
)
def test_verify_finds_a_release_beyond_a_limit(tmp_path, limit, stated, says):
    question, out = small_world(tmp_path), tmp_path / "out"
    gamedeid_prints("run", question, *sets(limit), "-o", out, "--no-report")
    change_json(out, "manifest.json", lambda manifest: manifest["scenario"].update(tomllib.loads(stated)))
    said = gamedeid_says("verify", "--verbose", out, question, *sets(stated))

    assert (3, True) == (said.code, f"the limit {says}" in said.out)


@pytest.mark.parametrize("also", [(), ("--set", "recipients.b.probability=0.5", "--set", "recipients.a.cost=9")])
def test_a_frontier_marks_the_release_within_limits_and_is_otherwise_unchanged(scenario, tmp_path, also):
    free = gamedeid_says("frontier", scenario, *also, "--json")
    limits = ("--set", "limits.expected_reidentifications=0.25")
    said = gamedeid_prints("frontier", scenario, *also, *limits, "--json", "-o", tmp_path / "out")

    limited, without = json.loads(said), json.loads(free.out)
    there = limited["releases"].pop("within limits")
    assert without == limited
    assert 0 < there["expected_reidentifications"] <= 0.25
    assert there["publisher_payoff"] < limited["releases"]["basic"]["publisher_payoff"]
    assert "within limits" in (tmp_path / "out" / "frontier.svg").read_text()
    assert "Within limits" in gamedeid_says("frontier", scenario, *also, *limits).out
