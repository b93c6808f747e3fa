"""Nothing stored in a notebook shows a value: tables, pictures, errors, warnings, logs and progress, all executed."""

import base64
import os
import sys
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from leak_marks import FOLDER, assert_bare
from nbclient import NotebookClient

ROOM = Path(__file__).parent

CELLS = {
    "set up": """
        import logging, sys, warnings
        from pathlib import Path
        sys.path[:0] = [{room!r}, {kit!r}]
        logging.basicConfig(level=logging.INFO)
        warnings.simplefilter("always")
        import gamedeid
        from leak_made import Made
        from test_leaks_classes import CLASSES
        from test_leaks_errors import FAILURES
        made = Made(folder=Path({folder!r}))
    """,
    "a value at the end of a cell": "made.study",
    "a solution": "gamedeid.solve(made.study, progress=lambda done, total: print(done, total))",
    "printed": "print(made.study, made.solution, made.question, made.comparison)",
    "progress": """
        def phase(name):
            print(name)
            return lambda done, total: print(done, total, end="\\r")
        gamedeid.Study.prepare(made.question, progress=phase)
    """,
    "every public class": """
        for name, make in CLASSES.items():
            found = make(made)
            display(*found) if isinstance(found, list) else display(found)
    """,
    "a picture in a file": """
        from IPython.display import HTML, Image, SVG
        picture = gamedeid.plot(made.study, "differences")
        for form, show in dict(png=Image, svg=SVG, html=HTML).items():
            gamedeid.pictures.save_picture(picture, made.folder / f"notebook.{{form}}", overwrite=True)
            display(show(filename=str(made.folder / f"notebook.{{form}}")))
    """,
    "the report": "HTML(filename=str(made.out / 'report.html'))",
    "a log and a warning": """
        logging.getLogger("mine").info("%s %r", made.solution, made.study)
        warnings.warn(f"{{made.solution}}")
    """,
    "an error in pandas": "FAILURES['a value that its kind cannot have, pandas'](made)",
    "an error in a file": "FAILURES['of a file by DuckDB, a count that is no number'](made)",
    "an error of a person": "FAILURES['a person whom nobody matches, polars'](made)",
    "an error among the results": "FAILURES['a report of damaged results'](made)",
    "an error that is shown": """
        try:
            FAILURES['a value that its hierarchy lacks, arrow'](made)
        except gamedeid.GamedeidError as error:
            display(error)
            logging.exception("it went wrong")
    """,
}
"""The cells of the notebook."""


@pytest.mark.pages  # a separate process, which imports everything again
def test_no_output_of_a_notebook_shows_a_value(made):
    assert made.out.exists()
    assert made.out_of_rows.exists()
    places = {"room": str(ROOM), "kit": str(ROOM.parent / "kit"), "folder": str(made.folder)}
    cells = [nbformat.v4.new_code_cell(_dedented(code.format(**places))) for code in CELLS.values()]
    book = nbformat.v4.new_notebook(cells=cells)
    with patch.dict(os.environ, {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}):
        NotebookClient(book, timeout=120, allow_errors=True, resources={"metadata": {"path": made.folder}}).execute()

    outputs = {name: cell.outputs for name, cell in zip(CELLS, cells, strict=True)}
    failed = {name for name, shown in outputs.items() if any(one.output_type == "error" for one in shown)}
    assert failed == {name for name in CELLS if name.startswith("an error") and name != "an error that is shown"}
    assert all(outputs[name] for name in CELLS if name != "set up")
    for name, shown in outputs.items():
        for number, one in enumerate(shown):
            for kind, content in _contents(one):
                assert_bare(content, allowed={FOLDER}, name=f"{name}, output {number}, {kind}")


def _dedented(code: str) -> str:
    lines = code.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines).rstrip()


def _contents(output):
    """Yield the kind and the text of all that one output stores."""
    if output.output_type == "stream":
        yield output.name, output.text
    elif output.output_type == "error":
        yield "error", "\n".join([output.ename, output.evalue, *output.traceback])
    else:
        for kind, content in output.data.items():
            is_packed = kind in {"image/png", "image/jpeg", "application/pdf"}
            yield kind, base64.b64decode(content) if is_packed else str(content)
        yield "metadata", str(output.metadata)
