"""`--log` and `--log-level`: lines in a file or on standard error, and no other output changed."""

import errno
import json
import logging
import os
import re
import warnings
from unittest.mock import Mock

import pytest
from small_world import gamedeid_says, refused, small_world

from gamedeid.errors import SlowWarning

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (DEBUG|INFO|WARNING|ERROR) gamedeid[\w.]*: \S.*")


def lines_of(log):
    lines = log.read_text("utf-8").splitlines()
    assert [] == [line for line in lines if not LINE.fullmatch(line)]
    return lines


def test_steps_and_the_end_are_logged_and_the_output_stays_as_it_is(scenario, tmp_path):
    log = tmp_path / "run.log"
    plain = gamedeid_says("compare", scenario, "--json")
    logged = gamedeid_says("compare", scenario, "--json", "--log", log)
    assert plain == logged
    assert json.loads(logged.out)
    lines = lines_of(log)
    assert lines[0].endswith(": compare")
    assert any(line.endswith("records (records.csv): 4 rows, 2 columns read") for line in lines)
    assert lines[-1].endswith("ended with exit code 0")
    assert not any(" DEBUG " in line for line in lines)


def test_a_log_is_its_owners_only_whatever_the_umask_and_is_added_to(scenario, tmp_path):
    log, before = tmp_path / "run.log", os.umask(0)
    try:
        gamedeid_says("hierarchy", "check", scenario.with_name("ages.csv"), "--log", log)
    finally:
        os.umask(before)
    first = log.read_text("utf-8")
    gamedeid_says("hierarchy", "check", scenario.with_name("ages.csv"), "--log", log)
    assert 0o600 == log.stat().st_mode & 0o777
    assert log.read_text("utf-8").startswith(first)
    assert 2 * first.count("\n") == len(lines_of(log))


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("form", [lambda log: ["--log", log], lambda log: [f"--log={log}"]], ids=["apart", "together"])
def test_the_options_may_be_at_any_place(scenario, tmp_path, place, form):
    words: list[object] = ["compare", scenario]
    words[place:place] = [*form(tmp_path / "run.log"), "--log-level", "debug"]
    assert 0 == gamedeid_says(*words).code
    assert any(" DEBUG " in line for line in lines_of(tmp_path / "run.log"))


def test_without_a_file_the_lines_go_to_standard_error(scenario):
    said = gamedeid_says("compare", scenario, "--log-level", "info")
    assert said.err.splitlines()
    assert [] == [line for line in said.err.splitlines() if not LINE.fullmatch(line)]
    assert said.out == gamedeid_says("compare", scenario).out


def test_environment_variables_do_the_same(scenario, tmp_path, monkeypatch):
    monkeypatch.setenv("GAMEDEID_LOG", str(tmp_path / "run.log"))
    monkeypatch.setenv("GAMEDEID_LOG_LEVEL", "error")
    assert 0 == gamedeid_says("compare", scenario).code
    assert "" == (tmp_path / "run.log").read_text("utf-8")
    assert 2 == gamedeid_says("compare", tmp_path / "none.toml").code
    assert 1 == len(lines_of(tmp_path / "run.log"))


def test_an_error_is_logged_as_printed_without_values(tmp_path):
    scenario = small_world(tmp_path, records="name,age,sex,income\nANN,77,Male,<=50K\n")
    said = gamedeid_says("compare", scenario, "--show-values", "--log", tmp_path / "run.log")
    assert said.complaint.endswith("; values: `77`")
    error, end = lines_of(tmp_path / "run.log")[-2:]
    assert f" ERROR gamedeid.cli.log: {said.complaint.removesuffix('; values: `77`')}" in error
    assert "77" not in error.partition(" ERROR ")[2]
    assert end.endswith("ended with exit code 2")


def test_words_that_are_refused_a_warning_and_our_own_fault_are_logged(scenario, tmp_path, monkeypatch):
    log = tmp_path / "run.log"
    said = refused("compare", scenario, "--sovler", "exact", "--log", log)
    assert f" ERROR gamedeid.cli.log: {said}" in lines_of(log)[-2]

    def warn(*_, **__):
        warnings.warn("it will take long", SlowWarning, stacklevel=2)
        raise ValueError("a value 37201")

    monkeypatch.setattr("gamedeid.study.study.Study.prepare", warn)
    assert 1 == gamedeid_says("compare", scenario, "--log", log).code
    warning, fault, _ = lines_of(log)[-3:]
    assert warning.endswith(" WARNING gamedeid.cli.log: it will take long")
    assert fault.endswith(" ERROR gamedeid.cli.log: a fault of gamedeid itself: ValueError")


def test_a_log_that_cannot_be_written_is_refused_before_anything_is_done(scenario, tmp_path):
    (tmp_path / "link.log").symlink_to(tmp_path / "elsewhere.log")
    os.mkfifo(tmp_path / "pipe")
    for odd in ["none/run.log", ".", "link.log", "pipe", "/dev/null"]:
        said = refused("run", scenario, "-o", tmp_path / "out", "--log", tmp_path / odd)
        assert said.startswith(f"cannot log to {tmp_path / odd}: ")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "elsewhere.log").exists()


def test_a_disk_that_is_full_ends_the_log_and_not_the_command(scenario, tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.cli.log.os.write", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    said = gamedeid_says("hierarchy", "check", scenario.with_name("ages.csv"), "--log", tmp_path / "run.log")
    assert 0 == said.code
    assert f"no more is logged to {tmp_path / 'run.log'}: no space left on device" == said.complaint


def test_the_loggers_are_restored(scenario, tmp_path):
    package = logging.getLogger("gamedeid")
    before = package.level, list(package.handlers)
    gamedeid_says("compare", scenario, "--log", tmp_path / "run.log", "--log-level", "debug")
    assert before == (package.level, package.handlers)


def test_a_name_with_a_line_break_stays_on_one_line(tmp_path):
    scenario = small_world(tmp_path, records=None)
    odd = tmp_path / "records\n2026.csv"
    odd.write_text("name,age,sex,income\nANN,40,Male,<=50K\n")
    changed = ["--set", f"records.path={json.dumps(str(odd))}"]
    assert 0 == gamedeid_says("compare", scenario, *changed, "--log", tmp_path / "run.log").code
    assert any("records\\n2026.csv" in line for line in lines_of(tmp_path / "run.log"))
