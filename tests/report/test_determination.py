"""The draft of a determination: it says what was computed, lists what is left to fill in, and judges nothing."""

import io
import json
import re
import zipfile

import pytest
from report_folders import stored_results
from small_world import ALONE, SCENARIO, contents, gamedeid_prints, gamedeid_says, refused, small_world

import gamedeid
from gamedeid.catalogue import catalogue
from gamedeid.report.determination.content import Heading, Image, Paragraph
from gamedeid.report.determination.write import docx

GIVEN = """
[determination]
publisher = "General | *Hospital*"
purpose = "Research on <falls>"
recipients = ["University Y", "Registry X"]
agreement = "Data use agreement of 2026-11-02"
expert = "Dr. A. Expert"
credentials = "Twenty years of it"
population_source = "Census of 2020"
population_date = "2020-04-01"
valid_from = 2026-12-01
valid_until = "2028-11-30"
[thresholds]
presets = ["0.2"]
own = [{ measure = "expected_reidentifications", at_most = 0.1, source = "our board" }]
[sources]
benefit = "b"
loss = "l"
cost = "c"
"""


def run(folder, text=SCENARIO, *words):
    return stored_results(folder, *words, scenario=text)


def draft(folder, name="draft.md"):
    said = gamedeid_prints("determination", folder / "out", "-o", folder / name)
    return (folder / name).read_bytes(), said


def test_what_the_scenario_does_not_say_is_a_line_to_fill_in_and_listed(tmp_path):
    run(tmp_path)
    written, said = draft(tmp_path)
    text = written.decode()
    missing = text.split("## Still to be filled in")[1].split("## 1.")[0]

    for label in catalogue("determination")["labels"].values():
        assert f"- {label}\n" in missing
        assert f"{label}: \\_\\_" in text
        assert label[1:] in said
    for source in ("benefit", "loss", "cost"):
        assert f"- Source of the {source}\n" in missing
    assert "Source of the gain" not in missing  # it is the loss
    assert "names no thresholds, so none is applied" in text
    assert "Signature: \\_\\_" in text


def test_a_source_that_is_not_yet_one_is_left_to_fill_in(tmp_path):
    run(tmp_path, SCENARIO + GIVEN.replace('benefit = "b"', 'benefit = "not yet sourced: from elsewhere"'))

    assert "Left to fill in: source of the benefit.\n" in draft(tmp_path)[1]


def test_what_the_scenario_says_stands_there_and_in_the_page_and_nothing_is_left(tmp_path):
    page = (run(tmp_path, SCENARIO + GIVEN) / "report.html").read_text()
    text, said = draft(tmp_path)
    text, part = text.decode(), page.split('id="determination"')[1].split("</section>")[0]

    assert "Still to be filled in" not in text
    assert "Left to fill in" not in said
    for words in (
        "General \\| \\*Hospital\\*",
        "Research on \\<falls\\>",
        "- University Y",
        "2026-12-01",
        "2028-11-30",
    ):
        assert words in text
    # basic: one of the four matches two people, so that 1/2 is above 1/5; each is alone in its class
    assert "| 0.2 | journalist risk, highest | at most 0.2000 | 0.5000 | not met |" in text
    assert (
        "| own | expected re-identifications | at most 0.1 | 0.5 | not met | the scenario, which says: our board |"
        in (text)
    )
    for words in ("General | *Hospital*", "Research on &lt;falls&gt;", "not met", "our board", "2028-11-30"):
        assert words in part
    assert 4 == part.count('class="ruled"')  # two for the determination, signature, date


def test_a_preset_says_where_its_number_comes_from_and_that_it_is_an_analogy(tmp_path):
    presets = GIVEN.replace('presets = ["0.2"]', 'presets = ["0.05", "0.09", "0.2", "cells-11"]')
    named = presets.replace('"our board"', '"European Medicines Agency"')
    page = (run(tmp_path, SCENARIO + named) / "report.html").read_text()
    text = draft(tmp_path)[0].decode()
    rows = [line for line in text.splitlines() if line.startswith(("| 0.", "| cells-11"))]
    [own] = [line for line in text.splitlines() if line.startswith("| own |")]
    what = {
        "0.05": "published US and Canadian patient data",
        "0.09": "published clinical documents",
        "0.2": "tables of counts",
        "cells-11": "published counts",
    }

    assert {"0.05", "0.09", "0.2", "cells-11"} == {row.split(" | ")[0].removeprefix("| ") for row in rows}
    for row in rows:
        assert what[row.split(" | ")[0].removeprefix("| ")] in row
    assert own.endswith("| the scenario, which says: European Medicines Agency |"), "never shown as somebody else's"
    for one in (text, page):
        assert "Applying them to records is an analogy" in one


def test_the_draft_quotes_the_rule_in_full_and_follows_the_three_principles(tmp_path):
    run(tmp_path)
    text = draft(tmp_path)[0].decode()
    principles = text.split("## 8. The principles of the guidance")[1].split("## 9.")[0]
    named = ["### Replicability", "### Data source availability", "### Distinguishability"]

    assert "could be used, alone or in combination with other reasonably available information, by an" in text
    assert named == [line for line in principles.splitlines() if line.startswith("###")]
    for part in principles.split("### ")[1:]:
        assert 1 == part.count(": \\_\\_"), part
    assert "The scenario treats age and sex" in principles
    assert "a record matches at least 1 person of the population" in principles  # the man of 48, in the raw data
    assert "doi:10.1371/journal.pone.0120592" in text.split("## 12. References")[1]


def test_without_a_population_its_source_is_not_asked_for_and_the_principles_say_who_knows_whom(tmp_path):
    run(tmp_path, ALONE)
    text = draft(tmp_path)[0].decode()

    assert "It assumes a recipient who knows age and sex of all people in the data." in text
    assert "There is no other population" in text
    assert "of the population" not in text.split("## 1.")[0]


LAW = {
    "pairs": (),
    "safe-harbor": ("does not have actual knowledge", "household members", "164.514(b)(2)"),
    "limited-data-set": ("stays protected health information", "data use agreement", "164.514(e)"),
}


@pytest.mark.parametrize("policy", LAW)
def test_a_policy_comes_with_what_the_law_asks_beside_it_and_of_no_other(tmp_path, policy):
    page = (run(tmp_path, SCENARIO, "--policy", policy) / "report.html").read_text()
    box = page.partition('class="law"')[2].partition("</ul>")[0]
    text = draft(tmp_path)[0].decode().split("## 3. Method")[1].split("## 4.")[0]

    assert bool(LAW[policy]) == bool(box)
    for words in LAW[policy]:
        assert words in box
        assert words in text
    for words in ("actual knowledge", "data use agreement"):
        assert any(words in one for one in LAW[policy]) == (words in page)


@pytest.mark.parametrize("policy", ["limited-data-set", "safe-harbor"])
@pytest.mark.parametrize(
    "words",
    [
        "compare scenario.toml --policy {}",
        "run scenario.toml -o out --no-report --policy {}",
        "risk distinct scenario.toml --policy {}",
        "check records.csv --rule {}",
    ],
)
def test_the_terminal_says_that_a_limited_data_set_is_protected_and_needs_an_agreement(
    tmp_path, monkeypatch, words, policy
):
    small_world(tmp_path)
    monkeypatch.chdir(tmp_path)
    line = "A limited data set stays protected health information and needs a data use agreement (45 CFR 164.514(e)).\n"
    said = gamedeid_says(*words.format(policy).split())

    assert "" == said.err
    assert (policy == "limited-data-set") == (line in said.out)


def test_a_check_for_safe_harbor_says_what_else_it_asks(tmp_path):
    small_world(tmp_path)

    assert "actual knowledge, and identifiers of relatives, employers and household members, are for you to judge" in (
        gamedeid_says("check", tmp_path / "records.csv").out
    )


def test_word_processors_get_the_same_texts_and_the_same_bytes_each_time(tmp_path):
    read = pytest.importorskip("docx", reason="python-docx is the extra gamedeid[docx]").Document
    run(tmp_path, SCENARIO + GIVEN)
    first, _ = draft(tmp_path, "a.docx")
    again, _ = draft(tmp_path, "b.docx")
    document = read(io.BytesIO(first))
    texts = [paragraph.text for paragraph in document.paragraphs]
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]

    assert first == again
    assert "Expert determination (draft): Four people" == document.core_properties.title
    assert "gamedeid" == document.core_properties.author
    for unknown in ("created", "modified", "last_modified_by", "comments"):  # the template's own are no fact of ours
        assert not getattr(document.core_properties, unknown), unknown
    assert {(1980, 1, 1, 0, 0, 0)} == {part.date_time for part in zipfile.ZipFile(io.BytesIO(first)).infolist()}
    assert "Publisher of the data: General | *Hospital*" in texts
    assert "University Y" in texts
    assert {"journalist risk, highest", "the scenario, which says: our board", "release.csv"} <= set(cells)
    assert not any("SECRET" in text for text in (*texts, *cells))
    assert ["Expert: Dr. A. Expert"] * 2 == [text for text in texts if text.startswith("Expert: ")]
    assert 2 == texts.count("Knowledge and experience of the expert: Twenty years of it")  # at the signature again
    assert ["PAGE", "NUMPAGES"] == re.findall(r'w:instr="(\w+)"', document.sections[0].footer._element.xml)  # noqa: SLF001
    assert 1 == len(document.inline_shapes)
    formulas = [paragraph for paragraph in document.paragraphs if "<m:oMath" in paragraph._p.xml]  # noqa: SLF001
    assert "Value of the record to the publisher: ." in [paragraph.text for paragraph in formulas]  # Word's equation
    assert "Value of the record to the publisher: v(g) = V (1 - IL(g))." in draft(tmp_path)[0].decode()
    for table in document.tables:
        assert_laid_out(table)


def assert_laid_out(table):
    """Check that no row breaks, the head repeats, and figures alone stand to the right."""
    first, *others = (row._tr.xml for row in table.rows)  # noqa: SLF001
    assert "<w:tblHeader/>" in first
    assert not any("<w:tblHeader/>" in row for row in others)
    assert all("<w:cantSplit/>" in row for row in (first, *others))
    assert 6.4 < sum(column.width.inches for column in table.columns) < 6.6
    for column in table.columns:
        assert [column.width] * len(column.cells) == [cell.width for cell in column.cells]
        aligned = {cell.paragraphs[0].alignment for cell in column.cells}
        texts = [cell.text for cell in column.cells][1:]
        assert len(aligned) == 1
        if all(re.fullmatch(r"[$<>]*[\d.,]+%?", text) for text in texts):
            assert {2} == {int(one) for one in aligned}, texts
        if any(text[:1].isalpha() and " " in text and text != "all released" for text in texts):
            assert {0} == {int(one) for one in aligned} or "not computed" in texts, texts


def test_without_what_draws_pictures_a_draft_has_none(monkeypatch):
    read = pytest.importorskip("docx", reason="python-docx is the extra gamedeid[docx]").Document
    monkeypatch.setattr("gamedeid.extras.find_spec", lambda name: None if name == "matplotlib" else name)
    document = read(io.BytesIO(docx([Image(picture=None, caption="dashed lines"), Paragraph(text="words")])))

    assert (0, ["words"]) == (len(document.inline_shapes), [one.text for one in document.paragraphs])


def test_a_title_without_end_is_shortened_in_the_properties_alone():
    read = pytest.importorskip("docx", reason="python-docx is the extra gamedeid[docx]").Document
    document = read(io.BytesIO(docx([Heading(level=0, text="Four people " * 40)])))

    assert 255 >= len(document.core_properties.title) > 240
    assert "\u2026" == document.core_properties.title[-1]
    assert document.paragraphs[0].text.count("Four people") == 40


def test_it_needs_the_folder_alone_and_comes_whole_or_not_at_all(tmp_path):
    out = run(tmp_path)
    for name in ("records.csv", "people.csv", "scenario.toml"):
        (tmp_path / name).unlink()
    before = contents(tmp_path)
    for words, complaint in (
        (("-o", tmp_path / "draft.pdf"), "a determination is written as .md or .docx, not as `draft.pdf`"),
        (("-o", tmp_path / "nowhere" / "draft.md"), "nowhere"),
    ):
        assert complaint in refused("determination", out, *words)
        assert before == contents(tmp_path)
    found = json.loads(gamedeid_says("determination", out, "-o", tmp_path / "draft.md", "--json").out)
    assert "Expert" in found["to_fill_in"]
    assert 0o600 == (tmp_path / "draft.md").stat().st_mode & 0o777
    assert gamedeid.write_determination(out, tmp_path / "again.md") == tmp_path / "again.md"
    assert (tmp_path / "again.md").read_bytes() == (tmp_path / "draft.md").read_bytes()
