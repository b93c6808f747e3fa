"""The explorer with several recipients: its answers are those of the commands, and name the stakes' recipient."""

import pytest
from explorer_client import ExplorerClient, whole_map
from report_shapes import PRICED, SEVERAL, THIEF
from small_world import SCENARIO, small_world

from gamedeid.analysis.breakpoints import breakpoint_table
from gamedeid.analysis.comparison import compare
from gamedeid.errors import InvalidScenarioError
from gamedeid.explorer.session import Session
from gamedeid.explorer.setting import varied_recipients_words
from gamedeid.report.words.recipients import together_words
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


@pytest.fixture(scope="module", name="scenario")
def _scenario(tmp_path_factory):
    return Scenario.read(small_world(tmp_path_factory.mktemp("world"), scenario=SCENARIO + SEVERAL + THIEF))


@pytest.fixture(scope="module", name="client")
def _client(scenario):
    return ExplorerClient(Session.open(scenario))


@pytest.mark.parametrize(
    "setting", [{}, {"loss": 300.0, "cost": 7.5}, {"benefit": 45.0, "gain": 200.0, "weights": {"age": 2.0}}]
)
def test_answers_are_those_of_compare(client, scenario, setting):
    weights = {f"attributes.{name}.weight": value for name, value in setting.get("weights", {}).items()}
    stakes = {f"payoffs.{name}": value for name, value in setting.items() if name != "weights"}
    text = Scenario.read(scenario.file.path, weights | stakes)
    expected = compare(Study.prepare(text)).solutions

    found = client.ask("answer", setting=setting)

    assert list(expected) == [one["name"] for one in found["policies"]]
    for one in found["policies"]:
        assert one["measures"] == pytest.approx(expected[one["name"]].measures)
    assert found["verdict"][-1] == together_words(expected["basic"].recipients)


@pytest.mark.parametrize("stake", ["benefit", "loss", "cost", "gain"])
def test_the_next_change_is_that_of_the_table_of_breakpoints(client, scenario, stake):
    setting = {"gain": 90.0} if stake == "gain" else {}
    changed = {f"payoffs.{name}": value for name, value in setting.items()}
    table = breakpoint_table(Study.prepare(Scenario.read(scenario.file.path, changed)), stake)
    values = [row[1] for row in zip(*table.values(), strict=True) if row[0] == "basic"]

    found = client.ask("breakpoints", setting={**setting, "game": "basic"}, stake=stake)

    above = [value for value in values if value > found["value"]]
    assert (found["above"] is None) == (not above)
    if above:
        assert min(above) == pytest.approx(found["above"]["value"])


def test_the_map_and_the_next_changes_leave_the_separate_stakes_of_the_only_recipient(tmp_path):
    scenario = Scenario.read(small_world(tmp_path), {"payoffs.loss": 500, "recipients.thief.loss": 90})
    client = ExplorerClient(Session.open(scenario))
    found, rows = whole_map(client, {})

    for row, loss in enumerate(found["losses"]):
        answer = client.ask("answer", setting={"loss": loss})
        for one in answer["policies"]:
            drawn = rows[row][one["name"]]["publisher_payoff"][found["benefits"].index(100.0)]
            assert drawn == pytest.approx(one["measures"]["publisher_payoff"])
    turns = client.ask("breakpoints", setting={}, stake="loss")
    assert (500.0, None, None) == (turns["value"], turns["below"], turns["above"])


def test_the_first_screen_names_the_recipient_whose_stakes_move(client, scenario):
    said = client.ask("question")["warnings"][0]

    assert said == varied_recipients_words(scenario)[0]
    assert said.startswith("The sliders change the stakes of the recipients researcher, neighbour and thief.")
    assert "neighbour has an individual gain, which no slider changes." in said
    assert "thief has an individual cost and loss" in said


def test_a_recipient_who_pays_to_learn_is_refused_in_one_line(tmp_path):
    scenario = Scenario.read(small_world(tmp_path, scenario=SCENARIO + PRICED))

    with pytest.raises(InvalidScenarioError, match=r"recipients\.neighbour\.learns\.price: the explorer"):
        Session.open(scenario)
