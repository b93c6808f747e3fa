"""Commands for a question, with sensible and senseless options."""

from random import Random

from fuzzing.mutation import ODD_NUMBERS, ODD_TEXTS, odd_value

_FOLDER = ("-o", "out")
_KEYS = (
    "",
    *"""
    payoffs.loss payoffs.benefit payoffs.cost payoffs.gain payoffs records.path records.drop records.keep
    records.missing records.missing_values records.encoding records.columns population.path population.count
    population.unmatched population.levels population.sampling_fraction population.columns population floor title
    attributes.age.weight attributes.age.role attributes.age.hierarchy attributes.x.hierarchy attributes."a.b".hierarchy
    attributes.sex.safe_harbor attributes policy.p policy.p.levels.age attacker.a.knows folder overridden
    sources.benefit . a.
    """.split(),
)
_VALUES = (
    *"""
    [] {} "" ["name"] age "age" true safe unique us_zip [[ = 2020-01-01 1e5 ''' "\\ud800" {a={a={a={}}}} records.csv
    /dev/null .
    """.split(),
    *("[1, 2]", "{ age = 1 }", "[" * 200),
)
_GRIDS = (
    *("0:100:50", "1:100:10", "10:1000:log4", "1,2,3", "", ":", "0:0:0", "1:2:-1", "5:1:1", "1:1e308:log3", "nan:1:1"),
    *("1:inf:1", "0:1e9:1e-3", "1:10:log0", "1:10:log1", "1:10:log99999999", "-5:5:5", "1,,2", "a:b:c", "1e-320,1e308"),
    *("1:2:3:4", "1:10:logx", "0:10:log3", "1,1,1", "1:9999999999:1", "0:100:50 ", "٣:5:1"),
)
_SIZES = (*"2GiB 512MiB 1 0 -1GiB 1e3GB GiB nan inf 1KiB 0x10MB ٣MB".split(), "", "1 GiB", "9" * 400)


def command(rng: Random, *, odd: float = 0.0) -> tuple[str, ...]:
    """Return a command on ``scenario.toml``.

    Parameters
    ----------
    odd : probability that an option has a value that it need not understand.
    """
    which = rng.choices(["run", "compare", "sweep", "solvers", "check"], [20, 6, 4, 2, 1])[0]
    if which == "check":
        return (which, "records.csv", *rng.choice(((), ("scenario.toml",), ("scenario.toml", "--json"))))
    words = [which, "scenario.toml"]
    if rng.randrange(8):
        words.append("--json")
    if rng.randrange(2):
        words += _FOLDER
        if which == "run" and rng.randrange(120):
            words.append("--no-report")
        if which == "run" and rng.randrange(4) == 0:
            words += ["--format", "parquet"]
    if which in ("run", "solvers") and rng.randrange(3) == 0:
        words += ["--game", _or_odd(rng, odd, "basic", "no-attack", "sh-friendly")]
    if which in ("run", "compare") and rng.randrange(4) == 0:
        words += ["--solver", _or_odd(rng, odd, "exact", "backward-induction", "lattice-search")]
    if which in ("run", "compare") and rng.randrange(30) == 0:
        words += ["--engine", "duckdb"]
    if which == "sweep":
        words += _sweep(rng, odd)
    return tuple(words)


def odd_options(rng: Random) -> tuple[str, ...]:
    """Return options that are mostly meaningless."""
    words: list[str] = []
    for _ in range(rng.randint(1, 2)):
        words += _odd_option(rng)
    return tuple(words)


def _odd_option(rng: Random) -> list[str]:
    match rng.randrange(14):
        case 0 | 1 | 2 | 3 | 4:
            value = rng.choice(
                (rng.choice(ODD_NUMBERS), rng.choice(ODD_TEXTS), rng.choice(_VALUES), str(odd_value(rng)))
            )
            return ["--set", f"{rng.choice(_KEYS)}={value}".replace("\0", "")]
        case 5:
            return ["--set", _word(rng)]
        case 6:
            return ["--memory", _or_odd(rng, 0.2, *_SIZES)]
        case 7:
            return ["--policy", _or_odd(rng, 0.5, "safe-harbor", "limited-data-set", "raw", "basic", "p")]
        case 8:
            return ["--share", _or_odd(rng, 0.8, "0.5")]
        case 9:
            return [rng.choice(("--spill", "--cluster", "--format", "--game", "--solver", "--engine")), _word(rng)]
        case 10:
            return [
                "-o",
                rng.choice((".", "scenario.toml", "no/such/folder", "/proc/x", "a" * 300, _word(rng), "out/")),
            ]
        case 11:
            return [rng.choice(("--overwrite", "--json", "--no-report", "--nonsense", "-x", "--", "-"))]
        case 12:
            return [
                "--vary",
                f"{rng.choice(('loss', 'benefit', 'gain', 'cost', 'x', ''))}={_or_odd(rng, 0.3, *_GRIDS)}",
            ]
        case _:
            return [_word(rng)]


_OTHERS = [
    (command.partition("\n")[0], [line.split() for line in command.splitlines()[1:]])
    for command in """
risk bins
--people 1 200 1 10000
--bins 1 365 1 12
--distinct 2 1,5 1 1,1 5,1,
--sampled 3 10 200
--list-price 3 17 0

risk distinct scenario.toml
--policy 1 raw safe-harbor pairs
--attacker 2 voters general
--distinct 2 1,5 1
--by 3 zip:2 age sex:9 zip:-1 zip:
--records 3

risk table records.csv
--attributes 1 age,sex age name,zip
--kept 3 income age income,zip
--population 3 people.csv records.csv
--count 3 count age
--hierarchies 3 . records.csv
--set 3 payoffs.loss=500 floor=raw payoffs.loss=x

risk uniqueness records.csv
--attributes 1 age,sex age name,zip
--population-size 1 100 7 10000 8
--width 3 age=5 age=0 zip=2 age=-1
--count 3 age zip income

risk uniqueness
--classes 1 1:281,2:7 1:3 2:0 1:1,1:1 0:5 1:281,2:7,3:1,90:1 5:2 1:-3 1: : 1:1.5 1:9223372036854775807
--population-size 1 100 1000 10000 295 1000000000

risk demographics people.csv --age age
--place 1 zip street
--detail 1 date month year two-year
--count 1 count zip
--drop 2 sex
--drop 2 street
--open-years 4 12
--uniform-ages 4
--lifetime 4 76
--patients-per-person 4 0.0833

hierarchy show
. 1 age sex us_zip ages.csv zips.toml records.csv
--groups 2 0 1 2

hierarchy check
. 1 age ages.csv people.csv
. 1 age ages.csv people.csv
""".strip().split("\n\n")
]
"""Command, and of each option its name, in which one of so many commands it is, and its values; a flag has none."""


def other_command(rng: Random) -> tuple[str, ...]:
    """Return a command without a scenario, or one that only draws or inspects it."""
    which = rng.randrange(len(_OTHERS) + 2)
    if which < len(_OTHERS):
        start, options = _OTHERS[which]
        words = start.split()
        for name, one_in, *values in options:
            if rng.randrange(int(one_in)) == 0:
                words += [*([] if name == "." else [name]), *([_or_odd(rng, 0.3, *values)] if values else [])]
    elif which == len(_OTHERS):
        words = ["sweep", "scenario.toml", *_sweep(rng, 0.5)]
    else:
        words = [_or_odd(rng, 0.8, "run"), *(_word(rng) for _ in range(rng.randrange(3)))]
    if rng.randrange(2):
        words.append("--json")
    return tuple(word.replace("\0", "") for word in words)


def _sweep(rng: Random, odd: float) -> list[str]:
    match rng.randrange(5):
        case 0:
            return ["--exact", _or_odd(rng, odd, "loss", "benefit=1:100", "cost", "gain")]
        case 1:
            return ["--vary", "loss=1:100:20", "--record", _or_odd(rng, odd, "0", "3")]
        case 2:
            return ["--vary", "loss=5,50", "--values", _or_odd(rng, odd, "age=40,sex=Male,zip=37010", "age=40")]
        case 3:
            return ["--vary", f"loss={_or_odd(rng, odd, *_GRIDS[:4])}", "--vary", f"cost={_or_odd(rng, odd, *_GRIDS)}"]
        case _:
            return ["--vary", "loss=1:100:50", "--measure", _or_odd(rng, odd, "attacked", "withheld")]


def _or_odd(rng: Random, odd: float, *good: str) -> str:
    return _word(rng) if rng.random() < odd else rng.choice(good)


def _word(rng: Random) -> str:
    return rng.choice((rng.choice(ODD_TEXTS), rng.choice(ODD_NUMBERS), rng.choice(ODD_TEXTS) + "\udcff")).replace(
        "\0", ""
    )
