"""An answer as people read it: the verdict, and a table with the words, formats and marks of terminal and report."""

from typing import Any

from gamedeid.analysis.comparison import facts_of_release
from gamedeid.analysis.suggestions import Suggestions
from gamedeid.catalogue import sentence
from gamedeid.choices import GameName
from gamedeid.explorer.answers import Answer
from gamedeid.report.terminal.suggestions import (
    STAKES,
    TRIED,
    run_command,
    stake_rows,
    suggestion_words,
    tried_rows,
)
from gamedeid.report.words.measures import ALL_ATTACKED, MEASURES, best_values, shown_measures
from gamedeid.report.words.recipients import together_words
from gamedeid.report.words.verdict import verdict_in
from gamedeid.study.warnings import counted

EXPECTED = "expected_reidentifications"


def answer_table(answer: Answer) -> list[dict[str, Any]]:
    """Return the measures as rows: key, words, and for the policy and each game how it reads and whether it is best."""
    measures = [solution.measures for solution in answer.solutions.values()]
    rows = [
        _row(key, measure.name, key, [one[key] for one in measures], answer)
        for key, measure in shown_measures(measures).items()
    ]
    found = [solution.marketer["reidentifications"] for solution in answer.solutions.values()]
    return [*rows, _row(f"{EXPECTED}_if_all_attacked", f"... {ALL_ATTACKED}", EXPECTED, found, answer)]


def _row(key: str, words: str, measure: str, values: list[float], answer: Answer) -> dict[str, Any]:
    texts = [MEASURES[measure].form(value) for value in values]
    best = best_values(measure, values, texts)
    names = list(answer.solutions)
    return {
        "key": key,
        "words": words,
        "texts": dict(zip(names, texts, strict=True)),
        "best": [name for name, is_best in zip(names, best, strict=True) if is_best],
    }


def answer_verdict(answer: Answer, game: GameName) -> list[str]:
    """Return the verdict on a game beside the policy and the other games, sentence by sentence."""
    study = answer.study
    policies = {name: facts_of_release(solution).as_dict() for name, solution in answer.solutions.items()}
    sentences = verdict_in(study, policies, game).sentences
    if not study.instance.recipients.is_paper_adversary:
        sentences.append(together_words(answer.solutions[game].recipients))
    return sentences


def describe_suggestions(found: Suggestions) -> dict[str, Any]:
    """Return changes that meet the thresholds, as on a terminal, and what of them the page can set."""
    changed = found.change
    limited = changed is not None and bool(changed.changes)
    unit = counted(found.data.as_dict())[1]
    return {
        "words": suggestion_words(found),
        "game": None if changed is None or limited else changed.game,
        "command": run_command("SCENARIO", changed) if changed is not None and limited else None,
        "tried": {"columns": TRIED, "rows": tried_rows(found), "words": sentence("suggestions.legend", {"unit": unit})},
        "stakes": {
            "columns": STAKES,
            "rows": stake_rows(found),
            "words": sentence("suggestions.stakes", {"game": found.present.game}),
            "values": [{"stake": one.stake, "value": one.value} for one in found.stakes],
        },
        "left_out": [sentence("suggestions.not_tried", {"why": why}) for why in found.left_out],
    }
