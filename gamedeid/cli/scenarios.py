"""The command ``gamedeid scenarios``: which scenarios come with gamedeid, and which of them can run."""

import typer

from gamedeid.cli.options import Json, print_json


def scenarios(*, as_json: Json = False) -> None:
    """List the scenarios that come with gamedeid, and say which of them can run here."""
    from gamedeid.report.terminal.console import console, new_table, print_table
    from gamedeid.scenario.shipped import needed_files, shipped_scenarios

    found = shipped_scenarios()
    if as_json:
        rows = [
            {"name": one.name, "title": one.title, "path": str(one.path), "absent": [str(path) for path in one.absent]}
            for one in found
        ]
        print_json({"scenarios": rows}, "scenarios")
        return
    if not found:
        typer.echo("No scenario came with this installation.")
        return
    to = console()
    table = new_table("name", "what it is", "can run", left=3)
    for one in found:
        table.add_row(one.name, one.title, "no" if one.absent else "yes")
    print_table(table, to)
    for one in found:
        if one.absent:
            to.print(f"{needed_files(one.name, one.absent)}.")
    if able := [one.name for one in found if not one.absent]:
        to.print(f"Try one by its name: gamedeid compare {able[0]}")
