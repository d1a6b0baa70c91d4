"""How good summaries are: ROUGE with intervals and paired tests, repetition, sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix, Summary, Topic
from pyramidion.comparison import compare
from pyramidion.metrics import score_collection
from pyramidion.metrics.registry import resolve_metrics
from pyramidion.pyramid import Annotator
from pyramidion.pyramid.content_units import score_peer
from pyramidion.summarizers import Fit, Limit, Source, parse_summarizer, summarizer_names
from pyramidion.text import is_stop_word, stem, tokenize
from summarizer_sets import Case, step_of

__all__ = [
    "MEASURES",
    "Compared",
    "Quality",
    "against",
    "measure_quality",
    "ours",
    "repetition",
    "score_cases",
    "sumys",
]

#: As in Table 4.6: all stemmed, stop words removed for ROUGE-1.
MEASURES = ("rouge-1-ns", "rouge-2-r", "rouge-su4-r")

#: Methods besides the defaults that the thesis distinguishes.
VARIANTS = ("sum-avr(context=off)", "sum-prod(context=off)", "sum-sum(context=off)")

#: It looks at the references: what is possible, and no competitor.
ORACLE = "oracle"

Summarize = Callable[[Source, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Compared:
    """A mean, its 95 % interval, and how it compares with the best of sumy."""

    mean: float
    low: float
    high: float
    p: float | None


@dataclass(frozen=True, slots=True)
class Quality:
    """What was measured, as topics x systems."""

    systems: tuple[str, ...]
    scores: dict[str, ScoreMatrix]
    sentences: np.ndarray
    words: np.ndarray
    repetition: np.ndarray
    pyramid: np.ndarray | None = None

    def best(self, measure: str, *, sumy: bool) -> str:
        """Name the best system of one side; the oracle is on neither."""
        matrix = self.scores[measure]
        means = dict(zip(matrix.systems, matrix.means(), strict=True))
        systems = [s for s in self.systems if s.startswith("sumy-") == sumy and s != ORACLE]
        return max(systems, key=lambda system: means[system])

    def compared(self, measure: str) -> dict[str, Compared]:
        """Compare all with the best of sumy: paired permutation tests, not corrected."""
        baseline = self.best(measure, sumy=True)
        result = compare(self.scores[measure], baseline=baseline, correction="none")
        p = {pair.b if pair.a == baseline else pair.a: pair.p for pair in result.comparisons}
        return {
            row.system: Compared(row.mean, row.low, row.high, p.get(row.system))
            for row in result.systems
        }

    def mean(self, table: np.ndarray, system: str) -> float:
        """Average a system's column of a table."""
        return float(table[:, self.systems.index(system)].mean())


def score_cases(
    cases: Sequence[Case], systems: Mapping[str, Callable[[Case], Sequence[str]]]
) -> dict[str, ScoreMatrix]:
    """Summarize every case by every system, and give ROUGE-2 and SU4 recall, stemmed.

    Cases of one step belong together in tests.
    """
    peers = [
        Summary(case.id, system, tuple(summarize(case)))
        for system, summarize in systems.items()
        for case in cases
    ]
    references = [
        Summary(case.id, f"person{number}", text, role="reference")
        for case in cases
        for number, text in enumerate(case.references)
    ]
    topics = tuple(Topic(case.id) for case in cases)
    collection = Collection("", topics=topics, summaries=(*references, *peers))
    result = score_collection(collection, resolve_metrics(MEASURES[1:], {"stem": True}))
    matrices = {name: ScoreMatrix.from_scores(result.scores, name) for name in result.metrics}
    if not any("/" in case.id for case in cases):
        return matrices
    return {
        name: replace(matrix, clusters=tuple(map(step_of, matrix.topics)))
        for name, matrix in matrices.items()
    }


def against(matrix: ScoreMatrix, baseline: str) -> dict[str, tuple[float, float]]:
    """Return each system's mean, and the p of a paired permutation test against one of them."""
    result = compare(matrix, baseline=baseline, correction="none")
    p = {pair.b if pair.a == baseline else pair.a: pair.p for pair in result.comparisons}
    means = {row.system: row.mean for row in result.systems}
    return {name: (mean, p.get(name, 1.0)) for name, mean in means.items()}


def ours(name: str, fit: Fit = "truncate") -> Callable[[Case], tuple[str, ...]]:
    """Return what summarizes a case by one of our methods."""
    summarize = _ours(name, fit)
    return lambda case: summarize(case.source, case.words)


def sumys(name: str) -> Callable[[Case], tuple[str, ...]]:
    """Return what summarizes a case by one of sumy's methods."""
    summarize = _sumys(name)
    return lambda case: summarize(case.source, case.words)


def measure_quality(
    collection: Collection, task: str, words: int, *, left_out: Sequence[str] = ()
) -> Quality:
    """Summarize every topic by every method to a number of words, and score the summaries."""
    systems = {name: system for name, system in _systems() if name not in left_out}
    topics = [topic for topic in collection.topics if collection.documents(topic.id, task)]
    sources = {
        topic.id: Source.of_topic(collection, topic, task, focus="generic", known=())
        for topic in topics
    }
    peers = [
        Summary(topic, system, summarize(source, words), task)
        for system, summarize in systems.items()
        for topic, source in sources.items()
    ]
    references = tuple(s for s in collection.summaries if s.is_reference and s.task == task)
    scored = replace(
        collection, summaries=(*(replace(s, role="reference") for s in references), *peers)
    )
    result = score_collection(scored, resolve_metrics(MEASURES, {"stem": True}))
    shape = len(systems), len(topics)
    return Quality(
        tuple(systems),
        {name: ScoreMatrix.from_scores(result.scores, name, task=task) for name in result.metrics},
        np.array([len(peer.text) for peer in peers]).reshape(shape).T,
        np.array([peer.words for peer in peers]).reshape(shape).T,
        np.array([repetition(peer.text) for peer in peers]).reshape(shape).T,
        _pyramid(collection, task, peers, shape),
    )


def _systems() -> Iterator[tuple[str, Summarize]]:
    for name in (*(name for name in summarizer_names() if name != "llm"), *VARIANTS):
        yield name, _ours(name)
    from sumy_methods import SUMY

    for name in SUMY:
        yield name, _sumys(name)


def _ours(name: str, fit: Fit = "truncate") -> Summarize:
    method = parse_summarizer(name)

    def summarize(source: Source, words: int) -> tuple[str, ...]:
        extract = method.summarize(source, Limit(words, fit))
        return tuple(sentence.text for sentence in extract.sentences)

    return summarize


def _sumys(name: str) -> Summarize:
    from sumy_methods import summarize_texts

    def summarize(source: Source, words: int) -> tuple[str, ...]:
        return summarize_texts(name, (document.text for document in source.documents), words)

    return summarize


def repetition(sentences: str | Sequence[str]) -> float:
    """Return what share of a summary's content words an earlier sentence of it has said."""
    seen: set[str] = set()
    repeated, total = 0, 0
    for sentence in [sentences] if isinstance(sentences, str) else sentences:
        stems = [stem(word) for word in tokenize(sentence) if not is_stop_word(word)]
        repeated += sum(word in seen for word in stems)
        total += len(stems)
        seen |= set(stems)
    return repeated / max(total, 1)


def _pyramid(
    collection: Collection, task: str, peers: Sequence[Summary], shape: tuple[int, int]
) -> np.ndarray | None:
    """Score by the pyramids of the topics, units found by similarity."""
    if not all((task, peer.topic) in collection.pyramids for peer in peers):
        return None
    annotators = {
        topic: Annotator(collection.pyramids[task, topic])
        for topic in {peer.topic for peer in peers}
    }
    scores = [
        score_peer(annotators[peer.topic].annotate(peer.plain).annotation).modified
        for peer in peers
    ]
    return np.array(scores).reshape(shape).T
