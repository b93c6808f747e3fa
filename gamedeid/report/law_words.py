"""What the law asks beside what is computed: of an expert determination, of Safe Harbor, of a limited data set."""

from collections.abc import Mapping

EXPERT_DETERMINATION = (
    "\u201c(1) A person with appropriate knowledge of and experience with generally accepted statistical and "
    "scientific principles and methods for rendering information not individually identifiable: (i) Applying such "
    "principles and methods, determines that the risk is very small that the information could be used, alone or in "
    "combination with other reasonably available information, by an anticipated recipient to identify an individual "
    "who is a subject of the information; and (ii) Documents the methods and results of the analysis that justify such "
    "determination\u201d (45 CFR 164.514(b)(1))."
)
"""The rule of the expert determination, quoted in full."""

OF_POLICIES: Mapping[str, tuple[str, ...]] = {
    "safe-harbor": (
        (
            "Safe Harbor as computed here generalizes the attributes of the release. That is one part of "
            "45 CFR 164.514(b)(2), and does not by itself de-identify a file."
        ),
        (
            "The rule removes 18 kinds of identifiers \u201cof the individual or of relatives, employers, or household "
            "members of the individual\u201d. They leave by being dropped. gamedeid check looks for them in columns; "
            "it cannot prove that none is left, and does not look for whose they are."
        ),
        (
            "It also asks, in (b)(2)(ii): \u201cThe covered entity does not have actual knowledge that the "
            "information could be used alone or in combination with other information to identify an individual who "
            "is a subject of the information.\u201d Only the publisher can say that."
        ),
    ),
    "limited-data-set": (
        (
            "A limited data set stays protected health information; it is not de-identified (45 CFR 164.514(e)). It "
            "may be used or disclosed for research, public health or health care operations only, and needs a data "
            "use agreement with the recipient ((e)(3) and (e)(4))."
        ),
        (
            "As computed here it releases the attributes as they are. The 16 kinds of direct identifiers of the "
            "individual or of relatives, employers, or household members ((e)(2)) leave by being dropped."
        ),
    ),
}
"""Policy -> what the law asks of it that the computed policy does not do, a paragraph each."""

LINES: Mapping[str, str] = {
    "safe-harbor": (
        "Safe Harbor here generalizes attributes only: actual knowledge, and identifiers of relatives, employers and "
        "household members, are for you to judge (45 CFR 164.514(b)(2))."
    ),
    "limited-data-set": (
        "A limited data set stays protected health information and needs a data use agreement (45 CFR 164.514(e))."
    ),
}
"""Policy -> the same in a line."""

REFERENCES = (
    (
        "Wan Z, Vorobeychik Y, Xia W, Clayton EW, Kantarcioglu M, Ganta R, Heatherly R, Malin BA. A game theoretic "
        "framework for analyzing re-identification risk. PLoS ONE 10(3), 2015, e0120592. "
        "doi:10.1371/journal.pone.0120592."
    ),
    "HIPAA Privacy Rule, 45 CFR 164.514: (b)(1) expert determination, (b)(2) Safe Harbor, (e) limited data set.",
    (
        "US Department of Health and Human Services, Office for Civil Rights. Guidance regarding methods for "
        "de-identification of protected health information in accordance with the Health Insurance Portability and "
        "Accountability Act (HIPAA) Privacy Rule. 26 November 2012."
    ),
    (
        "Wong RCW, Fu AWC, Wang K, Pei J. Minimality attack in privacy preserving data publishing. Proceedings of the "
        "33rd International Conference on Very Large Data Bases (VLDB), 2007, 543-554."
    ),
)
"""The sources of the method, of the law, and of the recipient who knows how a release was made."""


def law_of(policy: str) -> tuple[str, ...]:
    """Return what the law asks of a policy beside what is computed, a paragraph each; nothing of an own policy.

    Parameters
    ----------
    policy : its name.
    """
    return OF_POLICIES.get(policy, ())
