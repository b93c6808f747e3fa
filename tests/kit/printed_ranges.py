"""Reads printed ranges back as numbers."""

import re


def printed_ends(words: str) -> tuple[float, float | None, tuple[bool, bool]]:
    """Return a printed range as numbers: its ends, and whether each is open."""
    units = {"": 1.0, " million": 1e6, " billion": 1e9}
    found = re.findall(r"\$(\d(?:[\d,.]*\d)?)( million| billion)?", words)
    amounts = [float(f"{amount.replace(',', '')}") * units[unit] for amount, unit in found]
    if words == "any":
        return 0.0, None, (False, False)
    if words.startswith("only"):
        return amounts[0], amounts[0], (False, False)
    is_open = (words.startswith("more than"), "less than" in words)
    if words.startswith(("up to", "less than")):
        return 0.0, amounts[0], is_open
    return amounts[0], amounts[1] if len(amounts) > 1 else None, is_open
