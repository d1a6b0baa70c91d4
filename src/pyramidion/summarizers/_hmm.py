"""CLASSY's method: a hidden Markov model of sentences, and a pivoted QR decomposition."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection.sources import Source as GivenSource
from pyramidion.collection.sources import read_source
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES, read_object
from pyramidion.files.writing import write_text
from pyramidion.questions import Options, argument, option, question
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.view import Column, View, data, shown
from pyramidion.summarizers._graphs import sentence_vectors
from pyramidion.summarizers._selection import Choice, Limit, Terms, choose_greedily
from pyramidion.summarizers._signature import signature_of
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text.encoding import SIGNATURE_CUTOFF, Background

#: Number of pseudo-sentences with the mean of all summary (or other) sentences in a state.
_SHRINKAGE_COUNT = 10.0
_MIN_LIKELIHOOD = 1e-300


@dataclass(frozen=True, slots=True)
class SummaryHmm:
    """A chain of states in which summary sentences (odd numbers) and others (even) alternate.

    From a state of other sentences the chain stays or goes to the next summary state; from a
    summary state it goes to the next one, or to the state of other sentences between them. The last
    two states repeat. A state emits a number per sentence, normally distributed around its mean,
    with the same variance for all states.
    """

    initial: tuple[float, ...]
    transitions: tuple[tuple[float, ...], ...]
    means: tuple[float, ...]
    variance: float

    def __post_init__(self) -> None:
        n_states = len(self.initial)
        shapes = [len(self.means), len(self.transitions), *map(len, self.transitions)]
        rows = np.array([self.initial, *self.transitions]) if {*shapes} == {n_states} else None
        if rows is None or n_states < 3 or n_states % 2 == 0:
            hint = "use an odd number of states, at least 3, and a row and a mean for each"
            raise InputError(f"a model of {n_states} states does not fit its tables", hint=hint)
        if (rows < 0).any() or np.abs(rows.sum(axis=1) - 1).max() > 1e-4 or not self.variance > 0:
            message = "a model's probabilities must sum to 1 and its variance must be positive"
            raise InputError(message, hint="fit it again")

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.initial)

    def posteriors(self, documents: Sequence[Floats]) -> list[Floats]:
        """Return the probability that each sentence is a summary sentence."""
        if not any(map(len, documents)):
            return [np.zeros(0) for _ in documents]
        likelihoods, transition_table = self._emissions(documents), np.array(self.transitions)
        forward_rows = [_scale_rows(np.array(self.initial) * likelihoods[:, 0])]
        for position in range(1, likelihoods.shape[1]):
            forward_rows.append(
                _scale_rows((forward_rows[-1] @ transition_table) * likelihoods[:, position])
            )
        backward_rows = [np.ones((len(likelihoods), self.states))]
        for position in range(likelihoods.shape[1] - 1, 0, -1):
            backward_rows.append(
                _scale_rows((backward_rows[-1] * likelihoods[:, position]) @ transition_table.T)
            )
        joint_probabilities = np.stack(forward_rows, axis=1) * np.stack(backward_rows[::-1], axis=1)
        summary_probabilities = joint_probabilities[..., 1::2].sum(
            axis=-1
        ) / joint_probabilities.sum(axis=-1)
        return [
            summary_probabilities[row, : len(document)] for row, document in enumerate(documents)
        ]

    def _emissions(self, documents: Sequence[Floats]) -> Floats:
        """Return the likelihood of each observation in each state; 1 after a document's end."""
        lengths = np.array([len(document) for document in documents])
        is_sentence = np.arange(lengths.max()) < lengths[:, None]
        observed = np.zeros(is_sentence.shape)
        observed[is_sentence] = np.concatenate(list(documents))
        log_likelihoods = -((observed[..., None] - np.array(self.means)) ** 2) / (2 * self.variance)
        likelihoods = np.exp(log_likelihoods - log_likelihoods.max(axis=-1, keepdims=True))
        return np.where(is_sentence[..., None], np.maximum(likelihoods, _MIN_LIKELIHOOD), 1.0)


def _scale_rows(rows: Floats) -> Floats:
    """Scale each row to sum to 1, so that long documents do not underflow."""
    scaled_rows: Floats = rows / rows.sum(axis=1, keepdims=True)
    return scaled_rows


def state_path(labels: npt.ArrayLike, states: int) -> Ints:
    """Return the state of each sentence of a document whose summary sentences are known."""
    is_summary = np.asarray(labels, dtype=np.bool_)
    n_seen = np.minimum(np.cumsum(is_summary), states // 2)
    return np.where(is_summary, 2 * n_seen - 1, 2 * n_seen).astype(np.int64)


def fit_hmm(
    documents: Iterable[tuple[npt.ArrayLike, npt.ArrayLike]], *, states: int = 5
) -> SummaryHmm:
    """Estimate a model from documents whose summary sentences are known.

    Probabilities are shares of counts, with 1 added to each possible transition. A state's mean
    is shrunk toward the mean of its kind, as if the state had ten more sentences with that mean.
    """
    if states < 3 or states % 2 == 0:
        raise InputError(f"a model of {states} states", hint="use an odd number of at least 3")
    labeled_documents = [
        (np.asarray(vectors, float), np.asarray(labels, bool)) for vectors, labels in documents
    ]
    for number, (vectors_observed, labels) in enumerate(labeled_documents, start=1):
        if vectors_observed.ndim != 1 or vectors_observed.shape != labels.shape:
            message = (
                f"document {number} has {vectors_observed.size} observations and "
                f"{labels.size} labels"
            )
            raise InputError(message, hint="pass a number and a label for each sentence")
    paths = [state_path(labels, states) for _, labels in labeled_documents if len(labels)]
    vectors = np.concatenate(
        [np.zeros(0), *(vectors_observed for vectors_observed, _ in labeled_documents)]
    )
    state_numbers = np.concatenate([np.zeros(0, dtype=np.int64), *paths])
    if not ((state_numbers % 2 == 0).any() and (state_numbers % 2).any()):
        raise InputError(
            "a model needs summary sentences and others", hint="add more training documents"
        )
    initial_counts, transition_counts = _transition_masks(states)
    for path in paths:
        initial_counts[path[0]] += 1
        np.add.at(
            transition_counts, tuple(np.array(list(pairwise(path)), dtype=int).reshape(-1, 2).T), 1
        )
    kind_means = np.array([vectors[state_numbers % 2 == kind].mean() for kind in (0, 1)])[
        np.arange(states) % 2
    ]
    sums = (
        np.bincount(state_numbers, weights=vectors, minlength=states)
        + _SHRINKAGE_COUNT * kind_means
    )
    means = sums / (np.bincount(state_numbers, minlength=states) + _SHRINKAGE_COUNT)
    variance = max(float(np.mean((vectors - means[state_numbers]) ** 2)), 1e-6)
    return SummaryHmm(
        tuple((initial_counts / initial_counts.sum()).tolist()),
        tuple(
            map(tuple, (transition_counts / transition_counts.sum(axis=1, keepdims=True)).tolist())
        ),
        tuple(means.tolist()),
        variance,
    )


def _transition_masks(states: int) -> tuple[Floats, Floats]:
    """Return 1 for each state in which a document may begin, and for each possible transition."""
    initial_mask, transition_mask = np.zeros(states), np.zeros((states, states))
    initial_mask[:2] = 1
    for state in range(states):
        middle_state = state + state % 2
        transition_mask[state, [min(middle_state + 1, states - 2), middle_state]] = 1
    return initial_mask, transition_mask


_MODELS_FILE = Path(__file__).parent / "data" / "hmm.json"


@dataclass(frozen=True, slots=True)
class HmmFile:
    """Models with different numbers of states that were fitted on the same documents."""

    models: Mapping[int, SummaryHmm]
    card: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @classmethod
    def load(cls, path: str | Path) -> "HmmFile":
        """Read models from JSON."""
        try:
            data = read_object(path, limit=MAX_MODEL_BYTES)
            models = [
                SummaryHmm(
                    tuple(map(float, record["initial"])),
                    tuple(tuple(map(float, row)) for row in record["transitions"]),
                    tuple(map(float, record["means"])),
                    float(record["variance"]),
                )
                for record in data["models"]
            ]
            return cls({model.states: model for model in models}, data["card"])
        except NotFoundError:
            raise
        except (AttributeError, InputError, KeyError, OverflowError, TypeError, ValueError) as why:
            message = f"the file has no models of summary sentences ({getattr(why, 'what', why)})"
            hint = "train some with `pyramidion methods hmm-qr --train`"
            raise FormatError(message, where=Where(path), hint=hint) from None

    def save(self, path: str | Path) -> None:
        """Write the models as JSON, whole or not at all."""
        records = (_round_numbers(asdict(model)) for _, model in sorted(self.models.items()))
        models = ",\n".join(map(json.dumps, records))
        card = json.dumps(dict(self.card), ensure_ascii=False, indent=1)
        write_text(path, f'{{"card": {card},\n"models": [\n{models}\n]}}\n')

    def model(self, states: int) -> SummaryHmm:
        """Return the model with this number of states."""
        if states not in self.models:
            sizes = ", ".join(map(str, sorted(self.models))) or "none"
            raise InputError(f"there is no model of {states} states", hint=f"available: {sizes}")
        return self.models[states]


@cache
def default_hmms() -> HmmFile:
    """Read the models that come with the package (see ``data/hmm.md``)."""
    return HmmFile.load(_MODELS_FILE)


_load_models = cache(HmmFile.load)


def _round_numbers(value: Any) -> Any:
    """Round all numbers of a record."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {name: _round_numbers(entry) for name, entry in value.items()}
    return list(map(_round_numbers, value))


def aligned_sentences(source: Source, *, least: int = 2) -> Bools:
    """Label the sentences that share words with the references.

    For each reference, the sentence with most of its content words is marked, then the one with
    most of the remaining words, as long as a sentence adds ``least`` or more. Ties go to the
    shorter sentence, then to the first.
    """
    wording = source.read(source.reading, references=True)
    presence = wording.presence
    sizes = np.diff(presence.indptr)
    is_aligned = np.zeros(len(source), dtype=np.bool_)
    for sentences in wording.references:
        is_missing = np.zeros(len(wording.words))
        is_missing[np.concatenate([np.zeros(0, np.int32), *sentences])] = 1.0
        while True:
            n_new_words = presence @ is_missing
            # Length only breaks ties.
            best_sentence = int(np.argmax(n_new_words - sizes / (sizes.max(initial=0) + 1)))
            if n_new_words[best_sentence] < least:
                break
            is_aligned[best_sentence] = True
            is_missing[
                presence.indices[
                    presence.indptr[best_sentence] : presence.indptr[best_sentence + 1]
                ]
            ] = 0.0
    return is_aligned


@dataclass(frozen=True, slots=True)
class HmmQr(Summarizer):
    r"""CLASSY, peer 65 of DUC 2004: a hidden Markov model and a pivoted QR decomposition.

    1. The observation of a sentence is :math:`\log(n + 1)`, where n is the number of its distinct
       words in the topic signature (:math:`-2\log\lambda` above ``cutoff``).
    2. A hidden Markov model (`SummaryHmm`) reads each document and computes the probability that a
       sentence is a summary sentence, which is its score.
    3. The best sentences that fit, up to ``pool`` times the limit, become the columns of a matrix
       whose rows are the signature's words: 1 if the sentence has the word, each column scaled to
       the sentence's score. The longest column is taken and projected out of the others (a QR
       decomposition with column pivoting), and so on until the limit is reached. Room that none of
       them fits goes to other sentences.

    With a query, its words are rows as well, and scores are mixed with the cosine of sentence and
    query (`Vectors`), scaled to a maximum of 1, which has the share ``query``. In an update, a
    score is multiplied by the mean of :math:`n / (n + \kappa \log(1 + k))` over the sentence's
    rows, for a word that occurs n times in the input and k times in known texts; κ is ``known``.

    The models in the package have 3 to 13 states and were trained on GUM; ``model`` names a file
    with others, written by `pyramidion methods hmm-qr --train`.

    Source: Conroy and O'Leary (2001). Text summarization via hidden Markov models. SIGIR. Conroy,
    Schlesinger, Goldstein and O'Leary (2004). Left-brain/right-brain multi-document summarization.
    DUC. Nenkova (2006), section 4.5.
    """

    name: ClassVar[str] = "hmm-qr"
    title: ClassVar[str] = "HMM and QR (CLASSY)"
    summary: ClassVar[str] = "probable summary sentences (hidden Markov model) without redundancy"
    citation: ClassVar[str] = "Conroy and O'Leary 2001"
    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    states: int = option(5, "number of states of the model", min=3)
    cutoff: float = option(SIGNATURE_CUTOFF, "minimum ratio of words in the signature", min=0)
    pool: float = option(
        3.0, "length of the sentences to pick from, as a multiple of the limit", min=1
    )
    model: str = option("", "a file with other models")
    query: float = option(
        0.5, "weight of the query, from 0 to 1 (only the query counts)", min=0, max=1
    )
    known: float = option(1.0, "penalty for words the reader already knows", min=0)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        scores = self._scores(source)
        pool = self._pool(source, scores, limit)
        columns = _Columns(source, pool, scores, self._terms(source))
        return choose_greedily(source, limit, columns.weigh, columns.take)

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return the model's probability, and the remaining length of the sentence's column."""
        scores = self._scores(source)
        columns_taken = np.array([*taken, number])
        columns = _Columns(source, columns_taken, scores, self._terms(source))
        for earlier_number in taken:
            columns.take(earlier_number)
        return ("posterior", float(scores[number])), ("residual", float(columns.left()[-1]))

    def _terms(self, source: Source) -> Bools:
        """Return which words are rows of the matrix: those of the signature and the query."""
        return (signature_of(source) > self.cutoff) | (self.query * source.query > 0)

    def _scores(self, source: Source) -> Floats:
        models = _load_models(self.model) if self.model else default_hmms()
        model = models.model(self.states)
        scores = np.concatenate(model.posteriors(observations(source, self.cutoff)))
        vectors = sentence_vectors(source)
        cosines = np.asarray(vectors.sentences @ vectors.query)
        if cosines.any():
            scores = (1 - self.query) * scores + self.query * cosines / cosines.max()
        if not source.known_texts:
            return scores
        penalty = self.known * np.log1p(source.known_counts)
        novelty = source.counts / np.maximum(source.counts + penalty, 1.0)
        terms, presence = self._terms(source), source.wording.presence
        scores *= (presence @ (terms * novelty)) / np.maximum(presence @ terms.astype(float), 1.0)
        return scores

    def _pool(self, source: Source, scores: Floats, limit: Limit) -> Ints:
        """Return the best sentences that fit, up to `pool` times the limit."""
        is_usable = source.usable
        fitting = is_usable & (source.lengths <= limit.words)
        candidates = np.flatnonzero(fitting if fitting.any() else is_usable)
        order = candidates[np.lexsort((source.positions[candidates], -scores[candidates]))]
        length_before = np.cumsum(source.lengths[order]) - source.lengths[order]
        return order[length_before < self.pool * limit.words]


def observations(
    source: Source, cutoff: float = SIGNATURE_CUTOFF, background: Background | None = None
) -> list[Floats]:
    r"""Return :math:`\log(n + 1)` for each sentence of each document with n signature words."""
    signature = signature_of(source, background) > cutoff
    values = np.log1p(source.wording.presence @ signature.astype(np.float64))
    return _split_by_document(source, np.asarray(values, dtype=np.float64))


def train_hmms(
    sources: Iterable[Source],
    *,
    states: Iterable[int] = (3, 5, 7, 9, 11, 13),
    background: Callable[[Source], Background | None] = lambda source: None,
    card: dict[str, Any] | None = None,
) -> HmmFile:
    """Train models on inputs that have references."""
    labeled_documents: list[tuple[Floats, Bools]] = []
    for source in sources:
        vectors = observations(source, background=background(source))
        labels = _split_by_document(source, aligned_sentences(source))
        labeled_documents += (pair for pair in zip(vectors, labels, strict=True) if len(pair[0]))
    card = {
        "documents": len(labeled_documents),
        "sentences": sum(len(vectors) for vectors, _ in labeled_documents),
        "summary_sentences": sum(int(labels.sum()) for _, labels in labeled_documents),
    } | (card or {})
    return HmmFile({number: fit_hmm(labeled_documents, states=number) for number in states}, card)


@dataclass(frozen=True, slots=True)
class HmmTraining(Options):
    """The part of a collection to train on, and the file for the models."""

    model: Path | None = option(
        None,
        "Write the models to this .json file, for `summarize -m 'hmm-qr(model=FILE)'`.",
        metavar="FILE",
    )
    task: tuple[str, ...] = option((), "Tasks to train on, comma-separated; all by default.")
    source_format: str | None = option(
        None, "Format of the collection; detected by default.", flags=("--from",), metavar="FORMAT"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HmmOptions(HmmTraining):
    """The training data, and the file for the models."""

    source: GivenSource = argument(
        "Collection with documents and summaries by people.", metavar="SRC"
    )


def _list_means(means: Iterable[float]) -> str:
    return ", ".join(f"{mean:.2f}" for mean in means)


_MODELS_VIEW: View[SummaryHmm] = View(
    "models",
    (
        Column("states", "states"),
        Column("begins", "begins with a summary sentence", lambda model: model.initial[1]),
        data("means", lambda model: model.means),
        shown("summary sentences", lambda model: _list_means(model.means[1::2])),
        shown("other sentences", lambda model: _list_means(model.means[::2])),
        Column("variance", "variance"),
    ),
)


@question
def train_hmm(options: HmmOptions) -> Result[SummaryHmm]:
    """Train the models of summary sentences of `hmm-qr` on a collection with references.

    Sentences that share most words with the references count as summary sentences; models of 3 to
    13 states are fitted to the number of topic-signature words per sentence.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> [model.states for model in train_hmm(load_demo(), task="A")]
    [3, 5, 7, 9, 11, 13]
    """
    collection = read_source(options.source, format=options.source_format)
    tasks = options.task or collection.task_ids
    sources, left_out = [], []
    for task in tasks:
        for topic in collection.topics:
            references = collection.references(topic.id, task)
            if references and collection.documents(topic.id, task):
                sources.append(Source.of_topic(collection, topic, task, focus="generic", known=()))
            else:
                left_out.append(f"{topic.id}: no {'documents' if references else 'references'}")
    if not sources:
        hint = "use a collection whose topics have documents and summaries by people"
        raise InputError("there is nothing to train on", hint=hint)
    file = train_hmms(sources)
    if options.model is not None:
        file.save(options.model)
    card = {name.replace("_", "-"): number for name, number in file.card.items()}
    models = tuple(file.models.values())
    return Result(
        command="methods",
        signature=signed("hmm", collection.data_hash, **card),
        values=models,
        record=_MODELS_VIEW.record,
        tables=[_MODELS_VIEW.table(models, "Models of summary sentences")],
        left_out=(*collection.left_out, *left_out),
    )


def _split_by_document(source: Source, values: Any) -> list[Any]:
    return np.split(values, np.searchsorted(source.homes, np.arange(1, len(source.documents))))


_ROUNDING_ERROR = 1e-12


class _Columns:
    """Sentences as columns of a dense matrix, from which chosen ones are projected out."""

    def __init__(self, source: Source, pool: Ints, scores: Floats, terms: Bools) -> None:
        rows = source.wording.presence[pool][:, np.flatnonzero(terms)].toarray()
        lengths = np.linalg.norm(rows, axis=1)
        self._rows = rows * (scores[pool] / np.where(lengths > 0, lengths, 1.0))[:, None]
        self._pool = pool
        self._column_numbers = {number: index for index, number in enumerate(pool.tolist())}
        # Sentences outside the pool, or without anything new, may still fill remaining room.
        self._filling_weights = 1e-6 * scores

    def weigh(self) -> Floats:
        """Return the remaining length of each sentence's column, and almost 0 for the others."""
        weights = self._filling_weights.copy()
        weights[self._pool] += self.left()
        return weights

    def left(self) -> Floats:
        """Return the remaining length of each column of the pool, without rounding errors."""
        lengths = np.asarray(np.linalg.norm(self._rows, axis=1), dtype=np.float64)
        return np.where(lengths > _ROUNDING_ERROR, lengths, 0.0)

    def take(self, number: int) -> None:
        """Project a chosen column out of all columns."""
        if number not in self._column_numbers:
            return
        column = self._rows[self._column_numbers[number]]
        length = float(np.linalg.norm(column))
        if length > _ROUNDING_ERROR:
            direction = column / length
            self._rows -= np.outer(self._rows @ direction, direction)
