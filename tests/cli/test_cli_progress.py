"""Progress: bars on a terminal, nothing in a pipe; tables that fit their terminal."""

import re

import pytest
from small_world import SCENARIO, gamedeid_prints, process_environment, small_world

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOR = re.compile(r"\x1b\[[0-9;]*3[0-9][0-9;]*m|\x1b\[9[0-9]m")


@pytest.fixture
def on_a_terminal(forked, tmp_path):
    """Run the command line on a separate terminal: return its exit code and all that was shown there."""

    def run(*words: object, columns: int = 120, streams: str = "out err", **environment: str) -> tuple[int, str]:
        ended = forked.run(
            [str(word) for word in words],
            tmp_path,
            variables=process_environment(TERM="xterm-256color", **environment),
            terminal={"columns": columns, "streams": streams.split()},
        )
        return ended["code"], ended["out"].replace("\r\n", "\n")

    return run


def left_on_screen(shown: str) -> str:
    """Return the lines that stay after all drawn bars are erased."""
    lines, row = [""], 0
    for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z]|\r?\n|\r)", shown):
        if part in {"\n", "\r\n"}:
            row += 1
            lines.extend([""] * (row - len(lines) + 1))
        elif part.startswith("\x1b[") and part.endswith("A"):
            row -= int(part[2:-1] or 1)
        elif part == "\x1b[2K":
            lines[row] = ""
        elif not part.startswith(("\x1b", "\r")):
            lines[row] += CONTROL.sub("", part)
    return "\n".join(line.rstrip() for line in lines).rstrip()


def left_to_read(shown: str) -> list[str]:
    """Return the lines that stay on screen, without a first run's message on compiling."""
    return [line for line in left_on_screen(shown).splitlines() if line and not line.startswith("gamedeid: compiling")]


def test_a_pipe_gets_no_bars_and_no_colors(scenario, tmp_path, forked):
    said = forked.says("compare", scenario, "-o", tmp_path / "out", folder=tmp_path)

    assert (0, "") == (said.code, said.err)
    assert "\x1b" not in said.out
    assert "\r" not in said.out


def test_a_terminal_gets_a_bar_for_each_game_and_keeps_none(on_a_terminal, scenario, tmp_path):
    code, shown = on_a_terminal("compare", scenario, "-o", tmp_path / "out")

    assert 0 == code
    drawn = CONTROL.sub("", shown)
    for phase in ("basic game", "no-attack game", "reading the records"):  # the policy here permits everything
        assert re.search(rf"{phase} +━+ +4 of 4 0:00:0\d", drawn)
    assert re.search(r"reading the population +━+ +5 of 5 ", drawn)
    kept = left_to_read(shown)
    assert "Four people" == kept[0]
    assert f"Written to {tmp_path / 'out'}." == kept[-1]
    assert not any(re.search(" game *━", line) for line in kept)
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h")  # the cursor is back


def test_progress_of_writing_is_shown_in_rows(on_a_terminal, scenario, tmp_path):
    drawn = CONTROL.sub("", on_a_terminal("run", scenario, "-o", tmp_path / "out", "--no-report")[1])

    for phase in ("writing the release", "writing the strategies"):
        assert re.search(rf"{phase} +━+ +4 of 4 0:00:0\d", drawn)


def test_bars_do_not_mix_with_redirected_results(on_a_terminal, scenario):
    code, bars = on_a_terminal("run", scenario, "--json", streams="err")

    assert 0 == code
    assert re.search(r"basic game +━+ +4 of 4", CONTROL.sub("", bars))
    assert [] == left_to_read(bars)


def test_results_on_a_terminal_have_no_bars_if_errors_are_redirected(on_a_terminal, scenario):
    code, shown = on_a_terminal("run", scenario, streams="out")

    assert 0 == code
    assert " game ━" not in CONTROL.sub("", shown)
    assert "Four people: basic game" == left_to_read(shown)[0]


def test_bars_are_removed_after_an_error(on_a_terminal, tmp_path):
    code, shown = on_a_terminal("run", small_world(tmp_path, records=None), columns=200)

    assert 2 == code
    assert [f"gamedeid: {tmp_path / 'records.csv'}: no such file"] == left_to_read(shown)
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h")


def test_colors_can_be_turned_off(on_a_terminal, scenario):
    assert COLOR.search(on_a_terminal("run", scenario, "--solver", "backward-induction")[1])
    for words in (("run", scenario), ("--help",)):
        assert not COLOR.search(on_a_terminal(*words, NO_COLOR="1")[1])


def test_a_wide_terminal_shows_the_games_side_by_side(on_a_terminal, scenario):
    lines = left_to_read(on_a_terminal("compare", scenario, columns=120)[1])

    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]
    assert ["publisher's payoff per record", "$55.00", "*$72.08", "*$72.08", "$66.67"] in rows
    assert max(len(line) for line in lines) <= 120


@pytest.mark.parametrize("columns", [60, 50, 33])
def test_a_narrow_terminal_gets_them_one_after_another_and_loses_no_digit(on_a_terminal, scenario, columns):
    lines = left_to_read(on_a_terminal("compare", scenario, columns=columns)[1])
    tables = [line for line in lines if line[0] in "│┃┏┡└"]

    assert max(len(line) for line in tables) <= columns
    assert ["safe-harbor", "basic", "sh-friendly", "no-attack"] == [
        line.split("┃")[2].strip() for line in tables if line.startswith("┃")
    ]
    numbers = [cell.strip("*") for line in tables if line.startswith("│") for cell in line.split("│")[2].split()]
    assert ["$55.00", "$30.00", "100.00%"] == [numbers[0], *numbers[2:4]]
    assert {"$72.08", "$6.25", "50.00%", "$66.67", "0.3333"} <= set(numbers)
    assert "…" not in "".join(lines)


@pytest.mark.usefixtures("folder_of_commands")
@pytest.mark.parametrize(
    ("words", "columns"),
    [
        ("compare scenario.toml", 60),
        ("frontier scenario.toml", 60),
        ("solvers scenario.toml", 60),
        ("hierarchy show long.csv --groups 0", 80),
        ("suggest scenario.toml --set thresholds.own=[{measure='k_map',at_least=5}]", 80),
    ],
)
def test_a_table_fits_a_narrow_terminal_uncut(words, columns):
    said = gamedeid_prints(*words.split(), terminal_columns=columns)
    tables = [line for line in said.splitlines() if line[:1] in set("│┃┏┡└")]

    assert 3 < len(tables)
    assert max(map(len, tables)) <= columns
    assert "…" not in "".join(tables)


def test_a_long_title_is_not_cut_but_broken_between_words(on_a_terminal, tmp_path):
    scenario = small_world(tmp_path, scenario=SCENARIO.replace("Four people", "Four people " * 20))
    shown = left_to_read(on_a_terminal("run", scenario, columns=40)[1])

    assert ("Four people " * 20 + ": basic game") in " ".join(shown)
    assert max(map(len, shown)) <= 40


def test_an_error_is_broken_between_words_on_a_terminal_only(on_a_terminal, forked, scenario):
    code, shown = on_a_terminal("run", scenario, "--set", "payoffs.los=5", columns=40)
    lines = left_to_read(shown)

    assert 2 == code
    assert 1 < len(lines)
    assert max(len(line) for line in lines if str(scenario) not in line) <= 40
    assert f"gamedeid: unknown key `payoffs.los`; did you mean `loss`? (in {scenario})" == " ".join(lines)
    assert "\n" not in forked.says("run", scenario, "--set", "payoffs.los=5", folder=scenario.parent).complaint


def test_a_sweep_is_a_table_on_a_terminal_with_as_many_measures_as_fit(on_a_terminal, scenario):
    words = ("sweep", scenario, "--vary", "loss=90,180")
    narrow, wide = (left_to_read(on_a_terminal(*words, columns=columns)[1]) for columns in (60, 220))

    assert ["Four people", "Throughout: benefit $100, cost $20."] == narrow[:2]
    assert ["loss", "policy", "re-identified", "publisher"] == narrow[3].replace("┃", " ").split()
    assert "│  $90 │ safe-harbor │           2.0 │    $55.00 │" in narrow
    assert max(map(len, narrow)) <= 60
    assert "adversary_payoff" in " ".join(narrow)
    assert "... over attacked" in wide[3]
    assert "The CSV has every row and digit: send it into a file or a pipe, or add -o DIR." == wide[-1]


def test_a_sweep_of_one_person_is_a_table_too(on_a_terminal, scenario):
    lines = left_to_read(on_a_terminal("sweep", scenario, "--vary", "loss=90,180", "--record", "0")[1])
    exact = left_to_read(on_a_terminal("sweep", scenario, "--exact", "loss", "--record", "0")[1])

    assert ["loss", "policy", "age", "sex", "publisher", "attacked"] == lines[3].replace("┃", " ").split()[:6]
    assert ["policy", "loss", "from", "to", "age", "sex"] == exact[2].replace("┃", " ").split()[:6]


def test_a_long_sweep_shows_its_first_rows(on_a_terminal, scenario):
    lines = left_to_read(on_a_terminal("sweep", scenario, "--vary", "loss=1:120:1")[1])

    assert "80 more rows are not shown." in lines
