"""Whom a summary is compared with: its references, or those of what was known before."""

from typing import Any

from pyramidion.metrics.metric import Need, option

__all__ = ["AGAINST", "against_option", "requirement"]

#: The references of the summary's own task, and of the task before an update.
AGAINST: tuple[str, ...] = ("references", "earlier")


def against_option() -> Any:
    """Declare the option of a metric that compares with references.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> parse_metric("bigram-coverage(against=earlier)").against
    'earlier'
    """
    return option("references", "the references, or those before an update", choices=AGAINST)


def requirement(against: str) -> frozenset[Need]:
    """Say what a metric needs that compares with these references.

    Examples
    --------
    >>> requirement("earlier")
    frozenset({'earlier references'})
    """
    return frozenset({"earlier references" if against == "earlier" else "references"})
