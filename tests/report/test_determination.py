"""The draft of a determination: it states what was computed, lists what to fill in, and judges nothing."""

import io
import json
import re
import zipfile

import pytest
from report_folders import stored_results
from report_shapes import GIVEN
from small_world import ALONE, PEOPLE, SCENARIO, contents, gamedeid_prints, gamedeid_says, refused

import gamedeid
from gamedeid.report.determination.content import Heading, Image, Paragraph
from gamedeid.report.determination.write import docx
from gamedeid.report.words.determination import threshold_row
from gamedeid.risk.thresholds import JudgedThreshold


def run(folder, text=SCENARIO, *words):
    return stored_results(folder, *words, scenario=text)


def draft(folder, name="draft.md"):
    said = gamedeid_prints("determination", folder / "out", "-o", folder / name)
    return (folder / name).read_bytes(), said


@pytest.mark.parametrize("listed", [False, True])
def test_without_a_population_only_the_listed_recipients_are_assumed(tmp_path, listed):
    run(tmp_path, ALONE + '[recipients.neighbour]\nknows = ["age"]\n' * listed)
    text = draft(tmp_path)[0].decode()

    assert "The scenario names no source." in text
    assert listed != ("It assumes a recipient who knows age and sex of all people in the data." in text)
    assert listed == ("Part 4 has the knowledge of each recipient: neighbour." in text)
    assert not re.search("match(es)? .*in the population", text.split("## 4")[1].split("## 5")[0])
    assert "Records that match no one: None is allowed: every record matches a person." in text


def test_a_source_that_is_not_yet_one_is_left_to_fill_in(tmp_path):
    run(tmp_path, SCENARIO + GIVEN.replace('benefit = "b"', 'benefit = "not yet sourced: from elsewhere"'))

    assert "Left to fill in: source of the benefit.\n" in draft(tmp_path)[1]


def test_a_policy_has_its_own_legal_conditions_and_no_others(tmp_path):
    page = (run(tmp_path, SCENARIO, "--policy", "limited-data-set") / "report.html").read_text()
    box = page.partition('class="law"')[2].partition("</ul>")[0]
    text = draft(tmp_path)[0].decode().split("## 3. Method")[1].split("## 4.")[0]

    for words in ("stays protected health information", "data use agreement", "164.514(e)"):
        assert words in box
        assert words in text
    assert "actual knowledge" not in page


@pytest.mark.parametrize(
    ("measure", "bound", "value", "texts"),
    [
        ("expected_reidentifications", 1.0, 1.04, ("at most 1.0", "1.04", "not met")),
        ("expected_reidentifications", 0.25, 0.22, ("at most 0.25", "0.22", "met")),
        ("expected_reidentifications", 0.04, 0.01, ("at most 0.04", "0.01", "met")),
        ("attacked", 0.1, 0.10004, ("at most 10.00%", "10.004%", "not met")),
        ("attacked", 0.1, 0.1, ("at most 10.00%", "10.00%", "met")),
        ("prosecutor_highest", 1 / 11, 1 / 12, ("at most 0.0909", "0.0833", "met")),
        ("journalist_mean", 0.00003, 0.00004, ("at most 0.00003", "0.00004", "not met")),
    ],
)
def test_a_threshold_is_not_rounded_to_another_and_no_value_to_its_threshold(measure, bound, value, texts):
    one = JudgedThreshold(
        name="own", measure=measure, at_most=bound, at_least=None, value=value, left_out=0, source="us"
    )

    assert texts == threshold_row(one)[2:5]


def test_lines_to_fill_in_are_ruled(tmp_path):
    known, unknown = (run(tmp_path / str(len(text)), text) / "report.html" for text in (SCENARIO + GIVEN, SCENARIO))

    assert 4 == known.read_text().count('class="ruled"')  # two for the determination, signature, date
    assert 4 + 10 == unknown.read_text().count('class="ruled"')


def test_the_word_document_has_the_same_texts_and_the_same_bytes_each_time(tmp_path):
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
    for unknown in ("created", "modified", "last_modified_by", "comments"):  # those of the template are not facts
        assert not getattr(document.core_properties, unknown), unknown
    assert {(1980, 1, 1, 0, 0, 0)} == {part.date_time for part in zipfile.ZipFile(io.BytesIO(first)).infolist()}
    assert "Publisher of the data: General | *Hospital*" in texts
    assert "University Y" in texts
    assert {"journalist risk, highest", "the scenario, which says: European Medicines Agency", "release.csv"} <= set(
        cells
    )
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
    """Check that no row breaks, the head repeats, and only figures are aligned to the right."""
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


def test_without_matplotlib_a_draft_has_no_pictures(monkeypatch):
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


def test_a_draft_needs_only_the_folder_and_is_complete_or_absent(tmp_path):
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


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ("unique", "one person only; a record that matches no one counts as one of a kind"),
        ("safe", "1 record matches no one, and"),
    ],
)
def test_a_record_that_matches_no_one_is_not_said_to_match_a_person(tmp_path, counts, said):
    scenario = SCENARIO.replace('count = "count"', f'count = "count"\nunmatched = "{counts}"')
    stored_results(tmp_path, scenario=scenario, people=PEOPLE.replace("50,Female,2\n", ""))
    text = draft(tmp_path)[0].decode()

    assert "In the original data the smallest class has 1 record, and a record" in text
    assert 2 == text.count(said)
