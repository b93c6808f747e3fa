"""The verdict says what the numbers say, whichever way they go."""

import re

import pytest

from gamedeid.choices import MEASURES
from gamedeid.report.best_values import BEST, best_values
from gamedeid.report.verdict import verdict

FALSE = r"(?<![\d.,])(1(\.0)? times|0(\.0)?% |0\.0 |100(\.0)?% (less|fewer)|nan\b|inf\b)"
"""What a number reads like that is rounded to what it is not."""

ALL = {"records": 100, "withheld": 0.0, "proved": True, "gap": 0.0}


def row(expected, payoff, *, all_attacked=50.0, **others):
    marketer = {"share": all_attacked / 100, "reidentifications": all_attacked}
    return {
        **ALL,
        "expected_reidentifications": expected,
        "publisher_payoff": payoff,
        "marketer": marketer,
        **others,
    }


def said(policy, game, *, name="safe-harbor", others=None, **asked):
    policies = {name: policy, "basic": game, **(others or {})}
    return verdict(policies, played="basic", policy=name, benefit=1200.0, **asked)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ((392.7, 48.1), "expects 8.2 times as many re-identifications as Safe Harbor (392.7 and 48.1)"),
        ((481.0, 48.1), "expects 10 times as many re-identifications as Safe Harbor (481.0 and 48.1)"),
        ((96.2, 48.1), "expects twice as many re-identifications as Safe Harbor (96.2 and 48.1)"),
        ((6.6, 5.2), "expects 27% more re-identifications than Safe Harbor (6.6 and 5.2)"),
        ((3.0, 5.2), "expects 42% fewer re-identifications than Safe Harbor (3.0 and 5.2)"),
        ((1.0, 5000.0), "expects >99% fewer re-identifications than Safe Harbor (1.0 and 5,000.0)"),
        ((48.101, 48.1), "expects slightly more re-identifications than Safe Harbor (48.101 and 48.100)"),
        ((48.1, 48.101), "expects slightly fewer re-identifications than Safe Harbor (48.100 and 48.101)"),
        ((48.1, 48.1 * (1 + 1e-12)), "expects as many re-identifications as Safe Harbor (48.1)"),
        ((6.6, 0.0), "expects 6.6 re-identifications (Safe Harbor: none)"),
        ((0.0, 5.2), "expects no re-identification (Safe Harbor: 5.2)"),
        ((0.0, 0.0), "expects no re-identification (nor does Safe Harbor)"),
        ((0.004, 0.0), "expects 0.004 re-identifications (Safe Harbor: none)"),
        ((0.0, 0.00000001), "expects no re-identification (Safe Harbor: fewer than 0.0001)"),
        ((1.0, 0.0), "expects 1.0 re-identifications (Safe Harbor: none)"),
        ((0.9999, 0.994), "expects 1% more re-identifications than Safe Harbor (1.0 and 0.99)"),
    ],
)
def test_re_identifications_stand_beside_the_policys(expected, words):
    [headline, *_] = said(row(expected[1], 800.0), row(expected[0], 900.0))

    assert f"The basic game {words}, with 12.5% more payoff ($900.00 and $800.00 per record)." == headline


@pytest.mark.parametrize(
    ("payoffs", "words"),
    [
        ((1195.39, 849.69), "with 40.7% more payoff ($1,195.39 and $849.69 per record)."),
        ((849.69, 1195.39), "with 28.9% less payoff ($849.69 and $1,195.39 per record)."),
        ((1000.0, 400.0), "with 2.5 times the payoff ($1,000.00 and $400.00 per record)."),
        ((800.0, 400.0), "with twice the payoff ($800.00 and $400.00 per record)."),
        ((0.01, 800.0), "with >99.9% less payoff ($0.01 and $800.00 per record)."),
        ((1000.0, 1000.2), "with $0.20 less payoff per record ($1,000.00 and $1,000.20 per record)."),
        ((1000.0, 1000.004), "with less than $0.01 less payoff per record."),
        ((1000.0, 1000.0 + 1e-7), "with the same payoff."),
        ((1000.0, -12.5), "with $1,012.50 more payoff per record ($1,000.00 and -$12.50 per record)."),
        ((0.0, 100.0), "with $100.00 less payoff per record ($0.00 and $100.00 per record)."),
        ((0.0, 0.0), "with the same payoff."),
    ],
)
def test_payoffs_stand_beside_the_policys(payoffs, words):
    [headline, *_] = said(row(5.2, payoffs[1]), row(6.6, payoffs[0]))

    assert headline.endswith(words)


def test_the_other_games_stand_beside_the_one_that_was_played():
    others = {"sh-friendly": row(3.0, 850.0), "no-attack": row(0.0, 870.0)}

    assert (
        "Compared with it, the sh-friendly game expects 55% fewer (3.0), with 5.6% less payoff; the no-attack game "
        "expects none, with 3.3% less payoff."
    ) == said(row(5.2, 800.0), row(6.6, 900.0), others=others)[1]


def test_games_that_come_to_the_same_are_told_together():
    nobody = row(0.0, 900.0)
    others = {"sh-friendly": nobody, "no-attack": nobody}

    assert (
        "Compared with it, the sh-friendly game and the no-attack game each expect none either, with the same payoff."
    ) == said(row(5.2, 800.0), nobody, others=others)[1]
    assert (
        "Compared with it, the sh-friendly game and the no-attack game each expect as many, with the same payoff."
    ) == said(row(5.2, 800.0), row(3.0, 900.0), others=dict.fromkeys(others, row(3.0, 900.0)))[1]


def test_games_that_were_not_played_are_named():
    assert "The sh-friendly game and the no-attack game were not played." in said(row(5.2, 800.0), row(6.6, 900.0))
    others = {"no-attack": row(0.0, 700.0)}
    assert "The sh-friendly game was not played." in said(row(5.2, 800.0), row(6.6, 900.0), others=others)


def test_a_game_that_withholds_everything_says_so():
    nothing = row(0.0, 0.0, all_attacked=0.0, withheld=1.0)
    [headline, *others] = said(row(5.2, -10.0), nothing, others={"sh-friendly": nothing, "no-attack": row(0.0, 3.0)})

    assert (
        "The basic game withholds every record, so that nobody can be re-identified, with $10.00 more payoff per "
        "record ($0.00 and -$10.00 per record); Safe Harbor expects 5.2 re-identifications."
    ) == headline
    assert [
        (
            "Compared with it, the sh-friendly game withholds every record, with the same payoff; the no-attack game "
            "expects none either, with $3.00 more payoff per record."
        )
    ] == others


def test_what_attacks_on_everybody_would_find_stands_beside_what_is_expected():
    words = "If every released record were attacked all the same, 6.6 re-identifications would be expected "
    [_, _, sentence] = said(row(5.2, 800.0, all_attacked=7.0), row(0.0, 900.0, all_attacked=6.6))

    assert f"{words}(Safe Harbor: 7.0), a marketer risk of 0.066." == sentence
    [_, _, sentence] = said(row(0.0, 800.0, all_attacked=0.0), row(0.0, 900.0, all_attacked=6.6))
    assert f"{words}(Safe Harbor: none), a marketer risk of 0.066." == sentence
    everybody = row(6.6, 900.0, all_attacked=6.6)
    assert not any("all the same" in sentence for sentence in said(row(5.2, 800.0), everybody))


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


def test_estimates_own_policies_and_persons_are_called_so():
    found = said(row(5.2, 800.0), row(6.6, 900.0), name="counties", unit="person", estimated=True)

    assert (
        "By estimate, the basic game expects 27% more re-identifications than the policy “counties” (6.6 and 5.2), "
        "with 12.5% more payoff ($900.00 and $800.00 per person)."
    ) == found[0]
    assert "If every released person were attacked all the same, " in found[2]


def test_a_policy_alone_says_what_it_expects():
    policies = {"safe-harbor": row(0.0, 800.0), "basic": row(6.6, 900.0)}

    assert [
        "Safe Harbor expects no re-identification, with a payoff of $800.00 per record.",
        "Compared with it, the basic game expects 6.6, with 12.5% more payoff.",
    ] == verdict(policies, played="safe-harbor", policy="safe-harbor", benefit=1200.0)[:2]


def test_no_sentence_rounds_to_a_falsehood():
    for mine in (0.0, 1e-9, 0.004, 0.0499, 0.96, 1.0, 5.04, 5.05, 1e6):
        for other in (0.0, 1e-9, 0.004, 0.96, 5.0, 5.05, 1e6):
            for payoff in (-3.0, 0.0, 1e-4, 799.9999, 800.0, 800.3, 1200.0):
                text = " ".join(said(row(other, 800.0), row(mine, payoff)))
                assert not re.search(FALSE, text)
                assert ("no re-identification" in text) == (mine == 0)


def test_the_best_values_of_a_row_are_known():
    assert [False, True, False] == best_values("publisher_payoff", [1.0, 3.0, 2.0], ["$1", "$3", "$2"])
    assert [True, True, False] == best_values("attacked", [0.10001, 0.1, 0.3], ["10%", "10%", "30%"])
    assert [False, False] == best_values("withheld", [0.0, 0.0], ["0%", "0%"])
    assert [False, False] == best_values("searched", [1.0, 2.0], ["1", "2"])
    assert [False] == best_values("attacked", [0.0], ["0%"])


def test_every_measure_has_a_best_direction_or_none_by_choice():
    assert set(MEASURES) == set(BEST)
