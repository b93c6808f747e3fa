"""The question with marks, solved and written: each object is made once, on first use."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shutil import copytree
from tempfile import mkdtemp
from typing import Any

from leak_marks import FAULTY, KEY_NAME
from leak_world import SCENARIO, arrow_of, columns_of_people, columns_of_records, write_divided, write_world
from small_world import gamedeid_prints

import gamedeid


@dataclass
class Made:
    """The files and Python objects that the tests look at.

    Parameters
    ----------
    folder : of the files.
    """

    folder: Path

    @cached_property
    def scenario(self) -> Path:
        return write_world(self.folder / "world")

    @cached_property
    def out(self) -> Path:
        """A folder that `gamedeid run` has written."""
        return self._run(self.scenario, "out")

    @cached_property
    def divided(self) -> Any:
        """The same question with a file for each group of places, every row a person."""
        at = self.scenario.with_name
        path = write_divided(self.folder / "divided", self.scenario, at("records.parquet"), at("people.parquet"))
        return gamedeid.Scenario.read(path, {"floor": "areas"})

    @cached_property
    def scenario_of_rows(self) -> Path:
        """The same question, with every row a person: the keys are dropped."""
        path = self.scenario.with_name("rows.toml")
        keys_dropped = SCENARIO.replace(f'person = "{KEY_NAME}"\n', "").replace(
            "drop = [", f'drop = ["{KEY_NAME}", ', 1
        )
        path.write_text(keys_dropped)
        return path

    @cached_property
    def out_of_rows(self) -> Path:
        """A folder that `gamedeid run` has written for ``scenario_of_rows``."""
        return self._run(self.scenario_of_rows, "rows", "--no-report")

    def _run(self, scenario: Path, name: str, *more: str) -> Path:
        out = self.folder / name
        if not out.exists():
            gamedeid_prints("run", scenario, "-o", out, "--policy", "areas", *more)
        return out

    @cached_property
    def tampered(self) -> Path:
        """The same folder, with a row of its release changed."""
        place = self.copy_of_out()
        lines = (place / "release.csv").read_text().splitlines(keepends=True)
        (place / "release.csv").write_text("".join([lines[0], lines[1].replace("Male", FAULTY), *lines[2:]]))
        return place

    def copy_of_out(self) -> Path:
        """Return a new copy of the folder, to be changed."""
        return copytree(self.out, Path(mkdtemp(dir=self.folder)) / "out")

    @cached_property
    def verified(self) -> Any:
        """The result of verifying ``tampered``."""
        return gamedeid.verify(self.tampered, self.scenario)

    @cached_property
    def question(self) -> Any:
        return gamedeid.Scenario.read(self.scenario, {"floor": "areas"})

    @cached_property
    def study(self) -> Any:
        return gamedeid.Study.prepare(self.question)

    @cached_property
    def study_of_frames(self) -> Any:
        return gamedeid.Study.prepare(self.question, arrow_of(columns_of_records()), arrow_of(columns_of_people()))

    @cached_property
    def one(self) -> Any:
        """A study of the first record's person."""
        return self.study.alone(record=0)

    @cached_property
    def solution(self) -> Any:
        return gamedeid.solve(self.study)

    @cached_property
    def comparison(self) -> Any:
        return gamedeid.compare(self.study)
