"""Secrets that the report's page never shows; and the page is self-contained."""

import base64
import hashlib
import re
from itertools import pairwise

import pytest
from html_pages import Page
from report_folders import page_of, results
from small_world import PEOPLE, RECORDS, SCENARIO

from gamedeid.generalization.shipped import shipped_files

INTRUDER = "</script><script>alert(1)</script>"


# what it never shows


PASSPORTS = SCENARIO.replace('["name"]', '["passport_number"]')
IN_A_FILE = {
    "with a header": {
        "scenario": PASSPORTS,
        "records": RECORDS.replace("name,", "passport_number,").replace("<=50K", "KEPTVALUE"),
    },
    "without a header": {
        "scenario": PASSPORTS.replace("drop", 'columns = ["passport_number", "age", "sex", "income"]\ndrop').replace(
            "[population]", "[population]\ndrop = []"
        ),
        "records": RECORDS.partition("\n")[2],
    },
    "named in the population too": {
        "scenario": PASSPORTS.replace(
            'count = "count"', 'columns = ["passport_number", "age", "sex", "count"]\ncount = "count"'
        ),
        "records": RECORDS.replace("name,", "passport_number,"),
        "people": "".join(f"x,{row}\n" for row in PEOPLE.splitlines()[1:]),
    },
}
"""Use of a dropped column -> the function that changes the question."""


@pytest.mark.parametrize("where", IN_A_FILE)
def test_the_page_has_no_dropped_column_and_no_value_of_a_record(tmp_path, where):
    out = results(tmp_path, **IN_A_FILE[where])
    for name in ("report.html", "report.json"):
        text = (out / name).read_text("utf-8")
        assert [] == re.findall("SECRET|passport|KEPTVALUE", text), name
    told = page_of(out).text
    assert "income" in told  # the name of a kept column may be shown
    assert (where != "with a header") == ("(left out)" in told)


def test_no_section_names_a_dropped_column_that_an_age_or_earlier_releases_are_computed_from(tmp_path):
    scenario = PASSPORTS.replace("number", 'number", "passport_born", "passport_seen').replace(
        'role = "age"', 'role = "age"\nborn = "passport_born"\nat = "passport_seen"'
    )
    header, *rows = RECORDS.splitlines()
    lines = [header.replace("name,age", "passport_number,passport_born,passport_seen")]
    for row in rows:
        key, age, rest = row.split(",", 2)
        lines.append(f"{key},{2024 - int(age)}-01-01,2024-06-01,{rest}")
    asked = {"scenario": scenario, "records": "\n".join(lines) + "\n"}
    results(tmp_path / "may", **asked)
    asked["scenario"] += '[earlier]\nreleases = ["../may/out"]\nkey = "passport_number"\n'
    page = page_of(results(tmp_path / "june", **asked)).text

    assert "passport" not in page
    assert 3 == page.count("(left out)")


@pytest.mark.parametrize("name", ["drop", "columns", "person"])
def test_an_attribute_may_be_called_like_a_key_that_names_columns(tmp_path, name):
    asked = {"records": RECORDS.replace("sex", name, 1), "people": PEOPLE.replace("sex", name, 1)}
    text = SCENARIO.replace("attributes.sex", f"attributes.{name}").replace("{ age = 1 }", f"{{ {name} = 1 }}")

    assert f'"levels": {{ "{name}": 1 }}' in page_of(results(tmp_path, scenario=text, **asked)).text


def test_the_page_has_no_value_that_only_the_data_have(quickstart):
    records = (shipped_files("scenarios")["quickstart"].parent / "quickstart" / "records.csv").read_text().splitlines()
    names, _, _, _, zips, diagnoses = (
        set(column) for column in zip(*(row.split(",") for row in records[1:]), strict=True)
    )
    page, stored = (quickstart / "report.html").read_text("utf-8"), (quickstart / "report.json").read_text("utf-8")
    visible = page_of(quickstart).text

    assert [] == [value for value in names | diagnoses if value in page or value in stored]
    assert [] == [value for value in zips if re.search(rf"(?<![\d.]){value}\b", visible + stored)]
    assert "####*" in visible


def test_user_text_is_not_read_as_markup(tmp_path):
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
    assert 1 == sum(tag == "script" for tag, _ in page.elements)
    assert set() == {"b", "i", "u", "s"} & {tag for tag, _ in page.elements}
    assert f"{INTRUDER} & <b>bold</b>" in page.text
    assert "<i>age" in page.text
    assert "<u>income" in page.text


# that it is self-contained


def test_its_policy_allows_its_own_script_and_no_request(out):
    text = (out / "report.html").read_text("utf-8")
    policy = next(
        attributes["content"]
        for tag, attributes in Page(text).elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]

    assert 1 == len(scripts)
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
