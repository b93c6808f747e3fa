"""Measures of risk in words and tables for people."""

from gamedeid.report.terminal import dollars


def distinct_words(size: int) -> str:
    """Return what it means to be g-distinct."""
    return "one of a kind (1-distinct)" if size == 1 else f"among at most {size:,} alike ({size:,}-distinct)"


def price_words(price: float | None) -> str:
    """Return the price per re-identification as a sentence; None where no re-identification is expected."""
    if price is None:
        return "No re-identification is expected at any price."
    return f"One expected re-identification costs {dollars(price)} of the list's price."
