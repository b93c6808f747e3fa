"""The first screen of a report, and its certificate: facts of a run, thresholds, bars of the recipients, validity."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gamedeid.amounts import expectation, joined
from gamedeid.catalogue import catalogue, fill_template, sentence, sentences
from gamedeid.pictures.words import policy_words
from gamedeid.report.words.measures import heading_words
from gamedeid.report.words.verdict import Verdict

_KNOWS_WHO = "among"
"""The last bar: a recipient who knows which people are in the data, and looks up each of them."""

_UNBROKEN = "SHA\N{NON-BREAKING HYPHEN}256"
"""The name of the digest, with a hyphen that does not break."""

_DIGITS = 12
"""Digits of a digest that are enough to distinguish two runs by eye."""


def fact_strip(given: Mapping[str, str], named: Sequence[str], data: str, digest: str | None) -> list[tuple[str, str]]:
    """Return the names and texts of the facts at the head of a page; missing ones are marked as not named.

    Parameters
    ----------
    given : key -> text of the determination.
    named : the recipients of the scenario, shown if the determination names none.
    data : text with the number of records.
    digest : name and SHA-256 of the file that identifies the run; None for no such file.
    """
    words = catalogue("certificate")["facts"]
    texts = {
        "publisher": given["publisher"],
        "recipients": given["recipients"] or joined(named, "and"),
        "data": data,
        "valid": given["valid_until"],
        "run": f"{digest[: digest.rindex(' ') + 1 + _DIGITS]}…".replace("SHA-256", _UNBROKEN) if digest else "",
    }
    return [(words[key], text or words["not_named"]) for key, text in texts.items()]


def threshold_checks(rows: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield the thresholds of a scenario, then the measures without one: ``state``, one or two words, and ``says``."""
    measures = dict.fromkeys(catalogue("determination")["measures"].values())
    for name, measure, bound, value, verdict, _ in rows:
        facts = {"name": name, "measure": measure, "bound": bound, "value": value}
        state, _, why = verdict.partition(" (")
        yield {"state": state, "says": sentence("certificate.check", facts) + (f" ({why}" if why else "")}
        measures.pop(measure, None)
    if measures:
        unset = {"thresholds": bool(rows), "measures": "; ".join(measures)}
        yield {"state": "not set", "says": sentence("certificate.unset", unset)}


def recipient_bars(verdict: Verdict, risks: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recipients by increasing danger, each with a bar for the policy and one for the release.

    The width of a bar is in percent of the available space.
    """
    names = (verdict.policy, verdict.played)
    expected = {case: [verdict.figures[name][case] for name in names] for case in verdict.conditions}
    found = {case: [one.expected for one in pair if one] for case, pair in expected.items() if all(pair)}
    most = max(number for pair in found.values() for number in pair)
    found[_KNOWS_WHO] = [risks[which]["marketer"]["prosecutor"]["reidentifications"] for which in ("policy", "release")]
    most_among = max(found[_KNOWS_WHO])
    facts = {
        "unit": verdict.unit,
        "policy": policy_words(verdict.policy),
        "who": "each recipient" if verdict.several else "the recipient",
        "most": most,
        "most_among": most_among,
        "two_scales": most and most_among and expectation(most) != expectation(most_among),
        "lacking": len(found) <= len(expected),
    }
    words, rungs = catalogue("certificate")["rungs"], []
    for case, pair in found.items():
        scale = (most_among if case == _KNOWS_WHO else most) or 1.0
        rows = zip((heading_words(verdict.policy), "This release"), pair, strict=True)
        bars = [{"release": name, "number": expectation(one), "width": 100 * one / scale} for name, one in rows]
        said = "among_one" if case == _KNOWS_WHO and verdict.several else case
        rungs.append({"words": fill_template(words[said], facts), "bars": bars})
    return {
        "rungs": rungs,
        "rungs_heading": sentence("certificate.bars_heading", facts),
        "rungs_notes": sentences("certificate.scales", facts),
    }


def validity(given: Mapping[str, str]) -> str:
    """Return a sentence on the first and last day of a determination's validity."""
    return sentence("certificate.valid", {"first": given["valid_from"], "last": given["valid_until"]})


def signature_words(*, signed: bool, signer: Mapping[str, str], key: str, faults: Sequence[str]) -> str:
    """Return sentences on the signature of a folder of results, its signer and date.

    Parameters
    ----------
    signed : whether the folder has a signature.
    signer : name and date that the manifest states, ``by`` and ``on``; none if no signer is named.
    key : name of the file of the public key for the check; "" for no check.
    faults : faults of the signature in the check.
    """
    facts = {"signed": signed, "key": key, "faults": list(faults), "named": signer, **signer}
    return " ".join((*sentences("certificate.signer", facts), sentence("certificate.signature", facts)))


def examples(found: Sequence[Mapping[str, Any]] | str, *, shapes: bool) -> dict[str, Any]:
    """Return rows of the population before and after their release, as a table.

    Parameters
    ----------
    found : ``examples`` of ``report.json``.
    shapes : whether the characters of some values are hidden.
    """
    words, rows = catalogue("certificate")["examples"], [] if isinstance(found, str) else found
    facts = {"rows": len(rows), "shapes": shapes}
    return {
        "examples_heading": words["heading"],
        "examples_words": [found] if isinstance(found, str) else sentences("certificate.examples_words", facts),
        "examples_columns": [*(rows[0]["before"] if rows else ()), words["people"]],
        "examples": [
            {
                "cells": [
                    (value, row["levels"][name] or row["withheld"], "" if row["withheld"] else row["released"][name])
                    for name, value in row["before"].items()
                ],
                "people": words["withheld"] if row["withheld"] else f"{row['people']:,}",
            }
            for row in rows
        ],
    }
