"""The least general strategy that a policy permits each record."""

import pandas as pd
import pytest
from questions import message, question

from gamedeid import Hierarchy, InvalidScenarioError, Study
from gamedeid.game.policies import policy_names
from gamedeid.generalization.shipped import restricted_prefixes

AGE_RULE = {"when": {"age": {"min": 65}}, "levels": {"age": 2}}
ZIPS = ("03601", "03602", "37201", "37202", "99901")


def prepared(changes, records=None, population=None):
    return Study.prepare(question({"attributes": {}, **changes}), records, population)


def floors(study, name="safe-harbor"):
    """Return the levels of each record, in input order."""
    return study.policy(name).levels[study.instance.profiles.of_record].tolist()


def people(*ages, sex="Male"):
    return pd.DataFrame({"age": ages, "sex": sex})


AGE_AND_SEX = {"attributes.age.hierarchy": "age", "attributes.sex.hierarchy": "sex"}


def zips(values=ZIPS, **changes):
    hierarchy = Hierarchy.prefixes(values, length=5, name="zip", role="zip")
    return prepared({"attributes.zip.hierarchy": hierarchy, **changes}, pd.DataFrame({"zip": list(values)}))


def test_safe_harbor_joins_ages_of_ninety_and_over():
    assert [[0, 0], [0, 0], [3, 0], [3, 0]] == floors(prepared(AGE_AND_SEX, people(48, 89, 90, 115)))


def test_safe_harbor_knows_small_prefixes_by_census():
    expected = [[3], [3], [2], [2], [2]]  # 036 is on both lists; 999 is in Alaska, and large

    assert expected == floors(zips())
    for census in ("2000", "2010", "2020"):
        assert expected == floors(zips(**{"policy.safe-harbor.census": census}))


@pytest.mark.parametrize(("census", "expected"), [("2000", [[3], [2]]), ("2010", [[2], [3]])])
def test_the_lists_of_the_censuses_differ(census, expected):
    old, new = restricted_prefixes("2000").restricted, restricted_prefixes("2010").restricted
    values = (f"{min(old - new)}01", f"{min(new - old)}01")
    assert values[0][:1] != values[1][:1]  # so that one digit less does not join them

    assert expected == floors(zips(values, **{"policy.safe-harbor.census": census}))


def test_a_prefix_that_the_list_does_not_know_is_restricted():
    assert [[3], [2]] == floors(zips(("00001", "37201")))


def test_people_of_prefixes_may_come_from_a_file(tmp_path):
    path = tmp_path / "zips.csv"
    path.write_text("zip3,pop\n036,20001\n372,20000\n")
    study = zips(**{"policy.safe-harbor.zip_populations": str(path)})

    assert [[2], [2], [5], [5], [5]] == floors(study)  # 999 is not in the file
    study = zips(**{"policy.safe-harbor.zip_populations": str(path), "policy.safe-harbor.limit": 20_001})
    assert [[5]] * 5 == floors(study)


def test_people_of_prefixes_may_come_from_the_population():
    changes = {
        "policy.safe-harbor.zip_populations": "population",
        "policy.safe-harbor.limit": 4,
        "population.count": "n",
        "attributes.zip.hierarchy": Hierarchy.prefixes(ZIPS, length=5, name="zip", role="zip"),
    }
    people_frame = pd.DataFrame({"zip": ["03601", "03602", "37201", "37202", "99901"], "n": [2, 2, 2, 3, 5]})
    study = prepared(changes, pd.DataFrame({"zip": list(ZIPS)}), people_frame)

    assert [[3], [3], [2], [2], [2]] == floors(study)


def test_people_of_prefixes_are_counted_in_one_attribute_only():
    two = {"attributes.work.hierarchy": "us_zip", "policy.safe-harbor.zip_populations": "population"}
    frame = pd.DataFrame({"home": ["37201", "38001"], "work": ["38001", "38001"]})
    said = 'policy.safe-harbor: zip_populations = "population" needs exactly one attribute of role "zip", found 2'
    study = prepared({"attributes.home.hierarchy": "us_zip", **two}, frame)

    assert said == message(InvalidScenarioError, study.policy, "safe-harbor")


def test_an_attribute_may_say_its_role_or_its_level():
    frame = people(95)

    assert [[0, 0]] == floors(prepared(AGE_AND_SEX | {"attributes.age.role": "other"}, frame))
    study = prepared(AGE_AND_SEX | {"attributes.age.safe_harbor": 5, "attributes.sex.safe_harbor": 1}, frame)
    assert [[5, 1]] == floors(study)
    stated = {"age": "level 5, as the scenario states", "sex": "level 1, as the scenario states"}
    assert stated == study.policy("safe-harbor").in_words
    mine = Hierarchy.intervals(0, 120, [60], name="years")
    given = {"attributes.age.hierarchy": mine, "attributes.age.role": "age"}
    assert [[1]] == floors(prepared(given, frame[["age"]]))


def test_safe_harbor_can_be_made_stricter():
    changes = {"policy.safe-harbor.levels": {"age": 1}, "policy.safe-harbor.rules": [AGE_RULE]}
    study = prepared(AGE_AND_SEX | changes, people(48, 70, 95))

    assert [[1, 0], [2, 0], [3, 0]] == floors(study)
    assert (
        "90 and over in one group; at least level 1; level 2 where 65 <= age"
        == study.policy("safe-harbor").in_words["age"]
    )


def test_a_missing_value_is_at_the_top_under_any_policy():
    rule = {"when": {"age": {"min": 0}}, "levels": {"sex": 1}}  # a record without age meets no condition
    changes = {"records.missing": "suppress", "policy.mine.rules": [AGE_RULE, rule]}
    study = prepared(AGE_AND_SEX | changes, pd.DataFrame({"age": [None, 48], "sex": ["Male", None]}))

    for name in ("safe-harbor", "limited-data-set", "mine"):
        assert [[5, 0], [0, 1]] == floors(study, name)


def test_own_policies_take_levels_ranges_and_lists():
    rules = [
        AGE_RULE,
        {"when": {"age": {"max": 50}, "sex": ["Female"]}, "levels": {"age": 1, "sex": 1}},
        {"when": {"age": [48, "93"]}, "levels": {"age": 3}},
        {"when": {"age": {"min": 70, "max": 70}}, "levels": {"age": 1}},  # lowers nothing
    ]
    changes = {"policy.mine.levels": {"sex": 0}, "policy.mine.rules": rules}
    frame = pd.DataFrame(
        {"age": [48, 50, 51, 65, 70, 93], "sex": ["Female", "Female", "Female", "Male", "Male", "Male"]}
    )
    study = prepared(AGE_AND_SEX | changes, frame)

    assert [[3, 1], [1, 1], [0, 0], [2, 0], [2, 0], [3, 0]] == floors(study, "mine")
    says = study.policy("mine").in_words
    assert (
        "as it is; level 2 where 65 <= age; level 1 where age <= 50 and sex is Female; "
        "level 3 where age is 48 or 93; level 1 where 70 <= age <= 70"
    ) == says["age"]
    assert "as it is; level 1 where age <= 50 and sex is Female" == says["sex"]


MINE = "policy.mine.rules"


@pytest.mark.parametrize(
    ("changes", "name", "said"),
    [
        ({"policy.mine.levels": {"age": 6}}, "mine", "policy.mine.levels: `age` has no level 6; its levels are 0 to 5"),
        ({MINE: [AGE_RULE | {"levels": {"sex": 2}}]}, "mine", f"{MINE}: `sex` has no level 2; its levels are 0 to 1"),
        (
            {MINE: [{"when": {"sex": ["male"]}, "levels": {"sex": 1}}]},
            "mine",
            f"{MINE}: hierarchy `sex` has no value `male`; did you mean `Male`?",
        ),
        (
            {MINE: [{"when": {"sex": {"min": 1}}, "levels": {"sex": 1}}]},
            "mine",
            f"{MINE}: a value compared with min or max must be a number, but hierarchy `sex` has `Male`",
        ),
        (
            {"attributes.age.safe_harbor": 6},
            "safe-harbor",
            "attributes.age.safe_harbor: `age` has no level 6; its levels are 0 to 5",
        ),
        ({"attributes.sex.role": "age"}, "safe-harbor", 'attributes.sex has the role "age", but 2 of the 2 values of'),
        ({"policy.mine": {}}, "safe-habor", "there is no policy `safe-habor`; did you mean `safe-harbor`?"),
        ({"policy.mine": {}}, "x", "there is no policy `x`; known: safe-harbor, limited-data-set, mine"),
    ],
)
def test_a_policy_that_names_missing_parts_is_refused(changes, name, said):
    study = prepared(AGE_AND_SEX | changes, people(48))

    assert message(InvalidScenarioError, study.policy, name).startswith(said)


def test_policies_are_listed_once_the_built_in_ones_first():
    scenario = prepared(AGE_AND_SEX | {"policy.mine": {}, "policy.safe-harbor.census": "2000"}, people(48)).scenario

    assert ("safe-harbor", "limited-data-set", "mine") == policy_names(scenario)
