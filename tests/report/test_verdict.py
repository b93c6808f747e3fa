"""The verdict says what the numbers say, whichever way they go."""

import re

import pytest

from gamedeid.choices import MEASURES
from gamedeid.report.words.measures import MEASURES as SHOWN
from gamedeid.report.words.measures import best_values, spread_words
from gamedeid.report.words.verdict import Verdict

FALSE = r"(?<![\d.,])(1(\.0)? times|0(\.0)?% (more|less)|0\.0 |100(\.0)?% (less|fewer)|nan\b|inf\b)"
"""What a number reads like that is rounded to what it is not."""

SPREAD = {"at_least_one": 0.5, "low": 0, "high": 3, "highest": 0.25}
ALL = {"records": 100, "withheld": 0.0, "proved": True, "gap": 0.0, "attacked": 0.5, "spread": SPREAD}


WHY = "the population is estimated"


def row(expected, payoff, *, all_attacked=50.0, knows=None, highest=1.0, **others):
    marketer = {"share": all_attacked / 100, "reidentifications": all_attacked, "spread": SPREAD}
    aware = {"publisher_payoff": payoff - 1, "attacked": 0.25, "expected_reidentifications": knows, "spread": SPREAD}
    return {
        **ALL,
        "expected_reidentifications": expected,
        "publisher_payoff": payoff,
        "marketer": marketer,
        "aware": WHY if knows is None else aware,
        "highest_risk": highest,
        **others,
    }


def on(policy, game, *, name="safe-harbor", others=None, **asked):
    policies = {name: policy, "basic": game, **(others or {})}
    return Verdict(policies=policies, played="basic", policy=name, benefit=1200.0, **asked)


def said(policy, game, **asked):
    return on(policy, game, **asked).sentences


def test_the_first_sentence_has_the_figures_of_all_recipients_beside_the_policys():
    policy, game = row(5.2, 800.0, knows=5.3, all_attacked=6.0), row(0.0, 900.0, knows=4.7, all_attacked=2.7)

    assert (
        "Expected re-identifications of the basic game: none (50.00% worth attacking; Safe Harbor: 5.2) if the "
        "recipient counts matching people and makes only attacks that pay; 4.7 (25.00% worth attacking; Safe Harbor: "
        "5.3) if the recipient also knows how the release was made; 2.7 (Safe Harbor: 6.0) if the recipient counts and "
        "attacks every released record. Highest risk of one record, if the recipient knows that the person is among "
        "the records: 1.00 (Safe Harbor: 1.00)."
    ) == said(policy, game)[0]


def test_payoffs_come_after_the_risks():
    sentences = said(row(5.2, 800.0), row(0.0, 900.0), others={"no-attack": row(0.0, 870.0)})

    assert ["Expected ", "The same ", "Payoff pe"] == [one[:9] for one in sentences[:3]]
    assert not any("$" in one for one in sentences[:2])


def test_a_figure_that_was_not_computed_is_said_to_be_missing_and_why_once():
    verdict = on(row(5.2, 800.0), row(6.6, 900.0))

    assert "; not computed if the recipient also knows" in verdict.headline
    reason = f"Not computed for a recipient who knows how the release was made: {WHY}."
    assert 1 == verdict.sentences.count(reason) == " ".join(verdict.sentences).count(WHY)
    assert ("also knows how the release was made", *["not computed"] * 5) in verdict.rows
    known = on(row(5.2, 800.0, knows=5.3), row(6.6, 900.0))
    assert "; not computed (Safe Harbor: 5.3) if the recipient also knows" in known.headline
    assert reason in known.sentences
    assert "if the recipient also knows how the release was made: Safe Harbor $799.00." in known.sentences[2]
    both = on(row(5.2, 800.0, knows=5.3), row(6.6, 900.0, knows=7.0)).sentences
    assert "the basic game $899.00, 12.5% more than Safe Harbor; Safe Harbor $799.00." in both[2]
    assert WHY not in " ".join(both)


def test_what_many_profiles_or_regions_leave_out_is_said():
    assert "1.00" not in on(row(5.2, 800.0, highest=None), row(6.6, 900.0, highest=None)).headline
    headline = on(row(5.2, 800.0, highest=None), row(6.6, 900.0, highest=None)).headline
    assert "among the records: not computed; gamedeid risk release computes it" in headline
    assert "not computed over regions" in on(row(5.2, 800.0), row(6.6, 900.0, highest=None), regional=True).headline


def test_the_table_has_a_row_for_each_recipient():
    verdict = on(row(5.2, 800.0, all_attacked=6.0, knows=5.3), row(0.0, 900.0, all_attacked=2.7, knows=4.7))

    assert [
        ("counts matching people and makes only attacks that pay", "50.00%", "none", "50%; 0 to 3", "0.25", "5.2"),
        ("also knows how the release was made", "25.00%", "4.7", "50%; 0 to 3", "0.25", "5.3"),
        ("counts and attacks every released record", "all released", "2.7", "50%; 0 to 3", "0.25", "6.0"),
        ("knows that the person is among the records", "", "", "", "1.00", "highest risk 1.00"),
    ] == verdict.rows
    assert {len(verdict.columns)} == {len(one) for one in verdict.rows}


def test_only_what_is_certain_has_a_chance_of_all():
    sure, almost = ({**SPREAD, "at_least_one": 1.0, "highest": highest} for highest in (1.0, 0.5))

    assert "100%; 0 to 3" == spread_words(sure)
    assert ">99%; 0 to 3" == spread_words(almost)
    assert "not computed" == spread_words(None)


@pytest.mark.parametrize(
    ("payoffs", "words"),
    [
        ((1195.39, 849.69), "$1,195.39, 40.7% more than Safe Harbor;"),
        ((849.69, 1195.39), "$849.69, 28.9% less than Safe Harbor;"),
        ((1000.0, 400.0), "$1,000.00, 2.5 times that of Safe Harbor;"),
        ((800.0, 400.0), "$800.00, twice that of Safe Harbor;"),
        ((0.01, 800.0), "$0.01, >99.9% less than Safe Harbor;"),
        ((1000.0, 1000.2), "$1,000.00, $0.20 less than Safe Harbor;"),
        ((1000.0, 1000.004), "less than $0.01 less than Safe Harbor;"),
        ((1000.0, 1000.0 + 1e-7), "the same as Safe Harbor;"),
        ((1000.0, -12.5), "$1,000.00, $1,012.50 more than Safe Harbor; Safe Harbor -$12.50."),
        ((0.0, 100.0), "$0.00, $100.00 less than Safe Harbor;"),
        ((0.0, 0.0), "the same as Safe Harbor;"),
    ],
)
def test_payoffs_stand_beside_the_policys(payoffs, words):
    [sentence] = [one for one in said(row(5.2, payoffs[1]), row(6.6, payoffs[0])) if one.startswith("Payoff")]

    assert words in sentence
    assert sentence.startswith(
        "Payoff per record, if the recipient counts matching people and makes only attacks that pay: "
    )


def test_a_game_that_withholds_everything_says_so():
    nothing = row(0.0, 0.0, all_attacked=0.0, withheld=1.0, highest=0.0)
    verdict = on(row(5.2, -10.0), nothing, others={"sh-friendly": nothing, "no-attack": row(0.0, 3.0)})

    assert verdict.headline.startswith(
        "The basic game withholds every record: there is nothing to attack. Expected re-identifications of Safe "
        "Harbor: 5.2 (50.00% worth attacking) if the recipient counts"
    )
    assert [] == verdict.rows
    assert (
        "The same three figures of the other games: the sh-friendly game withholds every record; the no-attack game "
        "none, not computed and 50.0."
    ) == verdict.sentences[1]
    [against] = [one for one in on(nothing, row(6.6, 9.0)).sentences if "Highest risk" in one]
    assert against.endswith("among the records: 1.00 (Safe Harbor: none).")


def test_strategies_that_are_not_proved_the_best_are_told():
    unproved = {"proved": False, "gap": 0.17}
    words = (
        "The strategies of the games are not proved the best: others may pay up to {} more per record (in the basic "
    )

    found = said(row(5.2, 800.0, proved=None, gap=None), row(6.6, 900.0, **unproved))
    assert found[-1].startswith(words.format("$0.17"))
    found = said(row(5.2, 800.0, proved=None, gap=None), row(6.6, 900.0, proved=False, gap=0.001))
    assert found[-1].startswith(words.format("less than $0.01"))
    found = said(row(5.2, 800.0, proved=None, gap=None), row(6.6, 900.0, proved=False, gap=0.0))
    assert not any("proved" in sentence for sentence in found)


def test_estimates_own_policies_persons_and_several_recipients_are_called_so():
    policy, game = row(5.2, 800.0), row(6.6, 900.0)
    found = on(policy, game, name="counties", unit="person", estimated=True, several=True, unmet=())

    assert found.headline.startswith(
        "Expected re-identifications of the basic game within the limits, by estimate: 6.6 (50.00% worth attacking; "
        "the policy “counties”: 5.2) if each recipient counts matching people and makes only attacks that pay; "
    )
    assert "every released person. Highest risk of one person," in found.headline
    assert "if each recipient ..." == found.columns[0]
    assert "also knows how the release was made" == found.rows[1][0]


def test_a_policy_alone_says_what_it_expects():
    policies = {"safe-harbor": row(0.0, 800.0), "basic": row(6.6, 900.0)}
    verdict = Verdict(policies=policies, played="safe-harbor", policy="safe-harbor", benefit=1200.0)

    assert verdict.headline.startswith(
        "Expected re-identifications of Safe Harbor: none (50.00% worth attacking) if the recipient counts"
    )
    assert "The same three figures of the games: the basic game 6.6, not computed and 50.0." == verdict.sentences[1]
    assert {len(verdict.columns)} == {len(one) for one in verdict.rows} == {5}


def test_no_sentence_rounds_to_a_falsehood():
    for mine in (0.0, 1e-9, 0.004, 0.0499, 0.96, 1.0, 5.04, 5.05, 1e6):
        for other in (0.0, 1e-9, 0.004, 0.96, 5.0, 5.05, 1e6):
            for payoff in (-3.0, 0.0, 1e-4, 799.9999, 800.0, 800.3, 1200.0):
                verdict = on(row(other, 800.0), row(mine, payoff, knows=mine, all_attacked=mine))
                assert not re.search(FALSE, " ".join(verdict.sentences))
                assert 3 * (mine == 0) == [one[2] for one in verdict.rows].count("none")


def test_the_best_values_of_a_row_are_known():
    assert [False, True, False] == best_values("publisher_payoff", [1.0, 3.0, 2.0], ["$1", "$3", "$2"])
    assert [True, True, False] == best_values("attacked", [0.10001, 0.1, 0.3], ["10%", "10%", "30%"])
    assert [False, False] == best_values("withheld", [0.0, 0.0], ["0%", "0%"])
    assert [False, False] == best_values("searched", [1.0, 2.0], ["1", "2"])
    assert [False] == best_values("attacked", [0.0], ["0%"])


def test_every_measure_has_a_best_direction_or_none_by_choice():
    assert set(MEASURES) == set(SHOWN)
