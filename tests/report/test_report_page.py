"""The report as a file: what it says, what it never tells, and that stored results make the same one again."""

import base64
import csv
import hashlib
import html
import json
import re
from itertools import pairwise

import pytest
from html_pages import Page
from small_world import PEOPLE, RECORDS, SCENARIO, contents, gamedeid_says, small_world

from gamedeid.amounts import number, percent
from gamedeid.errors import OutputError
from gamedeid.generalization.shipped import shipped_files
from gamedeid.report.best_values import LEGEND, MARK, best_values
from gamedeid.report.html.answer_words import share_words
from gamedeid.report.html.content import report_content
from gamedeid.report.html.page import embedded, report_page
from gamedeid.report.html.stake_words import robust_sentence
from gamedeid.report.html.stored import write_report
from gamedeid.report.verdict import verdict_of

INTRUDER = "</script><script>alert(1)</script>"


def results(folder, *words, **changed):
    """Run a small question and return the folder of its results."""
    folder.mkdir(exist_ok=True)
    said = gamedeid_says("run", small_world(folder, **changed), "-o", folder / "out", *words)
    assert (0, "") == (said.code, said.err)
    return folder / "out"


def page_of(out):
    return Page((out / "report.html").read_text("utf-8"))


@pytest.fixture
def out(tmp_path):
    return results(tmp_path)


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "out"
    assert 0 == gamedeid_says("run", "quickstart", "--game", "no-attack", "-o", out).code
    return out


# what it says


def test_it_says_in_words_what_came_out_and_what_the_policy_does(quickstart):
    text = page_of(quickstart).text

    assert "Quickstart: patients of an invented hospital" in text
    assert "39.75% of the records are released unmodified; under Safe Harbor, no record." in text
    assert "An attack would pay on no record; under Safe Harbor, on 18.75% of the records." in text
    assert (
        "no re-identification must be expected among 400 records; under Safe Harbor, about 5.2 re-identifications."
        in text
    )
    assert "worth $1,097.32 to the publisher on average" in text
    assert "out of $1,200 in full detail" in text
    assert "an attack pays where 1 to 99 people match the released record" in text
    assert "One column is left out. None of its values was kept" in text
    assert "At least 95% of the records keep what is decided for them as long as the benefit has any value" in text
    assert "no permitted strategy is better for any record; 6.41 of 288 strategies" in text


def test_it_shows_the_sources_of_the_stakes_and_says_where_there_is_none(tmp_path):
    text = page_of(results(tmp_path, scenario=SCENARIO + '[sources]\ncost = "A look-up costs this."\n')).text

    assert "A look-up costs this." in text
    assert 2 == text.count("The scenario gives no source.")
    assert "Taken to be what the publisher loses, since the scenario gives no other figure." in text
    assert "under [sources] , one sentence for each figure: for instance benefit =" in text
    assert (
        "The scenario gives no source."
        not in page_of(
            results(tmp_path / "all", scenario=SCENARIO + '[sources]\ncost = "c"\nbenefit = "b"\nloss = "l"\n')
        ).text
    )


def test_it_says_which_keys_were_changed_on_the_command_line(tmp_path):
    out = results(tmp_path, "--set", "payoffs.cost=21", "--policy", "pairs")
    text = page_of(out).text

    assert ["payoffs.cost", "floor"] == json.loads((out / "manifest.json").read_text())["overridden"]
    assert "On the command line: payoffs.cost , floor . All else is as the scenario file says." in text
    assert 1 == text.count("Changed for this run.")
    assert "policy \u201cpairs\u201d" in text


NAMED = ["--set", 'identifiers.accept={"name"="names"}']


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--set", "payoffs.cost=1", "--game", "no-attack"], "Every record is withheld"),
        (["--set", "payoffs.cost=1", "--game", "no-attack"], "No record is released at all."),
        (["--set", "payoffs.cost=91"], "no attack pays, even on a record that nobody else matches"),
        (["--set", "payoffs.cost=50"], "an attack pays where 1 person matches the released record"),
        (["--solver", "lattice-search"], "found by lattice-search, which does not prove that none is better"),
        (["--game", "sh-friendly", "--policy", "limited-data-set"], "more detail than the Limited Data Set would"),
        (
            ["--set", "records.drop=[]", "--set", 'records.keep=["income","name"]', *NAMED],
            "None was declared to be left out.",
        ),
        (["--set", 'records.drop=["income","name"]', "--set", "records.keep=[]"], "2 columns are left out."),
        (["--set", "records.missing=suppress"], "A missing value is released as *"),
        (["--set", "population.unmatched=unique"], "counts as one of a kind"),
    ],
)
def test_it_has_words_for_every_outcome(tmp_path, words, expected):
    assert expected in page_of(results(tmp_path, *words)).text


def test_it_says_when_the_records_are_their_own_population(tmp_path):
    alone = SCENARIO.replace('[population]\npath = "people.csv"\ncount = "count"\n', "")

    assert "There is no other population" in page_of(results(tmp_path, scenario=alone)).text


def test_robust_ranges_make_one_sentence():
    ends = {"benefit": [0, None], "loss": [250, None], "cost": [3, 5]}
    ranges = {
        stake: {"chosen": 4 if stake == "cost" else 300, "keeps": keeps, "keeps_open": [stake == "loss", False]}
        for stake, keeps in ends.items()
    }

    proved = {"proved": True}
    assert (
        "At least 90% of the records keep what is decided for them as long as the benefit has any value, the "
        "loss is more than $250.00 and the cost is $3.00 to $5.00, each changed alone."
    ) == robust_sentence({"share": 0.9, "ranges": ranges}, proved)
    assert "At least 99.95% of the records keep" in robust_sentence({"share": 0.9995, "ranges": ranges}, proved)
    assert "the loss is more than $250.00, each" in robust_sentence(
        {"share": 1, "ranges": {"loss": ranges["loss"]}}, proved
    )


def test_shares_are_words_at_their_ends():
    assert ["no record", "12.50% of the records", "every record"] == [share_words(share) for share in (0, 0.125, 1)]


def test_a_page_can_be_made_without_robust_ranges(out):
    summary, content, manifest = (
        json.loads((out / f"{name}.json").read_text()) for name in ("summary", "report", "manifest")
    )
    text = Page(report_page({**summary, "robustness": None}, content, manifest)).text

    assert "Robust ranges" not in text
    assert "At least 95%" not in text


def test_the_verdict_comes_first_and_the_parts_follow_in_the_order_of_whoever_signs(quickstart):
    page = (quickstart / "report.html").read_text("utf-8")
    summary = json.loads((quickstart / "summary.json").read_text())
    [first] = re.findall('<p class="verdict">(.*?)</p>', page)

    assert [
        "answer",
        "assumptions",
        "results",
        "sensitivity",
        "risk",
        "limits",
        "determination",
        "tables",
    ] == re.findall('<section id="([a-z]+)"', page)
    assert verdict_of(summary)[0] == html.unescape(first)
    assert page.index(first) < page.index('<dl class="keys">')
    assert all(html.escape(sentence, quote=False) in page for sentence in verdict_of(summary))


def test_beside_no_expected_re_identification_stands_what_attacks_on_all_would_find(quickstart):
    page = (quickstart / "report.html").read_text("utf-8")
    marketer = json.loads((quickstart / "summary.json").read_text())["policies"]["no-attack"]["marketer"]
    [key] = re.findall(r"<dt>Expected re-identifications</dt>(.*?)</div>", page, re.DOTALL)

    assert '<dd class="value">0.0</dd>' in key
    assert f"{number(marketer['reidentifications'], 1)} if all that is released were attacked" in key


def test_the_best_values_of_a_row_are_marked_as_on_the_terminal(quickstart):
    page = (quickstart / "report.html").read_text("utf-8")
    rows = json.loads((quickstart / "report.json").read_text())["comparison"]
    [row] = re.findall(r'<tr><th scope="row">Attacked<.*?</tr>', page)
    shown = [percent(one["attacked"]) for one in rows]

    assert best_values("attacked", [one["attacked"] for one in rows], shown) == [
        f"{MARK}&nbsp;" in cell for cell in re.findall("<td.*?</td>", row)
    ]
    assert LEGEND in page


def test_a_share_of_less_than_one_per_cent_has_no_bar_which_would_be_a_speck(quickstart):
    html = (quickstart / "report.html").read_text()
    rows = re.findall(
        r'data-column="share"[^>]*>(<span class="bar" style="width:[\d.]+%"></span>)?([^<%]+)%</td>', html
    )

    assert {True, False} == {bar != "" for bar, _ in rows}
    assert [] == [share for bar, share in rows if (bar != "") != (float(share) >= 1)]


def test_a_printed_page_has_title_and_digest_in_its_margins_and_no_title_ends_the_style(tmp_path):
    odd = "</style>\\\\ \u2018a\u2019 " + "x" * 200
    page = (results(tmp_path, scenario=SCENARIO.replace("Four people", odd)) / "report.html").read_text("utf-8")
    style = page.split("<style>")[2].split("</style>")[0]
    digest = json.loads((tmp_path / "out" / "manifest.json").read_text())["outputs"]["release.csv"]

    assert '@top-left { content: "\\3c \\2f style\\3e \\5c  \\2018 a\\2019  \\2026 " }' in style
    assert f'@bottom-left {{ content: "release.csv, SHA-256 {digest}" }}' in style
    assert 1 == style.count("counter(pages)")


# what is stored for it


def test_the_numbers_of_lines_and_maps_are_a_table_beside_the_page(out):
    content = json.loads((out / "report.json").read_text())
    rows = list(csv.DictReader((out / "sensitivity.csv").read_text().splitlines()))

    assert 0o600 == (out / "sensitivity.csv").stat().st_mode & 0o777
    assert 31 * 31 * 4 + 30 * 4 == len(rows)
    assert len(rows) == len({tuple(row[key] for key in ("benefit", "loss", "cost", "policy")) for row in rows})
    for place, row in enumerate(rows[: 31 * 31 * 4]):
        assert "20.0" == row["cost"]
        assert all(str(content["map"][key][place]) == row[key] for key in content["map"])
    alone = [row for row in rows if row["cost"] != "20.0"]
    for place, row in zip(
        (i for i, cost in enumerate(content["lines"]["cost"]["cost"]) if cost != 20), alone, strict=True
    ):
        assert ("100.0", "90.0") == (row["benefit"], row["loss"])
        assert all(str(content["lines"]["cost"][key][place]) == row[key] for key in content["lines"]["cost"])
    assert "sensitivity.csv , beside this page" in page_of(out).text


def test_the_stored_lines_hold_the_chosen_stakes_and_are_drawn_around_them(out):
    content = json.loads((out / "report.json").read_text())

    keys = ["schema", "attributes", "comparison", "best", "risks", "aware", "lines", "map", "differences"]
    assert keys == list(content)
    for stake, chosen in (("benefit", 100), ("loss", 90), ("cost", 20)):
        values = sorted(set(content["lines"][stake][stake]))
        assert chosen in values
        assert (31, 30) == (len(values), round(values[-1] / chosen))
        rows = [place for place, value in enumerate(content["lines"][stake][stake]) if value == chosen]
        shown = {
            content["lines"][stake]["policy"][row]: content["lines"][stake]["publisher_payoff"][row] for row in rows
        }
        assert shown == {
            row["policy"]: pytest.approx(row["publisher_payoff"], rel=1e-5) for row in content["comparison"]
        }
    assert 31 * 31 * 4 == len(content["map"]["loss"])


def test_the_run_does_not_play_the_same_game_twice(tmp_path):
    out = results(tmp_path, "--solver", "lattice-search")
    rows = json.loads((out / "report.json").read_text())["comparison"]
    summary = json.loads((out / "summary.json").read_text())

    assert summary["measures"].items() <= next(row for row in rows if row["policy"] == "basic").items()


def test_progress_is_reported_phase_by_phase():
    import gamedeid  # noqa: PLC0415

    reported = []

    def phase(name):
        reported.append(name)
        return lambda done, total: reported.append((done, total))

    report_content(gamedeid.compare(shipped_files("scenarios")["quickstart"]), "basic", progress=phase)

    assert "sensitivity" == reported[0]
    assert (961, 961) in reported
    assert (31, 31) in reported


# what it never tells


def test_nothing_of_a_dropped_column_and_no_value_of_a_record_is_in_it(tmp_path):
    changes = {
        "scenario": SCENARIO.replace('["name"]', '["passport_number"]'),
        "records": RECORDS.replace("name,", "passport_number,").replace("<=50K", "KEPTVALUE"),
    }
    out = results(tmp_path, **changes)
    for name in ("report.html", "report.json"):
        text = (out / name).read_text("utf-8")
        assert [] == re.findall("SECRET|passport|KEPTVALUE", text), name
    assert "income" in page_of(out).text  # the name of a kept column may be told


def test_nothing_of_a_dropped_column_is_in_it_where_the_file_has_no_header(tmp_path):
    columns = 'columns = ["passport_number", "age", "sex", "income"]\ndrop = ["passport_number"]'
    out = results(
        tmp_path,
        scenario=SCENARIO.replace('drop = ["name"]', columns).replace("[population]", "[population]\ndrop = []"),
        records=RECORDS.partition("\n")[2],
    )
    text = (out / "report.html").read_text("utf-8")

    assert "passport" not in text
    assert "(left out)" in text


def test_a_column_dropped_from_the_records_is_not_named_as_one_of_the_population(tmp_path):
    scenario = SCENARIO.replace('["name"]', '["passport_number"]').replace(
        'count = "count"', 'columns = ["passport_number", "age", "sex", "count"]\ncount = "count"'
    )
    out = results(
        tmp_path,
        scenario=scenario,
        records=RECORDS.replace("name,", "passport_number,"),
        people="".join(f"x,{row}\n" for row in PEOPLE.splitlines()[1:]),
    )

    assert "passport" not in (out / "report.html").read_text("utf-8")
    assert "passport" not in (out / "report.json").read_text("utf-8")


def test_no_value_that_only_the_data_have_is_in_it(quickstart):
    records = (shipped_files("scenarios")["quickstart"].parent / "quickstart" / "records.csv").read_text().splitlines()
    names, _, _, _, zips, diagnoses = (
        set(column) for column in zip(*(row.split(",") for row in records[1:]), strict=True)
    )
    page, stored = (quickstart / "report.html").read_text("utf-8"), (quickstart / "report.json").read_text("utf-8")
    visible = page_of(quickstart).text

    assert [] == [value for value in names | diagnoses if value in page or value in stored]
    assert [] == [value for value in zips if re.search(rf"(?<![\d.]){value}\b", visible + stored)]
    assert "####*" in visible


def test_words_of_the_user_are_no_markup(tmp_path):
    odd = SCENARIO.replace("Four people", f"{INTRUDER} & <b>bold</b>").replace(
        "[attributes.age]", '[attributes."<i>age"]'
    )
    odd = odd.replace('keep = ["income"]', 'keep = ["<u>income"]').replace("age = 1", '"<i>age" = 1')
    odd += f'[sources]\nloss = "{INTRUDER}"\n'
    out = results(
        tmp_path,
        "--policy",
        "<s>pairs",
        scenario=odd.replace("[policy.pairs]", '[policy."<s>pairs"]'),
        records=RECORDS.replace("age", "<i>age").replace("income", "<u>income"),
        people=PEOPLE.replace("age", "<i>age"),
    )
    text = (out / "report.html").read_text("utf-8")
    page = Page(text)

    assert "<script>alert(1)" not in text
    assert 3 == sum(tag == "script" for tag, _ in page.elements)
    assert set() == {"b", "i", "u", "s"} & {tag for tag, _ in page.elements}
    assert f"{INTRUDER} & <b>bold</b>" in page.text
    assert "<i>age" in page.text
    assert "<u>income" in page.text


def test_json_in_a_page_cannot_end_its_element():
    content = {"a": "</script><!--&\u2028\u2029>"}
    text = embedded(content)

    assert not set("<>&\u2028\u2029") & set(text)
    assert content == json.loads(text)


# that it stands alone


def test_its_policy_allows_its_own_two_scripts_and_no_request(out):
    text = (out / "report.html").read_text("utf-8")
    policy = next(
        attributes["content"]
        for tag, attributes in Page(text).elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]

    assert 2 == len(scripts)
    assert [f"'sha256-{digest}'" for digest in digests] == re.search(r"script-src ([^;]*)", policy)[1].split()
    assert policy.startswith("default-src 'none'; ")
    assert "http" not in policy


def test_it_refers_to_nothing_outside_of_itself(out):
    elements = Page((out / "report.html").read_text("utf-8")).elements
    places = [value for _, attributes in elements for name, value in attributes.items() if name in {"src", "href"}]

    assert [] == [place for place in places if not place.startswith(("#", "data:,"))]
    identities = {attributes["id"] for _, attributes in elements if "id" in attributes}
    assert [] == [place for place in places if place.startswith("#") and place[1:] not in identities]


def test_headings_go_down_one_step_at_a_time(out):
    ranks = [
        int(tag[1]) for tag, _ in Page((out / "report.html").read_text("utf-8")).elements if re.fullmatch("h[1-6]", tag)
    ]

    assert 1 == ranks[0] == ranks.count(1) * 1
    assert all(after <= before + 1 for before, after in pairwise(ranks))


# that stored results make it again


def test_the_same_question_gives_the_same_bytes(tmp_path):
    assert contents(results(tmp_path / "one")) == contents(results(tmp_path / "two"))


def test_the_manifest_names_the_report_and_the_report_the_others(out):
    manifest = json.loads((out / "manifest.json").read_text())
    names = {"release.csv", "strategies.csv", "summary.json", "report.json", "report.html", "sensitivity.csv"}
    text = page_of(out).text

    assert names == set(manifest["outputs"])
    assert hashlib.sha256((out / "report.html").read_bytes()).hexdigest() == manifest["outputs"]["report.html"]
    expected = {"release.csv", "summary.json", "report.json", "sensitivity.csv"}
    assert expected == {name for name in names if manifest["outputs"][name] in text}


def test_the_report_has_no_digest_by_which_a_guess_of_the_data_could_be_checked(out):
    manifest = json.loads((out / "manifest.json").read_text())
    page = (out / "report.html").read_text("utf-8")

    assert [] == [file["path"] for file in manifest["inputs"].values() if file["sha256"] in page]
    assert manifest["outputs"]["strategies.csv"] not in page


def test_stored_results_alone_make_the_same_bytes_again(tmp_path, out):
    before = contents(out)
    for name in ("records.csv", "people.csv", "scenario.toml", "ages.csv"):
        (tmp_path / name).unlink()
    said = gamedeid_says("report", out)

    assert (0, "", f"Written to {out / 'report.html'}.\n") == (said.code, said.err, said.out)
    assert before == contents(out)
    assert 0o600 == (out / "report.html").stat().st_mode & 0o777

    (out / "release.csv").unlink()  # may have been handed over
    (out / "report.html").write_text("damaged")
    gamedeid_says("report", out)
    assert before["report.html"] == (out / "report.html").read_bytes()


def test_another_page_changes_the_manifest_too_so_that_the_folder_is_still_ours(tmp_path, out):
    changed = json.loads((out / "manifest.json").read_text())
    del changed["outputs"]["report.html"]
    (out / "manifest.json").write_text(json.dumps(changed))
    (out / "report.html").unlink()
    gamedeid_says("report", out)

    manifest = json.loads((out / "manifest.json").read_text())
    assert hashlib.sha256((out / "report.html").read_bytes()).hexdigest() == manifest["outputs"]["report.html"]
    assert 0 == gamedeid_says("run", tmp_path / "scenario.toml", "-o", out, "--overwrite").code


def test_the_page_can_be_written_elsewhere(tmp_path, out):
    before = contents(out)
    said = gamedeid_says("report", out, "-o", tmp_path / "page.html", "--json")
    digest = hashlib.sha256(before["report.html"]).hexdigest()

    expected = {"schema": "urn:gamedeid:schema:page:1", "path": str(tmp_path / "page.html"), "sha256": digest}
    assert expected == json.loads(said.out)
    assert before["report.html"] == (tmp_path / "page.html").read_bytes()
    assert before == contents(out)

    refused = gamedeid_says("report", out, "-o", tmp_path / "page.html")
    assert f"{tmp_path / 'page.html'} already exists; choose another name or pass --overwrite" == refused.complaint
    assert 0 == gamedeid_says("report", out, "-o", tmp_path / "page.html", "--overwrite").code


def test_the_report_can_be_left_out(tmp_path):
    out = results(tmp_path, "--no-report")

    assert {"release.csv", "strategies.csv", "summary.json", "manifest.json"} == set(contents(out))
    assert json.loads((out / "summary.json").read_text())["robustness"] is None


def damaged(name, text):
    def change(out):
        (out / name).write_text(text)

    return change


def without(name):
    return lambda out: (out / name).unlink()


def manifest_with(**changes):
    def change(out):
        manifest = json.loads((out / "manifest.json").read_text())
        (out / "manifest.json").write_text(json.dumps({**manifest, **changes}))

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            without("manifest.json"),
            "{out} holds no results of gamedeid run: manifest.json cannot be read (No such file ",
        ),
        (damaged("manifest.json", "{"), "{out}/manifest.json is not JSON as gamedeid writes it; run again"),
        (damaged("manifest.json", "[]"), "{out} holds no results of gamedeid run: its manifest.json names no summary"),
        (
            damaged("manifest.json", '{"outputs": {}}'),
            "{out} holds no results of gamedeid run: its manifest.json names",
        ),
        (
            manifest_with(outputs={"summary.json": ""}),
            "{out} holds nothing to make a report of: its manifest.json names",
        ),
        (
            manifest_with(scenario={}),
            "{out}/manifest.json is not as gamedeid wrote it (at `scenario.records`); ",
        ),
        (manifest_with(gamedeid="0.0.1"), "{out} holds results of gamedeid `0.0.1`, this is "),
        (
            damaged("summary.json", "{}"),
            "{out}/summary.json is not as manifest.json has it; it was changed after the run",
        ),
        (
            damaged("report.json", "{}"),
            "{out}/report.json is not as manifest.json has it; it was changed after the run",
        ),
        (without("report.json"), "{out}/report.json cannot be read (No such file or directory); run again"),
    ],
)
def test_a_folder_that_is_not_as_it_was_written_is_refused_in_one_line(out, change, said):
    change(out)
    before = contents(out)
    refused = gamedeid_says("report", out)

    assert 2 == refused.code
    assert refused.complaint.startswith(said.format(out=out))
    assert before == contents(out)


@pytest.mark.parametrize("name", ["manifest.json", "summary.json", "report.json", "report.html"])
def test_a_symbolic_link_among_the_results_is_refused_and_nothing_is_overwritten(name, tmp_path, out):
    (out / name).rename(tmp_path / "precious")
    (out / name).symlink_to(tmp_path / "precious")
    before = contents(out)
    said = gamedeid_says("report", out)

    assert (2, f"{out / name} is a symbolic link; gamedeid writes regular files only: remove it") == (
        said.code,
        said.complaint,
    )
    assert before == contents(out)


def test_only_a_page_that_the_manifest_names_is_replaced(out):
    manifest = json.loads((out / "manifest.json").read_text())
    del manifest["outputs"]["report.html"]
    (out / "manifest.json").write_text(json.dumps(manifest))
    before = contents(out)
    said = gamedeid_says("report", out)

    assert said.complaint.startswith(f"{out / 'report.html'} is not replaced, because manifest.json does not name it")
    assert (2, before) == (said.code, contents(out))


def test_what_cannot_be_done_is_said_in_one_line(tmp_path, out):
    assert "none holds no results of gamedeid run: there is no such folder" == gamedeid_says("report", "none").complaint
    assert "--overwrite replaces an earlier file; say which" in gamedeid_says("report", out, "--overwrite").complaint
    assert "there is no folder" in gamedeid_says("report", out, "-o", tmp_path / "none" / "page.html").complaint


def test_from_python_the_page_is_a_call_away(out):
    before = contents(out)

    assert out / "report.html" == write_report(str(out))
    assert before == contents(out)
    with pytest.raises(OutputError, match="there is no such folder"):
        write_report("none")
