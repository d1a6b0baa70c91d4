"""What is known of measures by name: which direction is better, their scale, who gives them."""

from collections.abc import Collection as Container
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pyramidion.collection.registry import entry_point_group
from pyramidion.collection.scales import SCALES, Scale
from pyramidion.collection.spelled import Spelled
from pyramidion.errors import InputError

__all__ = [
    "MEASURES",
    "Measure",
    "agreed_scales",
    "find_measure",
    "full_measure_name",
    "is_human",
    "is_lower_better",
]


@dataclass(frozen=True, slots=True)
class Measure:
    """What a measure's values mean.

    Parameters
    ----------
    lower_is_better
        Whether a better summary has a lower value.
    scale
        The values it may take, where they are bounded.
    human
        Whether its values are people's judgments, or counted from people's annotations.

    Examples
    --------
    >>> Measure(lower_is_better=True).human
    False
    """

    lower_is_better: bool = False
    scale: Scale | None = None
    human: bool = False


_SHARE = Measure(scale=Scale(0, 1))
_HIGHER = Measure()
_LOWER = Measure(lower_is_better=True)

#: Measures by name; a name that ends in ``*`` is a family. Those of metrics say what the metrics'
#: classes say, for a table of scores is read without loading them.
MEASURES: Mapping[str, Measure] = {
    **{name: Measure(scale=scale, human=True) for name, scale in SCALES.items()},
    # The questions of DUC 2004-2007, on scales that differ by year.
    **dict.fromkeys(
        (
            "content-responsiveness",
            "grammaticality",
            "non-redundancy",
            "referential-clarity",
            "focus",
            "coherence",
            # Counted from annotated pyramids.
            "pyramid",
            "pyramid-modified",
            "pyramid-modified-3",
            "pyramid-scus",
            "pyramid-scus-3",
            "pyramid-repetitions",
            "pyramid-original",
            "pyramid-comprehensive",
            "pyramid-precision",
            "pyramid-recall",
        ),
        Measure(human=True),
    ),
    **dict.fromkeys(("rouge-*", "bleu", "vert-f", "basic-elements", "cosine-*"), _SHARE),
    **dict.fromkeys(("signature-*", "monosyllables"), _SHARE),
    **dict.fromkeys(("bigram-*", "autosummeng", "memog", "lsa-*", "central-words"), _HIGHER),
    **dict.fromkeys(("multinomial-input", "unigram-input", "term-overlap*"), _HIGHER),
    **dict.fromkeys(("neighbour-cosine", "redundancy-*", "term-entropy"), _HIGHER),
    **dict.fromkeys(("neg-log-sentences", "classy", "classy-*"), _HIGHER),
    # As NIST and other organizers published them.
    "auto-*": _HIGHER,
    "js-*": Measure(lower_is_better=True, scale=Scale(0, 1)),
    **dict.fromkeys(("kl-*", "neg-sentence-entropy", "sentence-length"), _LOWER),
    **dict.fromkeys(("syllables-per-word", "anaphora"), _LOWER),
}


def find_measure(name: str, declared: Mapping[str, Measure] | None = None) -> Measure | None:
    """Look a measure up by its name, with or without options in brackets.

    Parameters
    ----------
    name
        As it stands in a table of scores.
    declared
        What a collection declares; it comes before the table.

    Examples
    --------
    >>> find_measure("js-references(stem)").lower_is_better, find_measure("mine") is None
    (True, True)
    """
    if declared and name in declared:
        return declared[name]
    base = name.partition("(")[0].strip()
    if base in MEASURES:
        return MEASURES[base]
    families = (key for key in MEASURES if key.endswith("*") and base.lower().startswith(key[:-1]))
    family = max(families, key=len, default=None)
    return MEASURES[family] if family else _of_plugin(base)


def is_human(name: str, declared: Mapping[str, Measure] | None = None) -> bool:
    """Tell whether a measure is known for being people's judgments."""
    found = find_measure(name, declared)
    return found is not None and found.human


def is_lower_better(name: str, declared: Mapping[str, Measure] | None = None) -> bool:
    """Tell whether a measure is known for lower values being better."""
    found = find_measure(name, declared)
    return found is not None and found.lower_is_better


def full_measure_name(name: str, available: Container[str]) -> str:
    """Complete a bare name of a ROUGE variant, which means its F, where only that is there.

    Examples
    --------
    >>> full_measure_name("rouge-2", ["rouge-2-r", "rouge-2-f"]), full_measure_name("x", [])
    ('rouge-2-f', 'x')
    """
    full = f"{name}-f"
    return full if name not in available and full in available else name


def agreed_scales(
    scales: Mapping[str, Scale], measures: Mapping[str, Measure]
) -> tuple[Mapping[str, Scale], Mapping[str, Measure]]:
    """Let scales and measures say the same: each scale stands in both, and there is one only."""
    own = {name: measure.scale for name, measure in measures.items() if measure.scale}
    for name, scale in own.items():
        if scales.get(name, scale) != scale:
            raise InputError(f"measure `{name}` has two scales", hint="keep one")
    merged = {**scales, **own}
    return merged, {
        name: replace(measure, scale=merged.get(name)) for name, measure in measures.items()
    }


def _of_plugin(name: str) -> Measure | None:
    """Ask the metrics of other packages."""
    for metric in _plugin_metrics():
        if metric.read(name) is not None:
            return Measure(lower_is_better=not getattr(metric, "higher_is_better", True))
    return None


@cache
def _plugin_metrics() -> tuple[type[Spelled], ...]:
    return tuple(
        found for found in _loaded() if isinstance(found, type) and issubclass(found, Spelled)
    )


def _loaded() -> Iterator[Any]:
    for entry in entry_points(group=entry_point_group("metrics")):
        if entry.value.startswith("pyramidion."):
            continue  # The table has them.
        try:
            found = entry.load()
        except Exception:  # noqa: S112
            continue  # Who asks for a metric of a broken package by name is told.
        yield from found if isinstance(found, Iterable) else (found,)
