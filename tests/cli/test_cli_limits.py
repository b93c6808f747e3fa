"""The section [limits] on the command line: what is said, what is written, and what is refused."""

import json
from pathlib import Path

import pandas as pd
import pytest
from small_world import gamedeid_says, small_world

FEW = "limits.expected_reidentifications=0.25"


def test_a_run_within_limits_says_what_each_came_to_and_what_they_cost(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", FEW)

    # 51, Female pays 55 as she is, attacked at 1/2; as [50-51], Female she pays 66.67 - 90 / 4, attacked at 1/4
    assert "expected_reidentifications: 0.25 expected re-identifications, at most 0.25 allowed; one more" in said.out
    assert "The limits cost $10.83 of total payoff ($2.71 per record); no strategies within them pay more." in said.out
    assert 0 == said.code


def test_the_summary_has_the_limits_and_the_manifest_what_was_asked(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", FEW, "-o", tmp_path / "out")

    assert 0 == said.code, said
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    limit = summary["limits"]["asked"]["expected_reidentifications"]
    assert {"expected_reidentifications": 0.25} == manifest["scenario"]["limits"]
    assert (0.25, 0.25, True) == (limit["limit"], limit["reached"], limit["binding"])
    assert 0.25 == summary["measures"]["expected_reidentifications"]


def test_limits_that_contradict_each_other_say_which_and_the_nearest(tmp_path: Path) -> None:
    question = small_world(tmp_path)
    said = gamedeid_says("run", question, "--set", FEW, "--set", "limits.publisher_payoff=70", "-o", tmp_path / "out")

    assert 2 == said.code
    assert "limits: publisher_payoff = 70 cannot be met" in said.complaint
    assert "can be met: expected_reidentifications = 0.5 or publisher_payoff = 69.375" in said.complaint
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["sweep", "solvers"])
def test_what_does_not_know_of_limits_refuses_them(tmp_path: Path, command: str) -> None:
    more = {"sweep": ("--vary", "loss=10,20"), "solvers": ()}[command]
    said = gamedeid_says(command, small_world(tmp_path), *more, "--set", FEW)

    assert 2 == said.code
    assert "does not take limits on the whole dataset" in said.complaint


def test_the_game_aware_no_attack_refuses_limits(tmp_path: Path) -> None:
    said = gamedeid_says(
        "run", small_world(tmp_path), "--set", FEW, "--game", "aware-no-attack", "-o", tmp_path / "out"
    )

    assert 2 == said.code
    assert "limits: a game of the whole population does not take limits" in said.complaint
    assert not (tmp_path / "out").exists()


def test_another_solver_than_exact_is_refused(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", FEW, "--solver", "lattice-search")

    assert 2 == said.code
    assert (
        "limits: a solver other than exact does not take limits on the whole dataset; use the solver exact"
        == said.complaint
    )


@pytest.mark.parametrize("value", ["-1", "true", "nan", "ten"])
def test_a_limit_that_is_no_amount_is_refused(tmp_path: Path, value: str) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", f"limits.expected_reidentifications={value}")

    assert 2 == said.code
    assert "limits.expected_reidentifications" in said.complaint


@pytest.mark.parametrize(
    "limit",
    [
        FEW,
        "limits.list_price=10",
        "limits.uniform=true",
        'limits.uniform=["sex"]',
        'limits.groups={column="sex",least=1,information_loss=0.1}',
        'limits.groups={column="age",level=1,least=2,attacked=0.25}',
    ],
)
def test_a_release_within_limits_verifies_and_says_what_was_not_looked_for(tmp_path: Path, limit: str) -> None:
    question = small_world(tmp_path)
    assert 0 == gamedeid_says("run", question, "--set", limit, "-o", tmp_path / "out").code

    said = gamedeid_says("verify", "--verbose", tmp_path / "out", question, "--set", limit)

    assert 0 == said.code, said
    assert "no other strategies within the limits are looked for" in said.out


def test_a_strategy_for_each_record_keeps_cells_large_enough_and_verifies(tmp_path: Path) -> None:
    question, cells = small_world(tmp_path), ("--set", "limits.smallest_cell=2")
    ran = gamedeid_says("run", question, *cells, "-o", tmp_path / "out")
    assert 0 == ran.code, ran
    assert "released records, at least 2 demanded" in ran.out

    said = gamedeid_says("verify", "--verbose", tmp_path / "out", question, *cells)

    assert 0 == said.code, said
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())["limits"]
    assert summary["asked"]["smallest_cell"]["reached"] >= 2
    assert summary["proved"]


def test_cells_for_a_strategy_of_each_group_are_refused(tmp_path: Path) -> None:
    both = ("--set", "limits.smallest_cell=2", "--set", 'limits.uniform=["sex"]')
    said = gamedeid_says("run", small_world(tmp_path), *both, "-o", tmp_path / "out")

    assert 2 == said.code
    assert "smallest_cell is not kept for a strategy for each of some groups; set uniform = true" in said.complaint
    assert not (tmp_path / "out").exists()


def test_a_strategy_for_each_value_of_a_kept_column_is_refused(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", 'limits.uniform=["income"]', "-o", tmp_path / "out")

    assert 2 == said.code
    assert "limits.uniform speaks of `income`, a column that is kept: records that agree in all" in said.complaint
    assert not (tmp_path / "out").exists()


def test_limits_beside_cells_that_nothing_was_found_for_are_one_line(tmp_path: Path) -> None:
    both = ("--set", "limits.smallest_cell=4", "--set", "limits.information_loss=0.01")
    said = gamedeid_says("run", small_world(tmp_path), *both, "-o", tmp_path / "out")

    assert 2 == said.code
    assert (
        "no strategies were found that keep smallest_cell = 4 together with information_loss = 0.01" in said.complaint
    )
    assert not (tmp_path / "out").exists()


TWO = ("--set", "recipients.a.gain=90", "--set", "recipients.b={probability = 0.5, knows = ['sex'], cost = 0.5}")


@pytest.mark.parametrize("limit", [FEW, "limits.list_price=10", "limits.record_risk=0.4", "limits.attacked=0.3"])
def test_a_release_within_limits_against_recipients_verifies(tmp_path: Path, limit: str) -> None:
    question = small_world(tmp_path)
    ran = gamedeid_says("run", question, "--set", limit, *TWO, "-o", tmp_path / "out")
    assert 0 == ran.code, ran

    said = gamedeid_says("verify", "--verbose", tmp_path / "out", question, "--set", limit, *TWO)

    assert 0 == said.code, said
    assert "1 limits on the whole dataset" in said.out


def test_each_recipient_pays_for_a_list_of_her_own(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", "limits.list_price=10", "--json", *TWO)

    reached = json.loads(said.out)["limits"]["asked"]["list_price"]["reached"]
    recipients, records = json.loads(said.out)["recipients"].values(), 4
    # what each gains on average, made what she gains if she comes to be
    gains = [records * one["adversary_payoff"] / one["probability"] for one in recipients]
    assert 0 < reached <= 10
    assert reached == pytest.approx(max(gains))


def test_a_limit_that_the_release_exceeds_is_found(tmp_path: Path) -> None:
    question, out = small_world(tmp_path), tmp_path / "out"
    gamedeid_says("run", question, "--set", FEW, "-o", out)
    (out / "manifest.json").write_text((out / "manifest.json").read_text().replace("0.25", "0.125"))

    said = gamedeid_says("verify", "--verbose", out)

    assert 0 != said.code
    assert "the limit expected_reidentifications is 0.125, and the release has 0.25" in said.out + said.err


def test_games_are_compared_within_the_limits(tmp_path: Path) -> None:
    said = gamedeid_says("compare", small_world(tmp_path), "--set", FEW, "--json")

    assert 0 == said.code, said
    assert 0.25 == json.loads(said.out)["policies"]["basic"]["expected_reidentifications"]


def test_a_limit_between_groups_of_a_kept_column_is_kept_shown_and_verified(tmp_path: Path) -> None:
    question, out = small_world(tmp_path), tmp_path / "out"
    limit = ("--set", 'limits.groups={column="income",least=1,information_loss=0.2,attacked=0.9}')
    income = pd.read_csv(tmp_path / "records.csv", dtype=str)["income"]

    said = gamedeid_says("run", question, *limit, "-o", out)

    assert 0 == said.code, said
    means = pd.read_csv(out / "strategies.csv")[["information_loss", "attacked"]].astype(float).groupby(income).mean()
    asked = json.loads((out / "summary.json").read_text())["limits"]["asked"]
    for name in ("information_loss", "attacked"):
        reached = asked[f"groups.{name}"]["reached"]
        assert reached == pytest.approx(means[name].max() - means[name].min(), abs=1e-12)
        assert reached <= asked[f"groups.{name}"]["limit"] + 1e-9
    assert "Limit groups.attacked: the share attacked differs by" in said.out
    assert "efficient strategies" in (out / "report.html").read_text()
    assert "2 limits on the whole dataset" in gamedeid_says("verify", "--verbose", out, question, *limit).out


def test_verify_finds_a_release_beyond_a_limit_between_groups(tmp_path: Path) -> None:
    question, out = small_world(tmp_path), tmp_path / "out"
    assert 0 == gamedeid_says("run", question, "--set", "limits.attacked=1", "-o", out, "--no-report").code
    found = json.loads((out / "manifest.json").read_text())
    found["scenario"]["limits"] = {"groups": {"column": "income", "least": 1, "information_loss": 0.0}}
    (out / "manifest.json").chmod(0o600)
    (out / "manifest.json").write_text(json.dumps(found))

    limit = 'limits.groups={column="income",least=1,information_loss=0.0}'
    said = gamedeid_says("verify", "--verbose", out, question, "--set", limit)

    assert "the limit groups.information_loss is 0, and the release has" in said.out


@pytest.mark.parametrize(
    ("groups", "says"),
    [
        ('{column="sex"}', "no limit is given; give information_loss or attacked"),
        ('{column="name",attacked=0.1}', "limits.groups.column: `name` is neither an attribute nor kept"),
        ('{column="income",level=1,attacked=0.1}', "`income` is a kept column, which has no levels"),
        ('{column="sex",level=7,attacked=0.1}', "limits.groups.level: `sex` has no level 7; its levels are 0 to 1"),
        ('{column="sex",attacked=0.1}', "`sex` has 0 groups of at least 11 records, and means of 2 to 6 groups"),
    ],
)
def test_groups_that_cannot_be_compared_are_refused(tmp_path: Path, groups: str, says: str) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--set", f"limits.groups={groups}")

    assert 2 == said.code
    assert says in said.complaint


def test_limits_between_groups_refuse_cells(tmp_path: Path) -> None:
    both = ("--set", "limits.smallest_cell=2", "--set", 'limits.groups={column="sex",attacked=0.1}')
    said = gamedeid_says("run", small_world(tmp_path), *both)

    assert 2 == said.code
    assert "smallest_cell is not kept within limits of groups" in said.complaint
