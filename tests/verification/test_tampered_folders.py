"""`verify` finds changes in a folder even if all digests fit."""

import json
import shutil

import numpy as np
import pytest
from registry import registry, several_stays
from tampering import at_strategy, change_json, change_rows, digest, rows_of, write, write_rows

from gamedeid import Scenario, solve, verify
from gamedeid.choices import GAMES


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Return the scenario, and a folder of results for each game and for one in which records are withheld.

    The rows of their releases are in the order of the records, so that one can be changed and nothing else.
    """
    base = tmp_path_factory.mktemp("honest")
    scenario = registry(base / "registry")
    for game in GAMES:
        solve(scenario, game=game).write(base / game, report=False, keep_order=True)
    solve(scenario).write(base / "reported")
    text = scenario.read_text().replace("loss = 400", "loss = 4700\ngain = 20000")
    withholding = scenario.with_name("withholding.toml")
    withholding.write_text(text)
    solve(withholding).write(base / "withholding", report=False, keep_order=True)
    return base


@pytest.fixture
def copied(honest, tmp_path):
    """Return a function that copies the honest results of a name with their inputs, and verifies the changed copy."""

    class Copied:
        inputs = tmp_path / "registry"
        shutil.copytree(honest / "registry", inputs)

        def __init__(self, name: str) -> None:
            self.folder = tmp_path / name
            self.scenario = self.inputs / ("withholding.toml" if name == "withholding" else "scenario.toml")
            shutil.copytree(honest / name, self.folder)

        @property
        def findings(self):
            return verify(self.folder, self.scenario).findings

        @property
        def places(self) -> set[tuple[str, str | None]]:
            """Return the places of findings; the report differs too, since it has the release's digest."""
            return {(one.file, one.column) for one in self.findings if one.file != "report.html"}

    return Copied


def test_the_folders_are_honest_before(copied):
    for name in (*GAMES, "withholding", "reported"):
        assert () == copied(name).findings


# --- the release ------------------------------------------------------------------------------------------------------


def finer(folder) -> None:
    """Write the record's own age where a decade was released."""
    place = next(at for at, row in enumerate(rows_of(folder, "release.csv")) if row["age"].startswith("["))
    record = rows_of(folder.parent / "registry", "records.csv")[place]
    change_rows(folder, "release.csv", lambda rows: rows[place].update(age=record["age"]))


def swapped(folder) -> None:
    rows = rows_of(folder, "release.csv")
    other = next(at for at, row in enumerate(rows) if row != rows[0])
    rows[0], rows[other] = rows[other], rows[0]
    write_rows(folder, "release.csv", rows)


def released(change):
    return lambda folder: change_rows(folder, "release.csv", change)


def edited(name: str, change):
    """Return a function that edits a file as one text."""
    return lambda folder: write(folder, name, change((folder / name).read_text()))


RELEASE = {
    "a value made finer": (finer, "age"),
    "a value made coarser": (
        released(lambda rows: next(row for row in rows if row["sex"] != "*").update(sex="*")),
        "sex",
    ),
    "a value of another group": (released(lambda rows: rows[0].update(sex="Other")), "sex"),
    "a kept value": (released(lambda rows: rows[3].update(note="z")), "note"),
    "a row added": (released(lambda rows: [*rows, rows[0]]), None),
    "a row removed": (released(lambda rows: rows[1:]), None),
    "a row in place of another": (released(lambda rows: [rows[0], *rows[:1], *rows[2:]]), ...),
    "two rows swapped": (swapped, ...),
    "a column renamed": (edited("release.csv", lambda text: text.replace("age", "years", 1)), None),
    "a dropped column added": (released(lambda rows: [{**row, "name": "x"} for row in rows]), None),
    "a column left out": (released(lambda rows: [{"age": row["age"]} for row in rows]), None),
    "rows of other lengths": (edited("release.csv", lambda text: text + "a,b\n"), None),
    "no text": (edited("release.csv", lambda _: b"\xff\xfe\0"), None),
}


@pytest.mark.parametrize("kind", RELEASE)
def test_a_release_that_was_changed(copied, kind):
    change, column = RELEASE[kind]
    made = copied("basic")
    change(made.folder)

    assert {"release.csv"} == {file for file, _ in made.places}
    assert column is ... or {column} == {column for _, column in made.places}


# --- the strategies ---------------------------------------------------------------------------------------------------


def stated(record: int, /, **changes: str):
    return lambda folder: change_rows(folder, "strategies.csv", lambda rows: rows[record].update(changes))


def of_attacked(**changes: str):
    """Return a function that changes the first attacked record."""

    def change(rows) -> None:
        next(row for row in rows if row["attacked"] == "true").update(changes)

    return lambda folder: change_rows(folder, "strategies.csv", change)


def of_all(change):
    return lambda folder: change_rows(folder, "strategies.csv", change)


STRATEGIES = {
    "an attack hidden": (of_attacked(attacked="false"), "attacked"),
    "a chance made smaller": (of_attacked(success_probability="0.001"), "success_probability"),
    "a loss of information": (stated(2, information_loss="0.1"), "information_loss"),
    "an intensity": (stated(2, generalization_intensity="0.9"), "generalization_intensity"),
    "a payoff": (stated(2, publisher_payoff="1000.0"), "publisher_payoff"),
    "the adversary's payoff": (of_attacked(adversary_payoff="0.0"), "adversary_payoff"),
    "a level": (stated(2, sex="1"), "sex"),
    "a level that there is not": (stated(2, sex="7"), "sex"),
    "a number that is none": (stated(2, publisher_payoff="nan"), "publisher_payoff"),
    "a word for a flag": (stated(2, attacked="no"), "attacked"),
    "a record withheld": (stated(2, withheld="true"), "withheld"),
    "a record's number": (stated(2, record="9"), "record"),
    "a row twice": (of_all(lambda rows: [*rows, {**rows[-1], "record": len(rows)}]), None),
    "two rows swapped": (
        of_all(lambda rows: [{**row, "record": at} for at, row in enumerate([rows[1], rows[0], *rows[2:]])]),
        "age",
    ),
    "a column renamed": (edited("strategies.csv", lambda text: text.replace("attacked", "attack", 1)), None),
}


@pytest.mark.parametrize("kind", STRATEGIES)
def test_strategies_that_were_changed(copied, kind):
    change, column = STRATEGIES[kind]
    made = copied("basic")
    change(made.folder)
    columns = {column for file, column in made.places if file in {"strategies.csv", "release.csv"}}

    assert column in columns or (kind == "a record withheld" and columns)


@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_made_finer_with_everything_computed_anew(honest, tmp_path, game):
    """Levels, release, outcomes, measures and digests fit together: only the worse strategy shows the change."""
    scenario = honest / "registry" / "scenario.toml"
    solution = solve(scenario, game=game)
    profiles = np.flatnonzero((solution.levels.sum(axis=1) > 0) & ~solution.withheld)
    at_strategy(solution, int(profiles[0]), 0).write(tmp_path / "out", report=False)
    findings = verify(tmp_path / "out", scenario).findings

    expected = {"basic": "publisher_payoff", "no-attack": "attacked", "sh-friendly": "age"}
    assert {"strategies.csv"} == {one.file for one in findings}
    assert expected[game] in {one.column for one in findings}


def test_one_of_two_records_alike_treated_otherwise(copied):
    made = copied("no-attack")
    rows = rows_of(made.folder / "..", "registry/records.csv")
    keys = [(row["age"], row["sex"], row["area"]) for row in rows]
    second = next(at for at, key in enumerate(keys) if key in keys[:at])
    stated(second, age="3", sex="1", area="3")(made.folder)

    assert any("the same values" in one.says for one in made.findings)


def test_a_withheld_row_that_is_released_after_all(copied):
    made = copied("withholding")
    strategies = rows_of(made.folder, "strategies.csv")
    place = next(at for at, row in enumerate(strategies) if row["withheld"] == "true")
    before = sum(row["withheld"] == "false" for row in strategies[:place])
    row = {**rows_of(made.folder, "release.csv")[0], "age": "*", "sex": "*", "area": "*"}
    change_rows(made.folder, "release.csv", lambda rows: [*rows[:before], row, *rows[before:]])

    assert {("release.csv", None)} == made.places

    stated(place, withheld="false")(made.folder)
    columns = {column for _, column in made.places}
    assert {"publisher_payoff", "success_probability", "attacked", "information_loss"} & columns


@pytest.fixture
def of_persons(tmp_path):
    """Return the scenario and the results of persons with several records."""
    scenario = several_stays(registry(tmp_path / "registry"))
    solve(scenario).write(tmp_path / "out", report=False, keep_order=True)
    return scenario, tmp_path / "out"


@pytest.mark.parametrize("pseudonym", ["7", "0", "x", "99", "1" * 30, "SECRET0"])
def test_another_pseudonym(of_persons, pseudonym):
    scenario, out = of_persons
    name = next(iter(rows_of(out, "release.csv")[0]))
    change_rows(out, "release.csv", lambda rows: rows[1].update({name: pseudonym}))

    (finding,) = verify(out, scenario).findings
    assert ("release.csv", name) == (finding.file, finding.column)


def test_two_people_under_one_pseudonym(of_persons):
    scenario, out = of_persons
    name = next(iter(rows_of(out, "release.csv")[0]))
    change_rows(out, "release.csv", lambda rows: [row.update({name: rows[-1][name]}) for row in rows[:3]] and None)

    assert {("release.csv", name)} == {(one.file, one.column) for one in verify(out, scenario).findings}


def test_one_of_the_records_of_a_person_released_finer(of_persons):
    scenario, out = of_persons
    levels = rows_of(out, "strategies.csv")[1]
    stated(1, age=str(max(0, int(levels["age"]) - 1)), sex="0")(out)

    assert {"age", "sex"} & {one.column for one in verify(out, scenario).findings}


# --- summary, manifest, inputs ----------------------------------------------------------------------------------------


def changed(name: str, path: str, value):
    def change(folder) -> None:
        def edit(content) -> None:
            *before, last = path.split(".")
            for part in before:
                content = content[int(part) if part.isdigit() else part]
            content[last] = value

        change_json(folder, name, edit)

    return change


RECIPIENTS = {
    "thief": {"probability": 0.2, "cost": 0, "loss": 300},
    "buyer": {"probability": 0.5, "covers": 0.6, "knows": ["age"], "loss": 500},
    "broker": {"knows": ["age"], "learns": {"knows": ["sex"], "probability": 0.5, "price": 0.1}},
}
OF_A_SAMPLE = {
    "an attack hidden": (of_attacked(attacked="false"), "publisher_payoff"),
    "a loss of information": (stated(2, information_loss="0.1"), "information_loss"),
    "an intensity": (stated(2, generalization_intensity="0.9"), "generalization_intensity"),
    "less paid than any attack takes": (of_attacked(publisher_payoff="0.001"), "publisher_payoff"),
    "a chance above all probabilities": (of_attacked(success_probability="1.8"), "success_probability"),
    "a level": (stated(2, sex="1"), "sex"),
    "a measure": (changed("summary.json", "measures.expected_reidentifications", 0.01), None),
}


@pytest.fixture(scope="module", params=[("thief", "buyer", "broker"), ("buyer",)], ids=" ".join)
def of_a_sample(request, tmp_path_factory):
    """Return the scenario and the results of a sample, for which the number of matching people is unknown."""
    base = tmp_path_factory.mktemp("sampled")
    changes = {
        "population": {"sampling_fraction": 0.05},
        "recipients": {name: RECIPIENTS[name] for name in request.param},
    }
    scenario = Scenario.read(registry(base / "registry"), changes)
    solve(scenario).write(base / "out")
    return scenario, base / "out"


def test_replies_of_recipients_to_a_sample_fit_together(of_a_sample):
    found = verify(of_a_sample[1], of_a_sample[0])

    assert () == found.findings
    assert "whom recipients attack and find" in {one.what for one in found.unchecked}
    assert "6 outcomes of 40 records" in found.checked


@pytest.mark.parametrize("kind", OF_A_SAMPLE)
def test_a_sample_for_several_recipients_that_was_changed(of_a_sample, tmp_path, kind):
    scenario, out = of_a_sample
    change, column = OF_A_SAMPLE[kind]
    shutil.copytree(out, tmp_path / "out")
    change(tmp_path / "out")

    assert column in {one.column for one in verify(tmp_path / "out", scenario).findings if one.file != "report.html"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("data.persons.count", 25),
        ("data.persons.with_several_records", 0),
        ("data.persons.differing.age", 0),
        ("search.gap", 1.0),
        ("search.gap_most", 1.0),
    ],
)
def test_a_number_of_people_or_a_gap_that_a_proof_excludes(of_persons, key, value):
    scenario, out = of_persons
    changed("summary.json", key, value)(out)

    found = [one.says for one in verify(out, scenario).findings if one.file == "summary.json"]
    assert any(says.startswith(key.removesuffix(".age")) for says in found), found


DOCUMENTS = {
    "a measure": changed("summary.json", "measures.attacked", 0.0),
    "a number of records": changed("summary.json", "measures.records", 400),
    "expected re-identifications": changed("summary.json", "measures.expected_reidentifications", 0.01),
    "a stake": changed("summary.json", "payoffs.loss", 1.0),
    "the game": changed("summary.json", "game", "no-attack"),
    "people": changed("summary.json", "data.population", 10**6),
    "profiles": changed("summary.json", "data.profiles", 3),
    "a strategy of the list": changed("summary.json", "strategies.0.records", 30),
    "a strategy's levels": changed("summary.json", "strategies.0.levels", {"age": 3, "sex": 1, "area": 3}),
    "what unmatched records count as": changed("summary.json", "data.unmatched", "error"),
    "a measure of the report": changed("report.json", "comparison.1.attacked", 0.0),
    "a stake of the manifest": changed("manifest.json", "scenario.payoffs.loss", 100.0),
    "a weight of the manifest": changed("manifest.json", "scenario.attributes.area.weight", 1.0),
    "the game of the manifest": changed("manifest.json", "scenario.game", "sh-friendly"),
    "a key that no scenario has": changed("manifest.json", "scenario.surprise", 1),
    "the floor of the manifest": changed("manifest.json", "scenario.floor", "limited-data-set"),
    "how it was solved": changed("summary.json", "search.solver", "lattice-search"),
    "that it is proved": changed("summary.json", "search.proved", None),
    "the report's words": edited("report.html", lambda text: text.replace("attack", "atack", 1)),
    "the numbers of lines and maps": edited("sensitivity.csv", lambda text: text.replace("basic", "no-attack", 1)),
    "a risk of the report": changed("report.json", "risks.release.prosecutor.highest", 0.01),
    "a file that is not there": lambda folder: (folder / "report.html").unlink(),
    "a file too many": lambda folder: (folder / "notes.txt").write_text("x"),
    "no JSON": lambda folder: write(folder, "summary.json", "{"),
    "a list for JSON": lambda folder: write(folder, "summary.json", "[]"),
}


REPORTED = (
    "a measure of the report",
    "the report's words",
    "the numbers of lines and maps",
    "a risk of the report",
    "a file that is not there",
)


EXAMPLES = {
    "people": changed("report.json", "examples.0.people", 99),
    "before": changed("report.json", "examples.1.before.sex", "Other"),
    "released": changed("report.json", "examples.2.released.age", "*"),
    "withheld": changed("report.json", "examples.3.withheld", value=True),
    "levels": changed("report.json", "examples.4.levels.age", 99),
    "levels of nothing": changed("report.json", "examples.4.levels", []),
    "a row of nothing": lambda folder: change_json(
        folder, "report.json", lambda content: content["examples"].__setitem__(5, 7)
    ),
    "no rows": changed("report.json", "examples", []),
}


@pytest.mark.own_documents
@pytest.mark.parametrize("kind", EXAMPLES)
def test_rows_before_and_after_that_were_changed(copied, kind):
    made = copied("reported")
    EXAMPLES[kind](made.folder)

    says = [one.says for one in made.findings if one.file == "report.json"]
    assert any("examples " in one or "rows of the population" in one for one in says), says


def test_a_row_released_in_other_detail_than_the_game_would(copied):
    """All statements about it agree, but the game would choose better."""
    made = copied("reported")
    top = {"age": 3, "sex": 1, "area": 3}

    def edit(content) -> None:
        one = content["examples"][0]
        assert one["levels"] != top
        people = sum(int(row["count"]) for row in rows_of(made.folder.parent / "registry", "people.csv"))
        one |= {"levels": top, "released": dict.fromkeys(top, "*"), "people": people}

    change_json(made.folder, "report.json", edit)

    assert ("levels", "examples 0 is not released as the game would") in {
        (one.column, one.says) for one in made.findings
    }


@pytest.mark.own_documents
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_documents_that_were_changed(copied, kind):
    made = copied("reported" if kind in REPORTED else "basic")
    DOCUMENTS[kind](made.folder)

    assert made.findings


def test_statements_of_the_manifest_are_not_said_to_follow_from_the_records(copied):
    made = copied("basic")
    changed("summary.json", "title", "other")(made.folder)

    assert ["title is not as manifest.json has it"] == [one.says for one in made.findings]


def test_the_page_is_made_again_though_something_else_was_found(copied):
    made = copied("reported")
    for kind in ("a measure", "the report's words", "the numbers of lines and maps"):
        DOCUMENTS[kind](made.folder)

    sources = "summary.json, report.json and manifest.json make: one of these files was changed"
    says = {one.file: one.says for one in made.findings}
    assert says.pop("summary.json").startswith("measures.attacked does not follow from the records")
    assert f"is not the page that {sources}" == says.pop("report.html")
    assert {"sensitivity.csv": f"is not the table that {sources}"} == says


def test_documents_of_which_no_page_can_be_made_are_all_named(copied):
    made = copied("reported")
    changed("report.json", "comparison", [])(made.folder)
    says = {one.file: one.says for one in made.findings if one.column is None}

    assert "summary.json, report.json and manifest.json do not fit together" in says["report.html"]


def test_the_page_of_visits_is_made_again_without_the_records(tmp_path):
    scenario, out = several_stays(registry(tmp_path / "registry")), tmp_path / "out"
    solve(scenario).write(out)
    (tmp_path / "registry" / "records.csv").unlink()
    assert () == verify(out, scenario).findings

    DOCUMENTS["the report's words"](out)
    assert ["report.html"] == [one.file for one in verify(out, scenario).findings]


@pytest.mark.parametrize(
    "name", ["release.csv", "strategies.csv", "summary.json", "report.json", "report.html", "sensitivity.csv"]
)
def test_a_digest_that_was_changed(copied, name):
    made = copied("reported")
    change_json(made.folder, "manifest.json", lambda manifest: manifest["outputs"].update({name: digest(b"")}))

    assert {name, "report.html"} >= {one.file for one in made.findings} >= {name}


INPUTS = {
    "population": ("people.csv", lambda lines: [lines[0], *lines[5:]], {"strategies.csv", "summary.json"}),
    "hierarchy age": ("ages.csv", lambda lines: [line.replace("39;[30-39]", "39;[40-49]") for line in lines], set()),
    "records": ("records.csv", lambda lines: [line.replace("Female", "Male") for line in lines], set()),
}


@pytest.mark.parametrize(
    ("name", "game"), [*[("population", game) for game in GAMES], ("hierarchy age", "basic"), ("records", "basic")]
)
def test_another_input_is_found_by_its_digest_or_by_its_consequences(copied, name, game):
    file, change, follows = INPUTS[name]
    made = copied(game)
    path = made.inputs / file
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")

    (finding,) = made.findings
    assert name in finding.says
    fitting = {"sha256": digest(path.read_bytes())}
    change_json(made.folder, "manifest.json", lambda manifest: manifest["inputs"][name].update(fitting))
    assert made.findings
    assert follows <= {file for file, _ in made.places}


@pytest.mark.parametrize("struck", ["records", "population", "hierarchy age", "hierarchy sex", "hierarchy area"])
def test_an_input_that_was_struck_out_of_the_manifest(copied, monkeypatch, struck):
    made = copied("basic")
    change_json(made.folder, "manifest.json", lambda manifest: manifest["inputs"].pop(struck))

    assert ["manifest.json"] == [one.file for one in made.findings]
    assert f"names no input `{struck}`, and the scenario does" == made.findings[0].says
    if "hierarchy" not in struck:  # the manifest's own scenario names these files too
        monkeypatch.chdir(made.inputs)
        assert ["manifest.json"] == [one.file for one in verify(made.folder).findings]


@pytest.mark.parametrize("section", ["records", "population"])
def test_an_input_that_was_struck_out_with_its_path(copied, section):
    def strike(manifest) -> None:
        del manifest["inputs"][section]
        manifest["scenario"][section]["path"] = None

    made = copied("basic")
    change_json(made.folder, "manifest.json", strike)
    says = [one.says for one in made.findings]

    assert f"its scenario differs from the one at hand in {section}.path" in says
    assert f"names no input `{section}`, and the scenario does" in says


def test_a_dropped_column_that_was_struck_out_of_the_manifest_is_found_and_not_named(copied):
    made = copied("basic")
    change_json(made.folder, "manifest.json", lambda manifest: manifest["scenario"]["records"].update(drop=[]))
    says = {one.file: one.says for one in made.findings}

    assert "differs from the one at hand in records.drop" in says["manifest.json"]
    assert says["records"].startswith("cannot be read as the scenario says; ")
    assert "`name`" not in " ".join(says.values())


def test_another_scenario(copied):
    made = copied("basic")
    scenario = Scenario.read(made.scenario, {"payoffs.benefit": 101})

    (finding,) = verify(made.folder, scenario).findings
    assert "in payoffs.benefit" in finding.says


def test_findings_show_values_of_the_data_only_when_asked(copied):
    made = copied("basic")
    change_rows(made.folder, "release.csv", lambda rows: rows[0].update(age="TOLD", note="TOLD"))
    found = verify(made.folder, made.scenario)

    assert "TOLD" not in json.dumps(found.as_dict()) + repr(found) + repr(found.findings) + found._repr_html_()
    assert "TOLD" in json.dumps(found.as_dict(with_values=True))
