"""Words that a command cannot take, and questions it cannot answer: one line says why, and nothing is written."""

import pytest
from small_world import contents, reads_as, refused

REFUSED = {
    "": {
        "rnu": "...'rnu'...'run'?...gamedeid --help",
        "run": "...'SCENARIO'...gamedeid run --help",
        "run s.toml more": "...more...gamedeid run --help",
        "run s.toml --gmae basic": "...--gmae...--game...gamedeid run --help",
        "run s.toml --game": "...--game...gamedeid...",
        "run s.toml --game best": "...--game...best...basic...sh-friendly...gamedeid run --help",
        "run s.toml --format xls": "...--format...xls...csv...parquet...gamedeid run --help",
        "compare s.toml --solver x": "...--solver...'x'...lattice-search...gamedeid compare --help",
        "hierarchy show age --groups top": "...--groups...integer...gamedeid hierarchy show --help",
        "a\nb\x1b[31m": r"...a\nb\x1b[31m...gamedeid --help",
        "risk results": "...type gamedeid risk release results",
        "results": "...type gamedeid next results",
        "risk resultz": "...no such command 'resultz'...",
        "sign": "...",
        "sign out": "...",
        "sign --key key": "...",
        "sign out --new-key key": "...",
        "sign --new-key key --by A": "...",
        "suggest scenario.toml": "...thresholds.presets...",
        "solvers scenario.toml --solver exat -o out": "...did you mean `exact`?...",
        "frontier scenario.toml --risk loss": "...'loss' is not one of 'adversary', 'marketer', 'attacked'...",
        "frontier scenario.toml --set limits.publisher_payoff=101": "...publisher_payoff = 101 cannot be met...",
        "explore scenario.toml --set payoffs.loss=-1 --no-browser": "...payoffs.loss...",
        "explore no.toml --no-browser -o none": "there is no folder...",
        **{f"explore no.toml --no-browser --idle {one}": "...idle..." for one in ("0", "-1", "inf", "nan", "2e4", "x")},
    },
    "run scenario.toml": {
        "--overwrite": "--overwrite replaces an earlier folder of results; say which with -o DIR",
        "-o out --share 0": "the share of records must be above 0 and at most 1, not `0`",
        "-o out --defuse --format parquet": "--defuse is for CSV: Parquet says of each value that it is text...",
        "--set payoffs.cost=0": "payoffs.cost: expected a number above 0...",
        "--set payoffs.cots=1": "unknown key `payoffs.cots`; did you mean...",
    },
    "run visits.toml -o out --set": {
        "records.path=unnamed.csv": "unnamed.csv: column `patient_id` has no value in 2 rows (first in row 4); "
        "[records] person needs one in every row: fill them in, or leave these rows out",
        'records={path="visits.csv",keep=["ward"],person="patient",drop=["patient_id"]}': "...visits.csv: there is no "
        "column `patient`; did you mean `patient_id`?...",
        'records.drop=["patient_id"]': "...column `patient_id` is in records.drop and in records.person; it can have "
        "one part only...",
        "records.pseudonyms=true": '...pseudonyms: expected a seed (0 or more), "random" or false, not `True`...',
        'records.keep=["Person","pseudonym"]': "...records.pseudonyms: the release has columns `person` and "
        "`pseudonym` already; rename one of them, or set pseudonyms = false...",
    },
    "run scenario.toml -o out --set": {
        "records.pseudonyms=false": "...records.pseudonyms stand for records.person, which names no column...",
        "limits={expected_reidentifications=0.25,publisher_payoff=70}": "...limits: publisher_payoff = 70 cannot be met"
        "...expected_reidentifications = 0.5 or publisher_payoff = 69.375...",
        **{
            f"limits.expected_reidentifications={one}": "...limits.expected_reidentifications..."
            for one in ("-1", "true", "nan", "ten")
        },
        'limits={smallest_cell=2,uniform=["sex"]}': "...for a strategy for each of some groups; set uniform = true...",
        'limits.uniform=["income"]': "...`income`, a column that is kept: records that agree in all...",
        "limits={smallest_cell=4,information_loss=0.01}": "...no strategies were found that keep smallest_cell = 4 "
        "together with information_loss = 0.01...",
        'limits={smallest_cell=2,groups={column="sex",attacked=0.1}}': "...not kept within limits of groups...",
        'limits.groups={column="sex"}': "...no limit is given; give information_loss or attacked...",
        'limits.groups={column="name",attacked=0.1}': "...groups.column: `name` is neither an attribute nor kept...",
        'limits.groups={column="income",level=1,attacked=0.1}': "...`income` is a kept column, which has no levels...",
        'limits.groups={column="sex",level=7,attacked=0.1}': "...`sex` has no level 7; its levels are 0 to 1...",
        'limits.groups={column="sex",attacked=0.1}': "...has 0 groups of at least 11 records, and means of 2 to 6...",
    },
    "compare scenario.toml": {
        "--log": "--log needs a value after it; see gamedeid --help",
        "--log-level loud": "...'loud' is not one of 'debug', 'info', 'warning', 'error'...",
        "--engine duckdb --memory 1MB": "memory must be at least 128 MiB, not 1000000 bytes",
        "--memory much": "memory: expected a size such as 2GB or 512MiB, not `much`",
        "--spill /no/such/folder": "spill: there is no folder /no/such/folder; create it, or name another",
        "--cluster tcp://x": 'a cluster needs the engine "spark" or "dask", not `auto`; name one of them',
        "--set determination.valid_from=soon": "...valid_from: expected a date such as 2027-01-31, not `soon`...",
        "--set determination={valid_from=2027-02-01,valid_until=2027-01-01}": "...2027-01-01 is before valid_from...",
        "--set determination.expart=A": "...did you mean `expert`?...",
        "--set thresholds.presets=['0.1']": "...presets.0: expected '0.05', '0.09', '0.2' or 'cells-11', not `0.1`...",
        "--set thresholds.own=[{measure='k_map'}]": "...thresholds.own.0: needs either at_most or at_least...",
        "--set thresholds.own=[{measure='k_map',at_least='5'}]": "...expected a number, not the text `5`...",
    },
    "plot": {
        "map scenario.toml -o x.pgn": "...a picture is written as .png, .svg or .html; did you mean `png`?",
        "scatter scenario.toml -o records.csv": "...written as .png, .svg or .html...",
        "scatter scenario.toml -o x": "...add one of these to the name...",
        "scatter scenario.toml -o x.tar.gz": "...written as .png, .svg or .html...",
        "demographics counts.csv --place zip --detail year --drop state -o x.pgn": "...did you mean `png`?...",
        "uniqueness data.csv --attributes age --fractions .5 --samples 2 -o x.pgn": "...did you mean `png`?...",
        "map scenario.toml": "...missing option '--output' / '-o'...",
        "map scenario.toml -o x.png --game basc": "...no game or policy `basc` to show; did you mean `basic`?...",
        "map scenario.toml -o x.png --vary cost=1,2": "...map is drawn over loss and benefit; leave out --vary cost...",
        "lines scenario.toml -o x.png --vary los=1": "...did you mean `loss`?...",
        "lattice scenario.toml -o x.png": "...of one record; say which with --record NUMBER or --values...",
        "record-map scenario.toml -o x.png --record 0 --values age=40,sex=Male": "...both name one person...",
        "strategies scenario.toml -o x.png --record 4": "...there is no record `4`...",
        "lattice scenario.toml -o x.png --record 0 --game basc": "...invalid value for '--game'...",
        "deviation scenario.toml -o no/such/x.png --vary loss=90": "...there is no folder...",
    },
    "sweep scenario.toml -o out": {
        "--vary loss=10,20 --set limits.attacked=0.5": "...does not take limits on the whole dataset...",
        "--vary loss=1 --measure atacked": "...there is no measure `atacked`; did you mean `attacked`?...",
        "--vary loss=1 --record 0 --measure suppressed": "...there is no measure `suppressed`...",
        "--exact loss --measure attacked": "...--exact has none of them...",
        "--exact los": "...there is no stake `los`; did you mean `loss`?...",
        **{f"--exact loss={one}": "...expected NAME or NAME=LOW:HIGH..." for one in ("1", "1:2:3", "a:b")},
        **{
            f"--exact loss={one}": "...the range is empty..."
            for one in ("2:1", "2:2", "-1:1", "nan:1", "1:nan", "inf:inf")
        },
        "--exact loss --vary cost=1": "...choose one of them...",
        "--vary los=1": "...did you mean `loss`?...",
        "--vary benefit=0,1": "...expected a number above 0...",
        "--vary loss=0:1e8:1": "...100,000,001 points are too many (at most 10,000,000)...",
        "--vary loss=1 --record 4": "...there is no record `4`; they are numbered from 0 to 3...",
        "--vary loss=1 --values age=40": "...there is none for `sex`...",
        "--vary loss=1 --values age=41,sex=Female": "...matches no one in the population...",
    },
    "hierarchy": {
        "show aeg": "hierarchy `aeg`: ... the shipped ones are age, icd10, race, sex, us_zip, zip; did you mean `age`?",
        "show age --groups 6": "hierarchy `age` has no level 6: expected --groups 0 to 5",
        "show age --groups -1": "hierarchy `age` has no level -1: expected --groups 0 to 5",
        "show us_zip --groups 1": "hierarchy `us_zip` takes its values from the data: it has no groups yet...",
        "show born.toml --data patients.csv": "...`born`, 1 row (first in row 3): hierarchy `born`: expected dates...",
        "show sex --data patients.csv --column born": "...has 3 values that the hierarchy `sex` does not know...",
        "show sex --data patients.csv": "...there is no column `sex`...",
        "show sex --column born": "...--column and --missing-value are of a file: say which: --data FILE...",
        "write born.toml -o out.csv": "...takes its values from the data: say which: --data FILE --column NAME",
        "write sex -o patients.csv": "...already exists...",
    },
    "risk bins": {
        "--people -1 --bins 365": "people: expected a whole number from 0 to 2^53, not `-1`",
        "--people 5 --bins 0": "bins: expected a whole number from 1 to 2^53, not `0`",
        "--people 5 --bins 5 --sampled 6": "sampled: 6 people cannot be sampled from 5",
        **{
            f"--people 5 --bins 5 --distinct={sizes}": "--distinct: expected whole numbers of 1 or more with commas "
            f"between, not `{named}`"
            for sizes, named in (("1,0", "0"), ("few", "few"), ("", ""), ("-3", "-3"))
        },
        "--people 5 --bins 5 --list-price 0": "list price: expected a number of dollars above 0, not `0.0`",
        "--bins 365": "missing option '--people'; see gamedeid risk bins --help",
    },
    "risk distinct voter.toml": {
        "--policy rwa": "there is no policy `rwa`; did you mean `raw`?",
        "--policy raw --against rwa": "there is no policy `rwa`; did you mean `raw`?",
        "--policy raw --attacker voters": "there is no attacker `voters`; did you mean `voter`?; an attacker is a "
        "section [attacker.NAME] of the scenario",
        "--policy raw --by zip": "there is no attribute `zip`; known: age, sex",
        "--policy raw --by age:7": "age: `ages` has no level 7; its levels are 0 to 2",
        "--policy raw --by age:one": "--by: expected ATTRIBUTE or ATTRIBUTE:LEVEL, such as zip:2, not `age:one`",
        "": "missing option '--policy'; see gamedeid risk distinct --help",
    },
    "risk uniqueness": {
        "--classes 1:2,x --population-size 9": "...no SIZE:CLASSES...",
        "--classes 1:10 --population-size 9": "...cannot hold a sample of 10 people...",
        f"--classes 1:10 --population-size {10**400}": "...more than can be estimated for...",
        "--population-size 9": "...give either DATA...",
        "data.csv --classes 1:2 --population-size 9": "...give either DATA...",
        "--classes 1:2 --attributes age --population-size 9": "...leave them out...",
        "data.csv --population-size 99": "...say in which columns...",
        "data.csv --attributes qqq --population-size 99": "...its columns are `age`, `sex`, `id`...",
        "data.csv --attributes age, --population-size 99": "...expected the names of attributes...",
        "data.csv --attributes age --width age=0 --population-size 99": "...no ATTRIBUTE=WIDTH...",
        "data.csv --attributes age --width agee=5 --population-size 99": "...did you mean `age`?...",
        "data.csv --attributes sex --width sex=5 --population-size 99": "...values are numbers...",
        "--classes 1:2 --count age --population-size 9": "...leave them out...",
        "none.csv --attributes age --population-size 99": "...none.csv...",
        "data.csv --attributes age": "...population-size...",
    },
    "risk uniqueness-study data.csv --attributes age,sex --fractions .3,.5 --workers 1": {
        "--fractions 0,.5": "...0 is not between 0 and 1...",
        "--fractions half": "...no numbers...",
        "--workers 0": "...--workers must be at least 1...",
        "--attributes age,sex,id --fractions .01": "...nothing to estimate from...",
        "-o here --parts ./here": "...two folders...",
    },
    "risk demographics --state state --place zip -o out": {
        "negative.csv --detail date": "negative.csv: count column `under 12` must not be negative, but is in row 2...",
        "overlapping.csv --detail date": "...the age groups `60-70` and `65+` overlap: both hold age 65...",
        "counts.csv --detail day": "...'day' is not one of 'date', 'month', 'year', 'two-year'...",
        "counts.csv --detail date --boundary over": "...'over' is not one of 'at-most', 'below'...",
        "counts.csv --detail date --patients-per-person -1": "...per person must be a finite number above 0...",
        "counts.csv --detail date --uniform-ages --lifetime 0": "...a lifetime must have at least 1 year, not 0...",
        "counts.csv --detail date --lifetime 76": "...is for uniform ages; add --uniform-ages, or leave it out...",
        "counts.csv --detail date --count 65+": "...needs both --age and --count; give both...",
    },
}
"""Words that a command begins with -> its other words -> what it says; three points stand for any words."""

CASES = [(f"{begins} {words}", says) for begins, more in REFUSED.items() for words, says in more.items()]


@pytest.mark.usefixtures("folder_of_commands")
@pytest.mark.parametrize(("words", "says"), CASES, ids=[words for words, _ in CASES])
def test_a_command_is_refused_in_one_line_and_writes_nothing(tmp_path, words, says):
    before = contents(tmp_path)

    assert reads_as(says, refused(*(word for word in words.split(" ") if word)))
    assert before == contents(tmp_path)
