"""Commands to put a question to, with options that mean something or do not."""

from random import Random

from fuzzing.mutation import ODD_NUMBERS, ODD_TEXTS, odd_value

_FOLDER = ("-o", "out")
_KEYS = (
    *("payoffs.loss", "payoffs.benefit", "payoffs.cost", "payoffs.gain", "payoffs", "records.path", "population.path"),
    *("population.count", "population.unmatched", "population.levels", "population.sampling_fraction", "population"),
    *(
        "records.drop",
        "records.keep",
        "records.missing",
        "records.missing_values",
        "records.encoding",
        "floor",
        "title",
    ),
    *("attributes.age.weight", "attributes.age.role", "attributes.age.hierarchy", "attributes.x.hierarchy", "policy.p"),
    *(
        "attributes",
        "policy.p.levels.age",
        "attacker.a.knows",
        "folder",
        "overridden",
        "sources.benefit",
        "",
        ".",
        "a.",
    ),
    *('attributes."a.b".hierarchy', "records.columns", "population.columns", "attributes.sex.safe_harbor"),
)
_VALUES = (
    *(
        "[]",
        "{}",
        '""',
        "[1, 2]",
        '["name"]',
        "{ age = 1 }",
        "age",
        '"age"',
        "true",
        "safe",
        "unique",
        "us_zip",
        "[[",
        "=",
    ),
    *("2020-01-01", "1e5", "'''", '"\\ud800"', "[" * 200, "{a={a={a={}}}}", "records.csv", "/dev/null", "."),
)
_GRIDS = (
    *("0:100:50", "1:100:10", "10:1000:log4", "1,2,3", "", ":", "0:0:0", "1:2:-1", "5:1:1", "1:1e308:log3", "nan:1:1"),
    *("1:inf:1", "0:1e9:1e-3", "1:10:log0", "1:10:log1", "1:10:log99999999", "-5:5:5", "1,,2", "a:b:c", "1e-320,1e308"),
    *("1:2:3:4", "1:10:logx", "0:10:log3", "1,1,1", "1:9999999999:1", "0:100:50 ", "٣:5:1"),
)
_SIZES = (
    "2GiB",
    "512MiB",
    "1",
    "0",
    "-1GiB",
    "1e3GB",
    "9" * 400,
    "GiB",
    "",
    "nan",
    "inf",
    "1KiB",
    "0x10MB",
    "1 GiB",
    "٣MB",
)


def command(rng: Random, *, odd: float = 0.0) -> tuple[str, ...]:
    """Return a command on ``scenario.toml``.

    Parameters
    ----------
    odd : how likely each of the options is to have a value that it need not understand.
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
    """Return options that mostly mean nothing."""
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


def other_command(rng: Random) -> tuple[str, ...]:
    """Return a command that is put no scenario, or only to be drawn or taken apart."""

    def number(*good: str) -> str:
        return _or_odd(rng, 0.4, *good)

    match rng.randrange(9):
        case 0 | 1:
            words = ["risk", "bins", "--people", number("200", "1", "10000"), "--bins", number("365", "1", "12")]
            words += ["--distinct", number("1,5", "1", "", "1,1", "5,1,")] if rng.randrange(2) else []
            words += ["--sampled", number("10", "200")] if rng.randrange(3) == 0 else []
            words += ["--list-price", number("17", "0")] if rng.randrange(3) == 0 else []
        case 2:
            words = ["risk", "distinct", "scenario.toml", "--policy", _or_odd(rng, 0.2, "raw", "safe-harbor", "pairs")]
            words += ["--attacker", _or_odd(rng, 0.5, "voters", "general")] if rng.randrange(2) else []
            words += ["--distinct", number("1,5", "1")] if rng.randrange(2) else []
            words += (
                ["--by", _or_odd(rng, 0.4, "zip:2", "age", "sex:9", "zip:-1", "zip:")] if rng.randrange(3) == 0 else []
            )
            words += ["--records"] if rng.randrange(3) == 0 else []
        case 3 if rng.randrange(2):
            words = [
                "risk",
                "uniqueness",
                "records.csv",
                "--attributes",
                _or_odd(rng, 0.3, "age,sex", "age", "name,zip"),
            ]
            words += ["--population-size", number("100", "7", "10000", "8")]
            words += (
                ["--width", _or_odd(rng, 0.4, "age=5", "age=0", "zip=2", "age=-1")] if rng.randrange(3) == 0 else []
            )
            words += ["--count", _or_odd(rng, 0.4, "age", "zip", "income")] if rng.randrange(3) == 0 else []
        case 3:
            classes = (
                "1:281,2:7",
                "1:3",
                "2:0",
                "1:1,1:1",
                "0:5",
                "1:281,2:7,3:1,90:1",
                "5:2",
                "1:-3",
                "1:",
                ":",
                "1:1.5",
            )
            words = ["risk", "uniqueness", "--classes", number(*classes, "1:9223372036854775807", "1000000000000:1")]
            words += ["--population-size", number("100", "1000", "10000", "295", "1000000000")]
        case 4:
            words = ["risk", "demographics", "people.csv", "--place", _or_odd(rng, 0.3, "zip", "street")]
            words += ["--detail", _or_odd(rng, 0.2, "date", "month", "year", "two-year")]
            words += ["--age", "age", "--count", _or_odd(rng, 0.2, "count", "zip")] if rng.randrange(4) else []
            words += ["--drop", "sex", "--drop", "street"] if rng.randrange(3) else []
            words += ["--open-years", number("12")] if rng.randrange(4) == 0 else []
            words += ["--uniform-ages", "--lifetime", number("76")] if rng.randrange(4) == 0 else []
            words += ["--patients-per-person", number("0.0833")] if rng.randrange(4) == 0 else []
        case 5:
            words = ["sweep", "scenario.toml", *_sweep(rng, 0.5)]
        case 6:
            words = [
                "hierarchy",
                "show",
                _or_odd(rng, 0.3, "age", "sex", "us_zip", "ages.csv", "zips.toml", "records.csv"),
            ]
            words += ["--groups", number("0", "1", "2")] if rng.randrange(2) else []
        case 7:
            words = ["hierarchy", "check", *(_or_odd(rng, 0.3, "age", "ages.csv", "people.csv") for _ in range(2))]
        case _:
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
