"""The names of columns in tables of scores, as NIST and others write them."""

import re
from collections.abc import Sequence

__all__ = ["QUALITY_QUESTIONS", "column_roles"]

#: The five questions about linguistic quality of DUC 2005-2007, in their order.
QUALITY_QUESTIONS = (
    "grammaticality",
    "non-redundancy",
    "referential-clarity",
    "focus",
    "coherence",
)

_NAMES = {
    "topic": ("topic", "docset", "docsetid", "set", "setid", "cluster"),
    "task": ("task",),
    "system": (
        *("system", "systemid", "peer", "peerid", "model", "modelid"),
        *("summarizer", "summarizerid"),
    ),
    "assessor": ("assessor", "assessorid", "annotator", "annotatorid"),
    "pyramid-modified": ("modifiedscore", "modifiedpyramidscore"),
    "pyramid-scus": ("numscus", "scus"),
    "pyramid-repetitions": ("numrepetitions", "repetitions"),
    "readability": ("linguisticquality", "overallreadability"),
    "responsiveness": ("overall", "overallresponsiveness"),
    "content-responsiveness": ("content",),
    **{name: (f"lingqual{n}",) for n, name in enumerate(QUALITY_QUESTIONS, start=1)},
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names}


def column_roles(header: Sequence[str]) -> list[str] | None:
    """Tell what the columns of a table hold; `None` if this is no header of a table of scores.

    Returns
    -------
    list or None
        ``topic``, ``task``, ``system``, ``assessor``, or the name of a measure, in lower case
        and with hyphens.

    Examples
    --------
    >>> column_roles(["setID", "peerID", "numSCUs", "My measure"])
    ['topic', 'system', 'pyramid-scus', 'my-measure']
    >>> column_roles(["Rain", "fell"]) is None
    True
    """
    roles = [_role(name) for name in header]
    is_header = {"topic", "system"} < set(roles) and len(set(roles)) == len(roles) and all(roles)
    return roles if is_header else None


def _role(name: str) -> str:
    plain = name.lower()
    known = _ROLES.get(re.sub(r"[\W_]+", "", plain))
    return known or re.sub(r"[\s_]+", "-", plain)
