"""Prints the findings of ``gamedeid check`` in every CSV file of some folders, to be judged by eye, and their count."""

from pathlib import Path

from measure import arguments

import gamedeid

QUICKSTART = Path(__file__).parents[1] / "scenarios" / "quickstart"


def main() -> None:
    """Print the findings file by file, and how many there are."""
    parser = arguments(__doc__, smoke="the shipped quickstart only")
    parser.add_argument("folders", nargs="*", type=Path, help="with CSV files, looked through to the bottom")
    words = parser.parse_args()
    folders = [QUICKSTART] if words.smoke or not words.folders else words.folders
    tables: dict[str, gamedeid.intake.IdentifierCheck] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*.csv") if not path.name.startswith("._")):
        try:
            if path.name not in tables:
                tables[path.name] = gamedeid.check_identifiers(path)
        except gamedeid.GamedeidError as error:
            print(f"{path.name}: {error}")
    found = [(name, finding) for name, table in tables.items() for finding in table.findings]
    for name, finding in found:
        strength = "strong" if finding.strong else "weak"
        print(f"{name}: {finding.column}: {finding.kind} ({strength}, by {finding.evidence})")
    columns, strong = sum(table.columns for table in tables.values()), sum(finding.strong for _, finding in found)
    print(f"{len(tables)} files, {columns} columns: {strong} strong findings, {len(found) - strong} weak ones")


if __name__ == "__main__":
    main()
