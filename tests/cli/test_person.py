"""The words of the command line that name one person."""

import pytest

from gamedeid.cli.options import OnePerson, parse_values
from gamedeid.errors import InvalidScenarioError


def test_one_person_is_named_in_one_way() -> None:
    assert {} == OnePerson().named()
    assert {"record": 0} == OnePerson(record=0).named()
    assert {"values": {"age": "48"}} == OnePerson(values="age=48").named()
    with pytest.raises(InvalidScenarioError, match="--record and --values both"):
        OnePerson(record=0, values="age=48").named()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("age=48, sex = Male", {"age": "48", "sex": "Male"}),
        ('"job=clerk, retired",zip=03482', {"job": "clerk, retired", "zip": "03482"}),
        ("sum=a=b", {"sum": "a=b"}),
    ],
)
def test_values_are_read_as_a_row_of_csv(text: str, values: dict[str, str]) -> None:
    assert values == parse_values(text)


@pytest.mark.parametrize(
    "text", ["", "age", "age=", "=48", "age=48,", "age=48,age=49", '"age=48', "age=48\nsex=Male", "a\0"]
)
def test_values_of_another_form_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InvalidScenarioError, match="--values") as raised:
        parse_values(text)
    assert "\n" not in str(raised.value)
