"""What the commands print that examine data or a finished release: check, verify, audit and attack."""

from gamedeid.choices import IdentifierRule, PlayedGame, SearchName
from gamedeid.intake.identifiers.findings import Evidence, Part
from gamedeid.report.html.document_keys import AWARE, LEVELS
from gamedeid.results.quantities import Amount, Count, Flag, Mean, Number, OneOrMore, Share, Text
from gamedeid.results.shapes import Shape, named
from gamedeid.verification.findings import InputState

CHECK: Shape = {
    **named("check"),
    "rule": IdentifierRule,
    "rows_looked_at": (Count, None),
    "columns": Count,
    "sampled": [Text],
    "unread": [Text],
    "unhandled": Count,
    "findings": [
        {
            "column": Text,
            "kind": Text,
            "safe_harbor": (Text, None),
            "limited_data_set": (Text, None),
            "share": (Share, None),
            "rows": (Count, None),
            "evidence": Evidence,
            "strong": Flag,
            "part": (Part, None),
            "handled": (Text, None),
            "advice": Text,
        }
    ],
}
"""What ``check --json`` prints."""

VERIFICATION: Shape = {
    **named("verification"),
    "holds": Flag,
    "findings": [
        {
            "file": Text,
            "row": (OneOrMore, None),
            "column": (Text, None),
            "rows": (Count, None),
            "says": Text,
            "expected?": (Text, None),
            "found?": (Text, None),
        }
    ],
    "checked": [Text],
    "unchecked": [{"what": Text, "why": Text}],
    "inputs": {str: InputState},
}
"""What ``verify --json`` prints; what was expected and found only with ``--show-values``."""

AUDIT: Shape = {
    **named("audit"),
    "game": PlayedGame,
    "solver": SearchName,
    **AWARE,
    "worst_groups": [
        {"levels": LEVELS, "people": Count, "aware_people": Count, "records": Count, "values?": {str: Text}}
    ],
}
"""What ``audit --json`` prints; ``values`` only with ``--show-values``."""

_ATTACKS: Shape = {
    "records": Count,
    "attacks": Count,
    "successes": Count,
    "success_share": (Share, None),
    "success_share_low": (Share, None),
    "success_share_high": (Share, None),
    "expected_successes": (Mean, None),
    "random_guess_successes": (Mean, None),
    "one_attribute_successes": (Mean, None),
    "surprise": (Number, None),
    "agrees": Flag,
}
_OF_STRATEGY: Shape = {"strategy": (LEVELS, None), **_ATTACKS}

ATTACK: Shape = {
    **named("attack"),
    "game": Text,
    "people": Count,
    "records": Count,
    "released": Count,
    "left_out": Count,
    "more_records_than_people": Count,
    "repeats": OneOrMore,
    "seed": Count,
    "options": {str: Number},
    "agrees": Flag,
    "recipients": [
        {
            "recipient": Text,
            **_OF_STRATEGY,
            "dollars_gained": Amount,
            "dollars_paid": Amount,
            "rows_seen_otherwise": Count,
            "groups": [_OF_STRATEGY],
        }
    ],
    "notes": [Text],
}
"""``attack.json``."""
