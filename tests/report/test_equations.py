"""Equations of a determination as DOCX: the symbols of the sentences, and the quickstart's numbers follow."""

import re

import numpy as np
import pytest
from sample_pictures import quickstart

from gamedeid.catalogue import catalogue
from gamedeid.report.determination.equations import EQUATIONS, word_equation, words_and_equations
from gamedeid.study.solve import solve

SENTENCES = [entry["says"] for entry in catalogue("run")["formulas"]]
NAMESPACE = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
SPELLED = {"\u03c0": "pi", "\u2212": "-", "\u00d7": "x", "\u2211": "sum"}


def expression(words):
    """Return the words of a sentence as an expression of Python."""
    text = words.replace("(g)", "").replace("|D_f|", "D_f")
    summed = r"(?:the )?sum (?:over attributes f )?of w_f ln (\w+)"
    text = re.sub(summed, r"SUM(w_f * log(\1))", text)
    for one, other in ((", divided by ", " / "), (" x ", " * "), ("^", "**"), ("V (", "V * (")):
        text = text.replace(one, other)
    return text.split(" = ")[-1]


def expression_of_latex(latex):
    """Return an equation as an expression of Python."""
    text = latex.replace("(g)", "").replace("|D_f|", "D_f").replace(r"\pi", "pi").replace("V (", "V * (")
    text = re.sub(r"w_f \\ln (\w+)", r"w_f * log(\1)", text)
    for one, other in (
        (r"\\sum_f\{([^{}]*)\}", r"SUM(\1)"),
        (r"\^\{(\w+)\}", r"**(\1)"),
        (r"\{(\([^{}]*\))\}", r"\1"),
        (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1) / (\2))"),
        (r"\\times", "*"),
    ):
        text = re.sub(one, other, text)
    return text.split(" = ")[-1]


def value(text, **symbols):
    return eval(text, {"SUM": lambda terms: terms.sum(axis=0), "log": np.log, "__builtins__": {}}, symbols)  # noqa: S307


def test_sentence_and_equation_are_of_the_same_symbols():
    """Read the equation as Word does: all its texts, in any order."""
    et = pytest.importorskip("lxml.etree", reason="of python-docx")
    for words, latex in EQUATIONS.items():
        texts = [one.text for one in et.fromstring(word_equation(latex)).iter(f"{NAMESPACE}t")]
        signs = re.findall(r"[A-Za-z]+|\d", words.replace("attributes f of", "").replace(", divided by the", ""))
        shown = [SPELLED.get(text.strip(), text.strip()) for text in texts if text.strip() not in set("()=-\u2212")]
        extra = ["f"] if "sum over" in words else []  # below its second sum
        sums = word_equation(latex).count('m:val="\u2211"')
        counted = [one for one in signs if one not in {"over", "of"}]
        assert sorted([*counted, *extra, *(["f"] if extra else [])]) == sorted([*shown, *["sum"] * sums]), words


def test_every_equation_is_in_a_sentence_and_leaves_its_other_words():
    used = set()
    for says in SENTENCES:
        rest = "".join(words for words, _ in words_and_equations(says))
        found = [equation for _, equation in words_and_equations(says) if equation]
        used |= {words for words in EQUATIONS if word_equation(EQUATIONS[words]) in found}
        assert not re.search(r"[_^=|]", rest), rest
    assert {*EQUATIONS} == used


def test_the_numbers_of_the_quickstart_follow_from_the_words_and_from_the_equations():
    study = quickstart()
    solution = solve(study, game="basic")
    instance, payoffs, of_record = study.instance, study.instance.payoffs, study.instance.profiles.of_record
    frame = solution.strategies
    names = list(instance.hierarchies)
    codes = instance.profiles.codes[of_record]
    sizes = [instance.hierarchies[name].sizes[frame[name], codes[:, at]] for at, name in enumerate(names)]
    leaves = [[instance.hierarchies[name].sizes.shape[1]] for name in names]
    weights = [[study.scenario.attributes[name].weight] for name in names]
    people = np.rint(1 / frame["success_probability"]).to_numpy()
    known = {"w_f": np.array(weights), "size_f": np.array(sizes), "D_f": np.array(leaves), "n_p": people, "n_r": people}
    known |= {"V": payoffs.benefit, "L": payoffs.loss, "gain": payoffs.adversary_gain, "a_r": 1.0, "gain_r": 3.0}
    known |= {"q_r": 0.5, "L_r": 7.0, "n_a": people, "loss": payoffs.loss}
    for words, latex in EQUATIONS.items():
        if " " in words:
            said, written = value(expression(words), **known), value(expression_of_latex(latex), **known)
            np.testing.assert_allclose(said, written, err_msg=words)
            known[re.sub(r"\(g\)$", "", words.split(" = ")[0])] = said
    np.testing.assert_allclose(frame["information_loss"], known["IL"], atol=1e-12)
    np.testing.assert_allclose(frame["success_probability"], known["pi"])
    attacked = known["gain x pi"] > payoffs.cost
    assert list(frame["attacked"]) == list(attacked)
    np.testing.assert_allclose(frame["publisher_payoff"], known["v"] - attacked * known["L x pi"])
