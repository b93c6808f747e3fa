"""The risk of an unchanged table: that of pandas and of pycanon, for files and frames, and refused input."""

import json
import math
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from depth import tries
from hypothesis import given
from hypothesis import strategies as st
from kinds_of_hierarchy import write_kinds
from printed_sentences import printed
from questions import content
from small_world import gamedeid_prints, gamedeid_says

import gamedeid
from gamedeid.report.terminal.release import print_table_risks
from gamedeid.risk import table_risks

ATTRIBUTES, KEPT = ["age", "sex"], ["illness", "stay"]
VALUES = {
    "age": st.sampled_from(("20-29", "30-39", "*", None)),
    "sex": st.sampled_from(("F", "M", "*", None)),
    "illness": st.sampled_from(("flu", "gout", "none", None)),
    "stay": st.integers(0, 4),
}
RELEASE = pd.DataFrame(
    {
        "age": ["20-29", "20-29", "20-29", "30-39", "*", "*", None],
        "sex": ["F", "F", "F", "M", "*", "*", "M"],
        "illness": ["flu", "flu", "gout", "flu", "flu", "gout", None],
    }
)
PEOPLE = pd.DataFrame({"age": ["20-29", "30-39", "30-39"], "sex": ["F", "M", "F"], "people": [10, 2, 5]})


def rows_of(names: list[str]) -> st.SearchStrategy[pd.DataFrame]:
    drawn = st.lists(st.tuples(*(VALUES[name] for name in names)), min_size=1, max_size=30)
    return drawn.map(lambda rows: pd.DataFrame(rows, columns=names))


def labels_of(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """Return the labels of each row, a missing value as one."""
    return [*frame[ATTRIBUTES].astype(object).fillna("missing").itertuples(index=False, name=None)]


def sizes_of(frame: pd.DataFrame) -> pd.Series:
    """Return how many rows have the labels of each row."""
    return pd.Series(labels_of(frame)).map(Counter(labels_of(frame)))


def distribution(risk: pd.Series) -> dict:
    def mean(of: pd.Series) -> Any:
        return pytest.approx(of.mean() if len(risk) else 0.0)

    above = {str(threshold): mean(risk > threshold) for threshold in (0.05, 0.2)}
    return {"highest": risk.max() if len(risk) else 0.0, "mean": mean(risk), "above": above}


@given(release=rows_of([*ATTRIBUTES, *KEPT]))
def test_the_figures_are_those_of_pandas(release):
    sizes, found = sizes_of(release), table_risks(release, ATTRIBUTES, KEPT).as_dict()
    classes = len(release[ATTRIBUTES].drop_duplicates())

    assert (len(release), classes, sizes.min()) == (found["records"], found["classes"], found["k_anonymity"])
    assert {str(most): pytest.approx((sizes <= most).mean()) for most in (1, 2, 5, 10)} == found["in_classes_up_to"]
    assert distribution(1 / sizes) == found["prosecutor"]
    assert {"share": pytest.approx(classes / len(release)), "reidentifications": classes} == found["marketer"]
    assert int((release[ATTRIBUTES] == "*").all(axis=1).sum()) == found["suppressed"]
    assert int(release[ATTRIBUTES].isna().any(axis=1).sum()) == found["with_missing"]
    unique = [int((~release[names].duplicated(keep=False)).sum()) for names in (["illness"], ["stay"], KEPT)]
    kept = found["kept_uniqueness"]
    assert unique == [one["unique"] for one in (*kept["columns"], kept["together"])]
    assert "population" not in found


@given(release=rows_of(ATTRIBUTES), people=rows_of(ATTRIBUTES), data=st.data())
def test_the_journalists_risk_is_that_of_pandas(release, people, data):
    counts = data.draw(st.lists(st.integers(0, 30), min_size=len(people), max_size=len(people)))
    found = table_risks(release, ATTRIBUTES, population=people.assign(n=counts), count="n").as_dict()["population"]
    alike = Counter(labels_of(people.loc[people.index.repeat(counts)]))
    matched = pd.Series([alike[labels] for labels in labels_of(release) if alike[labels]], dtype=float)

    assert (alike.total(), len(release) - len(matched)) == (found["people"], found["unmatched"])
    assert (matched.min() if len(matched) else None) == found["k_map"]
    assert distribution(1 / matched) == found["journalist"]
    assert pytest.approx((1 / matched).sum()) == found["marketer"]["reidentifications"]


def test_the_figures_are_those_of_pycanon():
    anonymity = pytest.importorskip("pycanon.anonymity", reason="python -m pip install --no-deps pycanon")
    for seed in range(tries(20, 400)):
        draw = random.Random(seed)  # noqa: S311
        rows = draw.randint(3, 60)
        frame = pd.DataFrame(
            {
                "age": draw.choices(["20-29", "30-39", "*"], k=rows),
                "sex": draw.choices(["F", "M"], k=rows),
                "illness": ["flu", "gout", *draw.choices(["flu", "gout", "none"], k=rows - 2)],
                "stay": [0, 3, *draw.choices(range(5), k=rows - 2)],
            }
        )
        found = table_risks(frame, ATTRIBUTES, KEPT)

        assert anonymity.k_anonymity(frame, ATTRIBUTES) == found.k_anonymity
        for one in found.kept_diversity.columns:
            assert anonymity.l_diversity(frame, ATTRIBUTES, [one.column]) == one.distinct
            rounded = anonymity.entropy_l_diversity(frame, ATTRIBUTES, [one.column])  # it rounds down
            assert rounded in {int(one.entropy + 1e-9), int(one.entropy - 1e-9)}
            assert pytest.approx(anonymity.t_closeness(frame, ATTRIBUTES, [one.column])) == one.closeness


@given(release=rows_of([*ATTRIBUTES, *KEPT]))
def test_a_table_with_every_value_kept_has_the_diversity_of_its_solution(release):
    """The same code measures both: rows that no game generalizes are an unchanged table."""
    told = release.assign(age="40", sex=release["sex"].map({"F": "Female"}).fillna("Male"))
    stakes = {"benefit": 100, "loss": 1e-6, "cost": 10}
    scenario = content({"records": {"keep": KEPT}, "payoffs": stakes, "floor": "limited-data-set"})
    solution = gamedeid.solve(scenario, told, game="basic")
    assert gamedeid.risk.kept_diversity(solution).columns == table_risks(told, ATTRIBUTES, KEPT).kept_diversity.columns


@pytest.mark.parametrize("kind", ["csv", "parquet", "polars", "arrow"])
def test_files_and_frames_give_the_same(tmp_path, kind):
    numbers = RELEASE.assign(age=pd.array([20, 20, 20, 30, 40, 40, None], dtype="Int64"))
    made = {
        "csv": lambda: numbers.to_csv(tmp_path / "t.csv", index=False) or tmp_path / "t.csv",
        "parquet": lambda: numbers.to_parquet(tmp_path / "t.parquet") or str(tmp_path / "t.parquet"),
        "polars": lambda: pl.from_pandas(numbers).lazy(),
        "arrow": lambda: pl.from_pandas(numbers).to_arrow(),
    }
    people = pd.DataFrame({"age": ["20", " 30 ", "40"], "sex": ["F", "M", "*"]})
    expected = table_risks(numbers, ATTRIBUTES, ["illness"], people)
    assert expected == table_risks(made[kind](), ATTRIBUTES, ["illness"], people)
    assert 1 == expected.population.unmatched


def test_records_that_match_no_one_are_not_counted_as_safe_in_silence(tmp_path):
    (tmp_path / "table.csv").write_text("age\n40\n40\n41\n")
    (tmp_path / "all.csv").write_text("age\n40\n40\n41\n")
    (tmp_path / "some.csv").write_text("age\n40\n40\n40\n")
    words = ("risk", "table", tmp_path / "table.csv", "--attributes", "age")
    alone, whole, lacking = (
        gamedeid_prints(*words, *more)
        for more in ((), ("--population", tmp_path / "all.csv"), ("--population", tmp_path / "some.csv"))
    )

    assert "population" not in alone
    assert "The population has 3 people." in whole
    assert "leave it out" not in whole
    assert "1 record matches no one in the population: k-map and the journalist risk leave it out" in lacking
    (tmp_path / "age.csv").write_text("40;*\n41;*\n")
    played = [
        gamedeid_prints(*words, "--population", tmp_path / name, "--hierarchies", tmp_path)
        for name in ("all.csv", "some.csv")
    ]
    said = "no record that matches no one (1 record): in the game such a record counts as safe"
    assert [said in " ".join(one.split()) for one in played] == [False, True]


def test_options_that_are_repeated_name_columns_together(tmp_path):
    RELEASE.to_csv(tmp_path / "table.csv", index=False)
    words = ("risk", "table", tmp_path / "table.csv", "--json")
    together = gamedeid_prints(*words, "--attributes", "age,sex", "--kept", "illness")

    assert together == gamedeid_prints(*words, "--attributes", "age", "--kept", "illness", "--attributes", "sex")


@pytest.mark.parametrize(
    ("people", "of", "k_map", "highest", "advised"),
    [
        (["40", "41", "41"], "", "1", "1.0000", False),
        (["40", "40", "40"], " (of those matched)", "3", "0.3333", True),
        (["40-41", "40-41"], " (of those matched)", "none match", "none match", True),
    ],
)
def test_the_journalists_risk_names_its_population(people, of, k_map, highest, advised):
    found = table_risks(pd.DataFrame({"age": ["40", "40", "41"]}), ["age"], (), pd.DataFrame({"age": people}))
    lines = printed(print_table_risks, found)

    cells = dict(re.findall(r"│ (\S.*\S) +│ +(\S.*\S|\S) +│", "\n".join(lines)))
    journalist = {name: shown for name, shown in cells.items() if "k-map" in name or "journalist" in name}
    assert 6 == len(journalist)
    assert all(name.endswith(of) for name in journalist)
    assert (k_map, highest) == (journalist[f"k-map{of}"], journalist[f"journalist risk: highest{of}"])
    assert (6 if k_map == "none match" else 0) == [*journalist.values()].count("none match")
    assert advised == any("name the folder of the hierarchies" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "more", "complaint"),
    [
        ((RELEASE, []), {}, "no column is named"),
        ((RELEASE, "age"), {}, "attributes: expected a list, such as .`age`."),
        ((RELEASE, ["age"], "sex"), {}, "kept: expected a list, such as .`sex`."),
        ((RELEASE, ["age", "age"]), {}, "named twice"),
        ((RELEASE, ["age"], ["age"]), {}, "named twice"),
        ((RELEASE[:0], ["age"]), {}, "has no rows"),
        ((RELEASE, ["age"], [], RELEASE[:0]), {}, "population: has no rows"),
        ((RELEASE, ["agee"]), {}, "did you mean `age`?"),
        ((RELEASE, ["age"], ["ilness"]), {}, "did you mean `illness`?"),
        ((7, ["age"]), {}, "expected a pandas, Polars or Arrow table"),
        ((RELEASE.assign(age=[[1]] * 7), ["age"]), {}, "age"),
        ((RELEASE, ["age"]), {"count": "people"}, "needs a population"),
        ((RELEASE, ["age"], [], PEOPLE), {"count": "age"}, "is an attribute"),
        ((RELEASE, ["age"], [], PEOPLE), {"count": "sex"}, "must hold whole numbers"),
    ],
)
def test_bad_arguments_are_refused(arguments, more, complaint):
    with pytest.raises(gamedeid.GamedeidError, match=complaint.replace("?", r"\?")):
        table_risks(*arguments, **more)


LADDERS = {
    "age": {str(age): [str(age), f"{age // 10}x", "*"] for age in (20, 21, 34, 35)},
    "sex": {"F": ["F", "*"], "M": ["M", "*"]},
}
MADE = Path(__file__).with_name("released_tables")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hierarchies")
    for name, ladder in LADDERS.items():
        (folder / f"{name}.csv").write_text("".join(f"{';'.join(labels)}\n" for labels in ladder.values()))
    return folder


def shown(name: str) -> st.SearchStrategy[str | None]:
    """Return labels of any level, and the text of a suppressed value."""
    labels = {label for labels in LADDERS[name].values() for label in labels}
    return st.sampled_from([*sorted(labels), "NA", None])


def matches(label: str | None, name: str, value: str) -> bool:
    return pd.isna(label) or label in {"*", "NA", *LADDERS[name][value]}


def played(release: pd.DataFrame, people: list[int], loss: float, cost: float) -> dict:
    """Return, row by row, the reply of a recipient who finds this many people for each row."""
    rows, most = len(release), sum(math.log(len(ladder)) for ladder in LADDERS.values())
    lost = [
        math.log(sum(matches(label, name, value) for value in ladder))
        for name, ladder in LADDERS.items()
        for label in release[name]
    ]
    attacked = [found for found in people if found > 0 and loss > cost * found]
    payoff = 100 * (rows - sum(lost) / most) - sum(loss / found for found in attacked)
    return {
        "attacked": pytest.approx(len(attacked) / rows),
        "expected_reidentifications": pytest.approx(sum(1 / found for found in attacked)),
        "publisher_payoff": pytest.approx(payoff / rows, abs=1e-9),
        "adversary_payoff": pytest.approx(sum(loss / found - cost for found in attacked) / rows, abs=1e-9),
    }


@given(
    rows=st.lists(st.tuples(shown("age"), shown("sex")), min_size=1, max_size=12),
    cells=st.lists(
        st.tuples(st.sampled_from(list(LADDERS["age"])), st.sampled_from("FM"), st.integers(0, 9)), max_size=8
    ),
    loss=st.sampled_from((9.0, 60.0)),
)
def test_with_hierarchies_the_game_is_that_of_counting_row_by_row(folder, rows, cells, loss):
    release = pd.DataFrame(rows, columns=ATTRIBUTES)
    people = pd.DataFrame([*cells, ("20", "F", 1)], columns=[*ATTRIBUTES, "n"])
    stakes = {"payoffs.benefit": 100, "payoffs.loss": loss, "payoffs.cost": 7}
    found = table_risks(release, ATTRIBUTES, population=people, count="n", hierarchies=folder, overrides=stakes)
    cells = people.itertuples(index=False)
    everybody = [(age, sex) for age, sex, count in cells for _ in range(count)]
    matching = [
        sum(matches(row.age, "age", age) and matches(row.sex, "sex", sex) for age, sex in everybody)
        for row in release.itertuples(index=False)
    ]
    alike = sizes_of(release).tolist()
    some = [count for count in matching if count]

    game = found.as_dict()["game"]
    assert matching == found.people.tolist()
    assert (min(some, default=None), matching.count(0)) == (found.population.k_map, found.population.unmatched)
    assert played(release, matching, loss, 7) == game["journalist"]
    assert played(release, alike, loss, 7) == game["prosecutor"]
    own = table_risks(release, ATTRIBUTES, hierarchies=folder, overrides=stakes)
    assert (game["prosecutor"], None) == (own.as_dict()["game"]["prosecutor"], own.game.journalist)


def test_a_release_with_intervals_and_suppressed_cells_is_read_as_it_is_and_the_command_prints_the_same():
    stakes = {"payoffs.loss": 100, "payoffs.cost": 1}
    table, people, hierarchies = (MADE / name for name in ("suppressed_locally.csv", "people.csv", "hierarchies"))
    found = table_risks(
        table, ATTRIBUTES, ["illness"], people, count="people", hierarchies=hierarchies, overrides=stakes
    )
    assert [50, 50, 110, 80, 140, 3] == found.people.tolist()
    assert (3, 193, False) == (found.population.k_map, found.population.people, found.game.uniform)
    assert pytest.approx(2 / 50 + 1 / 80 + 1 / 3) == found.game.journalist.expected_reidentifications
    assert pytest.approx(4 / 6) == found.game.journalist.attacked
    words = ["risk", "table", table, "--attributes", "age, sex", "--kept", "illness"]
    counted = ["--population", people, "--count", "people"]
    game = ["--hierarchies", hierarchies, "--set", "payoffs.loss=100", "--set", "payoffs.cost=1"]
    said, shown = gamedeid_says(*words, *counted, *game, "--json"), gamedeid_says(*words, *game)
    assert (0, "") == (said.code, said.err) == (shown.code, shown.err)
    assert found.as_dict() == json.loads(said.out)
    assert "measure of the game" in shown.out
    assert "journalist" not in shown.out.replace("\n", " ").split("If the records are")[1]
    assert "game" not in gamedeid_says(*words, *counted).out


def test_a_table_of_one_strategy_is_uniform_and_a_weight_of_none_loses_nothing(folder):
    release = pd.DataFrame({"age": ["2x", "3x"], "sex": ["F", "M"]})
    found = table_risks(release, ATTRIBUTES, hierarchies=folder, overrides={"attributes.age.weight": 0})
    assert (True, 0.0, 1200 - 300) == (
        found.game.uniform,
        found.game.information_loss,
        found.game.prosecutor.publisher_payoff,
    )


def test_hierarchies_of_values_in_the_data_need_a_population(tmp_path):
    (tmp_path / "zip.toml").write_text('kind = "prefix"\nlength = 3\nkeep = [2]\n')
    release = pd.DataFrame({"zip": ["37*", "382"]})
    people = pd.DataFrame({"zip": ["371", "372", "382"]})
    assert [2, 1] == table_risks(release, ["zip"], population=people, hierarchies=tmp_path).people.tolist()
    with pytest.raises(gamedeid.InvalidHierarchyError, match="give a population"):
        table_risks(release, ["zip"], hierarchies=tmp_path)


def test_labels_of_dates_and_ages_are_read_although_the_people_have_dates_in_another_form(tmp_path):
    write_kinds(tmp_path)
    release = pd.DataFrame({"born": ["1958", "1958-04-01", "*"], "visit": ["66", "*", None]})
    people = pd.DataFrame(
        {"born": ["14.03.1958", "1.4.1958", "02.02.1930"], "visit": ["1958-03-14", "1958-04-01", None]}
    )
    found = table_risks(release, ["born", "visit"], population=people, hierarchies=tmp_path)
    assert [2, 1, 3] == found.people.tolist()


@pytest.mark.parametrize(
    ("release", "options", "complaint"),
    [
        ({"age": ["2x", "9x"], "sex": ["F", "F"]}, {}, "has 1 label that the hierarchy `age` has at no level"),
        ({"age": ["20", "-9"], "sex": ["F", "F"]}, {}, "write codes of missing values"),
        ({"age": ["20"], "sex": ["F"], "place": ["A"]}, {}, "there is no hierarchy of `place`"),
        ({"age": ["20"], "sex": ["F"]}, {"overrides": {"floor": "raw"}}, "sections payoffs and attributes only"),
        ({"age": ["20"], "sex": ["F"]}, {"overrides": {"attributes.ag.weight": 2}}, "no such attribute"),
        ({"age": ["20"], "sex": ["F"]}, {"overrides": {"payoffs.loss": -1}}, "payoffs.loss"),
        ({"age": ["20"], "sex": ["F"]}, {"population": pd.DataFrame({"age": ["2x"], "sex": ["F"]})}, "does not know"),
        ({"age": ["20"], "sex": ["F"]}, {"hierarchies": None, "overrides": {"payoffs.loss": 9}}, "needs hierarchies"),
    ],
)
def test_values_that_hierarchies_lack_are_refused(folder, release, options, complaint):
    with pytest.raises(gamedeid.GamedeidError, match=complaint) as refused:
        table_risks(pd.DataFrame(release), list(release), **{"hierarchies": folder, **options})
    assert "9x" not in str(refused.value)
