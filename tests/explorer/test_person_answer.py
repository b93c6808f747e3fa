"""One person by values: what each game releases, beside the release of the games on paper."""

import pytest


def test_what_is_released_of_a_person_is_what_the_release_has(small_client):
    found = small_client.ask("person", setting={"policy": "pairs"}, values={"age": "50", "sex": " Female"})["policies"]

    assert ["pairs", "basic", "sh-friendly", "no-attack"] == [one["name"] for one in found]
    released = {one["name"]: (one["released"], one["people"], one["attacked"]) for one in found}
    assert ({"age": "50", "sex": "*"}, 12, False) == released["basic"]
    assert ({"age": "[50-51]", "sex": "Female"}, 4, True) == released["pairs"]
    assert 0.25 == next(one for one in found if one["name"] == "pairs")["chance"]


def test_somebody_who_is_not_among_the_records_can_be_asked_for(small_client):
    found = small_client.ask("person", setting={}, values={"age": "50", "sex": "Male"})["policies"]

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
def test_values_that_are_nobodys_are_refused_in_one_line(small_client, values, said):
    assert said in small_client.refused("person", setting={}, values=values)
