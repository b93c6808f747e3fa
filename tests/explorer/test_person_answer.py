"""One person by values: what each game releases, beside the release of the games on paper."""

import pytest
from explorer_client import ExplorerClient
from small_world import small_world

from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return ExplorerClient(Session.open(Scenario.read(small_world(tmp_path_factory.mktemp("world")))))


def test_what_is_released_of_a_person_is_what_the_release_has(client):
    found = client.ask("person", setting={"policy": "pairs"}, values={"age": "50", "sex": " Female"})["policies"]

    assert ["pairs", "basic", "sh-friendly", "no-attack"] == [one["name"] for one in found]
    released = {one["name"]: (one["released"], one["people"], one["attacked"]) for one in found}
    assert ({"age": "50", "sex": "*"}, 12, False) == released["basic"]
    assert ({"age": "[50-51]", "sex": "Female"}, 4, True) == released["pairs"]
    assert 0.25 == next(one for one in found if one["name"] == "pairs")["chance"]


def test_somebody_who_is_not_among_the_records_can_be_asked_for(client):
    found = client.ask("person", setting={}, values={"age": "50", "sex": "Male"})["policies"]

    assert 10 == next(one for one in found if one["name"] == "basic")["people"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"age": "50"}, "sex"),
        ({"age": "50", "sex": "Female", "zip": "1"}, "zip"),
        ({"age": "500", "sex": "Female"}, "500"),
        ({"age": 50, "sex": "Female"}, "values: expected an object with a text for each attribute"),
        ([], "values: expected an object with a text for each attribute"),
        ({"age": "41", "sex": "Female"}, "matches no one"),
    ],
)
def test_values_that_are_nobodys_are_refused_in_one_line(client, values, said):
    assert said in client.refused("person", setting={}, values=values)
