"""The library's log: steps and figures for handlers, and nothing without one."""

import logging
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
from questions import question
from small_world import QUICKSTART, process_environment

import gamedeid
from gamedeid.cli.log import log_message
from gamedeid.data.persons import RepeatedKey
from gamedeid.study.prepare import log_doubts

PACKAGE = Path(gamedeid.__file__).parent


def test_a_run_is_logged_to_any_handler(caplog):
    with caplog.at_level(logging.INFO, "gamedeid"):
        solution = gamedeid.solve(QUICKSTART, game="no-attack")
    profiles, records = solution.study.instance.profiles.count, solution.study.records
    assert [
        "records (records.csv): 400 rows, 4 columns read",
        "population (population.csv): 4723 rows, 4 columns read",
        f"{records} records, {profiles} profiles; population of 103200",
        "lattice of 288 strategies; levels: age 6, sex 2, race 4, zip 6",
        f"game no-attack played by exact for {profiles} profiles: proved optimal",
    ] == [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]
    assert {"gamedeid"} == {record.name.partition(".")[0] for record in caplog.records}


def test_doubts_are_logged_as_warnings(caplog):
    visits = pd.DataFrame({"patient_id": [*range(20), *range(20)], "sex": ["Male", "Female"] * 20})
    gamedeid.Study.prepare(
        question({"records.drop": ["patient_id"], "attributes": {"sex": {"hierarchy": "sex"}}}), visits
    )
    assert ["a dropped column may be a person's key: 40 rows, 20 values read"] == [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ]


def test_nothing_is_shown_unless_a_handler_is_added():
    """Including warnings, which Python prints for loggers without any handler."""
    code = f"""
        import gamedeid
        import logging
        gamedeid.Scenario.read({str(QUICKSTART)!r})
        logging.getLogger("gamedeid.study").warning("said to nobody")
    """
    command = [sys.executable, "-c", "\n".join(line.strip() for line in code.splitlines())]
    done = subprocess.run(command, env=process_environment(), capture_output=True, check=True, text=True)
    assert ("", "") == (done.stdout, done.stderr)


def test_every_logger_is_named_after_its_module_or_the_package():
    sources = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    named = {one for source in sources.values() for one in re.findall(r"getLogger\(([^)]*)\)", source)}
    assert {"__name__", '"gamedeid"'} == named


def test_characters_that_cannot_be_encoded_are_spelled_out(caplog):
    """Handlers belong to users: one that writes UTF-8 must not fail on a name that is not valid UTF-8."""
    caplog.set_level("INFO", "gamedeid")
    column = RepeatedKey(column="na\udc80me", rows=9, values=3)
    log_doubts(unmatched=0, repeated_keys=[column], unlisted={}, estimated=False)
    log_message("warning", "a column \udc80")
    assert 2 == len(caplog.messages)
    for said in caplog.messages:
        assert r"\udc80" in said.encode().decode()
