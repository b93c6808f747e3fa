"""Promises for any input: no traceback, one line, a known exit code, nothing half written, no secret shown.

A short run: some inputs of each kind, the same ones each time, and every input that has failed before. The long run is
``python tests/fuzz.py``; CONTRIBUTING.md has more.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from depth import tries
from fuzzing.campaign import judged, warm_up
from fuzzing.case import Case
from fuzzing.kinds import KINDS, draw
from fuzzing.oracle import faults_of
from fuzzing.questions import KEPT, PLAIN, QUESTIONS, TOKENS
from fuzzing.shrinking import shrunk
from fuzzing.trial import Outcome, try_case
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from small_world import process_environment

SEEDS = sorted((Path(__file__).parent / "fuzzing" / "seeds").glob("*.json"))
EXAMPLES = tries(25, 1000)
"""Inputs of each kind."""

SHORT = settings(
    max_examples=EXAMPLES,
    derandomize=True,  # the long run tries other inputs
    database=None,
    deadline=None,
    phases=[Phase.generate],  # the campaign itself shrinks a faulty input, in seconds instead of minutes
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    before, folder = Path.cwd(), tmp_path_factory.mktemp("fuzz")
    warm_up(folder)
    yield folder
    os.chdir(before)  # inputs run in their own folder


def assert_no_promise_is_broken(case, home):
    faults = broken(case, home)
    if faults:
        group = faults[0].group
        small = shrunk(case, lambda one: group in {fault.group for fault in broken(one, home)})
        pytest.fail(f"{group}\n{faults[0].detail}\n{small.to_json()}")


def broken(case, home):
    _, faults = judged(case, home, seconds=20)
    return faults


@pytest.mark.parametrize("kind", KINDS)
def test_random_inputs_break_no_promise(kind, home):
    @SHORT
    @given(st.randoms(use_true_random=False))
    def try_some(rng):
        assert_no_promise_is_broken(KINDS[kind][1](rng), home)

    try_some()


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_inputs_that_once_broke_a_promise_no_longer_do(path, home):
    assert_no_promise_is_broken(Case.from_json(path.read_text()), home)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_questions_that_inputs_are_drawn_from_are_right(question, home):
    words = ("run", "scenario.toml", "-o", "out", "--no-report", "--json")
    case = Case(kind="plain", words=words, files=question.files(), tokens=TOKENS)

    outcome = try_case(case, home, seconds=300)

    assert (0, "") == (outcome.code, outcome.err)
    assert [] == faults_of(case, outcome)


def test_the_same_number_draws_the_same_input_in_any_order():
    assert [draw(3, number).to_json() for number in range(20)] == [
        draw(3, number).to_json() for number in reversed(range(20))
    ][::-1]


def test_an_input_is_read_as_it_was_saved():
    cases = [draw(5, number) for number in range(60)]

    assert [case.to_json() for case in cases] == [Case.from_json(case.to_json()).to_json() for case in cases]


# the oracle itself: it finds each broken promise


def outcome(**changed):
    return Outcome(**{"code": 0, "out": "", "err": "", "before": {}, "after": {}, "seconds": 0.1, **changed})


BROKEN = {
    "traceback": {
        "code": 1,
        "err": 'Traceback (most recent call last):\n  File "/x/gamedeid/a.py", line 1, in f\nE\n',
    },
    "hang": {"seconds": None, "code": 1},
    "exit code": {"code": 3, "err": "gamedeid: no\n"},
    "message of other than one line": {"code": 2, "err": "gamedeid: no\nmore\n"},
    "message without our name": {"code": 2, "err": "no\n"},
    "control character in a message": {"code": 2, "err": "gamedeid: \x1b[31m\n"},
    "said on standard error": {"err": "RuntimeWarning: overflow\n"},
    "noise": {"noise": ("Exception ignored: E",)},
    "written in spite of an error": {"code": 2, "err": "gamedeid: no\n", "after": {"out/release.csv": b"a"}},
    "an input was changed": {"before": {"records.csv": b"a"}, "after": {"records.csv": b"b"}},
    "temporary files left": {"left": ("spill",)},
    "a secret came out": {"out": f"... {TOKENS[0]}"},
    "a withheld row came out": {
        "after": {
            "out/release.csv": KEPT[1].encode(),
            "out/strategies.csv": b"record,withheld,information_loss,generalization_intensity,success_probability,"
            b"publisher_payoff,adversary_payoff\n0,false,0,0,0,0,0\n1,true,0,0,0,0,0\n",
        }
    },
    "an output is not as the manifest has it": {
        "after": {"out/manifest.json": json.dumps({"outputs": {"release.csv": "0"}}).encode(), "out/release.csv": b""}
    },
    "no number": {"out": "the cost is $inf"},
    "no JSON": {"after": {"out/summary.json": b'{"measures": {"a": }}'}},
}


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_seen(promise):
    case = Case(kind="plain", words=("run", "scenario.toml"), files=PLAIN.files(), tokens=TOKENS, kept=KEPT)

    assert promise in {fault.what for fault in faults_of(case, outcome(**BROKEN[promise]))}


def test_a_correct_outcome_has_no_fault():
    case = Case(kind="plain", words=("run", "scenario.toml"), files=PLAIN.files(), tokens=TOKENS, kept=KEPT)

    assert [] == faults_of(case, outcome(code=2, err="gamedeid: records.csv: no such file\n"))


def test_a_fault_of_the_command_is_grouped_by_its_error_and_place(home, monkeypatch):
    monkeypatch.setattr("gamedeid.study.study.Study.prepare", lambda *_, **__: {}["nothing"])
    case = Case(kind="plain", words=("run", "scenario.toml"), files=PLAIN.files())

    (fault,) = faults_of(case, try_case(case, home, seconds=300))

    assert "traceback: KeyError in cli/run.py:run" == fault.group


def test_the_long_run_starts_as_it_is_printed(tmp_path):
    script = str(Path(__file__).parent / "fuzz.py")
    words = ["--inputs", "4", "--seed", "7", "--kinds", "options", "--workers", "1", "--save", str(tmp_path)]
    ended = subprocess.run(
        [sys.executable, script, *words], capture_output=True, text=True, env=process_environment(), check=False
    )

    assert 0 == ended.returncode, ended.stderr
    assert "4 inputs: {'options': 4}" in ended.stdout
