"""The names of scores in files of judged summaries, and the measures they stand for.

A name begins with who gave the score: ``human_``, ``expert_``, ``turker_``, ``published_`` (as
printed, where it differs from the judgments) or ``auto_`` (a published metric). ``human_`` is
dropped, the others stay: a published ROUGE score is never taken for one computed here.
"""

import re

__all__ = ["group_of", "judgment_name", "measure_of", "score_name"]

_GROUPS = ("expert", "turker")
_MARKS = (*_GROUPS, "published", "auto")
_PREFIXES = ("human_", *(f"{mark}_" for mark in _MARKS))
_NUMBERED = re.compile(r"([^0-9]*)[0-9]*")


def group_of(assessor: str) -> str:
    """Name the group an assessor belongs to, nothing for one who stands alone.

    Examples
    --------
    >>> group_of("expert2"), group_of("K")
    ('expert', '')
    """
    match = _NUMBERED.fullmatch(assessor)
    return match.group(1) if match and match.group(1) in _GROUPS else ""


def measure_of(name: str, assessor: str = "") -> str:
    """Give the measure that a score's name stands for.

    Parameters
    ----------
    name
        The name in ``scores`` or ``assessor_scores``.
    assessor
        Who judged; experts and turkers have measures of their own.

    Examples
    --------
    >>> measure_of("human_aspect_coverage"), measure_of("auto_rouge-2_f1")
    ('aspect-coverage', 'auto-rouge-2-f1')
    >>> measure_of("coherence", "expert2"), measure_of("coherence", "rater2")
    ('expert-coherence', 'coherence')
    """
    if not name.startswith(_PREFIXES) and (group := group_of(assessor)):
        name = f"{group}_{name}"
    return name.removeprefix("human_").replace("_", "-")


def score_name(measure: str, *, human: bool = False) -> str:
    """Give the name under which a measure stands in ``scores``.

    Parameters
    ----------
    measure
        The measure.
    human
        Whether people gave the score; a measure alone does not tell.

    Examples
    --------
    >>> score_name("expert-coherence"), score_name("fluency", human=True), score_name("rouge-2-r")
    ('expert_coherence', 'human_fluency', 'rouge-2-r')
    """
    mark, dash, rest = measure.partition("-")
    if dash and rest and mark in _MARKS:
        return f"{mark}_{rest}"
    return f"human_{measure}" if human else measure


def judgment_name(measure: str, assessor: str) -> str:
    """Give the name under which a measure stands in ``assessor_scores``.

    Examples
    --------
    >>> judgment_name("expert-coherence", "expert2"), judgment_name("coherence", "rater2")
    ('coherence', 'coherence')
    >>> judgment_name("coherence", "expert2")
    'human_coherence'
    """
    group = group_of(assessor)
    if not group:
        return measure
    own, dash, rest = measure.partition("-")
    return rest if own == group and dash and rest else score_name(measure, human=True)
