"""How an answer shows itself in a notebook: its verdict, and its figures in their units, the best marked."""

from html import escape

from gamedeid.analysis.comparison import Comparison, facts_of_release
from gamedeid.analysis.regional_comparison import RegionalComparison
from gamedeid.pictures.words import capital, policy_words
from gamedeid.report.words.data import is_estimated
from gamedeid.report.words.measures import LEGEND, MARK
from gamedeid.report.words.names import heading_words
from gamedeid.report.words.verdict import Verdict, measure_rows
from gamedeid.study.facts import DataFacts
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study
from gamedeid.study.warnings import counted

KEY_MEASURES = ("publisher_payoff", "withheld", "generalization_intensity", "attacked", "expected_reidentifications")
"""What the card shows of the measures, each with the rows of other recipients below it."""

_NAMES, _BEST = 'style="text-align: left"', 'style="font-weight: bold"'


def card(answer: Solution | Comparison | RegionalComparison) -> str:
    """Return the HTML of an answer: title, the first sentence of the verdict, and the figures that people read.

    Parameters
    ----------
    answer : of one game or policy, which the verdict is on; of several, it is on the scenario's policy.
    """
    study, scenario = answer.study, answer.study.scenario
    facts = {answer.name: facts_of_release(answer)} if isinstance(answer, Solution) else answer.facts
    policies = {name: one.as_dict() for name, one in facts.items()}
    whole = isinstance(study, Study)
    data = DataFacts.of(study).as_dict() if isinstance(study, Study) else {}
    played = next(iter(policies))
    verdict = Verdict(
        policies=policies,
        played=played,
        policy=played,
        benefit=scenario.payoffs.benefit,
        unit=counted(data)[1] if whole else "record",
        estimated=whole and is_estimated(data),
        several=isinstance(study, Study) and not study.instance.recipients.is_paper_adversary,
        regional=not whole,
    )
    lines = [f"<th></th>{''.join(f'<th>{escape(heading_words(name))}</th>' for name in policies)}"]
    is_marked, is_key = False, False
    for key, name, texts, best in measure_rows(policies):
        is_key = key in KEY_MEASURES if key else is_key
        if not is_key:
            continue
        cells = (
            f"<td {_BEST}>{escape(text)}{MARK}</td>" if is_best else f"<td>{escape(text)}</td>"
            for text, is_best in zip(texts, best, strict=True)
        )
        lines.append(f"<th {_NAMES}>{escape(name)}</th>{''.join(cells)}")
        is_marked = is_marked or any(best)
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    title = scenario.title or capital(policy_words(played) if len(policies) == 1 else "comparison")
    table = f"<table><caption>{LEGEND}</caption>{rows}</table>" if is_marked else f"<table>{rows}</table>"
    return f"<div><p><b>{escape(title)}</b></p><p>{escape(verdict.headline)}</p>{table}</div>"
