"""The card of an answer in a Jupyter notebook: the verdict, the warnings, and figures with units, the best marked."""

from dataclasses import replace
from html import escape

from gamedeid.analysis.comparison import Comparison, release_facts
from gamedeid.analysis.regional_comparison import RegionalComparison
from gamedeid.pictures.words import capitalized, policy_words
from gamedeid.report.words.measures import LEGEND, MARK, heading_words
from gamedeid.report.words.verdict import Verdict, measure_rows, verdict_in
from gamedeid.study.facts import study_warnings
from gamedeid.study.solution import Solution, solution_warnings
from gamedeid.study.warnings import warning_sentences

KEY_MEASURES = ("publisher_payoff", "withheld", "generalization_intensity", "attacked", "expected_reidentifications")
"""The measures on the card, each followed by the rows of other recipients."""

_NAMES, _BEST = 'style="text-align: left"', 'style="font-weight: bold"'


def card(answer: Solution | Comparison | RegionalComparison) -> str:
    """Return the HTML of an answer: title, first sentence of the verdict, warnings, and the key figures.

    Parameters
    ----------
    answer : the answer for one game or policy, the subject of the verdict; for several, its subject is the policy.
    """
    scenario = answer.study.scenario
    facts = {answer.name: release_facts(answer)} if isinstance(answer, Solution) else answer.facts
    policies = {name: one.as_dict() for name, one in facts.items()}
    played = next(iter(policies))
    if isinstance(answer, RegionalComparison):
        benefit = scenario.payoffs.benefit
        verdict = Verdict(policies=policies, played=played, policy=played, benefit=benefit, regional=True)
        warnings = answer.as_dict()["warnings"]
    else:
        verdict = replace(verdict_in(answer.study, policies, played), policy=played)
        warnings = solution_warnings(answer) if isinstance(answer, Solution) else study_warnings(answer.study)
    lines = [f"<th></th>{''.join(f'<th>{escape(heading_words(name))}</th>' for name in policies)}"]
    is_key = False
    for key, name, texts, best in measure_rows(policies):
        is_key = key in KEY_MEASURES if key else is_key
        if is_key:
            cells = (
                f"<td {_BEST}>{escape(text)}{MARK}</td>" if is_best else f"<td>{escape(text)}</td>"
                for text, is_best in zip(texts, best, strict=True)
            )
            lines.append(f"<th {_NAMES}>{escape(name)}</th>{''.join(cells)}")
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    title = scenario.title or capitalized(policy_words(played) if len(policies) == 1 else "comparison")
    caption = f"<caption>{LEGEND}</caption>" if len(policies) > 1 else ""
    paragraphs = "".join(f"<p>{escape(one)}</p>" for one in (verdict.headline, *warning_sentences(warnings)))
    return f"<div><p><b>{escape(title)}</b></p>{paragraphs}<table>{caption}{rows}</table></div>"
