"""The four versions of the papers, and what they are trained to predict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramidion.classy.fits import METHODS
from pyramidion.errors import InputError, NotFoundError

__all__ = ["HUMAN_MEASURES", "VERSIONS", "Version", "chosen_versions", "human_measures"]

#: What may hold the judgments, by what is judged; the first that a year has is taken.
HUMAN_MEASURES: Mapping[str, tuple[str, ...]] = {
    "pyramid": ("pyramid-modified", "pyramid"),
    "responsiveness": ("responsiveness",),
    "readability": ("readability",),
}


@dataclass(frozen=True, slots=True)
class Version:
    """A model to be trained: what it predicts, and by which methods.

    Parameters
    ----------
    label
        Its name; those of the papers are the numbers of their submissions to AESOP 2011.
    target
        What is judged, a key of `HUMAN_MEASURES`; or any measure's name.
    methods
        What is tried; the best is taken.

    Examples
    --------
    >>> [(version.label, version.target) for version in VERSIONS]
    [('8', 'pyramid'), ('25', 'responsiveness'), ('23', 'readability'), ('6', 'responsiveness')]
    >>> VERSIONS[3].methods
    ('nonneg',)
    """

    label: str
    target: str
    methods: tuple[str, ...] = METHODS


#: In the order of Tables 5.2 and 5.3.
VERSIONS: tuple[Version, ...] = (
    Version("8", "pyramid"),
    Version("25", "responsiveness"),
    Version("23", "readability"),
    Version("6", "responsiveness", ("nonneg",)),
)


def chosen_versions(labels: Sequence[str], targets: Sequence[str] = ()) -> tuple[Version, ...]:
    """Give versions by their labels, or for any targets; none or ``all`` means all four.

    Parameters
    ----------
    labels
        Some of 8, 25, 23 and 6.
    targets
        Measures to predict instead.

    Examples
    --------
    >>> chosen_versions(["6"])[0].target
    'responsiveness'
    >>> [version.label for version in chosen_versions([], ["expert-coherence"])]
    ['expert-coherence']
    >>> chosen_versions(["7"])
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: there is no version '7'; use 8, 25, 23, 6 or all
    """
    if targets and labels:
        raise InputError("versions and targets exclude each other", hint="name one of them")
    if targets:
        return tuple(Version(target, target) for target in dict.fromkeys(targets))
    if not labels or "all" in labels:
        return VERSIONS
    known = {version.label: version for version in VERSIONS}
    for label in labels:
        if label not in known:
            raise NotFoundError(
                f"there is no version {label!r}", hint=f"use {', '.join(known)} or all"
            )
    return tuple(version for label, version in known.items() if label in labels)


def human_measures(named: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read what the measures of a collection are called, such as ``pyramid=scu-recall``.

    Parameters
    ----------
    named
        What is judged, and the measure that holds it.

    Examples
    --------
    >>> human_measures(["pyramid=scu-recall"])["pyramid"]
    ('scu-recall',)
    """
    measures = dict(HUMAN_MEASURES)
    for text in named:
        judged, _, measure = (part.strip() for part in text.partition("="))
        if judged not in HUMAN_MEASURES or not measure:
            raise InputError(
                f"{text!r} names no human measure",
                hint=f"write one of {', '.join(HUMAN_MEASURES)}, then = and the measure's name",
            )
        measures[judged] = (measure,)
    return measures
