"""The draft of a determination: it says what was computed, lists what is left to fill in, and judges nothing."""

import io
import json
import zipfile

import pytest
from small_world import SCENARIO, contents, gamedeid_says, small_world

import gamedeid
from gamedeid.report.determination_words import LABELS

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
    said = gamedeid_says("run", small_world(folder, scenario=text), "-o", folder / "out", *words)
    assert (0, "") == (said.code, said.err)
    return folder / "out"


def draft(folder, name="draft.md"):
    said = gamedeid_says("determination", folder / "out", "-o", folder / name)
    assert (0, "") == (said.code, said.err)
    return (folder / name).read_bytes(), said.out


def test_what_the_scenario_does_not_say_is_a_line_to_fill_in_and_listed(tmp_path):
    run(tmp_path)
    written, said = draft(tmp_path)
    text = written.decode()
    missing = text.split("## Still to be filled in")[1].split("## 1.")[0]

    for label in LABELS.values():
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


def test_what_the_scenario_says_stands_there_and_nothing_is_left(tmp_path):
    run(tmp_path, SCENARIO + GIVEN)
    text, said = draft(tmp_path)
    text = text.decode()

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
    assert "| own | expected re-identifications | at most 0.1 | 0.5 | not met | our board |" in text


def test_the_page_has_the_same_facts_and_verdicts(tmp_path):
    page = (run(tmp_path, SCENARIO + GIVEN) / "report.html").read_text()
    part = page.split('id="determination"')[1].split("</section>")[0]

    for words in ("General | *Hospital*", "Research on &lt;falls&gt;", "not met", "our board", "2028-11-30"):
        assert words in part
    assert 4 == part.count('class="ruled"')  # two for the determination, signature, date


def test_no_population_asks_for_no_source_of_it(tmp_path):
    run(tmp_path, SCENARIO.replace('[population]\npath = "people.csv"\ncount = "count"\n', ""))
    text = draft(tmp_path)[0].decode()

    assert "There is no other population" in text
    assert "of the population" not in text.split("## 1.")[0]


@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
def test_no_opinion_and_no_record_stands_in_it(tmp_path, game):
    run(tmp_path, SCENARIO, "--game", game, "--policy", "pairs", "--solver", "lattice-search")
    text = draft(tmp_path)[0].decode()

    assert "SECRET" not in text
    assert "name,age" not in text
    assert "this draft does not say it" in text
    for opinion in ("is very small.", "acceptable", "we conclude", "safe to release"):
        assert opinion not in text
    assert f"The {game} game:" in text
    assert "not proved" in text


def test_word_processors_get_the_same_texts_and_the_same_bytes_each_time(tmp_path):
    docx = pytest.importorskip("docx", reason="python-docx is the extra gamedeid[docx]")
    run(tmp_path, SCENARIO + GIVEN)
    first, _ = draft(tmp_path, "a.docx")
    again, _ = draft(tmp_path, "b.docx")
    document = docx.Document(io.BytesIO(first))
    texts = [paragraph.text for paragraph in document.paragraphs]
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]

    assert first == again
    assert "Expert determination (draft): Four people" == document.core_properties.title
    assert "gamedeid" == document.core_properties.author
    for unknown in ("created", "modified", "last_modified_by", "comments"):  # the template's own are no fact of ours
        assert not getattr(document.core_properties, unknown), unknown
    assert {(1980, 1, 1, 0, 0, 0)} == {part.date_time for part in zipfile.ZipFile(io.BytesIO(first)).infolist()}
    assert "Who releases the data: General | *Hospital*" in texts
    assert "University Y" in texts
    assert {"journalist risk, highest", "our board", "release.csv"} <= set(cells)
    assert not any("SECRET" in text for text in (*texts, *cells))


def test_a_title_without_end_is_shortened_in_the_properties_alone(tmp_path):
    docx = pytest.importorskip("docx", reason="python-docx is the extra gamedeid[docx]")
    run(tmp_path, SCENARIO.replace("Four people", "Four people " * 40))
    document = docx.Document(io.BytesIO(draft(tmp_path, "draft.docx")[0]))

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
        said = gamedeid_says("determination", out, *words)
        assert 2 == said.code
        assert complaint in said.complaint
        assert before == contents(tmp_path)
    found = json.loads(gamedeid_says("determination", out, "-o", tmp_path / "draft.md", "--json").out)
    assert "Expert" in found["to_fill_in"]
    assert 0o600 == (tmp_path / "draft.md").stat().st_mode & 0o777
    assert gamedeid.write_determination(out, tmp_path / "again.md") == tmp_path / "again.md"
    assert (tmp_path / "again.md").read_bytes() == (tmp_path / "draft.md").read_bytes()


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (
            '[determination]\nvalid_from = "soon"',
            "determination.valid_from: expected a date such as 2027-01-31, not `soon`",
        ),
        (
            "[determination]\nvalid_from = 2027-02-01\nvalid_until = 2027-01-01",
            "valid_until 2027-01-01 is before valid_from",
        ),
        ('[determination]\nexpart = "A"', "did you mean `expert`?"),
        (
            '[thresholds]\npresets = ["0.1"]',
            "thresholds.presets.0: expected '0.05', '0.09', '0.2' or 'cells-11', not `0.1`",
        ),
        ('[thresholds]\nown = [{ measure = "k_map" }]', "thresholds.own.0: needs either at_most or at_least"),
        ('[thresholds]\nown = [{ measure = "k_map", at_least = "5" }]', "expected a number, not the text `5`"),
    ],
)
def test_a_section_that_means_nothing_is_refused_in_one_line(tmp_path, lines, complaint):
    said = gamedeid_says("compare", small_world(tmp_path, scenario=f"{SCENARIO}\n{lines}\n"))

    assert 2 == said.code
    assert complaint in said.complaint
