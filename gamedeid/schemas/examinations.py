"""What the command prints that audits a finished release."""

from gamedeid.choices import PlayedGame, SearchName
from gamedeid.report.html.document_keys import AWARE, LEVELS
from gamedeid.results.quantities import Count, Text
from gamedeid.results.shapes import Shape

AUDIT: Shape = {
    "game": PlayedGame,
    "solver": SearchName,
    **AWARE,
    "worst_groups": [
        {"levels": LEVELS, "people": Count, "aware_people": Count, "records": Count, "values?": {str: Text}}
    ],
}
"""What ``audit --json`` prints; ``values`` only with ``--show-values``."""
