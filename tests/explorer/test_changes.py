"""The groups of records that change, compared with a plain loop over the records; small numbers are hidden."""

from collections import Counter

import pytest
from explorer_client import as_shown, client_in
from small_world import QUICKSTART

from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

SETTING = {"loss": 300, "game": "basic", "cost": 9}


@pytest.fixture(scope="module")
def solutions():
    changes = {"payoffs.loss": SETTING["loss"], "payoffs.cost": SETTING["cost"]}
    studies = [Study.prepare(Scenario.read(QUICKSTART, changed)) for changed in ({}, changes)]
    return [solve(study, game=SETTING["game"]) for study in studies]


def records_of(solutions):
    """Yield of every record: levels before and after, the payoff's difference, attacked before and after."""
    before, after = solutions
    for profile in before.study.instance.profiles.of_record.tolist():
        levels = [None if one.withheld[profile] else tuple(one.levels[profile].tolist()) for one in solutions]
        paid = float(after.publisher_payoff[profile] - before.publisher_payoff[profile])
        yield *levels, paid, bool(before.attacked[profile]), bool(after.attacked[profile])


def test_groups_of_records_that_change_alike_are_those_of_a_loop_over_records(quick_client, solutions):
    found = quick_client.ask("changes", setting=SETTING)
    names = list(solutions[0].study.instance.hierarchies)
    groups = {}
    for before, after, paid, attacked_before, attacked_after in records_of(solutions):
        if before != after:
            groups.setdefault((before, after), []).append((paid, attacked_before, attacked_after))

    assert 400 == found["records"]
    assert sum(map(len, groups.values())) == found["changed"] >= 40
    named = {group: rows for group, rows in groups.items() if len(rows) >= 11}
    assert len(named) == len(found["strategies"]) > 0
    for row in found["strategies"]:
        rows = named[
            tuple(None if row[key] is None else tuple(row[key][name] for name in names) for key in ("before", "after"))
        ]
        assert len(rows) == row["records"]
        assert row["payoff_difference"] == pytest.approx(sum(paid for paid, *_ in rows) / len(rows))
        assert as_shown(sum(attacked for _, attacked, _ in rows)) == row["attacked_before"]
        assert as_shown(sum(attacked for *_, attacked in rows)) == row["attacked_after"]
    rest = [len(rows) for group, rows in groups.items() if group not in named]
    told_of_rest = {"groups": len(rest), "records": as_shown(sum(rest)), "largest": as_shown(max(rest, default=0))}
    assert (told_of_rest if rest else None) == found["other_strategies"]


def test_coarse_values_are_counted_as_a_loop_over_records_counts_them(quick_client, solutions):
    found = quick_client.ask("changes", setting=SETTING)
    instance = solutions[0].study.instance
    changed = [before != after for before, after, *_ in records_of(solutions)]
    for place, attribute in enumerate(found["attributes"]):
        hierarchy = instance.hierarchies[attribute["name"]]
        codes = instance.profiles.codes[instance.profiles.of_record, place].tolist()
        labels = [hierarchy.label(attribute["level"], code) for code in codes]
        sizes = Counter(labels)
        moved = Counter(label for label, moves in zip(labels, changed, strict=True) if moves)
        assert {label: (size, as_shown(moved[label])) for label, size in sizes.items() if size >= 11} == {
            group["label"]: (group["records"], group["changed"]) for group in attribute["groups"]
        }
        few = [size for size in sizes.values() if size < 11]
        assert (attribute["others"] or {"groups": 0})["groups"] == len(few)
        assert hierarchy.group_counts[attribute["level"]] <= 12


def test_nothing_changes_in_the_scenario_as_opened(quick_client):
    found = quick_client.ask("changes", setting={})

    assert (0, [], None) == (found["changed"], found["strategies"], found["other_strategies"])


def test_changes_of_four_people_are_hidden(tmp_path):
    found = client_in(tmp_path).ask("changes", setting={"loss": 1})

    assert (None, []) == (found["changed"], found["strategies"])
    assert {"groups": 2, "records": None, "largest": None} == found["other_strategies"]
    assert [[], []] == [attribute["groups"] for attribute in found["attributes"]]
