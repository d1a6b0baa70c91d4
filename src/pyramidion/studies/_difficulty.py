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
from pyramidion.comparison.measure_tables import Measured, Peers, place_name
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
from pyramidion.stats import adjust_p, correlation_interval, kendall, pearson, spearman
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

#: The features, and what they are.
FEATURES: Mapping[str, str] = {
    "documents": "documents",
    "sentences": "sentences",
    "words": "words",
    "sentence-length": "words a sentence",
    "vocabulary": "different words",
    "type-token": "different words over words",
    "used-once": "share of the vocabulary that is used once",
    "entropy": "bits a word, by the words' frequencies",
    "redundancy": "mean cosine of a sentence with the one most like it",
    "similarity": "mean cosine of two documents",
    "least-similarity": "the smallest cosine of two documents",
    "divergence": "mean Jensen-Shannon divergence of a document from the input, in bits",
    "signature": "share of content words that are the topic's signature",
}


def input_features(documents: Sequence[str]) -> dict[str, float]:
    """Measure an input.

    Lengths, vocabulary and entropy count all words. Redundancy, similarity, divergence and the
    signature look at stems of words that are no stop words, by their counts.

    What is undefined, such as the similarity of one document, is NaN.

    References
    ----------
    A. Nenkova and A. Louis. Can you summarize this? Identifying correlates of input difficulty
    for generic multi-document summarization. ACL, 2008.
    """
    parted = [split_sentences(text, boilerplate="strip") for text in documents]
    everything = encode(parted)
    content = encode(parted, stem=True, stop_words=True)
    lengths = everything.sentence_lengths
    sentences, words = int((lengths > 0).sum()), int(lengths.sum())
    counts = np.bincount(everything.ids)
    counts = counts[counts > 0]
    shares = counts / max(1, counts.sum())
    return {
        "documents": float(len(everything)),
        "sentences": float(sentences),
        "words": float(words),
        "sentence-length": ratio(words, sentences),
        "vocabulary": float(len(counts)),
        "type-token": ratio(len(counts), int(counts.sum())),
        "used-once": ratio(int((counts == 1).sum()), len(counts)),
        "entropy": float(-(shares * np.log2(shares)).sum()) if len(counts) else math.nan,
        "redundancy": _redundancy(content),
        **_between_documents(content),
        "signature": _signature_share(content),
    }


def features_of(collection: Collection, task: str) -> dict[str, dict[str, float]]:
    """Measure the input of each topic that has documents for a task."""
    texts = {
        topic.id: [document.text for document in collection.documents(topic.id, task)]
        for topic in collection.topics
    }
    return {topic: input_features(own) for topic, own in texts.items() if any(own)}


def _redundancy(encoded: Encoded) -> float:
    """Average each sentence's greatest cosine with another one."""
    table = _unit_rows(_counted(encoded.ids, encoded.sentences, len(encoded.words)))
    if table.shape[0] < 2:
        return math.nan
    cosines = (table @ table.T).tolil()
    cosines.setdiag(0)
    return float(cosines.tocsr().max(axis=1).toarray().mean())


def _between_documents(encoded: Encoded) -> dict[str, float]:
    counts = _counted(encoded.ids, encoded.starts, len(encoded.words))
    units = _unit_rows(counts)
    names = ("similarity", "least-similarity", "divergence")
    if units.shape[0] < 2:
        return dict.fromkeys(names, math.nan)
    cosines = (units @ units.T).toarray()[np.triu_indices(units.shape[0], 1)]
    values = (float(cosines.mean()), float(cosines.min()), _divergence(counts.toarray()))
    return dict(zip(names, values, strict=True))


def _divergence(counts: Floats) -> float:
    """Average the divergence of documents from all of them together, in bits; 0 log 0 is 0."""
    from scipy.special import rel_entr

    there = counts[counts.sum(axis=1) > 0]
    shares = there / there.sum(axis=1, keepdims=True)
    pool = there.sum(axis=0) / there.sum()
    middle = (shares + pool) / 2
    pools = np.broadcast_to(pool, shares.shape)
    own, others = (rel_entr(p, middle).sum(axis=1) / math.log(2) for p in (shares, pools))
    return float(np.mean(own + others) / 2)


def _signature_share(encoded: Encoded) -> float:
    counts = np.bincount(encoded.ids, minlength=len(encoded.words))
    if not counts.sum():
        return math.nan
    weights = signature_weights(list(encoded.words), counts, default_background(stem=True))
    return float(counts[weights > SIGNATURE_CUTOFF].sum() / counts.sum())


def _counted(ids: npt.NDArray[np.int32], starts: Ints, words: int) -> Any:
    """Count the words of each part of a text, one row per part that has any."""
    from scipy.sparse import csr_array

    table = csr_array((np.ones(len(ids)), ids, starts), shape=(len(starts) - 1, words))
    table.sum_duplicates()
    return table[np.flatnonzero(np.diff(starts) > 0)]


def _unit_rows(table: Any) -> Any:
    from scipy.sparse import diags_array

    lengths = np.sqrt(table.multiply(table).sum(axis=1))
    return diags_array(1 / lengths) @ table if table.shape[0] else table


DifficultyCoefficient = Literal["pearson", "spearman", "kendall"]
Fit = Callable[[Floats, Floats, Floats], float]

_FEWEST = 4
_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}

#: Penalties that are tried, for standardized features and one observation.
_PENALTIES = 10.0 ** np.arange(-4, 4.25, 0.25)


@dataclass(frozen=True, slots=True)
class DifficultyOptions(Options):
    """How features of inputs are held against scores."""

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
            raise InputError("no coefficient is named", hint="try pearson,spearman")


@dataclass(frozen=True, slots=True)
class TopicScore:
    """A topic, how well it was summarized, and how well that was predicted from other topics.

    `score` is the mean over systems; where systems are missing, what it would be with all of them
    (least-squares mean). `n` is how many systems have a score.
    """

    topic: str
    score: float
    n: int
    predicted: float
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FeatureCorrelation:
    """A feature of inputs against their mean scores: positive if more of it goes with easy inputs.

    `p_adjusted` is corrected for the number of features (Holm); `undefined` says why there is no
    value.
    """

    feature: str
    coefficient: str
    value: float
    low: float
    high: float
    p: float
    p_adjusted: float
    n: int
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class DifficultyPrediction:
    """How well scores are predicted from those of the other items.

    `by` is ``mean`` (of the others), a feature or ``all features``; `error` the root of the mean
    squared error; `explained` by how much the squared error is smaller than with the mean of the
    others, as a share of that, negative where the prediction is worse. The correlation of
    predictions and scores is no measure here: an item's score pulls the mean of the others down
    when it is high, so that predictions by nothing correlate negatively.
    """

    by: str
    error: float
    explained: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How difficult the inputs of one task were by one measure, the hardest topic first."""

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
    """Hold what inputs look like (`input_features`) against how well they were summarized."""
    options = options or DifficultyOptions()
    where = place_name(matrix.measure, matrix.task)
    scores, note = _topic_means(matrix)
    counts = dict(zip(matrix.topics, (~np.isnan(matrix.values)).sum(axis=1).tolist(), strict=True))
    there = [topic for topic in scores if topic in features]
    if len(there) < _FEWEST:
        hint = "at least four are needed"
        raise InputError(f"{where}: {len(there)} topics have scores and documents", hint=hint)
    names = list(dict.fromkeys(name for topic in there for name in features[topic]))
    table = np.array([[features[topic].get(n, np.nan) for n in names] for topic in there])
    target = np.array([scores[topic] for topic in there])
    # What every topic has, not all of them the same.
    usable = [not np.isnan(column).any() and np.ptp(column) > 0 for column in table.T]
    named = [name for name, use in zip(names, usable, strict=True) if use]
    all_of_them, predictions = loo_predictions(table[:, usable], target, named)
    topics = [
        TopicScore(topic, scores[topic], counts[topic], guess, dict(features[topic]))
        for topic, guess in zip(there, all_of_them.tolist(), strict=True)
    ]
    sign = -1 if matrix.direction == "lower" else 1
    lacking = _lacking(matrix, scores, features, [name for name in names if name not in named])
    return Difficulty(
        measure=matrix.measure, task=matrix.task, systems=int((matrix.counts() > 0).sum()),
        topics=tuple(sorted(topics, key=lambda one: round(sign * one.score, 12))),
        correlations=tuple(_correlations(table, target, names, options)), predictions=predictions,
        options=options, left_out=tuple(f"{where}: {line}" for line in (note, *lacking) if line),
        direction=matrix.direction,
    )  # fmt: skip


def _topic_means(matrix: ScoreMatrix) -> tuple[dict[str, float], str]:
    """Return each topic's mean over systems, and say why it is plain where scores are missing."""
    present = ~np.isnan(matrix.values)
    rows, columns = (np.flatnonzero(present.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        raise InputError(f"{matrix.measure} has no scores", hint="add some")
    values, note = matrix.values[np.ix_(rows, columns)], ""
    means = known_means(values, axis=1)
    if np.isnan(values).any():
        from pyramidion.stats import two_way_anova

        try:
            means = two_way_anova(values).second.means
        except InputError:
            note = "groups of systems share no topics, so that topics have plain means"
    return dict(zip([matrix.topics[row] for row in rows], means.tolist(), strict=True)), note


def _correlations(
    table: Floats, target: Floats, names: Sequence[str], options: DifficultyOptions
) -> Iterator[FeatureCorrelation]:
    for coefficient in options.coefficients:
        found = [_correlated(column, target, coefficient, options) for column in table.T]
        adjusted = adjust_p([one.p for one, *_ in found], method="holm")
        for name, (one, low, high), p in zip(names, found, adjusted.tolist(), strict=True):
            numbers = (one.value, low, high, one.p, p, one.n)
            yield FeatureCorrelation(name, coefficient, *numbers, one.undefined)


def _correlated(
    feature: Floats, target: Floats, coefficient: DifficultyCoefficient, options: DifficultyOptions
) -> tuple[Correlation, float, float]:
    known = ~np.isnan(feature)
    x, y = feature[known], target[known]
    reason = "fewer than four topics have it" if len(x) < _FEWEST else undefined_reason(x, y)
    if reason:
        reason = reason.replace("`x`", "the feature").replace("`y`", "the score")
        return Correlation(np.nan, np.nan, np.nan, len(x), "", reason), np.nan, np.nan
    interval = correlation_interval(
        x,
        y,
        coefficient=coefficient,
        method=options.method,
        confidence_level=options.confidence_level,
        n_resamples=options.n_resamples,
        rng=options.seed,
    ).interval
    return _COEFFICIENTS[coefficient](x, y), interval.low, interval.high


def _lacking(
    matrix: ScoreMatrix,
    scores: Mapping[str, float],
    features: Mapping[str, object],
    idle: Sequence[str],
) -> Iterator[str]:
    if without := [topic for topic in scores if topic not in features]:
        yield f"{len(without)} topics without documents, such as {without[0]}"
    if len(scores) < len(matrix.topics):
        yield f"{len(matrix.topics) - len(scores)} topics without a score"
    if idle:
        yield f"features that are the same for all topics or missing: {', '.join(idle)}"


def loo_predictions(
    features: Floats, target: Floats, names: Sequence[str]
) -> tuple[Floats, tuple[DifficultyPrediction, ...]]:
    """Predict each item's score from the other items.

    By each feature alone with least squares, and by all together with ridge regression whose
    penalty is chosen among the other items only, by generalized cross-validation (Golub,
    Heath and Wahba, Technometrics 21(2), 1979). Gives the predictions by all features, and how
    well all ways of predicting do.
    """
    base: Floats = (target.sum() - target) / (len(target) - 1)
    ways = [("mean", base)]
    for number, name in enumerate(names):
        ways.append((name, _each_left_out(features[:, [number]], target, _least_squares)))
    everything = _each_left_out(features, target, _ridge) if len(names) else base
    ways.append(("all features", everything))
    return everything, tuple(_judged(name, guess, target, base) for name, guess in ways)


def _each_left_out(features: Floats, target: Floats, fit: Fit) -> Floats:
    guesses = np.empty(len(target))
    for item in range(len(target)):
        rest = np.arange(len(target)) != item
        own, others = features[item], features[rest]
        center, spread = others.mean(axis=0), others.std(axis=0)
        varying = spread > 1e-12 * np.abs(others).max(axis=0)
        scale = np.where(varying, spread, 1.0)
        z, new = (others - center) / scale, np.where(varying, (own - center) / scale, 0.0)
        mean = target[rest].mean()
        guesses[item] = mean + fit(z * varying, target[rest] - mean, new)
    return guesses


def _least_squares(z: Floats, y: Floats, new: Floats) -> float:
    length = float(z[:, 0] @ z[:, 0])
    slope = float(z[:, 0] @ y) / length if length else 0.0
    return slope * float(new[0])


def _ridge(z: Floats, y: Floats, new: Floats) -> float:
    """Predict by ridge regression with the penalty of the least generalized error."""
    u, sizes, v = np.linalg.svd(z, full_matrices=False)
    along = u.T @ y
    shrink = sizes**2 / (sizes**2 + _PENALTIES[:, None] * len(y))
    rest = float(y @ y) - float(along @ along)
    errors = ((1 - shrink) ** 2 * along**2).sum(axis=1) + max(rest, 0.0)
    # One degree of freedom is the mean's.
    freedom = len(y) - 1 - shrink.sum(axis=1)
    best = int(np.argmin(errors / np.maximum(freedom, 1e-9) ** 2))
    weights = np.divide(shrink[best] * along, sizes, out=np.zeros_like(sizes), where=sizes > 1e-12)
    return float((weights @ v) @ new)


def _judged(name: str, guess: Floats, target: Floats, base: Floats) -> DifficultyPrediction:
    errors, before = target - guess, target - base
    squared, limit = float(errors @ errors), float(before @ before)
    explained = 1 - squared / limit if limit else math.nan
    return DifficultyPrediction(name, math.sqrt(squared / len(target)), explained)


_PITCH, _SIDE, _GAP = 0.24, 2.9, 0.75


def difficulty_figure(found: Difficulty) -> "Figure":
    """Draw each feature's correlation with the scores, and how well topics were predicted."""
    coefficient = found.options.coefficients[0]
    rows = [one for one in found.correlations if one.coefficient == coefficient]
    rows.sort(key=lambda one: (np.isnan(one.value), -abs(np.nan_to_num(one.value)).round(12)))
    width = text_width((row.feature for row in rows), size=label_size(_PITCH))
    return panels_figure(
        [
            _feature_panel(rows, f"{coefficient} correlation with {found.measure}"),
            _predictions(found),
        ],
        title=f"Difficulty of inputs: {place_name(found.measure, found.task, found.collection)}",
        note=f"{counted(len(found.topics), 'topic')}, means over "
        f"{counted(found.systems, 'system')}; {found.options.confidence_level:.0%} intervals over "
        "draws of topics; "
        "predictions by all features, each topic from the others",
        side=(_SIDE, max(_SIDE, len(rows) * _PITCH)),
        gap=(_GAP, 0),
        space=Space(left=PAD + width + 2 * LABEL_GAP, right=PAD + 0.1, above=0.3),
    )


def _feature_panel(rows: "Sequence[FeatureCorrelation]", label: str) -> Panel:
    """Draw a point and an interval for each feature, the first on top."""

    def name(axes: "Axes") -> None:
        axes.set_yticks(range(len(rows)), [row.feature for row in rows])
        axes.tick_params("y", length=0, labelsize=label_size(_PITCH), pad=LABEL_GAP * 72)
        axes.hlines(range(len(rows)), [r.low for r in rows], [r.high for r in rows], color=BLUE)
        axes.axvline(0, color=GRAY, linewidth=0.8)
        axes.spines["left"].set_visible(False)
        for number, row in enumerate(rows):
            if np.isnan(row.value):
                axes.text(0, number, " undefined", va="center", size=7, color=GRAY)

    points = {"color": BLUE, "marker": "o", "linestyle": "", "markersize": 5}
    scale = {"xlim": (-1, 1), "xticks": [-1, -0.5, 0, 0.5, 1], "xlabel": label}
    return Panel(
        [Series([row.value for row in rows], range(len(rows)), points)],
        scale={**scale, "ylim": (len(rows) - 0.4, -0.6)},
        grid="x",
        more=name,
    )


def _predictions(found: Difficulty) -> Panel:
    x = [topic.predicted for topic in found.topics]
    y = [topic.score for topic in found.topics]
    points = {"color": BLUE, "marker": "o", "linestyle": "", "markersize": 4.5, "alpha": 0.8}
    share = found.predictions[-1].explained
    explained = f"explains {share:.0%} of the variance"
    return Panel(
        [diagonal(x, y, {"color": PALE, "linewidth": 1.2, "zorder": 1}), Series(x, y, points)],
        "" if np.isnan(share) else explained if share > 0 else "no better than the mean",
        size=8,
        scale={"xlabel": "predicted from the other topics", "ylabel": f"mean {found.measure}"},
        margins={"x": 0.06, "y": 0.06},
    )


_COUNTS = ("documents", "sentences", "words", "vocabulary")

CORRELATIONS: View[FeatureCorrelation] = View(
    "correlations",
    (
        *columns("coefficient", "feature"),
        shown("which is", lambda found: FEATURES.get(found.feature, "")),
        *columns("value", "low", "high", "p", p_adjusted="p (Holm)", n="topics"),
    ),
    digits=3,
)
PREDICTIONS: View[DifficultyPrediction] = View(
    "predictions", columns("by", "error", "explained"), digits=3
)


@dataclass(frozen=True, slots=True)
class Inputs(Measured):
    """The scores and inputs to use."""

    source: Source = argument("Collection with documents and scores.")


@question
def difficulty(source: Inputs, options: DifficultyOptions) -> FiguresResult[Difficulty]:
    """Measure how difficult each input is, and how well the input alone predicts it.

    Length, vocabulary, redundancy and the similarity of an input's documents are held against
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
    chosen = [m.machines() if options.peers == "machines" else m for m in matrices]
    if empty := [m.measure for m in chosen if not m.systems]:
        raise InputError(f"{empty[0]} has no machines", hint="include people (peers: all)")
    features = {task: features_of(collection, task) for task in {m.task for m in chosen}}
    found = [measure_difficulty(m, features[m.task], options=options) for m in chosen]
    signature = signed(
        "difficulty", collection.data_hash, options.seed,
        measure=joined(matrix.measure for matrix in chosen),
        peers=options.peers, features=len(FEATURES),
        interval=f"{options.method}-{options.confidence_level:g}", n=options.n_resamples,
    )  # fmt: skip
    return FiguresResult(
        command="difficulty",
        signature=signature,
        values=found,
        record=_record,
        tables=[table for one in found for table in _tables(one)],
        left_out=(*left_out, *(line for one in found for line in one.left_out)),
        charts=[
            Chart(
                "difficulty", partial(difficulty_figure, one),
                "Correlations of features with scores, and predictions from the other topics.",
                (one.measure, one.collection, one.task),
            )
            for one in found
        ],
    )  # fmt: skip


def _tables(one: Difficulty) -> Iterator[Table]:
    where = place_name(one.measure, one.task, one.collection)
    key = (("measure", one.measure), ("task", one.task))
    level = f"{one.options.confidence_level:.0%} intervals over draws of topics"
    easier = "easier" if one.direction == "higher" else "harder"
    note = f"Positive: more of it goes with higher scores, that is {easier} inputs; {level}."
    yield CORRELATIONS.table(one.correlations, f"Inputs and {where}", note, key=key)
    note = (
        "Each topic is predicted from the others: by their mean, by a feature alone (least "
        "squares), by all (ridge regression). Explained: how much smaller the squared error is "
        "than with the mean; below 0 the feature is worse than nothing."
    )
    yield PREDICTIONS.table(one.predictions, f"Predicting {where}", note, key=key)
    names = list(one.topics[0].features)
    whole = {name: int if name in _COUNTS else float for name in names}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (own.topic, own.n, own.score, own.predicted, *(whole[n](own.features[n]) for n in names))
        for own in one.topics
    )
    columns = ("topic", "systems", "score", "predicted", *names)
    note = "The hardest first; scores as if no system were missing."
    yield Table(columns, rows, f"Topics by {where}", note, digits=3, key=key, name="topics")


def _record(one: Difficulty) -> dict[str, Any]:
    topic = ("topic", "n", "score", "predicted", "features")
    return {
        **{name: getattr(one, name) for name in ("measure", "task", "collection", "systems")},
        "correlations": [asdict(found) for found in one.correlations],
        "predictions": [asdict(found) for found in one.predictions],
        "topics": [{name: getattr(own, name) for name in topic} for own in one.topics],
    }
