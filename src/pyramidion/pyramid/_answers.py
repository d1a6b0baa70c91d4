"""Scores of summaries by answers about single units: shares, nuggets, coverage."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection import Collection, Scores
from pyramidion.collection.ids import grouped
from pyramidion.pyramid._score import CASE_FIELDS, nonempty_table, table_of_scores
from pyramidion.pyramid.cases import AnnotatedSummaries, SummarySource
from pyramidion.pyramid.content_units import Case
from pyramidion.questions import Options, Signature, option, question
from pyramidion.rendering.result import Result
from pyramidion.rendering.saving import SCORE_FILE
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, columns

_NOTE = (
    "Share: the share of units that were found. Normalized: share x exp(min(0, (1 - words of the "
    "summary / words of the reference) / a)), as in RoSE. Recall: the share of vital nuggets that "
    "were found. Precision: 1 if the summary has at most the allowed number of characters (without "
    "white space) for the vital and okay nuggets found, and allowance / length otherwise. In F, "
    "recall counts beta times as much as precision. Coverage: mean over units, as a share."
)
_MEASURES = {
    "share": "unit-share",
    "normalized": "unit-share-normalized",
    "recall": "nugget-recall",
    "precision": "nugget-precision",
    "f": "nugget-f",
    "coverage": "coverage-mean",
}

_ANSWER_MEASURES = {"scu", "scu-answer"}

Address = tuple[str, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class UnitOptions(Options):
    """The constants of the scores."""

    a: float = option(
        6.0,
        "Length constant of the normalized share (RoSE's paper: 6); a larger one penalizes long "
        "summaries less.",
        min=0.01,
    )
    beta: float = option(
        3.0, "How many times more recall counts than precision in nugget F.", min=0
    )
    allowance: int = option(
        100, "Number of characters, not counting white space, allowed per nugget found.", min=1
    )


@dataclass(frozen=True, slots=True)
class UnitScores:
    """The scores of one summary; NaN where one is undefined."""

    task: str
    topic: str
    system: str
    kind: str
    assessor: str
    occasion: str
    share: float = math.nan
    normalized: float = math.nan
    recall: float = math.nan
    precision: float = math.nan
    f: float = math.nan
    coverage: float = math.nan


UNITS: View[UnitScores] = View(
    "units",
    columns(*CASE_FIELDS, "share", "normalized", "recall", "precision", f="F", coverage="coverage"),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class UnitScoring(Result[UnitScores]):
    """Scores of summaries, computed from answers about single units."""

    saves = (SCORE_FILE,)

    def to_scores(self) -> Scores:
        """Return a table of scores, for example for `pyramidion.compare`."""
        return table_of_scores(
            (*(getattr(scores, field) for field in CASE_FIELDS), measure, value)
            for scores in self.values
            for name, measure in _MEASURES.items()
            if not math.isnan(value := getattr(scores, name))
        )


@question
def units(source: SummarySource, options: UnitOptions) -> UnitScoring:
    """Score summaries by answers about single units: shares, nuggets, coverage judgments.

    The share of units found, and RoSE's length-normalized share; recall, precision and F if units
    are vital or okay nuggets; the mean of DUC's coverage judgments.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Scores, Summary
    >>> texts = (Summary("T1", "A", "Ice melts.", kind="human"), Summary("T1", "7", "Ice melts."))
    >>> answers = Scores({"topic": ["T1"] * 2, "system": ["7"] * 2, "kind": ["machine"] * 2,
    ...                   "measure": ["scu"] * 2, "unit": ["0", "1"]}, [1, 0])
    >>> [row.share for row in units(Collection("mine", summaries=texts, scores=answers))]
    [0.5]
    """
    collection = source.read()
    coverage = _coverage(collection, source)
    measures = {*collection.scores.measures}
    if coverage and not (
        collection.pyramids or collection.peer_annotations or measures & _ANSWER_MEASURES
    ):
        annotated_cases = AnnotatedSummaries((), collection.left_out)
    else:
        _, annotated_cases = replace(source, source=collection).read_cases()
    scorer = UnitScorer(collection, options)
    values = [
        scorer.score(case, coverage.pop(_address(case), math.nan)) for case in annotated_cases.cases
    ]
    values += [UnitScores(*key, coverage=mean) for key, mean in coverage.items()]
    details = (*source.details, *options.changed("a", "beta", "allowance"))
    return UnitScoring(
        command="pyramid units",
        signature=Signature("pyramid-units", data=collection.data_hash, details=details),
        values=values,
        record=UNITS.record,
        tables=(
            nonempty_table(UNITS, values, "Scores by units", _NOTE),
            *scorer.published(values),
        ),
        left_out=annotated_cases.left_out,
    )


def _address(case: Case) -> Address:
    return case.task, case.topic, case.system, case.kind, case.assessor, case.occasion


def _coverage(collection: Collection, source: SummarySource) -> dict[Address, float]:
    """Average the percentages of units that a summary covers, by assessor."""
    rows = collection.scores.select(measure="coverage")
    names = (*CASE_FIELDS, "unit")
    rows_of_cells = zip(*(rows.columns[name] for name in names), rows.value.tolist(), strict=True)
    percentages = grouped((tuple(key), value) for *key, unit, value in rows_of_cells if unit)
    return {
        key: float(np.mean(values)) / 100
        for key, values in percentages.items()
        if source.takes(*key[:2]) and key[2] in (source.system or (key[2],))
    }


def normalized_share(share: float, words: float, reference_words: float, a: float) -> float:
    """Discount the share of a summary that is longer than its reference, as in RoSE."""
    return share * math.exp(min(0.0, (1 - words / reference_words) / a))


def nugget_scores(
    is_expressed: NDArray[np.bool_],
    is_vital: NDArray[np.bool_],
    length: int,
    beta: float,
    allowance: int,
) -> tuple[float, float, float]:
    """Return recall of the vital nuggets, precision by length, and F (Voorhees, TREC 2003-2004).

    Precision is 1 while the length, in characters without white space, is at most the allowance
    for all nuggets found, vital or okay; then 1 - (length - allowance) / length.
    """
    allowed_length = allowance * int(np.count_nonzero(is_expressed))
    precision = 1.0 if length <= allowed_length else allowed_length / length
    if not is_vital.any():
        return math.nan, precision, math.nan
    recall = float(np.count_nonzero(is_expressed & is_vital) / np.count_nonzero(is_vital))
    denominator = beta**2 * precision + recall
    return (
        recall,
        precision,
        (1 + beta**2) * precision * recall / denominator if denominator else 0.0,
    )


class UnitScorer:
    """Scores the summaries of a collection by their texts, references and units."""

    def __init__(self, collection: Collection, options: UnitOptions) -> None:
        self.collection = collection
        self.options = options
        self.texts = {summary.key: summary.plain for summary in collection.summaries}
        self.references = grouped(
            ((s.task, s.topic), (s.system, len(s.plain.split())))
            for s in collection.summaries
            if s.is_reference
        )
        self.scus = {topic.id: topic.extra.get("scus", ()) for topic in collection.topics}

    def lengths(self, task: str, topic: str, system: str) -> tuple[float, float]:
        """Count the words of a summary, and the mean of others' references; NaN without text."""
        text = self.texts.get((task, topic, system), "")
        references = self.references.get((task, topic), ())
        lengths = [words for writer, words in references if writer != system]
        return len(text.split()) or math.nan, float(np.mean(lengths)) if any(lengths) else math.nan

    def score(self, case: Case, coverage: float) -> UnitScores:
        """Score a summary by the units found in it."""
        # A writer of a reference is scored by the units of the others.
        share = case.scores().recall
        address, options = (case.task, case.topic, case.system), self.options
        scores = UnitScores(*_address(case), share, coverage=coverage)
        words, reference_words = self.lengths(*address)
        if not math.isnan(words + reference_words):
            scores = replace(
                scores, normalized=normalized_share(share, words, reference_words, options.a)
            )
        is_expressed, text = case.content.expressed, self.texts.get(address)
        is_vital = [unit.get("vital") for unit in self.scus.get(case.topic, ())]
        if len(is_vital) != len(is_expressed) or None in is_vital or text is None:
            return scores
        is_vital_unit, length = np.array(is_vital, dtype=np.bool_), len("".join(text.split()))
        recall, precision, f = nugget_scores(
            is_expressed, is_vital_unit, length, options.beta, options.allowance
        )
        return replace(scores, recall=recall, precision=precision, f=f)

    def published(self, values: Sequence[UnitScores]) -> Iterator[Table]:
        """Compare the shares with scores in the file, and fit their length constant."""
        rows = []
        for name, measure in (("share", "acu"), ("normalized", "normalized-acu")):
            published_scores = self.collection.scores.select(measure=f"published-{measure}")
            addresses = zip(
                *(published_scores.columns[field] for field in CASE_FIELDS[:3]), strict=True
            )
            published_values = dict(zip(addresses, published_scores.value.tolist(), strict=True))
            keyed_scores = (
                (scores, (scores.task, scores.topic, scores.system)) for scores in values
            )
            pairs = [
                (scores, published_values[key])
                for scores, key in keyed_scores
                if key in published_values
            ]
            if pairs:
                differences = [abs(getattr(scores, name) - value) for scores, value in pairs]
                fitted_constant = self._fitted_constant(pairs) if name == "normalized" else None
                rows.append(
                    (
                        measure,
                        len(differences),
                        float(np.mean(differences)),
                        max(differences),
                        fitted_constant,
                    )
                )
        if rows:
            headings = ("published", "n", "mean difference", "largest", "a that fits")
            yield Table(
                headings, tuple(rows), "Compared with the file's own scores", name="published"
            )

    def _fitted_constant(self, pairs: Sequence[tuple[UnitScores, float]]) -> float | None:
        """Return the median constant that turns the shares into the published scores."""
        constants = []
        for scores, value in pairs:
            words, reference_words = self.lengths(scores.task, scores.topic, scores.system)
            if words > reference_words and 0 < value < scores.share:
                constants.append((1 - words / reference_words) / math.log(value / scores.share))
        return float(np.median(constants)) if constants else None
