"""Measures: their direction, their scale, and whether people judge them."""

import math
import re
from collections.abc import Collection as Container
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Literal

from pyramidion.errors import InputError
from pyramidion.questions import Parsable, load_plugins, plugin_entries

#: Which values of a measure are better.
Direction = Literal["higher", "lower"]

#: The largest score allowed: squared variances of larger ones would overflow.
LARGEST_SCORE = 1e50


@dataclass(frozen=True, slots=True)
class Scale:
    """The values that a judgment may take.

    Parameters
    ----------
    low, high
        The ends, both allowed.
    step
        The distance between neighboring values; 0 for any value between the ends.

    Examples
    --------
    >>> Scale(1, 5, 1).allows(4.5)
    False
    """

    low: float
    high: float
    step: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            hint = "low must be below high"
            raise InputError(f"a scale from {self.low} to {self.high} is empty", hint)
        if not (math.isfinite(self.step) and self.step >= 0):
            raise InputError(f"a scale has a step of {self.step}", "use 0 (any value) or more")

    def allows(self, value: float) -> bool:
        """Return whether a value lies on the scale."""
        if not self.low <= value <= self.high:
            return False
        if not self.step:
            return True
        steps = (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-9)


#: Scales by measure: TAC's five-point scales, the percentages of DUC's coverage judgments (one
#: for each unit of the model) and the marks of relative utility (one for each input sentence).
SCALES: Mapping[str, Scale] = {
    "responsiveness": Scale(1, 5, 1),
    "readability": Scale(1, 5, 1),
    "coverage": Scale(0, 100, 20),
    "relative-utility": Scale(0, 10, 1),
}


def ten_to_five(score: float) -> float:
    """Map a score linearly from TAC 2009's scale (1-10) to 1-5.

    Notes
    -----
    The mapping is 4/9 (x - 1) + 1. The factor 5/9 printed in Rankel's dissertation (2.4.1)
    is an error: it maps 10 to 6.

    Examples
    --------
    >>> ten_to_five(1), ten_to_five(10)
    (1.0, 5.0)
    """
    _require_ten_point(score)
    # Written so that only the division rounds.
    return (4 * score + 5) / 9


def bin_ten_to_five(score: float) -> float:
    """Map a score from 1-10 to 1-5 with the bins of the dissertation's Table 2.2.

    Notes
    -----
    1-2 become 1 (very poor), 3-4 become 2, ..., 9-10 become 5 (very good): half the score,
    rounded up.

    Examples
    --------
    >>> [bin_ten_to_five(x) for x in (1, 2, 3, 9, 10)]
    [1.0, 1.0, 2.0, 5.0, 5.0]
    """
    _require_ten_point(score)
    return float(math.ceil(score / 2))


def _require_ten_point(score: float) -> None:
    if not 1 <= score <= 10:
        message = f"a score of {score} is not on the scale from 1 to 10"
        raise InputError(message, "is it already on 1 to 5?")


@dataclass(frozen=True, slots=True)
class Measure:
    """How to interpret the values of a measure.

    Parameters
    ----------
    lower_is_better
        Whether a better summary has a lower value.
    scale
        The values it may take, if they are bounded.
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


_SHARE_MEASURE = Measure(scale=Scale(0, 1))
_HIGHER_IS_BETTER = Measure()
_LOWER_IS_BETTER = Measure(lower_is_better=True)
_HUMAN_MEASURE = Measure(human=True)

#: The five questions about linguistic quality of DUC 2005-2007, in their order.
QUALITY_QUESTIONS = (
    "grammaticality", "non-redundancy", "referential-clarity", "focus", "coherence",
)  # fmt: skip

#: Measures by name; a name that ends in ``*`` is a family. The entries of metrics repeat what their
#: classes declare, so that a table of scores can be read without loading these.
MEASURES: Mapping[str, Measure] = {
    **{name: Measure(scale=scale, human=True) for name, scale in SCALES.items()},
    # The questions of DUC 2004-2007, on scales that differ by year.
    **dict.fromkeys(
        (
            "content-responsiveness",
            *QUALITY_QUESTIONS,
            # Counted from annotated pyramids.
            *("pyramid", "pyramid-modified", "pyramid-modified-3", "pyramid-scus"),
            *("pyramid-scus-3", "pyramid-repetitions", "pyramid-original"),
            *("pyramid-comprehensive", "pyramid-precision", "pyramid-recall"),
            # As published sets name them; "published" are means of judgments.
            *("human-*", "expert-*", "turker-*", "published-*", "litepyramid-*", "scu", "scu-*"),
        ),
        _HUMAN_MEASURE,
    ),
    # Counted from answers about single units, see `pyramid units`.
    **dict.fromkeys(
        ("unit-share", "unit-share-normalized", "nugget-*", "coverage-mean"),
        Measure(scale=Scale(0, 1), human=True),
    ),
    **dict.fromkeys(
        ("rouge-*", "bleu", "vert-f", "basic-elements", "cosine-*", "extractive-coverage"),
        _SHARE_MEASURE,
    ),
    **dict.fromkeys(("signature-*", "monosyllables", "copied-*", "novelty-*"), _SHARE_MEASURE),
    **dict.fromkeys(("names-supported", "numbers-supported", "quotes-supported"), _SHARE_MEASURE),
    **dict.fromkeys(("facts-supported", "contiguity", "support"), _SHARE_MEASURE),
    **dict.fromkeys(("extractive-density", "length", "compression"), _HIGHER_IS_BETTER),
    **dict.fromkeys(
        ("bigram-*", "autosummeng", "memog", "lsa-*", "central-words"), _HIGHER_IS_BETTER
    ),
    **dict.fromkeys(("multinomial-input", "unigram-input", "term-overlap*"), _HIGHER_IS_BETTER),
    **dict.fromkeys(("neighbor-cosine", "redundancy-*"), _HIGHER_IS_BETTER),
    **dict.fromkeys(("term-entropy", "neg-log-sentences"), _HIGHER_IS_BETTER),
    **dict.fromkeys(("flesch-*", "gunning-fog", "coleman-liau", "smog"), _HIGHER_IS_BETTER),
    **dict.fromkeys(
        ("automated-readability", "chrf", "meteor", "spacy-similarity"), _HIGHER_IS_BETTER
    ),
    **dict.fromkeys(
        ("match-*", "bert-score-*", "bleurt", "lm-*", "bart-score-*"), _HIGHER_IS_BETTER
    ),
    # As NIST and other organizers published them.
    "auto-*": _HIGHER_IS_BETTER,
    **dict.fromkeys(("js-*", "repetition-*"), Measure(lower_is_better=True, scale=Scale(0, 1))),
    **dict.fromkeys(("kl-*", "neg-sentence-entropy", "sentence-length"), _LOWER_IS_BETTER),
    **dict.fromkeys(("syllables-per-word", "anaphora", "ter"), _LOWER_IS_BETTER),
}


# Words in the name of a measure that say which values are better, if nothing else does.
_LOWER_WORDS_TEXT = """
wer cer ter mer ppl perplexity loss nll bpb error errors err mae mse rmse distance dist
divergence jsd kld latency time times runtime duration minutes minute hours hour edits keystrokes
corrections seconds secs ms delay cost costs price
toxicity toxic repetition repetitions repetitiveness mistake mistakes omission omissions
contradiction contradictions violation violations failure failures fail refusal refusals penalty
surprisal levenshtein fid rank ranks ranking position place placement eer wrong incorrect
unsupported harm harmfulness
"""
_LOWER_WORDS = frozenset(_LOWER_WORDS_TEXT.split())
_LOWER_STEMS = ("hallucinat", "perplexit", "divergen", "toxic")
_HIGHER_WORDS_TEXT = """
quality fluency relevance consistency coherence faithfulness faithful factuality factual
accuracy acc correct correctness informativeness informative grammaticality grammar overall
score scores rating ratings judgment judgement f1 f recall precision responsiveness readability
helpfulness helpful usefulness useful satisfaction preference win wins coverage adequacy
naturalness clarity completeness conciseness focus structure content rouge bleu meteor chrf
comet bleurt bertscore bartscore similarity sim match em pass specificity diversity plausibility
truthfulness safety importance utility support supported agreement elo strength grade mark marks
stars likert good pyramid wr correlation
"""
_HIGHER_WORDS = frozenset(_HIGHER_WORDS_TEXT.split())
# A name with one of these words may mean the opposite.
_NEGATING_WORDS_TEXT = """
no non not without free neg negative negated inverse inverted reduction reduced saved saving
savings effectiveness efficiency detection detected avoidance resistance robustness minus 1minus
"""
_NEGATING_WORDS = frozenset(_NEGATING_WORDS_TEXT.split())


# Column headers that state the direction.
_LOWER_IS_BETTER_PATTERN = re.compile(
    r"\b1 ?(=|is|:) ?best\b|\blower[ _-]is[ _-]better\b|↓", re.IGNORECASE
)


def direction_by_name(name: str) -> Direction | None:
    """Return which values are better, judging by the words in a name; None if it does not say.

    Examples
    --------
    >>> direction_by_name("WER"), direction_by_name("hallucination rate")
    ('lower', 'lower')
    >>> direction_by_name("Fluency (1 = best)"), direction_by_name("score ↓")
    ('lower', 'lower')
    >>> direction_by_name("Fluency (1-5)"), direction_by_name("errorless"), direction_by_name("q7")
    ('higher', None, None)
    """
    if _LOWER_IS_BETTER_PATTERN.search(name):
        return "lower"
    # camelCase also separates words.
    spaced_name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.partition("@")[0])
    words = re.findall(r"[^\W\d_]+\d?", spaced_name.lower())
    if not _NEGATING_WORDS.isdisjoint(words) or re.match(r"1\s*-", name):
        return None
    if any(word in _LOWER_WORDS or word.startswith(_LOWER_STEMS) for word in words):
        return "lower"
    return None if _HIGHER_WORDS.isdisjoint(words) else "higher"


#: Measures of metrics that were defined in this process.
_REGISTERED_MEASURES: dict[str, Measure] = {}


def register_measure(name: str, measure: Measure) -> None:
    """Add a measure to the table of this process."""
    _REGISTERED_MEASURES[name] = measure


def find_measure(name: str, declared: Mapping[str, Measure] | None = None) -> Measure | None:
    """Look up a measure by name, with or without options in brackets.

    Parameters
    ----------
    name
        The name in a table of scores.
    declared
        The measures that a collection declares, which take precedence.

    Examples
    --------
    >>> find_measure("js-references(stem)").lower_is_better, find_measure("unheard-of") is None
    (True, True)
    """
    measure = _find_declared(name, declared)
    if assumed_direction(name, declared) == "lower":
        return replace(measure or Measure(), lower_is_better=True)
    return measure


def assumed_direction(name: str, measures: Mapping[str, Measure] | None = None) -> Direction | None:
    """Return which values are taken to be better if only the name says so, or nothing does.

    Examples
    --------
    >>> assumed_direction("wer"), assumed_direction("q7"), assumed_direction("rouge-2-f")
    ('lower', 'higher', None)
    """
    if measures and name in measures:
        return None
    if _LOWER_IS_BETTER_PATTERN.search(name):
        return "lower"
    measure = _find_declared(name, measures)
    # Names of published sets, such as human-*, do not say which values are better.
    if measure not in (None, _HIGHER_IS_BETTER, _HUMAN_MEASURE) or _is_listed(name):
        return None
    direction = direction_by_name(name)
    if direction == "lower":
        return "lower"
    return "higher" if measure is None and direction is None else None


# Measures for which more is neither better nor worse, unless the data say so.
_UNDIRECTED_WORDS = frozenset(
    ("length", "words", "tokens", "characters", "sentences", "compression", "extractive-density")
)


def lacks_direction(name: str, measures: Mapping[str, Measure] | None = None) -> bool:
    """Return whether neither more nor less of a measure is better, such as the length.

    Examples
    --------
    >>> lacks_direction("length"), lacks_direction("length", {"length": Measure()})
    (True, False)
    """
    base = name.partition("(")[0].strip().lower()
    return base in _UNDIRECTED_WORDS and not (measures and name in measures)


def _is_listed(name: str) -> bool:
    """Return whether a measure is listed under its full name, not only as one of a family."""
    base = name.partition("@")[0].partition("(")[0].strip()
    return base in MEASURES or base in _REGISTERED_MEASURES


def _find_declared(name: str, measures: Mapping[str, Measure] | None) -> Measure | None:
    """Look up a measure, without guessing its direction."""
    if measures and name in measures:
        return measures[name]
    # A language model's judgments of a measure, such as fluency@gpt.
    human_measure, at_sign, _ = name.partition("@")
    if at_sign:
        measure = _find_declared(human_measure, measures)
        return measure and replace(measure, human=False)
    base = name.partition("(")[0].strip()
    if base in _REGISTERED_MEASURES:
        return _REGISTERED_MEASURES[base]
    if base in MEASURES:
        return MEASURES[base]
    family = _find_family(MEASURES, base)
    if family is None and "+" in name:
        # Two measures were joined, one for machines and one for people.
        return _find_declared(name.partition("+")[0], measures)
    return family or _find_in_plugins(base)


def _find_family(measures: Mapping[str, Measure], name: str) -> Measure | None:
    """Return the measure with the longest matching pattern."""
    patterns = (key for key in measures if key.endswith("*") and name.lower().startswith(key[:-1]))
    longest_pattern = max(patterns, key=len, default=None)
    return None if longest_pattern is None else measures[longest_pattern]


def is_human(name: str, measures: Mapping[str, Measure] | None = None) -> bool:
    """Return whether a measure is known to be judged by people."""
    measure = find_measure(name, measures)
    return measure is not None and measure.human


def is_lower_better(name: str, measures: Mapping[str, Measure] | None = None) -> bool:
    """Return whether lower values of a measure are known to be better."""
    measure = find_measure(name, measures)
    return measure is not None and measure.lower_is_better


def full_measure_name(name: str, available: Container[str]) -> str:
    """Complete the bare name of a ROUGE variant, which means its F.

    Examples
    --------
    >>> full_measure_name("rouge-2", ["rouge-2-r", "rouge-2-f"]), full_measure_name("x", [])
    ('rouge-2-f', 'x')
    """
    full_name = f"{name}-f"
    return full_name if name not in available and full_name in available else name


def merge_scales(
    scales: Mapping[str, Scale], measures: Mapping[str, Measure]
) -> tuple[Mapping[str, Scale], Mapping[str, Measure]]:
    """Merge scales and measures so that both have every scale; refuse two scales of a measure."""
    measure_scales = {name: measure.scale for name, measure in measures.items() if measure.scale}
    for name, scale in measure_scales.items():
        if scales.get(name, scale) != scale:
            raise InputError(f"measure `{name}` has two scales", "keep one")
    merged_scales = {**scales, **measure_scales}
    return merged_scales, {
        name: replace(measure, scale=merged_scales.get(name)) for name, measure in measures.items()
    }


def _find_in_plugins(name: str) -> Measure | None:
    """Look for a measure that a plug-in declares, then for a plug-in metric of that name."""
    plugin_measures: dict[str, Measure] = {}
    for _, measures in load_plugins("measures", skip_broken=True):
        plugin_measures |= measures
    if measure := plugin_measures.get(name) or _find_family(plugin_measures, name):
        return measure
    for metric in _plugin_metrics():
        if metric.read(name) is not None:
            return Measure(lower_is_better=not getattr(metric, "higher_is_better", True))
    return None


@cache
def _plugin_metrics() -> tuple[type[Parsable], ...]:
    # A package that declares its measures need not be loaded.
    declaring_packages = {entry.name for entry in plugin_entries("measures")}
    values = (
        value for _, value in load_plugins("metrics", skip_broken=True, exclude=declaring_packages)
    )
    classes = chain.from_iterable(
        declared if isinstance(declared, Iterable) else (declared,) for declared in values
    )
    return tuple(
        metric_class
        for metric_class in classes
        if isinstance(metric_class, type) and issubclass(metric_class, Parsable)
    )
