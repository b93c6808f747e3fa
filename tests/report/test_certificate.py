"""The first screen of a report and its certificate: facts, thresholds by word and shape, the ladder of recipients."""

import html
import itertools
import json
import re
from hashlib import sha256

import pytest
from html_pages import Page
from report_folders import documents
from small_world import gamedeid_says

import gamedeid
from gamedeid.errors import OutputError
from gamedeid.report.html.page import report_page
from gamedeid.report.view import ReportDocuments
from gamedeid.report.words.certificate import threshold_checks

UNSET = "not set No threshold was named; nothing here says that this is acceptable."
MARKS = {"met": "<circle", "not met": "<path", "not decided": "<path", "not set": "stroke-dasharray"}


def test_without_a_threshold_the_page_says_that_nothing_is_called_acceptable(quickstart):
    page = (quickstart / "report.html").read_text("utf-8")

    assert UNSET in Page(page).text
    assert page.index('class="strip"') < page.index('class="verdict"') < page.index('class="checks"')
    assert page.index('class="checks"') < page.index('class="rungs"') < page.index('class="contents"')


def test_each_threshold_has_a_word_and_a_shape_and_the_measures_without_one_are_named(quickstart):
    summary, content, manifest = documents(quickstart)
    scenario = {**manifest["scenario"], "thresholds": {"presets": ["0.2"]}}
    manifest = {**manifest, "scenario": scenario}
    page = report_page(ReportDocuments(summary=summary, content=content, manifest=manifest))
    states = re.findall(r'<li>(<svg class="mark".*?</svg>)<span><strong>(.*?)</strong> (.*?)</span>', page, re.DOTALL)

    assert ["not met", "met", "not set"] == [state for _, state, _ in states]
    assert len(states) == len({shape for shape, *_ in states})
    assert all(MARKS[state] in shape for shape, state, _ in states)
    assert states[0][2].startswith("prosecutor risk, highest: at most 0.2000 asked for, 1.0000 in this release")
    assert "journalist risk, highest" not in states[2][2]
    assert "records in the smallest class of the release" in states[2][2]


def test_an_undecided_threshold_states_the_reason():
    [first, *_] = threshold_checks(
        [("own", "expected re-identifications", "at most 2.0", "1.0", "not decided (x)", "")]
    )

    assert "not decided" == first["state"]
    assert first["says"].endswith("1.0 in this release (threshold own). (x)")


def test_bars_of_the_ladder_are_as_long_as_their_numbers(
    quickstart,
):
    page = (quickstart / "report.html").read_text("utf-8")
    found = re.findall(r'<dd class="of-(?:policy|release)">.*?width:([\d.]+)%.*?<strong>(.*?)</strong>', page)
    bars = [(float(width), 0.0 if number == "none" else float(number)) for width, number in found]

    for some in (bars[:6], bars[6:]):
        largest = max(number for _, number in some)
        assert [width for width, _ in some] == pytest.approx([100 * one / largest for _, one in some], abs=1)
    assert 8 == len(bars)


def test_a_rung_that_was_not_computed_is_left_out_and_the_page_says_so(run_shape):
    page = run_shape("sampling fraction").page

    assert "also knows how the release was made Safe Harbor" not in page
    assert "Not computed for a recipient who knows how the release was made." in page


def test_a_certificate_is_made_from_the_folder_alone_and_leaves_it_as_it_is(quickstart, tmp_path):
    before = {one.name: one.read_bytes() for one in quickstart.iterdir()}
    said = gamedeid_says("certificate", quickstart, "-o", tmp_path / "one.html")
    page = (tmp_path / "one.html").read_text("utf-8")
    text, report = Page(page).text, Page(before["report.html"].decode()).text
    manifest = json.loads(before["manifest.json"])

    assert (0, f"Written to {tmp_path / 'one.html'}.\n") == (said.code, said.out.replace("\n/", "/"))
    assert before == {one.name: one.read_bytes() for one in quickstart.iterdir()}
    ends = "Organisation", "Expected re-identifications of the", "Stakes and their sources"
    head, verdict = (text[text.index(one) : text.index(end)] for one, end in itertools.pairwise(ends))
    assert head.removesuffix("The verdict ").strip() in report
    assert verdict.strip() in report
    assert f"release.csv, SHA-256 {manifest['outputs']['release.csv']}" in text
    assert f"Manifest {sha256(before['manifest.json']).hexdigest()}" in text
    assert "Digital signature not signed" in text
    assert "script-src 'none'" in html.unescape(page)
    assert "<script" not in page
    assert "does not hold" not in text
    assert 1 == page.count('<div class="qr" role="img"')


def test_a_certificate_goes_next_to_the_folder_and_not_into_it(quickstart):
    written = gamedeid.results.write_certificate(quickstart)

    assert quickstart.with_name("out-certificate.html") == written
    assert 0o600 == written.stat().st_mode & 0o777
    written.unlink()
    with pytest.raises(OutputError, match="does not name it; write it elsewhere"):
        gamedeid.results.write_certificate(quickstart, quickstart / "certificate.html")


def test_a_certificate_says_of_a_changed_folder_that_it_does_not_hold(out, tmp_path):
    (out / "release.csv").write_text("age\n")
    (out / "strategies.csv").unlink()
    text = Page(gamedeid.results.write_certificate(out, tmp_path / "one.html").read_text("utf-8")).text

    expected = (
        "This certificate does not hold: release.csv has another digest than manifest.json states and strategies.csv "
        "is named in manifest.json, and is not there. Run again."
    )
    assert expected in text
    printed = gamedeid_says("certificate", out, "-o", tmp_path / "one.html", "--overwrite")
    assert (3, expected) == (printed.code, " ".join(printed.out.split()[3:]))
    (out / "summary.json").write_text("{}")
    with pytest.raises(OutputError, match=r"summary.json is not as manifest.json has it; it was changed after the run"):
        gamedeid.results.write_certificate(out, tmp_path / "two.html")


def test_a_certificate_says_what_to_do_about_a_determination_that_was_filled_in(out, tmp_path):
    def printed():
        draft.write_text(draft.read_text() + "x")
        said = gamedeid_says("certificate", out, "-o", tmp_path / "one.html", "--overwrite")
        return said.code, " ".join(said.out.split()[3:])

    draft, key = out / "draft.md", tmp_path / "key"
    gamedeid.write_determination(out, draft)
    held = "This certificate does not hold: draft.md has another digest than manifest.json states."
    assert (3, f"{held} If the determination was filled in, sign the folder.") == printed()
    gamedeid.new_signing_key(key)
    gamedeid.sign(out, key, by="A. Expert", on="2026-02-28")
    assert (3, f"{held} Restore the signed files, or sign the folder again.") == printed()
    gamedeid.sign(out, key, by="A. Expert", on="2026-02-28", overwrite=True)
    (out / "manifest.json.sig").unlink()
    gamedeid.results.write_certificate(out, tmp_path / "two.html")
    says = "The signature does not hold: manifest.json.sig is not there; manifest.json names `A. Expert` as the signer"
    assert says in Page((tmp_path / "two.html").read_text("utf-8")).text


def test_a_certificate_shows_the_signature_and_whether_it_was_checked(out, tmp_path):
    def shown(name, **more):
        page = gamedeid.results.write_certificate(out, tmp_path / f"{name}.html", **more)
        return Page(page.read_text("utf-8")).text.partition("Digital signature ")[2]

    keys = {name: gamedeid.new_signing_key(tmp_path / name) for name in ("expert", "other")}
    assert shown("no", public_key=keys["expert"]).startswith(
        "The signature does not hold: manifest.json.sig is not there: the folder is not signed."
    )
    gamedeid.sign(out, tmp_path / "expert", by="A. <b>Expert</b>", on="2026-02-28")
    for name, key, says in (
        ("unchecked", None, "A. <b>Expert</b>, 2026-02-28, as the signer states. manifest.json.sig exists; it was not"),
        ("checked", "expert", "A. <b>Expert</b>, 2026-02-28, as the signer states. manifest.json.sig is the signature"),
        ("wrong", "other", "The signature does not hold: manifest.json.sig is no signature of this manifest.json"),
    ):
        assert shown(name, public_key=keys.get(key)).startswith(says)


def test_rows_before_and_after_have_the_removed_detail_struck_through(quickstart):
    _, content, _ = documents(quickstart)
    table = (quickstart / "report.html").read_text("utf-8").partition('<caption id="examples-caption">')[2]
    cells = re.findall(r"<td data-column=\"(?:age|sex|race|zip)\">(.*?)</td>", table.partition("</table>")[0])
    expected = [
        f"<del>{value}</del> <ins>{row['released'][name]}</ins>" if row["levels"][name] else value
        for row in content["examples"]
        for name, value in row["before"].items()
    ]

    assert expected == cells
    assert 40 == len(cells)


def test_a_row_that_would_be_withheld_is_struck_through_as_a_whole(run_shape):
    page = (run_shape("withheld in no-attack").out / "report.html").read_text("utf-8")
    [row] = re.findall(r'<tr><td data-column="age"><del>40</del></td>.*?</tr>', page)

    assert '<td data-column="sex"><del>Male</del></td>' in row
    assert row.endswith('class="amount">withheld</td></tr>')
