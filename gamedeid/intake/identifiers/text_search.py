"""Which of a column's distinct texts hold a form of identifiers; every one of them is looked through."""

import re
from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.intake.identifiers.text_forms import FAX, GATES, PHONE, TEXT_FORMS, TextForm

ENOUGH_PROOFS = 10_000
"""Once so many texts of a form are proved, others of the form count without a proof."""

_DASHES = "[\\x{2010}-\\x{2015}\\x{2212}\\x{ad}]"
_UNSEEN = "[\\x{200b}-\\x{200d}\\x{2060}\\x{feff}]"


def search_texts(texts: pa.Array) -> Mapping[str, IntArray]:
    """Return sign -> places of the texts that hold a form of it; signs that none has are left out.

    Parameters
    ----------
    texts : (n,) distinct texts, none of them null.
    """
    plain = _in_plain_letters(texts)
    passed: dict[str | None, tuple[pa.Array, IntArray]] = {None: (plain, np.arange(len(plain)))}
    for gate, (before, pattern) in GATES.items():
        values, places = passed[before]
        held = _matching(values, pattern, ignores_case=True)
        passed[gate] = (values.filter(pa.array(held)), places[held])
    found: dict[str, list[IntArray]] = {}
    for form in TEXT_FORMS:
        values, places = passed[form.gate]
        if len(values) and len(holding := _holding(values, form)):
            found.setdefault(form.sign, []).append(places[holding])
    return _without_fax({sign: np.unique(np.concatenate(parts)) for sign, parts in found.items()}, plain)


def _in_plain_letters(texts: pa.Array) -> pa.Array:
    """Return texts in which digits, dashes and spaces of other widths are the usual ones."""
    ascii_only = pc.string_is_ascii(texts)
    if pc.all(ascii_only).as_py():
        return texts
    others = pc.utf8_normalize(texts.filter(pc.invert(ascii_only)), form="NFKC")
    others = pc.replace_substring_regex(others, pattern=_DASHES, replacement="-")
    others = pc.replace_substring_regex(others, pattern=_UNSEEN, replacement="")
    return pc.replace_with_mask(texts, pc.invert(ascii_only), others)


def _matching(values: pa.Array, pattern: str, *, ignores_case: bool) -> BoolArray:
    matched: BoolArray = pc.match_substring_regex(values, pattern, ignore_case=ignores_case).to_numpy(
        zero_copy_only=False
    )
    return matched


def _holding(values: pa.Array, form: TextForm) -> IntArray:
    """Return the places of the values that hold a form, (k,)."""
    places = np.flatnonzero(_matching(values, form.pattern, ignores_case=form.ignores_case))
    if form.proved is None or not len(places):
        return places
    compiled = re.compile(form.pattern, re.IGNORECASE if form.ignores_case else 0)
    held = np.ones(len(places), bool)
    proofs = 0
    for number, text in enumerate(values.take(pa.array(places)).to_pylist()):
        held[number] = any(form.proved(match) for match in _matches(compiled, text))
        proofs += held[number]
        if proofs >= ENOUGH_PROOFS:
            break
    return places[held]


def _matches(compiled: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches in a text; what stands at the end of one may begin the next."""
    match = compiled.search(text)
    while match is not None:
        yield match
        match = compiled.search(text, max(match.end(1), match.start() + 1))


def _without_fax(found: dict[str, IntArray], plain: pa.Array) -> Mapping[str, IntArray]:
    """Return what was found, with texts whose telephone numbers are all fax numbers left out of the former."""
    if FAX not in found or PHONE not in found:
        return found
    both = np.intersect1d(found[FAX], found[PHONE])
    (fax,) = (form.pattern for form in TEXT_FORMS if form.sign == FAX)
    rest = pc.replace_substring_regex(plain.take(pa.array(both)), pattern=f"(?i){fax}", replacement=" ")
    still = np.zeros(len(both), bool)
    for form in TEXT_FORMS:
        if form.sign == PHONE:
            still[_holding(rest, form)] = True
    phones = np.setdiff1d(found[PHONE], both[~still])
    return {sign: places for sign, places in {**found, PHONE: phones}.items() if len(places)}
