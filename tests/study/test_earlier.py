"""A recipient who has earlier releases: the people in the groups of all rows of a person match."""

import hashlib
import json
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from depth import tries
from extracts import AFTER, HIERARCHIES, World, can_be_released, matching_people, possible_values, published
from questions import message as message_of
from tampering import change_json, rows_of, write, write_rows

import gamedeid
from gamedeid import Hierarchy, Scenario, Study
from gamedeid.analysis.summary import EarlierFacts
from gamedeid.data.engines import options
from gamedeid.data.files.tables import TableFile
from gamedeid.data.hierarchies import close_over_file
from gamedeid.generalization.files import find_hierarchy, read_hierarchy, write_hierarchy
from gamedeid.report.terminal.release import joint_words
from gamedeid.risk.joint import joint_risk
from gamedeid.risk.records import record_risks
from gamedeid.scenario.earlier import Earlier, EarlierRelease

QUICKSTART = Path(__file__).parents[2] / "scenarios" / "quickstart"


def quickstart(
    folder: Path,
    records: str,
    releases: Sequence[str] = (),
    earlier: Mapping[str, object] | None = None,
    weight: float | None = None,
) -> Scenario:
    """Return the quickstart's question about other records, with a key of patients."""
    content = tomllib.loads((QUICKSTART.parent / "quickstart.toml").read_text("utf-8"))
    content["records"] |= {"path": records, "drop": [*content["records"]["drop"], "patient_id"]}
    content["population"]["path"] = str(QUICKSTART / "population.csv")
    if weight is not None:
        content["attributes"]["zip"]["weight"] = weight
    if releases or earlier:
        content["earlier"] = earlier or {"releases": list(releases), "key": "patient_id"}
    return Scenario.parse(content, folder=folder)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("seed", range(tries(15, 500)))
def test_people_are_those_in_the_groups_of_all_rows(tmp_path, seed, own):
    world = World(seed, tmp_path, own=own)
    rows, releases = [], []
    for number in range(len(world.extracts) - 1):
        earlier = {"releases": list(releases), "key": "id"} if releases and world.draw.random() < 0.5 else None
        game = world.draw.choice(["basic", "no-attack"])
        solution = world.release(number, earlier, game=game)
        rows.append(published(world, number, solution))
        rise = 0 if own else world.rise * (len(world.extracts) - 1 - number)
        releases.append({"folder": f"release {number}", "rises": {"age": rise}} if rise else f"release {number}")
    last = len(world.extracts) - 1
    study = Study.prepare(world.scenario(last, {"releases": releases, "key": "id"}))
    keys = pd.read_csv(tmp_path / f"{last}.csv", dtype=str)["id"].tolist()
    now, instance = world.extracts[last], study.instance
    rises = [one["rises"]["age"] if isinstance(one, dict) else 0 for one in releases]
    for node in world.draw.sample(range(instance.lattice.size), 8):
        levels = instance.levels_of(node)
        found = instance.people(instance.all_profiles, np.full(instance.profiles.count, node))[
            instance.profiles.of_record
        ]
        for key, people in zip(keys, found.tolist(), strict=True):
            if can_be_released(now[key], levels):
                assert matching_people(world, rows, rises, key, levels) == people


@pytest.mark.parametrize("seed", range(tries(6, 100)))
def test_no_attack_on_both_rows_of_a_person_pays(tmp_path, seed):
    world, game = World(seed, tmp_path, own=True), "aware-no-attack"
    first = world.release(0, game=game)
    scenario = world.scenario(1, AFTER)
    second = gamedeid.solve(scenario, game=game)
    before, now = published(world, 0, first), published(world, 1, second)
    both = {
        key: (tuple(before.get(key, ({"": "absent"},))[0].values()), tuple(row.values()))
        for key, (row, _) in now.items()
    }
    sizes = pd.Series(list(both.values())).value_counts()
    stakes = scenario.payoffs
    assert all(stakes.loss <= stakes.cost * size for size in sizes)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("seed", range(tries(3, 100)))
def test_simulated_attackers_with_the_earlier_rows_succeed_as_often_as_the_game_expects(tmp_path, seed, own):
    """The simulation reads both releases as they were published; the strategies state what the game expects."""
    world = World(5000 + seed, tmp_path, own=own)
    world.release(0)
    solution = world.release(1, AFTER)
    scenario = solution.study.scenario
    recipients = ["naive", "marketer", *(["aware", "in-release"] if own else [])]
    found = gamedeid.simulate_attacks(tmp_path / "release 1", scenario, recipients=recipients, repeats=200)
    naive, marketer = found.recipients[:2]
    keys = pd.read_csv(tmp_path / "1.csv", dtype=str)["id"]
    judged = np.array([None not in world.extracts[1][key].values() for key in keys]) | own
    rows = solution.strategies

    assert found.agrees
    assert found.people == (len(world.extracts[1]) if own else len(world.people))
    assert (rows.attacked & judged).sum() * 200 == naive.attacks
    assert rows.success_probability[judged & ~rows.withheld].sum() * 200 == pytest.approx(marketer.expected_successes)


def test_the_folder_of_a_population_game_is_audited_after_an_earlier_release(tmp_path):
    world, game = World(3, tmp_path, own=True), "aware-no-attack"
    world.release(0, game=game)
    scenario = world.release(1, AFTER, game=game).study.scenario
    found = gamedeid.audit(tmp_path / "release 1", scenario)

    assert found.measures["attacked"] == 0
    assert (found.people > 0).any()


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("seed", range(tries(6, 100)))
def test_the_joint_risk_is_that_of_the_people_in_the_groups_of_both_rows(tmp_path, seed, own):
    world = World(1000 + seed, tmp_path, own=own)
    world.extracts = [world.extracts[0], world.extracts[-1]]
    first, second = (world.release(number, game="basic") for number in (0, 1))
    scenario = second.study.scenario
    before, now = published(world, 0, first), published(world, 1, second)
    risk = joint_risk(tmp_path / "release 1", [tmp_path / "release 0"], scenario, key="id")
    keys = pd.read_csv(tmp_path / "1.csv", dtype=str)["id"].tolist()
    people = [matching_people(world, [before], [0], key, now[key][1]) if key in now else -1 for key in keys]
    alone = [matching_people(world, [], [], key, now[key][1]) if key in now else -1 for key in keys]
    stakes = scenario.payoffs
    attacked = [one for one in people if one > 0 and stakes.loss > stakes.cost * one]

    assert people == risk.people_together.tolist()
    assert alone == risk.people.tolist()
    assert risk.attacked_together == len(attacked)
    assert risk.expected_reidentifications_together == pytest.approx(sum(1 / one for one in attacked))
    assert risk.in_earlier == sum(key in before for key in keys)


def test_the_joint_risk_counts_a_person_with_several_records_once(tmp_path):
    rows = pd.read_csv(QUICKSTART / "records.csv", dtype=str)[:60]
    rows.insert(0, "patient_id", [f"p{number}" for number in range(len(rows))])
    found, facts = [], []
    for times in (1, 3):
        place = tmp_path / f"{times}"
        place.mkdir()
        before = rows[:50].copy()
        before.iloc[0, 1:] = rows.iloc[1, 1:]  # one person's values have changed since
        for name, some in (("before", before), ("now", rows)):
            pd.concat([some] * times).to_csv(place / f"{name}.csv", index=False)
            scenario = quickstart(place, f"{name}.csv", weight=0.2 if name == "now" else None)
            records = scenario.records.model_copy(update={"drop": ("name",), "person": "patient_id"})
            scenario = scenario.model_copy(update={"records": records})
            gamedeid.solve(scenario, game="basic").write(place / name, report=False)
        found.append(joint_risk(place / "now", [place / "before"], scenario))
        after = scenario.model_copy(update={"earlier": Earlier(releases=(EarlierRelease(folder=place / "before"),))})
        gamedeid.solve(after, game="no-attack").write(place / "after", report=False)
        assert not gamedeid.verify(place / "after", after).findings
        facts.append(json.loads((place / "after" / "summary.json").read_text())["earlier"])
    measures = json.loads((place / "now" / "summary.json").read_text())["measures"]
    once, thrice = found

    assert once.as_dict() == thrice.as_dict()
    assert facts[0] == facts[1]
    assert {"found": 50, "new": 10, "changed": 1}.items() <= facts[1].items()
    assert 60 == sum(facts[1]["cost"][name] for name in ("as_without", "generalized", "withheld", "other"))
    assert (60, 50, 1) == (thrice.records, thrice.in_earlier, thrice.changed)
    assert 180 == len(thrice.people_together)
    assert thrice.attacked == 60 * measures["attacked"] > 0
    assert thrice.smaller > 0
    assert measures["expected_reidentifications"] == pytest.approx(thrice.expected_reidentifications)
    assert [
        "60 people released, each counted once. 50 people, withheld ones included, have a row in an earlier release."
    ] == (joint_words(thrice)[:1])


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("seed", range(tries(6, 100)))
def test_a_class_of_the_release_is_of_people_whom_earlier_rows_do_not_distinguish(tmp_path, seed, own):
    world = World(3000 + seed, tmp_path, own=own)
    world.extracts = world.extracts[:2]
    before = published(world, 0, world.release(0))
    solution = world.release(1, AFTER, game=world.draw.choice(["basic", "no-attack"]))

    def distinguished(key: str) -> str:
        texts = before.get(key, ("absent",))[0]
        if own:
            return str(texts)
        rows = [before[key]] if key in before else []
        both = possible_values(world.extracts[1][key], rows, [0] * len(rows))
        return str((texts, {name: sorted(map(str, values)) for name, values in both.items()}))

    alike = [(str(texts), distinguished(key)) for key, (texts, _) in published(world, 1, solution).items()]
    sizes = pd.Series(alike).value_counts()
    risks = record_risks(solution)

    assert risks.k_anonymity == (sizes.min() if len(sizes) else None)
    assert risks.prosecutor.mean == pytest.approx(len(sizes) / sizes.sum() if len(sizes) else 0)
    assert not own or risks.prosecutor.highest >= risks.journalist.highest


def test_people_without_an_earlier_row_are_a_separate_class(tmp_path):
    rows = pd.read_csv(QUICKSTART / "records.csv", dtype=str).iloc[[0] * 5]
    rows.insert(0, "patient_id", list("abcde"))
    for month, people in {"may": 5, "june": 3, "july": 5}.items():
        rows[:people].to_csv(tmp_path / f"{month}.csv", index=False)
    gamedeid.solve(quickstart(tmp_path, "may.csv"), game="basic").write(tmp_path / "may", report=False)
    gamedeid.solve(quickstart(tmp_path, "june.csv"), game="basic").write(tmp_path / "june", report=False)
    july = gamedeid.solve(quickstart(tmp_path, "july.csv", releases=["may", "june"]), game="basic")
    assert 2 == record_risks(july).k_anonymity
    july.write(tmp_path / "july", report=False)
    assert () == gamedeid.verify(tmp_path / "july", july.study.scenario).findings


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("seed", range(tries(5, 300)))
def test_verify_finds_nothing_in_releases_after_one_another(tmp_path, seed, own):
    world = World(2000 + seed, tmp_path, own=own)
    releases: list[object] = []
    for number in range(len(world.extracts)):
        scenario = world.scenario(number, {"releases": list(releases), "key": "id"} if releases else None)
        games = ["basic", "no-attack", *(["aware-no-attack"] if own else [])]
        solution = gamedeid.solve(scenario, game=world.draw.choice(games))
        solution.write(tmp_path / f"release {number}", report=False, keep_order=world.draw.choice([True, False]))
        found = gamedeid.verify(tmp_path / f"release {number}", scenario)
        releases.append(f"release {number}")

        assert () == found.findings
        assert not [one for one in found.unchecked if "people" in one.what]
    assert any("earlier released rows of the people of" in line for line in found.checked)


@pytest.fixture(scope="module")
def two_months(tmp_path_factory) -> Path:
    """Return a folder with two extracts of the quickstart's patients, and the first release."""
    folder = tmp_path_factory.mktemp("months")
    records = pd.read_csv(QUICKSTART / "records.csv", dtype=str)
    records.insert(0, "patient_id", [f"p{number}" for number in range(len(records))])
    records[:350].to_csv(folder / "may.csv", index=False)
    records[50:].to_csv(folder / "june.csv", index=False)
    gamedeid.solve(quickstart(folder, "may.csv"), game="no-attack").write(folder / "may", report=False)
    return folder


def test_the_same_game_with_the_same_static_population_is_played_as_if_nothing_was_released_before(two_months):
    """A person's group is then the same in both releases, so both together disclose no more than one."""
    alone = gamedeid.solve(quickstart(two_months, "june.csv"), game="no-attack")
    after = gamedeid.solve(quickstart(two_months, "june.csv", releases=["may"]), game="no-attack")

    assert alone.strategies.equals(after.strategies)
    assert alone.release().equals(after.release())


def test_rows_of_earlier_releases_are_held_in_memory_however_large_their_file_is(two_months, monkeypatch):
    scenario = quickstart(two_months, "june.csv", releases=["may"])
    expected = gamedeid.solve(scenario, game="no-attack").strategies
    monkeypatch.setattr(options, "IN_MEMORY_SHARE", 2**60)  # every file is too large

    held = options.ReadOptions(engine="memory")
    assert expected.equals(gamedeid.solve(scenario, game="no-attack", read_options=held).strategies)


def test_rows_that_stay_in_their_file_are_refused_before_any_is_read(two_months, monkeypatch):
    monkeypatch.setattr(TableFile, "blocks", lambda *_: pytest.fail("rows were read"))
    said = message_of(
        gamedeid.InvalidScenarioError,
        Study.prepare,
        quickstart(two_months, "june.csv", releases=["may"]),
        read_options=options.ReadOptions(engine="duckdb"),
    )

    assert said.startswith(f"{two_months / 'june.csv'}, read by duckdb: a release after earlier ones needs the rows")


def test_the_key_of_persons_is_read_with_the_records(two_months, monkeypatch):
    wanted, read = [], TableFile.read
    monkeypatch.setattr(TableFile, "read", lambda self, names, **how: wanted.append(names) or read(self, names, **how))
    Study.prepare(quickstart(two_months, "june.csv", releases=["may"]))

    assert 2 == sum("patient_id" in names for names in wanted)  # of june and of may
    assert all("age" in names for names in wanted if "patient_id" in names)


def test_one_record_is_decided_as_among_all(june):
    scenario = quickstart(june, "june.csv", releases=["may"], weight=0.2)
    study = Study.prepare(scenario)
    rows = gamedeid.solve(study, game="no-attack").strategies
    alone = gamedeid.solve(scenario.model_copy(update={"earlier": None}), game="no-attack").strategies
    narrowed = (rows.zip != alone.zip).to_numpy().nonzero()[0]

    for record in (int(narrowed[0]), 349):
        one = gamedeid.solve(study.alone(record=record), game="no-attack").strategies
        assert one.drop(columns="record").iloc[0].to_dict() == rows.drop(columns="record").iloc[record].to_dict()


def test_a_policy_does_not_depend_on_earlier_releases(two_months):
    alone, after = (Study.prepare(quickstart(two_months, "june.csv", releases=one)) for one in ((), ["may"]))
    levels = [study.scenario_policy.levels[study.instance.profiles.of_record] for study in (alone, after)]

    assert levels[0].tolist() == levels[1][:, :-1].tolist()
    assert not levels[1][:, -1].any()
    assert levels[0].any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"releases": ["nowhere"]}, "nowhere holds no results of gamedeid: there is no such folder"),
        ({"key": "name"}, "the column of earlier.key has .* repeated values"),
        ({"key": "age"}, "earlier.key: expected a column of records.drop, or records.person, not `age`"),
        ({"key": None}, "earlier.key: names no column by which people are found in both extracts"),
        ({"releases": [{"folder": "may", "records": "june.csv"}]}, "june.csv is not the file that .*may was made from"),
        ({"releases": [{"folder": "may", "records": "lost.csv"}]}, "lost.csv, the records of .*may, is not there"),
        ({"releases": [{"folder": "may", "rises": {"zip": 1}}]}, "rises.zip: .* is no hierarchy of increasing"),
        ({"releases": [{"folder": "may", "rises": {"height": 1}}]}, "rises: `height` is no attribute"),
    ],
)
def test_an_earlier_release_that_cannot_be_followed_is_refused_in_one_line(two_months, changes, message):
    section = {"releases": ["may"], "key": "patient_id", **changes}
    section = {key: value for key, value in section.items() if value is not None}

    with pytest.raises(gamedeid.GamedeidError, match=message) as raised:
        Study.prepare(quickstart(two_months, "june.csv", earlier=section))
    assert "\n" not in str(raised.value)


def test_a_changed_file_of_an_earlier_release_is_refused(two_months, tmp_path):
    shutil.copytree(two_months, tmp_path, dirs_exist_ok=True)
    strategies = tmp_path / "may" / "strategies.csv"
    strategies.write_text(strategies.read_text().replace("0,", "1,", 5))

    with pytest.raises(gamedeid.OutputError, match=r"strategies\.csv is not as manifest\.json has it; it was changed"):
        Study.prepare(quickstart(tmp_path, "june.csv", releases=["may"]))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_earlier_release_with_labels_of_another_hierarchy_is_refused(two_months, tmp_path, form):
    other = [[str(age), f"{age // 7}th", "*"] for age in range(120)]
    may = quickstart(two_months, "may.csv")
    bands = Hierarchy.from_rows(other, name="age", role="age")
    ages = may.attributes["age"].model_copy(update={"hierarchy": bands})
    asked = may.model_copy(update={"attributes": may.attributes | {"age": ages}, "floor": "limited-data-set"})
    gamedeid.solve(asked, game="no-attack").write(tmp_path / "may", report=False, form=form, defuse=form == "csv")
    with pytest.raises(gamedeid.InvalidScenarioError, match="has other labels of `age` than its hierarchy has now"):
        Study.prepare(quickstart(two_months, "june.csv", releases=[str(tmp_path / "may")]))


def test_the_manifest_names_each_earlier_release_by_the_digest_of_its_manifest(two_months, tmp_path):
    solution = gamedeid.solve(quickstart(two_months, "june.csv", releases=["may"]), game="no-attack")
    solution.write(tmp_path / "june", report=False)
    manifest = json.loads((tmp_path / "june" / "manifest.json").read_text())
    digest = hashlib.sha256((two_months / "may" / "manifest.json").read_bytes()).hexdigest()

    assert manifest["inputs"]["earlier release 0"] == {"path": "manifest.json", "sha256": digest}
    assert manifest["scenario"]["earlier"]["releases"][0]["folder"] == "may"
    assert "p60" not in (tmp_path / "june" / "release.csv").read_text()


@pytest.fixture(scope="module")
def june(two_months) -> Path:
    """Return the folder with the release of June after that of May too, with another weight, so that rows differ."""
    scenario = quickstart(two_months, "june.csv", releases=["may"], weight=0.2)
    solution = gamedeid.solve(scenario, game="no-attack")
    solution.write(two_months / "june", report=False)
    return two_months


def test_the_summary_has_the_people_found_and_the_cost(june):
    scenarios = [quickstart(june, "june.csv", releases=one, weight=0.2) for one in (["may"], [])]
    after, alone = (gamedeid.solve(one, game="no-attack") for one in scenarios)
    rows = [one.strategies for one in (after, alone)]
    levels = [one[["age", "sex", "race", "zip"]] for one in rows]
    found = json.loads((june / "june" / "summary.json").read_text())["earlier"]
    same = (levels[0] == levels[1]).all(axis=1)
    coarser = (levels[0] >= levels[1]).all(axis=1) & ~same
    before = pd.read_csv(june / "may" / "strategies.csv")[levels[0].columns][50:].reset_index(drop=True)

    assert {key: found[key] for key in ("releases", "found", "new", "changed", "exposed")} == {
        "releases": 1,
        "found": 300,
        "new": 50,
        "changed": 0,
        "exposed": 0,
    }
    assert int((levels[0][:300] == before).all(axis=1).sum()) == found["as_before"]
    assert found["cost"] == {
        "publisher_payoff": pytest.approx(rows[0].publisher_payoff.mean()),
        "publisher_payoff_without": pytest.approx(rows[1].publisher_payoff.mean()),
        "information_loss": pytest.approx(rows[0].information_loss.mean()),
        "information_loss_without": pytest.approx(rows[1].information_loss.mean()),
        "as_without": int(same.sum()),
        "generalized": int(coarser.sum()),
        "withheld": 0,
        "other": int((~same & ~coarser).sum()),
    }


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("seed", range(tries(4, 200)))
def test_without_earlier_is_the_question_that_names_none(tmp_path, seed, own):
    world = World(3000 + seed, tmp_path, own=own)
    world.release(0)
    after = world.scenario(1, AFTER)
    plain = after.model_copy(update={"earlier": None})
    alone = gamedeid.solve(Study.prepare(after).without_earlier())

    assert gamedeid.solve(plain).strategies.equals(alone.strategies)


@pytest.mark.parametrize("seed", range(tries(4, 100)))
def test_a_record_that_no_strategy_makes_safe_is_withheld_and_counted(tmp_path, seed):
    """At the most general strategy only earlier rows restrict who matches; below it a record may match no person."""
    world = World(4000 + seed, tmp_path, own=False)
    world.release(0, game="basic")
    study = Study.prepare(world.scenario(1, AFTER))
    solution = gamedeid.solve(study, game="no-attack")
    instance, stakes = study.instance, study.scenario.payoffs
    root = np.full(instance.profiles.count, instance.lattice.most_general)
    people = instance.people(instance.all_profiles, root)[instance.profiles.of_record]
    exposed = (people > 0) & (stakes.loss > stakes.cost * people) & (stakes.loss <= stakes.cost * len(world.people))
    found = EarlierFacts.of(solution)

    assert found.exposed == int(exposed.sum())
    assert not solution.people[instance.profiles.of_record][exposed].any()
    assert not solution.strategies.attacked.any()


@pytest.mark.parametrize("own", [False, True])
def test_a_population_that_is_too_small_without_earlier_releases_is_not_blamed_on_them(tmp_path, own):
    world = World(4000, tmp_path, own=own)
    world.release(0, game="basic")
    scenario = world.scenario(1, AFTER)
    everybody = len(world.extracts[1] if own else world.people)
    cost = scenario.payoffs.cost
    for loss, blamed in ((cost * everybody, True), (cost * everybody + 1, False)):
        payoffs = scenario.payoffs.model_copy(update={"loss": loss})
        solution = gamedeid.solve(scenario.model_copy(update={"payoffs": payoffs}), game="no-attack")
        assert solution.study.people == everybody
        assert (EarlierFacts.of(solution).exposed > 0) == blamed


@pytest.mark.parametrize("seed", range(tries(4, 100)))
def test_rows_of_a_plan_are_in_the_order_of_values_and_then_of_the_labels_released_earlier(tmp_path, seed):
    world = World(seed, tmp_path, own=True)
    before = published(world, 0, world.release(0, game="basic"))
    solution = gamedeid.solve(world.scenario(1, AFTER), game="aware-no-attack")
    study = solution.study
    keys = pd.read_csv(tmp_path / "1.csv", dtype=str)["id"]

    def place(key: str) -> list[tuple[int, ...]]:
        if key not in before:
            return [(0,)] * len(HIERARCHIES)
        texts, levels = before[key]
        return [label_place(one, texts[name], levels[name]) for name, one in HIERARCHIES.items()]

    codes = solution.mechanism.population.instance.profiles.codes.tolist()
    assert codes == sorted(codes)
    classes = {number: place(key) for number, key in zip(study.earlier.of_row.tolist(), keys, strict=True)}
    assert [classes[number] for number in sorted(classes)] == sorted(classes.values())


def label_place(hierarchy: Hierarchy, text: str, level: int) -> tuple[int, ...]:
    """Return the sort key of a label of an earlier release: level and place, missing values last."""
    if text == "missing":
        return (2,)
    level = hierarchy.levels - 1 if text == "*" else level
    return (1, level, list(hierarchy.labels[level]).index(text))


@pytest.fixture
def copied(june, tmp_path):
    """Return the folder of both releases, which a test may change, and the scenario of the second."""
    shutil.copytree(june, tmp_path, dirs_exist_ok=True)
    return tmp_path, quickstart(tmp_path, "june.csv", releases=["may"], weight=0.2)


def test_verify_counts_earlier_rows_and_finds_a_release_that_was_made_without_them(copied):
    folder, scenario = copied
    assert () == gamedeid.verify(folder / "june", scenario).findings

    alone = gamedeid.solve(quickstart(folder, "june.csv", weight=0.2), game="no-attack")
    alone.write(folder / "june", report=False, overwrite=True)

    def claim(manifest) -> None:
        manifest["scenario"]["earlier"] = scenario.resolved()["earlier"]
        digest = hashlib.sha256((folder / "may" / "manifest.json").read_bytes()).hexdigest()
        manifest["inputs"]["earlier release 0"] = {"path": "manifest.json", "sha256": digest}

    change_json(folder / "june", "manifest.json", claim)
    found = gamedeid.verify(folder / "june", scenario).findings
    attacked = next(one for one in found if one.column == "attacked" and "permits no strategy" in one.says)

    assert 113 == attacked.rows
    assert "success_probability" in {one.column for one in found}


@pytest.mark.parametrize("fitting", [False, True])
def test_verify_finds_that_an_earlier_release_was_changed(copied, fitting):
    folder, scenario = copied
    rows = rows_of(folder / "may", "release.csv")
    rows[0]["sex"] = "*" if rows[0]["sex"] != "*" else "Male"
    write_rows(folder / "may", "release.csv", rows, fitting=fitting)
    found = gamedeid.verify(folder / "june", scenario)

    assert ["manifest.json" if fitting else "release.csv"] == [Path(one.file).name for one in found.findings]
    assert "people in question, and all figures that depend on them" == found.unchecked[0].what


def test_an_earlier_release_may_be_signed_and_determined_after_it_was_named(copied):
    folder, scenario = copied
    named = Study.prepare(scenario).inputs.digests
    write(folder / "may", "determination.md", "a draft")
    gamedeid.new_signing_key(folder / "key")
    gamedeid.sign(folder / "may", folder / "key", by="Dr. A. Expert", on="2026-05-31")
    (folder / "may" / "determination.md").write_text("filled in, and not signed yet")
    found = gamedeid.verify(folder / "june", scenario)

    assert () == found.findings
    assert "the earlier released rows of the people of 300 records, in 1 earlier release" in found.checked
    assert named == Study.prepare(scenario).inputs.digests
    change_json(folder / "may", "manifest.json", lambda manifest: manifest["scenario"].update(game="basic"))
    assert ["manifest.json"] == [Path(one.file).name for one in gamedeid.verify(folder / "june", scenario).findings]


def test_verify_finds_that_the_records_of_an_earlier_release_were_changed(copied):
    folder, scenario = copied
    (folder / "may.csv").write_text((folder / "may.csv").read_text() + "\n")
    found = gamedeid.verify(folder / "june", scenario)

    says = "is not the file of records that the earlier release 0 was made from"
    assert [(str(folder / "may.csv"), says)] == [(one.file, one.says) for one in found.findings]
    assert "people in question, and all figures that depend on them" == found.unchecked[0].what


def test_verify_says_first_what_it_does_not_count_where_the_earlier_release_is_not_there(copied):
    folder, scenario = copied
    shutil.rmtree(folder / "may")
    found = gamedeid.verify(folder / "june", scenario)

    assert () == found.findings
    assert "people in question, and all figures that depend on them" == found.unchecked[0].what
    assert found.unchecked[0].why.endswith("release 0 is not there; name its folder in earlier.releases")
    assert "the labels of 350 released rows with their stated levels and the records" in found.checked


@pytest.mark.parametrize("patients", [["x", "x", "x"], ["x", "y", "z"]])
def test_a_key_that_does_not_name_persons_is_refused(tmp_path, patients):
    records = {"path": "may.csv", "person": "id", "drop": ["patient"]}
    asked = {"attributes": {"sex": {"hierarchy": "sex"}}, "payoffs": {"benefit": 100, "loss": 9, "cost": 4}}
    rows = {"id": ["a", "a", "b"], "patient": patients, "sex": ["Male"] * 3}
    pd.DataFrame(rows).to_csv(tmp_path / "may.csv", index=False)
    may = Scenario.parse({**asked, "records": records}, folder=tmp_path)
    gamedeid.solve(may, game="basic").write(tmp_path / "may", report=False)
    after = {**asked, "records": records, "earlier": {"releases": ["may"], "key": "patient"}}

    said = message_of(gamedeid.InvalidDataError, Study.prepare, Scenario.parse(after, folder=tmp_path))
    assert "records: the column of earlier.key does not name persons" in said


def test_an_earlier_value_that_the_data_lack_now_asks_for_a_file_of_all_values(tmp_path):
    asked = {"attributes": {"zip": {"hierarchy": "us_zip"}}, "payoffs": {"benefit": 100, "loss": 9, "cost": 4}}
    for name, zips in (("may", ["03482", "03483", ""]), ("june", ["03482", "03482", "03482"])):
        pd.DataFrame({"id": ["a", "b", "c"], "zip": zips}).to_csv(tmp_path / f"{name}.csv", index=False)
    records = {"drop": ["id"], "missing": "suppress"}
    may = Scenario.parse({**asked, "records": {**records, "path": "may.csv"}}, folder=tmp_path)
    gamedeid.solve(may, game="basic").write(tmp_path / "may", report=False)
    after = {**asked, "records": {**records, "path": "june.csv"}, "earlier": {"releases": ["may"], "key": "id"}}
    said = message_of(gamedeid.InvalidDataError, Study.prepare, Scenario.parse(after, folder=tmp_path))

    assert said.endswith(
        "it takes its values from the data, which have none of these: name a file that lists all values"
    )
    zips = read_hierarchy(find_hierarchy("us_zip", tmp_path))
    write_hierarchy(
        close_over_file(zips, tmp_path / "may.csv", "zip", missing_values=()), tmp_path / "zips.csv"
    )  # a missing value is not a value
    after["attributes"] = {"zip": {"hierarchy": "zips.csv", "role": "zip"}}
    assert 3 == Study.prepare(Scenario.parse(after, folder=tmp_path)).earlier.found.sum()
