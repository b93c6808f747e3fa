"""Does every public docstring, in numpydoc's form, say what it takes, returns and raises?"""

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from public_api import HOMES, public_value

from gamedeid import errors
from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidScenarioError


def public_callables():
    """Yield the name, the value and the docstring of every public function and class, and of their public methods."""
    for name in HOMES:
        value = public_value(name)
        yield name, value
        if inspect.isclass(value):
            for method, found in vars(value).items():
                plain = found.__func__ if isinstance(found, classmethod | staticmethod) else found
                if not method.startswith("_") and (inspect.isfunction(plain) or isinstance(plain, property)):
                    yield f"{name}.{method}", plain.fget if isinstance(plain, property) else plain


PUBLIC = dict(public_callables())


def lacks(value, *, in_the_text=False):
    """Return what a docstring does not say: arguments, shapes of arrays, whether the result, and errors."""
    is_error = inspect.isclass(value) and issubclass(value, BaseException)
    return (
        undescribed_arguments(value, in_the_text=in_the_text),
        arrays_without_shape(value),
        result_untold(value),
        [] if is_error else errors_untold(value),
    )


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_says_what_it_takes_returns_and_raises(name):
    """The name of a property and the class of a constructor describe their results."""
    home, _, method = name.partition(".")
    plain = vars(public_value(home)).get(method) if method else None
    constructs = isinstance(plain, classmethod) and home in str(inspect.get_annotations(PUBLIC[name])["return"])
    arguments, arrays, result, errors = lacks(PUBLIC[name], in_the_text=bool(method))

    assert sections_of(PUBLIC[name])[""].strip()
    assert ([], [], []) == (arguments, arrays, errors)
    assert isinstance(plain, property) or constructs or not result


def share_of(people: IntArray, size: int) -> float:
    """Return the share of the people who are in groups of at least this size.

    Parameters
    ----------
    people : (k,) int64, how many are in each group.
    size : at least 1.

    Raises
    ------
    InvalidScenarioError : the size is below 1.
    """
    refuse_below_one(size)
    return float(people[people >= size].sum() / people.sum())


def refuse_below_one(size: int) -> None:
    """Refuse a size below 1, for :func:`share_of`."""
    if size < 1:
        raise InvalidScenarioError(f"the size must be at least 1, not {size}")


SECTION = r"{name}\n-+\n(?:\S.*\n)+\n?"


@pytest.mark.parametrize(
    ("taken_out", "found"),
    [
        ("", ([], [], False, [])),
        ("Parameters", (["people", "size"], [], False, [])),
        ("size : at least 1.\n", (["size"], [], False, [])),
        (r"\(k,\) ", ([], ["people"], False, [])),
        ("Return ", ([], [], True, [])),
        ("Raises", ([], [], False, ["InvalidScenarioError"])),
    ],
)
def test_a_gap_in_a_docstring_is_found(monkeypatch, taken_out, found):
    pattern = SECTION.format(name=taken_out) if taken_out in {"Parameters", "Raises"} else taken_out
    said = inspect.cleandoc(share_of.__doc__) + "\n"
    monkeypatch.setattr(share_of, "__doc__", re.sub(pattern, "", said, count=1) if pattern else said)

    assert found == lacks(share_of)


# --- what a docstring lacks -------------------------------------------------------------------------------------------


def sections_of(value: Any) -> dict[str, str]:
    """Return the sections of a docstring by their headings; the text before the first has an empty heading."""
    parts = re.split(r"^(\w+)\n-+$", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section: str) -> dict[str, str]:
    """Return what a section says of each name; a line may speak of several."""
    found: dict[str, str] = {}
    for names, text in re.findall(r"^(\S[^:\n]*?) : (.*(?:\n .*|\n(?=\n ))*)", section, flags=re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), text)
    return found


def arguments_of(value: Any) -> list[str]:
    """Return the names of what a function takes, or of the fields of a dataclass."""
    if inspect.isclass(value) and dataclasses.is_dataclass(value):
        return [field.name for field in dataclasses.fields(value) if field.init]
    if inspect.isclass(value):  # the page of scenarios describes keys of sections, and has its own test
        return []
    return [name for name in inspect.signature(value).parameters if name not in {"self", "cls"}]


def undescribed_arguments(value: Any, *, in_the_text: bool = False) -> list[str]:
    """Return the arguments that no line of the section Parameters describes.

    Parameters
    ----------
    in_the_text : whether, without such a section, it is enough that the text names them.
    """
    sections = sections_of(value)
    said = described(sections.get("Parameters", ""))
    missing = [argument for argument in arguments_of(value) if argument not in said]
    if in_the_text and not said:
        missing = [argument for argument in missing if f"``{argument}``" not in sections[""]]
    return missing


def arrays_without_shape(value: Any) -> list[str]:
    """Return the described arguments that are arrays without a stated shape such as (q, a)."""
    kinds = inspect.get_annotations(value)
    said = described(sections_of(value).get("Parameters", ""))
    arrays = [one for one in said if re.search(r"Array|ndarray", str(kinds.get(one, "")))]
    return [one for one in arrays if not re.search(r"\(\w+(, ?\w+)*,?\)", said[one])]


def result_untold(value: Any) -> bool:
    """Return whether a function returns something that its docstring does not describe.

    It says so in the section Returns, or by its first sentence: "Return the share of ...".
    """
    if inspect.isclass(value):
        return False
    returned = inspect.get_annotations(value).get("return")
    if returned is None or str(returned) in {"None", "NoReturn"}:
        return False
    sections = sections_of(value)
    return "Returns" not in sections and not re.search(
        r"\b(return|yield)(s|ed)?\b", sections[""].partition("\n\n")[0], re.IGNORECASE
    )


def errors_untold(value: Any) -> list[str]:
    """Return the errors that a function raises, itself or in functions that it calls, and does not document."""
    own = value.__post_init__ if inspect.isclass(value) and hasattr(value, "__post_init__") else value
    if inspect.isclass(own):
        return []
    said = " ".join(described(sections_of(value).get("Raises", "")))
    kinds = sorted({kind for kind in raised_by(own) if hasattr(errors, kind)})
    return [kind for kind in kinds if kind not in said and "GamedeidError" not in said]


@cache  # many call the same
def syntax_of(function: Any) -> ast.Module:
    """Return the syntax tree of a function."""
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def raised_by(function: Any, seen: set[Any] | None = None) -> Iterator[str]:
    """Yield the names of the errors that a function raises in its body, or in functions of the package that it calls.

    Called methods, and calls inside try blocks, are not followed.
    """
    seen = set() if seen is None else seen
    if function in seen:
        return
    seen.add(function)
    home = vars(sys.modules[function.__module__])
    tree = syntax_of(function)
    guarded = {
        id(node)
        for one in ast.walk(tree)
        if isinstance(one, ast.Try) and one.handlers
        for statement in one.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            yield node.exc.func.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = home.get(node.func.id)
            if (
                inspect.isfunction(called)
                and called.__module__.partition(".")[0] == function.__module__.partition(".")[0]
            ):
                yield from raised_by(called, seen)
