"""Models of the release next to those of the original data: the same as statsmodels finds in plain tables."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from questions import content, message, without_games_in_groups
from scipy.stats.contingency import association as cramers_v
from small_world import gamedeid_says

import gamedeid
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.risk.thresholds import SMALLEST_GROUP
from gamedeid.risk.utility.fits import Factor, Model, read_formula
from gamedeid.risk.utility.release_utility import _coefficient as compared
from gamedeid.risk.utility.variables import OTHERS, Variable

ROWS = 300
ODD = ("zero", "one", "two", "three")
WARDS = {"east": 175, "west": 105, "rare": 10, "scarce": 10}
COLUMNS = ("age", "seen", "sex", "ward", "cost", "days", "died", "odd name")
CHANGES = {
    "attributes.age": {"hierarchy": "age"},
    "attributes.seen": {"hierarchy": "days.toml"},
    "records": {"keep": ["ward", "cost", "days", "died", "odd name"], "drop": ["key"], "missing": "suppress"},
    "floor": "limited-data-set",
    "attributes.sex": {"hierarchy": "sex", "weight": 2},
    "payoffs": {"benefit": 100, "loss": 130, "cost": 20},
}


def people() -> pd.DataFrame:
    """Return records whose cost and time depend on age and sex, with missing values and a rare ward."""
    rng = np.random.default_rng(8)
    age = rng.integers(20, 90, ROWS)
    male = rng.random(ROWS) < 0.4
    age_or_none = pd.Series(age, dtype="Int64").mask(rng.random(ROWS) < 0.05)
    days = rng.exponential(2000 / (age / 40) / (1 + male)).round() + 1
    return pd.DataFrame(
        {
            "key": [f"DROPPED{row}" for row in range(ROWS)],
            "age": age_or_none,
            "seen": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, ROWS), unit="D"),
            "sex": np.where(male, "Male", "Female"),
            "ward": rng.permutation(np.repeat([*WARDS], [*WARDS.values()])),
            "cost": pd.Series(10 * age + 200 * male + rng.normal(0, 100, ROWS)).round(2).mask(rng.random(ROWS) < 0.05),
            "days": days,
            "died": np.where(rng.random(ROWS) < 0.8, "yes", "no"),
            "odd name": rng.integers(0, 4, ROWS),
        }
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Return a finished folder, its question and the records as pandas reads them."""
    folder = tmp_path_factory.mktemp("utility")
    (folder / "days.toml").write_text('kind = "date"\nlevels = ["month", "quarter", "year"]\n')
    people().to_csv(folder / "records.csv", index=False, date_format="%Y-%m-%d")
    question = content(CHANGES)
    question["attributes"]["seen"]["hierarchy"] = str(folder / "days.toml")
    question["records"] = {**question["records"], "path": str(folder / "records.csv")}
    with without_games_in_groups():
        solution = gamedeid.solve(question, game="no-attack")
        for name, form in (("out", "csv"), ("parquet", "parquet")):
            solution.write(folder / name, form=form, report=False)
    return folder / "out", question, pd.read_csv(folder / "records.csv")


def released(world) -> pd.DataFrame:
    """Return the release with midpoints, and suppressed categories as missing values."""
    rows = gamedeid.read_release(world[0], world[1])
    return rows.assign(
        age=rows["age_midpoint"],
        seen=rows["seen_midpoint"],
        sex=rows["sex"].replace("*", None),
        cost=pd.to_numeric(rows["cost"]),
        days=pd.to_numeric(rows["days"]),
        **{"odd name": pd.to_numeric(rows["odd name"])},
    )


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of models as numbers."""
    small = frame["ward"].map(frame["ward"].value_counts()) < SMALLEST_GROUP
    return pd.DataFrame(
        {
            "cost": frame["cost"],
            "age": frame["age"].astype(float),
            "seen": pd.to_datetime(frame["seen"]).map(lambda day: day.to_julian_date()) - 1721424.5,  # from year 1
            "male": frame["sex"].map({"Male": 1.0, "Female": 0.0}),
            "west": (frame["ward"] == "west") * 1.0,
            "small": small * 1.0,
            "days": frame["days"],
            "died": (frame["died"] == "yes") * 1.0,
            **{name: (frame["odd name"] == one) * 1.0 for one, name in enumerate(ODD)},
        }
    )


NAMES = {
    "Intercept": "(Intercept)",
    "age": "age",
    "seen": "seen",
    "male": "sex[Male]",
    "west": "ward[west]",
    "small": f"ward[{OTHERS}]",
    "age:male": "age x sex[Male]",
}
"""The oracle's name of a coefficient -> that of a result."""

MODELS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "linear": (
        "cost ~ age + sex + ward + seen",
        {},
        lambda rows: smf.ols("cost ~ age + male + west + small + seen", rows),
    ),
    "interaction": ("cost ~ sex * age", {}, lambda rows: smf.ols("cost ~ age * male", rows)),
    "logistic": (
        "died ~ age + sex",
        {"family": "logistic"},
        lambda rows: smf.logit("died ~ age + male", rows),
    ),
    "cox": (
        "days ~ age + sex",
        {"family": "cox", "event": "died"},
        lambda rows: smf.phreg("days ~ age + male", rows.dropna(subset=["age", "male"]), status="died", ties="efron"),
    ),
}


def oracle(fitted: Any) -> dict[str, list[float]]:
    """Return name -> estimate and ends of the interval, for the coefficients of a result."""
    names, ends = fitted.model.exog_names, np.asarray(fitted.conf_int(0.05))
    found = dict(zip(names, np.column_stack([fitted.params, ends]).tolist(), strict=True))
    return {NAMES[name]: values for name, values in found.items() if name in NAMES}


@pytest.mark.parametrize("model", MODELS)
def test_coefficients_are_those_of_statsmodels(world, model):
    formula, given, reference = MODELS[model]
    found = gamedeid.risk.release_utility(world[0], world[1], model=formula, **given)
    tables = {"original": plain(world[2]), "released": plain(released(world))}
    expected = {name: oracle(reference(table).fit(disp=0)) for name, table in tables.items()}
    first = found.models[0]

    assert ("midpoints", None) == (first.form, first.why_not)
    assert set(expected["original"]) == {one.name for one in first.coefficients}
    for one in first.coefficients:
        for table in tables:
            values = [*getattr(one, table).as_dict().values()]
            assert pytest.approx(expected[table][one.name], rel=1e-4, abs=1e-7) == values
        assert pytest.approx(_overlap(*(expected[table][one.name][1:] for table in tables)), abs=1e-3) == one.overlap
    used = [name for name in ("age", "male", "cost", "seen") if name[:3] in formula.replace("sex", "mal")]
    assert len(tables["original"].dropna(subset=used)) == found.original_rows
    assert len(tables["released"].dropna(subset=used)) == first.rows
    assert first.rows < found.original_rows
    assert found == gamedeid.risk.release_utility(world[0].with_name("parquet"), world[1], model=formula, **given)


def _overlap(one: list[float], other: list[float]) -> float:
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return max(high - low, 0) / 2 * sum(1 / (end[1] - end[0]) for end in (one, other))


def test_labels_are_categories_as_they_are_released(world):
    found = gamedeid.risk.release_utility(world[0], world[1], model="cost ~ sex + C(`odd name`)").models[1]
    rows = released(world)
    table = plain(rows).fillna({"male": 0}).assign(star=rows["sex"].isna() * 1.0)
    common = people()["odd name"].value_counts().idxmax()
    others = [name for place, name in enumerate(ODD) if place != common]
    fitted = smf.ols(f"cost ~ male + star + {' + '.join(others)}", table).fit()

    assert ("labels", 1) == (found.form, found.not_compared)
    assert table["cost"].notna().sum() == found.rows
    assert pytest.approx(fitted.params["male"]) == found.coefficients[1].released.value
    assert "sex[Male]" == found.coefficients[1].name
    assert {f"odd name[{place}]" for place in range(4) if place != common} == {
        one.name for one in found.coefficients[2:]
    }


def test_distances_and_associations_are_those_of_a_plain_count(world):
    found = gamedeid.risk.release_utility(world[0], world[1], model="cost ~ ward")
    before, after = world[2], released(world)
    rows = gamedeid.read_release(world[0], world[1])
    spread = dict.fromkeys(range(121), 0.0)
    for low, high in zip(rows["age_low"], rows["age_high"], strict=True):
        for age in [] if np.isnan(low) else range(int(low), int(high) + 1):
            spread[age] += 1 / (high - low + 1)
    distances = {one.column: one for one in found.columns}
    known, total = before["age"].dropna(), sum(spread.values())
    differences = [abs((known == age).mean() - share / total) for age, share in spread.items()]
    roots = [((known == age).mean() ** 0.5 - (share / total) ** 0.5) ** 2 for age, share in spread.items()]

    assert set(COLUMNS) == set(distances)
    assert pytest.approx(sum(differences) / 2) == distances["age"].total_variation
    assert pytest.approx((sum(roots) / 2) ** 0.5) == distances["age"].hellinger
    age, ward = distances["age"], distances["ward"]
    assert (len(known), rows["age_low"].notna().sum()) == (age.original_rows, age.released_rows)
    assert 0 < age.total_variation
    assert (0, 0, ROWS) == (ward.total_variation, ward.hellinger, ward.released_rows)

    pairs = {one.columns: one for one in found.associations}
    assert {("age", "sex"), ("age", "seen"), ("sex", "ward"), ("sex", "cost")} <= set(pairs)
    for name, frame in (("original", before), ("released", after)):
        table = plain(frame)
        both = table[["age", "cost"]].dropna()
        assert pytest.approx(both.corr().iloc[0, 1]) == getattr(pairs["age", "cost"], name)
        ratio = smf.ols("cost ~ male", table).fit().rsquared ** 0.5
        assert pytest.approx(ratio) == getattr(pairs["sex", "cost"], name)
        folded = frame["ward"].where(plain(frame)["small"] == 0, "others")
        counts = pd.crosstab(frame["sex"], folded).to_numpy()
        assert pytest.approx(cramers_v(counts, method="cramer")) == getattr(pairs["sex", "ward"], name)


def test_the_command_is_for_the_publisher_and_shows_no_small_category(world, monkeypatch):
    monkeypatch.chdir(world[0].parent)
    words = ["utility", "out", "--model", "cost ~ age + sex + ward"]
    said, printed = gamedeid_says(*words, "--json"), gamedeid_says(*words)
    found = gamedeid.risk.release_utility("out", model=words[-1])

    assert (0, "", 0, "") == (said.code, said.err, printed.code, printed.err)
    assert found.as_dict() == json.loads(said.out)
    assert printed.out.startswith("For the publisher only: ")
    assert "ward[west]" in printed.out
    assert not any(word in printed.out + said.out for word in ("rare", "scarce", "DROPPED"))
    assert 0 == found.models[0].not_compared


@pytest.mark.parametrize(
    ("why", "family", "numbers", "response"),
    [
        ("too few rows", "linear", [1, 2], [1, 2]),
        ("dependent columns", "linear", [1, 1, 1, 1], [1, 2, 3, 5]),
        ("dependent columns", "cox", None, [1, 2, 3, 5]),  # a category of one value
        ("no estimate", "logistic", [1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]),
        ("no estimate", "logistic", [1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1]),
    ],
)
def test_a_table_that_gives_no_coefficients_says_why(why, family, numbers, response):
    made = Model(formula=read_formula("y ~ a", ["y", "a"]), family=family, references={})
    numbers = None if numbers is None else np.array(numbers, float)
    values = Variable(codes=np.zeros(len(response), int), labels=("",), numbers=numbers)
    found = made.fit({"a": values}, np.array(response, float), np.ones(len(response)) if family == "cox" else None)

    assert (why, {}, len(response)) == (found.why_not, found.coefficients, found.rows)


def test_columns_of_numbers_are_numbers_where_all_records_are_withheld(tmp_path):
    rows = [f"{20 + row},Male,{row % 7},{row % 5}" for row in range(40)]
    (tmp_path / "records.csv").write_text("\n".join(["age,sex,cost,days", *rows]))
    keep = {"records": {"keep": ["cost", "days"], "path": str(tmp_path / "records.csv")}}
    question = content(keep | {"payoffs": {"benefit": 1, "loss": 1e6, "cost": 1e-3}})
    gamedeid.solve(question, game="basic").write(tmp_path / "out", report=False)

    found = gamedeid.risk.release_utility(tmp_path / "out", question, model="cost ~ days")

    assert (0, 40, "too few rows") == (found.released, found.original_rows, found.models[0].why_not)
    assert 2 == found.models[0].not_compared  # the intercept, and one coefficient of days


def test_columns_that_are_sums_of_others_leave_the_other_coefficients_as_they_are():
    rng = np.random.default_rng(2)
    codes, number, noise = rng.integers(0, 3, 90), rng.random(90), rng.random(90)
    response = 2 * number + codes + noise
    first = Variable(codes=codes, labels=("x", "y", "z"))
    same = Variable(codes=np.where(codes == 2, 1, 0), labels=("x", "*"))
    plain = Variable(codes=codes, labels=("",), numbers=number)
    formulas = [read_formula(f"y ~ {words}", [*"yabn"]) for words in ("a + n + b", "a + n")]
    made = [
        Model(formula=formula, family="linear", references={"a": "x", "b": "x"}).fit(
            {"a": first, "b": same, "n": plain}, response, None
        )
        for formula in formulas
    ]

    assert (2, 0) == (made[0].dependent, made[1].dependent)
    assert ["(Intercept)", "a[y]", "n"] == [*made[0].coefficients]
    for name, values in made[0].coefficients.items():
        assert pytest.approx(made[1].coefficients[name]) == values


def test_signs_flip_only_where_one_of_them_is_certain():
    cases = {
        (0.1, 0.05, 0.2, -0.1, -0.3, 0.1): True,
        (0.1, -0.1, 0.3, -0.1, -0.3, 0.1): False,
        (1, 0, 2, 3, 2.5, 4): False,
    }
    found = [compared("a", case[:3], case[3:]) for case in cases]

    assert [*cases.values()] == [one.sign_flipped for one in found]
    assert 0 == found[2].overlap
    assert 1 == compared("a", (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)).overlap


NO_MODELS = (
    *("", "y", "~ a", "y ~", "C(y) ~ a", "y ~ a ~ b"),
    *(f"y ~ {one}" for one in ("a +", "a b", "a - 1", "0 + a", "a ** 2", "a:b", "I(a)", "C(a, 1)", "np.log(a)", "`a")),
    *("y ~ a\n; b", "y ~ __import__('os').system('true')"),
)


@pytest.mark.parametrize("formula", NO_MODELS)
def test_an_invalid_list_of_columns_is_refused(formula):
    says = message(InvalidScenarioError, read_formula, formula, ["y", "a", "b"])
    assert "is no model; expected RESPONSE ~ " in says
    assert says.endswith("backquotes around odd names")


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ("y ~ aa", "there is no attribute or kept column `aa`"),
        ("y ~ a.b", "there is no attribute or kept column `a.b`"),
        ("y ~ a + y", "is on both sides of ~"),
        ("y ~ a + C(a)", "is both a number and a category"),
        ("y ~ a*b*c*d", "more than 3 columns"),
    ],
)
def test_models_of_other_columns_are_refused(formula, says):
    assert says in message(InvalidScenarioError, read_formula, formula, ["y", *"abcd"])


def test_a_formula_is_its_columns_and_interactions():
    found = read_formula(" y~a+ a*C( b )+`odd name` ", ["y", "a", "b", "odd name"])
    a, b, odd = Factor("a"), Factor("b", category=True), Factor("odd name")

    assert ("y", ((a,), (b,), (odd,), (a, b))) == (found.response, found.terms)
    assert (a, b, odd) == found.factors


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"model": "cost ~ key"}, "no attribute or kept column `key`"),
        ({"model": "ward ~ age"}, "has no numbers"),
        ({"model": "ward ~ age", "family": "logistic"}, "has 4 values, and needs two"),
        ({"model": "days ~ age", "family": "cox"}, "needs the column that says if the event was observed"),
        ({"model": "days ~ age", "event": "died"}, "it is of the family cox"),
        ({"model": "days ~ age", "family": "ols"}, "expected linear or logistic or cox, not `ols`"),
        ({"model": "days ~ age", "family": "cox", "event": "dead"}, "no attribute or kept column `dead`"),
        ({"model": "days ~ died", "family": "cox", "event": "died"}, "is in the model too"),
    ],
)
def test_columns_that_do_not_suit_the_family_are_refused(world, given, says):
    assert says in message(InvalidScenarioError, gamedeid.risk.release_utility, *world[:2], **given)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"model": "age ~ cost + twice"}, "(dependent columns)"),
        (
            {"model": "female ~ sex", "family": "logistic"},
            "(no estimate: a category may have one response alone; leave its column out)",
        ),
    ],
)
def test_a_model_that_the_original_data_do_not_determine_is_refused(tmp_path, asked, says):
    rows = people()[["age", "sex", "cost"]].dropna().head(40)
    made = rows.assign(twice=rows["cost"] * 2, female=(rows["sex"] == rows["sex"].iloc[0]).astype(int))
    made.to_csv(tmp_path / "records.csv", index=False)
    records = {"keep": ["cost", "twice", "female"], "path": str(tmp_path / "records.csv")}
    question = content({"records": records, "floor": "limited-data-set"})
    gamedeid.solve(question).write(tmp_path / "out", report=False)
    said = message(InvalidDataError, gamedeid.risk.release_utility, tmp_path / "out", question, **asked)

    assert f"cannot be fitted to the original data {says}" in said
