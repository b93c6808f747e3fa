"""Makes the quickstart's records and population: `python tests/make_quickstart.py` writes both files anew.

Everybody in them is invented. Whole numbers and `random.Random.random` decide: the bytes are the same everywhere.
"""

import csv
import io
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

FOLDER = Path(__file__).parents[1] / "scenarios" / "quickstart"
SEED = 20_150_325
PATIENTS = 400


T = TypeVar("T")


class Person(NamedTuple):
    age: int
    sex: str
    race: str
    zip: str


RACES = ("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other")
PLACES: Mapping[str, tuple[int, tuple[int, ...]]] = {
    # ZIP code: people, and of every 1,000 how many are of each race
    "03481": (33_000, (790, 90, 70, 10, 40)),
    "03482": (25_500, (850, 60, 40, 8, 42)),
    "03484": (17_200, (900, 35, 25, 10, 30)),
    "03486": (11_300, (930, 20, 20, 8, 22)),
    "03491": (8_100, (940, 15, 15, 10, 20)),
    "03495": (4_900, (955, 10, 10, 10, 15)),
    "03654": (2_300, (960, 8, 8, 12, 12)),
    "03697": (900, (970, 5, 5, 10, 10)),
}
DIAGNOSES = {
    "hypertension": 34,
    "type 2 diabetes": 22,
    "asthma": 17,
    "depression": 15,
    "hip fracture": 7,
    "melanoma": 5,
}
FIRST_NAMES = {
    "Female": ("Ada", "Bea", "Clara", "Dora", "Edith", "Flora", "Greta", "Hope", "Iris", "June"),
    "Male": ("Abel", "Boris", "Carl", "Dean", "Emil", "Felix", "Gus", "Hugo", "Ivan", "Jack"),
}
LAST_NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Rowan")


def quickstart_files(seed: int = SEED) -> dict[str, bytes]:
    """Return file name -> content of the records and the population."""
    chance = random.Random(seed)  # noqa: S311  (a world to look at, not a secret)
    people = [person for place in PLACES for person in _people(place, chance)]
    counts = Counter(people)
    population = ((*person, counts[person]) for person in sorted(counts))
    records = ((_name(person, chance), *person, _pick(DIAGNOSES, chance)) for person in _patients(people, chance))
    return {
        "records.csv": _csv(("name", *Person._fields, "diagnosis"), records),
        "population.csv": _csv((*Person._fields, "people"), population),
    }


def _people(place: str, chance: random.Random) -> Iterator[Person]:
    total, races = PLACES[place]
    ages = {age: 100 if age < 60 else (100 - age) * 5 // 2 for age in range(100)}
    ages |= {98: 2, 99: 2, 100: 1, 101: 1}
    for _ in range(total):
        age = _pick(ages, chance)
        women = 51 if age < 70 else 60
        sex = _pick({"Female": women, "Male": 100 - women}, chance)
        yield Person(age, sex, _pick(dict(zip(RACES, races, strict=True)), chance), place)


def _patients(people: Sequence[Person], chance: random.Random) -> list[Person]:
    """Draw the hospital's patients, each person once at most: the older, the likelier."""
    drawn: dict[int, Person] = {}
    while len(drawn) < PATIENTS:
        number = int(chance.random() * len(people))
        if chance.random() * 120 < people[number].age + 20:
            drawn[number] = people[number]
    return list(drawn.values())


def _name(person: Person, chance: random.Random) -> str:
    first = dict.fromkeys(FIRST_NAMES[person.sex], 1)
    return f"{_pick(first, chance)} {_pick(dict.fromkeys(LAST_NAMES, 1), chance)}"


def _pick(weights: Mapping[T, int], chance: random.Random) -> T:
    left = int(chance.random() * sum(weights.values()))
    for value, weight in weights.items():
        left -= weight
        if left < 0:
            return value
    raise AssertionError("weights add up to more than was drawn")


def _csv(header: Sequence[str], rows: Iterator[tuple[object, ...]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, content in quickstart_files().items():
        (FOLDER / name).write_bytes(content)
