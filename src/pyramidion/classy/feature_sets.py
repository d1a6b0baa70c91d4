"""Which features a model may have: CLASSY's, those of two other fitted metrics, or the family."""

from collections.abc import Iterator
from typing import Literal, get_args

from pyramidion.classy.features import FeatureGroup, feature_groups
from pyramidion.errors import NotFoundError
from pyramidion.metrics import Metric, parse_metric
from pyramidion.metrics.registry import BUILT_IN
from pyramidion.metrics.rouge import RougeMeasure

__all__ = ["FEATURE_SETS", "FeatureSet", "feature_set"]

FeatureSet = Literal["classy", "nouveau", "rose", "family"]

FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

_NOUVEAU = (("nouveau-2", "rouge-2-r"), ("nouveau-su4", "rouge-su4-r"))
_ROSE = ("1", "2", "3", "4", "l", "w-1.2", "s4", "su4")

# ROUGE in the family: variants that differ in what they see, not in all their options.
_ROUGE = (
    *(f"rouge-{variant}-{part}" for variant in ("1", "2", "l", "su4") for part in "rpf"),
    *(f"rouge-{variant}-{part}(stem)" for variant in ("1", "2", "l", "su4") for part in "rf"),
    *("rouge-3-r", "rouge-3-f", "rouge-w-1.2-f(stem)"),
    *(f"rouge-1-{part}(stem,stop_words)" for part in "rf"),
    *(f"rouge-2-{part}(stem,stop_words)" for part in "rf"),
    *(f"rouge-{variant}-r(stem,models=best)" for variant in ("1", "2", "l")),
    *(f"rouge-{variant}-f(stem,models=best)" for variant in ("1", "2")),
)


def feature_set(
    name: str, *, update: bool = False, documents: bool = False, exact: bool = False
) -> tuple[FeatureGroup, ...]:
    """Give the features of a set.

    Parameters
    ----------
    name
        ``classy``: the 13 of the papers. ``nouveau``: Nouveau-ROUGE, for updates: recall of
        ROUGE-2 and ROUGE-SU4, each against the earlier references and their own. ``rose``: ROSE,
        recall of eight variants of ROUGE. ``family``: every metric that needs no parser, and
        ROUGE in many variants.
    update
        For update summaries.
    documents
        Whether metrics that compare with the documents may be among the family's.
    exact
        See `feature_groups`.

    References
    ----------
    Conroy, Schlesinger and O'Leary (2011). Nouveau-ROUGE: a novelty metric for update
    summarization. Computational Linguistics 37(1).
    Conroy and Dang (2008). Mind the gap: dangers of divorcing evaluations of summary content from
    linguistic quality. COLING.

    Examples
    --------
    >>> [group.columns for group in feature_set("nouveau", update=True)][0]
    ('rouge-2-r(stem,against=earlier)', 'rouge-2-r(stem)')
    >>> len(feature_set("rose")), len(feature_set("family"))
    (8, 61)
    """
    if name not in FEATURE_SETS:
        raise NotFoundError(
            f"there are no features {name!r}", hint=f"use {', '.join(FEATURE_SETS)}"
        )
    if name == "classy":
        return feature_groups(update, exact=exact)
    if name == "nouveau":
        return tuple(
            _group(own, f"{of}(stem,against=earlier)", f"{of}(stem)") for own, of in _NOUVEAU
        )
    if name == "rose":
        return tuple(_group(f"rouge-{variant}", f"rouge-{variant}-r(stem)") for variant in _ROSE)
    return tuple(_group(str(metric), str(metric)) for metric in _family(update, documents))


def _group(name: str, *metrics: str) -> FeatureGroup:
    return FeatureGroup(name, name, tuple(map(parse_metric, metrics)))


def _family(update: bool, documents: bool) -> Iterator[Metric]:
    yield from map(parse_metric, _ROUGE)
    if update:
        yield from (parse_metric(f"{of}(stem,against=earlier)") for _, of in _NOUVEAU)
    unwanted = {"parser", *(() if documents else ("documents",))}
    for kind in BUILT_IN:
        if kind is not RougeMeasure:
            found = map(parse_metric, kind.names())
            yield from (metric for metric in found if not metric.requirements & unwanted)
