"""How difficult inputs are: features of topics, and how well they predict scores."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection.measures import Direction
from pyramidion.collection.sources import Source
from pyramidion.comparison.common import joined, known_means
from pyramidion.comparison.measure_tables import MeasureInput, Peers, scope_name
from pyramidion.errors import InputError, Where
from pyramidion.questions import Options, argument, option, question
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import LABEL_GAP, PAD, Space, label_size, text_width
from pyramidion.rendering.charts.scatter import diagonal
from pyramidion.rendering.charts.style import BLUE, GRAY, PALE
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, FiguresResult, signed
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, shown
from pyramidion.stats import (
    adjust_p,
    correlation_interval,
    kendall,
    pearson,
    spearman,
    two_way_anova,
)
from pyramidion.stats.correlation import Correlation, undefined_reason
from pyramidion.stats.correlation_tests import IntervalMethod
from pyramidion.stats.inputs import ratio
from pyramidion.text import split_sentences
from pyramidion.text.encoding import (
    SIGNATURE_CUTOFF,
    Encoded,
    default_background,
    encode,
    signature_weights,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The features and their descriptions.
FEATURES: Mapping[str, str] = {
    "documents": "documents",
    "sentences": "sentences",
    "words": "words",
    "sentence-length": "words per sentence",
    "vocabulary": "different words",
    "type-token": "different words divided by words",
    "used-once": "share of the vocabulary used once",
    "entropy": "entropy of the word frequencies, in bits",
    "redundancy": "mean cosine of a sentence and the most similar one",
    "similarity": "mean cosine of two documents",
    "least-similarity": "the smallest cosine of two documents",
    "divergence": "mean Jensen-Shannon divergence of a document from the input, in bits",
    "signature": "share of content words that are topic signature words",
}


def input_features(documents: Sequence[str]) -> dict[str, float]:
    """Measure an input.

    Lengths, vocabulary and entropy count all words; redundancy, similarity, divergence and the
    signature count the stems of content words. Undefined values, such as the similarity of one
    document, are NaN (Nenkova and Louis, Can you summarize this?, ACL 2008).
    """
    document_sentences = [split_sentences(text, boilerplate="strip") for text in documents]
    all_words = encode(document_sentences)
    content = encode(document_sentences, stem=True, stop_words=True)
    lengths = all_words.sentence_lengths
    sentences, words = int((lengths > 0).sum()), int(lengths.sum())
    counts = np.bincount(all_words.ids)
    counts = counts[counts > 0]
    shares = counts / max(1, counts.sum())
    return {
        "documents": float(len(all_words)),
        "sentences": float(sentences),
        "words": float(words),
        "sentence-length": ratio(words, sentences),
        "vocabulary": float(len(counts)),
        "type-token": ratio(len(counts), int(counts.sum())),
        "used-once": ratio(int((counts == 1).sum()), len(counts)),
        "entropy": float(-(shares * np.log2(shares)).sum()) if len(counts) else math.nan,
        "redundancy": _redundancy(content),
        **_document_similarities(content),
        "signature": _signature_share(content),
    }


def features_of(collection: Collection, task: str) -> dict[str, dict[str, float]]:
    """Measure the input of each topic that has documents for a task."""
    features = {}
    for topic in collection.topics:
        texts = [document.text for document in collection.documents(topic.id, task)]
        if any(texts):
            features[topic.id] = input_features(texts)
    return features


def _redundancy(encoded_texts: Encoded) -> float:
    """Average each sentence's highest cosine with another sentence."""
    table = _unit_rows(
        _count_words(encoded_texts.ids, encoded_texts.sentences, len(encoded_texts.words))
    )
    if table.shape[0] < 2:
        return math.nan
    cosines = (table @ table.T).tolil()
    cosines.setdiag(0)
    return float(cosines.tocsr().max(axis=1).toarray().mean())


def _document_similarities(encoded_texts: Encoded) -> dict[str, float]:
    counts = _count_words(encoded_texts.ids, encoded_texts.starts, len(encoded_texts.words))
    unit_rows = _unit_rows(counts)
    names = ("similarity", "least-similarity", "divergence")
    if unit_rows.shape[0] < 2:
        return dict.fromkeys(names, math.nan)
    cosines = (unit_rows @ unit_rows.T).toarray()[np.triu_indices(unit_rows.shape[0], 1)]
    values = (float(cosines.mean()), float(cosines.min()), _divergence(counts.toarray()))
    return dict(zip(names, values, strict=True))


def _divergence(counts: Floats) -> float:
    """Average the divergence of the documents from their pool, in bits."""
    from scipy.special import rel_entr

    filled_rows = counts[counts.sum(axis=1) > 0]
    shares = filled_rows / filled_rows.sum(axis=1, keepdims=True)
    pool = filled_rows.sum(axis=0) / filled_rows.sum()
    mixture = (shares + pool) / 2
    pools = np.broadcast_to(pool, shares.shape)
    divergences = sum(rel_entr(p, mixture).sum(axis=1) for p in (shares, pools)) / 2
    return float(np.mean(divergences) / math.log(2))


def _signature_share(encoded_texts: Encoded) -> float:
    counts = np.bincount(encoded_texts.ids, minlength=len(encoded_texts.words))
    if not counts.sum():
        return math.nan
    weights = signature_weights(list(encoded_texts.words), counts, default_background(stem=True))
    return float(counts[weights > SIGNATURE_CUTOFF].sum() / counts.sum())


def _count_words(ids: npt.NDArray[np.int32], starts: Ints, words: int) -> Any:
    """Count the words of each part of a text, one row per part with words."""
    from scipy.sparse import csr_array

    table = csr_array((np.ones(len(ids)), ids, starts), shape=(len(starts) - 1, words))
    table.sum_duplicates()
    return table[np.flatnonzero(np.diff(starts) > 0)]


def _unit_rows(table: Any) -> Any:
    from scipy.sparse import diags_array

    norms = np.sqrt(table.multiply(table).sum(axis=1))
    return diags_array(1 / norms) @ table if table.shape[0] else table


DifficultyCoefficient = Literal["pearson", "spearman", "kendall"]
Predictor = Callable[[Floats, Floats, Floats], float]

_MIN_TOPICS = 4
_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}

#: Penalties to choose from, for standardized features and one observation.
_PENALTIES = 10.0 ** np.arange(-4, 4.25, 0.25)


@dataclass(frozen=True, slots=True)
class DifficultyOptions(Options):
    """How features of inputs are compared with scores."""

    peers: Peers = option("all", "Systems to include: all, or machines (without people).")
    coefficients: tuple[DifficultyCoefficient, ...] = option(
        ("pearson", "spearman"), "Correlation coefficients to compute, comma-separated: pearson, "
        "spearman or kendall.", flags=("--coefficient",),
    )  # fmt: skip
    method: IntervalMethod = option(
        "percentile",
        "Confidence interval of the correlations: percentile, bca or fisher.",
        flags=("--interval",),
    )
    n_resamples: int = resamples_option(
        9999, "Number of bootstrap resamples of topics for the intervals."
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    confidence_level: float = confidence_option(
        "Confidence level of the intervals.", on_command_line=False
    )

    def check(self) -> None:
        """Require at least one coefficient."""
        if not self.coefficients:
            raise InputError("no coefficient was given", hint="try pearson,spearman")


@dataclass(frozen=True, slots=True)
class TopicScore:
    """How well a topic was summarized, and what was predicted from the other topics."""

    topic: str
    score: float  # mean over systems; the least-squares mean if some are missing
    n: int  # number of systems with a score
    predicted: float
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FeatureCorrelation:
    """The correlation of a feature of inputs with their mean scores."""

    feature: str
    coefficient: str
    value: float
    low: float
    high: float
    p: float
    p_adjusted: float  # for the number of features (Holm)
    n: int
    undefined: str = ""  # why there is no value


@dataclass(frozen=True, slots=True)
class DifficultyPrediction:
    """How well scores are predicted from those of the other topics.

    Correlating predictions with scores would mislead: a high score lowers the mean of the others,
    so that predictions from nothing correlate negatively.
    """

    by: str  # ``mean`` (of the others), a feature or ``all features``
    error: float  # root mean squared error
    explained: float  # 1 - squared error / squared error of the mean


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How difficult the inputs of one task are by one measure, the hardest topic first."""

    measure: str
    task: str
    systems: int
    topics: tuple[TopicScore, ...]
    correlations: tuple[FeatureCorrelation, ...]
    predictions: tuple[DifficultyPrediction, ...]
    options: DifficultyOptions
    left_out: tuple[str, ...] = ()
    direction: Direction = "higher"
    collection: str = ""


def measure_difficulty(
    matrix: ScoreMatrix,
    features: Mapping[str, Mapping[str, float]],
    *,
    options: DifficultyOptions | None = None,
) -> Difficulty:
    """Compare features of inputs (`input_features`) with how well they were summarized."""
    options = options or DifficultyOptions()
    scope = scope_name(matrix.measure, matrix.task)
    scores, note = _topic_means(matrix)
    counts = dict(zip(matrix.topics, (~np.isnan(matrix.values)).sum(axis=1).tolist(), strict=True))
    ids = [topic for topic in scores if topic in features]
    if len(ids) < _MIN_TOPICS:
        hint = "at least four are needed"
        raise InputError(f"{scope}: {len(ids)} topics have scores and documents", hint=hint)
    names = list(dict.fromkeys(name for topic in ids for name in features[topic]))
    table = np.array([[features[topic].get(n, np.nan) for n in names] for topic in ids])
    target = np.array([scores[topic] for topic in ids])
    # Features that every topic has and that vary.
    is_usable = [not np.isnan(column).any() and np.ptp(column) > 0 for column in table.T]
    usable_names = [name for name, is_used in zip(names, is_usable, strict=True) if is_used]
    predicted_topics, predictions = leave_one_out_predictions(
        table[:, is_usable], target, usable_names
    )
    topics = [
        TopicScore(topic, scores[topic], counts[topic], predicted_score, dict(features[topic]))
        for topic, predicted_score in zip(ids, predicted_topics.tolist(), strict=True)
    ]
    sign = -1 if matrix.direction == "lower" else 1
    missing_notes = _missing_notes(
        matrix, scores, features, [name for name in names if name not in usable_names]
    )
    return Difficulty(
        measure=matrix.measure, task=matrix.task, systems=int((matrix.counts() > 0).sum()),
        topics=tuple(sorted(topics, key=lambda topic: round(sign * topic.score, 12))),
        correlations=tuple(_correlations(table, target, names, options)), predictions=predictions,
        options=options, left_out=tuple(f"{scope}: {line}" for line in (note,
            *missing_notes) if line),
        direction=matrix.direction,
    )  # fmt: skip


def _topic_means(matrix: ScoreMatrix) -> tuple[dict[str, float], str]:
    """Return each topic's mean over systems, and a note if missing scores distort it."""
    is_present = ~np.isnan(matrix.values)
    rows, columns = (np.flatnonzero(is_present.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        raise InputError(f"{matrix.measure} has no scores", hint="add some")
    values, note = matrix.values[np.ix_(rows, columns)], ""
    means = known_means(values, axis=1)
    if np.isnan(values).any():
        try:
            means = two_way_anova(values).second.means
        except InputError:
            note = "groups of systems share no topics, so that topics have plain means"
    return dict(zip([matrix.topics[row] for row in rows], means.tolist(), strict=True)), note


def _correlations(
    table: Floats, target: Floats, names: Sequence[str], options: DifficultyOptions
) -> Iterator[FeatureCorrelation]:
    for coefficient in options.coefficients:
        correlations = [
            _correlate_feature(column, target, coefficient, options) for column in table.T
        ]
        p_adjusted = adjust_p([correlation.p for correlation, *_ in correlations], method="holm")
        for name, (r, low, high), p in zip(names, correlations, p_adjusted.tolist(), strict=True):
            fields = (r.value, low, high, r.p, p, r.n)
            yield FeatureCorrelation(name, coefficient, *fields, r.undefined)


def _correlate_feature(
    feature: Floats, target: Floats, coefficient: DifficultyCoefficient, options: DifficultyOptions
) -> tuple[Correlation, float, float]:
    is_defined = ~np.isnan(feature)
    x, y = feature[is_defined], target[is_defined]
    reason = "fewer than four topics have it" if len(x) < _MIN_TOPICS else undefined_reason(x, y)
    if reason:
        reason = reason.replace("`x`", "the feature").replace("`y`", "the score")
        return Correlation(np.nan, np.nan, np.nan, len(x), "", reason), np.nan, np.nan
    interval = correlation_interval(
        x, y, coefficient=coefficient, method=options.method, n_resamples=options.n_resamples,
        confidence_level=options.confidence_level, rng=options.seed,
    ).interval  # fmt: skip
    return _COEFFICIENTS[coefficient](x, y), interval.low, interval.high


def _missing_notes(
    matrix: ScoreMatrix,
    scores: Mapping[str, float],
    features: Mapping[str, object],
    unusable: Sequence[str],
) -> Iterator[str]:
    if topics := [topic for topic in scores if topic not in features]:
        yield f"{len(topics)} topics without documents, such as {topics[0]}"
    if len(scores) < len(matrix.topics):
        yield f"{len(matrix.topics) - len(scores)} topics without a score"
    if unusable:
        yield f"features that are the same for all topics or missing: {', '.join(unusable)}"


def leave_one_out_predictions(
    features: Floats, target: Floats, names: Sequence[str]
) -> tuple[Floats, tuple[DifficultyPrediction, ...]]:
    """Predict each score from the others; return the predictions by all features, and all errors.

    A single feature predicts by least squares, all together by ridge regression. Its penalty is
    chosen by generalized cross-validation on the other scores (Golub, Heath and Wahba, 1979).
    """
    baseline: Floats = (target.sum() - target) / (len(target) - 1)
    predictions_by_name = {"mean": baseline}
    for index, name in enumerate(names):
        predictions_by_name[name] = _leave_one_out(features[:, [index]], target, _least_squares)
    ridge_predictions = _leave_one_out(features, target, _ridge) if len(names) else baseline
    predictions_by_name["all features"] = ridge_predictions
    return ridge_predictions, tuple(
        _judge_prediction(name, name_predictions, target, baseline)
        for name, name_predictions in predictions_by_name.items()
    )


def _leave_one_out(features: Floats, target: Floats, fit: Predictor) -> Floats:
    predicted_scores = np.empty(len(target))
    for item in range(len(target)):
        is_training = np.arange(len(target)) != item
        test_row, training_rows = features[item], features[is_training]
        center, spread = training_rows.mean(axis=0), training_rows.std(axis=0)
        is_varying = spread > 1e-12 * np.abs(training_rows).max(axis=0)
        scale = np.where(is_varying, spread, 1.0)
        z, new_row = (
            (training_rows - center) / scale,
            np.where(is_varying, (test_row - center) / scale, 0.0),
        )
        mean = target[is_training].mean()
        predicted_scores[item] = mean + fit(z * is_varying, target[is_training] - mean, new_row)
    return predicted_scores


def _least_squares(z: Floats, y: Floats, new_row: Floats) -> float:
    square_sum = float(z[:, 0] @ z[:, 0])
    slope = float(z[:, 0] @ y) / square_sum if square_sum else 0.0
    return slope * float(new_row[0])


def _ridge(z: Floats, y: Floats, new_row: Floats) -> float:
    """Predict by ridge regression with the penalty of the smallest generalized error."""
    u, singular_values, v = np.linalg.svd(z, full_matrices=False)
    projections = u.T @ y
    shrinkage_factors = singular_values**2 / (singular_values**2 + _PENALTIES[:, None] * len(y))
    residual_square = float(y @ y) - float(projections @ projections)
    errors = ((1 - shrinkage_factors) ** 2 * projections**2).sum(axis=1) + max(residual_square, 0.0)
    # The mean takes one degree of freedom.
    residual_df = len(y) - 1 - shrinkage_factors.sum(axis=1)
    best_index = int(np.argmin(errors / np.maximum(residual_df, 1e-9) ** 2))
    weights = np.divide(
        shrinkage_factors[best_index] * projections,
        singular_values,
        out=np.zeros_like(singular_values),
        where=singular_values > 1e-12,
    )
    return float((weights @ v) @ new_row)


def _judge_prediction(
    name: str, predicted_scores: Floats, target: Floats, baseline: Floats
) -> DifficultyPrediction:
    errors, baseline_errors = target - predicted_scores, target - baseline
    squared_error = float(errors @ errors)
    baseline_squared_error = float(baseline_errors @ baseline_errors)
    explained_share = (
        1 - squared_error / baseline_squared_error if baseline_squared_error else math.nan
    )
    return DifficultyPrediction(name, math.sqrt(squared_error / len(target)), explained_share)


_ROW_PITCH_INCHES, _SIDE_INCHES, _GAP_INCHES = 0.24, 2.9, 0.75


def difficulty_figure(study: Difficulty) -> "Figure":
    """Draw each feature's correlation with the scores, and how well topics were predicted."""
    coefficient = study.options.coefficients[0]
    rows = [row for row in study.correlations if row.coefficient == coefficient]
    rows.sort(key=lambda row: (np.isnan(row.value), -abs(np.nan_to_num(row.value)).round(12)))
    width = text_width((row.feature for row in rows), size=label_size(_ROW_PITCH_INCHES))
    return panels_figure(
        [
            _feature_panel(rows, f"{coefficient} correlation with {study.measure}"),
            _predictions(study),
        ],
        title=f"Difficulty of inputs: {scope_name(study.measure, study.task, study.collection)}",
        note=f"{counted(len(study.topics), 'topic')}, means over "
        f"{counted(study.systems, 'system')}; {_interval_name(study.options)}; predictions by all "
        "features, each topic from the others",
        side=(_SIDE_INCHES, max(_SIDE_INCHES, len(rows) * _ROW_PITCH_INCHES)),
        gap=(_GAP_INCHES, 0),
        space=Space(left=PAD + width + 2 * LABEL_GAP, right=PAD + 0.1, above=0.3),
    )


def _feature_panel(rows: "Sequence[FeatureCorrelation]", label: str) -> Panel:
    """Draw a point and an interval for each feature, the first on top."""

    def label_rows(axes: "Axes") -> None:
        axes.set_yticks(range(len(rows)), [row.feature for row in rows])
        axes.tick_params("y", length=0, labelsize=label_size(_ROW_PITCH_INCHES), pad=LABEL_GAP * 72)
        axes.hlines(range(len(rows)), [r.low for r in rows], [r.high for r in rows], color=BLUE)
        axes.axvline(0, color=GRAY, linewidth=0.8)
        axes.spines["left"].set_visible(False)
        for index, row in enumerate(rows):
            if np.isnan(row.value):
                axes.text(0, index, " undefined", va="center", size=7, color=GRAY)

    points = {"color": BLUE, "marker": "o", "linestyle": "", "markersize": 5}
    scale = {"xlim": (-1, 1), "xticks": [-1, -0.5, 0, 0.5, 1], "xlabel": label}
    return Panel(
        [Series([row.value for row in rows], range(len(rows)), points)],
        scale={**scale, "ylim": (len(rows) - 0.4, -0.6)},
        grid="x",
        more=label_rows,
    )


def _predictions(study: Difficulty) -> Panel:
    x = [topic.predicted for topic in study.topics]
    y = [topic.score for topic in study.topics]
    points = {"color": BLUE, "marker": "o", "linestyle": "", "markersize": 4.5, "alpha": 0.8}
    share = study.predictions[-1].explained
    explained_text = f"explains {share:.0%} of the variance"
    return Panel(
        [diagonal(x, y, {"color": PALE, "linewidth": 1.2, "zorder": 1}), Series(x, y, points)],
        "" if np.isnan(share) else explained_text if share > 0 else "no better than the mean",
        size=8,
        scale={"xlabel": "predicted from the other topics", "ylabel": f"mean {study.measure}"},
        margins={"x": 0.06, "y": 0.06},
    )


_COUNT_FEATURES = ("documents", "sentences", "words", "vocabulary")

CORRELATION_VIEW: View[FeatureCorrelation] = View(
    "correlations",
    (
        *columns("coefficient", "feature"),
        shown("which is", lambda row: FEATURES.get(row.feature, "")),
        *columns("value", "low", "high", "p", p_adjusted="p (Holm)", n="topics"),
    ),
    digits=3,
)
PREDICTION_VIEW: View[DifficultyPrediction] = View(
    "predictions", columns("by", "error", "explained"), digits=3
)


@dataclass(frozen=True, slots=True)
class DifficultyInput(MeasureInput):
    """The scores and inputs to use."""

    source: Source = argument("Collection with documents and scores.")


@question
def difficulty(source: DifficultyInput, options: DifficultyOptions) -> FiguresResult[Difficulty]:
    """Measure how difficult each input is, and how well the input alone predicts it.

    Length, vocabulary, redundancy and the similarity of an input's documents are correlated with
    its mean scores, and each topic is predicted from the others.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = difficulty(load_demo(), measures="responsiveness", tasks="A", n_resamples=99)
    >>> [topic.topic for topic in result[0].topics][:2], result.table_names
    (['P01', 'P03'], ('correlations', 'predictions', 'topics'))
    """
    collection, matrices, left_out = source.read()
    if not any(topic.documents for topic in collection.topics):
        raise InputError(
            "there are no documents in it",
            where=Where(source.source) if isinstance(source.source, str | Path) else None,
            hint="difficulty is predicted from a collection's documents",
        )
    peer_matrices = [m.machines() if options.peers == "machines" else m for m in matrices]
    if empty_measures := [m.measure for m in peer_matrices if not m.systems]:
        raise InputError(f"{empty_measures[0]} has no machines", hint="include people (peers: all)")
    features = {task: features_of(collection, task) for task in {m.task for m in peer_matrices}}
    studies = [measure_difficulty(m, features[m.task], options=options) for m in peer_matrices]
    signature = signed(
        "difficulty", collection.data_hash, options.seed,
        measure=joined(matrix.measure for matrix in peer_matrices),
        peers=options.peers, features=len(FEATURES),
        interval=f"{options.method}-{options.confidence_level:g}", n=options.n_resamples,
    )  # fmt: skip
    return FiguresResult(
        command="difficulty",
        signature=signature,
        values=studies,
        record=_record,
        tables=[table for study in studies for table in _tables(study)],
        left_out=(*left_out, *(line for study in studies for line in study.left_out)),
        charts=[
            Chart(
                "difficulty", partial(difficulty_figure, study),
                "Correlations of features with scores, and predictions from the other topics.",
                (study.measure, study.collection, study.task),
            )
            for study in studies
        ],
    )  # fmt: skip


def _interval_name(options: DifficultyOptions) -> str:
    return f"{options.confidence_level:.0%} intervals over topics ({options.method})"


def _tables(study: Difficulty) -> Iterator[Table]:
    scope = scope_name(study.measure, study.task, study.collection)
    key = (("measure", study.measure), ("task", study.task))
    easier_word = "easier" if study.direction == "higher" else "harder"
    note = f"Positive: higher values go with higher scores, that is, {easier_word} inputs"
    note = f"{note}; {_interval_name(study.options)}."
    yield CORRELATION_VIEW.table(study.correlations, f"Inputs and {scope}", note, key=key)
    note = (
        "Each topic is predicted from the others: by their mean, by a feature alone (least "
        "squares), by all (ridge regression). Explained: how much smaller the squared error is "
        "than with the mean; below 0, the mean predicts better."
    )
    yield PREDICTION_VIEW.table(study.predictions, f"Predicting {scope}", note, key=key)
    names = list(study.topics[0].features)
    converters = {name: int if name in _COUNT_FEATURES else float for name in names}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (t.topic, t.n, t.score, t.predicted, *(converters[n](t.features[n]) for n in names))
        for t in study.topics
    )
    columns = ("topic", "systems", "score", "predicted", *names)
    note = "The hardest first; scores as if no system were missing."
    yield Table(columns, rows, f"Topics by {scope}", note, digits=3, key=key, name="topics")


def _record(study: Difficulty) -> dict[str, Any]:
    fields = ("topic", "n", "score", "predicted", "features")
    return {
        **{name: getattr(study, name) for name in ("measure", "task", "collection", "systems")},
        "correlations": [asdict(row) for row in study.correlations],
        "predictions": [asdict(row) for row in study.predictions],
        "topics": [{name: getattr(topic, name) for name in fields} for topic in study.topics],
    }
